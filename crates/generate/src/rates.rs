//! What making tables takes, as measured: the one place that estimates come from.
//!
//! Measured by `bolshak generate --pieces 6 --threads 1 --format json` on one core with AVX-512: values, distances and
//! the official rules, compressed and written. Costs depend on the number of kings on the board above all: without
//! kings there is nothing to take together, and with many the play between two conversions is long. Without draw rules
//! it is somewhat less.

use std::time::Duration;

use bolshak_tables::Slice;

use crate::count::positions;

/// What slices take for each position.
pub(crate) struct Rate {
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
    rate(302., 99., 1.346),
    rate(84., 54., 0.891),
    rate(27., 45., 0.731),
    rate(22., 40., 0.589),
    rate(24., 35., 0.475),
    rate(117., 34., 0.510),
    rate(35., 37., 0.524),
];

/// What the tables of how king moves left matter take where four kings are on the board, and where more are. By the same
/// command with `--kings`.
const KINGS: [Rate; 2] = [rate(90., 10., 0.522), rate(169., 8., 0.527)];

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

impl Rate {
    /// Time to solve a slice on one core.
    pub(crate) fn solving(&self, slice: Slice) -> Duration {
        nanoseconds(slice, self.solving_ns)
    }

    /// Time to compress and write its tables on one core.
    pub(crate) fn writing(&self, slice: Slice) -> Duration {
        nanoseconds(slice, self.writing_ns)
    }

    /// Length of its tables.
    pub(crate) fn table_bytes(&self, slice: Slice) -> u64 {
        (positions(slice) as f64 * self.bits / 8.) as u64
    }
}

/// What is forced in a slice, and its tables.
pub(crate) fn forced(slice: Slice) -> &'static Rate {
    &BY_KINGS[kings(slice).min(BY_KINGS.len() - 1)]
}

/// How king moves left matter in a slice, and the table of it.
pub(crate) fn kings_left(slice: Slice) -> &'static Rate {
    &KINGS[usize::from(kings(slice) > 4)]
}

/// Time to read the tables of a slice on one core.
pub(crate) fn reading(slice: Slice) -> Duration {
    nanoseconds(slice, READING_NS)
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

fn kings(slice: Slice) -> usize {
    usize::from(slice.mover().kings + slice.opponent().kings)
}

fn nanoseconds(slice: Slice, each: f64) -> Duration {
    Duration::from_secs_f64(positions(slice) as f64 * each / 1e9)
}
