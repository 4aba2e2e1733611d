//! What the fuzz targets share: sound tables, and checksums made right again.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Cells, Histogram, Kind, Slice, Statistics, Tables, write_table};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The slices of sound tables: small, with and without men, of one page and of several.
pub const SLICES: [&str; 4] = ["KvK", "mvm", "KvKm", "KKvKK"];

/// The kinds of table.
pub fn kinds() -> Vec<Kind> {
    Kind::needed_by(&Rules::OFFICIAL).collect()
}

/// A slice of [`SLICES`].
///
/// # Panics
///
/// Never: the names are sound.
pub fn slice(number: usize) -> Slice {
    SLICES[number % SLICES.len()].parse().expect("a slice")
}

/// Cells in runs of changing length: nothing true of draughts, but the same whenever they are asked for.
pub struct Runs;

impl Runs {
    /// The cell of a position.
    pub const fn cell(index: u64) -> u16 {
        let run = index / (1 + index / 64 % 37);
        (run.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u16 % 3
    }
}

impl Cells for Runs {
    fn read(&self, start: u64, cells: &mut [u16]) {
        for (place, cell) in cells.iter_mut().enumerate() {
            *cell = Runs::cell(start + place as u64);
        }
    }
}

/// A directory of sound tables of every kind with the cells of [`Runs`].
///
/// # Panics
///
/// When they cannot be written.
pub fn sound_tables() -> (tempfile::TempDir, Tables) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::create_dir(directory.path().join(Variant::Russian.name())).expect("a directory");
    let tables = Tables::open(directory.path(), Variant::Russian);
    for number in 0..SLICES.len() {
        let index = tables.index(slice(number));
        for kind in kinds() {
            let path = tables.path(slice(number), &kind);
            let stop = AtomicBool::new(false);
            let histogram = Histogram { draw: index.positions(), ..Histogram::default() };
            let statistics = Statistics { histogram, ..Statistics::default() };
            write_table(&path, Variant::Russian, &index, kind, &Runs, statistics, &stop).expect("written");
        }
    }
    (directory, tables)
}

/// The file with all checksums made right as far as its parts can be found, so that what lies behind the checksums is
/// reached; `None` where there is no prefix to speak of.
pub fn sealed(mut file: Vec<u8>, slice: Slice, kind: Kind) -> Option<Vec<u8>> {
    const PREFIX: usize = 64;
    let number = |file: &[u8], range: Range<usize>| {
        let bytes = file.get(range)?.iter().rev();
        usize::try_from(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))).ok()
    };
    let head_end = PREFIX.checked_add(number(&file, 14..16)?)?.checked_add(number(&file, 16..20)?)?;
    let page_cells = 1usize.checked_shl((*file.get(12)?).into())?;
    let pages = number(&file, 24..32)?.div_ceil(page_cells);
    let table = number(&file, 32..40)?;
    let table_end = table.checked_add(pages.checked_mul(16)?)?;
    file.get(table..table_end)?;
    let head = xxh3_64(file.get(PREFIX..head_end)?);
    let key = format!("{}/{slice}.{}", Variant::Russian, kind.name());
    let mut start = head_end;
    for page in 0..pages {
        let entry = table + 16 * page;
        let end = number(&file, entry..entry + 8)?;
        if let Some(bytes) = file.get(start..end) {
            let checksum = xxh3_64_with_seed(bytes, xxh3_64(format!("{key}#{page}").as_bytes()));
            file[entry + 8..entry + 16].copy_from_slice(&checksum.to_le_bytes());
        }
        start = end;
    }
    file[..8].copy_from_slice(b"bolshak\n");
    file[40..48].copy_from_slice(&head.to_le_bytes());
    let table = xxh3_64(&file[table..table_end]);
    file[48..56].copy_from_slice(&table.to_le_bytes());
    let prefix = xxh3_64(&file[..56]);
    file[56..64].copy_from_slice(&prefix.to_le_bytes());
    Some(file)
}
