//! Solved slices in memory.

use std::collections::HashMap;

use bolshak_generate::{Children, Solver};
use bolshak_rules::{Position, Rules};
use bolshak_tables::{Forced, LookUpError, Pair, Slice, SliceIndex};

/// All slices up to some number of pieces under one set of rules.
#[derive(Default)]
pub struct Solved {
    slices: HashMap<Slice, [Vec<Forced>; 2]>,
}

impl Children for Solved {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let under_rules = *rules != rules.without_draw_rules();
        let all = &self.slices[&slice][usize::from(under_rules)];
        values.copy_from_slice(&all[start as usize..][..values.len()]);
        Ok(())
    }

    fn same_winners(&self, _: Slice, _: &Rules) -> Result<bool, LookUpError> {
        Ok(false)
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
        for solution in solver.solve(pair, rules.variant, &[rules], self, &()).unwrap() {
            let slice = solution.slice();
            assert_eq!(solution.positions(), SliceIndex::new(slice).positions(), "{slice}");
            self.slices.insert(slice, [solution.values(0), solution.values(1)]);
        }
    }

    pub fn values(&self, slice: Slice) -> &[Forced] {
        &self.slices[&slice][1]
    }

    pub fn forced(&self, position: &Position) -> Forced {
        let slice = Slice::of(position).unwrap();
        self.values(slice)[SliceIndex::new(slice).index(position) as usize]
    }
}
