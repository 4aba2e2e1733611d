//! Positions as text: FEN as draughts programs, servers and books write it.

use std::fmt;
use std::str::FromStr;

use crate::position::{Color, Position, PositionError, Side};
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
    /// A half-move clock `Hn` above 0 was given; it sets no counter.
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
    /// A part after the lists that is neither `H` nor `F` with a number.
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
    /// Reads a FEN as [`Position::to_fen`] writes it, and in the other forms that are met: the lists in either order, a
    /// final dot, upper-case squares, numeric squares (1 is b8, 32 is g1) and ranges of them (`W21-32`, `K12-14` all
    /// kings), a trailing `:H0:F1`, Cyrillic letters that look like Latin ones. One side may be empty.
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
        let mut lists: [Option<Side>; 2] = [None, None];
        for part in parts {
            let color = match part.chars().next() {
                Some('W') => Color::White,
                Some('B') => Color::Black,
                _ if lists.iter().all(Option::is_some) => {
                    warnings.extend(read_clock(part)?.map(FenWarning::HalfMoveClock));
                    continue;
                }
                _ => return Err(FenError::ListColor(part.to_owned())),
            };
            let list = &mut lists[color as usize];
            if list.is_some() {
                return Err(FenError::ListTwice(color));
            }
            *list = Some(read_list(color, &part[1..])?);
        }
        let [white, black] = lists;
        let white = white.ok_or(FenError::MissingList(Color::White))?;
        let black = black.ok_or(FenError::MissingList(Color::Black))?;
        Ok(ParsedFen { position: Position::new(white, black, turn)?, warnings })
    }

    /// Writes the position as `W:WKa1,c3:Bb6,Kh8`, squares by rank from a1.
    pub fn to_fen(&self) -> String {
        // A service writes one for each move of each answer: as one text, not as texts of texts.
        let mut fen = String::with_capacity(5 + 4 * self.piece_count() as usize);
        fen.push(color_letter(self.turn()));
        for color in [Color::White, Color::Black] {
            let side = self.side(color);
            fen.extend([':', color_letter(color)]);
            for (number, square) in side.pieces().in_board_order().enumerate() {
                let before = [(number > 0).then_some(','), side.kings.contains(square).then_some('K')];
                fen.extend(before.into_iter().flatten().chain(square.chars()));
            }
        }
        fen
    }
}

/// Reads `Hn` or `Fn`; the half-move clock when it is not 0.
fn read_clock(part: &str) -> Result<Option<u32>, FenError> {
    let clock = |letter| part.strip_prefix(letter).and_then(read_digits::<u32>);
    match (clock('H'), clock('F')) {
        (Some(plies), _) => Ok((plies > 0).then_some(plies)),
        (None, Some(_)) => Ok(None),
        (None, None) => Err(FenError::Trailing(part.to_owned())),
    }
}

fn read_list(color: Color, text: &str) -> Result<Side, FenError> {
    let mut side = Side::default();
    if text.trim().is_empty() {
        return Ok(side);
    }
    for item in text.split(',').map(str::trim) {
        let (set, squares) = match item.strip_prefix('K') {
            Some(squares) => (&mut side.kings, squares),
            None => (&mut side.men, item),
        };
        for square in read_squares(color, item, squares)? {
            if set.contains(square) {
                return Err(PositionError::SquareTwice(square).into());
            }
            *set |= Squares::of(square);
        }
    }
    Ok(side)
}

/// One square, or those of a range of numbers; `item` is the whole item for the error.
fn read_squares(color: Color, item: &str, squares: &str) -> Result<Vec<Square>, FenError> {
    if squares.is_empty() {
        return Err(FenError::EmptyItem(color));
    }
    if !squares.starts_with(|letter: char| letter.is_ascii_digit()) {
        let square = squares.parse().map_err(|error| FenError::Square { item: item.to_owned(), error })?;
        return Ok(vec![square]);
    }
    let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
    let (first, last) = (read_number(first, item)?, read_number(last, item)?);
    if first > last {
        return Err(FenError::Range(item.to_owned()));
    }
    (first..=last).map(|number| Square::from_number(number).ok_or_else(|| FenError::Number(item.to_owned()))).collect()
}

fn read_number(digits: &str, item: &str) -> Result<u8, FenError> {
    read_digits(digits.trim()).ok_or_else(|| FenError::Number(item.to_owned()))
}

/// A number of nothing but digits: the standard reading takes a sign, too.
fn read_digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
