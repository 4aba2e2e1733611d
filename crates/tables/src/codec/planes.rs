//! Cells with gaps as bit planes, so that 64 of them are compared at once, and as keys, by which a few are looked up.

use crate::write::FREE_CELL;

/// Cells of a key.
pub(super) const KEY_CELLS: usize = 4;
/// Number of keys.
pub(super) const KEYS: usize = 1 << (2 * KEY_CELLS);
/// A free cell in two bits.
const FREE: u8 = 3;
const _: () = assert!(FREE_CELL as u8 & 3 == FREE);

/// The cell at a place of a key, unless it is free.
pub(super) fn cell_of_key(key: usize, place: usize) -> Option<u8> {
    let cell = (key >> (2 * place)) as u8 & 3;
    (cell != FREE).then_some(cell)
}

/// 64 cells: the low bits, the high bits, and which cells are known.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) known: u64,
}

/// Cells of 0 to 2, some of them free; those after the last are free.
#[derive(Default)]
pub(super) struct Planes {
    len: usize,
    words: Vec<Word>,
    /// The cells in two bits each.
    cells: Vec<u8>,
    /// For each cell, itself and those after it.
    keys: Vec<u8>,
}

impl Planes {
    /// Takes other cells.
    pub(super) fn set(&mut self, cells: &[u16]) {
        self.len = cells.len();
        self.cells.clear();
        self.cells.extend(cells.iter().map(|&cell| cell as u8 & 3));
        // Windows and keys may reach beyond the last cell.
        self.cells.resize(self.len.next_multiple_of(64) + 64, FREE);
        self.keys.clear();
        self.keys
            .extend(self.cells.windows(KEY_CELLS).map(|four| four[0] | four[1] << 2 | four[2] << 4 | four[3] << 6));
        self.words.clear();
        self.words.extend(self.cells.as_chunks::<64>().0.iter().map(|cells| {
            let (low, high) = (bits(cells, 0), bits(cells, 1));
            Word { low, high, known: !(low & high) }
        }));
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

    /// The [`KEY_CELLS`] cells from a place on.
    #[inline]
    pub(super) fn key(&self, at: usize) -> usize {
        self.keys[at].into()
    }
}

/// One bit of each of 64 cells.
fn bits(cells: &[u8; 64], bit: u32) -> u64 {
    cells.as_chunks::<8>().0.iter().rev().fold(0, |bits, eight| {
        let eight = u64::from_le_bytes(*eight) >> bit & 0x0101_0101_0101_0101;
        // Bit 8i goes to bit 56 + i; no two meet below it.
        bits << 8 | eight.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}
