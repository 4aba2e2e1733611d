//! Positions as text: FEN as draughts programs, servers and books write it.

use std::fmt;

use crate::position::{Color, Kind, Position, PositionError, Side};
use crate::square::{Square, SquareError, Squares};

/// A position as read, with what was odd about its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedFen {
    /// The position.
    pub position: Position,
    /// What was accepted although it is not as written by us.
    pub warnings: Vec<FenWarning>,
}

/// Something odd that does not keep a FEN from being read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenWarning {
    /// A Cyrillic letter was read as the Latin one it looks like.
    CyrillicLetter(char),
    /// A half-move clock was given; it sets no counter.
    HalfMoveClock(u32),
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenWarning::CyrillicLetter(letter) => write!(f, "Cyrillic '{letter}' was read as the Latin letter"),
            FenWarning::HalfMoveClock(plies) => {
                write!(f, "the half-move clock H{plies} sets no counter; give ratio, kings and road to count from them")
            }
        }
    }
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The first part must be `W` or `B`.
    #[error("the side to move must be W or B, not '{0}'")]
    SideToMove(String),
    /// A list of pieces must begin with `W` or `B`.
    #[error("a list of pieces must begin with W or B: '{0}'")]
    ListColor(String),
    /// One of the two lists is not there.
    #[error("the list of {} pieces is missing (an empty side is written '{}')", color_name(*.0), color_letter(*.0))]
    MissingList(Color),
    /// A list is there twice.
    #[error("the list of {} pieces is given twice", color_name(*.0))]
    ListTwice(Color),
    /// A piece whose square is not one.
    #[error("in '{item}': {error}")]
    Square {
        /// The piece as written.
        item: String,
        /// What is wrong with its square.
        error: SquareError,
    },
    /// A number that is no square.
    #[error("in '{0}': square numbers go from 1 (b8) to 32 (g1)")]
    Number(String),
    /// A range that does not go upwards.
    #[error("in '{0}': a range goes from the lower number to the higher")]
    Range(String),
    /// An item between commas that is empty.
    #[error("the list of {} pieces has an empty item", color_name(*.0))]
    EmptyItem(Color),
    /// A third part that is neither `H` nor `F` with a number.
    #[error("'{0}' is neither a list of pieces nor a clock such as H0 or F1")]
    Trailing(String),
    /// The pieces cannot stand so.
    #[error(transparent)]
    Position(#[from] PositionError),
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn color_letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// The Latin letter that a Cyrillic one looks like on a score sheet.
pub fn latin_look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'а' => 'a',
        'А' => 'A',
        'в' => 'b',
        'В' => 'B',
        'с' => 'c',
        'С' => 'C',
        'е' => 'e',
        'Е' => 'E',
        'к' => 'k',
        'К' => 'K',
        'н' => 'h',
        'Н' => 'H',
        _ => return None,
    })
}

impl Position {
    /// Reads a FEN in any of the forms that are met: see the README. One side may be empty.
    pub fn from_fen(text: &str) -> Result<ParsedFen, FenError> {
        let mut warnings = Vec::new();
        let latin: String = text
            .trim()
            .chars()
            .map(|letter| {
                latin_look_alike(letter)
                    .inspect(|_| {
                        let warning = FenWarning::CyrillicLetter(letter);
                        if !warnings.contains(&warning) {
                            warnings.push(warning);
                        }
                    })
                    .unwrap_or(letter)
            })
            .collect();
        let body = latin.strip_suffix('.').unwrap_or(&latin);
        let mut parts = body.split(':').map(str::trim);
        let turn = match parts.next() {
            Some("W") => Color::White,
            Some("B") => Color::Black,
            other => return Err(FenError::SideToMove(other.unwrap_or_default().to_owned())),
        };
        let mut lists: [Option<List>; 2] = [None, None];
        for part in parts {
            if lists.iter().all(Option::is_some) {
                if let Some(plies) = read_clock(part)? {
                    warnings.push(FenWarning::HalfMoveClock(plies));
                }
                continue;
            }
            let color = match part.chars().next() {
                Some('W') => Color::White,
                Some('B') => Color::Black,
                _ => return Err(FenError::ListColor(part.to_owned())),
            };
            let list = &mut lists[color as usize];
            if list.is_some() {
                return Err(FenError::ListTwice(color));
            }
            *list = Some(List::read(color, &part[1..])?);
        }
        let [white, black] = lists;
        let white = white.ok_or(FenError::MissingList(Color::White))?;
        let black = black.ok_or(FenError::MissingList(Color::Black))?;
        Ok(ParsedFen { position: Position::new(white.side, black.side, turn)?, warnings })
    }

    /// Writes the position as `W:WKa1,c3:Bb6,Kh8`, squares by rank from a1.
    pub fn to_fen(&self) -> String {
        let list = |color| {
            let side = self.side(color);
            let pieces: Vec<String> = Square::in_board_order()
                .filter(|&square| side.pieces().contains(square))
                .map(|square| format!("{}{square}", if side.kings.contains(square) { "K" } else { "" }))
                .collect();
            format!("{}{}", color_letter(color), pieces.join(","))
        };
        format!("{}:{}:{}", color_letter(self.turn()), list(Color::White), list(Color::Black))
    }
}

fn read_clock(part: &str) -> Result<Option<u32>, FenError> {
    let trailing = || FenError::Trailing(part.to_owned());
    let number = |digits: &str| {
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse::<u32>().ok() } else { None }
    };
    if let Some(digits) = part.strip_prefix('H') {
        let plies = number(digits).ok_or_else(trailing)?;
        return Ok((plies > 0).then_some(plies));
    }
    part.strip_prefix('F').and_then(number).map(|_| None).ok_or_else(trailing)
}

/// The pieces of one colour as they are read.
struct List {
    side: Side,
}

impl List {
    fn read(color: Color, text: &str) -> Result<List, FenError> {
        let mut list = List { side: Side::default() };
        if text.trim().is_empty() {
            return Ok(list);
        }
        for item in text.split(',').map(str::trim) {
            let (kind, squares) = match item.strip_prefix('K') {
                Some(squares) => (Kind::King, squares),
                None => (Kind::Man, item),
            };
            if squares.is_empty() {
                return Err(FenError::EmptyItem(color));
            }
            if squares.starts_with(|letter: char| letter.is_ascii_digit()) {
                let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
                let (first, last) = (read_number(first, item)?, read_number(last, item)?);
                if first > last {
                    return Err(FenError::Range(item.to_owned()));
                }
                for number in first..=last {
                    let square = Square::from_number(number).ok_or_else(|| FenError::Number(item.to_owned()))?;
                    list.put(kind, square)?;
                }
            } else {
                let square =
                    squares.parse::<Square>().map_err(|error| FenError::Square { item: item.to_owned(), error })?;
                list.put(kind, square)?;
            }
        }
        Ok(list)
    }

    fn put(&mut self, kind: Kind, square: Square) -> Result<(), FenError> {
        if self.side.pieces().contains(square) {
            return Err(PositionError::SquareTwice(square).into());
        }
        match kind {
            Kind::Man => self.side.men |= Squares::of(square),
            Kind::King => self.side.kings |= Squares::of(square),
        }
        Ok(())
    }
}

fn read_number(digits: &str, item: &str) -> Result<u8, FenError> {
    let number = digits.trim();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Number(item.to_owned()));
    }
    number
        .parse::<u8>()
        .ok()
        .filter(|number| (1..=32).contains(number))
        .ok_or_else(|| FenError::Number(item.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Position::from_fen(text).unwrap().position.to_fen()
    }

    fn refused(text: &str) -> String {
        Position::from_fen(text).unwrap_err().to_string()
    }

    #[test]
    fn every_form_is_read() {
        let fen = "W:WKa1,c3:Bb6,Kh8";
        assert_eq!(read(fen), fen);
        assert_eq!(read("W:BKh8,b6:Wc3,Ka1."), fen);
        assert_eq!(read(" W:WKA1,C3:BB6,KH8 "), fen);
        assert_eq!(read("W:WK29,22:B9,K4"), fen);
        assert_eq!(read("W:WKa1,c3:Bb6,Kh8:H0:F1"), fen);
        assert_eq!(read("W:W21-32:B1-12"), Position::start().to_fen());
        assert_eq!(read("B:WK12-14:B1"), "B:WKb6,Kd6,Kg7:Bb8".replace("Kb6,Kd6,Kg7", &read_kings()));
        assert_eq!(read("W:Wa1:B"), "W:Wa1:B");
        assert_eq!(read("B:W:BKa1"), "B:W:BKa1");
    }

    fn read_kings() -> String {
        let squares: Squares = (12..=14).filter_map(Square::from_number).collect();
        let kings: Vec<_> =
            Square::in_board_order().filter(|&square| squares.contains(square)).map(|s| format!("K{s}")).collect();
        kings.join(",")
    }

    #[test]
    fn odd_texts_are_read_with_a_warning() {
        let parsed = Position::from_fen("W:WКа1,с3:Bb6,Kh8:H7:F3").unwrap();
        assert_eq!(parsed.position.to_fen(), "W:WKa1,c3:Bb6,Kh8");
        assert_eq!(
            parsed.warnings,
            [
                FenWarning::CyrillicLetter('К'),
                FenWarning::CyrillicLetter('а'),
                FenWarning::CyrillicLetter('с'),
                FenWarning::HalfMoveClock(7)
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refused("X:Wa1:Bh8"), "the side to move must be W or B, not 'X'");
        assert_eq!(refused(""), "the side to move must be W or B, not ''");
        assert_eq!(refused("W:Wa1"), "the list of black pieces is missing (an empty side is written 'B')");
        assert_eq!(refused("W:Wa1:Wc1:Bh8"), "the list of white pieces is given twice");
        assert_eq!(refused("W:Wa2:Bb6"), "in 'a2': 'a2' is a light square");
        assert_eq!(refused("W:WKi9:Bb6"), "in 'Ki9': 'i9' is not a square of the board");
        assert_eq!(refused("W:Wa1,a1:Bb6"), "two pieces stand on a1");
        assert_eq!(refused("W:Wa1:BKa1"), "two pieces stand on a1");
        assert_eq!(refused("W:Wh8:Bb6"), "a white man stands on its promotion rank, on h8");
        assert_eq!(refused("W:W33:Bb6"), "in '33': square numbers go from 1 (b8) to 32 (g1)");
        assert_eq!(refused("W:W32-21:Bb6"), "in '32-21': a range goes from the lower number to the higher");
        assert_eq!(refused("W:Wa1,:Bb6"), "the list of white pieces has an empty item");
        assert_eq!(refused("W:WK20-32:Bb6"), "White has 13 pieces; 12 is the most");
        assert_eq!(refused("W:W:B"), "the board is empty");
        assert_eq!(refused("W:Wa1:Bb6:Hx"), "'Hx' is neither a list of pieces nor a clock such as H0 or F1");
    }
}
