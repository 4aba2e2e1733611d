//! The set-wise solver: whole sets of positions at a time, as words of 32 squares in which a king's slide is a few
//! rotations.
//!
//! The men's placements are the outer loop, the most advanced first: quiet man moves then lead to placements that are
//! done, conversions to slices that are done, and only king moves stay within a placement, where all positions fit the
//! nearest cache. There, `layers` finds wins and losses by distance, after `king_captures` and `man_captures` have
//! settled the positions in which one must capture. Each side is looked at as White (see `layout`), and the board is
//! turned only where one side hands its results to the other.

mod board;
mod cells;
mod counted;
mod decided;
mod isa;
mod king_captures;
mod layers;
mod layout;
mod limits;
mod load;
mod man_captures;
mod pair;
mod placements;
mod sets;
mod side;
mod slide;
mod solver;
mod views;

use std::sync::Arc;

use bolshak_tables::{Forced, Pair, Slice};

pub use decided::{Decided, PlacementCache};
pub use limits::Limits;
pub use pair::SolvedSlice;
pub use solver::SetwiseSolver;

use crate::code::Code;
use crate::kings::SliceKings;
use crate::part::{Part, PartRange};
use crate::solver::{SolveError, Watch};

/// The instruction sets the solver is compiled for. What it finds does not depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionSet {
    /// Whatever the compiler was told to build for.
    Portable,
    /// AVX2 with BMI2.
    Avx2,
    /// AVX-512 with BW, VL, VBMI and GFNI.
    Avx512,
}

impl InstructionSet {
    /// All of them, the widest first.
    pub const ALL: [InstructionSet; 3] = [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable];

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => isa::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => isa::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The widest that this processor has.
    pub fn widest() -> InstructionSet {
        InstructionSet::ALL.into_iter().find(|set| set.is_available()).unwrap_or(InstructionSet::Portable)
    }
}

/// Runs `$work` with the instruction set, or with [`isa::Portable`] where the processor does not have it.
macro_rules! with_isa {
    ($instructions:expr, |$isa:ident| $work:expr) => {{
        #[cfg(target_arch = "x86_64")]
        match $instructions {
            InstructionSet::Avx512 => {
                if let Some($isa) = isa::Avx512::detect() {
                    return $work;
                }
            }
            InstructionSet::Avx2 => {
                if let Some($isa) = isa::Avx2::detect() {
                    return $work;
                }
            }
            InstructionSet::Portable => {}
        }
        let $isa = isa::Portable;
        $work
    }};
}

/// Solves a pair in several cases, the first of them without limits. `child` gives the slices that its conversions lead
/// to, by case.
///
/// An instruction set that the processor does not have is replaced by [`InstructionSet::Portable`].
pub fn solve_pair(
    instructions: InstructionSet,
    pair: Pair,
    cases: &[Limits],
    placements: &PlacementCache,
    child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
    watch: &dyn Watch,
) -> Result<Vec<SolvedSlice>, SolveError> {
    with_isa!(instructions, |isa| pair::solve_pair(isa, pair, cases, placements, child, u8::MAX_PLIES, watch))
}

/// Finds how king moves left matter in the slices of a pair under the last of these limits.
fn solve_kings(
    instructions: InstructionSet,
    pair: Pair,
    cases: &[Limits],
    placements: &PlacementCache,
    child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
    watch: &dyn Watch,
) -> Result<Vec<SliceKings>, SolveError> {
    with_isa!(instructions, |isa| pair::solve_kings(isa, pair, cases, placements, child, u8::MAX_PLIES, watch))
}

/// Solves a part of a pair; `case_of_set` tells for each set of rules which case it is, and `before` are the parts of the
/// level before.
#[allow(clippy::too_many_arguments, reason = "those of `solve_pair`, and which part")]
fn solve_part(
    instructions: InstructionSet,
    pair: Pair,
    cases: &[Limits],
    case_of_set: &[usize],
    placements: &PlacementCache,
    child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
    part: &PartRange,
    before: Vec<Part>,
    watch: &dyn Watch,
) -> Result<Part, SolveError> {
    with_isa!(instructions, |isa| {
        let problem = pair::Problem::new(isa, pair, cases, placements, child, u8::MAX_PLIES, watch)?;
        pair::solve_part(&problem, case_of_set, part, before)
    })
}

/// Reads who wins in a finished slice. `child` gives the slices that its captures lead to, and `read` fills in what is
/// forced from a number on, in file order, where the side to move cannot capture.
fn load(
    instructions: InstructionSet,
    slice: Slice,
    no_move_wins: bool,
    placements: &PlacementCache,
    child: impl FnMut(Slice) -> Result<Arc<Decided>, SolveError>,
    read: impl Fn(u64, &mut [Forced]) -> Result<(), SolveError> + Sync,
) -> Result<Decided, SolveError> {
    with_isa!(instructions, |isa| load::load(isa, slice, no_move_wins, placements, child, read))
}

#[cfg(test)]
mod tests;
