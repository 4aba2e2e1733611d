//! The verdict on a game: what every draw rule says of it, ply by ply, under each rule set.

mod disagreement;
mod fit;
mod judge;
mod met;
mod reading;
mod repetition;
mod replay;
mod timeline;

use bolshak_rules::{Article, Color, RuleSet, Rules, Variant};
use serde::Serialize;

pub use disagreement::{Disagreement, Finding};
pub use fit::{Ending, Fit, Fits};
pub use judge::{RoadFinding, RoadReview};
pub use met::{Count, Met, NumberedMove, Proof, Unit};
pub use reading::Reading;
pub use timeline::{CountLeft, GaveAway, PlyFacts, SetFacts};

use crate::adjudicate::TableValue;
use crate::oracle::{NoTables, Oracle};
use crate::pdn::{Record, RecordError, Warning};
use crate::{BySet, GameResult, Language};

pub(crate) use judge::{Judged, judge, without_road};
pub(crate) use met::{color, optional_color};
pub(crate) use repetition::occurrence_plies;
pub(crate) use replay::Replay;

/// How much a verdict tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// What was met, with the proof.
    #[default]
    Summary,
    /// Also every ply with its counters and table values.
    EveryPly,
}

/// Judges games by a variant's rules under some rule sets.
pub struct Arbiter<'o> {
    rules: Vec<Rules>,
    oracle: &'o dyn Oracle,
}

impl Arbiter<'static> {
    /// An arbiter by all rule sets but `none`, without tables.
    pub fn new(variant: Variant) -> Arbiter<'static> {
        let sets = RuleSet::ALL.into_iter().filter(|set| *set != Rules::NONE.set);
        Arbiter { rules: sets.map(|set| Rules::new(variant, set)).collect(), oracle: &NoTables }
    }
}

impl<'o> Arbiter<'o> {
    /// The same with these rule sets.
    pub fn with_sets(mut self, sets: impl IntoIterator<Item = RuleSet>) -> Arbiter<'o> {
        let variant = self.rules.first().map_or(Variant::Russian, |rules| rules.variant);
        self.rules = sets.into_iter().map(|set| Rules::new(variant, set)).collect();
        self
    }

    /// The same with tables to ask.
    pub fn with_oracle<'t>(self, oracle: &'t dyn Oracle) -> Arbiter<'t> {
        Arbiter { rules: self.rules, oracle }
    }

    pub(crate) fn rules(&self) -> &[Rules] {
        &self.rules
    }

    pub(crate) fn oracle(&self) -> &dyn Oracle {
        self.oracle
    }

    /// The verdict on the game of this 1-based number.
    pub fn verify(&self, game: usize, record: &Record, detail: Detail) -> Verdict {
        let replay = Replay::of(record);
        let judged: Vec<(Rules, Judged)> =
            self.rules.iter().map(|rules| (*rules, judge(rules, &replay, self.oracle))).collect();
        let by_set = |(rules, judged): &(Rules, Judged)| (rules.set.name, fit::fit(rules, &replay, judged));
        let fits = judged.iter().map(by_set).collect();
        let final_values = judged
            .iter()
            .filter_map(|(rules, judged)| {
                let outcome = self.oracle.outcome(rules, judged.states.last()?, &[]);
                Some((rules.set.name, outcome.map_or_else(TableValue::Unknown, TableValue::Known)))
            })
            .collect();
        let disagreements = disagreement::disagreements(&judged);
        let readings = reading::readings(&judged);
        let timeline = match detail {
            Detail::Summary => None,
            Detail::EveryPly => Some(timeline::timeline(&replay, &judged, self.oracle)),
        };
        let (rules, road_reviews) = judged
            .into_iter()
            .map(|(rules, judged)| ((rules.set.name, judged.met), (rules.set.name, judged.reviews)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Verdict {
            game,
            plies: record.plies(),
            final_fen: replay.positions.last().map(bolshak_rules::Position::to_fen),
            result: record.result,
            warnings: record.warnings.clone(),
            error: record.error.clone(),
            rules: BySet(rules),
            road_reviews: road_reviews.into_iter().filter(|(_, reviews)| !reviews.is_empty()).collect(),
            disagreements,
            readings,
            fits,
            final_values,
            timeline,
        }
    }
}

/// The verdict on a game; its JSON is the contract's, with more beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The 1-based number of the game in its file.
    pub game: usize,
    /// Plies replayed: all, or those before the error.
    pub plies: usize,
    /// The position after them; `None` when the record gives no possible position to begin with.
    pub final_fen: Option<String>,
    /// The result as recorded.
    pub result: GameResult,
    /// What the record was accepted with.
    pub warnings: Vec<Warning>,
    /// Why the record could not be read to its end.
    pub error: Option<RecordError>,
    /// For each rule set the articles that were met, in order of ply. Each is judged on its own for the whole record.
    pub rules: BySet<Vec<Met>>,
    /// The looks at the table that 1.9.1.5 asked for, for the sets with the won-position reading.
    pub road_reviews: BySet<Vec<RoadReview>>,
    /// The articles on which the rule sets differ in this game.
    pub disagreements: Vec<Disagreement>,
    /// How the articles that the game touches are read where their text is silent.
    pub readings: Vec<Reading>,
    /// How the recorded result fits under each rule set.
    pub fits: BySet<Fit>,
    /// What the last position was worth under each rule set, for the side to move; its repetitions do not enter.
    pub final_values: BySet<TableValue>,
    /// Every ply, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Vec<PlyFacts>>,
}

/// The count that ended the game in a draw, and the ply.
pub(crate) fn drawn_by(judged: &Judged) -> Option<(Article, usize)> {
    judged.met.iter().find(|met| met.article != Article::Repetition).map(|met| (met.article, met.first_met_ply))
}

/// The plies after which the player to move might have claimed repetition.
pub(crate) fn claimable_plies(judged: &Judged) -> impl Iterator<Item = usize> {
    judged
        .met
        .iter()
        .filter(|met| met.article == Article::Repetition)
        .flat_map(|met| std::iter::once(met.first_met_ply).chain(met.later_plies.iter().copied()))
}

/// Whether a rule set has a count for an article.
pub(crate) fn has_rule(set: &RuleSet, article: Article) -> bool {
    match article {
        Article::Agreement | Article::NoWinPossible => true,
        Article::ThreeKings => set.three_kings.is_some(),
        Article::UnchangedRatio => !set.unchanged_ratio.is_empty(),
        Article::MainRoad => set.main_road.is_some(),
        Article::KingsOnly => set.kings_only.is_some(),
        Article::Repetition => set.repetition.is_some(),
    }
}

/// A number with what it counts, in words.
pub(crate) fn amount(number: u32, unit: Unit, language: Language) -> String {
    let (english, russian) = match unit {
        Unit::Plies => (["ply", "plies"], ["полуход", "полухода", "полуходов"]),
        Unit::OwnMoves => (["own move", "own moves"], ["собственный ход", "собственных хода", "собственных ходов"]),
        Unit::Occurrences => (["occurrence", "occurrences"], ["появление", "появления", "появлений"]),
        Unit::EqualBlocks => {
            (["equal block", "equal blocks"], ["одинаковая серия", "одинаковые серии", "одинаковых серий"])
        }
    };
    let word = language.pick(english[usize::from(number != 1)], russian[russian_plural(number)]);
    format!("{number} {word}")
}

/// Which of the three Russian forms goes with a number.
fn russian_plural(number: u32) -> usize {
    match (number % 10, number % 100) {
        (_, 11..=14) => 2,
        (1, _) => 0,
        (2..=4, _) => 1,
        _ => 2,
    }
}

/// `white` or `black`, as in answers.
pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The side in English prose.
pub(crate) const fn side_english(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The side in the Russian nominative.
pub(crate) const fn side_nominative(color: Color) -> &'static str {
    match color {
        Color::White => "белые",
        Color::Black => "чёрные",
    }
}

/// The side in the Russian genitive.
pub(crate) const fn side_genitive(color: Color) -> &'static str {
    match color {
        Color::White => "белых",
        Color::Black => "чёрных",
    }
}
