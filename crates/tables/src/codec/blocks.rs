//! Pages of cells that may be any number: blocks of 8,192 cells, each compressed with zstd, and where each ends.

use std::cell::RefCell;

use zstd::bulk::Compressor;

use super::{CodecError, Found, decompress};

/// Number of cells in every block but the last of a table.
pub(crate) const BLOCK_CELLS: usize = 1 << 13;
/// Length of where a block ends.
const END_LEN: usize = 4;

/// On blocks of this size higher levels take much longer and hardly a byte less, often more.
const ZSTD_LEVEL: i32 = 6;

/// How many bytes a cell of a page has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Byte = 1,
    Word = 2,
}

impl Width {
    /// The least that these cells need.
    pub(super) fn of(cells: &[u16]) -> Width {
        let all_bits = cells.iter().fold(0, |all, cell| all | cell);
        if all_bits <= 0xff { Width::Byte } else { Width::Word }
    }

    fn to_bytes(self, cells: &[u16]) -> Vec<u8> {
        match self {
            Width::Byte => cells.iter().map(|&cell| cell as u8).collect(),
            Width::Word => cells.iter().flat_map(|cell| cell.to_le_bytes()).collect(),
        }
    }

    fn to_cells(self, bytes: &[u8]) -> impl Iterator<Item = u16> {
        bytes.chunks_exact(self as usize).map(|cell| match *cell {
            [low, high] => u16::from_le_bytes([low, high]),
            ref one => one[0].into(),
        })
    }
}

/// A block as it is written.
enum Block<'a> {
    /// All its cells are this one.
    Constant(u16),
    Compressed(&'a [u8]),
}

/// Where each block ends, and the blocks.
fn parts(body: &[u8], count: usize) -> Result<(&[[u8; END_LEN]], &[u8]), CodecError> {
    let (ends, blocks) = body.split_at_checked(END_LEN * count.div_ceil(BLOCK_CELLS)).ok_or(CodecError)?;
    Ok((ends.as_chunks().0, blocks))
}

/// Checks that blocks follow one another up to the end of the body.
pub(super) fn check(body: &[u8], count: usize) -> Result<(), CodecError> {
    let (ends, blocks) = parts(body, count)?;
    let ends = || ends.iter().map(|&end| u32::from_le_bytes(end) as usize);
    let sound = ends().is_sorted_by(|end, next| end < next) && ends().next_back() == Some(blocks.len());
    sound.then_some(()).ok_or(CodecError)
}

/// The block of a place.
fn block(body: &[u8], width: Width, count: usize, place: usize) -> Result<Block<'_>, CodecError> {
    let (ends, bytes) = parts(body, count)?;
    let end = |block: usize| ends.get(block).map(|&end| u32::from_le_bytes(end) as usize);
    let number = place / BLOCK_CELLS;
    let start = number.checked_sub(1).map_or(Some(0), end);
    let range = start.zip(end(number)).map(|(start, end)| start..end).ok_or(CodecError)?;
    let bytes = bytes.get(range).ok_or(CodecError)?;
    // Nothing that zstd writes is so short.
    match bytes.len() == width as usize {
        true => Ok(Block::Constant(width.to_cells(bytes).next().ok_or(CodecError)?)),
        false => Ok(Block::Compressed(bytes)),
    }
}

/// The cell at a place, or where it is.
#[inline]
pub(super) fn find(body: &[u8], width: Width, count: usize, place: usize) -> Result<Found, CodecError> {
    match block(body, width, count, place)? {
        Block::Constant(cell) => Ok(Found::Cell(cell)),
        Block::Compressed(_) => Ok(Found::InBlock { place: place % BLOCK_CELLS }),
    }
}

/// The cells of the block of a place.
pub(super) fn cells(body: &[u8], width: Width, count: usize, place: usize) -> Result<Vec<u16>, CodecError> {
    let start = place / BLOCK_CELLS * BLOCK_CELLS;
    let cells = count.checked_sub(start).ok_or(CodecError)?.min(BLOCK_CELLS);
    match block(body, width, count, place)? {
        Block::Constant(cell) => Ok(vec![cell; cells]),
        Block::Compressed(bytes) => Ok(width.to_cells(&decompress_block(bytes, cells * width as usize)?).collect()),
    }
}

/// Decodes the cells from a place on.
pub(super) fn decode(
    body: &[u8],
    width: Width,
    count: usize,
    place: usize,
    cells: &mut [u16],
) -> Result<(), CodecError> {
    let (mut place, mut rest) = (place, cells);
    while !rest.is_empty() {
        let block = self::cells(body, width, count, place)?;
        let block = block.get(place % BLOCK_CELLS..).ok_or(CodecError)?;
        let (now, later) = rest.split_at_mut(block.len().min(rest.len()));
        now.copy_from_slice(&block[..now.len()]);
        place += now.len();
        rest = later;
    }
    Ok(())
}

/// The body of a page.
pub(super) fn encode(cells: &[u16], width: Width) -> std::io::Result<Vec<u8>> {
    let (mut ends, mut blocks) = (Vec::new(), Vec::new());
    for cells in cells.chunks(BLOCK_CELLS) {
        if cells.iter().all(|&cell| cell == cells[0]) {
            blocks.extend(width.to_bytes(&cells[..1]));
        } else {
            blocks.extend(compress(&width.to_bytes(cells))?);
        }
        ends.extend((blocks.len() as u32).to_le_bytes());
    }
    Ok([ends, blocks].concat())
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

/// A block is exactly so long when it is decompressed.
fn decompress_block(block: &[u8], length: usize) -> Result<Vec<u8>, CodecError> {
    decompress(block, length).ok().filter(|bytes| bytes.len() == length).ok_or(CodecError)
}
