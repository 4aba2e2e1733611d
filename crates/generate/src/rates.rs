//! What making tables takes, as measured: the one place that estimates come from.
//!
//! Measured by `bolshak generate --pieces 6 --threads 1 --format json` on one core with AVX-512: values, distances and
//! the official rules, compressed and written. Costs depend on the number of kings on the board above all: without
//! kings there is nothing to take together, and with many the play between two conversions is long. Without draw rules
//! it is somewhat less.

use std::time::Duration;

use bolshak_tables::Slice;

use crate::count::positions;

/// What the slices with a number of kings take for each position.
struct Rate {
    /// Nanoseconds to solve it on one core.
    solving_ns: f64,
    /// Nanoseconds to compress and write it on one core.
    writing_ns: f64,
    /// Bits in the tables.
    bits: f64,
}

const fn rate(solving_ns: f64, writing_ns: f64, bits: f64) -> Rate {
    Rate { solving_ns, writing_ns, bits }
}

/// By number of kings on the board; the last is for more as well.
const BY_KINGS: [Rate; 7] = [
    rate(922., 113., 1.348),
    rate(166., 75., 0.901),
    rate(34., 69., 0.741),
    rate(28., 66., 0.598),
    rate(31., 52., 0.487),
    rate(171., 45., 0.524),
    rate(42., 54., 0.536),
];

/// Nanoseconds to read a position of a finished slice.
const READING_NS: f64 = 4.;
/// Time to start and to open what is read.
const STARTING: Duration = Duration::from_millis(200);
/// What a process takes besides what its solver tells: decoded blocks, file buffers, threads.
const PROCESS_BYTES: u64 = 256 << 20;
/// The share of the time that more cores divide.
const PARALLEL: f64 = 0.9;
/// What is shorter on one core is not worth more.
const WORTH_DIVIDING: Duration = Duration::from_secs(60);

/// Time to solve a slice on one core.
pub(crate) fn solving(slice: Slice) -> Duration {
    nanoseconds(slice, of(slice).solving_ns)
}

/// Time to compress and write the tables of a slice on one core.
pub(crate) fn writing(slice: Slice) -> Duration {
    nanoseconds(slice, of(slice).writing_ns)
}

/// Time to read the tables of a slice on one core.
pub(crate) fn reading(slice: Slice) -> Duration {
    nanoseconds(slice, READING_NS)
}

/// Length of the tables of a slice.
pub(crate) fn table_bytes(slice: Slice) -> u64 {
    (positions(slice) as f64 * of(slice).bits / 8.) as u64
}

/// The cores that work of so much time on one core is worth, and the time that it then takes.
pub(crate) fn divided(core_time: Duration, most_cores: u16) -> (u16, Duration) {
    let cores = if core_time < WORTH_DIVIDING { 1 } else { most_cores };
    (cores, STARTING + core_time.mul_f64(1. - PARALLEL + PARALLEL / f64::from(cores)))
}

/// Length of the file of a part, at most for long: a byte for each position, of which compression leaves about a third.
pub(crate) fn raw_bytes(positions: u64) -> u64 {
    positions / 3
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
