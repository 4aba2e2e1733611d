//! Random probes over all tables of so many pieces from two threads, with the pages of the files not in memory at first,
//! with and without telling the system that reads will be random (`MADV_RANDOM`):
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench random -- 6
//! ```
//!
//! Linux only. Positions are random among all of these slices, those with captures too, whose answers come from smaller
//! slices. Nobody else must have the files mapped, or their pages stay in memory.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]
#![allow(unsafe_code, reason = "advice on maps is given by address")]

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bolshak_rules::{Position, Rules, Variant};
use bolshak_tables::{Kind, Slice, Tables};

const THREADS: usize = 2;
const PROBES: usize = 300_000;

/// What the process has used so far.
#[derive(Clone, Copy)]
struct Use {
    resident_kib: u64,
    minor_faults: u64,
    major_faults: u64,
}

impl Use {
    fn now() -> Use {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        let resident_kib = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        Use { resident_kib, minor_faults: fields[7].parse().unwrap(), major_faults: fields[9].parse().unwrap() }
    }
}

/// Random positions of these slices, each as likely as any other.
fn positions(tables: &Tables, slices: &[Slice], seed: u64) -> Vec<Position> {
    let ends: Vec<u64> = slices
        .iter()
        .scan(0, |end, &slice| {
            *end += tables.index(slice).positions();
            Some(*end)
        })
        .collect();
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(state) * u128::from(*ends.last().unwrap())) >> 64) as u64
    };
    (0..PROBES)
        .map(|_| {
            let number = next();
            let slice = ends.partition_point(|&end| end <= number);
            let start = if slice == 0 { 0 } else { ends[slice - 1] };
            tables.index(slices[slice]).position(number - start)
        })
        .collect()
}

/// Tells the system something about all mapped tables.
///
/// # Safety
///
/// The advice must leave what is read from the maps as it is.
unsafe fn advise(directory: &Path, advice: libc::c_int) {
    for line in std::fs::read_to_string("/proc/self/maps").unwrap().lines() {
        if !line.contains(directory.to_str().unwrap()) {
            continue;
        }
        let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [start, end] = [start, end].map(|address| usize::from_str_radix(address, 16).unwrap());
        // SAFETY: the range is a map of this process, and the caller answers for the advice.
        let advised = unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(start), end - start, advice) };
        assert_eq!(advised, 0);
    }
}

/// Takes the pages of a file out of memory.
fn forget(path: &Path) {
    let file = File::open(path).unwrap();
    // SAFETY: the descriptor is open.
    assert_eq!(unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) }, 0);
}

/// Seconds that it takes to probe all of these positions.
fn probe(tables: &Tables, rules: &Rules, with_distance: bool, positions: &[Vec<Position>]) -> f64 {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for positions in positions {
            scope.spawn(move || {
                for position in positions {
                    if with_distance {
                        std::hint::black_box(tables.fresh(rules, position).unwrap());
                    } else {
                        std::hint::black_box(tables.fresh_value(rules, position).unwrap());
                    }
                }
            });
        }
    });
    begun.elapsed().as_secs_f64()
}

fn main() {
    let directory = std::env::var_os("BOLSHAK_TABLES").map_or_else(|| "data/tables".into(), PathBuf::from);
    let directory = directory.canonicalize().unwrap();
    let pieces: u8 = std::env::args().skip(1).find_map(|pieces| pieces.parse().ok()).unwrap_or(6);
    let all = Tables::open(&directory, Variant::Russian);
    let slices: Vec<Slice> =
        Slice::all_of(pieces).into_iter().filter(|&slice| all.has(slice, &Rules::OFFICIAL).unwrap()).collect();
    let asked: Vec<Vec<Position>> = (0..THREADS).map(|thread| positions(&all, &slices, 1 + thread as u64)).collect();
    drop(all);
    println!("{} slices, {THREADS} threads, {PROBES} probes each\n", slices.len());
    println!(
        "| asked | advice | first time, probes/s | again, probes/s | resident, MiB | major faults | minor faults |\n|---|---|--:|--:|--:|--:|--:|"
    );
    for (name, rules, with_distance) in
        [("value, no draw rules", Rules::NONE, false), ("value and distance, official", Rules::OFFICIAL, true)]
    {
        for random in [false, true] {
            let tables = Tables::open(&directory, Variant::Russian);
            for slice in tables.slices().unwrap() {
                for kind in Kind::needed_by(&rules) {
                    tables.table(slice, &kind).unwrap();
                }
            }
            // SAFETY: neither changes what is read: the maps are of files, shared and only read.
            unsafe {
                if random {
                    advise(&directory, libc::MADV_RANDOM);
                }
                advise(&directory, libc::MADV_DONTNEED);
            }
            for slice in tables.slices().unwrap() {
                for kind in Kind::needed_by(&rules) {
                    forget(&tables.path(slice, &kind));
                }
            }
            let before = Use::now();
            let first = probe(&tables, &rules, with_distance, &asked);
            let after = Use::now();
            let again = probe(&tables, &rules, with_distance, &asked);
            let all = (THREADS * PROBES) as f64;
            println!(
                "| {name} | {} | {:.0} | {:.0} | {:.0} | {} | {} |",
                if random { "random" } else { "none" },
                all / first,
                all / again,
                (after.resident_kib - before.resident_kib) as f64 / 1024.0,
                after.major_faults - before.major_faults,
                after.minor_faults - before.minor_faults
            );
        }
    }
}
