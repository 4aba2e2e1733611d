//! Parts of a pair: some placements of one level of advancement each, to be solved one after another or on many machines.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::Pair;

use crate::code::Code;
use crate::solution::Solution;
use crate::solver::{Children, SolveError, Watch};

/// Which part of a pair. As text `LEVEL:FIRST-END`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PartRange {
    /// The level of total advancement, 0 for the most advanced men.
    pub level: usize,
    /// The first of its tasks and the one after its last. A task is a placement with both sides to move; in a pair of one
    /// slice it is also the placement with colours swapped.
    pub tasks: (usize, usize),
}

impl PartRange {
    /// The tasks.
    pub(crate) fn range(&self) -> Range<usize> {
        self.tasks.0..self.tasks.1
    }
}

impl fmt::Display for PartRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.level, self.tasks.0, self.tasks.1)
    }
}

impl FromStr for PartRange {
    type Err = String;

    fn from_str(text: &str) -> Result<PartRange, String> {
        let parse = || {
            let (level, tasks) = text.split_once(':')?;
            let (first, end) = tasks.split_once('-')?;
            let part = PartRange { level: level.parse().ok()?, tasks: (first.parse().ok()?, end.parse().ok()?) };
            (part.tasks.0 < part.tasks.1 && part.to_string() == text).then_some(part)
        };
        parse().ok_or_else(|| format!("'{text}' is no part; parts are named as in 3:0-120, a level and its placements"))
    }
}

/// What has been found of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub(crate) range: PartRange,
    pub(crate) codes: PartCodes,
}

/// The codes of a part, as wide as its distances ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartCodes {
    Narrow(CodesOf<u8>),
    Wide(CodesOf<u16>),
}

/// The codes of the tasks of a part, each the positions of one side to move and then those of the other, in file order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodesOf<C> {
    /// Without draw rules.
    pub(crate) base: Vec<C>,
    /// By set of rules, the tasks that are other, by number in their level.
    pub(crate) changed: Vec<BTreeMap<usize, Vec<C>>>,
}

impl CodesOf<u8> {
    pub(crate) fn widen(&self) -> CodesOf<u16> {
        let widen = |codes: &Vec<u8>| codes.iter().map(|code| code.widen()).collect();
        CodesOf {
            base: widen(&self.base),
            changed: self
                .changed
                .iter()
                .map(|tasks| tasks.iter().map(|(&task, codes)| (task, widen(codes))).collect())
                .collect(),
        }
    }
}

/// The size of a pair, as far as its parts depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    /// Number of tasks by level.
    pub tasks: Vec<usize>,
    /// Positions of a task.
    pub positions_per_task: u64,
}

impl Levels {
    /// Positions of a part.
    pub(crate) fn positions(&self, part: &PartRange) -> u64 {
        part.range().len() as u64 * self.positions_per_task
    }

    /// Into how many parts levels are divided when none shall have more positions than these.
    pub(crate) fn counts(&self, most_positions: u64) -> impl Iterator<Item = u64> {
        let most = self.most_tasks(most_positions);
        self.tasks.iter().map(move |tasks| tasks.div_ceil(most) as u64)
    }

    fn most_tasks(&self, most_positions: u64) -> usize {
        usize::try_from(most_positions / self.positions_per_task.max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// The parts when none shall have more positions than these, unless it is a single task.
    pub fn divide(&self, most_positions: u64) -> Vec<PartRange> {
        let most = self.most_tasks(most_positions);
        let mut parts = Vec::new();
        for (level, &tasks) in self.tasks.iter().enumerate() {
            let count = tasks.div_ceil(most);
            // As even as can be.
            let start = |number: usize| number * tasks / count;
            parts.extend((0..count).map(|number| PartRange { level, tasks: (start(number), start(number + 1)) }));
        }
        parts
    }
}

/// A solver that can solve a pair part by part.
pub trait PartSolver: Sync {
    /// The levels of a pair.
    fn levels(&self, pair: Pair) -> Levels;

    /// Solves one part; `before` are all parts of the level before, in order. The same [`Children`] as for the whole pair.
    #[allow(clippy::too_many_arguments, reason = "those of `Solver::solve`, and which part")]
    fn solve_part(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
        part: &PartRange,
        before: Vec<Part>,
        watch: &dyn Watch,
    ) -> Result<Part, SolveError>;

    /// Puts the parts of a pair together: `next` gives those of each level in turn, in order.
    fn merge(
        &self,
        pair: Pair,
        sets: usize,
        next: &mut dyn FnMut(usize) -> Result<Vec<Part>, SolveError>,
    ) -> Result<Vec<Solution>, SolveError>;

    /// About the most memory in bytes that a part of so many positions takes, what is kept of children apart.
    fn part_memory_bytes(&self, pair: Pair, sets: &[Rules], positions: u64) -> u64;

    /// About the memory in bytes that a pair takes while its parts are put together.
    fn merge_memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_and_read_back() {
        let part = PartRange { level: 3, tasks: (0, 120) };
        assert_eq!(part.to_string(), "3:0-120");
        assert_eq!("3:0-120".parse(), Ok(part));
        for wrong in ["", "3", "3:0", "3:5-5", "3:6-5", "03:0-1", "3:+0-1", "3:0-120 "] {
            assert!(wrong.parse::<PartRange>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_cover_every_level() {
        let levels = Levels { tasks: vec![1, 7, 20], positions_per_task: 100 };
        for most in [1, 100, 250, 900, u64::MAX] {
            let parts = levels.divide(most);
            for (level, &tasks) in levels.tasks.iter().enumerate() {
                let of_level: Vec<usize> =
                    parts.iter().filter(|part| part.level == level).flat_map(PartRange::range).collect();
                assert_eq!(of_level, (0..tasks).collect::<Vec<_>>());
            }
            assert!(parts.iter().all(|part| part.range().len() == 1 || part.range().len() as u64 * 100 <= most));
        }
    }
}
