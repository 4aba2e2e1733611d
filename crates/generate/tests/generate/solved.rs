//! Solved slices in memory.

use std::collections::HashMap;

use bolshak_generate::{Children, Sink, SolveError, Solver};
use bolshak_rules::{Position, Rules};
use bolshak_tables::{Forced, LookUpError, Pair, Slice, SliceIndex};

/// All slices up to some number of pieces under one set of rules.
#[derive(Default)]
pub struct Solved {
    slices: HashMap<Slice, Vec<Forced>>,
}

impl Children for Solved {
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        values.copy_from_slice(&self.slices[&slice][start as usize..][..values.len()]);
        Ok(())
    }
}

struct Collected(HashMap<Slice, Vec<Forced>>);

impl Sink for Collected {
    fn put(&mut self, slice: Slice, values: &[Forced]) -> Result<(), SolveError> {
        self.0.entry(slice).or_default().extend(values);
        Ok(())
    }
}

impl Solved {
    pub fn up_to(pieces: u8, rules: Rules, solver: &dyn Solver) -> Solved {
        let mut solved = Solved::default();
        for pair in (2..=pieces).flat_map(Pair::all_of) {
            solved.add(pair, rules, solver);
        }
        solved
    }

    pub fn add(&mut self, pair: Pair, rules: Rules, solver: &dyn Solver) {
        let mut collected = Collected(HashMap::new());
        solver.solve(pair, &rules, self, &mut collected).unwrap();
        for (slice, values) in collected.0 {
            assert_eq!(values.len() as u64, SliceIndex::new(slice).positions(), "{slice}");
            self.slices.insert(slice, values);
        }
    }

    pub fn values(&self, slice: Slice) -> &[Forced] {
        &self.slices[&slice]
    }

    pub fn forced(&self, position: &Position) -> Forced {
        let slice = Slice::of(position).unwrap();
        self.values(slice)[SliceIndex::new(slice).index(position) as usize]
    }
}
