//! What a directory of hundreds of tables costs before the first answer:
//!
//! ```sh
//! cargo bench -p bolshak-tables --bench open
//! ```
//!
//! It makes tables of real headers and page tables, but with nothing forced anywhere, for all slices of up to five pieces
//! and more, and all rule sets, until there are 500.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bolshak_rules::{Position, RuleSet, Rules, Variant};
use bolshak_tables::{Cells, Histogram, Kind, Slice, Statistics, Tables, write_table};

const TABLES: usize = 500;

/// Cells of a table in which nothing is forced.
struct Nothing;

impl Cells for Nothing {
    fn read(&self, _: u64, cells: &mut [u16]) {
        cells.fill(0);
    }
}

/// The tables: those of the smallest slices, under all rule sets.
fn wanted() -> Vec<(Slice, Kind)> {
    let mut kinds: Vec<Kind> = Vec::new();
    for kind in RuleSet::ALL.into_iter().flat_map(|set| Kind::needed_by(&Rules::new(Variant::Russian, set))) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let slices = (2..=6).flat_map(Slice::all_of);
    slices.flat_map(|slice| kinds.clone().into_iter().map(move |kind| (slice, kind))).take(TABLES).collect()
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    std::fs::create_dir(directory.path().join("russian")).unwrap();
    let wanted = wanted();
    for (slice, kind) in &wanted {
        let (path, index) = (tables.path(*slice, kind), tables.index(*slice));
        let stop = AtomicBool::new(false);
        let histogram = Histogram { draw: index.positions(), ..Histogram::default() };
        let statistics = Statistics { histogram, ..Statistics::default() };
        write_table(&path, Variant::Russian, &index, *kind, &Nothing, statistics, &stop).unwrap();
    }
    let timed = |what: &str, work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        println!("| {what} | {:.3} |", begun.elapsed().as_secs_f64() * 1e3);
    };
    println!("{} tables\n\n| what | ms |\n|---|--:|", wanted.len());
    let mut opened = None;
    timed("Tables::open", &mut || opened = Some(Tables::open(directory.path(), Variant::Russian)));
    let tables = opened.unwrap();
    timed("coverage", &mut || assert!(tables.coverage().unwrap().complete_pieces(&Rules::OFFICIAL) >= 4));
    let position = Position::from_fen("W:WKa1,Kc1:BKh8,Kb8").unwrap().position;
    timed("the first look-up", &mut || {
        tables.fresh(&Rules::OFFICIAL, &position).unwrap();
    });
    timed("opening all", &mut || {
        for (slice, kind) in &wanted {
            assert!(tables.table(*slice, kind).unwrap().is_some());
        }
    });
    if let Ok(descriptors) = std::fs::read_dir("/proc/self/fd") {
        println!("\nfile descriptors then open: {}", descriptors.count() - 1);
    }
}
