//! The tables with the limits that questions are answered under. Everything here may block but what is async.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use bolshak_proto::v1;
use bolshak_rules::{Article, Over, Position, Variant};
use bolshak_tables::{Answer, KnownAnswer, LinePly, Outcome, ProbeError, Query as Terms, Value};

use crate::failure::Failure;
use crate::library::Library;
use crate::metrics;
use crate::query::Query;
use crate::wanted::{Depth, Wanted};
use crate::wire;
use crate::work::Workers;

/// The most plies of a line.
const MAX_LINE_PLIES: u32 = 1_000;

/// How many plies of a line are shown when so many are asked for, 0 standing for all.
pub(crate) const fn line_plies(asked: u32) -> usize {
    match asked {
        1..MAX_LINE_PLIES => asked as usize,
        _ => MAX_LINE_PLIES as usize,
    }
}

/// With more pieces the captures alone may take long to find.
const MAX_PIECES_AT_ONCE: u32 = 8;

/// Answers questions. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) library: Library,
    /// States that may be searched for one answer.
    pub(crate) max_states: u64,
}

impl Engine {
    fn terms<'a>(&self, query: &'a Query, cancel: &'a AtomicBool) -> Terms<'a> {
        Terms { history: &query.history, max_states: self.max_states, cancel: Some(cancel) }
    }

    /// The answer to a question, as far as it is wanted.
    pub(crate) fn answer(&self, query: &Query, wanted: Wanted, cancel: &AtomicBool) -> Result<v1::Answer, Failure> {
        let answer = self.find(query, wanted, cancel);
        match &answer {
            Ok(_) => self.count_answered(query.rules.variant, &query.state.position),
            Err(failure) => metrics::states(failure.reason(), 1),
        }
        answer
    }

    fn count_answered(&self, variant: Variant, position: &Position) {
        metrics::states(metrics::ANSWERED, 1);
        self.library.tally(variant).add(position);
    }

    fn find(&self, query: &Query, wanted: Wanted, cancel: &AtomicBool) -> Result<v1::Answer, Failure> {
        let known = match wanted.depth() {
            Depth::Moves => self.library.tables(query.rules.variant).probe_known(
                &query.rules,
                &query.state,
                self.terms(query, cancel),
            )?,
            Depth::Distance => every_move(without_moves(self.outcome(query, cancel)?)),
            Depth::Value => every_move(without_moves(value_alone(self.value(query, cancel)?))),
            Depth::Question => every_move(nothing_asked()),
        };
        let cut_by = if wanted.has_cut_by() { self.cut_by(query, known.answer.outcome, cancel) } else { Ok(None) };
        let cut_by = match cut_by {
            Err(ProbeError::LookUp(error)) => Err(Failure::from(error)),
            cut_by => Ok(cut_by?),
        };
        Ok(message(query, wanted, known, cut_by))
    }

    /// The answer to a question, at once if that is possible, else from a worker.
    pub(crate) async fn answer_on(
        &self,
        workers: &Workers,
        query: Query,
        wanted: Wanted,
    ) -> Result<v1::Answer, Failure> {
        // After a panic the question goes to a worker, which reports it.
        match catch_unwind(AssertUnwindSafe(|| self.answer_at_once(&query, wanted))) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) | Err(_) => {
                let engine = self.clone();
                workers.run(move |cancel| engine.answer(&query, wanted, cancel)).await
            }
        }
    }

    /// The answer if it takes microseconds: what it needs is in memory, and nothing has to be searched. When there is
    /// none, [`Engine::answer`] tells the answer or what is wrong.
    fn answer_at_once(&self, query: &Query, wanted: Wanted) -> Option<v1::Answer> {
        let Query { rules, state, history, .. } = query;
        if !history.is_empty() || state.position.piece_count() > MAX_PIECES_AT_ONCE {
            return None;
        }
        let tables = self.library.tables(rules.variant);
        let terms = Terms { max_states: 0, ..Terms::default() };
        let answer = match wanted.depth() {
            Depth::Moves => tables.answer_resident(rules, state, terms).ok()??,
            Depth::Distance => without_moves(tables.probe_resident(rules, state, terms).ok()??),
            Depth::Value => without_moves(value_alone(tables.value_resident(rules, state, terms).ok()??)),
            Depth::Question => nothing_asked(),
        };
        if wanted.has_cut_by() && may_be_cut(answer.outcome) {
            return None;
        }
        self.count_answered(rules.variant, &state.position);
        Some(message(query, wanted, every_move(answer), Ok(None)))
    }

    /// The value of a state and its distance, without the moves.
    pub(crate) fn outcome(&self, query: &Query, cancel: &AtomicBool) -> Result<Outcome, Failure> {
        let tables = self.library.tables(query.rules.variant);
        Ok(tables.probe_outcome(&query.rules, &query.state, self.terms(query, cancel))?)
    }

    /// The value of a state alone, which is quicker still where the state is fresh.
    pub(crate) fn value(&self, query: &Query, cancel: &AtomicBool) -> Result<Value, Failure> {
        let tables = self.library.tables(query.rules.variant);
        Ok(tables.probe_value(&query.rules, &query.state, self.terms(query, cancel))?)
    }

    /// Best play from a state, at most so many plies, and why it is not known further. An error where not even the state is.
    pub(crate) fn line(&self, query: &Query, max_plies: usize, cancel: &AtomicBool) -> Result<KnownLine, Failure> {
        let tables = self.library.tables(query.rules.variant);
        let mut known = KnownLine { plies: Vec::new(), unknown: None };
        let plies = max_plies.saturating_add(1);
        for ply in tables.line(&query.rules, &query.state, self.terms(query, cancel)).take(plies) {
            match ply {
                Ok(ply) => {
                    self.count_answered(query.rules.variant, &ply.state.position);
                    known.plies.push(ply);
                }
                Err(error) => {
                    let failure = Failure::from(error);
                    metrics::states(failure.reason(), 1);
                    known.unknown = Some(failure);
                }
            }
        }
        match known.unknown {
            Some(failure) if known.plies.is_empty() => Err(failure),
            _ => Ok(known),
        }
    }

    /// The article that makes a forced win a draw: the first that best play meets.
    fn cut_by(&self, query: &Query, outcome: Outcome, cancel: &AtomicBool) -> Result<Option<Article>, ProbeError> {
        if !may_be_cut(outcome) {
            return Ok(None);
        }
        let Query { rules, state, .. } = query;
        for ply in self.library.tables(rules.variant).line(rules, state, self.terms(query, cancel)) {
            let LinePly { state, answer } = ply?;
            if let Some(Over::Drawn(article)) = answer.over {
                return Ok(Some(article));
            }
            if query.stands_again(&state.position) {
                return Ok(Some(Article::Repetition));
            }
        }
        Ok(None)
    }
}

/// Best play as far as it is known.
pub(crate) struct KnownLine {
    pub(crate) plies: Vec<LinePly>,
    /// Why no more of it is.
    pub(crate) unknown: Option<Failure>,
}

/// What stands for a value where the distance is not asked for.
const fn value_alone(value: Value) -> Outcome {
    Outcome { value, distance_plies: None }
}

/// What stands for an answer of which nothing is asked for but what the question itself tells.
const fn nothing_asked() -> Answer {
    without_moves(value_alone(Value::Draw))
}

const fn without_moves(outcome: Outcome) -> Answer {
    Answer { outcome, over: None, moves: Vec::new() }
}

const fn every_move(answer: Answer) -> KnownAnswer {
    KnownAnswer { answer, unknown: Vec::new() }
}

const fn may_be_cut(outcome: Outcome) -> bool {
    matches!(outcome.value, Value::CursedWin | Value::BlessedLoss)
}

fn message(query: &Query, wanted: Wanted, known: KnownAnswer, cut_by: Result<Option<Article>, Failure>) -> v1::Answer {
    let Query { rules, state, history, warnings } = query;
    let KnownAnswer { answer, unknown } = known;
    let (cut_by, cut_by_unknown) = cut_by.map_or_else(|failure| (None, Some(failure)), |cut_by| (cut_by, None));
    v1::Answer {
        fen: wanted.get(Wanted::FEN, || state.position.to_fen()),
        counters: wanted.get(Wanted::COUNTERS, || Some(wire::counters(state.counters))),
        rule_set: wanted.get(Wanted::RULE_SET, || rules.set.name.to_owned()),
        variant: wanted.get(Wanted::VARIANT, || rules.variant.name().to_owned()),
        value: wanted.get(Wanted::VALUE, || wire::value(answer.outcome.value).into()),
        distance_plies: wanted.get(Wanted::DISTANCE, || answer.outcome.distance_plies.map(u32::from)),
        over: wanted.get(Wanted::OVER, || answer.over.map(|over| wire::over(rules, over))),
        moves: wanted.get(Wanted::MOVES, || {
            let known = answer.moves.into_iter().map(|rated| wire::rated_move(rules, state, rated));
            known.chain(unknown.into_iter().map(|unknown| wire::unknown_move(rules, state, unknown))).collect()
        }),
        remaining: wanted.get(Wanted::REMAINING, || wire::remaining(rules, state)),
        cut_by: wanted.get(Wanted::CUT_BY, || cut_by.map(|article| article.number().to_owned()).unwrap_or_default()),
        cut_by_cites: wanted
            .get(Wanted::CUT_BY_CITES, || cut_by.map(|article| wire::cites(rules, article)).unwrap_or_default()),
        history_considered: wanted
            .get(Wanted::HISTORY, || !history.is_empty() && rules.occurrences_that_draw().is_some()),
        warnings: wanted.get(Wanted::WARNINGS, || warnings.clone()),
        cut_by_unknown: wanted.get(Wanted::CUT_BY_UNKNOWN, || cut_by_unknown.map(|failure| failure.to_item())),
    }
}
