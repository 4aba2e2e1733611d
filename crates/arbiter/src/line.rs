//! Best play from a state, as a proof.

use bolshak_rules::{Move, Position, Rules, State};
use bolshak_tables::{Answer, RatedMove, Value};
use serde::Serialize;

use crate::oracle::{Oracle, Unknown};
use crate::verdict::without_road;

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

/// Best play from a state, after a game in which these positions occurred before it, to the end of the game; it ends where
/// nothing is forced.
pub(crate) fn best_line(
    oracle: &dyn Oracle,
    rules: &Rules,
    state: &State,
    history: &[Position],
) -> Result<Line, Unknown> {
    let after = |state: &State, mv: &Move| rules.after(state, mv);
    follow(oracle, rules, state, history, after, |_, answer, plies| {
        let forced = plies < MAX_LINE_PLIES && answer.outcome.distance_plies.is_some();
        Ok(answer.moves.first().filter(|_| forced).cloned())
    })
}

/// How the side to move holds what it has, for so many plies, the road rule set aside. The other side gives nothing away and
/// tries what leaves the fewest moves that hold.
pub(crate) fn defence_line(oracle: &dyn Oracle, rules: &Rules, state: &State, plies: usize) -> Result<Line, Unknown> {
    let defender = state.position.turn();
    let after = |state: &State, mv: &Move| without_road(&rules.after(state, mv));
    follow(oracle, rules, state, &[], after, |state, answer, made| {
        if made == plies {
            return Ok(None);
        }
        if state.position.turn() == defender {
            return Ok(answer.moves.first().cloned());
        }
        let mut hardest = None;
        for tried in answer.moves.iter().filter(|rated| rated.outcome.value == answer.outcome.value) {
            let after = after(state, &tried.mv);
            let difficulty = (after.position.can_capture(), holding_moves(&oracle.answer(rules, &after, &[])?).count());
            if hardest.as_ref().is_none_or(|(least, _)| difficulty < *least) {
                hardest = Some((difficulty, tried.clone()));
            }
        }
        Ok(hardest.map(|(_, tried)| tried))
    })
}

/// The moves that do not lose.
pub(crate) fn holding_moves(answer: &Answer) -> impl Iterator<Item = &RatedMove> {
    answer.moves.iter().filter(|rated| rated.outcome.value != Value::Loss)
}

/// The line of the moves that are chosen, to the end of the game or until none is.
fn follow(
    oracle: &dyn Oracle,
    rules: &Rules,
    state: &State,
    history: &[Position],
    after: impl Fn(&State, &Move) -> State,
    choose: impl Fn(&State, &Answer, usize) -> Result<Option<RatedMove>, Unknown>,
) -> Result<Line, Unknown> {
    let (mut state, mut history, mut moves) = (*state, history.to_vec(), Vec::new());
    let over = loop {
        let answer = oracle.answer(rules, &state, &history)?;
        if answer.over.is_some() {
            break answer.over;
        }
        let Some(chosen) = choose(&state, &answer, moves.len())? else { break None };
        moves.push(chosen.text);
        history.push(state.position);
        state = after(&state, &chosen.mv);
    };
    let over_by = over.map(|over| match over {
        bolshak_rules::Over::NoMove { .. } => "no-move".to_owned(),
        bolshak_rules::Over::Drawn(article) => article.number().to_owned(),
    });
    Ok(Line { moves, final_fen: state.position.to_fen(), over_by })
}
