//! What it costs to compress tables, and how long they get:
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench write -- KKmvKmm KKvKKmm
//! ```
//!
//! It reads tables that are there, frees the cells that were free when they were made, and writes them again on one thread
//! in a temporary directory. Without slices it takes all that are there. Times are of the processor, so that it does not
//! matter who else is at work.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Cells, FREE_CELL, Kind, Slice, Tables, write_table};
use cpu_time::ThreadTime;

/// Cells that are in memory.
struct Filled<'a>(&'a [u16]);

impl Cells for Filled<'_> {
    fn read(&self, start: u64, cells: &mut [u16]) {
        self.0.read(start, cells);
    }
}

fn main() {
    let directory = std::env::var_os("BOLSHAK_TABLES").map_or_else(|| "data/tables".into(), PathBuf::from);
    let tables = Tables::open(directory, Variant::Russian);
    let named: Vec<Slice> = std::env::args().skip(1).filter_map(|name| name.parse().ok()).collect();
    let slices = if named.is_empty() { tables.slices().unwrap() } else { named };
    let written = tempfile::tempdir().unwrap();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!(
        "| table | positions | bytes before | bytes | processor s | million positions/s |\n|---|--:|--:|--:|--:|--:|"
    );
    let mut all = [(0, 0, 0, 0.0); 3];
    for slice in slices {
        let index = tables.index(slice);
        let positions = index.positions();
        let captures: Vec<bool> = (0..positions).map(|number| index.position(number).can_capture()).collect();
        let mut values = vec![0; positions as usize];
        for (kind, all) in Kind::needed_by(&Rules::OFFICIAL).zip(&mut all) {
            let Some(table) = tables.table(slice, &kind).unwrap() else { continue };
            let mut cells = vec![0; positions as usize];
            tables.quiet(slice, &kind, 0, &mut cells).unwrap();
            if kind == Kind::Value {
                values.clone_from(&cells);
            }
            for ((cell, &capture), &value) in cells.iter_mut().zip(&captures).zip(&values) {
                if capture || kind == Kind::Distance && value == 0 {
                    *cell = FREE_CELL;
                }
            }
            let path = written.path().join(format!("{slice}.{}", kind.name()));
            let (statistics, stop) = (table.statistics().clone(), AtomicBool::new(false));
            let (bytes, seconds) = one_thread.install(|| {
                let begun = ThreadTime::now();
                let bytes = write_table(&path, Variant::Russian, &index, kind, &Filled(&cells), statistics, &stop);
                (bytes.unwrap(), begun.elapsed().as_secs_f64())
            });
            std::fs::remove_file(path).unwrap();
            print(&format!("{slice}.{}", kind.name()), (positions, table.bytes(), bytes, seconds));
            *all = (all.0 + positions, all.1 + table.bytes(), all.2 + bytes, all.3 + seconds);
        }
    }
    for (kind, all) in Kind::needed_by(&Rules::OFFICIAL).zip(all) {
        print(&format!("all: {}", kind.name()), all);
    }
}

fn print(table: &str, (positions, before, bytes, seconds): (u64, u64, u64, f64)) {
    let speed = positions as f64 / seconds / 1e6;
    println!("| {table} | {positions} | {before} | {bytes} | {seconds:.2} | {speed:.1} |");
}
