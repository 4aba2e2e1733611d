//! Writing table files.
//!
//! Cells are read from wherever the caller has them, by many threads; what is written does not depend on how many.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_rules::Variant;
use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{Codec, PAGE_CELLS, PHRASE_TERMINALS};
use crate::file::{
    FORMAT_VERSION, Header, Kind, MAGIC, MAX_HEADER_LEN, PREFIX_LEN, TableError, TableProblem, hexadecimal, page_seed,
};
use crate::index::SliceIndex;
use crate::statistics::Statistics;

/// A cell that may hold anything, because readers never ask for it: of a position in which the side to move can capture,
/// whose worth follows from the captures; in a [`Kind::Distance`] table also where nothing is forced.
pub const FREE_CELL: u16 = u16::MAX;

/// Cells of a table that is to be written, in file order.
pub trait Cells: Sync {
    /// Fills `cells` with the cells of the positions from number `start` on, [`FREE_CELL`] where it is free. A cell is the
    /// same whenever it is asked for.
    fn read(&self, start: u64, cells: &mut [u16]);
}

impl Cells for [u16] {
    fn read(&self, start: u64, cells: &mut [u16]) {
        cells.copy_from_slice(&self[start as usize..][..cells.len()]);
    }
}

/// Pages that are encoded before they are written.
const BATCH_PAGES: u64 = 1 << 6;
/// Cells of a sample that a dictionary is made from.
const SAMPLE_CELLS: u64 = 1 << 12;
/// Samples of a large table, evenly spread; of a smaller one there is one in so many, but at least so many.
const SAMPLES: u64 = 1 << 8;
const SAMPLE_STRIDE: u64 = 8;
const LEAST_SAMPLES: u64 = 1 << 4;

/// Writes one table file and returns its length in bytes. Nothing is seen under the file's name before all of it is
/// written and synced. Its directory must exist. Gives up with [`TableProblem::Stopped`] when `stop` is set.
pub fn write_table(
    path: &Path,
    variant: Variant,
    index: &SliceIndex,
    kind: Kind,
    cells: &dyn Cells,
    statistics: Statistics,
    stop: &AtomicBool,
) -> Result<u64, TableError> {
    write_file(path, variant, index, kind, cells, statistics, stop)
        .map_err(|problem| TableError { path: path.to_owned(), problem })
}

fn write_file(
    path: &Path,
    variant: Variant,
    index: &SliceIndex,
    kind: Kind,
    cells: &dyn Cells,
    statistics: Statistics,
    stop: &AtomicBool,
) -> Result<u64, TableProblem> {
    let (slice, positions) = (index.slice(), index.positions());
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = BufWriter::new(builder.prefix(".").suffix(".tmp").tempfile_in(directory)?);
    file.write_all(&[0; PREFIX_LEN])?;
    let codec = match kind {
        Kind::Value => Codec::train(&samples(cells, positions, kind)?),
        Kind::Distance | Kind::Changes(_) => Codec::Zstd,
    };
    let dictionary = codec.to_bytes()?;
    file.write_all(&dictionary)?;

    let mut offset = (PREFIX_LEN + dictionary.len()) as u64;
    let mut page_table = Vec::new();
    let mut free_captures = false;
    let pages = positions.div_ceil(PAGE_CELLS as u64);
    for first in (0..pages).step_by(BATCH_PAGES as usize) {
        if stop.load(Ordering::Relaxed) {
            return Err(TableProblem::Stopped);
        }
        let batch = first..pages.min(first + BATCH_PAGES);
        let encoded: Vec<Result<(bool, Vec<u8>), TableProblem>> =
            batch.clone().into_par_iter().map(|page| encode_page(&codec, cells, positions, kind, page)).collect();
        for (page, encoded) in batch.zip(encoded) {
            let (free, bytes) = encoded?;
            free_captures |= free && kind != Kind::Distance;
            file.write_all(&bytes)?;
            offset += bytes.len() as u64;
            page_table.extend(offset.to_le_bytes());
            page_table.extend(xxh3_64_with_seed(&bytes, page_seed(slice, &kind, variant, page)).to_le_bytes());
        }
    }
    let header = Header {
        variant: variant.name().to_owned(),
        slice: slice.to_string(),
        kind: kind.name().to_owned(),
        rules_digest: hexadecimal(kind.rules(variant).digest()),
        positions,
        free_captures,
        dictionary_bytes: dictionary.len() as u64,
        dictionary_xxh3: xxh3_64(&dictionary),
        page_table_offset: offset,
        page_table_xxh3: xxh3_64(&page_table),
        statistics,
    };
    file.write_all(&page_table)?;
    let header_offset = offset + page_table.len() as u64;
    let header = serde_json::to_vec(&header).map_err(io::Error::from)?;
    if header.len() as u64 > MAX_HEADER_LEN {
        return Err(TableProblem::LongHeader);
    }
    file.write_all(&header)?;
    let mut prefix = Vec::with_capacity(PREFIX_LEN);
    prefix.extend(MAGIC);
    prefix.extend(FORMAT_VERSION.to_le_bytes());
    prefix.extend((PREFIX_LEN as u32).to_le_bytes());
    prefix.extend(header_offset.to_le_bytes());
    prefix.extend((header.len() as u64).to_le_bytes());
    prefix.extend(xxh3_64(&header).to_le_bytes());
    prefix.extend(xxh3_64(&prefix).to_le_bytes());
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&prefix)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Without this a power cut could take the new name back.
    File::open(directory)?.sync_all()?;
    Ok(header_offset + header.len() as u64)
}

/// Cells from all over a table, the same whoever makes it.
fn samples(cells: &dyn Cells, positions: u64, kind: Kind) -> Result<Vec<Vec<u16>>, TableProblem> {
    let whole = positions.div_ceil(SAMPLE_CELLS);
    let count = (whole / SAMPLE_STRIDE).clamp(LEAST_SAMPLES, SAMPLES).min(whole);
    (0..count).map(|number| read(cells, positions, kind, number * whole / count * SAMPLE_CELLS, SAMPLE_CELLS)).collect()
}

/// The bytes of a page, and whether it has free cells.
fn encode_page(
    codec: &Codec,
    cells: &dyn Cells,
    positions: u64,
    kind: Kind,
    page: u64,
) -> Result<(bool, Vec<u8>), TableProblem> {
    let mut cells = read(cells, positions, kind, page * PAGE_CELLS as u64, PAGE_CELLS as u64)?;
    let has_free = cells.contains(&FREE_CELL);
    Ok((has_free, codec.encode(&mut cells)?))
}

/// So many cells from a number on, or what there are of them.
fn read(cells: &dyn Cells, positions: u64, kind: Kind, start: u64, count: u64) -> Result<Vec<u16>, TableProblem> {
    let mut buffer = vec![0; (positions - start).min(count) as usize];
    cells.read(start, &mut buffer);
    let wrong = |cell: u16| kind == Kind::Value && cell >= PHRASE_TERMINALS.into() && cell != FREE_CELL;
    match buffer.iter().position(|&cell| wrong(cell)) {
        Some(place) => Err(TableProblem::Meaningless { index: start + place as u64 }),
        None => Ok(buffer),
    }
}
