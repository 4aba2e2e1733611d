//! Positions a second of the set-wise solver on one core: by class of slice, by instruction set, and what counted rules
//! cost. The scalar solver runs beside it where it can keep up.

use std::collections::HashMap;
use std::convert::Infallible;
use std::hint::black_box;
use std::sync::Arc;

use bolshak_generate::setwise::{Decided, InstructionSet, Limits, PlacementCache, SolvedSlice, forced, solve_pair};
use bolshak_generate::{Children, ScalarSolver, Sink, SolveError, Solver};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Forced, LookUpError, Pair, Slice, SliceIndex};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Slices that have been solved, for those that convert into them.
#[derive(Default)]
struct Solved {
    placements: PlacementCache,
    decided: HashMap<Slice, Arc<Decided>>,
    codes: HashMap<Slice, Vec<u8>>,
}

impl Solved {
    fn solve(&self, instructions: InstructionSet, pair: Pair, limits: &Limits) -> Vec<SolvedSlice> {
        let child = |slice: Slice| Ok::<_, Infallible>(Arc::clone(&self.decided[&slice]));
        let solved = solve_pair(instructions, pair, limits, &self.placements, child);
        solved.expect("children are there").expect("distances up to 5 pieces are short")
    }

    /// Solves all pairs that one needs.
    fn children_of(&mut self, pair: Pair, rules: &Rules) {
        for child in pair.children() {
            if !self.decided.contains_key(&child.first()) {
                self.children_of(child, rules);
                let limits = limits(child, rules);
                for slice in self.solve(InstructionSet::widest(), child, &limits) {
                    self.decided.insert(slice.slice, slice.decided);
                    self.codes.insert(slice.slice, slice.codes);
                }
            }
        }
    }
}

impl Children for Solved {
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        for (value, &code) in values.iter_mut().zip(&self.codes[&slice][start as usize..]) {
            *value = forced(code);
        }
        Ok(())
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn put(&mut self, _: Slice, values: &[Forced]) -> Result<(), SolveError> {
        black_box(values);
        Ok(())
    }
}

fn rules(name: &str) -> Rules {
    Rules::new(Variant::Russian, name.parse().expect("the rule set is known"))
}

fn limits(pair: Pair, rules: &Rules) -> Limits {
    Limits::of(pair, rules).expect("the road rule is not strict")
}

fn positions(pair: Pair) -> u64 {
    pair.slices().map(|slice| SliceIndex::new(slice).positions()).sum()
}

fn pair(name: &str) -> Pair {
    name.parse::<Slice>().expect("a slice").pair()
}

/// Pairs of 3, 4, 5 and 6 pieces, by how many kings there are.
const PAIRS: [&str; 11] =
    ["KKvK", "Kmvm", "KKvKK", "KmvKm", "mmvmm", "KKKvKK", "KKmvKm", "KmmvKm", "Kmmvmm", "mmmvmm", "KKKvKKK"];

fn classes(criterion: &mut Criterion) {
    let none = rules("none");
    let mut solved = Solved::default();
    let mut group = criterion.benchmark_group("none, one core");
    group.sample_size(10);
    for name in PAIRS {
        let pair = pair(name);
        solved.children_of(pair, &none);
        group.throughput(Throughput::Elements(positions(pair)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| solved.solve(InstructionSet::widest(), pair, &limits(pair, &none)));
        });
    }
    for name in ["KKvK", "KmvKm"] {
        group.throughput(Throughput::Elements(positions(pair(name))));
        group.bench_function(format!("{name}, scalar solver"), |bencher| {
            bencher.iter(|| ScalarSolver.solve(pair(name), &none, &solved, &mut Nowhere).expect("children are there"));
        });
    }
    group.finish();
}

fn instruction_sets(criterion: &mut Criterion) {
    let (none, pair) = (rules("none"), pair("KmmvKm"));
    let mut solved = Solved::default();
    solved.children_of(pair, &none);
    let mut group = criterion.benchmark_group("KmmvKm by instruction set");
    group.sample_size(10).throughput(Throughput::Elements(positions(pair)));
    for instructions in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        group.bench_function(format!("{instructions:?}"), |bencher| {
            bencher.iter(|| solved.solve(instructions, pair, &limits(pair, &none)));
        });
    }
    group.finish();
}

fn counted(criterion: &mut Criterion) {
    let pair = pair("KKmvKm");
    let mut group = criterion.benchmark_group("KKmvKm by rule set");
    group.sample_size(10).throughput(Throughput::Elements(positions(pair)));
    for name in ["none", "official-won-position"] {
        let rules = rules(name);
        let mut solved = Solved::default();
        solved.children_of(pair, &rules);
        group.bench_function(name, |bencher| {
            bencher.iter(|| solved.solve(InstructionSet::widest(), pair, &limits(pair, &rules)));
        });
    }
    group.finish();
}

fn on_one_core(_: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("nothing has used the pool yet");
}

criterion_group!(benches, on_one_core, classes, instruction_sets, counted);
criterion_main!(benches);
