//! Squares, sets of squares and the four diagonal directions.

use std::fmt::{self, Write};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};
use std::str::FromStr;

/// One of the 32 dark squares.
///
/// Its number is `(4 * rank - 3 * file) mod 32` with rank and file from 0. With this numbering every diagonal step is
/// a rotation of a 32-bit word, and a half-turn of the board is `id -> (7 - id) mod 32`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 32;

    /// The dark square on this file and rank (both from 0), or `None` when it is light or off the board.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 && (file + rank).is_multiple_of(2) {
            Some(Square((32 + 4 * rank - 3 * file) % 32))
        } else {
            None
        }
    }

    /// The square with this number.
    ///
    /// # Panics
    ///
    /// If the number is not below 32.
    pub const fn from_id(id: u8) -> Square {
        assert!(id < 32, "a square number is below 32");
        Square(id)
    }

    /// The square's number, 0 to 31.
    pub const fn id(self) -> u8 {
        self.0
    }

    /// File from 0 (a) to 7 (h).
    pub const fn file(self) -> u8 {
        FILE[self.0 as usize]
    }

    /// Rank from 0 (White's first) to 7.
    pub const fn rank(self) -> u8 {
        RANK[self.0 as usize]
    }

    /// The two characters of its name.
    pub(crate) const fn chars(self) -> [char; 2] {
        [(b'a' + self.file()) as char, (b'1' + self.rank()) as char]
    }

    /// The square on which this one falls when the board is turned by half.
    pub const fn flipped(self) -> Square {
        Square((39 - self.0) % 32)
    }

    /// The square numbered 1 to 32 as in GameType 25 files: 1 is b8, 32 is g1.
    pub const fn from_number(number: u8) -> Option<Square> {
        if number < 1 || number > 32 {
            return None;
        }
        let rank = 7 - (number - 1) / 4;
        Square::new((number - 1) % 4 * 2 + rank % 2, rank)
    }

    /// All squares in board order: a1, c1, e1, g1, b2, ... h8.
    pub fn in_board_order() -> impl Iterator<Item = Square> {
        BOARD_ORDER.into_iter()
    }
}

const BOARD_ORDER: [Square; 32] = {
    let (mut squares, mut cell, mut count) = ([Square(0); 32], 0, 0);
    while cell < 64 {
        if let Some(square) = Square::new(cell % 8, cell / 8) {
            squares[count] = square;
            count += 1;
        }
        cell += 1;
    }
    squares
};

const RANK: [u8; 32] = coordinates().0;
const FILE: [u8; 32] = coordinates().1;

const fn coordinates() -> ([u8; 32], [u8; 32]) {
    let (mut ranks, mut files) = ([0; 32], [0; 32]);
    let mut cell = 0;
    while cell < 64 {
        let (rank, file) = (cell / 8, cell % 8);
        if let Some(square) = Square::new(file, rank) {
            ranks[square.0 as usize] = rank;
            files[square.0 as usize] = file;
        }
        cell += 1;
    }
    (ranks, files)
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().into_iter().try_for_each(|part| f.write_char(part))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text names no dark square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareError {
    /// Not a file letter and a rank digit on the board.
    #[error("'{0}' is not a square of the board")]
    OffBoard(String),
    /// A light square, on which no piece ever stands.
    #[error("'{0}' is a light square")]
    Light(String),
}

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `a1` or `A1`.
    fn from_str(text: &str) -> Result<Square, SquareError> {
        let off_board = || SquareError::OffBoard(text.to_owned());
        let &[file, rank] = text.as_bytes() else { return Err(off_board()) };
        let (file, rank) = (file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if file >= 8 || rank >= 8 {
            return Err(off_board());
        }
        Square::new(file, rank).ok_or_else(|| SquareError::Light(text.to_owned()))
    }
}

/// A diagonal direction as White sees the board; the value is the rotation of a 32-bit word that makes the step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// One rank up, one file right.
    NorthEast = 1,
    /// One rank up, one file left.
    NorthWest = 7,
    /// One rank down, one file right.
    SouthEast = 25,
    /// One rank down, one file left.
    SouthWest = 31,
}

impl Direction {
    /// All four directions.
    pub const ALL: [Direction; 4] =
        [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

    /// The two directions in which White's men move.
    pub const NORTH: [Direction; 2] = [Direction::NorthEast, Direction::NorthWest];

    /// The two directions in which Black's men move.
    pub const SOUTH: [Direction; 2] = [Direction::SouthEast, Direction::SouthWest];

    /// The squares that a step in this direction can end on.
    pub const fn destinations(self) -> Squares {
        match self {
            Direction::NorthEast => const { Squares::ALL.minus(Squares::rank(0)).minus(Squares::file(0)) },
            Direction::NorthWest => const { Squares::ALL.minus(Squares::rank(0)).minus(Squares::file(7)) },
            Direction::SouthEast => const { Squares::ALL.minus(Squares::rank(7)).minus(Squares::file(0)) },
            Direction::SouthWest => const { Squares::ALL.minus(Squares::rank(7)).minus(Squares::file(7)) },
        }
    }

    /// The direction that leads back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::NorthEast => Direction::SouthWest,
            Direction::NorthWest => Direction::SouthEast,
            Direction::SouthEast => Direction::NorthWest,
            Direction::SouthWest => Direction::NorthEast,
        }
    }
}

/// A set of squares: bit `id` stands for the square of that number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Squares(pub u32);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);
    /// All 32 squares.
    pub const ALL: Squares = Squares(u32::MAX);
    /// The main road (большая дорога), a1-h8.
    pub const MAIN_ROAD: Squares = Squares::main_road();

    /// The squares of a rank, 0 to 7.
    pub const fn rank(rank: u8) -> Squares {
        Squares::where_coordinate(&RANK, rank)
    }

    /// The dark squares of a file, 0 (a) to 7 (h).
    pub const fn file(file: u8) -> Squares {
        Squares::where_coordinate(&FILE, file)
    }

    const fn where_coordinate(coordinate: &[u8; 32], value: u8) -> Squares {
        let (mut set, mut id) = (0, 0);
        while id < 32 {
            if coordinate[id] == value {
                set |= 1 << id;
            }
            id += 1;
        }
        Squares(set)
    }

    const fn main_road() -> Squares {
        let (mut set, mut id) = (0, 0);
        while id < 32 {
            if RANK[id] == FILE[id] {
                set |= 1 << id;
            }
            id += 1;
        }
        Squares(set)
    }

    /// The set of one square.
    pub const fn of(square: Square) -> Squares {
        Squares(1 << square.0)
    }

    /// How many squares the set has.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has this square.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Whether the two sets share a square.
    pub const fn meets(self, other: Squares) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of this set that are not in the other.
    pub const fn minus(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// Every square one step on in the direction; those at the edge fall off.
    #[inline]
    pub const fn step(self, direction: Direction) -> Squares {
        Squares(self.0.rotate_left(direction as u32) & direction.destinations().0)
    }

    /// The squares reached from this set by sliding in the direction over squares of `through` (the start excluded).
    #[inline]
    pub fn slide(self, direction: Direction, through: Squares) -> Squares {
        let mut reached = Squares::EMPTY;
        let mut front = self.step(direction) & through;
        while !front.is_empty() {
            reached |= front;
            front = front.step(direction) & through;
        }
        reached
    }

    /// The set after a half-turn of the board.
    #[inline]
    pub const fn flipped(self) -> Squares {
        Squares(self.0.reverse_bits().rotate_left(8))
    }

    /// The lowest-numbered square.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The squares in the order in which they are written: a1, c1, e1, g1, b2, ... h8.
    pub fn in_board_order(self) -> impl Iterator<Item = Square> {
        Square::in_board_order().filter(move |square| self.contains(*square))
    }

    /// The squares by number, lowest first.
    pub fn iter(self) -> Iter {
        Iter(self.0)
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Iter(u32);

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Squares(self.0).first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | Squares::of(square))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl BitAnd for Squares {
    type Output = Squares;
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Squares) {
        self.0 &= other.0;
    }
}

impl BitOr for Squares {
    type Output = Squares;
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl BitXor for Squares {
    type Output = Squares;
    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Sub for Squares {
    type Output = Squares;
    fn sub(self, other: Squares) -> Squares {
        self.minus(other)
    }
}

impl Not for Squares {
    type Output = Squares;
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_permutation_in_which_steps_are_rotations() {
        let mut seen = Squares::EMPTY;
        for square in Square::in_board_order() {
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            seen |= Squares::of(square);
            for (direction, file, rank) in [
                (Direction::NorthEast, 1, 1),
                (Direction::NorthWest, -1, 1),
                (Direction::SouthEast, 1, -1),
                (Direction::SouthWest, -1, -1),
            ] {
                let to =
                    u8::try_from(square.file() as i8 + file).ok().zip(u8::try_from(square.rank() as i8 + rank).ok());
                let expected = to.and_then(|(file, rank)| Square::new(file, rank));
                assert_eq!(Squares::of(square).step(direction).first(), expected);
            }
        }
        assert_eq!(seen, Squares::ALL);
    }

    #[test]
    fn a_half_turn_maps_a1_to_h8_and_keeps_the_main_road() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(square("a1").flipped(), square("h8"));
        assert_eq!(Squares::MAIN_ROAD.flipped(), Squares::MAIN_ROAD);
        assert_eq!(Squares::MAIN_ROAD.len(), 8);
        for from in Squares::ALL {
            assert_eq!(Squares::of(from).flipped(), Squares::of(from.flipped()));
        }
    }

    #[test]
    fn numeric_squares_count_from_b8_to_g1() {
        let number = |n| Square::from_number(n).map(|square| square.to_string());
        assert_eq!(number(1).as_deref(), Some("b8"));
        assert_eq!(number(5).as_deref(), Some("a7"));
        assert_eq!(number(29).as_deref(), Some("a1"));
        assert_eq!(number(32).as_deref(), Some("g1"));
        assert_eq!(number(0), None);
        assert_eq!(number(33), None);
    }
}
