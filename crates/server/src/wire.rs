//! What the rules and the tables say, in the messages of `bolshak.v1`.

use bolshak_proto::v1;
use bolshak_rules::{Article, Color, Counters, Left, Move, Over, Remaining, Rules, Squares, State};
use bolshak_tables::{LinePly, RatedMove, UnknownMove, Value};

use crate::failure::Failure;

pub(crate) fn value(value: Value) -> v1::Value {
    match value {
        Value::Win => v1::Value::Win,
        Value::CursedWin => v1::Value::CursedWin,
        Value::Draw => v1::Value::Draw,
        Value::BlessedLoss => v1::Value::BlessedLoss,
        Value::Loss => v1::Value::Loss,
    }
}

pub(crate) fn color(color: Color) -> v1::Color {
    match color {
        Color::White => v1::Color::White,
        Color::Black => v1::Color::Black,
    }
}

pub(crate) fn counters(counters: Counters) -> v1::Counters {
    let Counters { ratio_plies, kings_plies, road_moves } = counters;
    v1::Counters { ratio_plies, kings_plies, road_moves: road_moves.into() }
}

pub(crate) fn over(rules: &Rules, over: Over) -> v1::Over {
    match over {
        Over::NoMove { winner } => {
            v1::Over { how: Some(v1::over::How::Winner(color(winner).into())), cites: String::new() }
        }
        Over::Drawn(article) => {
            v1::Over { how: Some(v1::over::How::Article(article.number().to_owned())), cites: cites(rules, article) }
        }
    }
}

/// What is left of every count that runs in a state.
pub(crate) fn remaining(rules: &Rules, state: &State) -> Vec<v1::Remaining> {
    let message = |Remaining { article, left }| v1::Remaining {
        article: article.number().to_owned(),
        cites: cites(rules, article),
        left: Some(match left {
            Left::Plies(plies) => v1::remaining::Left::Plies(plies),
            Left::OwnMoves(moves) => v1::remaining::Left::OwnMoves(moves),
        }),
    };
    rules.remaining(state).map(message).collect()
}

/// The article in the rule set's own numbering, where it has one.
pub(crate) fn cites(rules: &Rules, article: Article) -> String {
    rules.set.cites(article).unwrap_or_default().to_owned()
}

/// A legal move of a state with the mover's outcome.
pub(crate) fn rated_move(rules: &Rules, state: &State, rated: RatedMove) -> v1::RatedMove {
    v1::RatedMove {
        value: value(rated.outcome.value).into(),
        distance_plies: rated.outcome.distance_plies.map(u32::from),
        ..legal_move(rules, state, rated.text, &rated.mv)
    }
}

/// A legal move of a state that the tables do not know.
pub(crate) fn unknown_move(rules: &Rules, state: &State, unknown: UnknownMove) -> v1::RatedMove {
    v1::RatedMove {
        unknown: Some(Failure::from(unknown.why).to_item()),
        ..legal_move(rules, state, unknown.text, &unknown.mv)
    }
}

/// A legal move of a state, not rated.
fn legal_move(rules: &Rules, state: &State, text: String, mv: &Move) -> v1::RatedMove {
    let after = rules.after(state, mv);
    v1::RatedMove {
        text,
        value: v1::Value::Unspecified.into(),
        distance_plies: None,
        converts: mv.is_conversion(),
        captured: square_names(mv.captured),
        fen_after: after.position.to_fen(),
        counters_after: Some(counters(after.counters)),
        over_after: rules.over(&after).map(|reason| over(rules, reason)),
        unknown: None,
    }
}

fn square_names(squares: Squares) -> Vec<String> {
    squares.in_board_order().map(|square| square.to_string()).collect()
}

/// Best play, each state with the move that led to it.
pub(crate) fn line(rules: &Rules, line: Vec<LinePly>) -> impl Iterator<Item = v1::LineResponse> {
    let mut played = String::new();
    (0..).zip(line).map(move |(ply, LinePly { state, answer })| {
        let best = answer.moves.into_iter().next().map(|best| best.text).unwrap_or_default();
        v1::LineResponse {
            ply,
            r#move: std::mem::replace(&mut played, best),
            fen: state.position.to_fen(),
            counters: Some(counters(state.counters)),
            value: value(answer.outcome.value).into(),
            distance_plies: answer.outcome.distance_plies.map(u32::from),
            remaining: remaining(rules, &state),
            over: answer.over.map(|reason| over(rules, reason)),
        }
    })
}
