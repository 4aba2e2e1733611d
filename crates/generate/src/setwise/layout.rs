//! How the positions of one men placement lie in words, seen from one side.
//!
//! The *reader* is the side whose fibres are rows: a row holds, for one set of the other side's kings, a bit for each set
//! of the reader's own. Both what the reader has when it is to move and what it reads of the other side after its own
//! quiet king moves lie in this way, so that a king moves within its row.
//! A reader without kings has one row, with a bit for each set of the other side's kings.
//!
//! All sets of 32 squares have their place, those that overlap men or each other included; such cells mean nothing.

use super::sets::{Sets, count};
use super::views::Views;

/// The layout for a reader with some number of kings against some number of the other side's.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) own_kings: usize,
    pub(super) opponent_kings: usize,
    /// Sets of the reader's own kings.
    pub(super) own: &'static Sets,
    /// Sets of the other side's kings.
    pub(super) opponent: &'static Sets,
    /// Words of a row.
    pub(super) row_words: usize,
    /// Words of a placement.
    pub(super) words: usize,
}

/// The rows that are worked on together: as many as fill two vectors where a row is one word, else one.
pub(super) const ROWS_OF_ONE_KING: usize = 32;

impl Layout {
    pub(super) fn new(own_kings: usize, opponent_kings: usize) -> Layout {
        let (own, opponent) = (Sets::of_size(own_kings), Sets::of_size(opponent_kings));
        let (rows, bits) = match own_kings {
            0 => (1, count(opponent_kings)),
            _ => (count(opponent_kings), count(own_kings)),
        };
        let row_words = bits.div_ceil(32);
        Layout { own_kings, opponent_kings, own, opponent, row_words, words: rows * row_words }
    }

    /// Cells of a placement: one for each bit of its words.
    pub(super) const fn cells(&self) -> usize {
        32 * self.words
    }

    /// Words that are worked on together.
    pub(super) const fn unit_words(&self) -> usize {
        match (self.own_kings, self.opponent_kings) {
            (1, 1..) => ROWS_OF_ONE_KING,
            _ => self.row_words,
        }
    }

    /// Units of a placement, the last perhaps not full.
    pub(super) const fn units(&self) -> usize {
        self.words.div_ceil(self.unit_words())
    }

    /// Words of a placement filled up to whole units.
    pub(super) const fn padded_words(&self) -> usize {
        self.units() * self.unit_words()
    }

    /// Words in the view of a unit: a word of squares for each position of all kings but one of the reader's.
    pub(super) fn view_words(&self) -> usize {
        match self.own_kings {
            0 => 0,
            1 => self.unit_words(),
            kings => count(kings - 1),
        }
    }

    /// How rows become views, where they are not views already.
    pub(super) fn views(&self) -> Option<&'static Views> {
        (self.own_kings >= 2).then(|| Views::of_size(self.own_kings))
    }

    /// Where the bit of a position is: the number of its word and of the bit in it.
    #[inline(always)]
    pub(super) const fn place(&self, own_rank: usize, opponent_rank: usize) -> (usize, usize) {
        if self.own_kings == 0 {
            (opponent_rank / 32, opponent_rank % 32)
        } else {
            (opponent_rank * self.row_words + own_rank / 32, own_rank % 32)
        }
    }
}
