//! Shared forms of output.

use bolshak_rules::{Article, FenWarning, Over, State};
use bolshak_tables::{Answer, Outcome};
use serde::Serialize;

/// Tells on stderr what was odd about a FEN.
pub(crate) fn warn(warnings: &[FenWarning]) {
    for warning in warnings {
        eprintln!("bolshak: warning: {warning}");
    }
}

/// `no-move` or the article.
pub(crate) const fn over_by(over: Over) -> &'static str {
    match over {
        Over::NoMove { .. } => "no-move",
        Over::Drawn(article) => Article::number(article),
    }
}

/// A distance as a column: `-` where there is none.
pub(crate) fn distance_column(outcome: Outcome) -> String {
    outcome.distance_plies.map_or("-".to_owned(), |plies| plies.to_string())
}

/// The answer to a probe as JSON has it.
#[derive(Serialize)]
pub(crate) struct AnswerJson<'a> {
    fen: String,
    ratio: u32,
    kings: u32,
    road: u8,
    rules: &'a str,
    value: &'static str,
    dtc: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over_by: Option<&'static str>,
    history_considered: bool,
    moves: Vec<MoveJson<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    #[serde(rename = "move")]
    text: &'a str,
    value: &'static str,
    dtc: Option<u16>,
}

impl<'a> AnswerJson<'a> {
    pub(crate) fn new(
        state: &State,
        rules: &'a str,
        answer: &'a Answer,
        history_considered: bool,
        warnings: &[FenWarning],
    ) -> AnswerJson<'a> {
        let moves = answer.moves.iter().map(|rated| MoveJson {
            text: &rated.text,
            value: rated.outcome.value.name(),
            dtc: rated.outcome.distance_plies,
        });
        AnswerJson {
            fen: state.position.to_fen(),
            ratio: state.counters.ratio_plies,
            kings: state.counters.kings_plies,
            road: state.counters.road_moves,
            rules,
            value: answer.outcome.value.name(),
            dtc: answer.outcome.distance_plies,
            over_by: answer.over.map(over_by),
            history_considered,
            moves: moves.collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
