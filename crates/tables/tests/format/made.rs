//! Small tables of every kind.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{ScalarSolver, generate};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Fresh, Kind, Slice, Tables};

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
