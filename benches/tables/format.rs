//! What the format of values takes and costs, against other ways to write the same cells:
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench format -- KKmvKKm KKmvKmm
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench format -- 5 6
//! ```
//!
//! A number stands for all slices of so many pieces. Without slices it measures all whose values are there. Sizes of the
//! others are of all cells where a position takes less than a tenth of a bit, since little of them is not the same, else of
//! evenly spread pages; the cells of positions in which one must capture are filled by the cell before. Latencies are of
//! single look-ups of random positions without captures in such pages, the index computed each time, and include about 20 ns
//! for the clock. Those of zstd use one decompressor and one buffer throughout. Those of value and distance together find
//! the blocks of distances decoded.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use bolshak_rules::{Position, Rules, Variant};
use bolshak_tables::{Kind, Slice, SliceIndex, Tables};
use rayon::prelude::*;

const PAGE: u64 = 1 << 16;
const PAGES: u64 = 24;
const PROBES: usize = 20_000;

/// Where all pages are compressed, not only some: below so many bits a position.
const SPARSE_BITS: f64 = 0.1;

/// The numbers of up to so many evenly spread pages of a slice.
fn spread(positions: u64, most: u64) -> impl Iterator<Item = u64> + Clone {
    let all = positions.div_ceil(PAGE);
    let count = all.min(most);
    (0..count).map(move |page| page * all / count)
}

/// The cells of a page and whether each is free; those that are free are filled.
fn page(tables: &Tables, slice: Slice, index: &SliceIndex, page: u64) -> (Vec<u8>, Vec<bool>) {
    let start = page * PAGE;
    let mut cells = vec![0; (index.positions() - start).min(PAGE) as usize];
    tables.quiet(slice, &Kind::Value, start, &mut cells).unwrap();
    let free: Vec<bool> = (start..).take(cells.len()).map(|number| index.position(number).can_capture()).collect();
    let mut known = free.iter().position(|free| !free).map_or(0, |place| cells[place]);
    let filled = cells.iter().zip(&free).map(|(&cell, &free)| {
        if !free {
            known = cell;
        }
        known as u8
    });
    (filled.collect(), free)
}

/// Bits a position of up to so many evenly spread pages when blocks of so many cells are compressed with zstd.
fn zstd_bits<const WAYS: usize>(tables: &Tables, slice: Slice, pages: u64, ways: [(usize, i32); WAYS]) -> [f64; WAYS] {
    let index = tables.index(slice);
    let numbers: Vec<u64> = spread(index.positions(), pages).collect();
    let sizes: Vec<[usize; WAYS]> = numbers
        .par_iter()
        .map(|&number| {
            let (cells, _) = page(tables, slice, &index, number);
            ways.map(|(block, level)| {
                cells.chunks(block).map(|cells| zstd::bulk::compress(cells, level).unwrap().len()).sum()
            })
        })
        .collect();
    let cells: u64 = numbers.iter().map(|number| (index.positions() - number * PAGE).min(PAGE)).sum();
    std::array::from_fn(|way| 8.0 * sizes.iter().map(|sizes| sizes[way]).sum::<usize>() as f64 / cells as f64)
}

/// Pages of a slice and random positions in them.
struct Sample {
    index: std::sync::Arc<SliceIndex>,
    starts: Vec<u64>,
    /// The cells, free ones filled.
    pages: Vec<Vec<u8>>,
    /// Positions, and the page and place of each.
    probes: Vec<(Position, usize, usize)>,
}

impl Sample {
    fn of(tables: &Tables, slice: Slice) -> Sample {
        let index = tables.index(slice);
        let starts: Vec<u64> = spread(index.positions(), PAGES).map(|page| page * PAGE).collect();
        let (mut pages, mut quiet) = (Vec::new(), Vec::new());
        for (number, start) in starts.iter().enumerate() {
            let (cells, free) = page(tables, slice, &index, start / PAGE);
            quiet.extend((0..cells.len()).filter(|&place| !free[place]).map(|place| (number, place)));
            pages.push(cells);
        }
        let mut state = 1u64;
        let probes = (0..PROBES).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (page, place) = quiet[(state >> 33) as usize % quiet.len()];
            (index.position(starts[page] + place as u64), page, place)
        });
        let probes = probes.collect();
        Sample { index, starts, pages, probes }
    }

    /// Median and 99th percentile in nanoseconds, of the second time round.
    fn latency(&self, mut look_up: impl FnMut(&Position, usize, usize) -> u8) -> [u128; 2] {
        let mut times = Vec::new();
        for _ in 0..2 {
            times.clear();
            for (position, page, place) in &self.probes {
                let begun = Instant::now();
                black_box(look_up(black_box(position), *page, *place));
                times.push(begun.elapsed().as_nanos());
            }
        }
        times.sort_unstable();
        [times[times.len() / 2], times[times.len() * 99 / 100]]
    }

    /// The latency when blocks of so many cells are compressed with zstd.
    fn zstd(&self, (block, level): (usize, i32)) -> [u128; 2] {
        let pages: Vec<Vec<Vec<u8>>> = self
            .pages
            .iter()
            .map(|page| page.chunks(block).map(|cells| zstd::bulk::compress(cells, level).unwrap()).collect())
            .collect();
        let (mut decompressor, mut cells) = (zstd::bulk::Decompressor::new().unwrap(), vec![0; block]);
        self.latency(|position, page, place| {
            black_box(self.index.index(position));
            decompressor.decompress_to_buffer(&pages[page][place / block], &mut cells[..]).unwrap();
            cells[place % block]
        })
    }

    /// The latency of cells of two bits each.
    fn raw(&self) -> [u128; 2] {
        let pack = |four: &[u8]| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell);
        let pages: Vec<Vec<u8>> = self.pages.iter().map(|page| page.chunks(4).map(pack).collect()).collect();
        self.latency(|position, page, _| {
            let place = (self.index.index(position) - self.starts[page]) as usize;
            pages[page][place / 4] >> (place % 4 * 2) & 3
        })
    }
}

fn main() {
    let directory = std::env::var_os("BOLSHAK_TABLES").map_or_else(|| "data/tables".into(), PathBuf::from);
    let tables = Tables::open(directory, Variant::Russian);
    let mut slices = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.parse::<u8>() {
            Ok(pieces) => slices.extend(tables.slices().unwrap().into_iter().filter(|slice| slice.pieces() == pieces)),
            Err(_) => slices.extend(argument.parse::<Slice>()),
        }
    }
    if slices.is_empty() {
        slices = tables.slices().unwrap();
    }
    println!(
        "| slice | bytes | bits a position | of zstd-19/64K | ns | with distance | zstd-19/64K bits | ns | zstd-3/4K bits | ns | raw ns |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let ways = [(1 << 16, 19), (1 << 12, 3)];
    let (mut positions, mut bytes, mut zstd_bits_of_all) = (0, 0, [0.0; 2]);
    let mut longer = Vec::new();
    for slice in slices {
        let Some(table) = tables.table(slice, &Kind::Value).unwrap() else { continue };
        let sample = Sample::of(&tables, slice);
        let slice_positions = sample.index.positions();
        let bits = 8.0 * table.bytes() as f64 / slice_positions as f64;
        let ours = sample.latency(|position, _, _| tables.fresh_value(&Rules::NONE, position).unwrap() as u8);
        let both = sample.latency(|position, _, _| tables.fresh(&Rules::NONE, position).unwrap().outcome().value as u8);
        let zstd_ns = ways.map(|way| sample.zstd(way));
        let raw_ns = sample.raw();
        let zstd = zstd_bits(&tables, slice, if bits < SPARSE_BITS { u64::MAX } else { PAGES }, ways);
        let ns = |[median, high]: [u128; 2]| format!("{median} / {high}");
        println!(
            "| {slice} | {} | {bits:.4} | {:.2} | {} | {} | {:.4} | {} | {:.4} | {} | {} |",
            table.bytes(),
            bits / zstd[0],
            ns(ours),
            ns(both),
            zstd[0],
            ns(zstd_ns[0]),
            zstd[1],
            ns(zstd_ns[1]),
            ns(raw_ns)
        );
        if bits > 1.15 * zstd[0] {
            longer.push(slice.to_string());
        }
        positions += slice_positions;
        bytes += table.bytes();
        for (all, bits) in zstd_bits_of_all.iter_mut().zip(zstd) {
            *all += bits * slice_positions as f64;
        }
    }
    println!(
        "\nall: {positions} positions, {bytes} bytes, {:.4} bits a position; zstd-19/64K {:.4}, zstd-3/4K {:.4}\n\
         over 15 % longer than with zstd-19/64K: {}",
        8.0 * bytes as f64 / positions as f64,
        zstd_bits_of_all[0] / positions as f64,
        zstd_bits_of_all[1] / positions as f64,
        longer.join(", ")
    );
}
