//! One side of a pair of slices: what does not change from placement to placement.

use std::sync::Arc;

use bolshak_tables::{Slice, SliceIndex};

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
    pub(super) positions_per_placement: usize,
    children: Vec<Option<Arc<Decided>>>,
}

impl Side {
    /// A side that looks at what its conversions into some slices are worth.
    pub(super) fn new<E>(
        slice: Slice,
        no_move_wins: bool,
        placements: &PlacementCache,
        children: impl IntoIterator<Item = Slice>,
        mut child: impl FnMut(Slice) -> Result<Arc<Decided>, E>,
    ) -> Result<Side, E> {
        let mut side = Side::without_children(slice, no_move_wins, placements);
        for converted in children {
            let place = side.child_place(
                converted.opponent().kings > slice.mover().kings,
                (slice.opponent().kings - converted.mover().kings).into(),
                (slice.opponent().men - converted.mover().men).into(),
            );
            side.children[place] = Some(child(converted)?);
        }
        Ok(side)
    }

    /// A side that does not look at what its conversions are worth.
    pub(super) fn without_children(slice: Slice, no_move_wins: bool, placements: &PlacementCache) -> Side {
        let (mover, opponent) = (slice.mover(), slice.opponent());
        Side {
            slice,
            layout: Layout::new(mover.kings.into(), opponent.kings.into()),
            placements: placements.get(mover.men, opponent.men),
            no_move_wins,
            positions_per_placement: SliceIndex::new(slice).positions_per_placement() as usize,
            children: vec![None; 2 * (usize::from(opponent.kings) + 1) * (usize::from(opponent.men) + 1)],
        }
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

    /// Whether the slices after conversions are the same ones, under whatever rules.
    pub(super) fn same_children(&self, other: &Side) -> bool {
        let same = |one: &Option<Arc<Decided>>, other: &Option<Arc<Decided>>| match (one, other) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.children.iter().zip(&other.children).all(|(one, other)| same(one, other))
    }

    /// All pieces of the other side.
    pub(super) fn enemies(&self) -> usize {
        self.slice.opponent().pieces().into()
    }
}
