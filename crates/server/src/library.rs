//! The tables that questions are answered from.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Slice, Tables};

use crate::distances::{self, Distances};
use crate::failure::Failure;
use crate::tally::Tally;

/// The tables of every variant in one directory. Cheap to clone; all clones are the same library.
#[derive(Clone)]
pub struct Library {
    variants: Arc<[(Tables, Tally)]>,
    distances: Arc<Mutex<HashMap<Counted, Arc<Distances>>>>,
}

/// What distances were counted of: a variant, a rule set and a slice.
type Counted = (Variant, &'static str, Slice);

impl Library {
    /// The tables under a directory, which need not hold any yet.
    pub fn open(directory: &Path) -> Library {
        let variants =
            Variant::ALL.into_iter().map(|variant| (Tables::open(directory, variant), Tally::default())).collect();
        Library { variants, distances: Arc::default() }
    }

    /// The tables of a variant.
    pub fn tables(&self, variant: Variant) -> &Tables {
        &self.of(variant).0
    }

    /// How many states of each slice of a variant have been answered.
    pub(crate) fn tally(&self, variant: Variant) -> &Tally {
        &self.of(variant).1
    }

    fn of(&self, variant: Variant) -> &(Tables, Tally) {
        let position = Variant::ALL.iter().position(|&other| other == variant);
        &self.variants[position.unwrap_or_default()]
    }

    /// Whether anything can be answered at all.
    pub(crate) fn is_ready(&self) -> bool {
        self.variants.iter().any(|(tables, _)| tables.slices().is_ok_and(|slices| !slices.is_empty()))
    }

    /// Looks at the directory again, so that tables which were added or replaced are used.
    pub fn reload(&self) {
        for (tables, _) in self.variants.iter() {
            tables.reload();
        }
        self.distances.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The positions of a slice by value and distance. They are counted once and kept.
    pub(crate) fn distances(
        &self,
        rules: &Rules,
        slice: Slice,
        cancel: &AtomicBool,
    ) -> Result<Arc<Distances>, Failure> {
        let key = (rules.variant, rules.set.name, slice);
        let kept = || self.distances.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(distances) = kept().get(&key) {
            return Ok(Arc::clone(distances));
        }
        let distances = Arc::new(distances::count(self.tables(rules.variant), rules, slice, cancel)?);
        kept().insert(key, Arc::clone(&distances));
        Ok(distances)
    }
}
