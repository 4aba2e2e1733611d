//! What making tables takes, as measured: the one place that estimates come from.
//!
//! Measured by `bolshak generate --pieces 6 --threads 1 --format json` on one core with AVX-512, values, distances and
//! the official rules, compressed and written. Costs depend on the number of kings on the board above all: without
//! kings there is nothing to take together, and with many the play between two conversions is long.

use std::time::Duration;

use bolshak_rules::Rules;
use bolshak_tables::{Kind, Slice};

use crate::count::positions;

/// What the slices with a number of kings take for each position.
struct Rate {
    /// Nanoseconds on one core without draw rules.
    base_ns: f64,
    /// Nanoseconds more for a rule set.
    changes_ns: f64,
    /// Bits in the tables of values and distances.
    base_bits: f64,
    /// Bits in the table of a rule set's changes.
    changes_bits: f64,
}

const fn rate(base_ns: f64, changes_ns: f64, base_bits: f64, changes_bits: f64) -> Rate {
    Rate { base_ns, changes_ns, base_bits, changes_bits }
}

/// By number of kings on the board; the last is for more as well.
const BY_KINGS: [Rate; 7] = [
    rate(918., 900., 3.76, 0.045),
    rate(237., 228., 2.63, 0.048),
    rate(60., 61., 2.44, 0.045),
    rate(46., 44., 2.21, 0.043),
    rate(46., 49., 2.02, 0.043),
    rate(61., 272., 1.88, 0.067),
    rate(85., 71., 1.78, 0.038),
];

/// Nanoseconds to read a position of a finished slice.
const READING_NS: f64 = 4.;
/// Time to start and to open what is read.
const STARTING: Duration = Duration::from_millis(200);
/// What a process takes besides what its solver tells: decoded blocks, file buffers, threads.
const PROCESS_BYTES: u64 = 256 << 20;
/// The share of the time that more cores divide.
const PARALLEL: f64 = 0.55;
/// What is shorter on one core is not worth more.
const WORTH_DIVIDING: Duration = Duration::from_secs(60);

/// What making tables under some rules takes.
pub(crate) struct Rates {
    /// Whether the rules have tables besides those of the game without draw rules.
    changes: bool,
}

impl Rates {
    pub(crate) fn of(rules: &Rules) -> Rates {
        Rates { changes: Kind::changes(rules).is_some() }
    }

    /// Time to make the tables of a slice on one core.
    pub(crate) fn solving(&self, slice: Slice) -> Duration {
        let rate = of(slice);
        nanoseconds(slice, rate.base_ns + if self.changes { rate.changes_ns } else { 0. })
    }

    /// Time to read the tables of a slice on one core.
    pub(crate) fn reading(&self, slice: Slice) -> Duration {
        nanoseconds(slice, READING_NS)
    }

    /// Length of the tables of a slice.
    pub(crate) fn table_bytes(&self, slice: Slice) -> u64 {
        let rate = of(slice);
        let bits = rate.base_bits + if self.changes { rate.changes_bits } else { 0. };
        (positions(slice) as f64 * bits / 8.) as u64
    }
}

/// The cores that work of so much time on one core is worth, and the time that it then takes.
pub(crate) fn divided(core_time: Duration, most_cores: u16) -> (u16, Duration) {
    let cores = if core_time < WORTH_DIVIDING { 1 } else { most_cores };
    (cores, STARTING + core_time.mul_f64(1. - PARALLEL + PARALLEL / f64::from(cores)))
}

/// Memory of a process whose solver needs so much.
pub(crate) fn process_bytes(solver_bytes: u64) -> u64 {
    PROCESS_BYTES + solver_bytes
}

fn of(slice: Slice) -> &'static Rate {
    let kings = usize::from(slice.mover().kings + slice.opponent().kings);
    &BY_KINGS[kings.min(BY_KINGS.len() - 1)]
}

fn nanoseconds(slice: Slice, each: f64) -> Duration {
    Duration::from_secs_f64(positions(slice) as f64 * each / 1e9)
}
