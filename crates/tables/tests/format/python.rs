//! The reader in Python that was written from `docs/FORMAT.md` reads the same.

use std::fmt::Write;
use std::process::Command;

use bolshak_tables::Slice;

use crate::made::{kinds, tables};

/// Run it as `docs/FORMAT.md` says.
#[test]
#[ignore = "needs a Python with zstandard and xxhash, named by BOLSHAK_PYTHON"]
fn the_reader_in_python_reads_the_same_cells() {
    let python = std::env::var("BOLSHAK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format/read_table.py");
    let (_directory, tables) = tables(&["KKvK", "KKvKK", "mvKm"]);
    for name in ["KvK", "KKvK", "KvKK", "mvm", "KKvKK", "mvKm"] {
        let slice: Slice = name.parse().unwrap();
        for kind in kinds() {
            let path = tables.path(slice, &kind);
            let output = Command::new(&python).arg(reader).arg(&path).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let index = tables.index(slice);
            let mut cells = vec![0; index.positions() as usize];
            tables.quiet(slice, &kind, 0, &mut cells).unwrap();
            let mut expected = String::new();
            for (number, cell) in cells.iter().enumerate() {
                let fen = index.position(number as u64).to_fen();
                writeln!(expected, "{number}\t{cell}\t{fen}").unwrap();
            }
            assert!(String::from_utf8(output.stdout).unwrap() == expected, "{}", path.display());
        }
    }
}
