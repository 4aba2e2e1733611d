//! How many positions of a slice have which value and distance.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_proto::v1;
use bolshak_rules::Rules;
use bolshak_tables::{Forced, Fresh, Outcome, Slice, Tables, Value};

use crate::failure::Failure;
use crate::wire;

/// Positions by value and distance; those without a distance are left out.
pub(crate) type Distances = BTreeMap<(Value, u16), u64>;

/// Positions read at a time.
const PART: usize = 1 << 16;

/// Reads every position of a slice.
pub(crate) fn count(tables: &Tables, rules: &Rules, slice: Slice, cancel: &AtomicBool) -> Result<Distances, Failure> {
    let positions = tables.index(slice).positions();
    let mut part = vec![Fresh { without_rules: Forced::NOTHING, under_rules: Forced::NOTHING }; PART];
    let mut distances = Distances::new();
    for start in (0..positions).step_by(PART) {
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let length = usize::try_from(positions - start).map_or(PART, |left| left.min(PART));
        tables.read(slice, rules, start, &mut part[..length])?;
        for fresh in &part[..length] {
            let outcome = Outcome::new(fresh.without_rules, fresh.under_rules);
            if let Some(distance_plies) = outcome.distance_plies {
                *distances.entry((outcome.value, distance_plies)).or_default() += 1;
            }
        }
    }
    Ok(distances)
}

pub(crate) fn message(distances: &Distances) -> Vec<v1::DistanceCount> {
    let entry = |(&(value, distance_plies), &positions): (&(Value, u16), &u64)| v1::DistanceCount {
        value: wire::value(value).into(),
        distance_plies: distance_plies.into(),
        positions,
    };
    distances.iter().map(entry).collect()
}
