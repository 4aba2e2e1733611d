//! Moves as text: `e3-f4`, `e3:g5`, and the squares where a capture turns when its ends do not suffice.

use crate::moves::{Captures, Move, MoveList};
use crate::position::Position;
use crate::square::{Square, SquareError};

/// Why a text is no legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Not squares joined by `-`, `:` or `x`.
    #[error("'{0}' is not a move: write e3-f4, e3:g5 or e3:g5:e7")]
    Malformed(String),
    /// One of the squares is none.
    #[error("in move '{text}': {error}")]
    Square {
        /// The move as written.
        text: String,
        /// What is wrong.
        error: SquareError,
    },
    /// No legal move fits.
    #[error("'{text}' is not legal here; {}", match .legal.as_slice() {
        [] => "there is no legal move".to_owned(),
        legal => format!("legal: {}", legal.join(" ")),
    })]
    Illegal {
        /// The move as written.
        text: String,
        /// The texts of all legal moves, in order.
        legal: Vec<String>,
    },
    /// More than one legal move fits.
    #[error("'{text}' can be read as {}", .candidates.join(" or "))]
    Ambiguous {
        /// The move as written.
        text: String,
        /// The moves it may mean, written in full, in order of text.
        candidates: Vec<String>,
    },
}

impl Position {
    /// A legal move as text: `from-to`, `from:to`, or where another capture shares both ends, the full path.
    pub fn move_text(&self, mv: &Move) -> String {
        if mv.is_capture() { self.move_text_among(mv, &self.legal_moves()) } else { self.full_move_text(mv) }
    }

    /// All legal moves with their texts, in order of text.
    pub fn legal_moves_with_text(&self) -> Vec<(String, Move)> {
        let moves = self.legal_moves();
        let mut texts: Vec<_> = moves.iter().map(|mv| (self.move_text_among(mv, &moves), *mv)).collect();
        texts.sort_unstable();
        texts
    }

    fn move_text_among(&self, mv: &Move, legal: &MoveList) -> String {
        if !mv.is_capture() {
            return from_to(mv, '-');
        }
        let alone = legal.iter().filter(|other| other.from == mv.from && other.to == mv.to).count() == 1;
        if alone { from_to(mv, ':') } else { self.full_move_text(mv) }
    }

    /// A legal move with the full path: the squares where a capture turns. Of several paths of the same move it is the
    /// one with the fewest turns, and then the first in order of text.
    pub fn full_move_text(&self, mv: &Move) -> String {
        if !mv.is_capture() {
            return from_to(mv, '-');
        }
        self.capture_paths(mv)
            .iter()
            .map(|path| (path.len(), join(path)))
            .min()
            .map_or_else(|| from_to(mv, ':'), |(_, text)| text)
    }

    /// Every path of a legal capture: the squares where it turns, its two ends included. No path for a quiet move.
    pub fn capture_paths(&self, mv: &Move) -> Vec<Vec<Square>> {
        if mv.is_capture() { Captures::new(self, mv.from).paths(mv) } else { Vec::new() }
    }

    /// Reads a move as [`Position::move_text`] writes it. Also read are `x` for `:`, upper-case squares, and between the
    /// two ends of a capture any of the squares where it may land, as long as one legal move fits; a path that names all
    /// the squares where one of several turns, and no others, means that one.
    pub fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        let squares = text
            .split(['-', ':', 'x', 'X'])
            .map(|square| {
                square.parse().map_err(|error| match error {
                    SquareError::OffBoard(_) if square.chars().count() != 2 => {
                        NotationError::Malformed(text.to_owned())
                    }
                    error => NotationError::Square { text: text.to_owned(), error },
                })
            })
            .collect::<Result<Vec<Square>, _>>()?;
        let [from, via @ .., to] = squares.as_slice() else { return Err(NotationError::Malformed(text.to_owned())) };
        let quiet = text.contains('-');
        if quiet && !via.is_empty() {
            return Err(NotationError::Malformed(text.to_owned()));
        }
        let legal = self.legal_moves();
        let fits = |mv: &&Move| {
            mv.from == *from
                && mv.to == *to
                && mv.is_capture() != quiet
                && (via.is_empty() || Captures::new(self, mv.from).lands_on(mv, via))
        };
        let mut fitting: Vec<&Move> = legal.iter().filter(fits).collect();
        if fitting.len() > 1 && fitting.iter().any(|mv| self.capture_paths(mv).contains(&squares)) {
            fitting.retain(|mv| self.capture_paths(mv).contains(&squares));
        }
        match fitting.as_slice() {
            [mv] => Ok(**mv),
            [] => Err(NotationError::Illegal {
                text: text.to_owned(),
                legal: self.legal_moves_with_text().into_iter().map(|(text, _)| text).collect(),
            }),
            _ => {
                let mut candidates: Vec<String> = fitting.into_iter().map(|mv| self.full_move_text(mv)).collect();
                candidates.sort_unstable();
                Err(NotationError::Ambiguous { text: text.to_owned(), candidates })
            }
        }
    }
}

fn from_to(mv: &Move, sign: char) -> String {
    mv.from.chars().into_iter().chain([sign]).chain(mv.to.chars()).collect()
}

fn join(path: &[Square]) -> String {
    path.iter().map(Square::to_string).collect::<Vec<_>>().join(":")
}
