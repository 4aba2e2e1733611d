//! Many states in columns.

use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_proto::v1;
use bolshak_rules::{Color, Position, Rules, Side, Squares, State};
use bolshak_tables::Slice;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::metrics;
use crate::query::{Field, Query, Violation, read_fen, read_rules, read_state, read_turn, squares_from_bits};
use crate::tally::Counts;
use crate::wanted::Wanted;
use crate::wire;

/// The most states of a batch.
const MAX_STATES: usize = 10_000;
/// The most states of a batch of whole answers, which take a hundred times the room.
const MAX_ANSWERS: usize = 1_000;

/// A batch whose columns fit together. Its states are checked one by one as they are answered.
pub(super) struct Batch {
    rules: Rules,
    states: States,
    distances: bool,
    answers: bool,
}

enum States {
    Columns(v1::StateColumns),
    Fens(Vec<String>),
}

impl States {
    fn len(&self) -> usize {
        match self {
            States::Columns(columns) => columns.white.len(),
            States::Fens(fens) => fens.len(),
        }
    }
}

impl Batch {
    pub(super) fn read(request: v1::ProbeBatchRequest) -> Result<Batch, Failure> {
        let mut violations = Vec::new();
        let rules = read_rules(&request.rule_set, &request.variant, &mut violations);
        let mut batch = Batch {
            rules: rules.unwrap_or(Rules::OFFICIAL),
            states: States::Fens(Vec::new()),
            distances: false,
            answers: false,
        };
        for path in request.response_mask.iter().flat_map(|mask| &mask.paths) {
            match path.as_str() {
                "values" | "failures" => (),
                "distance_plies" => batch.distances = true,
                "answers" => batch.answers = true,
                _ => violations.push(Violation::new(
                    Field::Other("response_mask"),
                    format!("'{path}' is no field of a batch; known: values, distance_plies, answers, failures"),
                )),
            }
        }
        match request.states {
            None => {
                violations.push(Violation::new(Field::Other("columns"), "there are no states: give columns or fens"))
            }
            Some(v1::probe_batch_request::States::Fens(column)) => batch.states = States::Fens(column.fens),
            Some(v1::probe_batch_request::States::Columns(columns)) => {
                violations.extend(unequal_columns(&columns));
                batch.states = States::Columns(columns);
            }
        }
        let most = if batch.answers { MAX_ANSWERS } else { MAX_STATES };
        if batch.states.len() > most {
            let field = Field::Other(match batch.states {
                States::Columns(_) => "columns",
                States::Fens(_) => "fens",
            });
            violations
                .push(Violation::new(field, format!("{} states are given; {most} is the most", batch.states.len())));
        }
        if violations.is_empty() { Ok(batch) } else { Err(Failure::Invalid(violations)) }
    }

    pub(super) fn answer(&self, engine: &Engine, cancel: &AtomicBool) -> Result<v1::ProbeBatchResponse, Failure> {
        let count = self.states.len();
        let mut response = v1::ProbeBatchResponse { values: vec![0; count], ..Default::default() };
        response.distance_plies.resize(if self.distances { count } else { 0 }, 0);
        response.answers.resize(if self.answers { count } else { 0 }, v1::Answer::default());
        let mut answered = Counts::default();
        for index in 0..count {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Cancelled);
            }
            if let Err(failure) = self.answer_one(index, engine, cancel, &mut response, &mut answered) {
                // At most MAX_STATES, so that it always fits.
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                response.failures.push(v1::BatchFailure { index, failure: Some(failure.to_item()) });
            }
        }
        if !self.answers {
            // Whole answers are counted one by one.
            engine.library.tally(self.rules.variant).add_all(answered);
            metrics::states(metrics::ANSWERED, (count - response.failures.len()) as u64);
            metrics::states("FAILED_IN_BATCH", response.failures.len() as u64);
        }
        Ok(response)
    }

    fn answer_one(
        &self,
        index: usize,
        engine: &Engine,
        cancel: &AtomicBool,
        response: &mut v1::ProbeBatchResponse,
        answered: &mut Counts,
    ) -> Result<(), Failure> {
        let mut warnings = Vec::new();
        let state = self.state(index, &mut warnings).map_err(|violation| Failure::Invalid(vec![violation]));
        if let (Err(failure), true) = (&state, self.answers) {
            metrics::states(failure.reason(), 1);
        }
        let state = state?;
        let query = Query { rules: self.rules, state, history: Vec::new(), warnings };
        if self.answers {
            let answer = engine.answer(&query, Wanted::ALL_BUT_CUT_BY, cancel)?;
            // The number of a Value is below 6.
            response.values[index] = answer.value as u8;
            if self.distances {
                response.distance_plies[index] = answer.distance_plies.unwrap_or(0);
            }
            response.answers[index] = answer;
        } else {
            let value = if self.distances {
                let outcome = engine.outcome(&query, cancel)?;
                response.distance_plies[index] = outcome.distance_plies.map_or(0, u32::from);
                outcome.value
            } else {
                engine.value(&query, cancel)?
            };
            response.values[index] = wire::value(value) as u8;
            if let Some(slice) = Slice::of(&query.state.position) {
                *answered.entry(slice).or_default() += 1;
            }
        }
        Ok(())
    }

    fn state(&self, index: usize, warnings: &mut Vec<String>) -> Result<State, Violation> {
        match &self.states {
            States::Fens(fens) => read_fen(&fens[index], warnings).map(State::fresh),
            States::Columns(columns) => read_columns(columns, index),
        }
    }
}

/// The columns whose length is not that of `white`, where they are not allowed to be empty instead.
fn unequal_columns(columns: &v1::StateColumns) -> Vec<Violation> {
    let count = columns.white.len();
    let unequal = |(name, length, may_be_empty): (&'static str, usize, bool)| {
        let fits = length == count || (may_be_empty && length == 0);
        (!fits).then(|| Violation::new(Field::Other(name), format!("{length} entries for {count} states")))
    };
    [
        ("columns.black", columns.black.len(), false),
        ("columns.kings", columns.kings.len(), true),
        ("columns.turns", columns.turns.len(), true),
        ("columns.ratio_plies", columns.ratio_plies.len(), true),
        ("columns.kings_plies", columns.kings_plies.len(), true),
        ("columns.road_moves", columns.road_moves.len(), true),
    ]
    .into_iter()
    .filter_map(unequal)
    .collect()
}

fn read_columns(columns: &v1::StateColumns, index: usize) -> Result<State, Violation> {
    let squares = |bits: u64| {
        squares_from_bits(bits)
            .ok_or_else(|| Violation::new(Field::Bitboards, "bits from 32 up are set: the board has 32 dark squares"))
    };
    let white = squares(columns.white[index])?;
    let black = squares(columns.black[index])?;
    let kings = squares(columns.kings.get(index).copied().unwrap_or(0))?;
    if !(kings - (white | black)).is_empty() {
        return Err(Violation::new(Field::Bitboards, "there is a king where no piece is"));
    }
    let turn = match columns.turns.get(index) {
        None => Color::White,
        Some(&turn) => {
            read_turn(turn.into()).ok_or_else(|| Violation::new(Field::Turn, "the side to move must be given"))?
        }
    };
    let side = |pieces: Squares| Side { men: pieces - kings, kings: pieces & kings };
    let position =
        Position::new(side(white), side(black), turn).map_err(|error| Violation::new(Field::Bitboards, error))?;
    let count = |column: &[u32]| column.get(index).copied().unwrap_or(0);
    let counters = v1::Counters {
        ratio_plies: count(&columns.ratio_plies),
        kings_plies: count(&columns.kings_plies),
        road_moves: count(&columns.road_moves),
    };
    read_state(position, &counters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(columns: v1::StateColumns) -> Result<Batch, Failure> {
        let states = Some(v1::probe_batch_request::States::Columns(columns));
        Batch::read(v1::ProbeBatchRequest { states, ..Default::default() })
    }

    fn two_states() -> v1::StateColumns {
        v1::StateColumns {
            white: vec![1, 1],
            black: vec![1 << 20, 1 << 31],
            kings: vec![1, 1 | 1 << 31],
            ..Default::default()
        }
    }

    #[test]
    fn columns_are_read() {
        let read = |columns, index| batch(columns).unwrap().state(index, &mut Vec::new());
        let fen = |columns, index| read(columns, index).unwrap().position.to_fen();
        assert_eq!(fen(two_states(), 0), "W:WKa1:Bb6");
        assert_eq!(fen(v1::StateColumns { turns: vec![1, 2], ..two_states() }, 1), "B:WKa1:BKh8");
        let counted = v1::StateColumns { ratio_plies: vec![7, 3], kings_plies: vec![2, 3], ..two_states() };
        assert_eq!(read(counted.clone(), 0).unwrap().counters.ratio_plies, 7);
        assert_eq!(read(counted, 1).unwrap().counters.kings_plies, 3);
    }

    #[test]
    fn columns_that_do_not_fit_are_named() {
        let fields = |columns| match batch(columns) {
            Err(Failure::Invalid(violations)) => violations.iter().map(|v| v.field.path("query.")).collect(),
            _ => Vec::new(),
        };
        assert_eq!(fields(v1::StateColumns { turns: vec![1], ..two_states() }), ["columns.turns"]);
        assert_eq!(fields(v1::StateColumns { black: Vec::new(), ..two_states() }), ["columns.black"]);
        let many = v1::StateColumns { white: vec![1; 10_001], black: vec![2; 10_001], ..Default::default() };
        assert_eq!(fields(many), ["columns"]);
    }

    #[test]
    fn bad_states_are_refused_one_by_one() {
        let columns = v1::StateColumns { kings: vec![1, 2], turns: vec![3, 1], ..two_states() };
        let batch = batch(columns).unwrap();
        let refused = |index| batch.state(index, &mut Vec::new()).unwrap_err().message;
        assert_eq!(refused(0), "the side to move must be given");
        assert_eq!(refused(1), "there is a king where no piece is");
    }
}
