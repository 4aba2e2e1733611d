//! The set-wise solver behind the trait that all solvers share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Pair, Slice, SliceIndex};

use super::limits::Limits;
use super::{Decided, InstructionSet, PlacementCache, load, solve_kings, solve_pair, solve_part};
use crate::count;
use crate::kings::{KingsTable, SliceKings};
use crate::part::{Levels, Part, PartRange, PartSolver};
use crate::scalar::{self, ScalarSolver};
use crate::solution::Solution;
use crate::solver::{Children, SolveError, Solver, Watch};

/// Who wins in the slices that have been solved or read, by slice and the definition of the rules.
type Known = HashMap<(Slice, [u8; 32]), Arc<Decided>>;

/// The set-wise solver. It remembers who wins in the slices that it has solved or read, so one value of it must be used
/// for the tables of one directory only.
///
/// Slices in which the strict reading of 1.9.1.5 counts it leaves to [`ScalarSolver`].
pub struct SetwiseSolver {
    instructions: InstructionSet,
    placements: PlacementCache,
    known: Mutex<Known>,
}

impl Default for SetwiseSolver {
    fn default() -> SetwiseSolver {
        SetwiseSolver::new(InstructionSet::widest())
    }
}

impl SetwiseSolver {
    /// A solver that uses this instruction set.
    pub fn new(instructions: InstructionSet) -> SetwiseSolver {
        SetwiseSolver { instructions, placements: PlacementCache::default(), known: Mutex::default() }
    }

    /// Who wins in a slice under these rules: the same value for all rules that are known to have the same winners.
    pub(super) fn decided(
        &self,
        slice: Slice,
        rules: &Rules,
        children: &dyn Children,
    ) -> Result<Arc<Decided>, SolveError> {
        if let Some(known) = self.remembered(slice, rules) {
            return Ok(known);
        }
        let base = rules.without_draw_rules();
        let decided = if *rules != base && children.same_winners(slice, rules)? {
            self.decided(slice, &base, children)?
        } else {
            let child = |slice| self.decided(slice, rules, children);
            let read = |start, values: &mut [_]| Ok(children.read_quiet(slice, rules, start, values)?);
            let no_move_wins = rules.variant.no_move_wins();
            Arc::new(load(self.instructions, slice, no_move_wins, &self.placements, child, read)?)
        };
        self.remember(slice, rules, &decided);
        Ok(decided)
    }

    fn remembered(&self, slice: Slice, rules: &Rules) -> Option<Arc<Decided>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(slice, rules.digest())).map(Arc::clone)
    }

    fn remember(&self, slice: Slice, rules: &Rules, decided: &Arc<Decided>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((slice, rules.digest()), Arc::clone(decided));
    }

    /// Whether all that a pair converts into has the same winners under two sets of rules.
    fn same_children(
        &self,
        pair: Pair,
        one: &Rules,
        other: &Rules,
        children: &dyn Children,
    ) -> Result<bool, SolveError> {
        for child in pair.slices().flat_map(Slice::children) {
            if !Arc::ptr_eq(&self.decided(child, one, children)?, &self.decided(child, other, children)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Sets of rules by what they mean for a pair.
struct Cases {
    /// Rules of the case and its limits; the first is the game without draw rules.
    cases: Vec<(Rules, Limits)>,
    /// For each set its case; `None` for what this solver does not know.
    case_of_set: Vec<Option<usize>>,
}

impl Cases {
    fn limits(&self) -> Vec<Limits> {
        self.cases.iter().map(|(_, limits)| *limits).collect()
    }
}

impl SetwiseSolver {
    /// Sets that limit the pair in the same way are one case.
    fn cases(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
    ) -> Result<Cases, SolveError> {
        let base = Rules { variant, ..Rules::NONE };
        let mut cases: Vec<(Rules, Limits)> =
            Limits::of(pair, &base).map(|limits| (base, limits)).into_iter().collect();
        let mut case_of_set = Vec::new();
        for rules in sets {
            let Some(limits) = Limits::of(pair, rules) else {
                case_of_set.push(None);
                continue;
            };
            let mut case = cases.len();
            for (known, (other, of_other)) in cases.iter().enumerate() {
                if limits == *of_other && self.same_children(pair, rules, other, children)? {
                    case = known;
                    break;
                }
            }
            if case == cases.len() {
                cases.push((*rules, limits));
            }
            case_of_set.push(Some(case));
        }
        Ok(Cases { cases, case_of_set })
    }
}

impl SetwiseSolver {
    /// Whether these rules count king moves in the positions of a pair in a way that men can break and this solver knows.
    pub(crate) fn counts_kings(pair: Pair, rules: &Rules) -> bool {
        Limits::of(pair, rules).is_some_and(|limits| limits.kings_only_plies.is_some()) && !is_men_only(pair)
    }

    /// Finds how king moves left matter in the slices of a pair, whose tables and whose children's are there.
    pub(crate) fn solve_kings(
        &self,
        pair: Pair,
        rules: &Rules,
        children: &dyn Children,
        watch: &dyn Watch,
    ) -> Result<Vec<KingsTable>, SolveError> {
        let Cases { cases, .. } = self.cases(pair, rules.variant, &[*rules], children)?;
        let limits: Vec<Limits> = cases.iter().map(|(_, limits)| *limits).collect();
        let child = |case: usize, slice| self.decided(slice, &cases[case].0, children);
        let found = solve_kings(self.instructions, pair, &limits, &self.placements, child, watch)?;
        Ok(found.into_iter().map(SliceKings::into_table).collect())
    }
}

fn is_men_only(pair: Pair) -> bool {
    pair.first().men() == pair.first().pieces()
}

impl PartSolver for SetwiseSolver {
    fn levels(&self, pair: Pair) -> Levels {
        let per_placement = |slice: Slice| count::positions(slice) / count::placements(slice);
        Levels {
            tasks: count::tasks_by_level(pair).into_iter().map(|tasks| tasks as usize).collect(),
            positions_per_task: per_placement(pair.first()) + per_placement(pair.first().partner()),
        }
    }

    fn solve_part(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
        part: &PartRange,
        before: Vec<Part>,
        watch: &dyn Watch,
    ) -> Result<Part, SolveError> {
        let cases = self.cases(pair, variant, sets, children)?;
        let case_of_set: Option<Vec<usize>> = cases.case_of_set.iter().copied().collect();
        let case_of_set = case_of_set.ok_or_else(|| SolveError::Part(part.clone()))?;
        let child = |case: usize, slice| self.decided(slice, &cases.cases[case].0, children);
        let limits = cases.limits();
        solve_part(self.instructions, pair, &limits, &case_of_set, &self.placements, child, part, before, watch)
    }

    fn merge(
        &self,
        pair: Pair,
        sets: usize,
        next: &mut dyn FnMut(usize) -> Result<Vec<Part>, SolveError>,
    ) -> Result<Vec<Solution>, SolveError> {
        super::pair::merge(pair, sets, &self.placements, next)
    }

    fn part_memory_bytes(&self, pair: Pair, sets: &[Rules], positions: u64) -> u64 {
        super::pair::part_memory_bytes(pair, sets.len(), positions)
    }

    fn merge_memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        // All codes once, and the largest level once more.
        2 * pair.slices().map(count::positions).sum::<u64>() * (1 + sets.len() as u64)
    }
}

impl Solver for SetwiseSolver {
    fn solve(
        &self,
        pair: Pair,
        variant: Variant,
        sets: &[Rules],
        children: &dyn Children,
        watch: &dyn Watch,
    ) -> Result<Vec<Solution>, SolveError> {
        let Cases { cases, case_of_set } = self.cases(pair, variant, sets, children)?;
        let base = Rules { variant, ..Rules::NONE };
        let limits: Vec<Limits> = cases.iter().map(|(_, limits)| *limits).collect();
        let child = |case: usize, slice| self.decided(slice, &cases[case].0, children);
        let solved = solve_pair(self.instructions, pair, &limits, &self.placements, child, watch)?;
        let numbers: Vec<usize> = case_of_set.iter().map(|case| case.unwrap_or(0)).collect();
        let mut solutions = Vec::new();
        for slice in solved {
            for (rules, case) in sets.iter().zip(&case_of_set).chain([(&base, &Some(0))]) {
                if let Some(case) = *case {
                    self.remember(slice.solution.slice(), rules, &slice.decided[case]);
                }
            }
            solutions.push(slice.solution.with_sets(&numbers));
        }
        for (number, rules) in (1..).zip(sets).filter(|(number, _)| case_of_set[number - 1].is_none()) {
            for (solution, values) in solutions.iter_mut().zip(scalar::solve(pair, rules, children, watch)?) {
                solution.set_values(number, &values);
            }
        }
        Ok(solutions)
    }

    fn memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        if sets.iter().any(|rules| Limits::of(pair, rules).is_none()) {
            return ScalarSolver.memory_bytes(pair, sets);
        }
        super::pair::memory_bytes(pair, sets.len())
    }

    fn kings_memory_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        super::pair::kings_memory_bytes(pair) + self.memory_bytes(pair, sets)
    }

    fn kept_bytes(&self, pair: Pair, sets: &[Rules]) -> u64 {
        let one = pair.slices().map(|slice| Decided::memory_bytes(&SliceIndex::new(slice))).sum::<u64>();
        one * (1 + sets.len() as u64)
    }

    fn by_parts(&self) -> Option<&dyn PartSolver> {
        Some(self)
    }

    fn for_kings(&self) -> Option<&SetwiseSolver> {
        Some(self)
    }

    fn retain(&self, needed: &dyn Fn(Slice) -> bool) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).retain(|(slice, _), _| needed(*slice));
    }
}
