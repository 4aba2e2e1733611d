//! Where rule sets say different things of one game, and why.

use bolshak_rules::{Article, RatioMaterial, Repetition, RoadReading, RuleSet, Rules, ThreeKingsLimit};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::judge::Judged;
use crate::{BySet, Language};

/// What one rule set says of an article in this game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "finding", content = "ply")]
pub enum Finding {
    /// First met after this ply.
    Met(usize),
    /// Not met.
    NotMet,
    /// From this ply on it takes a table that is not there.
    NeedsTable(usize),
}

/// An article of which the rule sets say different things in this game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The article.
    pub article: Article,
    /// What each set says.
    pub findings: BySet<Finding>,
    rules: Vec<Rules>,
}

/// The articles on which these rule sets differ in this game.
pub(crate) fn disagreements(judged: &[(Rules, Judged)]) -> Vec<Disagreement> {
    Article::ALL
        .into_iter()
        .filter_map(|article| {
            let findings: BySet<Finding> =
                judged.iter().map(|(rules, judged)| (rules.set.name, finding(judged, article))).collect();
            let first = findings.iter().next().map(|(_, finding)| *finding);
            let differ = findings.iter().any(|(_, finding)| Some(*finding) != first);
            let rules = judged.iter().map(|(rules, _)| *rules).collect();
            differ.then_some(Disagreement { article, findings, rules })
        })
        .collect()
}

fn finding(judged: &Judged, article: Article) -> Finding {
    if let Some(met) = judged.met.iter().find(|met| met.article == article) {
        Finding::Met(met.first_met_ply)
    } else if let (Article::MainRoad, Some((review, _))) = (article, judged.unknown_review()) {
        Finding::NeedsTable(review.ply)
    } else {
        Finding::NotMet
    }
}

impl Disagreement {
    /// What each set says, and what it counts, in one paragraph.
    pub fn explanation(&self, language: Language) -> String {
        let mut groups: Vec<(Finding, String, Vec<&str>)> = Vec::new();
        for (rules, (name, finding)) in self.rules.iter().zip(self.findings.iter()) {
            let counts = describe(&rules.set, self.article, language);
            match groups.iter_mut().find(|(same, text, _)| same == finding && *text == counts) {
                Some((_, _, names)) => names.push(name),
                None => groups.push((*finding, counts, vec![name])),
            }
        }
        let sentences: Vec<String> = groups
            .into_iter()
            .map(|(finding, counts, names)| {
                let found = match finding {
                    Finding::Met(ply) => language
                        .pick(format!("first met after ply {ply}"), format!("впервые выполнен после полухода {ply}")),
                    Finding::NotMet => language.pick("not met", "не выполнен").to_owned(),
                    Finding::NeedsTable(ply) => language.pick(
                        format!("from ply {ply} on it needs a table that is not there"),
                        format!("с полухода {ply} нужна таблица, которой нет"),
                    ),
                };
                format!("{}: {found} ({counts})", names.join(", "))
            })
            .collect();
        format!("{}: {}.", self.article, sentences.join("; "))
    }
}

impl Serialize for Disagreement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("disagreement", 3)?;
        object.serialize_field("article", self.article.number())?;
        object.serialize_field("findings", &self.findings)?;
        object.serialize_field("explanation", &self.explanation(Language::English))?;
        object.end()
    }
}

/// What a rule set counts for an article, taken from its definition.
pub(crate) fn describe(set: &RuleSet, article: Article, language: Language) -> String {
    let none = || language.pick("the set has no such count", "такого счёта в наборе нет").to_owned();
    match article {
        Article::Agreement | Article::NoWinPossible => none(),
        Article::ThreeKings => set.three_kings.map_or_else(none, |rule| match rule.limit {
            ThreeKingsLimit::OwnMoves(moves) => language.pick(
                format!("{moves} own moves of the stronger side since the force ratio arose"),
                format!("{moves} собственных ходов сильнейшей стороны с момента возникновения соотношения сил"),
            ),
            ThreeKingsLimit::Plies(plies) => language.pick(
                format!("{plies} plies since the force ratio arose, whoever moved first"),
                format!("{plies} полуходов с момента возникновения соотношения сил, кто бы ни ходил первым"),
            ),
        }),
        Article::UnchangedRatio => {
            let limits: Vec<String> = set
                .unchanged_ratio
                .iter()
                .map(|limit| match limit.material {
                    RatioMaterial::BothHaveKing { min_pieces, max_pieces } => language.pick(
                        format!("{} moves with {min_pieces} or {max_pieces} pieces, both sides having a king", limit.plies / 2),
                        format!("{} ходов при {min_pieces}–{max_pieces} фигурах, дамки у обеих сторон", limit.plies / 2),
                    ),
                    RatioMaterial::OneKingWithMen { min_opponent_kings } => language.pick(
                        format!(
                            "{} moves where one side has one king and at least one man, the other {min_opponent_kings} king or more",
                            limit.plies / 2
                        ),
                        format!(
                            "{} ходов, если у одной стороны одна дамка и хотя бы одна простая, у другой дамок не меньше {min_opponent_kings}",
                            limit.plies / 2
                        ),
                    ),
                })
                .collect();
            if limits.is_empty() { none() } else { limits.join(", ") }
        }
        Article::MainRoad => set.main_road.map_or_else(none, |rule| {
            let moves = rule.own_moves;
            let mut text = match rule.reading {
                RoadReading::Strict => language.pick(
                    format!("a draw on the stronger side's own move {moves}, unless it ends the game or changes the ratio"),
                    format!("ничья на {moves}-м собственном ходу сильнейшей стороны, если он не кончает игру и не меняет соотношение"),
                ),
                RoadReading::WonPosition => language.pick(
                    format!("on the stronger side's own move {moves} the position is looked up; a draw unless it is won"),
                    format!("на {moves}-м собственном ходу сильнейшей стороны позиция проверяется по таблице; ничья, если она не выиграна"),
                ),
            };
            if rule.min_kings > 0 {
                text += &language.pick(
                    format!(", at least {} king among the three", rule.min_kings),
                    format!(", среди трёх не меньше {} дамки", rule.min_kings),
                );
            }
            if rule.alone_on_road {
                text += language.pick(", the lone king alone on the road", ", на большой дороге только одинокая дамка");
            }
            text
        }),
        Article::KingsOnly => set.kings_only.map_or_else(none, |rule| {
            let moves = rule.plies / 2;
            let mut text = language
                .pick(format!("{moves} moves by kings only"), format!("{moves} ходов только дамками"));
            if rule.min_pieces > 2 {
                text += &language.pick(
                    format!(", with {} pieces or more on the board", rule.min_pieces),
                    format!(", если на доске не меньше {} фигур", rule.min_pieces),
                );
            }
            text
        }),
        Article::Repetition => set.repetition.map_or_else(none, |rule| match rule {
            Repetition::Occurrences(times) => language.pick(
                format!("occurrence {times} of a position with the same side to move"),
                format!("{times}-е появление позиции с той же очередью хода"),
            ),
            Repetition::EqualBlocks { blocks, min_moves } => language.pick(
                format!("{blocks} equal blocks of at least {min_moves} own moves of one side"),
                format!("{blocks} одинаковые серии не менее чем из {min_moves} ходов одной стороны"),
            ),
        }),
    }
}
