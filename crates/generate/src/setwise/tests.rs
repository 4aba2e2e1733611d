//! The set-wise solver against the scalar one and published counts.

use std::collections::HashMap;
use std::convert::Infallible;

use bolshak_rules::{RuleSet, Rules};
use bolshak_tables::{Forced, LookUpError, SliceIndex};

use super::*;
use crate::{Children, ScalarSolver, Sink, SolveError, Solver};

/// All slices up to a number of pieces, solved without draw rules.
struct Solved {
    placements: PlacementCache,
    slices: HashMap<Slice, SolvedSlice>,
}

impl Solved {
    fn up_to(pieces: u8, instructions: InstructionSet, variant: Variant) -> Solved {
        let mut this = Solved { placements: PlacementCache::default(), slices: HashMap::new() };
        for pair in (2..=pieces).flat_map(Pair::all_of) {
            this.solve(pair, instructions, variant);
        }
        this
    }

    fn solve(&mut self, pair: Pair, instructions: InstructionSet, variant: Variant) {
        let child = |slice: Slice| Ok::<_, Infallible>(Arc::clone(&self.slices[&slice].decided));
        let solved = solve_pair(instructions, pair, variant, &self.placements, child).unwrap().unwrap();
        for slice in solved {
            self.slices.insert(slice.slice, slice);
        }
    }

    fn values(&self, slice: Slice) -> impl Iterator<Item = Forced> {
        self.slices[&slice].codes.iter().map(|&code| forced(code))
    }

    fn counts(&self, slice: Slice) -> [usize; 3] {
        let count = |is: fn(Forced) -> bool| self.values(slice).filter(|&value| is(value)).count();
        [count(Forced::is_win), count(|value| value == Forced::NOTHING), count(Forced::is_loss)]
    }
}

impl Children for Solved {
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        for (value, read) in values.iter_mut().zip(self.values(slice).skip(start as usize)) {
            *value = read;
        }
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

fn none(variant: Variant) -> Rules {
    let set = RuleSet::ALL.into_iter().find(|set| set.name == "none").unwrap();
    Rules::new(variant, set)
}

/// Compares a pair with what the scalar solver makes of the same children.
fn compare(solved: &Solved, pair: Pair, variant: Variant) {
    let mut scalar = Collected::default();
    ScalarSolver.solve(pair, &none(variant), solved, &mut scalar).unwrap();
    for slice in pair.slices() {
        let index = SliceIndex::new(slice);
        let expected = &scalar.0[&slice];
        assert_eq!(solved.slices[&slice].codes.len(), expected.len());
        let mut wrong =
            solved.values(slice).zip(expected).enumerate().filter(|(_, (found, expected))| found != *expected);
        if let Some((number, (found, expected))) = wrong.next() {
            panic!(
                "{slice} {variant}: {} is {expected:?}, not {found:?}, and {} more are wrong",
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
    let solved = Solved::up_to(4, InstructionSet::widest(), Variant::Russian);
    for pair in (2..=4).flat_map(Pair::all_of) {
        compare(&solved, pair, Variant::Russian);
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
    let solved = Solved::up_to(3, InstructionSet::widest(), Variant::Giveaway);
    for pair in (2..=3).flat_map(Pair::all_of) {
        compare(&solved, pair, Variant::Giveaway);
    }
}

#[test]
fn every_instruction_set_finds_the_same() {
    let portable = Solved::up_to(4, InstructionSet::Portable, Variant::Russian);
    for instructions in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let solved = Solved::up_to(4, instructions, Variant::Russian);
        for (slice, solved) in &solved.slices {
            assert!(solved.codes == portable.slices[slice].codes, "{slice}");
        }
    }
}

#[test]
#[ignore = "minutes: run with --ignored"]
fn five_pieces_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(5, InstructionSet::widest(), Variant::Russian);
    for pair in Pair::all_of(5) {
        compare(&solved, pair, Variant::Russian);
    }
}
