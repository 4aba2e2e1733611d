//! Cells with gaps as bit planes, so that 32 or 64 of them are compared at once.

use super::dictionary::MAX_PHRASE_CELLS;
use crate::write::FREE_CELL;

/// 64 cells: the low bits, the high bits, and which cells are known.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) known: u64,
}

/// Cells of 0 to 3, some of them free; those after the last are free.
#[derive(Default)]
pub(super) struct Planes {
    len: usize,
    words: Vec<Word>,
}

impl Planes {
    /// Takes other cells.
    pub(super) fn set(&mut self, cells: &[u16]) {
        self.len = cells.len();
        self.words.clear();
        self.words.extend(cells.chunks(64).map(|cells| {
            let mut word = Word::default();
            for (bit, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != FREE_CELL) {
                word.low |= u64::from(cell & 1) << bit;
                word.high |= u64::from(cell >> 1) << bit;
                word.known |= 1 << bit;
            }
            word
        }));
        // Windows and phrases may reach beyond the last cell.
        self.words.resize(self.words.len() + MAX_PHRASE_CELLS / 64 + 2, Word::default());
    }

    /// Number of cells.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The 64 cells from a place on.
    #[inline]
    pub(super) fn window(&self, at: usize) -> Word {
        let (word, shift) = (at / 64, at % 64);
        let (here, next) = (self.words[word], self.words[word + 1]);
        let join = |here: u64, next: u64| here >> shift | next << 1 << (63 - shift);
        Word { low: join(here.low, next.low), high: join(here.high, next.high), known: join(here.known, next.known) }
    }
}
