//! What exact answers for states with counters cost: random positions with random counters, in processor time of the
//! thread that asks.
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench counters -- KKmvKK KKKmvKK
//! ```
//!
//! Without slices it measures all whose tables are there. A state has `kings` anywhere below its limit and `ratio` from
//! there up to its own. The last line is of all slices together, each as often as it has positions.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::path::PathBuf;
use std::time::Duration;

use bolshak_rules::{Counters, Rules, State, Variant};
use bolshak_tables::{Query, Slice, SliceIndex, Tables};
use cpu_time::ThreadTime;

const STATES_OF_A_SLICE: usize = 20_000;
const STATES_OF_ALL: usize = 100_000;
const RULES: Rules = Rules::OFFICIAL;

/// A linear congruential generator, so that each run asks the same.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        let mut next = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u128::from(self.0 >> 32)
        };
        (((next() << 32 | next()) * u128::from(end)) >> 64) as u64
    }

    fn state(&mut self, index: &SliceIndex) -> State {
        let position = index.position(self.below(index.positions()));
        let mut state = State { position, counters: Counters::default() };
        let ratio_limit = RULES.ratio_left(&state).unwrap_or(120);
        let kings_limit = RULES.kings_left(&state).unwrap_or(ratio_limit).min(ratio_limit);
        state.counters.kings_plies = self.below(kings_limit.into()) as u32;
        let rest = ratio_limit - state.counters.kings_plies;
        state.counters.ratio_plies = state.counters.kings_plies + self.below(rest.into()) as u32;
        state
    }
}

/// Prints what answers take; the slowest states are named.
fn report(tables: &Tables, name: &str, states: impl Iterator<Item = State>) {
    let mut times: Vec<(Duration, State)> = states
        .map(|state| {
            let begun = ThreadTime::now();
            tables.probe_outcome(&RULES, &state, Query::default()).unwrap();
            (begun.elapsed(), state)
        })
        .collect();
    times.sort_by_key(|(time, _)| *time);
    let microseconds = |per_mille: usize| times[(times.len() - 1) * per_mille / 1000].0.as_secs_f64() * 1e6;
    let quick = times.partition_point(|(time, _)| *time < Duration::from_millis(1));
    println!(
        "| {name} | {} | {:.3} | {:.1} | {:.0} | {:.0} | {:.0} | `{}` ratio {} kings {} |",
        times.len(),
        100.0 * quick as f64 / times.len() as f64,
        microseconds(500),
        microseconds(990),
        microseconds(999),
        microseconds(1000),
        times[times.len() - 1].1.position.to_fen(),
        times[times.len() - 1].1.counters.ratio_plies,
        times[times.len() - 1].1.counters.kings_plies,
    );
}

fn main() {
    let directory = std::env::var_os("BOLSHAK_TABLES").map_or_else(|| "data/tables".into(), PathBuf::from);
    let tables = Tables::open(directory, Variant::Russian);
    let named: Vec<Slice> = std::env::args().skip(1).filter_map(|name| name.parse().ok()).collect();
    let slices = if named.is_empty() { tables.slices().unwrap() } else { named };
    println!("| slice | states | % in 1 ms | median us | 99 % us | 99.9 % us | longest us | the longest |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut random = Random(1);
    let indices: Vec<_> = slices.iter().map(|&slice| tables.index(slice)).collect();
    for (slice, index) in slices.iter().zip(&indices) {
        report(&tables, &slice.to_string(), (0..STATES_OF_A_SLICE).map(|_| random.state(index)));
    }
    let positions: u64 = indices.iter().map(|index| index.positions()).sum();
    let any = || {
        let mut number = random.below(positions);
        let index = indices.iter().find(|index| {
            let here = number < index.positions();
            number = number.saturating_sub(index.positions());
            here
        });
        random.state(index.unwrap())
    };
    report(&tables, "all", std::iter::repeat_with(any).take(STATES_OF_ALL));
}
