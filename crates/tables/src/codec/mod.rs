//! How a page of cells becomes bytes. The only place that knows.
//!
//! Values are written in phrases: a dictionary of up to 4,096 sequences of cells, found for each table from samples of it,
//! and a prefix code for them. Codes are in chunks of 32 bytes, and it is known which cells each chunk has, so that a
//! look-up counts its way through half a chunk without making a cell but its own. Free cells agree with any phrase, and
//! phrases are chosen together so that they take the fewest bits.
//!
//! Cells of other kinds, which may be any number, are compressed with zstd in blocks of 8,192.
//!
//! The first byte of a page says how the rest is to be read; `docs/FORMAT.md` has it byte by byte.

mod blocks;
mod dictionary;
mod frame;
mod huffman;
mod parse;
mod phrases;
mod planes;
mod train;

pub(crate) use blocks::BLOCK_CELLS;
use blocks::Width;
use dictionary::{Decoder, Dictionary, MAX_DICTIONARY_BYTES};
pub(crate) use frame::decompress;

use crate::write::FREE_CELL;

const CONSTANT: u8 = 0;
const PHRASES: u8 = 1;
const PHRASES_WIDE: u8 = 2;
const BYTES: u8 = 3;
const WORDS: u8 = 4;

/// The cells that phrases are made of: 0, 1 and 2.
pub(crate) const PHRASE_TERMINALS: u8 = 3;

const DICTIONARY_ZSTD_LEVEL: i32 = 19;

/// A page or dictionary that does not hold what its table says it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("its content cannot be decoded")]
pub struct CodecError;

/// How the pages of one table are read and written.
pub(crate) enum Codec {
    /// In phrases of a dictionary.
    Phrases { dictionary: Dictionary, decoder: Decoder },
    /// With zstd.
    Zstd,
}

/// Where a cell was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Here it is.
    Cell(u16),
    /// In a block, which has to be decoded as a whole, and there at a place.
    InBlock { place: usize },
}

impl Codec {
    /// A codec of phrases that suits these samples.
    pub(crate) fn train(samples: &[Vec<u16>]) -> Codec {
        let samples: Vec<&[u16]> = samples.iter().map(Vec::as_slice).collect();
        Codec::phrases(train::train(&samples, PHRASE_TERMINALS))
    }

    fn phrases(dictionary: Dictionary) -> Codec {
        let decoder = Decoder::new(&dictionary);
        Codec::Phrases { dictionary, decoder }
    }

    /// What a file has to hold for its pages to be read.
    pub(crate) fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        match self {
            Codec::Phrases { dictionary, .. } => zstd::bulk::compress(&dictionary.to_bytes(), DICTIONARY_ZSTD_LEVEL),
            Codec::Zstd => Ok(Vec::new()),
        }
    }

    /// Reads [`Codec::to_bytes`] of a codec of phrases back.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Codec, CodecError> {
        Ok(Codec::phrases(Dictionary::from_bytes(&decompress(bytes, MAX_DICTIONARY_BYTES)?)?))
    }

    /// Encodes the cells of a page, some of which may be free. Cells in phrases are below [`PHRASE_TERMINALS`].
    pub(crate) fn encode(&self, cells: &mut [u16]) -> std::io::Result<Vec<u8>> {
        let first = cells.iter().copied().find(|&cell| cell != FREE_CELL).unwrap_or(0);
        // Without a look at each cell before the next, so that many are compared together.
        let differs =
            |cells: &[u16]| cells.iter().fold(false, |any, &cell| any | (cell != first) & (cell != FREE_CELL));
        if !cells.chunks(1 << 8).any(differs) {
            return Ok([&[CONSTANT][..], &first.to_le_bytes()].concat());
        }
        let (tag, body) = match self {
            Codec::Phrases { dictionary, .. } => match phrases::encode(dictionary, cells) {
                (2, body) => (PHRASES, body),
                (_, body) => (PHRASES_WIDE, body),
            },
            Codec::Zstd => {
                cells.chunks_mut(BLOCK_CELLS).for_each(fill_runs);
                let width = Width::of(cells);
                (if width == Width::Byte { BYTES } else { WORDS }, blocks::encode(cells, width)?)
            }
        };
        Ok([&[tag][..], &body].concat())
    }

    /// Checks that what a page that has `count` cells says of its parts is so. Then a cell is found where it is decoded.
    pub(crate) fn check(&self, page: &[u8], count: usize) -> Result<(), CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        match (tag, self) {
            (CONSTANT, _) => constant(body).map(drop),
            (PHRASES, Codec::Phrases { decoder, .. }) => phrases::check::<2>(decoder, body, count),
            (PHRASES_WIDE, Codec::Phrases { decoder, .. }) => phrases::check::<3>(decoder, body, count),
            (BYTES | WORDS, Codec::Zstd) => blocks::check(body, count),
            _ => Err(CodecError),
        }
    }

    /// The cell at a place of a page that has `count` cells, or where it is.
    #[inline]
    pub(crate) fn find(&self, page: &[u8], count: usize, place: usize) -> Result<Found, CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        match (tag, self) {
            (PHRASES, Codec::Phrases { decoder, .. }) => phrases::cell::<2>(decoder, body, place).map(Found::Cell),
            (PHRASES_WIDE, Codec::Phrases { decoder, .. }) => phrases::cell::<3>(decoder, body, place).map(Found::Cell),
            (BYTES, Codec::Zstd) => blocks::find(body, Width::Byte, count, place),
            (WORDS, Codec::Zstd) => blocks::find(body, Width::Word, count, place),
            (CONSTANT, _) => constant(body).map(Found::Cell),
            _ => Err(CodecError),
        }
    }

    /// The block of a place that [`Codec::find`] has said is in one.
    pub(crate) fn block(&self, page: &[u8], count: usize, place: usize) -> Result<Vec<u16>, CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        match tag {
            BYTES => blocks::cells(body, Width::Byte, count, place),
            WORDS => blocks::cells(body, Width::Word, count, place),
            _ => Err(CodecError),
        }
    }

    /// Decodes the cells from a place on of a page that has `count`.
    pub(crate) fn decode(&self, page: &[u8], count: usize, place: usize, cells: &mut [u16]) -> Result<(), CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        match (tag, self) {
            (CONSTANT, _) => {
                cells.fill(constant(body)?);
                Ok(())
            }
            (PHRASES, Codec::Phrases { decoder, .. }) => phrases::decode::<2>(decoder, body, count, place, cells),
            (PHRASES_WIDE, Codec::Phrases { decoder, .. }) => phrases::decode::<3>(decoder, body, count, place, cells),
            (BYTES, Codec::Zstd) => blocks::decode(body, Width::Byte, count, place, cells),
            (WORDS, Codec::Zstd) => blocks::decode(body, Width::Word, count, place, cells),
            _ => Err(CodecError),
        }
    }
}

fn constant(body: &[u8]) -> Result<u16, CodecError> {
    Ok(u16::from_le_bytes(body.try_into().map_err(|_| CodecError)?))
}

/// Gives free cells the cell before them, so that runs grow longer.
fn fill_runs(cells: &mut [u16]) {
    let mut known = cells.iter().copied().find(|&cell| cell != FREE_CELL).unwrap_or(0);
    for cell in cells {
        if *cell == FREE_CELL {
            *cell = known;
        }
        known = *cell;
    }
}

#[cfg(test)]
mod tests;
