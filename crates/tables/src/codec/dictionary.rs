//! The phrases that a table of values is made of, and their codes.

use super::huffman::{self, MAX_CODE_BITS};
use super::{CodecError, PHRASE_TERMINALS};
use crate::layout::PageSize;

/// Cells of the longest phrase.
pub(super) const MAX_PHRASE_CELLS: usize = 1 << 12;
/// Most phrases of a dictionary.
pub(super) const MAX_PHRASES: usize = 1 << 12;
/// Cells of all phrases together.
const MAX_CELLS: usize = 1 << 20;
/// Length of the longest dictionary.
pub(super) const MAX_DICTIONARY_BYTES: usize = 2 + 3 * MAX_PHRASES + MAX_CELLS / 4;

/// Codes are in chunks of this length, none of them in two.
pub(super) const CHUNK_BYTES: usize = 32;
pub(super) const CHUNK_BITS: usize = 8 * CHUNK_BYTES;

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
        let cells = || (0..total).map(|place| cells[place / 4] >> (place % 4 * 2) & 3);
        if cells().any(|cell| cell >= PHRASE_TERMINALS) {
            return Err(CodecError);
        }
        let mut cells = cells();
        let phrases = lengths.into_iter().map(|length| cells.by_ref().take(length).collect()).collect();
        Ok(Dictionary { phrases, code_bits: code_bits.to_vec() })
    }
}

/// A dictionary made ready for decoding.
pub(crate) struct Decoder {
    /// By the next [`MAX_CODE_BITS`] bits: the code that they begin with; all 0 where none does.
    codes: Box<[Code; WINDOWS]>,
    /// By the same bits: all codes that are whole in them.
    strides: Box<[Stride; WINDOWS]>,
    /// Where each phrase begins in `cells`.
    starts: Box<[u32]>,
    /// All phrases, 32 cells a word.
    cells: Box<[u64]>,
}

/// A code and its phrase.
#[derive(Clone, Copy, Default)]
pub(super) struct Code {
    phrase: u16,
    cells: u16,
    bits: u8,
}

impl Code {
    /// How many cells its phrase has.
    pub(super) fn cells(self) -> usize {
        self.cells.into()
    }
}

/// Codes one after another: how many cells their phrases have, and in the lowest byte how many bits they have. Half as long
/// as two numbers, so that all strides stay in the nearest memory.
#[derive(Clone, Copy)]
struct Stride(u32);

impl Stride {
    /// Where no code begins. No place is beyond it.
    const NONE: Stride = Stride(u32::MAX);

    #[inline]
    fn cells(self) -> usize {
        (self.0 >> 8) as usize
    }

    #[inline]
    fn bits(self) -> usize {
        (self.0 & 0xff) as usize
    }
}

/// So many strides are taken between two looks at memory: they have fewer bits than one look brings.
const STRIDES: usize = 4;
/// What [`MAX_CODE_BITS`] bits may be.
const WINDOWS: usize = 1 << MAX_CODE_BITS;
/// So many chunks are counted side by side.
pub(super) const TOGETHER: usize = 4;
const _: () = assert!(STRIDES * MAX_CODE_BITS as usize + 7 < 64);
/// What a place is below.
const _: () = assert!(PageSize::MOST.cells() < u32::MAX as usize >> 8);

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
        let mut codes = Box::new([Code::default(); WINDOWS]);
        for (phrase, (code, &bits)) in
            huffman::codes(&dictionary.code_bits).into_iter().zip(&dictionary.code_bits).enumerate()
        {
            let first = usize::from(code) << (MAX_CODE_BITS - bits);
            let entry = Code { phrase: phrase as u16, cells: dictionary.phrases[phrase].len() as u16, bits };
            codes[first..first + (1 << (MAX_CODE_BITS - bits))].fill(entry);
        }
        let strides = Box::new(std::array::from_fn(|bits| stride(&codes, bits)));
        Decoder { codes, strides, starts: starts.into(), cells: cells.into() }
    }

    /// A cell of a phrase.
    pub(super) fn phrase_cell(&self, code: Code, place: usize) -> u8 {
        let at = self.starts[usize::from(code.phrase)] as usize + place;
        (self.cells[at / 32] >> (at % 32 * 2) & 3) as u8
    }

    /// The cell at a place of the chunk that `bytes` begin with. Phrases before it are only counted, as many at a time as
    /// have their codes in a few bits.
    #[inline]
    pub(super) fn cell(&self, bytes: &[u8], place: usize) -> Result<u8, CodecError> {
        let (mut rest, mut at) = (place, 0);
        while at < CHUNK_BITS {
            let mut bits = bits_from(bytes, at);
            for _ in 0..STRIDES {
                let stride = self.strides[first_bits(bits)];
                if rest < stride.cells() {
                    return self.codes(bytes).starting_at(at).cell(rest);
                }
                rest -= stride.cells();
                bits <<= stride.bits();
                at += stride.bits();
            }
        }
        Err(CodecError)
    }

    /// For each of some chunks, with which `bytes` begin: how many bits its codes have until their phrases have so many
    /// cells, and how many more cells they have then. The chunks are gone through together, since each number that is
    /// looked up in one has to wait for the one before.
    pub(super) fn bits_of(
        &self,
        bytes: [&[u8]; TOGETHER],
        cells: [usize; TOGETHER],
    ) -> Result<[(usize, usize); TOGETHER], CodecError> {
        let (mut rest, mut at) = (cells, [0; TOGETHER]);
        let mut looked_at = 0;
        let mut goes_on = true;
        while goes_on && looked_at < CHUNK_BITS {
            looked_at += STRIDES;
            goes_on = false;
            for (bytes, (rest, at)) in bytes.iter().zip(rest.iter_mut().zip(&mut at)) {
                let mut bits = bits_from(bytes, *at);
                let mut sum = 0;
                for _ in 0..STRIDES {
                    let Stride(stride) = self.strides[first_bits(bits)];
                    sum += u64::from(stride);
                    bits = bits.wrapping_shl(stride);
                }
                let (cells, taken) = ((sum >> 8) as usize, (sum & 0xff) as usize);
                let fits = cells <= *rest;
                *rest -= if fits { cells } else { 0 };
                *at += if fits { taken } else { 0 };
                goes_on |= fits;
            }
        }
        let mut found = [(0, 0); TOGETHER];
        for (chunk, found) in found.iter_mut().enumerate() {
            let (mut codes, mut rest) = (self.codes(bytes[chunk]).starting_at(at[chunk]), rest[chunk]);
            let mut more = 0;
            while rest > 0 {
                let cells = codes.next_code()?.cells();
                more = cells.saturating_sub(rest);
                rest = rest.saturating_sub(cells);
            }
            *found = (codes.at, more);
        }
        Ok(found)
    }

    /// Whether a chunk, with which `bytes` begin, can have so many bits of codes: what is left is 0, and too short for the
    /// first code of the next chunk, or less than a byte where there is none.
    pub(super) fn ends_with(&self, bytes: &[u8], bits: usize) -> bool {
        let end = self.codes(bytes).end;
        let next = self.codes[first_bits(bits_from(bytes, CHUNK_BITS))].bits;
        let too_short = if bytes.len() > CHUNK_BYTES { next } else { u8::BITS as u8 };
        let left = end.checked_sub(bits).filter(|&left| left < too_short.into());
        left.is_some_and(|left| left == 0 || bits_from(bytes, bits) >> (64 - left) == 0)
    }

    /// The codes of the chunk that `bytes` begin with.
    #[inline]
    pub(super) fn codes<'a>(&'a self, bytes: &'a [u8]) -> Codes<'a> {
        Codes { decoder: self, bytes, end: (8 * bytes.len()).min(CHUNK_BITS), at: 0 }
    }
}

/// The codes that are whole in these bits.
fn stride(codes: &[Code; WINDOWS], bits: usize) -> Stride {
    let (mut at, mut cells) = (0, 0);
    loop {
        let code = codes[bits << at & (WINDOWS - 1)];
        if code.bits == 0 || at + code.bits > MAX_CODE_BITS {
            break;
        }
        at += code.bits;
        cells += u32::from(code.cells);
    }
    if at == 0 { Stride::NONE } else { Stride(cells << 8 | u32::from(at)) }
}

/// Reads the codes of a chunk one by one: a code, or an error where no code begins or the chunk is at an end.
pub(super) struct Codes<'a> {
    decoder: &'a Decoder,
    /// The chunk and what follows it.
    bytes: &'a [u8],
    /// How many bits the chunk has.
    end: usize,
    at: usize,
}

impl Codes<'_> {
    fn starting_at(self, at: usize) -> Self {
        Codes { at, ..self }
    }

    /// The cell at a place among those of the phrases from here on.
    fn cell(mut self, place: usize) -> Result<u8, CodecError> {
        let mut rest = place;
        loop {
            let code = self.next_code()?;
            if rest < code.cells() {
                return Ok(self.decoder.phrase_cell(code, rest));
            }
            rest -= code.cells();
        }
    }

    pub(super) fn next_code(&mut self) -> Result<Code, CodecError> {
        let code = self.decoder.codes[first_bits(bits_from(self.bytes, self.at))];
        self.at += usize::from(code.bits);
        if code.bits == 0 || self.at > self.end { Err(CodecError) } else { Ok(code) }
    }
}

/// At least 57 bits from one on, at the top, the highest bit of a byte first; zeros after the last byte.
#[inline]
fn bits_from(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at / 8..).unwrap_or(&[]);
    let eight = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut eight = [0; 8];
        eight[..rest.len()].copy_from_slice(rest);
        eight
    });
    u64::from_be_bytes(eight) << (at % 8)
}

/// The highest [`MAX_CODE_BITS`] of these bits.
#[inline]
const fn first_bits(bits: u64) -> usize {
    (bits >> (64 - MAX_CODE_BITS)) as usize
}
