//! Solves all pairs of two to so many pieces without draw rules, nothing compressed or written: pairs one after another,
//! and side by side. `cargo bench -p bolshak-generate --bench whole -- 6`; without a number, five pieces.
#![allow(clippy::print_stdout, reason = "it is what a benchmark is for")]

use std::time::Instant;

use bolshak_generate::{Children, Making, Schedule, SetwiseSolver, SolveError, Solver, Step, Wanted};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Forced, LookUpError, Pair, Slice};

/// The solver remembers what it has solved, so that nothing is read.
struct Unread;

impl Children for Unread {
    fn read(&self, slice: Slice, rules: &Rules, _: u64, _: &mut [Forced]) -> Result<(), LookUpError> {
        unreachable!("{slice} under {} has been solved", rules.set.name)
    }

    fn same_winners(&self, _: Slice, _: &Rules) -> Result<bool, LookUpError> {
        Ok(true)
    }
}

fn main() {
    let pieces = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(5);
    let slices: Vec<Slice> = (2..=pieces).flat_map(Slice::all_of).collect();
    let making = Making::Forced(vec![Rules::NONE]);
    let steps: Vec<Step> =
        Pair::closure(&slices).into_iter().map(|pair| Step { pair, making: making.clone() }).collect();
    let positions: u64 = steps.iter().map(Step::positions).sum();
    println!("{} pairs, {positions} positions", steps.len());
    let threads = rayon::current_num_threads();
    for round in 1..=3 {
        for (name, at_once) in [("one after another", 1), ("side by side", threads)] {
            let solver = SetwiseSolver::default();
            let (begun, begun_cpu) = (Instant::now(), processor_seconds());
            let solve = |step: &Step| {
                solver.solve(step.pair, Variant::Russian, &[], &Unread, &())?;
                Ok::<(), SolveError>(())
            };
            Schedule::new(&steps, &solver).run(at_once, Wanted::DEFAULT_ROOM_BYTES, solve).expect("nothing is missing");
            let seconds = begun.elapsed().as_secs_f64();
            let processor = begun_cpu.zip(processor_seconds()).map(|(begun, now)| now - begun);
            println!(
                "{round}. {name}: {seconds:.2} s on {threads} threads, {} of processor time, {:.1} M positions/s",
                processor.map_or("?".to_owned(), |seconds| format!("{seconds:.2} s")),
                positions as f64 / seconds / 1e6
            );
        }
    }
}

/// Processor time of this process so far, where the system tells it.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = after_name.get(11)?.parse::<f64>().ok()? + after_name.get(12)?.parse::<f64>().ok()?;
    // Linux counts hundredths of a second here, whatever its own clock.
    Some(ticks / 100.)
}
