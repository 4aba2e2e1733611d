//! Best play from a state, as a proof.

use bolshak_rules::{Rules, State};
use serde::Serialize;

use crate::oracle::{Oracle, Unknown};

/// Plies after which a line is cut.
const MAX_LINE_PLIES: usize = 300;

/// Best play of both sides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The moves, those of both sides in turn.
    pub moves: Vec<String>,
    /// The position after them.
    pub final_fen: String,
    /// Why it ends there: `no-move`, an article, or `null` where it is cut.
    pub over_by: Option<String>,
}

/// Best play from a state to the end of the game, or for so many plies where nothing is forced.
pub(crate) fn best_line(
    oracle: &dyn Oracle,
    rules: &Rules,
    state: &State,
    drawn_plies: usize,
) -> Result<Line, Unknown> {
    let (mut state, mut moves, mut drawn) = (*state, Vec::new(), 0);
    let over = loop {
        let answer = oracle.answer(rules, &state, &[])?;
        let Some(best) = answer.moves.first() else { break answer.over };
        drawn += usize::from(answer.outcome.distance_plies.is_none());
        if drawn > drawn_plies || moves.len() == MAX_LINE_PLIES {
            break None;
        }
        moves.push(best.text.clone());
        state = rules.after(&state, &best.mv);
    };
    let over_by = over.map(|over| match over {
        bolshak_rules::Over::NoMove { .. } => "no-move".to_owned(),
        bolshak_rules::Over::Drawn(article) => article.number().to_owned(),
    });
    Ok(Line { moves, final_fen: state.position.to_fen(), over_by })
}
