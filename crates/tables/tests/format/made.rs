//! Small tables of every kind.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use bolshak_generate::{ScalarSolver, generate};
use bolshak_rules::{Counters, Position, Rules, State, Variant};
use bolshak_tables::{
    Cells, FREE_CELL, Fresh, Histogram, Kind, KingsLists, KingsSteps, Query, Slice, Statistics, Tables, Value,
    write_table,
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Official tables of these slices and all that they lead to, in a directory that goes with them.
pub fn tables(slices: &[&str]) -> (tempfile::TempDir, Tables) {
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    let slices: Vec<Slice> = slices.iter().map(|name| name.parse().unwrap()).collect();
    generate(&tables, &slices, &[Rules::OFFICIAL], &ScalarSolver, &mut (), &AtomicBool::new(false)).unwrap();
    (directory, tables)
}

/// The kinds of table that the official rules need.
pub fn kinds() -> Vec<Kind> {
    Kind::needed_by(&Rules::OFFICIAL).collect()
}

/// A rule set's count of plies by kings.
pub const KINGS_PLIES: u32 = 30;

/// Adds a table of how king moves left matter in a slice without a limit on the force ratio, made of what searches find.
pub fn add_kings(tables: &Tables, slice: Slice) {
    let index = tables.index(slice);
    let mut found = Kings { lists: KingsLists::default(), cells: Vec::new() };
    let mut numbers = HashMap::new();
    for number in 0..index.positions() {
        let position = index.position(number);
        let fresh = tables.fresh(&Rules::OFFICIAL, &position).unwrap().under_rules;
        let plies = fresh.plies().map_or(0, u32::from);
        let steps = (plies > 1 && !position.can_capture()).then(|| {
            KingsSteps::new(KINGS_PLIES, plies, |left| {
                let state = with_kings_left(position, left);
                let outcome = tables.probe_outcome(&Rules::OFFICIAL, &state, Query::default()).unwrap();
                let forced = matches!(outcome.value, Value::Win | Value::Loss);
                outcome.distance_plies.filter(|_| forced).map(u32::from)
            })
            .unwrap()
        });
        let number = steps.map(|steps| *numbers.entry(steps).or_insert_with_key(|steps| found.lists.push(steps)));
        found.cells.push(number.unwrap_or(FREE_CELL));
    }
    let kind = Kind::Kings(Rules::OFFICIAL);
    let path = tables.path(slice, &kind);
    let never = AtomicBool::new(false);
    write_table(&path, tables.variant(), &index, kind, &found, Statistics::default(), &never).unwrap();
}

/// A state with so many plies left to kings.
pub fn with_kings_left(position: Position, left: u32) -> State {
    let kings_plies = KINGS_PLIES - left;
    State { position, counters: Counters { ratio_plies: kings_plies, kings_plies, road_moves: 0 } }
}

struct Kings {
    lists: KingsLists,
    cells: Vec<u16>,
}

impl Cells for Kings {
    fn read(&self, start: u64, cells: &mut [u16]) {
        self.cells[..].read(start, cells);
    }

    fn kings_lists(&self) -> Option<&KingsLists> {
        Some(&self.lists)
    }
}

/// So many positions, all of them draws.
pub fn draws(positions: u64) -> Statistics {
    Statistics { histogram: Histogram { draw: positions, ..Histogram::default() }, ..Statistics::default() }
}

/// Makes all checksums of a table right, as a forger would. Its name is such as `russian/KvK.value`.
pub fn seal(file: &mut [u8], name: &str) {
    let number = |file: &[u8], at: usize, length: usize| {
        file[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let first_page = 64 + number(file, 14, 2) + number(file, 16, 4);
    let (pages, table) = (number(file, 24, 8).div_ceil(1 << file[12]), number(file, 32, 8));
    let mut start = first_page;
    for page in 0..pages {
        let entry = table + 16 * page;
        let end = number(file, entry, 8);
        let checksum = xxh3_64_with_seed(&file[start..end], xxh3_64(format!("{name}#{page}").as_bytes()));
        file[entry + 8..entry + 16].copy_from_slice(&checksum.to_le_bytes());
        start = end;
    }
    let sums = [xxh3_64(&file[64..first_page]), xxh3_64(&file[table..])];
    file[40..48].copy_from_slice(&sums[0].to_le_bytes());
    file[48..56].copy_from_slice(&sums[1].to_le_bytes());
    let prefix = xxh3_64(&file[..56]);
    file[56..64].copy_from_slice(&prefix.to_le_bytes());
}

/// What is forced in each position of a slice.
pub fn values(tables: &Tables, slice: Slice) -> Vec<Fresh> {
    let mut values = vec![Fresh::NOTHING; tables.index(slice).positions() as usize];
    tables.read(slice, &Rules::OFFICIAL, 0, &mut values).unwrap();
    values
}

/// Numbers that look random, the same each time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}
