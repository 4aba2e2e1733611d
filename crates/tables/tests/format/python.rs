//! The reader in Python that was written from `docs/FORMAT.md` reads the same.

use std::fmt::Write;
use std::process::Command;

use bolshak_rules::Rules;
use bolshak_tables::{Kind, Query, Slice, Tables, Value};

use crate::made::{KINGS_PLIES, add_kings, kinds, tables, with_kings_left};

/// Run it as `docs/FORMAT.md` says.
#[test]
#[ignore = "needs a Python with zstandard, xxhash and blake3, named by BOLSHAK_PYTHON"]
fn the_reader_in_python_reads_the_same_cells() {
    let python = std::env::var("BOLSHAK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format/read_table.py");
    let (_directory, tables) = tables(&["KKvK", "KKvKK", "mvKm", "KKvm"]);
    let kings = Kind::Kings(Rules::OFFICIAL);
    add_kings(&tables, "KKvm".parse().unwrap());
    for name in ["KvK", "KKvK", "KvKK", "mvm", "KKvKK", "mvKm", "KKvm"] {
        let slice: Slice = name.parse().unwrap();
        let there = |kind: &Kind| tables.path(slice, kind).exists();
        for kind in kinds().into_iter().chain([kings]).filter(there) {
            let path = tables.path(slice, &kind);
            let output = Command::new(&python).arg(reader).arg(&path).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let index = tables.index(slice);
            let mut cells = vec![0; index.positions() as usize];
            tables.quiet(slice, &kind, 0, &mut cells).unwrap();
            if kind == kings {
                check_steps(&tables, slice, &String::from_utf8(output.stdout).unwrap());
                continue;
            }
            let mut expected = String::new();
            for (number, cell) in cells.iter().enumerate() {
                let fen = index.position(number as u64).to_fen();
                writeln!(expected, "{number}\t{cell}\t{fen}").unwrap();
            }
            assert!(String::from_utf8(output.stdout).unwrap() == expected, "{}", path.display());
        }
    }
}

/// Each line has, after the position, how long it takes with so many plies left to kings, from the fresh distance or the
/// whole count down to 1, `-` for gone. What is printed of positions with captures may be anything.
fn check_steps(tables: &Tables, slice: Slice, lines: &str) {
    let index = tables.index(slice);
    let mut compared = 0;
    for (number, line) in lines.lines().enumerate() {
        let position = index.position(number as u64);
        let plies = tables.fresh(&Rules::OFFICIAL, &position).unwrap().under_rules.plies().map_or(0, u32::from);
        if plies < 2 || position.can_capture() {
            continue;
        }
        let of_left = (1..plies.min(KINGS_PLIES)).rev().map(|left| {
            let state = with_kings_left(position, left);
            let outcome = tables.probe_outcome(&Rules::OFFICIAL, &state, Query::default()).unwrap();
            match (outcome.value, outcome.distance_plies) {
                (Value::Win | Value::Loss, Some(plies)) => plies.to_string(),
                _ => "-".to_owned(),
            }
        });
        let expected = format!("{number}\t{}\t{}", position.to_fen(), of_left.collect::<Vec<_>>().join(" "));
        assert_eq!(line, expected);
        compared += 1;
    }
    assert_eq!(lines.lines().count() as u64, index.positions());
    assert!(compared > 1000);
}
