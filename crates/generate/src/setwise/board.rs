//! One placement of men, seen by the side to move.

use bolshak_rules::Squares;
use bolshak_tables::Placement;

use super::isa::{Isa, Lanes};
use super::layout::ROWS_OF_ONE_KING;
use super::sets::Sets;
use super::side::Side;

/// A side to move at one placement of the men.
pub(super) struct Board<'a> {
    pub(super) side: &'a Side,
    pub(super) placement: Placement,
}

/// Sixteen words of a slice that is filled up to whole vectors.
#[inline(always)]
pub(super) fn lanes<L: Lanes>(words: &[u32], chunk: usize) -> L {
    L::load(&words.as_chunks().0[chunk])
}

/// Stores sixteen words.
#[inline(always)]
pub(super) fn store<L: Lanes>(lanes: L, words: &mut [u32], chunk: usize) {
    lanes.store(&mut words.as_chunks_mut().0[chunk]);
}

impl Board<'_> {
    /// The other side's kings, where they are the same in the whole unit.
    #[inline(always)]
    pub(super) fn opponent_kings(&self, unit: usize) -> Squares {
        match self.side.layout.own_kings {
            0 | 1 => Squares::EMPTY,
            _ => Squares(self.side.layout.opponent.masks[unit]),
        }
    }

    /// Vectors in the view of a unit.
    #[inline(always)]
    pub(super) fn chunks(&self, unit: usize) -> usize {
        let layout = &self.side.layout;
        match layout.own_kings {
            1 => (layout.words - unit * ROWS_OF_ONE_KING).min(ROWS_OF_ONE_KING).div_ceil(16),
            _ => layout.view_words().div_ceil(16),
        }
    }

    /// The squares that are empty but for the one king that a view is for; none where other pieces overlap.
    #[inline(always)]
    pub(super) fn empty<I: Isa>(&self, unit: usize, chunk: usize) -> I::Lanes {
        let layout = &self.side.layout;
        let fixed = I::Lanes::splat((self.placement.men() | self.opponent_kings(unit)).0);
        let others: I::Lanes = match layout.own_kings {
            1 => lanes(&layout.opponent.padded[unit * ROWS_OF_ONE_KING..], chunk),
            kings => lanes(&Sets::of_size(kings - 1).padded, chunk),
        };
        I::Lanes::splat(!0).minus(fixed.or(others)).minus(fixed.and(others).filled_where_any())
    }

    /// The square of an enemy: kings in order of number, then men.
    #[inline(always)]
    pub(super) fn enemy<I: Isa>(&self, unit: usize, chunk: usize, enemy: usize) -> I::Lanes {
        let layout = &self.side.layout;
        if enemy >= layout.opponent_kings {
            return I::Lanes::splat(nth(self.placement.black, enemy - layout.opponent_kings).0);
        }
        let chosen = &layout.opponent.removals()[1 << enemy].chosen;
        match layout.own_kings {
            1 => lanes(&chosen[unit * ROWS_OF_ONE_KING..], chunk),
            _ => I::Lanes::splat(chosen[unit]),
        }
    }

    /// The placement without some of the enemy's men, chosen by order of number.
    #[inline(always)]
    pub(super) fn without_men(&self, chosen: u32) -> Placement {
        let taken = (0..32 - chosen.leading_zeros() as usize)
            .filter(|place| chosen >> place & 1 != 0)
            .fold(Squares::EMPTY, |taken, place| taken | nth(self.placement.black, place));
        Placement { black: self.placement.black - taken, ..self.placement }
    }
}

/// The square that is at this place in order of number.
fn nth(set: Squares, place: usize) -> Squares {
    Squares((0..place).fold(set.0, |rest, _| rest & rest.wrapping_sub(1)) & set.0)
        .first()
        .map_or(Squares::EMPTY, Squares::of)
}
