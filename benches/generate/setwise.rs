//! Positions a second of the set-wise solver: by class of slice, by instruction set, by number of threads, and what counted
//! rules cost. The scalar solver runs beside it where it can keep up.

use std::collections::HashMap;

use bolshak_generate::setwise::InstructionSet;
use bolshak_generate::{Children, ScalarSolver, SetwiseSolver, Solution, Solver};
use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Forced, LookUpError, Pair, Slice, SliceIndex};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Slices that have been solved, for those that convert into them.
struct Solved {
    sets: Vec<Rules>,
    solver: SetwiseSolver,
    solutions: HashMap<Slice, Solution>,
}

impl Solved {
    fn new(instructions: InstructionSet, sets: &[Rules]) -> Solved {
        Solved { sets: sets.to_vec(), solver: SetwiseSolver::new(instructions), solutions: HashMap::new() }
    }

    /// Solves all pairs that one needs.
    fn children_of(&mut self, pair: Pair) {
        for child in pair.children() {
            if !self.solutions.contains_key(&child.first()) {
                self.children_of(child);
                let solutions = self.solve(child);
                self.solutions.extend(solutions.into_iter().map(|solution| (solution.slice(), solution)));
            }
        }
    }

    fn solve(&self, pair: Pair) -> Vec<Solution> {
        self.solver.solve(pair, Variant::Russian, &self.sets, self, &()).expect("children are there")
    }
}

impl Children for Solved {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let number = self.sets.iter().position(|set| set == rules).map_or(0, |set| set + 1);
        self.solutions[&slice].map(number, start, values, |_, forced| forced);
        Ok(())
    }

    fn same_winners(&self, _: Slice, _: &Rules) -> Result<bool, LookUpError> {
        Ok(false)
    }
}

fn pair(name: &str) -> Pair {
    name.parse::<Slice>().expect("a slice").pair()
}

fn throughput(pair: Pair) -> Throughput {
    Throughput::Elements(pair.slices().map(|slice| SliceIndex::new(slice).positions()).sum())
}

fn threads(number: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(number).build().expect("threads")
}

/// Pairs of 3, 4, 5 and 6 pieces, by how many kings there are.
const PAIRS: [&str; 11] =
    ["KKvK", "Kmvm", "KKvKK", "KmvKm", "mmvmm", "KKKvKK", "KKmvKm", "KmmvKm", "Kmmvmm", "mmmvmm", "KKKvKKK"];

fn classes(criterion: &mut Criterion) {
    let (mut solved, pool) = (Solved::new(InstructionSet::widest(), &[]), threads(1));
    let mut group = criterion.benchmark_group("none, one core");
    group.sample_size(10);
    for name in PAIRS {
        let pair = pair(name);
        solved.children_of(pair);
        group.throughput(throughput(pair));
        group.bench_function(name, |bencher| pool.install(|| bencher.iter(|| solved.solve(pair))));
    }
    for name in ["KKvK", "KmvKm"] {
        let pair = pair(name);
        group.throughput(throughput(pair));
        group.bench_function(format!("{name}, scalar solver"), |bencher| {
            pool.install(|| bencher.iter(|| ScalarSolver.solve(pair, Variant::Russian, &[], &solved, &())));
        });
    }
    group.finish();
}

fn instruction_sets(criterion: &mut Criterion) {
    let (pair, pool) = (pair("KmmvKm"), threads(1));
    let mut group = criterion.benchmark_group("KmmvKm by instruction set");
    group.sample_size(10).throughput(throughput(pair));
    for instructions in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let mut solved = Solved::new(instructions, &[]);
        solved.children_of(pair);
        group.bench_function(format!("{instructions:?}"), |bencher| {
            pool.install(|| bencher.iter(|| solved.solve(pair)));
        });
    }
    group.finish();
}

fn rule_sets(criterion: &mut Criterion) {
    let (pair, pool) = (pair("KKmvKm"), threads(1));
    let mut group = criterion.benchmark_group("KKmvKm with rule sets");
    group.sample_size(10).throughput(throughput(pair));
    for names in [&["none"][..], &["official"], &["official", "official-won-position", "fmjd64", "classic"]] {
        let sets: Vec<Rules> =
            names.iter().map(|name| Rules::new(Variant::Russian, name.parse().expect("a rule set"))).collect();
        let mut solved = Solved::new(InstructionSet::widest(), &sets);
        solved.children_of(pair);
        group.bench_function(names.join(","), |bencher| pool.install(|| bencher.iter(|| solved.solve(pair))));
    }
    group.finish();
}

fn scaling(criterion: &mut Criterion) {
    let pair = pair("KKmvKm");
    let mut solved = Solved::new(InstructionSet::widest(), &[]);
    solved.children_of(pair);
    let mut group = criterion.benchmark_group("KKmvKm by threads");
    group.sample_size(10).throughput(throughput(pair));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for number in (0..).map(|power| 1 << power).take_while(|number| *number < cores).chain([cores]) {
        let pool = threads(number);
        group.bench_function(number.to_string(), |bencher| pool.install(|| bencher.iter(|| solved.solve(pair))));
    }
    group.finish();
}

criterion_group!(benches, classes, instruction_sets, rule_sets, scaling);
criterion_main!(benches);
