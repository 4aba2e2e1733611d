//! What every solver takes and gives, so that two can be compared value by value.

use bolshak_rules::Rules;
use bolshak_tables::{Forced, LookUpError, Pair, Slice};

/// Values of the slices that conversions lead to, under the rules being solved.
pub trait Children: Sync {
    /// Fills `values` with what is forced in the fresh positions of a slice from number `start` on, in file order.
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError>;
}

/// Takes what a solver finds.
pub trait Sink {
    /// The next values of a slice, in file order. The slices of a pair may take turns.
    fn put(&mut self, slice: Slice, values: &[Forced]) -> Result<(), SolveError>;
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
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Finds what is forced in every fresh position of a pair of slices.
pub trait Solver: Sync {
    /// Solves a pair under the rules and puts the values of both slices in file order.
    fn solve(&self, pair: Pair, rules: &Rules, children: &dyn Children, sink: &mut dyn Sink) -> Result<(), SolveError>;

    /// About the most memory in bytes that solving a pair takes.
    fn memory_bytes(&self, pair: Pair, rules: &Rules) -> u64;

    /// About the memory in bytes that is kept of a pair once it is solved, for the pairs that convert into it.
    fn kept_bytes(&self, _pair: Pair, _rules: &Rules) -> u64 {
        0
    }
}
