//! A sound table file with some bytes changed or cut off: every cell is an error or what it was.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use bolshak_fuzz::{Runs, kinds, slice, sound_tables};
use bolshak_rules::Variant;
use bolshak_tables::Tables;
use libfuzzer_sys::fuzz_target;

static SOUND: LazyLock<(tempfile::TempDir, Tables)> = LazyLock::new(sound_tables);

/// What is done to a file.
#[derive(Arbitrary, Debug)]
struct Damage {
    slice: u8,
    kind: u8,
    /// Places and what they are changed by.
    changes: Vec<(u32, u8)>,
    /// How many bytes are cut off.
    cut: Option<u16>,
    /// Where probing begins.
    start: u32,
}

fuzz_target!(|damage: Damage| {
    let sound_tables = &SOUND.1;
    let (slice, kind) = (slice(damage.slice.into()), kinds()[usize::from(damage.kind) % kinds().len()]);
    let path = sound_tables.path(slice, &kind);
    let sound = std::fs::read(&path).expect("a sound table");
    let mut file = sound.clone();
    for (place, change) in &damage.changes {
        let place = *place as usize % file.len();
        file[place] ^= change;
    }
    file.truncate(file.len().saturating_sub(damage.cut.unwrap_or(0).into()));
    std::fs::write(&path, &file).expect("written");
    let tables = Tables::open(sound_tables.directory(), Variant::Russian);
    let positions = sound_tables.index(slice).positions();
    let start = u64::from(damage.start) % positions;
    let mut cells = vec![0; (positions - start).min(1 << 11) as usize];
    if tables.quiet(slice, &kind, start, &mut cells).is_ok() {
        for (number, cell) in (start..).zip(cells) {
            assert_eq!(cell, Runs::cell(number), "{slice}.{} at {number}", kind.name());
        }
    } else {
        assert_ne!(file, sound, "a sound table is refused");
    }
    drop(tables);
    std::fs::write(&path, &sound).expect("written");
});
