//! What is wrong with a position or its counters, by a name that stays: who shows it in another language than English needs
//! no more than the name and what it is about.

use bolshak_rules::{Color, CountersError, FenError, PositionError, SquareError};

/// Why a part of a question is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) name: &'static str,
    /// The square, the side or the piece of text; empty where there is none.
    pub(crate) about: String,
}

impl Cause {
    pub(crate) fn new(name: &'static str, about: impl ToString) -> Cause {
        Cause { name, about: about.to_string() }
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl From<&FenError> for Cause {
    fn from(error: &FenError) -> Cause {
        match error {
            FenError::SideToMove(text) => Cause::new("SIDE_TO_MOVE", text),
            FenError::ListColor(text) => Cause::new("LIST_COLOR", text),
            FenError::MissingList(color) => Cause::new("MISSING_LIST", color_name(*color)),
            FenError::ListTwice(color) => Cause::new("LIST_TWICE", color_name(*color)),
            FenError::Square { error: SquareError::OffBoard(square), .. } => Cause::new("OFF_BOARD", square),
            FenError::Square { error: SquareError::Light(square), .. } => Cause::new("LIGHT_SQUARE", square),
            FenError::Number(text) => Cause::new("SQUARE_NUMBER", text),
            FenError::Range(text) => Cause::new("SQUARE_RANGE", text),
            FenError::EmptyItem(color) => Cause::new("EMPTY_ITEM", color_name(*color)),
            FenError::Trailing(text) => Cause::new("TRAILING", text),
            FenError::Position(error) => error.into(),
        }
    }
}

impl From<&PositionError> for Cause {
    fn from(error: &PositionError) -> Cause {
        match error {
            PositionError::SquareTwice(square) => Cause::new("SQUARE_TWICE", square),
            PositionError::ManOnPromotionRank { square, .. } => Cause::new("MAN_ON_PROMOTION_RANK", square),
            PositionError::TooManyPieces { color, .. } => Cause::new("TOO_MANY_PIECES", color_name(*color)),
            PositionError::NoPieces => Cause::new("NO_PIECES", ""),
        }
    }
}

impl From<&CountersError> for Cause {
    fn from(error: &CountersError) -> Cause {
        match error {
            CountersError::KingsAboveRatio { .. } => Cause::new("KINGS_ABOVE_RATIO", ""),
            CountersError::KingsBelowRatioWithoutMen { .. } => Cause::new("KINGS_BELOW_RATIO", ""),
            CountersError::RoadAboveLimit(_) => Cause::new("ROAD_ABOVE_LIMIT", ""),
            CountersError::RoadElsewhere(_) => Cause::new("ROAD_ELSEWHERE", ""),
            CountersError::RoadAboveOwnMoves { .. } => Cause::new("ROAD_ABOVE_OWN_MOVES", ""),
        }
    }
}
