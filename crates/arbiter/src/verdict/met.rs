//! Where an article was met, with the proof.

use bolshak_rules::{Article, Color};
use serde::{Serialize, Serializer};

use super::color_name;

/// An article that was met in the game as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Met {
    /// The article.
    #[serde(serialize_with = "article_number")]
    pub article: Article,
    /// The 1-based ply after which it was first met: drawn for 1.9.1.3 to .6, claimable for 1.9.1.7.
    pub first_met_ply: usize,
    /// The numbers of the rule set's own text, where it has others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cites: Option<&'static str>,
    /// What was counted.
    pub count: Count,
    /// The plies and moves by which the count can be checked by hand.
    pub proof: Proof,
    /// Later plies after which it was met anew.
    pub later_plies: Vec<usize>,
}

/// A number with what it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// How many.
    pub reached: u32,
    /// Of what.
    pub unit: Unit,
}

/// What a rule counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Moves by one side each.
    Plies,
    /// Moves of the stronger side.
    OwnMoves,
    /// Times that a position stood on the board.
    Occurrences,
    /// Equal sequences of one side's moves.
    EqualBlocks,
}

/// What makes a count up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Proof {
    /// A range of plies.
    Range {
        /// The first ply that counts.
        from_ply: usize,
        /// The last ply that counts.
        to_ply: usize,
        /// The side whose own moves count, where only one side's do.
        #[serde(serialize_with = "optional_color")]
        side: Option<Color>,
        /// The moves of the range, or those of that side.
        moves: Vec<NumberedMove>,
    },
    /// Occurrences of a position with the same side to move.
    Occurrences {
        /// The plies after which it stood; 0 is the position at the beginning.
        plies: Vec<usize>,
        /// The position.
        fen: String,
    },
    /// Equal blocks of one side's moves.
    Blocks {
        /// The side that repeated its moves.
        #[serde(serialize_with = "color")]
        side: Color,
        /// The first ply of the first block.
        from_ply: usize,
        /// The last ply of the last block.
        to_ply: usize,
        /// The moves of one block.
        block: Vec<NumberedMove>,
    },
}

/// A move of the record with its ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NumberedMove {
    /// The 1-based ply.
    pub ply: usize,
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
}

pub(crate) fn article_number<S: Serializer>(article: &Article, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(article.number())
}

pub(crate) fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(color_name(*color))
}

pub(crate) fn optional_color<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    match color {
        Some(color) => serializer.serialize_some(color_name(*color)),
        None => serializer.serialize_none(),
    }
}
