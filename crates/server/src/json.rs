//! Answers as JSON, in the words of the command line: `dtc` is in plies, `value` is spelled `cursed-win`.

use bolshak_proto::v1;
use serde::Serialize;

/// The answer about a state.
#[derive(Serialize)]
pub(crate) struct Answer {
    fen: String,
    #[serde(flatten)]
    counters: Counters,
    rules: String,
    variant: String,
    value: &'static str,
    dtc: Option<u32>,
    #[serde(flatten)]
    over: Over,
    #[serde(skip_serializing_if = "String::is_empty")]
    cut_by: String,
    remaining: Vec<Remaining>,
    history_considered: bool,
    warnings: Vec<String>,
    moves: Vec<RatedMove>,
}

#[derive(Serialize)]
struct Counters {
    ratio: u32,
    kings: u32,
    road: u32,
}

/// Nothing while the game goes on.
#[derive(Serialize)]
struct Over {
    #[serde(skip_serializing_if = "Option::is_none")]
    over_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<String>,
}

#[derive(Serialize)]
struct Remaining {
    article: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_moves: Option<u32>,
}

#[derive(Serialize)]
struct RatedMove {
    #[serde(rename = "move")]
    text: String,
    value: &'static str,
    dtc: Option<u32>,
    converts: bool,
    captured: Vec<String>,
    fen_after: String,
    counters_after: Counters,
    #[serde(flatten)]
    over_after: Over,
}

fn value_name(value: v1::Value) -> &'static str {
    match value {
        v1::Value::Unspecified => "unknown",
        v1::Value::Win => "win",
        v1::Value::CursedWin => "cursed-win",
        v1::Value::Draw => "draw",
        v1::Value::BlessedLoss => "blessed-loss",
        v1::Value::Loss => "loss",
    }
}

fn some_text(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

impl From<v1::Answer> for Answer {
    fn from(answer: v1::Answer) -> Answer {
        Answer {
            value: value_name(answer.value()),
            fen: answer.fen,
            counters: answer.counters.unwrap_or_default().into(),
            rules: answer.rule_set,
            variant: answer.variant,
            dtc: answer.distance_plies,
            over: answer.over.into(),
            cut_by: answer.cut_by,
            remaining: answer.remaining.into_iter().map(Remaining::from).collect(),
            history_considered: answer.history_considered,
            warnings: answer.warnings,
            moves: answer.moves.into_iter().map(RatedMove::from).collect(),
        }
    }
}

impl From<v1::Counters> for Counters {
    fn from(counters: v1::Counters) -> Counters {
        Counters { ratio: counters.ratio_plies, kings: counters.kings_plies, road: counters.road_moves }
    }
}

impl From<Option<v1::Over>> for Over {
    fn from(over: Option<v1::Over>) -> Over {
        let Some(over) = over else { return Over { over_by: None, winner: None, cites: None } };
        let cites = some_text(over.cites);
        match over.how {
            Some(v1::over::How::Article(article)) => Over { over_by: Some(article), winner: None, cites },
            Some(v1::over::How::Winner(color)) => {
                let winner = if color == v1::Color::White as i32 { "white" } else { "black" };
                Over { over_by: Some("no-move".to_owned()), winner: Some(winner), cites }
            }
            None => Over { over_by: None, winner: None, cites },
        }
    }
}

impl From<v1::Remaining> for Remaining {
    fn from(remaining: v1::Remaining) -> Remaining {
        let (plies, own_moves) = match remaining.left {
            Some(v1::remaining::Left::Plies(plies)) => (Some(plies), None),
            Some(v1::remaining::Left::OwnMoves(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Remaining { article: remaining.article, cites: some_text(remaining.cites), plies, own_moves }
    }
}

impl From<v1::RatedMove> for RatedMove {
    fn from(rated: v1::RatedMove) -> RatedMove {
        RatedMove {
            value: value_name(rated.value()),
            text: rated.text,
            dtc: rated.distance_plies,
            converts: rated.converts,
            captured: rated.captured,
            fen_after: rated.fen_after,
            counters_after: rated.counters_after.unwrap_or_default().into(),
            over_after: rated.over_after.into(),
        }
    }
}
