//! What an unfinished game is worth, and what is left of it.

use bolshak_rules::{Color, Over, Rules};
use bolshak_tables::{Outcome, Value};
use serde::{Serialize, Serializer};

use crate::BySet;
use crate::claim::{Step, forced_win, sequences};
use crate::line::{Line, best_line};
use crate::oracle::Unknown;
use crate::pdn::{Record, RecordError};
use crate::verdict::{Arbiter, CountLeft, Judged, Replay, RoadReview, color, drawn_by, judge, optional_color};

/// What an unfinished game is worth under one rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Adjudication {
    /// The position.
    pub fen: String,
    /// The side to move.
    #[serde(serialize_with = "color")]
    pub to_move: Color,
    /// Why the record could not be read to its end: the game is weighed where it breaks off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordError>,
    /// The value, the game's repetitions taken into account.
    pub value: TableValue,
    /// Whether the game had ended by its moves, and how: `no-move` or an article, with its ply.
    pub ended: Option<Ended>,
    /// The side that has won because the other's flag fell (1.8.1); the value is then information only. `None` also where
    /// only a table that is not there could tell that the game had not ended before (1.9.1.5).
    #[serde(serialize_with = "optional_color")]
    pub won_by_flag: Option<Color>,
    /// What is left on each count that runs.
    pub left: Vec<CountLeft>,
    /// The looks at the table that 1.9.1.5 asked for. Once won, that count runs no more in the same force ratio.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub road_reviews: Vec<RoadReview>,
    /// The time the position stands, 1 for the first.
    pub occurrence: u32,
    /// The moves that bring a position about for the third or a later time.
    pub repeating_moves: Vec<String>,
    /// What a win needs, where one is forced and not yet there: best play, within the counts for a win, without them for a cursed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_needs: Option<WinNeeds>,
    /// The two facts for 1.9.1.2.
    pub facts: Vec<Step>,
}

/// A value, or why it is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableValue {
    /// The value for the side to move.
    Known(Outcome),
    /// Why it is not known.
    Unknown(Unknown),
}

impl Serialize for TableValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            value: Option<&'a str>,
            distance_plies: Option<u16>,
            unknown: Option<&'a Unknown>,
        }
        match self {
            TableValue::Known(outcome) => {
                Fields { value: Some(outcome.value.name()), distance_plies: outcome.distance_plies, unknown: None }
            }
            TableValue::Unknown(unknown) => Fields { value: None, distance_plies: None, unknown: Some(unknown) },
        }
        .serialize(serializer)
    }
}

/// How a game had ended by its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ended {
    /// `no-move` or the article.
    pub by: String,
    /// The ply after which it ended.
    pub ply: usize,
    /// The winner; `None` for a draw.
    #[serde(serialize_with = "optional_color")]
    pub winner: Option<Color>,
}

/// What it takes to win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinNeeds {
    /// The side that can force it.
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// Plies to the next change of the force ratio or the end.
    pub plies_to_conversion: u16,
    /// Whether the counts leave room for it.
    pub within_the_counts: bool,
    /// Best play to the end, where it is within the counts.
    pub line: Option<Line>,
}

impl Arbiter<'_> {
    /// What a game is worth where its record ends, under each rule set; `None` when the record gives no position.
    /// `flag` is the side whose flag has fallen.
    pub fn adjudicate(&self, record: &Record, flag: Option<Color>) -> Option<BySet<Adjudication>> {
        let replay = Replay::of(record);
        let position = replay.positions.last()?;
        let sequences = self.rules().first().map(|rules| sequences(rules, position, self.oracle()));
        let sequences = sequences.as_ref().map_or(&[][..], |sequences| &sequences[..]);
        let by_set = |rules: &Rules| (rules.set.name, self.adjudicate_by(rules, &replay, flag, sequences));
        Some(self.rules().iter().map(by_set).collect())
    }

    fn adjudicate_by(
        &self,
        rules: &Rules,
        replay: &Replay<'_>,
        flag: Option<Color>,
        sequences: &[Step],
    ) -> Adjudication {
        let judged = judge(rules, replay, self.oracle());
        let last = replay.last();
        let (state, position) = (&judged.states[last], &replay.positions[last]);
        let history = &replay.positions[..last];
        let outcome = self.oracle().outcome(rules, state, history);
        let ended = ended(rules, replay, &judged);
        let won_by_flag = flag.filter(|_| ended.is_none() && judged.unknown_review().is_none()).map(Color::opponent);
        let repeating_moves = position
            .legal_moves_with_text()
            .into_iter()
            .filter(|(_, mv)| {
                let after = position.after(mv);
                replay.positions.iter().filter(|earlier| **earlier == after).count() >= 2
            })
            .map(|(text, _)| text)
            .collect();
        let won = ended.as_ref().is_some_and(|ended| ended.winner.is_some());
        let win_needs = outcome.as_ref().ok().filter(|_| !won).and_then(|outcome| {
            let side = match outcome.value {
                Value::Win | Value::CursedWin => position.turn(),
                Value::Loss | Value::BlessedLoss => position.turn().opponent(),
                Value::Draw => return None,
            };
            let within_the_counts = matches!(outcome.value, Value::Win | Value::Loss);
            let line = if within_the_counts { best_line(self.oracle(), rules, state, history).ok() } else { None };
            Some(WinNeeds { side, plies_to_conversion: outcome.distance_plies?, within_the_counts, line })
        });
        Adjudication {
            fen: position.to_fen(),
            to_move: position.turn(),
            error: replay.record.error.clone(),
            value: outcome.map_or_else(TableValue::Unknown, TableValue::Known),
            ended,
            won_by_flag,
            left: judged.counts_left(rules, last),
            road_reviews: judged.reviews,
            occurrence: replay.occurrences[last],
            repeating_moves,
            win_needs,
            facts: std::iter::once(forced_win(rules, state, self.oracle())).chain(sequences.iter().cloned()).collect(),
        }
    }
}

fn ended(rules: &Rules, replay: &Replay<'_>, judged: &Judged) -> Option<Ended> {
    if let Some((article, ply)) = drawn_by(judged) {
        return Some(Ended { by: article.number().to_owned(), ply, winner: None });
    }
    match rules.over_by_no_move(replay.positions.last()?)? {
        Over::NoMove { winner } => Some(Ended { by: "no-move".to_owned(), ply: replay.last(), winner: Some(winner) }),
        Over::Drawn(_) => None,
    }
}
