//! Any bytes at all as a table file, as they are and with their checksums made right. There are errors or cells, the same
//! for one position as for all, but no panic, no signal, and nothing without bound.
#![no_main]

use std::cell::RefCell;

use bolshak_fuzz::{SLICES, kinds, sealed, slice};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Fresh, Kind, Slice, Tables, Value};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static DIRECTORY: RefCell<tempfile::TempDir> = RefCell::new({
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::create_dir(directory.path().join(Variant::Russian.name())).expect("a directory");
        directory
    });
}

/// The slice and kind whose table the bytes say that they are, or the first.
fn named(file: &[u8]) -> (Slice, Kind) {
    for number in 0..SLICES.len() {
        for kind in kinds() {
            // As they stand in a header, each behind its length.
            let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
            let name = [text(&slice(number).to_string()), text(&kind.name())].concat();
            if file.windows(name.len()).any(|window| window == name) {
                return (slice(number), kind);
            }
        }
    }
    (slice(0), Kind::Value)
}

fn probe(directory: &std::path::Path, file: &[u8], slice: Slice, kind: Kind) {
    let tables = Tables::open(directory, Variant::Russian);
    // The same bytes in the place of every kind: the others are refused.
    for place in kinds() {
        std::fs::write(tables.path(slice, &place), file).expect("written");
    }
    let index = tables.index(slice);
    let mut cells = vec![0; index.positions() as usize];
    let are_decoded = tables.quiet(slice, &kind, 0, &mut cells).is_ok();
    if let Ok(Some(table)) = tables.table(slice, &kind) {
        for page in 0..=table.pages() {
            let _ = table.verify_page(page);
        }
    }
    for number in (0..index.positions()).step_by(61) {
        let position = index.position(number);
        tables.prefetch(&Rules::OFFICIAL, &position);
        let value = tables.fresh_value(&Rules::NONE, &position);
        if kind == Kind::Value && are_decoded && !position.can_capture() {
            let cell = usize::from(cells[number as usize]);
            assert_eq!(value.ok(), [Value::Draw, Value::Win, Value::Loss].get(cell).copied());
        }
    }
    let _ = tables.read(slice, &Rules::OFFICIAL, 0, &mut [Fresh::NOTHING; 8]);
    for place in kinds() {
        std::fs::remove_file(tables.path(slice, &place)).expect("removed");
    }
}

fuzz_target!(|file: &[u8]| DIRECTORY.with_borrow(|directory| {
    let (slice, kind) = named(file);
    probe(directory.path(), file, slice, kind);
    if let Some(sealed) = sealed(file.to_vec(), slice, kind) {
        probe(directory.path(), &sealed, slice, kind);
    }
}));
