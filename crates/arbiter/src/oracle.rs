//! What the arbiter asks of the tables.

use bolshak_rules::{Position, Rules, State};
use bolshak_tables::{Answer, Outcome, ProbeError, Query, Tables};

/// Why a value is not known. Nothing is ever guessed in its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unknown(pub String);

impl From<ProbeError> for Unknown {
    fn from(error: ProbeError) -> Unknown {
        Unknown(error.to_string())
    }
}

/// Exact answers for states, or the reason why there is none.
pub trait Oracle: Sync {
    /// The value and distance of a state after a game in which these positions occurred before it.
    fn outcome(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Outcome, Unknown>;

    /// The same with every legal move, best first.
    fn answer(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Answer, Unknown>;

    /// Whether nobody waits for the verdict any more. What is found after that is of no account, so long searches end.
    fn stopped(&self) -> bool {
        false
    }
}

/// States searched for one answer before it is given up: an arbiter asks of whole games, so a single ply may not take
/// minutes.
const MAX_STATES: u64 = 5_000_000;

impl Oracle for Tables {
    fn outcome(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Outcome, Unknown> {
        Ok(self.probe_outcome(rules, state, Query { history, max_states: MAX_STATES, cancel: None })?)
    }

    fn answer(&self, rules: &Rules, state: &State, history: &[Position]) -> Result<Answer, Unknown> {
        Ok(self.probe(rules, state, Query { history, max_states: MAX_STATES, cancel: None })?)
    }
}

/// No tables: every value is unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTables;

impl NoTables {
    fn unknown<T>() -> Result<T, Unknown> {
        Err(Unknown("no tables".to_owned()))
    }
}

impl Oracle for NoTables {
    fn outcome(&self, _: &Rules, _: &State, _: &[Position]) -> Result<Outcome, Unknown> {
        NoTables::unknown()
    }

    fn answer(&self, _: &Rules, _: &State, _: &[Position]) -> Result<Answer, Unknown> {
        NoTables::unknown()
    }
}
