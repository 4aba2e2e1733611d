//! What the fuzz targets share: sound tables, and checksums made right again.

use std::sync::atomic::AtomicBool;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Cells, Kind, Slice, Statistics, Tables, write_table};
use serde_json::Value;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The slices of sound tables: small, with and without men, of one page and of two.
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
            write_table(&path, Variant::Russian, &index, kind, &Runs, Statistics::default(), &stop).expect("written");
        }
    }
    (directory, tables)
}

/// The file with all checksums made right as far as its parts can be found, so that what lies behind the checksums is
/// reached; `None` where there is no header to speak of.
pub fn sealed(mut file: Vec<u8>) -> Option<Vec<u8>> {
    let word = |file: &[u8], at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    let header_start = usize::try_from(word(&file, 16)?).ok()?;
    let header_len = usize::try_from(word(&file, 24)?).ok()?;
    let mut header: Value =
        serde_json::from_slice(file.get(header_start..header_start.checked_add(header_len)?)?).ok()?;
    let number = |header: &Value, name: &str| usize::try_from(header.get(name)?.as_u64()?).ok();
    let dictionary_end = 48usize.checked_add(number(&header, "dictionary_bytes")?)?;
    header["dictionary_xxh3"] = xxh3_64(file.get(48..dictionary_end)?).into();
    let table = number(&header, "page_table_offset")?;
    let pages = number(&header, "positions")?.div_ceil(1 << 16);
    let table_end = table.checked_add(pages.checked_mul(16)?)?;
    file.get(table..table_end)?;
    let name = |part: &str| header.get(part).and_then(Value::as_str).unwrap_or_default();
    let key = format!("{}/{}.{}", name("variant"), name("slice"), name("kind"));
    let mut start = dictionary_end;
    for page in 0..pages {
        let entry = table + 16 * page;
        let end = usize::try_from(word(&file, entry)?).ok()?;
        if let Some(bytes) = file.get(start..end) {
            let checksum = xxh3_64_with_seed(bytes, xxh3_64(format!("{key}#{page}").as_bytes()));
            file[entry + 8..entry + 16].copy_from_slice(&checksum.to_le_bytes());
        }
        start = end;
    }
    header["page_table_xxh3"] = xxh3_64(&file[table..table_end]).into();
    let header = serde_json::to_vec(&header).ok()?;
    let header_start = file.len() as u64;
    file[..8].copy_from_slice(b"bolshak\n");
    file[16..24].copy_from_slice(&header_start.to_le_bytes());
    file[24..32].copy_from_slice(&(header.len() as u64).to_le_bytes());
    file[32..40].copy_from_slice(&xxh3_64(&header).to_le_bytes());
    let prefix = xxh3_64(&file[..40]);
    file.get_mut(40..48)?.copy_from_slice(&prefix.to_le_bytes());
    file.extend(header);
    Some(file)
}
