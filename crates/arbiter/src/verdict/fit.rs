//! How the recorded result fits what the rules say of the moves.

use bolshak_rules::{Article, Color, Over, Rules};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::judge::Judged;
use super::replay::Replay;
use super::{Unit, amount, claimable_plies, drawn_by, side_english, side_genitive};
use crate::{GameResult, Language};

/// Whether the recorded result fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fits {
    /// The moves alone give this result.
    Yes,
    /// The moves give another result.
    No,
    /// It depends on what leaves no trace in the moves: agreement, resignation, a flag, a claim.
    Possible,
    /// It takes a table that is not there, or moves that could not be read.
    Unknown,
}

/// How the game ended by its moves, beside its recorded result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fit {
    /// The result as recorded.
    pub result: GameResult,
    /// What the moves say.
    pub ending: Ending,
}

/// What the moves of a game say of its end under one rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The record could not be read to its end.
    NotRead,
    /// From this ply on it takes a table that is not there (1.9.1.5, won-position reading).
    NeedsTable {
        /// The ply of the review.
        ply: usize,
    },
    /// A count had ended the game in a draw.
    Count {
        /// The article.
        article: Article,
        /// The ply after which it was first met.
        ply: usize,
        /// Plies that the record goes on for.
        plies_after: usize,
    },
    /// A side had no move left (1.8.1); in giveaway it has won.
    NoMove {
        /// The winner.
        winner: Color,
    },
    /// The last position allows a claim of repetition.
    Claimable {
        /// The side that may claim.
        claimant: Color,
    },
    /// Nothing had ended the game.
    Open,
}

/// How the result of a record fits under these rules.
pub(crate) fn fit(rules: &Rules, replay: &Replay<'_>, judged: &Judged) -> Fit {
    let result = replay.record.result;
    let counted = drawn_by(judged);
    let undecided = judged.unknown_review().filter(|(review, _)| counted.is_none_or(|(_, ply)| review.ply < ply));
    let last = replay.last();
    let ending = if let Some((review, _)) = undecided {
        Ending::NeedsTable { ply: review.ply }
    } else if let Some((article, ply)) = counted {
        Ending::Count { article, ply, plies_after: last - ply }
    } else if let Some(Over::NoMove { winner }) =
        replay.positions.get(last).and_then(|position| rules.over_by_no_move(position))
    {
        // Whatever the record has after that.
        Ending::NoMove { winner }
    } else if replay.record.error.is_some() || replay.positions.is_empty() {
        Ending::NotRead
    } else if claimable_plies(judged).any(|ply| ply == last) {
        Ending::Claimable { claimant: replay.positions[last].turn() }
    } else {
        Ending::Open
    };
    Fit { result, ending }
}

impl Fit {
    /// Whether the result fits.
    pub fn fits(&self) -> Fits {
        match (self.ending, self.result) {
            (Ending::NotRead | Ending::NeedsTable { .. }, _) => Fits::Unknown,
            (Ending::Count { .. }, GameResult::Draw) => Fits::Yes,
            (Ending::NoMove { winner }, result) if result.winner() == Some(winner) => Fits::Yes,
            (Ending::Count { .. } | Ending::NoMove { .. }, GameResult::Unfinished) => Fits::Possible,
            (Ending::Count { .. } | Ending::NoMove { .. }, _) => Fits::No,
            (Ending::Open, GameResult::Unfinished) => Fits::Yes,
            (Ending::Claimable { .. } | Ending::Open, _) => Fits::Possible,
        }
    }

    /// What the moves say and how the result fits, in a sentence or two.
    pub fn text(&self, language: Language) -> String {
        let ending = match self.ending {
            Ending::NotRead => language
                .pick("the record could not be read to its end".to_owned(), "запись не прочитана до конца".to_owned()),
            Ending::NeedsTable { ply } => language.pick(
                format!("unknown: needs the table at ply {ply} (1.9.1.5)"),
                format!("неизвестно: на полуходе {ply} нужна таблица (1.9.1.5)"),
            ),
            Ending::Count { article, ply, plies_after } => {
                let on = match plies_after {
                    0 => String::new(),
                    plies => {
                        let plies = amount(u32::try_from(plies).unwrap_or(u32::MAX), Unit::Plies, language);
                        language.pick(
                            format!("; the record goes on for {plies}"),
                            format!("; запись продолжается ещё {plies}"),
                        )
                    }
                };
                language.pick(
                    format!("drawn by {article} after ply {ply}{on}"),
                    format!("ничья по {article} после полухода {ply}{on}"),
                )
            }
            Ending::NoMove { winner } => language.pick(
                format!("{} has won: one side has no move left (1.8.1)", side_english(winner)),
                format!("выигрыш {}: у одной из сторон не осталось ходов (1.8.1)", side_genitive(winner)),
            ),
            Ending::Claimable { claimant } => language.pick(
                format!("{} may claim a draw by repetition in the last position (1.9.1.7)", side_english(claimant)),
                format!(
                    "в последней позиции у {} есть право требовать ничью за повторение (1.9.1.7)",
                    side_genitive(claimant)
                ),
            ),
            Ending::Open => language.pick(
                "no count ended the game and a move was there".to_owned(),
                "ни один счёт партию не закончил, и ход есть".to_owned(),
            ),
        };
        let result = match (self.fits(), self.result) {
            (Fits::Yes, _) => language.pick("the recorded result fits", "записанный результат верен"),
            (Fits::No, _) => language.pick("the recorded result contradicts it", "записанный результат этому противоречит"),
            (Fits::Unknown, _) => language.pick("the recorded result cannot be judged", "о записанном результате судить нельзя"),
            (Fits::Possible, GameResult::Draw) => language.pick(
                "the recorded draw takes an agreement (1.9.1.1), a decision (1.9.1.2) or an upheld claim (1.9.2)",
                "записанная ничья возможна по соглашению (1.9.1.1), по решению (1.9.1.2) или по принятому требованию (1.9.2)",
            ),
            (Fits::Possible, GameResult::Unfinished) => {
                language.pick("the record gives no result", "результат в записи не указан")
            }
            (Fits::Possible, _) => language.pick(
                "the recorded win takes a resignation or a fallen flag (1.8.1)",
                "записанный выигрыш возможен при сдаче или просрочке времени (1.8.1)",
            ),
        };
        format!("{ending}; {result}")
    }
}

impl Serialize for Fit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("fit", 2)?;
        object.serialize_field("fits", &self.fits())?;
        object.serialize_field("text", &self.text(Language::English))?;
        object.end()
    }
}
