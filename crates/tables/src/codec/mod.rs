//! How a page of cells becomes bytes. The only place that knows.
//!
//! Values are written in phrases: a dictionary of up to 4,096 sequences of cells, found for each table from a sample of
//! it, and a prefix code for them. Blocks of 1,024 cells begin at known bits, so that a look-up counts its way through
//! half a block of phrases without making a cell but its own. Free cells agree with any phrase, and the phrases of a block
//! are chosen together so that they take the fewest bits.
//!
//! Cells of other kinds, which may be any number, are compressed with zstd in blocks of 8,192.
//!
//! The first byte of a page says how the rest is to be read; `docs/FORMAT.md` has it byte by byte.

mod dictionary;
mod huffman;
mod parse;
mod planes;
mod train;

use std::cell::RefCell;
use std::ops::Range;

use dictionary::{BitWriter, Decoder, Dictionary, MAX_DICTIONARY_BYTES};
use parse::Parser;
use zstd::bulk::{Compressor, Decompressor};

use crate::write::FREE_CELL;

/// Number of cells in every page but the last of a table.
pub(crate) const PAGE_CELLS: usize = 1 << 16;
const PHRASE_BLOCK_CELLS: usize = 1 << 10;
const ZSTD_BLOCK_CELLS: usize = 1 << 13;
/// No page has more blocks than this.
pub(crate) const MAX_PAGE_BLOCKS: u64 = (PAGE_CELLS / ZSTD_BLOCK_CELLS) as u64;

const CONSTANT: u8 = 0;
const PHRASES: u8 = 1;
const PHRASES_WIDE: u8 = 2;
const BYTES: u8 = 3;
const WORDS: u8 = 4;

/// The cells that phrases are made of: 0, 1 and 2.
pub(crate) const PHRASE_TERMINALS: u8 = 3;

/// On blocks of this size higher levels take much longer and hardly a byte less, often more.
const ZSTD_LEVEL: i32 = 6;
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
    /// In a block of the page, which has to be decoded as a whole, and there at a place.
    InBlock { block: usize, place: usize },
}

impl Codec {
    /// A codec of phrases that suits these samples.
    pub(crate) fn train(samples: &[Vec<u16>]) -> Codec {
        let blocks: Vec<&[u16]> = samples.iter().flat_map(|cells| cells.chunks(PHRASE_BLOCK_CELLS)).collect();
        Codec::phrases(train::train(&blocks, PHRASE_TERMINALS))
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

    /// Reads [`Codec::to_bytes`] back.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Codec, CodecError> {
        if bytes.is_empty() {
            return Ok(Codec::Zstd);
        }
        let dictionary = zstd::bulk::decompress(bytes, MAX_DICTIONARY_BYTES).map_err(|_| CodecError)?;
        Ok(Codec::phrases(Dictionary::from_bytes(&dictionary)?))
    }

    /// Encodes 1 to [`PAGE_CELLS`] cells, some of which may be free. Cells in phrases are below [`PHRASE_TERMINALS`].
    pub(crate) fn encode(&self, cells: &mut [u16]) -> std::io::Result<Vec<u8>> {
        let known = || cells.iter().copied().filter(|&cell| cell != FREE_CELL);
        let first = known().next().unwrap_or(0);
        if known().all(|cell| cell == first) {
            let [low, high] = first.to_le_bytes();
            return Ok(vec![CONSTANT, low, high]);
        }
        match self {
            Codec::Phrases { dictionary, .. } => Ok(encode_phrases(dictionary, cells)),
            Codec::Zstd => {
                fill_runs(cells, first);
                encode_zstd(cells)
            }
        }
    }

    /// The cell at a place of a page that has `count` cells, or where it is.
    #[inline]
    pub(crate) fn find(&self, page: &[u8], count: usize, place: usize) -> Result<Found, CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        match (tag, self) {
            (CONSTANT, _) => Ok(Found::Cell(constant(body)?)),
            (PHRASES | PHRASES_WIDE, Codec::Phrases { decoder, .. }) => {
                let block = place / PHRASE_BLOCK_CELLS;
                let (codes, start_bit) = phrase_block(tag, body, count, block)?;
                Ok(Found::Cell(decoder.cell(codes, start_bit, place % PHRASE_BLOCK_CELLS)?.into()))
            }
            (BYTES | WORDS, Codec::Zstd) => {
                Ok(Found::InBlock { block: place / ZSTD_BLOCK_CELLS, place: place % ZSTD_BLOCK_CELLS })
            }
            _ => Err(CodecError),
        }
    }

    /// A block that [`Codec::find`] has pointed to.
    pub(crate) fn block(&self, page: &[u8], count: usize, block: usize) -> Result<Vec<u16>, CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        let cells = block_range(count, ZSTD_BLOCK_CELLS, block).ok_or(CodecError)?.len();
        let blocks = count.div_ceil(ZSTD_BLOCK_CELLS);
        let (ends, bytes) = body.split_at_checked(4 * blocks).ok_or(CodecError)?;
        let end = |block: usize| {
            let end = &ends[4 * block..][..4];
            u32::from_le_bytes([end[0], end[1], end[2], end[3]]) as usize
        };
        let start = if block == 0 { 0 } else { end(block - 1) };
        let bytes = bytes.get(start..end(block)).ok_or(CodecError)?;
        match tag {
            BYTES => Ok(decompress(bytes, cells)?.into_iter().map(u16::from).collect()),
            WORDS => {
                let bytes = decompress(bytes, 2 * cells)?;
                Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
            }
            _ => Err(CodecError),
        }
    }

    /// Decodes a whole page.
    pub(crate) fn decode(&self, page: &[u8], cells: &mut [u16]) -> Result<(), CodecError> {
        let (&tag, body) = page.split_first().ok_or(CodecError)?;
        let count = cells.len();
        match (tag, self) {
            (CONSTANT, _) => cells.fill(constant(body)?),
            (PHRASES | PHRASES_WIDE, Codec::Phrases { decoder, .. }) => {
                for (block, cells) in cells.chunks_mut(PHRASE_BLOCK_CELLS).enumerate() {
                    let (codes, start_bit) = phrase_block(tag, body, count, block)?;
                    decoder.cells(codes, start_bit, cells)?;
                }
            }
            (BYTES | WORDS, Codec::Zstd) => {
                for (block, cells) in cells.chunks_mut(ZSTD_BLOCK_CELLS).enumerate() {
                    cells.copy_from_slice(&self.block(page, count, block)?);
                }
            }
            _ => return Err(CodecError),
        }
        Ok(())
    }
}

fn constant(body: &[u8]) -> Result<u16, CodecError> {
    Ok(u16::from_le_bytes(body.try_into().map_err(|_| CodecError)?))
}

fn block_range(count: usize, block_cells: usize, block: usize) -> Option<Range<usize>> {
    let start = block * block_cells;
    (start < count).then(|| start..count.min(start + block_cells))
}

/// The codes of a page and the bit at which those of a block begin.
#[inline]
fn phrase_block(tag: u8, body: &[u8], count: usize, block: usize) -> Result<(&[u8], usize), CodecError> {
    let width = if tag == PHRASES { 2 } else { 4 };
    let starts_len = width * count.div_ceil(PHRASE_BLOCK_CELLS);
    let (starts, codes) = body.split_at_checked(starts_len).ok_or(CodecError)?;
    let start = match starts.get(width * block..width * (block + 1)) {
        Some(&[a, b]) => u16::from_le_bytes([a, b]).into(),
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => return Err(CodecError),
    };
    Ok((codes, start))
}

fn encode_phrases(dictionary: &Dictionary, cells: &[u16]) -> Vec<u8> {
    thread_local! {
        /// The parser of the dictionary that this thread used last.
        static PARSER: RefCell<Option<(Dictionary, Parser)>> = const { RefCell::new(None) };
    }
    PARSER.with_borrow_mut(|slot| {
        if slot.as_ref().is_none_or(|(of, _)| of != dictionary) {
            *slot = Some((dictionary.clone(), Parser::new(dictionary)));
        }
        let (_, parser) = slot.get_or_insert_with(|| (dictionary.clone(), Parser::new(dictionary)));
        let codes = huffman::codes(&dictionary.code_bits);
        let (mut starts, mut bits, mut phrases) = (Vec::new(), BitWriter::default(), Vec::new());
        for block in cells.chunks(PHRASE_BLOCK_CELLS) {
            starts.push(bits.len() as u32);
            parser.parse(block, &mut phrases);
            for &phrase in &phrases {
                bits.put(codes[usize::from(phrase)], dictionary.code_bits[usize::from(phrase)]);
            }
        }
        let mut page = Vec::new();
        if starts.iter().all(|&start| start <= u16::MAX.into()) {
            page.push(PHRASES);
            page.extend(starts.iter().flat_map(|&start| (start as u16).to_le_bytes()));
        } else {
            page.push(PHRASES_WIDE);
            page.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
        }
        page.extend(bits.into_bytes());
        page
    })
}

/// Gives free cells the cell before them, so that runs grow longer.
pub(crate) fn fill_runs(cells: &mut [u16], first: u16) {
    let mut known = first;
    for cell in cells {
        if *cell == FREE_CELL {
            *cell = known;
        }
        known = *cell;
    }
}

fn encode_zstd(cells: &[u16]) -> std::io::Result<Vec<u8>> {
    let bytes = cells.iter().all(|&cell| cell <= 0xff);
    let (mut ends, mut blocks) = (Vec::new(), Vec::new());
    for cells in cells.chunks(ZSTD_BLOCK_CELLS) {
        let plain: Vec<u8> = if bytes {
            cells.iter().map(|&cell| cell as u8).collect()
        } else {
            cells.iter().flat_map(|cell| cell.to_le_bytes()).collect()
        };
        blocks.extend(compress(&plain)?);
        ends.extend((blocks.len() as u32).to_le_bytes());
    }
    let mut page = vec![if bytes { BYTES } else { WORDS }];
    page.extend(ends);
    page.extend(blocks);
    Ok(page)
}

fn compress(block: &[u8]) -> std::io::Result<Vec<u8>> {
    thread_local! {
        /// Making one takes longer than compressing a block.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot.take() {
            Some(compressor) => compressor,
            None => Compressor::new(ZSTD_LEVEL)?,
        };
        slot.insert(compressor).compress(block)
    })
}

fn decompress(block: &[u8], length: usize) -> Result<Vec<u8>, CodecError> {
    thread_local! {
        /// Making one takes longer than decompressing a block.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
    }
    let bytes = DECOMPRESSOR.with_borrow_mut(|decompressor| {
        decompressor.as_mut().and_then(|decompressor| decompressor.decompress(block, length).ok())
    });
    bytes.filter(|bytes| bytes.len() == length).ok_or(CodecError)
}

#[cfg(test)]
mod tests;
