//! Codes by 32, as many as a word has bits.

use bolshak_rules::Squares;

use super::isa::Isa;
use crate::code::Code;

/// A code that the solver works on 32 at a time.
pub(super) trait Cell: Code {
    /// Writes `value` to every cell whose bit is set.
    fn paint<I: Isa>(isa: I, cells: &mut [Self; 32], bits: u32, value: Self);

    /// A bit for each cell that equals `value`.
    fn equal<I: Isa>(isa: I, cells: &[Self; 32], value: Self) -> u32;

    /// A bit for each cell that is not below `value`.
    fn at_least<I: Isa>(isa: I, cells: &[Self; 32], value: Self) -> u32;

    /// The cells whose bit is set, one after another, and then anything.
    fn compress<I: Isa>(isa: I, cells: &[Self; 32], bits: u32) -> [Self; 32];
}

impl Cell for u8 {
    #[inline(always)]
    fn paint<I: Isa>(isa: I, cells: &mut [u8; 32], bits: u32, value: u8) {
        isa.paint(cells, bits, value);
    }

    #[inline(always)]
    fn equal<I: Isa>(isa: I, cells: &[u8; 32], value: u8) -> u32 {
        isa.equal(cells, value)
    }

    #[inline(always)]
    fn at_least<I: Isa>(isa: I, cells: &[u8; 32], value: u8) -> u32 {
        isa.at_least(cells, value)
    }

    #[inline(always)]
    fn compress<I: Isa>(isa: I, cells: &[u8; 32], bits: u32) -> [u8; 32] {
        isa.compress(cells, bits)
    }
}

/// Words are needed by few pairs, so that what the compiler makes of loops is quick enough.
impl Cell for u16 {
    #[inline(always)]
    fn paint<I: Isa>(_: I, cells: &mut [u16; 32], bits: u32, value: u16) {
        for (bit, cell) in cells.iter_mut().enumerate() {
            *cell = if bits >> bit & 1 != 0 { value } else { *cell };
        }
    }

    #[inline(always)]
    fn equal<I: Isa>(_: I, cells: &[u16; 32], value: u16) -> u32 {
        cells.iter().enumerate().fold(0, |bits, (bit, &cell)| bits | u32::from(cell == value) << bit)
    }

    #[inline(always)]
    fn at_least<I: Isa>(_: I, cells: &[u16; 32], value: u16) -> u32 {
        cells.iter().enumerate().fold(0, |bits, (bit, &cell)| bits | u32::from(cell >= value) << bit)
    }

    #[inline(always)]
    fn compress<I: Isa>(_: I, cells: &[u16; 32], bits: u32) -> [u16; 32] {
        let mut chosen = [0; 32];
        chosen.iter_mut().zip(Squares(bits).iter()).for_each(|(slot, bit)| *slot = cells[usize::from(bit.id())]);
        chosen
    }
}
