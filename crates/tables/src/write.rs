//! Writing table files.
//!
//! Cells are read from wherever the caller has them, by many threads; what is written does not depend on how many.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_rules::Variant;
use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{Codec, PHRASE_TERMINALS};
use crate::file::{Kind, TableError, TableProblem};
use crate::index::SliceIndex;
use crate::kings::KingsLists;
use crate::layout::{Header, MAX_PAGE_BYTES, PREFIX_LEN, Prefix, page_seed};
use crate::sample;
use crate::statistics::Statistics;

/// A cell that may hold anything, because readers never ask for it: of a position in which the side to move can capture,
/// whose worth follows from the captures; in a [`Kind::Distance`] table also where nothing is forced.
pub const FREE_CELL: u16 = u16::MAX;

/// Cells of a table that is to be written, in file order.
pub trait Cells: Sync {
    /// Fills `cells` with the cells of the positions from number `start` on, [`FREE_CELL`] where it is free. A cell is the
    /// same whenever it is asked for.
    fn read(&self, start: u64, cells: &mut [u16]);

    /// The lists that the cells of a [`Kind::Kings`] table number; others have none.
    fn kings_lists(&self) -> Option<&KingsLists> {
        None
    }
}

impl Cells for [u16] {
    fn read(&self, start: u64, cells: &mut [u16]) {
        cells.copy_from_slice(&self[start as usize..][..cells.len()]);
    }
}

/// Cells that are encoded before they are written.
const BATCH_CELLS: usize = 1 << 24;

/// The cells of a table, and which table that is.
pub(crate) struct Source<'a> {
    variant: Variant,
    index: &'a SliceIndex,
    kind: Kind,
    cells: &'a dyn Cells,
}

impl Source<'_> {
    pub(crate) fn positions(&self) -> u64 {
        self.index.positions()
    }

    /// The cells of these positions, or what there are of them.
    pub(crate) fn read(&self, range: Range<u64>) -> Result<Vec<u16>, TableProblem> {
        let mut buffer = vec![0; (self.positions().min(range.end) - range.start) as usize];
        self.cells.read(range.start, &mut buffer);
        let wrong = |&cell: &u16| cell >= PHRASE_TERMINALS.into() && cell != FREE_CELL;
        match (self.kind == Kind::Value).then(|| buffer.iter().position(wrong)).flatten() {
            Some(place) => Err(TableProblem::NoCell { index: range.start + place as u64 }),
            None => Ok(buffer),
        }
    }
}

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
    write_file(path, &Source { variant, index, kind, cells }, statistics, stop)
        .map_err(|problem| TableError { path: path.to_owned(), problem })
}

fn write_file(path: &Path, source: &Source, statistics: Statistics, stop: &AtomicBool) -> Result<u64, TableProblem> {
    let Source { variant, index, kind, .. } = *source;
    if !statistics.fits(index, &kind) {
        return Err(TableProblem::Counts);
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = BufWriter::new(builder.prefix(".").suffix(".tmp").tempfile_in(directory)?);
    let codec = match kind {
        Kind::Value => Codec::train(&sample::for_dictionary(source)?),
        Kind::Distance | Kind::Changes(_) | Kind::Kings(_) => Codec::Zstd,
    };
    let header = Header {
        variant: variant.name().to_owned(),
        slice: index.slice().to_string(),
        kind: kind.name().into_owned(),
        rules_digest: kind.rules(variant).digest(),
        statistics,
    };
    let header = postcard::to_allocvec(&header).map_err(io::Error::other)?;
    let dictionary = source.cells.kings_lists().map_or_else(|| codec.to_bytes(), KingsLists::to_bytes)?;
    let mut prefix = Prefix {
        page_size: sample::page_size(source, &codec)?,
        free_captures: false,
        header_bytes: u16::try_from(header.len()).map_err(|_| TableProblem::LongHeader)?,
        dictionary_bytes: u32::try_from(dictionary.len()).map_err(io::Error::other)?,
        positions: source.positions(),
        page_table_offset: 0,
        head_xxh3: xxh3_64(&[&header[..], &dictionary].concat()),
        page_table_xxh3: 0,
    };
    if !prefix.is_bounded() {
        return Err(io::Error::other("no table has so many pages, or so long a dictionary").into());
    }
    file.write_all(&[0; PREFIX_LEN])?;
    file.write_all(&header)?;
    file.write_all(&dictionary)?;
    let pages = loop {
        file.seek(SeekFrom::Start(prefix.first_page_offset()))?;
        match (write_pages(&mut file, source, &codec, &prefix, stop)?, prefix.page_size.halved()) {
            (None, Some(half)) if (Prefix { page_size: half, ..prefix }).is_bounded() => prefix.page_size = half,
            (pages, _) => break pages.ok_or_else(|| io::Error::other("pages as small as they can be are too long"))?,
        }
    };
    file.write_all(&pages.table)?;
    prefix.free_captures = pages.free_cells && kind != Kind::Distance;
    prefix.page_table_offset = pages.end;
    prefix.page_table_xxh3 = xxh3_64(&pages.table);
    let bytes = pages.end + pages.table.len() as u64;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&prefix.to_bytes())?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().set_len(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Without this a power cut could take the new name back.
    File::open(directory)?.sync_all()?;
    Ok(bytes)
}

/// What is known of pages when they have been written.
struct Pages {
    /// Where each ends, and its checksum.
    table: Vec<u8>,
    /// Where the last ends.
    end: u64,
    /// Whether some of their cells were free.
    free_cells: bool,
}

/// Writes all pages, or gives up when one is too long.
fn write_pages(
    file: &mut impl Write,
    source: &Source,
    codec: &Codec,
    prefix: &Prefix,
    stop: &AtomicBool,
) -> Result<Option<Pages>, TableProblem> {
    let mut pages = Pages { table: Vec::new(), end: prefix.first_page_offset(), free_cells: false };
    let batch_pages = BATCH_CELLS / prefix.page_size.cells();
    for first in (0..prefix.pages()).step_by(batch_pages) {
        if stop.load(Ordering::Relaxed) {
            return Err(TableProblem::Stopped);
        }
        let batch = first..prefix.pages().min(first + batch_pages as u64);
        let encode = |page| encode_page(codec, source, prefix.page_size.range(prefix.positions, page));
        let encoded: Vec<Result<(bool, Vec<u8>), TableProblem>> = batch.clone().into_par_iter().map(encode).collect();
        for (page, encoded) in batch.zip(encoded) {
            let (free_cells, bytes) = encoded?;
            if bytes.len() as u64 > MAX_PAGE_BYTES {
                return Ok(None);
            }
            file.write_all(&bytes)?;
            pages.free_cells |= free_cells;
            pages.end += bytes.len() as u64;
            let seed = page_seed(source.index.slice(), &source.kind, source.variant, page);
            pages.table.extend(pages.end.to_le_bytes());
            pages.table.extend(xxh3_64_with_seed(&bytes, seed).to_le_bytes());
        }
    }
    Ok(Some(pages))
}

/// The bytes of a page, and whether it has free cells.
fn encode_page(codec: &Codec, source: &Source, range: Range<u64>) -> Result<(bool, Vec<u8>), TableProblem> {
    let mut cells = source.read(range)?;
    let has_free = cells.contains(&FREE_CELL);
    Ok((has_free, codec.encode(&mut cells)?))
}
