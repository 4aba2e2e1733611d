//! How many states of each slice have been answered, for the measurements.

use std::sync::{Mutex, PoisonError};

use bolshak_rules::Position;
use bolshak_tables::Slice;
use rustc_hash::FxHashMap;

/// Numbers of states by slice.
pub(crate) type Counts = FxHashMap<Slice, u64>;

/// Counts of states, added to from many threads. Only slices with an answer are in it, and there are 8,100 slices in all, so
/// that no client can make it large.
#[derive(Default)]
pub(crate) struct Tally(Mutex<Counts>);

impl Tally {
    /// Adds one state. Positions that are over because a side has no piece are in no slice.
    pub(crate) fn add(&self, position: &Position) {
        if let Some(slice) = Slice::of(position) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(slice).or_default() += 1;
        }
    }

    /// Adds states that were counted elsewhere.
    pub(crate) fn add_all(&self, counts: Counts) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (slice, count) in counts {
            *all.entry(slice).or_default() += count;
        }
    }

    /// The counts so far.
    pub(crate) fn counts(&self) -> Counts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
