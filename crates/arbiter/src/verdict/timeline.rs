//! Ply by ply: the counters, what is left on each count, and what the tables say.

use bolshak_rules::{Article, Rules};
use bolshak_tables::{Outcome, Value};
use serde::Serialize;

use super::judge::{Judged, RoadReview};
use super::met::{Unit, article_number};
use super::replay::Replay;
use super::{amount, russian_plural};
use crate::oracle::{Oracle, Unknown};
use crate::{BySet, Language};

/// The game after one ply; the first entry is the position at the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlyFacts {
    /// The ply, 0 for the position at the beginning.
    pub ply: usize,
    /// The move that led here.
    #[serde(rename = "move")]
    pub move_text: Option<String>,
    /// The position.
    pub fen: String,
    /// How many times it has stood by now with the same side to move.
    pub occurrence: u32,
    /// Plies since the force ratio last changed.
    pub ratio_plies: u32,
    /// Plies since a man last moved or anything was captured.
    pub kings_plies: u32,
    /// What differs between the rule sets.
    pub sets: BySet<SetFacts>,
}

/// What one rule set says of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SetFacts {
    /// Own moves of the stronger side on the road count.
    pub road_moves: u8,
    /// What is left on each count that runs.
    pub left: Vec<CountLeft>,
    /// The last look at the table that 1.9.1.5 asked for in this force ratio. Once won, that count runs no more in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub road_review: Option<RoadReview>,
    /// The value for the side to move; `None` where the tables do not reach.
    #[serde(serialize_with = "value_name")]
    pub value: Option<Value>,
    /// Plies to the next conversion; `None` for a draw or where the tables do not reach.
    pub distance_plies: Option<u16>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Unknown>,
    /// What the move that led here gave away.
    pub gave_away: Option<GaveAway>,
}

/// What is left on a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CountLeft {
    /// The article.
    #[serde(serialize_with = "article_number")]
    pub article: Article,
    /// How much.
    pub left: u32,
    /// Of what.
    pub unit: Unit,
}

impl CountLeft {
    /// `2 plies left`.
    pub fn text(&self, language: Language) -> String {
        let amount = amount(self.left, self.unit, language);
        // The verb agrees with the number.
        let verb = if russian_plural(self.left) == 0 { "остался" } else { "осталось" };
        language.pick(format!("{amount} left"), format!("{verb} {amount}"))
    }
}

/// What a move gave away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GaveAway {
    /// It was won before the move, and is not after it.
    Win,
    /// It was not lost before the move, and is lost after it.
    Draw,
}

fn value_name<S: serde::Serializer>(value: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_some(value.name()),
        None => serializer.serialize_none(),
    }
}

/// The facts after every ply.
pub(crate) fn timeline(replay: &Replay<'_>, judged: &[(Rules, Judged)], oracle: &dyn Oracle) -> Vec<PlyFacts> {
    let Some((_, first_set)) = judged.first() else { return Vec::new() };
    let outcomes: Vec<Vec<Result<Outcome, Unknown>>> = judged
        .iter()
        .map(|(rules, judged)| judged.states.iter().map(|state| oracle.outcome(rules, state, &[])).collect())
        .collect();
    let facts = |ply: usize| {
        let sets = judged.iter().zip(&outcomes).map(|((rules, judged), outcomes)| {
            let known = outcomes[ply].as_ref().ok();
            let before = ply.checked_sub(1).and_then(|before| outcomes[before].as_ref().ok());
            let facts = SetFacts {
                road_moves: judged.states[ply].counters.road_moves,
                left: judged.counts_left(rules, ply),
                road_review: judged.standing_review(ply).cloned(),
                value: known.map(|outcome| outcome.value),
                distance_plies: known.and_then(|outcome| outcome.distance_plies),
                unknown: outcomes[ply].as_ref().err().cloned(),
                gave_away: before
                    .zip(known)
                    .and_then(|(before, after)| gave_away(before.value, after.value.opposite())),
            };
            (rules.set.name, facts)
        });
        PlyFacts {
            ply,
            move_text: (ply > 0).then(|| replay.move_text(ply).to_owned()),
            fen: replay.positions[ply].to_fen(),
            occurrence: replay.occurrences[ply],
            ratio_plies: first_set.states[ply].counters.ratio_plies,
            kings_plies: first_set.states[ply].counters.kings_plies,
            sets: sets.collect(),
        }
    };
    (0..replay.positions.len()).map(facts).collect()
}

/// What a move gave away, both values being the mover's.
fn gave_away(before: Value, after: Value) -> Option<GaveAway> {
    match (before, after) {
        (Value::Win, after) if after != Value::Win => Some(GaveAway::Win),
        (before, Value::Loss) if before != Value::Loss => Some(GaveAway::Draw),
        _ => None,
    }
}
