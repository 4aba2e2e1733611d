//! The set-wise solver behind the trait that all solvers share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bolshak_rules::Rules;
use bolshak_tables::{Forced, LookUpError, Pair, Slice, SliceIndex};

use super::limits::Limits;
use super::{Decided, InstructionSet, PlacementCache, forced, solve_pair};
use crate::scalar::ScalarSolver;
use crate::solver::{Children, Sink, SolveError, Solver};

/// Values handed over at a time.
const BATCH: usize = 1 << 16;

/// Who wins in the slices that have been solved or read, by slice and the definition of the rules.
type Known = HashMap<(Slice, [u8; 32]), Arc<Decided>>;

/// The set-wise solver. It remembers who wins in the slices that it has solved or read, so one value of it must be used
/// for the tables of one directory only.
///
/// Slices in which the strict reading of 1.9.1.5 counts, and distances too long for it, it leaves to [`ScalarSolver`].
pub struct SetwiseSolver {
    instructions: InstructionSet,
    placements: PlacementCache,
    decided: Mutex<Known>,
}

impl Default for SetwiseSolver {
    fn default() -> SetwiseSolver {
        SetwiseSolver::new(InstructionSet::widest())
    }
}

impl SetwiseSolver {
    /// A solver that uses this instruction set.
    pub fn new(instructions: InstructionSet) -> SetwiseSolver {
        SetwiseSolver { instructions, placements: PlacementCache::default(), decided: Mutex::default() }
    }

    fn decided(&self, slice: Slice, rules: &Rules, children: &dyn Children) -> Result<Arc<Decided>, LookUpError> {
        let key = (slice, rules.digest());
        if let Some(known) = self.decided.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let read = Decided::from_values(slice, &self.placements, |start, values| children.read(slice, start, values))?;
        let read = Arc::new(read);
        self.remember(slice, rules, &read);
        Ok(read)
    }

    fn remember(&self, slice: Slice, rules: &Rules, decided: &Arc<Decided>) {
        let mut known = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((slice, rules.digest()), Arc::clone(decided));
    }
}

impl Solver for SetwiseSolver {
    fn solve(&self, pair: Pair, rules: &Rules, children: &dyn Children, sink: &mut dyn Sink) -> Result<(), SolveError> {
        let Some(limits) = Limits::of(pair, rules) else {
            return ScalarSolver.solve(pair, rules, children, sink);
        };
        let child = |slice| self.decided(slice, rules, children);
        let Ok(solved) = solve_pair(self.instructions, pair, &limits, &self.placements, child)? else {
            return ScalarSolver.solve(pair, rules, children, sink);
        };
        for slice in solved {
            self.remember(slice.slice, rules, &slice.decided);
            let mut values = Vec::with_capacity(BATCH);
            for codes in slice.codes.chunks(BATCH) {
                values.clear();
                values.extend(codes.iter().map(|&code| forced(code)));
                sink.put(slice.slice, &values)?;
            }
        }
        Ok(())
    }

    fn memory_bytes(&self, pair: Pair, rules: &Rules) -> u64 {
        if Limits::of(pair, rules).is_none() {
            return ScalarSolver.memory_bytes(pair, rules);
        }
        let slices = pair.slices().map(|slice| super::pair::memory_bytes(&SliceIndex::new(slice))).sum::<u64>();
        let children =
            pair.slices().flat_map(Slice::children).map(|child| Decided::memory_bytes(&SliceIndex::new(child)));
        slices + children.sum::<u64>() + (BATCH * size_of::<Forced>()) as u64
    }

    fn kept_bytes(&self, pair: Pair, _rules: &Rules) -> u64 {
        pair.slices().map(|slice| Decided::memory_bytes(&SliceIndex::new(slice))).sum()
    }
}
