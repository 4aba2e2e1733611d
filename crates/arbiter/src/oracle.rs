//! What the arbiter asks of the tables.

use bolshak_rules::{Position, Rules, State};
use bolshak_tables::{Answer, LookUpError, Outcome, ProbeError, Query, Slice, Tables};
use serde::{Serialize, Serializer};

use crate::Language;

/// Why a value is not known. Nothing is ever guessed in its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.message(Language::English))]
pub enum Unknown {
    /// There are no tables at all.
    NoTables,
    /// A table is not there.
    NotInTables {
        /// The slice of the position asked about.
        requested: Slice,
        /// The slice that is not there.
        missing: Slice,
        /// The rule set.
        rules: &'static str,
    },
    /// What the tables say, such as that one is damaged or that a search went beyond its budget.
    Other(String),
}

impl Unknown {
    /// The reason in a few words. What tables say of themselves is English.
    pub fn message(&self, language: Language) -> String {
        match self {
            Unknown::NoTables => language.pick("no tables", "таблиц нет").to_owned(),
            Unknown::NotInTables { requested, missing, rules } => {
                let slices = if requested == missing {
                    requested.to_string()
                } else {
                    language.pick(format!("{requested} needs {missing}"), format!("для {requested} нужна {missing}"))
                };
                language.pick(
                    format!("not in these tables: {slices} under '{rules}'"),
                    format!("нет в таблицах: {slices} по правилам '{rules}'"),
                )
            }
            Unknown::Other(reason) => reason.clone(),
        }
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<ProbeError> for Unknown {
    fn from(error: ProbeError) -> Unknown {
        match error {
            ProbeError::LookUp(LookUpError::NotInTables { requested, missing, rules, .. }) => {
                Unknown::NotInTables { requested, missing, rules }
            }
            error => Unknown::Other(error.to_string()),
        }
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
        Err(Unknown::NoTables)
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
