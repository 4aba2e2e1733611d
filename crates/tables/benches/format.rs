//! What the format of values takes and costs, against other ways to write the same cells:
//!
//! ```sh
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench format -- KKmvKKm KKmvKmm
//! BOLSHAK_TABLES=$PWD/data/tables cargo bench -p bolshak-tables --bench format -- 5 6
//! ```
//!
//! A number stands for all slices of so many pieces. Without slices it measures all whose values are there. Sizes of the others are of evenly spread pages, with the cells of
//! positions in which one must capture filled by the cell before. Latencies are of single look-ups of random positions
//! without captures in those pages, the index computed each time, and include about 20 ns for the clock. Those of zstd
//! use one decompressor and one buffer throughout. Those of value and distance together find the blocks of distances
//! decoded.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use bolshak_rules::{Position, Rules, Variant};
use bolshak_tables::{Kind, Slice, SliceIndex, Tables};

const PAGE: u64 = 1 << 16;
const PAGES: u64 = 24;
const PROBES: usize = 20_000;

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
        let all = index.positions().div_ceil(PAGE);
        let count = all.min(PAGES);
        let starts: Vec<u64> = (0..count).map(|page| page * all / count * PAGE).collect();
        let (mut pages, mut quiet) = (Vec::new(), Vec::new());
        for (page, &start) in starts.iter().enumerate() {
            let mut cells = vec![0; (index.positions() - start).min(PAGE) as usize];
            tables.quiet(slice, &Kind::Value, start, &mut cells).unwrap();
            let mut known = 0;
            let filled = cells.iter().enumerate().map(|(place, &cell)| {
                if !index.position(start + place as u64).can_capture() {
                    known = cell as u8;
                    quiet.push((page, place));
                }
                known
            });
            pages.push(filled.collect());
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

    fn cells(&self) -> usize {
        self.pages.iter().map(Vec::len).sum()
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

    /// Bits a position and the latency when blocks of so many cells are compressed with zstd.
    fn zstd(&self, block: usize, level: i32) -> (f64, [u128; 2]) {
        let pages: Vec<Vec<Vec<u8>>> = self
            .pages
            .iter()
            .map(|page| page.chunks(block).map(|cells| zstd::bulk::compress(cells, level).unwrap()).collect())
            .collect();
        let bytes: usize = pages.iter().flatten().map(Vec::len).sum();
        let (mut decompressor, mut cells) = (zstd::bulk::Decompressor::new().unwrap(), vec![0; block]);
        let latency = self.latency(|position, page, place| {
            black_box(self.index.index(position));
            decompressor.decompress_to_buffer(&pages[page][place / block], &mut cells[..]).unwrap();
            cells[place % block]
        });
        (8.0 * bytes as f64 / self.cells() as f64, latency)
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
        "| slice | bytes | bits a position | ns | with distance | zstd-19/64K bits | ns | zstd-3/4K bits | ns | raw ns |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let (mut positions, mut bytes, mut large_bits, mut small_bits) = (0, 0, 0.0, 0.0);
    for slice in slices {
        let Some(table) = tables.table(slice, &Kind::Value).unwrap() else { continue };
        let sample = Sample::of(&tables, slice);
        let ours = sample.latency(|position, _, _| tables.fresh_value(&Rules::NONE, position).unwrap() as u8);
        let both = sample.latency(|position, _, _| tables.fresh(&Rules::NONE, position).unwrap().outcome().value as u8);
        let (large, large_ns) = sample.zstd(1 << 16, 19);
        let (small, small_ns) = sample.zstd(1 << 12, 3);
        let raw_ns = sample.raw();
        let ns = |[median, high]: [u128; 2]| format!("{median} / {high}");
        println!(
            "| {slice} | {} | {:.3} | {} | {} | {large:.3} | {} | {small:.3} | {} | {} |",
            table.bytes(),
            8.0 * table.bytes() as f64 / sample.index.positions() as f64,
            ns(ours),
            ns(both),
            ns(large_ns),
            ns(small_ns),
            ns(raw_ns)
        );
        positions += sample.index.positions();
        bytes += table.bytes();
        large_bits += large * sample.index.positions() as f64;
        small_bits += small * sample.index.positions() as f64;
    }
    println!(
        "\nall: {positions} positions, {bytes} bytes, {:.4} bits a position; zstd-19/64K {:.4}, zstd-3/4K {:.4}, by the samples",
        8.0 * bytes as f64 / positions as f64,
        large_bits / positions as f64,
        small_bits / positions as f64
    );
}
