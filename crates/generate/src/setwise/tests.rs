//! The set-wise solver against the scalar one and published counts.

use std::collections::HashMap;

use bolshak_rules::{KingsOnly, RatioLimit, RatioMaterial, RuleSet, Rules, Variant};
use bolshak_tables::{Forced, LookUpError, SliceIndex};

use super::*;
use crate::{Children, PartSolver, ScalarSolver, Solution, Solver};

/// All slices up to a number of pieces, solved together under several sets of rules.
struct Solved {
    variant: Variant,
    sets: Vec<Rules>,
    solver: SetwiseSolver,
    solutions: HashMap<Slice, Solution>,
}

impl Solved {
    fn up_to(pieces: u8, instructions: InstructionSet, variant: Variant, sets: &[RuleSet]) -> Solved {
        let mut this = Solved::new(instructions, variant, sets);
        (2..=pieces).flat_map(Pair::all_of).for_each(|pair| this.add(pair));
        this
    }

    fn new(instructions: InstructionSet, variant: Variant, sets: &[RuleSet]) -> Solved {
        let sets = sets.iter().map(|set| Rules::new(variant, *set)).collect();
        Solved { variant, sets, solver: SetwiseSolver::new(instructions), solutions: HashMap::new() }
    }

    /// Solves a pair and, before it, what it needs.
    fn add(&mut self, pair: Pair) {
        if !self.solutions.contains_key(&pair.first()) {
            pair.children().into_iter().for_each(|child| self.add(child));
            let solutions = self.solver.solve(pair, self.variant, &self.sets, self, &()).unwrap();
            self.solutions.extend(solutions.into_iter().map(|solution| (solution.slice(), solution)));
        }
    }

    fn number(&self, rules: &Rules) -> usize {
        self.sets.iter().position(|set| set == rules).map_or(0, |set| set + 1)
    }

    /// Compares a pair with what the scalar solver makes of the same children.
    fn compare(&self, pair: Pair) {
        for scalar in ScalarSolver.solve(pair, self.variant, &self.sets, self, &()).unwrap() {
            let slice = scalar.slice();
            let (index, solution) = (SliceIndex::new(slice), &self.solutions[&slice]);
            for rules in 0..=self.sets.len() {
                assert_eq!(solution.count(rules), scalar.count(rules), "{slice} rules {rules}");
                let (found, expected) = (all_found(solution, rules), all_found(&scalar, rules));
                assert_eq!(found.len(), expected.len());
                let mut wrong =
                    found.iter().zip(&expected).enumerate().filter(|(_, (found, expected))| found != expected);
                if let Some((number, (found, expected))) = wrong.next() {
                    panic!(
                        "{slice} rules {rules}: {} is {expected:?}, not {found:?}, and {} more are wrong",
                        index.position(number as u64).to_fen(),
                        wrong.count()
                    );
                }
            }
        }
    }

    fn counts(&self, slice: Slice) -> [u64; 3] {
        let [wins, _, draws, _, losses] = self.solutions[&slice].count(0).histogram().counts();
        [wins, draws, losses]
    }
}

/// What is forced in each position, and whether the side to move can capture.
fn all_found(solution: &Solution, rules: usize) -> Vec<(Forced, bool)> {
    let mut all = vec![(Forced::NOTHING, false); solution.positions() as usize];
    solution.map(rules, 0, &mut all, |found, forced| (forced, found.can_capture));
    all
}

impl Children for Solved {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        self.solutions[&slice].map(self.number(rules), start, values, |_, forced| forced);
        Ok(())
    }

    fn same_winners(&self, slice: Slice, rules: &Rules) -> Result<bool, LookUpError> {
        let count = self.solutions[&slice].count(self.number(rules)).histogram().counts();
        Ok(count[1] + count[3] == 0)
    }
}

fn sets(names: &[&str]) -> Vec<RuleSet> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn slice(name: &str) -> Slice {
    name.parse().unwrap()
}

#[test]
fn four_pieces_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &sets_with_draw_rules());
    for pair in (2..=4).flat_map(Pair::all_of) {
        solved.compare(pair);
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

fn sets_with_draw_rules() -> Vec<RuleSet> {
    RuleSet::ALL.into_iter().filter(|set| set.name != "none").collect()
}

#[test]
fn giveaway_agrees_with_the_scalar_solver() {
    let solved = Solved::up_to(3, InstructionSet::widest(), Variant::Giveaway, &sets(&["official"]));
    for pair in (2..=3).flat_map(Pair::all_of) {
        solved.compare(pair);
    }
}

#[test]
fn every_instruction_set_finds_the_same() {
    let official = sets(&["official-won-position"]);
    let portable = Solved::up_to(4, InstructionSet::Portable, Variant::Russian, &official);
    for instructions in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let solved = Solved::up_to(4, instructions, Variant::Russian, &official);
        for (slice, solved) in &solved.solutions {
            for rules in 0..2 {
                assert!(all_found(solved, rules) == all_found(&portable.solutions[slice], rules), "{slice}");
            }
        }
    }
}

/// What is read back of a finished slice, of which only positions without captures are told, leads to the same results.
#[test]
fn slices_that_are_read_back_serve_as_well_as_solved_ones() {
    let official = sets(&["official"]);
    let solved = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &official);
    let children = Quiet(&solved);
    for pair in Pair::all_of(4) {
        let again = SetwiseSolver::default();
        let first = solved.solver.solve(pair, Variant::Russian, &solved.sets, &solved, &()).unwrap();
        let second = again.solve(pair, Variant::Russian, &solved.sets, &children, &()).unwrap();
        for (first, second) in first.iter().zip(&second) {
            for rules in 0..2 {
                assert!(all_found(first, rules) == all_found(second, rules), "{}", first.slice());
            }
        }
    }
}

/// Children that tell nothing true where the side to move can capture.
struct Quiet<'a>(&'a Solved);

impl Children for Quiet<'_> {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        self.0.read(slice, rules, start, values)
    }

    fn read_quiet(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        self.0.solutions[&slice].map(self.0.number(rules), start, values, |found, forced| {
            if found.can_capture { Forced::win(77) } else { forced }
        });
        Ok(())
    }

    fn same_winners(&self, slice: Slice, rules: &Rules) -> Result<bool, LookUpError> {
        self.0.same_winners(slice, rules)
    }
}

/// Under one set of rules or with others beside it, the values are the same.
#[test]
fn sets_do_not_depend_on_each_other() {
    let all = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &sets_with_draw_rules());
    for set in sets_with_draw_rules() {
        let alone = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &[set]);
        for (slice, solved) in &alone.solutions {
            let together = all_found(&all.solutions[slice], all.number(&alone.sets[0]));
            assert!(all_found(solved, 1) == together, "{slice} {}", set.name);
        }
    }
}

/// Counts so short that they change much even with few pieces.
#[test]
fn short_counts_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &short_sets());
    for pair in (2..=4).flat_map(Pair::all_of) {
        solved.compare(pair);
    }
}

fn short_sets() -> [RuleSet; 3] {
    let official: RuleSet = "official-won-position".parse().unwrap();
    [(3, 60), (8, 14), (11, 40)].map(|(plies, ratio)| RuleSet {
        name: "short",
        kings_only: Some(KingsOnly { plies, min_pieces: 2 }),
        unchanged_ratio: Vec::leak(vec![RatioLimit {
            material: RatioMaterial::BothHaveKing { min_pieces: 2, max_pieces: 4 },
            plies: ratio,
        }]),
        ..official
    })
}

/// However a pair is divided, and from whichever level on distances take words, its parts come to the same.
#[test]
fn parts_say_what_the_whole_says() {
    let whole = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &short_sets());
    let placements = PlacementCache::default();
    for pair in (2..=4).flat_map(Pair::all_of) {
        let levels = whole.solver.levels(pair);
        let most = levels.tasks.iter().max().copied().unwrap_or(0) as u64 * levels.positions_per_task;
        for (parts, max_byte_plies) in [(3, 125), (2, 9)] {
            let rules: Vec<Rules> = std::iter::once(Rules::NONE).chain(whole.sets.iter().copied()).collect();
            let limits: Vec<Limits> = rules.iter().map(|rules| Limits::of(pair, rules).unwrap()).collect();
            let child = |case: usize, slice| whole.solver.decided(slice, &rules[case], &whole);
            let problem =
                pair::Problem::new(isa::Portable, pair, &limits, &placements, child, max_byte_plies, &()).unwrap();
            let mut done: Vec<Vec<Part>> = vec![Vec::new(); levels.tasks.len()];
            for part in levels.divide(most / parts) {
                let before = part.level.checked_sub(1).map_or_else(Vec::new, |level| done[level].clone());
                done[part.level].push(pair::solve_part(&problem, &[1, 2, 3], &part, before).unwrap());
            }
            let merged = pair::merge(pair, 3, &placements, &mut |level| Ok(done[level].clone())).unwrap();
            for solution in merged {
                for rules in 0..=3 {
                    let same = all_found(&solution, rules) == all_found(&whole.solutions[&solution.slice()], rules);
                    assert!(same, "{} in {parts} parts, rules {rules}", solution.slice());
                }
            }
            // What does not cover a level is no level.
            if let Some(level) = done.iter().position(|parts| parts.len() > 1) {
                let without_first = |number: usize| Ok(done[number][usize::from(number == level)..].to_vec());
                let mut without_first = without_first;
                assert!(matches!(pair::merge(pair, 3, &placements, &mut without_first), Err(SolveError::Part(_))));
            }
        }
    }
}

/// Every position of five pieces, value and distance, without draw rules and under the official ones.
#[test]
#[ignore = "ten minutes: run with --ignored"]
fn five_pieces_agree_with_the_scalar_solver() {
    let solved = Solved::up_to(5, InstructionSet::widest(), Variant::Russian, &sets(&["official"]));
    for pair in Pair::all_of(5) {
        solved.compare(pair);
    }
}

/// KKmvKm is the first pair in which 15 moves by kings only change values.
#[test]
#[ignore = "minutes: run with --ignored"]
fn fifteen_moves_by_kings_only_agree_with_the_scalar_solver() {
    let mut solved = Solved::new(InstructionSet::widest(), Variant::Russian, &sets(&["official"]));
    let pair = slice("KKmvKm").pair();
    solved.add(pair);
    solved.compare(pair);
}

/// Distances that do not fit into bytes are found in words from the level on in which the first appears.
#[test]
fn words_say_what_bytes_say() {
    let bytes = Solved::up_to(4, InstructionSet::widest(), Variant::Russian, &sets(&["official-won-position"]));
    for pair in Pair::all_of(4) {
        let rules = [Rules::NONE, bytes.sets[0]];
        let limits = rules.map(|rules| Limits::of(pair, &rules).unwrap());
        let child = |case: usize, slice| bytes.solver.decided(slice, &rules[case], &bytes);
        let placements = PlacementCache::default();
        let words = pair::solve_pair(isa::Portable, pair, &limits, &placements, child, 9, &()).unwrap();
        for slice in words {
            let bytes = &bytes.solutions[&slice.solution.slice()];
            for rules in 0..2 {
                assert!(all_found(&slice.solution, rules) == all_found(bytes, rules), "{}", bytes.slice());
            }
        }
    }
}
