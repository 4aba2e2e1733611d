//! The tables as the arbiter of a call asks them.

use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_arbiter::{Oracle, Unknown};
use bolshak_rules::{Position, Rules, State};
use bolshak_tables::{Answer, LookUpError, Outcome, ProbeError, Query, Tables};

use crate::failure::Failure;

/// Tables under the limits of the service, asked for a call that may be given up.
pub(super) struct Watched<'a> {
    pub(super) tables: &'a Tables,
    pub(super) max_states: u64,
    pub(super) cancel: &'a AtomicBool,
}

impl Watched<'_> {
    fn terms<'q>(&'q self, history: &'q [Position]) -> Query<'q> {
        Query { history, max_states: self.max_states, cancel: Some(self.cancel) }
    }
}

impl Oracle for Watched<'_> {
    fn outcome(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Outcome, Unknown> {
        self.tables.probe_outcome(rules, state, self.terms(history)).map_err(unknown)
    }

    fn answer(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Answer, Unknown> {
        self.tables.probe(rules, state, self.terms(history)).map_err(unknown)
    }

    fn stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// The reason as the command line has it, but for the folder of a bad table, which is nobody's business.
fn unknown(error: ProbeError) -> Unknown {
    match error {
        ProbeError::LookUp(LookUpError::Table(error)) => Unknown::Other(Failure::from(&*error).to_string()),
        error => error.into(),
    }
}
