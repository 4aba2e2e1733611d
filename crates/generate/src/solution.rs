//! What a solver has found of a slice, under several sets of rules, readable anywhere in the order of table files.

use std::ops::Range;
use std::sync::Arc;

use bolshak_tables::{Count, Forced, Outcome, Slice};
use rayon::prelude::*;

use crate::code::{Code, Found};

/// The values of a slice without draw rules and what each set of rules makes of them.
pub struct Solution {
    slice: Slice,
    /// In file order, without gaps.
    runs: Vec<Run>,
    positions: u64,
}

/// Positions that follow each other.
struct Run {
    start: u64,
    base: Codes,
    /// By rule set; `None` where the set changes nothing in the run.
    changed: Vec<Option<Arc<Codes>>>,
}

/// Codes of as many bytes as their distances need.
#[derive(PartialEq, Eq)]
pub(crate) enum Codes {
    /// One byte each.
    Narrow(Vec<u8>),
    /// Two bytes each.
    Wide(Vec<u16>),
}

impl Codes {
    fn of(values: &[Found]) -> Codes {
        let code = |found: &Found| {
            let code = u16::of(found.forced);
            if found.can_capture { code.with_capture() } else { code }
        };
        Codes::Wide(values.iter().map(code).collect())
    }

    fn len(&self) -> usize {
        match self {
            Codes::Narrow(codes) => codes.len(),
            Codes::Wide(codes) => codes.len(),
        }
    }

    fn found(&self, place: usize) -> Found {
        match self {
            Codes::Narrow(codes) => codes[place].found(),
            Codes::Wide(codes) => codes[place].found(),
        }
    }
}

impl From<Vec<u8>> for Codes {
    fn from(codes: Vec<u8>) -> Codes {
        Codes::Narrow(codes)
    }
}

impl From<Vec<u16>> for Codes {
    fn from(codes: Vec<u16>) -> Codes {
        Codes::Wide(codes)
    }
}

impl Solution {
    /// A slice of which nothing is known yet.
    pub(crate) fn new(slice: Slice) -> Solution {
        Solution { slice, runs: Vec::new(), positions: 0 }
    }

    /// Adds the positions that follow: without draw rules, and for each set of rules what it changes.
    pub(crate) fn push(&mut self, base: Codes, changed: Vec<Option<Arc<Codes>>>) {
        let start = self.positions;
        self.positions += base.len() as u64;
        self.runs.push(Run { start, base, changed });
    }

    /// The slice.
    pub fn slice(&self) -> Slice {
        self.slice
    }

    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Fills `cells` with what `map` makes of what is found without draw rules, and of what is forced under the rules of
    /// this number, from position `start` on. Number 0 is the game without draw rules.
    ///
    /// # Panics
    ///
    /// When there are fewer positions.
    pub fn map<T: Copy>(&self, rules: usize, start: u64, cells: &mut [T], map: impl Fn(Found, Forced) -> T) {
        for part in self.parts(rules, start, cells.len() as u64) {
            let cells = &mut cells[(part.start - start) as usize..][..part.range.len()];
            match part.narrow() {
                Some((base, changed)) => {
                    let unchanged = byte_table(|found| map(found, found.forced));
                    for (cell, (&base, &changed)) in cells.iter_mut().zip(base.iter().zip(changed)) {
                        *cell = match base == changed {
                            true => unchanged[usize::from(base)],
                            false => map(base.found(), changed.found().forced),
                        };
                    }
                }
                None => {
                    for (cell, place) in cells.iter_mut().zip(part.range.clone()) {
                        let (base, forced) = part.found(place);
                        *cell = map(base, forced);
                    }
                }
            }
        }
    }

    /// Counts the positions under the rules of this number.
    pub fn count(&self, rules: usize) -> Count {
        let parts: Vec<_> = (0..self.positions)
            .step_by(PART as usize)
            .flat_map(|start| self.parts(rules, start, PART.min(self.positions - start)))
            .collect();
        parts.par_iter().map(Part::count).reduce(Count::default, |one, other| one.and(&other))
    }

    fn parts(&self, rules: usize, start: u64, count: u64) -> impl Iterator<Item = Part<'_>> {
        let end = start + count;
        assert!(end <= self.positions, "{} has {} positions", self.slice, self.positions);
        let first = self.runs.partition_point(|run| run.start <= start).saturating_sub(1);
        self.runs[first..].iter().take_while(move |run| run.start < end).map(move |run| {
            let from = start.saturating_sub(run.start) as usize;
            let range = from..run.base.len().min((end - run.start) as usize);
            let changed = rules.checked_sub(1).and_then(|set| run.changed[set].as_deref());
            Part { start: run.start + from as u64, base: &run.base, changed, range }
        })
    }

    /// The same with these of its sets of rules, by number; 0 is one that changes nothing.
    pub(crate) fn with_sets(mut self, sets: &[usize]) -> Solution {
        for run in &mut self.runs {
            run.changed = sets.iter().map(|&set| run.changed.get(set.checked_sub(1)?)?.clone()).collect();
        }
        self
    }

    /// Enters what is found under the rules of this number.
    pub(crate) fn set_values(&mut self, rules: usize, values: &[Found]) {
        for run in &mut self.runs {
            let values = &values[run.start as usize..][..run.base.len()];
            let differs = values.iter().enumerate().any(|(place, found)| run.base.found(place) != *found);
            if let Some(changed) = rules.checked_sub(1).and_then(|set| run.changed.get_mut(set)) {
                *changed = differs.then(|| Arc::new(Codes::of(values)));
            }
        }
    }

    /// What is found in all positions, without draw rules and under each set of rules, in file order.
    pub(crate) fn of_values(slice: Slice, base: &[Found], sets: &[Vec<Found>]) -> Solution {
        let mut solution = Solution::new(slice);
        solution.push(Codes::of(base), vec![None; sets.len()]);
        for (number, values) in (1..).zip(sets) {
            solution.set_values(number, values);
        }
        solution
    }

    /// What is forced in all positions under the rules of this number, 0 being those without draw rules.
    pub fn values(&self, rules: usize) -> Vec<Forced> {
        let mut values = vec![Forced::NOTHING; self.positions as usize];
        self.map(rules, 0, &mut values, |_, forced| forced);
        values
    }
}

/// Positions that one thread counts at a time.
const PART: u64 = 1 << 20;

/// A count that has just been written is not read again for so many positions.
const PLACES_IN_TURN: usize = 4;

/// Some positions of a run.
struct Part<'a> {
    /// The number of the first in its slice.
    start: u64,
    base: &'a Codes,
    changed: Option<&'a Codes>,
    /// Where they are in the run.
    range: Range<usize>,
}

impl Part<'_> {
    /// The bytes without draw rules and under the rules, if both are bytes.
    fn narrow(&self) -> Option<(&[u8], &[u8])> {
        match (self.base, self.changed.unwrap_or(self.base)) {
            (Codes::Narrow(base), Codes::Narrow(changed)) => {
                Some((&base[self.range.clone()], &changed[self.range.clone()]))
            }
            _ => None,
        }
    }

    /// What is found at a place of the run, and what is forced there under the rules.
    fn found(&self, place: usize) -> (Found, Forced) {
        let base = self.base.found(place);
        (base, self.changed.map_or(base.forced, |changed| changed.found(place).forced))
    }

    fn count(&self) -> Count {
        let mut count = Count::default();
        let Some((base, changed)) = self.narrow() else {
            for (place, number) in self.range.clone().zip(self.start..) {
                let (base, forced) = self.found(place);
                count.add(Outcome::new(base.forced, forced), 1, || number);
            }
            return count;
        };
        // Few codes are different, and few are changed: it is the first place of each that costs, and counting one code
        // again and again in the same place.
        let both = || base.iter().zip(changed);
        let mut times = [[0_u64; 256]; PLACES_IN_TURN];
        for (place, (&base, &changed)) in both().enumerate() {
            if base == changed {
                times[place % PLACES_IN_TURN][usize::from(base)] += 1;
            } else {
                let outcome = Outcome::new(base.found().forced, changed.found().forced);
                count.add(outcome, 1, || self.start + place as u64);
            }
        }
        let times: [u64; 256] = std::array::from_fn(|code| times.iter().map(|times| times[code]).sum());
        for (code, &times) in (0..=u8::MAX).zip(&times).filter(|(_, times)| **times > 0) {
            let forced = code.found().forced;
            let first = || both().position(|pair| pair == (&code, &code)).map_or(0, |place| place as u64);
            count.add(Outcome::new(forced, forced), times, || self.start + first());
        }
        count
    }
}

fn byte_table<T: Copy>(map: impl Fn(Found) -> T) -> [T; 256] {
    std::array::from_fn(|code| map((code as u8).found()))
}
