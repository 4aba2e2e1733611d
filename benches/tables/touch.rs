//! What it costs to ask a page of values for the first time, when it is checked, and again:
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench touch -- 5 6
//! ```
//!
//! One position of every page of all slices of so many pieces, in tables that were just opened; the files are in memory.
//! Processor time of the quickest of several rounds.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::path::PathBuf;
use std::time::Duration;

use bolshak_rules::{Position, Rules, Variant};
use bolshak_tables::{Kind, Slice, Tables};
use cpu_time::ThreadTime;

const ROUNDS: usize = 8;

/// A position in about every page of a slice's values in which nobody can capture.
fn positions(tables: &Tables, slice: Slice) -> Vec<Position> {
    let (index, pages) = (tables.index(slice), tables.table(slice, &Kind::Value).unwrap().unwrap().pages());
    let cells = index.positions().div_ceil(pages).next_power_of_two();
    let of_page = |page: u64| {
        let mut numbers = page * cells..index.positions().min((page + 1) * cells);
        numbers.find_map(|number| Some(index.position(number)).filter(|position| !position.can_capture()))
    };
    (0..pages).filter_map(of_page).collect()
}

fn main() {
    let directory = std::env::var_os("BOLSHAK_TABLES").map_or_else(|| "data/tables".into(), PathBuf::from);
    let wanted: Vec<u8> = std::env::args().skip(1).filter_map(|pieces| pieces.parse().ok()).collect();
    let all = Tables::open(&directory, Variant::Russian);
    let mut slices = all.slices().unwrap();
    slices.retain(|slice| wanted.contains(&slice.pieces()));
    let bytes: u64 = slices.iter().map(|slice| all.table(*slice, &Kind::Value).unwrap().unwrap().bytes()).sum();
    let asked: Vec<Position> = slices.iter().flat_map(|&slice| positions(&all, slice)).collect();
    let (mut first, mut again) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let tables = Tables::open(&directory, Variant::Russian);
        for &slice in &slices {
            tables.table(slice, &Kind::Value).unwrap();
        }
        let round = || {
            let begun = ThreadTime::now();
            for position in &asked {
                std::hint::black_box(tables.fresh_value(&Rules::NONE, position).unwrap());
            }
            begun.elapsed()
        };
        first = first.min(round());
        again = again.min(round());
    }
    let each = |time: Duration| time.as_nanos() / asked.len() as u128;
    let mean_bytes = bytes / asked.len() as u64;
    println!(
        "{} pages of {mean_bytes} bytes: {} ns the first time, {} ns again",
        asked.len(),
        each(first),
        each(again)
    );
}
