//! Cells from all over a table, from which it is found how best to write it. They are the same whoever writes it.

use crate::codec::{BLOCK_CELLS, Codec};
use crate::file::TableProblem;
use crate::layout::PageSize;
use crate::write::{FREE_CELL, Source};

/// Cells of a sample.
const CELLS: u64 = 1 << 12;
/// Samples of a large table, evenly spread; of a smaller one there is one in so many, but at least so many.
const MOST: u64 = 1 << 8;
const STRIDE: u64 = 2;
const LEAST: u64 = 1 << 4;

/// Where nearly everything is the same, samples are longer, since runs are, and looked for where something changes.
const LONG_CELLS: u64 = 1 << 14;
const MOST_LONG: usize = 1 << 6;
const LOOKED_AT: u64 = 1 << 10;

/// Blocks that are compressed to find out how long pages will be.
const MOST_BLOCKS: u64 = 1 << 5;

/// Pages have as many cells as take up to so many bytes on average: checking one when it is first asked for takes a
/// microsecond, and its entry in the page table is next to nothing.
const MEAN_PAGE_BYTES: usize = 1 << 13;
/// In larger pages of phrases than [`PageSize::NARROW`] the places of chunks take more bytes. That is less than the entries
/// of narrow pages only if those pages were no longer than this.
const MEAN_PHRASE_PAGE_BYTES: usize = 1 << 9;

/// Samples for a dictionary.
pub(crate) fn for_dictionary(source: &Source) -> Result<Vec<Vec<u16>>, TableProblem> {
    let whole = source.positions().div_ceil(CELLS);
    let samples = spread(source, CELLS, (whole / STRIDE).clamp(LEAST, MOST))?;
    if 2 * samples.iter().filter(|cells| changes(cells)).count() >= samples.len() {
        return Ok(samples);
    }
    let long = spread(source, LONG_CELLS, LOOKED_AT)?;
    let (changing, constant): (Vec<_>, Vec<_>) = long.into_iter().partition(|cells| changes(cells));
    let count = changing.len().min(MOST_LONG);
    let thinned = (0..count).map(|number| changing[number * changing.len() / count].clone());
    // The longest runs are where nothing changes.
    Ok(constant.into_iter().take(1).chain(thinned).collect())
}

/// The largest pages that are not too long on average.
pub(crate) fn page_size(source: &Source, codec: &Codec) -> Result<PageSize, TableProblem> {
    let (mut cells, mut bytes) = (0, 0);
    for mut block in spread(source, BLOCK_CELLS as u64, MOST_BLOCKS)? {
        cells += block.len();
        bytes += codec.encode(&mut block)?.len();
    }
    let (least, mean_bytes) = match codec {
        Codec::Phrases { .. } => (PageSize::NARROW, MEAN_PHRASE_PAGE_BYTES),
        Codec::Zstd => (PageSize::LEAST, MEAN_PAGE_BYTES),
    };
    let mut size = PageSize::MOST;
    while let Some(half) = size.halved().filter(|&half| half >= least && bytes * size.cells() > mean_bytes * cells) {
        size = half;
    }
    Ok(size)
}

/// Up to so many samples of so many cells each, evenly spread.
fn spread(source: &Source, cells: u64, most: u64) -> Result<Vec<Vec<u16>>, TableProblem> {
    let whole = source.positions().div_ceil(cells);
    let count = whole.min(most);
    let start = |number: u64| number * whole / count * cells;
    (0..count).map(|number| source.read(start(number)..start(number) + cells)).collect()
}

/// Whether there are different cells, free ones left out.
fn changes(cells: &[u16]) -> bool {
    let mut known = cells.iter().filter(|&&cell| cell != FREE_CELL);
    known.next().is_some_and(|first| known.any(|cell| cell != first))
}
