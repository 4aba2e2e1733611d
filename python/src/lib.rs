//! The tables for Python: module `bolshak._tables`. `bolshak/_tables.pyi` has its types and documentation.
#![allow(missing_docs, reason = "what Python sees is documented in bolshak/_tables.pyi")]

use bolshak_rules::{Counters, Over, Position, RuleSet, Rules, State, Variant};
use bolshak_tables::{Answer, LookUpError, Outcome, ProbeError, Query, Slice};
use pyo3::exceptions::{PyException, PyLookupError, PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(bolshak, NotInTables, PyLookupError, "There is no table for a position.");
pyo3::create_exception!(bolshak, UnusableTable, PyOSError, "A table is there but cannot be used.");
pyo3::create_exception!(bolshak, BudgetExceeded, PyException, "No answer within the budget of states.");

fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn failed(error: ProbeError) -> PyErr {
    let message = error.to_string();
    match error {
        ProbeError::LookUp(LookUpError::NotInTables { .. }) => NotInTables::new_err(message),
        ProbeError::LookUp(LookUpError::Table(_)) => UnusableTable::new_err(message),
        ProbeError::Budget { .. } => BudgetExceeded::new_err(message),
        ProbeError::Variant { .. } | ProbeError::Cancelled => PyException::new_err(message),
    }
}

fn position(fen: &str) -> PyResult<Position> {
    Ok(Position::from_fen(fen).map_err(invalid)?.position)
}

fn state(fen: &str, ratio_plies: u32, kings_plies: u32, road_moves: u8) -> PyResult<State> {
    State::new(position(fen)?, Counters { ratio_plies, kings_plies, road_moves }).map_err(invalid)
}

const fn over_by(over: Over) -> &'static str {
    match over {
        Over::NoMove { .. } => "no-move",
        Over::Drawn(article) => article.number(),
    }
}

#[pyclass(frozen, eq, hash, get_all, module = "bolshak", name = "Outcome")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PyOutcome {
    value: &'static str,
    distance_plies: Option<u16>,
}

impl From<Outcome> for PyOutcome {
    fn from(outcome: Outcome) -> PyOutcome {
        PyOutcome { value: outcome.value.name(), distance_plies: outcome.distance_plies }
    }
}

#[pymethods]
impl PyOutcome {
    fn __repr__(&self) -> String {
        let distance = self.distance_plies.map_or("None".to_owned(), |plies| plies.to_string());
        format!("Outcome(value='{}', distance_plies={distance})", self.value)
    }
}

#[pyclass(frozen, get_all, module = "bolshak", name = "Move")]
#[derive(Clone)]
struct PyMove {
    text: String,
    value: &'static str,
    distance_plies: Option<u16>,
    fen_after: String,
    ratio_after: u32,
    kings_after: u32,
    road_after: u8,
}

#[pymethods]
impl PyMove {
    fn __repr__(&self) -> String {
        format!("Move('{}', value='{}')", self.text, self.value)
    }
}

#[pyclass(frozen, get_all, module = "bolshak", name = "Answer")]
struct PyAnswer {
    value: &'static str,
    distance_plies: Option<u16>,
    over_by: Option<&'static str>,
    moves: Vec<PyMove>,
}

#[pymethods]
impl PyAnswer {
    fn __repr__(&self) -> String {
        format!("Answer(value='{}', moves={})", self.value, self.moves.len())
    }
}

fn answer(rules: &Rules, state: &State, answer: Answer) -> PyAnswer {
    let moves = answer.moves.into_iter().map(|rated| {
        let after = rules.after(state, &rated.mv);
        PyMove {
            text: rated.text,
            value: rated.outcome.value.name(),
            distance_plies: rated.outcome.distance_plies,
            fen_after: after.position.to_fen(),
            ratio_after: after.counters.ratio_plies,
            kings_after: after.counters.kings_plies,
            road_after: after.counters.road_moves,
        }
    });
    PyAnswer {
        value: answer.outcome.value.name(),
        distance_plies: answer.outcome.distance_plies,
        over_by: answer.over.map(over_by),
        moves: moves.collect(),
    }
}

#[pyclass(frozen, module = "bolshak")]
struct Tables(bolshak_tables::Tables);

impl Tables {
    fn rules_named(&self, name: &str) -> PyResult<Rules> {
        Ok(Rules::new(self.0.variant(), name.parse::<RuleSet>().map_err(invalid)?))
    }
}

/// Searching may take long, so that other Python threads run meanwhile.
#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (directory, variant = "russian"))]
    fn new(directory: std::path::PathBuf, variant: &str) -> PyResult<Tables> {
        let variant: Variant = variant.parse().map_err(invalid)?;
        Ok(Tables(bolshak_tables::Tables::open(directory, variant)))
    }

    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    #[pyo3(signature = (fen, *, ratio = 0, kings = 0, road = 0, rules = "official", history = vec![]))]
    fn probe(
        &self,
        py: Python<'_>,
        fen: &str,
        ratio: u32,
        kings: u32,
        road: u8,
        rules: &str,
        history: Vec<String>,
    ) -> PyResult<PyAnswer> {
        let (rules, state) = (self.rules_named(rules)?, state(fen, ratio, kings, road)?);
        let history = history.iter().map(|fen| position(fen)).collect::<PyResult<Vec<_>>>()?;
        let query = Query { history: &history, ..Query::default() };
        let found = py.detach(|| self.0.probe(&rules, &state, query)).map_err(failed)?;
        Ok(answer(&rules, &state, found))
    }

    #[pyo3(signature = (fen, *, ratio = 0, kings = 0, road = 0, rules = "official"))]
    fn probe_outcome(
        &self,
        py: Python<'_>,
        fen: &str,
        ratio: u32,
        kings: u32,
        road: u8,
        rules: &str,
    ) -> PyResult<PyOutcome> {
        let (rules, state) = (self.rules_named(rules)?, state(fen, ratio, kings, road)?);
        Ok(py.detach(|| self.0.probe_outcome(&rules, &state, Query::default())).map_err(failed)?.into())
    }

    #[pyo3(signature = (fen, *, ratio = 0, kings = 0, road = 0, rules = "official"))]
    fn probe_resident(
        &self,
        py: Python<'_>,
        fen: &str,
        ratio: u32,
        kings: u32,
        road: u8,
        rules: &str,
    ) -> PyResult<Option<PyOutcome>> {
        let (rules, state) = (self.rules_named(rules)?, state(fen, ratio, kings, road)?);
        let resident = py.detach(|| self.0.probe_resident(&rules, &state, Query::default())).map_err(failed)?;
        Ok(resident.map(PyOutcome::from))
    }

    #[pyo3(signature = (fens, *, rules = "official"))]
    fn probe_batch<'py>(&self, py: Python<'py>, fens: Vec<String>, rules: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let rules = self.rules_named(rules)?;
        let read: Vec<PyResult<State>> = fens.iter().map(|fen| state(fen, 0, 0, 0)).collect();
        let asked: Vec<State> = read.iter().filter_map(|state| state.as_ref().ok().copied()).collect();
        let mut found = py.detach(|| self.0.probe_batch(&rules, &asked, Query::default())).into_iter();
        read.into_iter()
            .filter_map(|state| match state {
                Ok(_) => found.next().map(|answer| answer.map_err(failed)),
                Err(error) => Some(Err(error)),
            })
            .map(|answer| match answer {
                Ok(outcome) => Ok(Bound::new(py, PyOutcome::from(outcome))?.into_any()),
                Err(error) => Ok(error.into_value(py).into_bound(py).into_any()),
            })
            .collect()
    }

    #[pyo3(signature = (*, rules = "official"))]
    fn slices(&self, rules: &str) -> PyResult<Vec<String>> {
        let slices = self.0.coverage()?.slices(&self.rules_named(rules)?);
        Ok(slices.iter().map(Slice::to_string).collect())
    }

    #[pyo3(signature = (slice, *, rules = "official"))]
    fn missing(&self, slice: &str, rules: &str) -> PyResult<Vec<String>> {
        let slice = slice.parse().map_err(invalid)?;
        let missing = self.0.coverage()?.missing(slice, &self.rules_named(rules)?);
        Ok(missing.iter().map(Slice::to_string).collect())
    }

    fn reload(&self) {
        self.0.reload();
    }
}

/// Makes the module.
#[pymodule]
mod _tables {
    #[pymodule_export]
    use super::{BudgetExceeded, NotInTables, PyAnswer, PyMove, PyOutcome, Tables, UnusableTable};
}
