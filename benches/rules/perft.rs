//! How fast the move tree is walked: leaves a second on one core, from the start and from a position of kings.

use std::hint::black_box;

use bolshak_rules::{Position, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Name, position, depth and the known number of leaves.
const TREES: [(&str, &str, u32, u64); 3] = [
    ("start/10", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", 10, 22_444_032),
    ("start/11", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", 11, 110_917_189),
    ("kings/5", "W:WKc1,Ke1,Kg1:BKb8,Kd8", 5, 457_832),
];

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, fen, depth, leaves) in TREES {
        let position = Position::from_fen(fen).expect("a well-formed FEN").position;
        assert_eq!(perft(&position, depth), leaves, "{name}");
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), depth)));
    }
    group.finish();
}

criterion_group!(benches, trees);
criterion_main!(benches);
