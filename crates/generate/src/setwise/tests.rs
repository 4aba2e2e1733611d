//! The set-wise solver against the scalar one and published counts.

use std::collections::HashMap;

use bolshak_rules::{KingsOnly, RatioLimit, RatioMaterial, RuleSet, Rules, Variant};
use bolshak_tables::{Forced, LookUpError, SliceIndex};

use super::*;
use crate::{Children, ScalarSolver, Sink, SolveError, Solver};

/// All slices up to a number of pieces, solved under some rules.
struct Solved {
    rules: Rules,
    solver: SetwiseSolver,
    slices: HashMap<Slice, Vec<Forced>>,
}

impl Solved {
    fn up_to(pieces: u8, instructions: InstructionSet, rules: Rules) -> Solved {
        let mut this = Solved { rules, solver: SetwiseSolver::new(instructions), slices: HashMap::new() };
        (2..=pieces).flat_map(Pair::all_of).for_each(|pair| this.add(pair));
        this
    }

    /// Solves a pair and, before it, what it needs.
    fn add(&mut self, pair: Pair) {
        if !self.slices.contains_key(&pair.first()) {
            pair.children().into_iter().for_each(|child| self.add(child));
            let mut found = Collected::default();
            self.solver.solve(pair, &self.rules, self, &mut found).unwrap();
            self.slices.extend(found.0);
        }
    }

    fn counts(&self, slice: Slice) -> [usize; 3] {
        let count = |is: fn(Forced) -> bool| self.slices[&slice].iter().filter(|&&value| is(value)).count();
        [count(Forced::is_win), count(|value| value == Forced::NOTHING), count(Forced::is_loss)]
    }
}

impl Children for Solved {
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let start = start as usize;
        values.copy_from_slice(&self.slices[&slice][start..start + values.len()]);
        Ok(())
    }
}

#[derive(Default)]
struct Collected(HashMap<Slice, Vec<Forced>>);

impl Sink for Collected {
    fn put(&mut self, slice: Slice, values: &[Forced]) -> Result<(), SolveError> {
        self.0.entry(slice).or_default().extend_from_slice(values);
        Ok(())
    }
}

fn rules(variant: Variant, name: &str) -> Rules {
    Rules::new(variant, name.parse().unwrap())
}

/// Compares a pair with what the scalar solver makes of the same children.
fn compare(solved: &Solved, pair: Pair) {
    let mut scalar = Collected::default();
    ScalarSolver.solve(pair, &solved.rules, solved, &mut scalar).unwrap();
    for slice in pair.slices() {
        let index = SliceIndex::new(slice);
        let (found, expected) = (&solved.slices[&slice], &scalar.0[&slice]);
        assert_eq!(found.len(), expected.len());
        let mut wrong = found.iter().zip(expected).enumerate().filter(|(_, (found, expected))| found != expected);
        if let Some((number, (found, expected))) = wrong.next() {
            panic!(
                "{slice} {}: {} is {expected:?}, not {found:?}, and {} more are wrong",
                solved.rules,
                index.position(number as u64).to_fen(),
                wrong.count()
            );
        }
    }
}

fn slice(name: &str) -> Slice {
    name.parse().unwrap()
}

#[test]
fn four_pieces_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(4, InstructionSet::widest(), rules(Variant::Russian, "none"));
    for pair in (2..=4).flat_map(Pair::all_of) {
        compare(&solved, pair);
    }
    for (name, counts) in [
        ("KvK", [194, 796, 2]),
        ("KvKK", [754, 13_852, 274]),
        ("KKvK", [5_628, 9_252, 0]),
        ("KmvK", [7_241, 18_797, 2]),
        ("KKvKK", [21_659, 193_513, 588]),
        ("KKKvK", [132_240, 11_600, 0]),
        ("KKmvK", [336_033, 41_547, 0]),
        ("mvKm", [625, 6_434, 15_741]),
    ] {
        assert_eq!(solved.counts(slice(name)), counts, "{name}");
    }
    let totals = Slice::all_of(4)
        .into_iter()
        .map(|slice| solved.counts(slice))
        .fold([0; 3], |sum, counts| std::array::from_fn(|value| sum[value] + counts[value]));
    assert_eq!(totals, [2_409_393, 2_544_014, 1_255_909]);
}

#[test]
fn giveaway_agrees_with_the_scalar_solver() {
    let solved = Solved::up_to(3, InstructionSet::widest(), rules(Variant::Giveaway, "none"));
    for pair in (2..=3).flat_map(Pair::all_of) {
        compare(&solved, pair);
    }
}

#[test]
fn every_instruction_set_finds_the_same() {
    let none = rules(Variant::Russian, "none");
    let portable = Solved::up_to(4, InstructionSet::Portable, none);
    for instructions in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let solved = Solved::up_to(4, instructions, none);
        for (slice, solved) in &solved.slices {
            assert!(*solved == portable.slices[slice], "{slice}");
        }
    }
}

#[test]
#[ignore = "minutes: run with --ignored"]
fn five_pieces_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(5, InstructionSet::widest(), rules(Variant::Russian, "none"));
    for pair in Pair::all_of(5) {
        compare(&solved, pair);
    }
}

#[test]
fn counted_rules_agree_with_the_scalar_solver() {
    for set in RuleSet::ALL.into_iter().filter(|set| set.name != "none") {
        let solved = Solved::up_to(4, InstructionSet::widest(), Rules::new(Variant::Russian, set));
        for pair in (2..=4).flat_map(Pair::all_of) {
            compare(&solved, pair);
        }
    }
}

/// Counts so short that they change much even with few pieces.
#[test]
fn short_counts_agree_with_the_scalar_solver() {
    let official: RuleSet = "official-won-position".parse().unwrap();
    for (plies, ratio) in [(3, 60), (8, 14), (11, 40)] {
        let set = RuleSet {
            name: "short",
            kings_only: Some(KingsOnly { plies, min_pieces: 2 }),
            unchanged_ratio: Vec::leak(vec![RatioLimit {
                material: RatioMaterial::BothHaveKing { min_pieces: 2, max_pieces: 4 },
                plies: ratio,
            }]),
            ..official
        };
        let solved = Solved::up_to(4, InstructionSet::widest(), Rules::new(Variant::Russian, set));
        for pair in (2..=4).flat_map(Pair::all_of) {
            compare(&solved, pair);
        }
    }
}

/// KKmvKm is the first pair in which 15 moves by kings only change values.
#[test]
#[ignore = "many minutes: run with --ignored"]
fn fifteen_moves_by_kings_only_agree_with_the_scalar_solver() {
    let mut solved = Solved::up_to(2, InstructionSet::widest(), rules(Variant::Russian, "official"));
    let pair = slice("KKmvKm").pair();
    solved.add(pair);
    compare(&solved, pair);
}
