//! What a record is accepted with although it is odd.

use std::fmt;

use bolshak_rules::Color;
use serde::{Serialize, Serializer};

use crate::verdict::{side_english, side_genitive};
use crate::{GameResult, Language};

/// Something odd in a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The 1-based ply it concerns; `None` for the game as a whole.
    pub ply: Option<usize>,
    /// What it is.
    pub kind: WarningKind,
}

/// What is odd.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WarningKind {
    /// A Cyrillic letter was read as the Latin one it looks like.
    LookAlike(char),
    /// A hyphen was written where only a capture can be meant.
    HyphenForCapture(String),
    /// The tag and the end of the moves give different results; the tag's was taken.
    ResultsDiffer {
        /// The result of the tag.
        tag: GameResult,
        /// The result at the end of the moves.
        moves: GameResult,
    },
    /// A result that is none of the known ones.
    UnknownResult(String),
    /// `X` at the end was read as a win of the side that moved last.
    MarkedWin(Color),
    /// A move number that is not the next one.
    MoveNumber {
        /// The number in the text.
        given: u32,
        /// The number that should stand there.
        expected: u32,
    },
    /// The position's text was odd.
    Position(String),
    /// A tag that stands twice; the first was taken.
    TagTwice(String),
    /// A tag that is not closed on its line.
    TagNotClosed(String),
    /// A comment (`{`) or variation (`(`) that is not closed.
    NotClosed(char),
    /// A list of pieces that says another count than it has.
    BookCount {
        /// The side.
        color: Color,
        /// The count that is said.
        stated: usize,
        /// The pieces that are listed.
        listed: usize,
    },
    /// A list of pieces that does not say who is to move: White was taken.
    TurnNotSaid,
    /// SetUp says that a position was set up, and none is given.
    NoPosition,
    /// There is no move in the record.
    NoMoves,
}

impl Warning {
    /// One clear sentence.
    pub fn message(&self, language: Language) -> String {
        let message = self.kind.message(language);
        match self.ply {
            Some(ply) => language.pick(format!("ply {ply}: {message}"), format!("полуход {ply}: {message}")),
            None => message,
        }
    }
}

impl WarningKind {
    fn message(&self, language: Language) -> String {
        match self {
            WarningKind::LookAlike(letter) => language.pick(
                format!("Cyrillic '{letter}' was read as the Latin letter"),
                format!("русская буква '{letter}' прочитана как латинская"),
            ),
            WarningKind::HyphenForCapture(text) => language.pick(
                format!("'{text}' has a hyphen, but can only be a capture"),
                format!("в '{text}' стоит дефис, но это может быть только взятие"),
            ),
            WarningKind::ResultsDiffer { tag, moves } => language.pick(
                format!("the Result tag says {tag}, the end of the moves {moves}; the tag was taken"),
                format!("тег Result: {tag}, в конце ходов: {moves}; взят тег"),
            ),
            WarningKind::UnknownResult(text) => language.pick(
                format!("'{text}' is no known result; the game was taken as unfinished"),
                format!("неизвестный результат '{text}'; партия считается неоконченной"),
            ),
            WarningKind::MarkedWin(color) => {
                let (english, russian) = (side_english(*color), side_genitive(*color));
                language.pick(
                    format!("the mark X was read as a win for {english}, who moved last"),
                    format!("знак Х прочитан как выигрыш {russian}, ходивших последними"),
                )
            }
            WarningKind::MoveNumber { given, expected } => language.pick(
                format!("move number {given} stands where {expected} should"),
                format!("стоит номер хода {given}, а должен быть {expected}"),
            ),
            WarningKind::Position(text) => language.pick(format!("position: {text}"), format!("позиция: {text}")),
            WarningKind::TagTwice(name) => language.pick(
                format!("the tag {name} stands twice; the first was taken"),
                format!("тег {name} повторён; взят первый"),
            ),
            WarningKind::TagNotClosed(name) => language.pick(
                format!("the tag {name} is not closed on its line"),
                format!("тег {name} не закрыт в своей строке"),
            ),
            WarningKind::NotClosed(sign) => {
                language.pick(format!("'{sign}' is not closed"), format!("скобка '{sign}' не закрыта"))
            }
            WarningKind::BookCount { color, stated, listed } => {
                let side = language.pick(side_english(*color), side_genitive(*color));
                language.pick(
                    format!("pieces of {side}: {stated} by the list's own count, {listed} listed"),
                    format!("фигур у {side} указано {stated}, перечислено {listed}"),
                )
            }
            WarningKind::TurnNotSaid => language.pick(
                "the list of pieces does not say who is to move; White was taken".to_owned(),
                "в списке не сказано, чей ход; принято: белых".to_owned(),
            ),
            WarningKind::NoPosition => language.pick(
                "SetUp says that a position was set up, but none is given".to_owned(),
                "тег SetUp говорит о расставленной позиции, но её нет".to_owned(),
            ),
            WarningKind::NoMoves => language.pick("there is no move".to_owned(), "ходов нет".to_owned()),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Language::English))
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
