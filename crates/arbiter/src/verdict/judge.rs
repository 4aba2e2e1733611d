//! Each article on its own, over the whole record, under one rule set.

use bolshak_rules::{Article, Color, Counters, Left, Repetition, RoadReading, RuleSet, Rules, State, ThreeKingsLimit};
use bolshak_tables::{Outcome, Value};
use serde::{Serialize, Serializer};

use super::color_name;
use super::met::{Count, Met, NumberedMove, Proof, Unit};
use super::repetition::occurrence_plies;
use super::replay::Replay;
use super::timeline::CountLeft;
use crate::oracle::{Oracle, Unknown};

/// The articles that are counts, in order.
const COUNTS: [Article; 4] = [Article::ThreeKings, Article::UnchangedRatio, Article::MainRoad, Article::KingsOnly];

/// What one rule set says of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judged {
    /// The states after each ply.
    pub(crate) states: Vec<State>,
    /// The articles that were met, in order of ply and then of article.
    pub(crate) met: Vec<Met>,
    /// The looks at the table that the won-position reading of 1.9.1.5 asked for.
    pub(crate) reviews: Vec<RoadReview>,
}

impl Judged {
    /// The last look at the table in the force ratio that stands after this ply.
    pub(crate) fn standing_review(&self, ply: usize) -> Option<&RoadReview> {
        let arose = ply - self.states[ply].counters.ratio_plies as usize;
        self.reviews.iter().rev().find(|review| (arose..=ply).contains(&review.ply))
    }

    /// The first look at the table that the tables do not allow. From there on the game may be over.
    pub(crate) fn unknown_review(&self) -> Option<(&RoadReview, &Unknown)> {
        self.reviews.iter().find_map(|review| match &review.finding {
            RoadFinding::Unknown(reason) => Some((review, reason)),
            RoadFinding::Won { .. } | RoadFinding::Drawn(_) => None,
        })
    }

    /// What is left after this ply on each count that runs. The count of 1.9.1.5 runs no more in a force ratio in which a
    /// won position has satisfied the rule.
    pub(crate) fn counts_left(&self, rules: &Rules, ply: usize) -> Vec<CountLeft> {
        let review = self.standing_review(ply);
        let satisfied = review.is_some_and(|review| matches!(review.finding, RoadFinding::Won { .. }));
        rules
            .remaining(&self.states[ply])
            .filter(|remaining| !(satisfied && remaining.article == Article::MainRoad))
            .map(|remaining| {
                let (left, unit) = match remaining.left {
                    Left::Plies(plies) => (plies, Unit::Plies),
                    Left::OwnMoves(moves) => (moves, Unit::OwnMoves),
                };
                CountLeft { article: remaining.article, left, unit }
            })
            .collect()
    }
}

/// What the arbiter found when the stronger side had made its 5th own move (1.9.1.5, won-position reading).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoadReview {
    /// The ply of the 5th own move.
    pub ply: usize,
    /// What the table says with the road rule set aside.
    #[serde(flatten)]
    pub finding: RoadFinding,
    /// The rules of the table that says it.
    #[serde(skip)]
    pub table_rules: Rules,
}

/// The finding of a review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoadFinding {
    /// Won for a side: play goes on, and the rule is satisfied for this force ratio.
    Won {
        /// The side.
        winner: Color,
        /// The value for the side to move.
        outcome: Outcome,
    },
    /// Not won for either side: a draw.
    Drawn(Outcome),
    /// The table that would say it is not there.
    Unknown(Unknown),
}

impl Serialize for RoadFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            finding: &'a str,
            value: Option<&'a str>,
            distance_plies: Option<u16>,
            #[serde(skip_serializing_if = "Option::is_none")]
            winner: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'a Unknown>,
        }
        let known = |finding, outcome: &Outcome, winner: Option<Color>| Fields {
            finding,
            value: Some(outcome.value.name()),
            distance_plies: outcome.distance_plies,
            winner: winner.map(color_name),
            reason: None,
        };
        match self {
            RoadFinding::Won { outcome, winner } => known("won", outcome, Some(*winner)),
            RoadFinding::Drawn(outcome) => known("drawn", outcome, None),
            RoadFinding::Unknown(reason) => {
                Fields { finding: "unknown", value: None, distance_plies: None, winner: None, reason: Some(reason) }
            }
        }
        .serialize(serializer)
    }
}

/// Judges a replayed record.
pub(crate) fn judge(rules: &Rules, replay: &Replay<'_>, oracle: &dyn Oracle) -> Judged {
    let states = replay.states(rules);
    let reviews = road_reviews(rules, &states, oracle);
    let mut found: Vec<(Article, Vec<usize>)> = COUNTS.into_iter().map(|article| (article, Vec::new())).collect();
    // Whether each count was complete after the ply before: it is met anew only after it was not.
    let mut complete = [false; COUNTS.len()];
    for (ply, state) in states.iter().enumerate() {
        let now = complete_counts(rules, state);
        for (index, (_, plies)) in found.iter_mut().enumerate() {
            if now[index] && !complete[index] {
                plies.push(ply);
            }
        }
        complete = now;
    }
    for review in reviews.iter().filter(|review| matches!(review.finding, RoadFinding::Drawn(_))) {
        for (_, plies) in found.iter_mut().filter(|(article, _)| *article == Article::MainRoad) {
            plies.push(review.ply);
        }
    }
    let blocks = match rules.set.repetition {
        Some(Repetition::EqualBlocks { blocks, min_moves }) => replay.equal_blocks(blocks, min_moves),
        _ => Vec::new(),
    };
    let repeated = match rules.set.repetition {
        Some(Repetition::Occurrences(times)) => plies_where(&replay.occurrences, |&occurrence| occurrence >= times),
        Some(Repetition::EqualBlocks { .. }) => plies_where(&blocks, Option::is_some),
        None => Vec::new(),
    };
    found.push((Article::Repetition, repeated));
    let mut met: Vec<Met> = found
        .into_iter()
        .filter_map(|(article, plies)| {
            let (&first, later) = plies.split_first()?;
            let (count, proof) = match (article, rules.set.repetition) {
                (Article::Repetition, Some(Repetition::EqualBlocks { blocks: times, .. })) => {
                    blocks_proof(replay, first, times, blocks[first]?)
                }
                (Article::Repetition, _) => occurrences_proof(replay, first),
                _ => range_proof(rules, replay, &states[first], first, article),
            };
            let cites = rules.set.cites(article);
            Some(Met { article, first_met_ply: first, cites, count, proof, later_plies: later.to_vec() })
        })
        .collect();
    met.sort_by_key(|met| (met.first_met_ply, met.article));
    Judged { states, met, reviews }
}

fn plies_where<T>(values: &[T], holds: impl Fn(&T) -> bool) -> Vec<usize> {
    values.iter().enumerate().filter(|(_, value)| holds(value)).map(|(ply, _)| ply).collect()
}

/// Which counts are complete in a state that is not over by having no move: a win on the very move that completes a
/// count stands.
fn complete_counts(rules: &Rules, state: &State) -> [bool; COUNTS.len()] {
    let mut complete = [false; COUNTS.len()];
    if state.counters.ratio_plies == 0 {
        return complete;
    }
    for remaining in rules.remaining(state).filter(|remaining| remaining.left.is_zero()) {
        let by_table = remaining.article == Article::MainRoad && rules.road_review_due(state);
        if let Some(index) = COUNTS.iter().position(|&article| article == remaining.article)
            && !by_table
            && rules.over_by_no_move(&state.position).is_none()
        {
            complete[index] = true;
        }
    }
    complete
}

/// The looks at the table for the won-position reading of 1.9.1.5: on each 5th own move until the rule is satisfied for
/// the force ratio.
fn road_reviews(rules: &Rules, states: &[State], oracle: &dyn Oracle) -> Vec<RoadReview> {
    let mut reviews = Vec::new();
    let (mut satisfied, mut due_before) = (false, false);
    for (ply, state) in states.iter().enumerate() {
        satisfied &= state.counters.ratio_plies > 0;
        let due = rules.road_review_due(state);
        if due && !due_before && !satisfied && rules.over_by_no_move(&state.position).is_none() {
            let (finding, table_rules) = road_finding(rules, state, oracle);
            satisfied = matches!(finding, RoadFinding::Won { .. });
            reviews.push(RoadReview { ply, finding, table_rules });
        }
        due_before = due;
    }
    reviews
}

/// What the tables say of a state in which the review is due, and the rules of the table that says it. The repetitions
/// that there were do not enter: they end a game by a claim only.
///
/// Rules only add draws. Where the set's own table is not there, a win by the strict reading is therefore one by this
/// reading, and a draw without draw rules is a draw by it.
fn road_finding(rules: &Rules, state: &State, oracle: &dyn Oracle) -> (RoadFinding, Rules) {
    let won = |outcome: Outcome| match outcome.value {
        Value::Win => Some(state.position.turn()),
        Value::Loss => Some(state.position.turn().opponent()),
        Value::CursedWin | Value::Draw | Value::BlessedLoss => None,
    };
    let unknown = match oracle.outcome(rules, state, &[]) {
        Ok(outcome) => {
            let finding = match won(outcome) {
                Some(winner) => RoadFinding::Won { winner, outcome },
                None => RoadFinding::Drawn(outcome),
            };
            return (finding, *rules);
        }
        Err(unknown) => unknown,
    };
    let stricter = strict_twin(rules).and_then(|strict| {
        let outcome = oracle.outcome(&strict, &without_road(state), &[]).ok()?;
        Some((RoadFinding::Won { winner: won(outcome)?, outcome }, strict))
    });
    let none = rules.without_draw_rules();
    let drawn_without_rules = || {
        let outcome = oracle.outcome(&none, state, &[]).ok()?;
        (outcome.value == Value::Draw).then_some((RoadFinding::Drawn(outcome), none))
    };
    stricter.or_else(drawn_without_rules).unwrap_or((RoadFinding::Unknown(unknown), *rules))
}

/// The named rule set that differs from this one by the strict reading of 1.9.1.5 only.
fn strict_twin(rules: &Rules) -> Option<Rules> {
    RuleSet::ALL.into_iter().map(|set| Rules::new(rules.variant, set)).find(|twin| {
        let strict = twin.set.main_road.is_some_and(|rule| rule.reading == RoadReading::Strict);
        strict && RuleSet { name: rules.set.name, main_road: rules.set.main_road, ..twin.set } == rules.set
    })
}

/// The same state with the road count at its beginning: by the won-position reading the count changes no value.
pub(crate) fn without_road(state: &State) -> State {
    State { counters: Counters { road_moves: 0, ..state.counters }, ..*state }
}

fn occurrences_proof(replay: &Replay<'_>, ply: usize) -> (Count, Proof) {
    let plies = occurrence_plies(&replay.positions, ply);
    let count = Count { reached: replay.occurrences[ply], unit: Unit::Occurrences };
    (count, Proof::Occurrences { plies, fen: replay.positions[ply].to_fen() })
}

fn blocks_proof(replay: &Replay<'_>, ply: usize, times: u32, blocks: super::repetition::EqualBlocks) -> (Count, Proof) {
    let from_ply = ply + 2 - 2 * blocks.own_moves * times as usize;
    let block = numbered(replay, (from_ply..).step_by(2).take(blocks.own_moves));
    let count = Count { reached: times, unit: Unit::EqualBlocks };
    (count, Proof::Blocks { side: blocks.side, from_ply, to_ply: ply, block })
}

/// The plies that make up a count that is complete after this ply.
fn range_proof(rules: &Rules, replay: &Replay<'_>, state: &State, ply: usize, article: Article) -> (Count, Proof) {
    let counters = state.counters;
    let ratio_range = ply + 1 - counters.ratio_plies as usize..=ply;
    let stronger = [Color::White, Color::Black]
        .into_iter()
        .find(|&color| state.position.side(color).pieces().len() > 1)
        .unwrap_or(Color::White);
    let own = |range: std::ops::RangeInclusive<usize>| range.filter(|&ply| replay.mover(ply) == stronger).collect();
    let (side, plies): (Option<Color>, Vec<usize>) = match (article, rules.set.three_kings.map(|rule| rule.limit)) {
        (Article::ThreeKings, Some(ThreeKingsLimit::OwnMoves(_))) => (Some(stronger), own(ratio_range)),
        (Article::MainRoad, _) => {
            let mut plies: Vec<usize> = own(ratio_range);
            plies.drain(..plies.len() - usize::from(counters.road_moves));
            (Some(stronger), plies)
        }
        (Article::KingsOnly, _) => (None, (ply + 1 - counters.kings_plies as usize..=ply).collect()),
        _ => (None, ratio_range.collect()),
    };
    let unit = if side.is_some() { Unit::OwnMoves } else { Unit::Plies };
    let count = Count { reached: u32::try_from(plies.len()).unwrap_or(u32::MAX), unit };
    let from_ply = plies.first().copied().unwrap_or(ply);
    (count, Proof::Range { from_ply, to_ply: ply, side, moves: numbered(replay, plies.into_iter()) })
}

fn numbered(replay: &Replay<'_>, plies: impl Iterator<Item = usize>) -> Vec<NumberedMove> {
    plies.map(|ply| NumberedMove { ply, text: replay.move_text(ply).to_owned() }).collect()
}
