//! Judges generated games, each verdict compared with a second, literal counter, and prints how fast and in how much
//! memory: `cargo run --release -p bolshak-arbiter --example generated_games -- [GAMES] [SEED]`.
//!
//! Every article must be met at least once for every hundred games.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a command for developers, which should stop where it fails"
)]

#[path = "../tests/arbiter/generated.rs"]
mod generated;
#[path = "../tests/arbiter/literal.rs"]
mod literal;

use std::time::{Duration, Instant};

use bolshak_arbiter::Detail;
use bolshak_arbiter::pdn::Reader;
use generated::{Random, Tally, arbiter, compare, generate};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().unwrap());
    let games = arguments.next().unwrap_or(100_000);
    let (arbiter, mut random, mut tally) = (arbiter(), Random(arguments.next().unwrap_or(1)), Tally::new());
    let (mut reading, mut judging, mut plies, mut done) = (Duration::ZERO, Duration::ZERO, 0, 0);
    while done < games {
        // A file of a thousand games at a time, so that reading is measured as it is done.
        let count = 1_000.min(games - done);
        let file: String = (0..count).map(|_| generate(&mut random).to_pdn() + "\n").collect();
        let begun = Instant::now();
        let records: Vec<_> = Reader::new(file.as_bytes()).map(Result::unwrap).collect();
        reading += begun.elapsed();
        assert_eq!(records.len() as u64, count);
        let begun = Instant::now();
        for record in &records {
            plies += arbiter.verify(1, record, Detail::Summary).plies;
        }
        judging += begun.elapsed();
        for record in &records {
            assert_eq!((&record.error, record.warnings.len()), (&None, 0));
            compare(&arbiter, record, &mut tally);
        }
        done += count;
        if done % (games / 10).max(1) == 0 {
            println!("{done} games agree; peak memory {}", peak_memory());
        }
    }
    let rate = |time: Duration| done as f64 / time.as_secs_f64();
    println!("{done} games, {plies} plies: read {:.0} games/s, judged {:.0} games/s", rate(reading), rate(judging));
    for ((set, article), met) in &tally {
        println!("{set}\t{article}\t{met}");
    }
    assert!(tally.len() == 18 && tally.values().all(|&met| met >= done / 100), "too few of some article");
}

/// The most memory that this process has held, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}
