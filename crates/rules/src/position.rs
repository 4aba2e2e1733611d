//! A position: which pieces stand where, and who is to move.

use crate::moves::Move;
use crate::square::{Direction, Square, Squares};

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Moves first, and up the board.
    White,
    /// Moves down the board.
    Black,
}

impl Color {
    /// The other side.
    pub const fn opponent(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The rank on which this side's men become kings.
    pub const fn promotion_rank(self) -> Squares {
        match self {
            Color::White => const { Squares::rank(7) },
            Color::Black => const { Squares::rank(0) },
        }
    }

    /// The two directions in which this side's men make quiet moves.
    pub const fn forward(self) -> [Direction; 2] {
        match self {
            Color::White => Direction::NORTH,
            Color::Black => Direction::SOUTH,
        }
    }
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A man (простая).
    Man,
    /// A king (дамка).
    King,
}

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Side {
    /// Its men.
    pub men: Squares,
    /// Its kings.
    pub kings: Squares,
}

impl Side {
    /// All its pieces.
    pub const fn pieces(self) -> Squares {
        Squares(self.men.0 | self.kings.0)
    }

    /// The same pieces after a half-turn of the board.
    pub const fn flipped(self) -> Side {
        Side { men: self.men.flipped(), kings: self.kings.flipped() }
    }
}

/// The pieces on the board and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    white: Side,
    black: Side,
    turn: Color,
}

/// Why pieces cannot stand as given (rules, part 1).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Two pieces on one square.
    #[error("two pieces stand on {0}")]
    SquareTwice(Square),
    /// A man that should have become a king.
    #[error("a {} man stands on its promotion rank, on {square}", if *.color == Color::White { "white" } else { "black" })]
    ManOnPromotionRank {
        /// The man's side.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// More pieces than the game starts with.
    #[error("{} has {count} pieces; 12 is the most", if *.color == Color::White { "White" } else { "Black" })]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many pieces were given.
        count: u32,
    },
    /// An empty board is no position of a game.
    #[error("the board is empty")]
    NoPieces,
}

impl Position {
    /// Checks that the pieces can stand so and makes the position.
    pub fn new(white: Side, black: Side, turn: Color) -> Result<Position, PositionError> {
        let sets = [white.men, white.kings, black.men, black.kings];
        let mut seen = Squares::EMPTY;
        for set in sets {
            if let Some(square) = (seen & set).first() {
                return Err(PositionError::SquareTwice(square));
            }
            seen |= set;
        }
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            if let Some(square) = (side.men & color.promotion_rank()).first() {
                return Err(PositionError::ManOnPromotionRank { color, square });
            }
            if side.pieces().len() > 12 {
                return Err(PositionError::TooManyPieces { color, count: side.pieces().len() });
            }
        }
        if seen.is_empty() {
            return Err(PositionError::NoPieces);
        }
        Ok(Position { white, black, turn })
    }

    /// The position at the start of a game.
    pub const fn start() -> Position {
        const fn ranks(first: u8) -> Squares {
            Squares(Squares::rank(first).0 | Squares::rank(first + 1).0 | Squares::rank(first + 2).0)
        }
        Position {
            white: Side { men: ranks(0), kings: Squares::EMPTY },
            black: Side { men: ranks(5), kings: Squares::EMPTY },
            turn: Color::White,
        }
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces of one side.
    pub const fn side(&self, color: Color) -> Side {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The pieces of the side to move.
    pub const fn mover(&self) -> Side {
        self.side(self.turn)
    }

    /// The pieces of the side that is not to move.
    pub const fn opponent(&self) -> Side {
        self.side(self.turn.opponent())
    }

    /// All occupied squares.
    pub const fn occupied(&self) -> Squares {
        Squares(self.white.pieces().0 | self.black.pieces().0)
    }

    /// All men of both sides.
    pub const fn men(&self) -> Squares {
        Squares(self.white.men.0 | self.black.men.0)
    }

    /// How many pieces are on the board.
    pub const fn piece_count(&self) -> u32 {
        self.occupied().len()
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        [(Color::White, self.white), (Color::Black, self.black)].into_iter().find_map(|(color, side)| {
            if side.men.contains(square) {
                Some((color, Kind::Man))
            } else if side.kings.contains(square) {
                Some((color, Kind::King))
            } else {
                None
            }
        })
    }

    /// The same position with the colours swapped and the board turned by half, which changes nothing in value.
    pub const fn flipped(&self) -> Position {
        Position { white: self.black.flipped(), black: self.white.flipped(), turn: self.turn.opponent() }
    }

    /// The position seen from the side to move: White to move, colours swapped when Black is.
    pub const fn from_mover(&self) -> Position {
        match self.turn {
            Color::White => *self,
            Color::Black => self.flipped(),
        }
    }

    /// The position after a move, which must be legal here.
    #[inline]
    pub fn after(&self, mv: &Move) -> Position {
        let (mut mover, mut opponent) = (self.mover(), self.opponent());
        let (from, to) = (Squares::of(mv.from), Squares::of(mv.to));
        match mv.kind {
            Kind::Man => mover.men = mover.men - from,
            Kind::King => mover.kings = mover.kings - from,
        }
        match mv.ends_as {
            Kind::Man => mover.men |= to,
            Kind::King => mover.kings |= to,
        }
        opponent.men = opponent.men - mv.captured;
        opponent.kings = opponent.kings - mv.captured;
        match self.turn {
            Color::White => Position { white: mover, black: opponent, turn: Color::Black },
            Color::Black => Position { white: opponent, black: mover, turn: Color::White },
        }
    }
}
