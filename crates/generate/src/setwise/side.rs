//! One side of a pair of slices: what does not change from placement to placement.

use std::sync::Arc;

use bolshak_tables::Slice;

use super::decided::{Decided, PlacementCache};
use super::layout::Layout;
use super::placements::Placements;

/// A side to move, seen as White, and the slices that its conversions lead to.
pub(super) struct Side {
    pub(super) slice: Slice,
    pub(super) layout: Layout,
    pub(super) placements: Arc<Placements>,
    /// Whether a side to move without a move has won, as in giveaway.
    pub(super) no_move_wins: bool,
    children: Vec<Option<Arc<Decided>>>,
}

impl Side {
    pub(super) fn new<E>(
        slice: Slice,
        no_move_wins: bool,
        placements: &PlacementCache,
        mut child: impl FnMut(Slice) -> Result<Arc<Decided>, E>,
    ) -> Result<Side, E> {
        let (mover, opponent) = (slice.mover(), slice.opponent());
        let mut side = Side {
            slice,
            layout: Layout::new(mover.kings.into(), opponent.kings.into()),
            placements: placements.get(mover.men, opponent.men),
            no_move_wins,
            children: Vec::new(),
        };
        side.children.resize(2 * (usize::from(opponent.kings) + 1) * (usize::from(opponent.men) + 1), None);
        for converted in slice.children() {
            let place = side.child_place(
                converted.opponent().kings > mover.kings,
                (opponent.kings - converted.mover().kings).into(),
                (opponent.men - converted.mover().men).into(),
            );
            side.children[place] = Some(child(converted)?);
        }
        Ok(side)
    }

    fn child_place(&self, promoted: bool, kings_taken: usize, men_taken: usize) -> usize {
        let opponent = self.slice.opponent();
        (usize::from(promoted) * (usize::from(opponent.kings) + 1) + kings_taken) * (usize::from(opponent.men) + 1)
            + men_taken
    }

    /// The slice after a conversion, or `None` when nothing is left of the other side.
    #[inline(always)]
    pub(super) fn child(&self, promoted: bool, kings_taken: usize, men_taken: usize) -> Option<&Decided> {
        self.children[self.child_place(promoted, kings_taken, men_taken)].as_deref()
    }

    /// All pieces of the other side.
    pub(super) fn enemies(&self) -> usize {
        self.slice.opponent().pieces().into()
    }
}
