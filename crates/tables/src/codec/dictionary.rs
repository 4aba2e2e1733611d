//! The phrases that a table of values is made of, and their codes.

use super::CodecError;
use super::huffman::{self, MAX_CODE_BITS};

/// Cells of the longest phrase.
pub(super) const MAX_PHRASE_CELLS: usize = 1024;
/// Most phrases of a dictionary.
pub(super) const MAX_PHRASES: usize = 1 << 12;
/// Cells of all phrases together.
const MAX_CELLS: usize = 1 << 20;
/// Length of the longest dictionary.
pub(super) const MAX_DICTIONARY_BYTES: usize = 2 + 3 * MAX_PHRASES + MAX_CELLS / 4;

/// Phrases and the lengths of their codes; what a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dictionary {
    /// Cells of 0 to 3.
    pub(super) phrases: Vec<Vec<u8>>,
    /// Bits of each phrase's code.
    pub(super) code_bits: Vec<u8>,
}

impl Dictionary {
    /// The bytes of a dictionary: the number of phrases, their lengths and those of their codes, and their cells one after
    /// another, four in a byte.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.phrases.len() as u16).to_le_bytes().to_vec();
        bytes.extend(self.phrases.iter().flat_map(|phrase| (phrase.len() as u16).to_le_bytes()));
        bytes.extend(&self.code_bits);
        let cells: Vec<u8> = self.phrases.iter().flatten().copied().collect();
        bytes.extend(cells.chunks(4).map(|four| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell)));
        bytes
    }

    /// Reads a dictionary back. What it says is bounded before anything is made of it.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Dictionary, CodecError> {
        let (count, rest) = bytes.split_at_checked(2).ok_or(CodecError)?;
        let count = usize::from(u16::from_le_bytes([count[0], count[1]]));
        let (lengths, rest) = rest.split_at_checked(2 * count).ok_or(CodecError)?;
        let (code_bits, cells) = rest.split_at_checked(count).ok_or(CodecError)?;
        let lengths: Vec<usize> =
            lengths.chunks_exact(2).map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]]))).collect();
        let total: usize = lengths.iter().sum();
        let sound = (1..=MAX_PHRASES).contains(&count)
            && lengths.iter().all(|length| (1..=MAX_PHRASE_CELLS).contains(length))
            && total <= MAX_CELLS
            && cells.len() == total.div_ceil(4)
            && huffman::is_sound(code_bits);
        if !sound {
            return Err(CodecError);
        }
        let mut cells = (0..total).map(|place| cells[place / 4] >> (place % 4 * 2) & 3);
        let phrases = lengths.into_iter().map(|length| cells.by_ref().take(length).collect()).collect();
        Ok(Dictionary { phrases, code_bits: code_bits.to_vec() })
    }
}

/// A dictionary made ready for decoding.
pub(crate) struct Decoder {
    /// By the next [`MAX_CODE_BITS`] bits: the phrase, its cells and the bits of its code; all 0 where no code begins so.
    codes: Box<[Code]>,
    /// Where each phrase begins in `cells`.
    starts: Box<[u32]>,
    /// All phrases, 32 cells a word.
    cells: Box<[u64]>,
}

#[derive(Clone, Copy, Default)]
struct Code {
    phrase: u16,
    cells: u16,
    bits: u8,
}

impl Decoder {
    pub(super) fn new(dictionary: &Dictionary) -> Decoder {
        let lengths = dictionary.phrases.iter().map(|phrase| phrase.len() as u32);
        let starts: Vec<u32> = lengths
            .scan(0, |next, length| {
                let start = *next;
                *next += length;
                Some(start)
            })
            .collect();
        let all: Vec<u8> = dictionary.phrases.iter().flatten().copied().collect();
        let pack = |cells: &[u8]| cells.iter().rev().fold(0, |word, &cell| word << 2 | u64::from(cell));
        let cells: Vec<u64> = all.chunks(32).map(pack).collect();
        let mut codes = vec![Code::default(); 1 << MAX_CODE_BITS].into_boxed_slice();
        for (phrase, (code, &bits)) in
            huffman::codes(&dictionary.code_bits).into_iter().zip(&dictionary.code_bits).enumerate()
        {
            let first = usize::from(code) << (MAX_CODE_BITS - bits);
            let entry = Code { phrase: phrase as u16, cells: dictionary.phrases[phrase].len() as u16, bits };
            codes[first..first + (1 << (MAX_CODE_BITS - bits))].fill(entry);
        }
        Decoder { codes, starts: starts.into(), cells: cells.into() }
    }

    fn cell_of(&self, phrase: u16, place: usize) -> u8 {
        let at = self.starts[usize::from(phrase)] as usize + place;
        (self.cells[at / 32] >> (at % 32 * 2) & 3) as u8
    }

    /// The cell at a place of a block whose codes begin at a bit of `bytes`, the highest bit of a byte first. Phrases
    /// before the place are only counted.
    #[inline]
    pub(super) fn cell(&self, bytes: &[u8], start_bit: usize, place: usize) -> Result<u8, CodecError> {
        let mut bits = Bits::new(bytes, start_bit);
        let mut rest = place;
        loop {
            let code = self.codes[bits.peek()];
            bits.skip(code.bits)?;
            if rest < usize::from(code.cells) {
                return Ok(self.cell_of(code.phrase, rest));
            }
            rest -= usize::from(code.cells);
        }
    }

    /// All cells of such a block; what the last phrase has beyond them is dropped.
    pub(super) fn cells(&self, bytes: &[u8], start_bit: usize, cells: &mut [u16]) -> Result<(), CodecError> {
        let mut bits = Bits::new(bytes, start_bit);
        let mut rest = cells;
        while !rest.is_empty() {
            let code = self.codes[bits.peek()];
            bits.skip(code.bits)?;
            let (now, later) = rest.split_at_mut(usize::from(code.cells).min(rest.len()));
            for (place, cell) in now.iter_mut().enumerate() {
                *cell = self.cell_of(code.phrase, place).into();
            }
            rest = later;
        }
        Ok(())
    }
}

/// Bits of a page, the highest of each byte first; zeros after the last byte.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The bits from `at` on, at the top, and how many of them are loaded.
    loaded: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    #[inline]
    fn new(bytes: &'a [u8], at: usize) -> Bits<'a> {
        Bits { bytes, at, loaded: 0, count: 0 }
    }

    #[inline]
    fn peek(&mut self) -> usize {
        if self.count < u32::from(MAX_CODE_BITS) {
            let byte = self.at / 8;
            let word = match self.bytes.get(byte..byte + 8).and_then(|bytes| bytes.first_chunk()) {
                Some(eight) => u64::from_be_bytes(*eight),
                None => {
                    let mut eight = [0; 8];
                    let left = self.bytes.get(byte..).unwrap_or(&[]);
                    eight[..left.len()].copy_from_slice(left);
                    u64::from_be_bytes(eight)
                }
            };
            self.loaded = word << (self.at % 8);
            self.count = 64 - (self.at % 8) as u32;
        }
        (self.loaded >> (64 - MAX_CODE_BITS)) as usize
    }

    /// Steps over a code. Fails where no code begins with these bits or the bytes are at an end.
    #[inline]
    fn skip(&mut self, bits: u8) -> Result<(), CodecError> {
        self.at += usize::from(bits);
        self.loaded <<= bits;
        self.count -= u32::from(bits);
        if bits == 0 || self.at > 8 * self.bytes.len() { Err(CodecError) } else { Ok(()) }
    }
}

/// Writes bits, the highest of each byte first.
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    bits: usize,
}

impl BitWriter {
    pub(super) fn put(&mut self, code: u16, bits: u8) {
        for bit in (0..bits).rev() {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(byte) = self.bytes.last_mut() {
                *byte |= ((code >> bit & 1) as u8) << (7 - self.bits % 8);
            }
            self.bits += 1;
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.bits
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
