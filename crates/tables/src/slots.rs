//! What is opened of each slice, found without a lock.

use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use bolshak_rules::{RuleSet, Rules};

use crate::file::{Kind, Table};
use crate::index::SliceIndex;
use crate::refused::Refused;
use crate::slice::{Material, Slice};

/// A table under the number that its blocks are cached by.
pub(crate) struct Opened {
    pub(crate) number: u64,
    pub(crate) table: Arc<Table>,
}

/// What is known of one slice.
#[derive(Default)]
pub(crate) struct Slot {
    /// Made when it is first needed: that of a slice without tables may be large.
    index: OnceLock<Arc<SliceIndex>>,
    /// By [`place`].
    tables: [ArcSwapOption<Opened>; KINDS],
    /// By [`place`], what could not be opened.
    refused: [ArcSwapOption<Refused>; KINDS],
}

/// Values, distances, and for each rule set what it changes and how king moves left matter.
const KINDS: usize = 2 + 2 * RuleSet::ALL.len();

/// The place of a kind of table; `None` for a rule set of the caller's own, whose tables are not kept.
fn place(kind: &Kind) -> Option<usize> {
    let number = |rules: &Rules| RuleSet::ALL.iter().position(|set| *set == rules.set);
    match kind {
        Kind::Value => Some(0),
        Kind::Distance => Some(1),
        Kind::Changes(rules) => Some(2 + number(rules)?),
        Kind::Kings(rules) => Some(2 + RuleSet::ALL.len() + number(rules)?),
    }
}

impl Slot {
    /// The index of the slice that this is the slot of.
    pub(crate) fn index(&self, slice: Slice) -> &Arc<SliceIndex> {
        self.index.get_or_init(|| Arc::new(SliceIndex::new(slice)))
    }

    /// The place of a table of this kind.
    pub(crate) fn table(&self, kind: &Kind) -> Option<&ArcSwapOption<Opened>> {
        self.tables.get(place(kind)?)
    }

    /// The place of what is known of a file of this kind that could not be opened.
    pub(crate) fn refused(&self, kind: &Kind) -> Option<&ArcSwapOption<Refused>> {
        self.refused.get(place(kind)?)
    }
}

/// The materials of a side: 1 to 12 pieces, some of them men.
const MATERIALS: usize = 90;

fn number(material: Material) -> usize {
    let pieces = usize::from(material.pieces());
    (pieces * (pieces + 1)) / 2 - 1 + usize::from(material.men)
}

/// A slot for each slice there can be.
pub(crate) struct Slots(Box<[OnceLock<Box<Slot>>]>);

impl Slots {
    pub(crate) fn new() -> Slots {
        Slots((0..MATERIALS * MATERIALS).map(|_| OnceLock::new()).collect())
    }

    fn at(&self, slice: Slice) -> &OnceLock<Box<Slot>> {
        &self.0[number(slice.mover()) * MATERIALS + number(slice.opponent())]
    }

    /// The slot of a slice.
    pub(crate) fn get(&self, slice: Slice) -> &Slot {
        self.at(slice).get_or_init(Box::default)
    }

    /// The slot of a slice if anything is known of it.
    pub(crate) fn known(&self, slice: Slice) -> Option<&Slot> {
        self.at(slice).get().map(Box::as_ref)
    }

    /// The tables that are open.
    pub(crate) fn open_tables(&self) -> impl Iterator<Item = Arc<Opened>> + '_ {
        let slots = self.0.iter().filter_map(OnceLock::get);
        slots.flat_map(|slot| &slot.tables).filter_map(ArcSwapOption::load_full)
    }

    /// Forgets the tables and the files that are none, but not the indices.
    pub(crate) fn forget_tables(&self) {
        for slot in self.0.iter().filter_map(OnceLock::get) {
            for table in &slot.tables {
                table.store(None);
            }
            for refused in &slot.refused {
                refused.store(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_has_its_own_number() {
        let mut numbers: Vec<usize> = (1..=12)
            .flat_map(|pieces| (0..=pieces).map(move |men| number(Material { kings: pieces - men, men })))
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..MATERIALS).collect::<Vec<_>>());
    }
}
