//! How long what is forced takes by plies left to kings, as it is found and as it is put into tables.

use std::collections::hash_map::Entry;
use std::ops::Range;

use bolshak_tables::{Cells, FREE_CELL, KingsLists, KingsSteps, MAX_KINGS_LISTS, UNLISTED_STEPS};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many numbers are kept for what lists are cut to if there are too many.
const NUMBERS_FOR_CUT: usize = MAX_KINGS_LISTS / 4;

/// Lists of steps, numbered as they are met, and how often each is.
#[derive(Default)]
struct Met {
    numbers: FxHashMap<KingsSteps, usize>,
    times: Vec<u64>,
}

impl Met {
    fn number(&mut self, steps: KingsSteps, times: u64) -> usize {
        let next = self.times.len();
        let number = *self.numbers.entry(steps).or_insert(next);
        if number == next {
            self.times.push(0);
        }
        self.times[number] += times;
        number
    }

    /// As many different lists as a table can have, those that are met most often first, and for each number its list's
    /// place among them. If there are more, the rarest are cut short. The order in which lists were met does not matter.
    fn into_lists(self) -> (Vec<KingsSteps>, Vec<u16>) {
        let times = self.times;
        let mut all: Vec<(KingsSteps, usize)> = self.numbers.into_iter().collect();
        all.par_sort_unstable_by(|(one, first), (other, second)| {
            times[*second].cmp(&times[*first]).then_with(|| one.cmp(other))
        });
        let whole = if all.len() > MAX_KINGS_LISTS { MAX_KINGS_LISTS - NUMBERS_FOR_CUT } else { all.len() };
        let rest = &all[whole..];
        let fits = |rises: &usize| {
            rest.iter().map(|(steps, _)| steps.cut(*rises)).collect::<FxHashSet<_>>().len() <= NUMBERS_FOR_CUT
        };
        let rises = (0..5).rev().find(fits).unwrap_or(0);
        let (mut lists, mut places) = (Vec::new(), vec![UNLISTED_STEPS; times.len()]);
        let mut place_of: FxHashMap<KingsSteps, u16> = FxHashMap::default();
        for (place, (steps, number)) in all.into_iter().enumerate() {
            let steps = if place < whole { steps } else { steps.cut(rises) };
            places[number] = match place_of.entry(steps) {
                Entry::Occupied(place) => *place.get(),
                // What even the shortest cut leaves too many of is not listed.
                Entry::Vacant(_) if lists.len() == MAX_KINGS_LISTS => UNLISTED_STEPS,
                Entry::Vacant(new) => {
                    lists.push(new.key().clone());
                    *new.insert(lists.len() as u16 - 1)
                }
            };
        }
        (lists, places)
    }
}

/// The steps of the positions of a placement, in file order.
#[derive(Default)]
pub(crate) struct PlacementKings {
    met: Met,
    /// By position the number of its list, or beyond all numbers that nothing is to tell or can be told.
    cells: Vec<u32>,
}

const FREE: u32 = u32::MAX;
const UNTOLD: u32 = u32::MAX - 1;

impl PlacementKings {
    /// A position to which nothing is to tell.
    pub(crate) fn push_free(&mut self) {
        self.cells.push(FREE);
    }

    /// The next position; `None` for steps that cannot be told.
    pub(crate) fn push(&mut self, steps: Option<KingsSteps>) {
        let number = steps.and_then(|steps| u32::try_from(self.met.number(steps, 1)).ok());
        self.cells.push(number.unwrap_or(UNTOLD));
    }

    /// The lists, how often each is met, and for each position the place of its list, [`UNLISTED_STEPS`] or [`FREE_CELL`].
    pub(crate) fn finish(self) -> FinishedPlacement {
        let (lists, places) = self.met.into_lists();
        let mut times = vec![0; lists.len()];
        let cells = self.cells.into_iter().map(|number| match number {
            FREE => FREE_CELL,
            UNTOLD => UNLISTED_STEPS,
            number => {
                let place = places[number as usize];
                if let Some(times) = times.get_mut(usize::from(place)) {
                    *times += 1;
                }
                place
            }
        });
        let cells = cells.collect();
        FinishedPlacement { lists, times, cells }
    }
}

/// A placement with as many lists as cells can tell.
pub(crate) struct FinishedPlacement {
    lists: Vec<KingsSteps>,
    times: Vec<u64>,
    cells: Vec<u16>,
}

/// The steps of the positions of a slice, placement by placement.
pub(crate) struct SliceKings {
    met: Met,
    cells: Vec<u16>,
    /// Which cells a placement has, and by the numbers in them those of `met`.
    placements: Vec<(Range<usize>, Vec<usize>)>,
}

impl SliceKings {
    /// A slice of which nothing is known yet.
    pub(crate) fn new(positions: u64) -> SliceKings {
        SliceKings { met: Met::default(), cells: vec![FREE_CELL; positions as usize], placements: Vec::new() }
    }

    /// Enters a placement from position `start` on.
    pub(crate) fn enter(&mut self, start: usize, placement: FinishedPlacement) {
        let range = start..start + placement.cells.len();
        self.cells[range.clone()].copy_from_slice(&placement.cells);
        let lists = placement.lists.into_iter().zip(placement.times);
        let numbers = lists.map(|(steps, times)| self.met.number(steps, times)).collect();
        self.placements.push((range, numbers));
    }

    /// What a table is written from, the same in whatever order placements were entered.
    pub(crate) fn into_table(self) -> KingsTable {
        let (lists, places) = self.met.into_lists();
        let mut table = KingsTable { lists: KingsLists::default(), cells: self.cells };
        for steps in &lists {
            table.lists.push(steps);
        }
        for (range, numbers) in self.placements {
            table.cells[range].par_iter_mut().for_each(|cell| {
                *cell = numbers.get(usize::from(*cell)).map_or(*cell, |&number| places[number]);
            });
        }
        table
    }
}

/// What a table of how king moves left matter is written from.
pub(crate) struct KingsTable {
    lists: KingsLists,
    pub(crate) cells: Vec<u16>,
}

impl Cells for KingsTable {
    fn read(&self, start: u64, cells: &mut [u16]) {
        self.cells[..].read(start, cells);
    }

    fn kings_lists(&self) -> Option<&KingsLists> {
        Some(&self.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of its own for each number: `h` rises by 1 or 2 with every ply less.
    fn steps(number: u32) -> KingsSteps {
        let rise = |left: u32| 1 + (number >> left & 1);
        KingsSteps::new(24, 30, |left| Some(30 + (left..24).map(rise).sum::<u32>())).unwrap()
    }

    #[test]
    fn what_no_cut_makes_few_enough_is_not_listed() {
        let mut met = Met::default();
        // Different in what no cut takes away: the slack, the whole run and the whole rise.
        let steps = |number: u32| {
            let (slack, run, rise) = (number % 60, 1 + number / 60 % 60, 1 + number / 3600);
            KingsSteps::new(255, 300, |left| match 255 - left {
                lower if lower <= slack => Some(300),
                lower if lower <= slack + run => Some(300 + rise),
                _ => None,
            })
            .unwrap()
        };
        for number in 0..3 * MAX_KINGS_LISTS as u32 {
            met.number(steps(number), 1);
        }
        let (kept, places) = met.into_lists();
        assert!(kept.len() <= MAX_KINGS_LISTS);
        assert!(places.iter().all(|&place| usize::from(place) < kept.len() || place == UNLISTED_STEPS));
        assert!(places.contains(&UNLISTED_STEPS));
    }

    #[test]
    fn too_many_lists_are_cut_and_the_commonest_are_whole() {
        let mut met = Met::default();
        let lists = 2 * MAX_KINGS_LISTS as u32;
        // Met in an order that has nothing to do with how often.
        let numbers: Vec<usize> =
            (0..lists).rev().map(|number| met.number(steps(number), u64::from(number) + 1)).collect();
        let (kept, places) = met.into_lists();
        assert!(kept.len() <= MAX_KINGS_LISTS);
        for (number, met) in (0..lists).rev().zip(numbers) {
            let (kept, whole) = (&kept[usize::from(places[met])], steps(number));
            let is_common = number as usize >= lists as usize - (MAX_KINGS_LISTS - NUMBERS_FOR_CUT);
            assert!(if is_common { *kept == whole } else { (0..5).any(|rises| *kept == whole.cut(rises)) });
        }
    }
}
