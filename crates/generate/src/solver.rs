//! What every solver takes and gives, so that two can be compared value by value.

use std::path::PathBuf;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Forced, LookUpError, Pair, Slice};

use crate::part::{PartRange, PartSolver};
use crate::setwise::SetwiseSolver;
use crate::solution::Solution;

/// Values of the slices that conversions lead to.
pub trait Children: Sync {
    /// Fills `values` with what is forced under these rules in the fresh positions of a slice from number `start` on, in
    /// file order.
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError>;

    /// The same where the side to move cannot capture; elsewhere anything. Quicker where captures have to be looked up.
    fn read_quiet(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        self.read(slice, rules, start, values)
    }

    /// Whether it is known that these rules change no win and no loss of a slice into a draw.
    fn same_winners(&self, slice: Slice, rules: &Rules) -> Result<bool, LookUpError>;
}

/// Watches a solver at work.
pub trait Watch: Sync {
    /// So many more positions have been solved.
    fn advanced(&self, positions: u64);

    /// Whether somebody asks to stop.
    fn stopped(&self) -> bool;
}

/// Looks away.
impl Watch for () {
    fn advanced(&self, _: u64) {}

    fn stopped(&self) -> bool {
        false
    }
}

/// Why a pair was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A child could not be read.
    #[error(transparent)]
    Child(#[from] LookUpError),
    /// The values could not be written.
    #[error(transparent)]
    Table(#[from] bolshak_tables::TableError),
    /// A distance cannot be told.
    #[error("a distance is longer than {} plies", Forced::MAX_PLIES)]
    TooLong,
    /// A part is missing, or is not of the pair, the rules or the level that is solved.
    #[error("part {0} is missing or does not fit")]
    Part(PartRange),
    /// Parts could not be read or written.
    #[error("{}: {error}", .path.display())]
    PartFile {
        /// The file or its directory.
        path: PathBuf,
        /// What is wrong.
        error: std::io::Error,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Finds what is forced in every fresh position of a pair of slices.
pub trait Solver: Sync {
    /// Solves a pair without draw rules and under several sets of rules of the same variant. In the solutions the sets have
    /// the numbers 1, 2, ... in the order given.
    fn solve(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
        watch: &dyn Watch,
    ) -> Result<Vec<Solution>, SolveError>;

    /// About the most memory in bytes that solving a pair takes, what it gives out included.
    fn memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64;

    /// About the most memory in bytes that finding how king moves left matter in a pair takes.
    fn kings_memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        self.memory_bytes(pair, sets)
    }

    /// About the memory in bytes that is kept of a pair once it is solved, for the pairs that convert into it.
    fn kept_bytes(&self, _pair: Pair, _sets: &[Rules]) -> u64 {
        0
    }

    /// The same solver for pairs in parts, if it is one.
    fn by_parts(&self) -> Option<&dyn PartSolver> {
        None
    }

    /// The same solver, if it finds how king moves left matter.
    fn for_kings(&self) -> Option<&SetwiseSolver> {
        None
    }

    /// Forgets what is kept of slices that are not needed any more.
    fn retain(&self, _needed: &dyn Fn(Slice) -> bool) {}
}
