//! What a single word of a game is: a result, a number, a move with its annotation signs, a score-sheet mark.

use bolshak_rules::{Square, latin_look_alike};
use smallvec::SmallVec;
use winnow::ascii::digit1;
use winnow::combinator::{alt, empty, opt};
use winnow::prelude::*;
use winnow::token::{one_of, take_while};

use crate::GameResult;

/// A mark with which a score sheet or a book ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::pdn) enum Mark {
    /// `X`: won by the side that moved last.
    Win,
    /// `=`: a draw.
    Draw,
}

/// How the squares of a move are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::pdn) enum Joint {
    /// Not at all, as in `cd4`: quiet or capture.
    None,
    /// `-`: a quiet move.
    Hyphen,
    /// `:` or `x`: a capture.
    Capture,
}

/// A square of which the rank may be left out; a square of the board or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::pdn) struct PartialSquare {
    /// From 0 (a).
    pub(in crate::pdn) file: u8,
    /// From 0 (White's first).
    pub(in crate::pdn) rank: Option<u8>,
}

impl PartialSquare {
    pub(in crate::pdn) fn fits(self, square: Square) -> bool {
        self.file == square.file() && self.rank.is_none_or(|rank| rank == square.rank())
    }
}

impl From<Square> for PartialSquare {
    fn from(square: Square) -> PartialSquare {
        PartialSquare { file: square.file(), rank: Some(square.rank()) }
    }
}

/// A move as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) struct MoveText {
    /// The move without the signs glued to it, letters as they were.
    pub(in crate::pdn) written: String,
    /// One square (where it ends) or more.
    pub(in crate::pdn) squares: SmallVec<[PartialSquare; 4]>,
    pub(in crate::pdn) joint: Joint,
    /// Annotation signs such as `!?`.
    pub(in crate::pdn) glyphs: String,
    /// A score-sheet mark glued to it.
    pub(in crate::pdn) mark: Option<Mark>,
    /// Cyrillic letters that were read as Latin ones.
    pub(in crate::pdn) look_alikes: SmallVec<[char; 2]>,
}

/// What a word is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) enum Word {
    Result(GameResult),
    Number(u32),
    Move(MoveText),
    Mark(Mark),
    Glyphs(String),
    Unknown,
}

/// What this word is.
pub(in crate::pdn) fn word(text: &str) -> Word {
    if let Some(result) = result_word(text) {
        return Word::Result(result);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map_or(Word::Unknown, Word::Number);
    }
    if let Ok(mark) = mark.parse(text) {
        return Word::Mark(mark);
    }
    if text.chars().all(|letter| "!?+-=#±∓".contains(letter)) {
        return Word::Glyphs(text.to_owned());
    }
    move_text(text).map_or(Word::Unknown, Word::Move)
}

/// Whether a word may be the first part of one that is written with spaces, such as `c3 - d4` or `1 - 1`.
pub(in crate::pdn) fn may_go_on(text: &str) -> bool {
    match word(text) {
        Word::Move(text) => text.squares.len() == 1 && text.joint == Joint::None && text.glyphs.is_empty(),
        Word::Number(_) => true,
        Word::Result(_) => matches!(text, "½" | "1/2"),
        Word::Mark(_) | Word::Glyphs(_) | Word::Unknown => false,
    }
}

/// Whether this, standing alone, joins the squares of a move or the points of a result.
pub(in crate::pdn) fn is_joint(text: &str) -> bool {
    let mut letters = text.chars();
    let joins = |letter| is_dash(letter) || matches!(letter, ':' | 'x' | 'X' | '×' | 'х' | 'Х');
    letters.next().is_some_and(joins) && letters.next().is_none()
}

/// A result as a tag or the end of the moves gives it.
pub(in crate::pdn) fn result_word(text: &str) -> Option<GameResult> {
    let plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| if is_dash(letter) { '-' } else { letter })
        .collect();
    Some(match plain.as_str() {
        "1-0" | "2-0" => GameResult::WinWhite,
        "0-1" | "0-2" => GameResult::WinBlack,
        "1-1" | "1/2-1/2" | "½-½" | "1/2" | "½" => GameResult::Draw,
        "*" => GameResult::Unfinished,
        _ => return None,
    })
}

fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '‐' | '‑' | '‒' | '–' | '—' | '−')
}

fn mark(input: &mut &str) -> winnow::Result<Mark> {
    alt((one_of(['X', 'x', 'Х', 'х', '×']).value(Mark::Win), '='.value(Mark::Draw))).parse_next(input)
}

fn move_text(text: &str) -> Option<MoveText> {
    let mut look_alikes = SmallVec::new();
    // One letter for one letter, so that what is left over can be cut from the text as it was written.
    let plain: String = text
        .chars()
        .map(|letter| match letter {
            'х' | 'Х' | '×' => 'x',
            letter if is_dash(letter) => '-',
            letter => latin_look_alike(letter)
                .inspect(|_| {
                    if !look_alikes.contains(&letter) {
                        look_alikes.push(letter);
                    }
                })
                .unwrap_or(letter),
        })
        .collect();
    let mut rest = plain.as_str();
    let (squares, joint) = alt((numeric_move, lettered_move)).parse_next(&mut rest).ok()?;
    let letters = plain[..plain.len() - rest.len()].chars().count();
    let (glyphs, mark) = suffix.parse(rest).ok()?;
    let written = text.chars().take(letters).collect();
    Some(MoveText { written, squares, joint, glyphs, mark, look_alikes })
}

type Squares = (SmallVec<[PartialSquare; 4]>, Joint);

/// `c3-d4`, `c3:e5:g7`, `cd4`, `b:d4`, `d4`, `C3D4`: the last square must have its rank.
fn lettered_move(input: &mut &str) -> winnow::Result<Squares> {
    let mut joints = SmallVec::<[Joint; 4]>::from_iter([opt_joint(input)?]);
    let mut squares = SmallVec::from_iter([lettered_square(input)?]);
    while let Some((joint, square)) = opt((opt_joint, lettered_square)).parse_next(input)? {
        joints.push(joint);
        squares.push(square);
    }
    joined(squares, &joints).parse_next(input)
}

/// `22-17`, `22x15`: squares numbered as in FEN.
fn numeric_move(input: &mut &str) -> winnow::Result<Squares> {
    let mut joints = SmallVec::<[Joint; 4]>::new();
    let mut squares = SmallVec::from_iter([numeric_square(input)?]);
    while let Some((joint, square)) = opt((joint, numeric_square)).parse_next(input)? {
        joints.push(joint);
        squares.push(square);
    }
    joined(squares, &joints).parse_next(input)
}

/// The squares with the one way in which they are joined: hyphens and capture signs do not mix, and the last square has
/// its rank.
fn joined(squares: SmallVec<[PartialSquare; 4]>, joints: &[Joint]) -> impl FnMut(&mut &str) -> winnow::Result<Squares> {
    let joint = match (joints.contains(&Joint::Hyphen), joints.contains(&Joint::Capture)) {
        (true, true) => None,
        (true, false) => Some(Joint::Hyphen),
        (false, true) => Some(Joint::Capture),
        (false, false) => Some(Joint::None),
    };
    let joint = joint.filter(|_| squares.last().is_some_and(|last| last.rank.is_some()));
    move |input| empty.verify_map(|()| Some((squares.clone(), joint?))).parse_next(input)
}

fn joint(input: &mut &str) -> winnow::Result<Joint> {
    alt(('-'.value(Joint::Hyphen), one_of([':', 'x', 'X']).value(Joint::Capture))).parse_next(input)
}

fn opt_joint(input: &mut &str) -> winnow::Result<Joint> {
    opt(joint).map(|joint| joint.unwrap_or(Joint::None)).parse_next(input)
}

fn lettered_square(input: &mut &str) -> winnow::Result<PartialSquare> {
    (one_of(('a'..='h', 'A'..='H')), opt(one_of('1'..='8')))
        .map(|(file, rank): (char, Option<char>)| PartialSquare {
            file: file.to_ascii_lowercase() as u8 - b'a',
            rank: rank.map(|rank| rank as u8 - b'1'),
        })
        .parse_next(input)
}

fn numeric_square(input: &mut &str) -> winnow::Result<PartialSquare> {
    digit1.try_map(str::parse::<u8>).verify_map(Square::from_number).map(PartialSquare::from).parse_next(input)
}

/// Annotation signs that are read without a blank before them.
pub(in crate::pdn) const GLUED_GLYPHS: [char; 5] = ['!', '?', '+', '#', '*'];

/// What is glued to a move: annotation signs, a mark, stray punctuation.
fn suffix(input: &mut &str) -> winnow::Result<(String, Option<Mark>)> {
    let (glyphs, _, mark, _) =
        (take_while(0.., GLUED_GLYPHS), punctuation, opt(mark), punctuation).parse_next(input)?;
    Ok((glyphs.to_owned(), mark))
}

fn punctuation<'i>(input: &mut &'i str) -> winnow::Result<&'i str> {
    take_while(0.., [',', '.']).parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let Word::Move(text) = word(text) else { return format!("{:?}", word(text)) };
        let squares: String = text
            .squares
            .iter()
            .map(|square| {
                let file = char::from(b'a' + square.file);
                square.rank.map_or(file.to_string(), |rank| format!("{file}{}", rank + 1))
            })
            .collect::<Vec<_>>()
            .join(" ");
        let mark = text.mark.map_or(String::new(), |mark| format!(" {mark:?}"));
        format!("{} {squares} {:?} {}{mark}", text.written, text.joint, text.glyphs).trim_end().to_owned()
    }

    #[test]
    fn moves_are_read_in_every_form() {
        assert_eq!(shape("c3-d4"), "c3-d4 c3 d4 Hyphen");
        assert_eq!(shape("c3–d4!?"), "c3–d4 c3 d4 Hyphen !?");
        assert_eq!(shape("C3xE5xG7??"), "C3xE5xG7 c3 e5 g7 Capture ??");
        assert_eq!(shape("с3:е5"), "с3:е5 c3 e5 Capture");
        assert_eq!(shape("c3хe5Х"), "c3хe5 c3 e5 Capture  Win");
        assert_eq!(shape("c3-d4="), "c3-d4 c3 d4 Hyphen  Draw");
        assert_eq!(shape("c3-d4,"), "c3-d4 c3 d4 Hyphen");
        assert_eq!(shape("cd4"), "cd4 c d4 None");
        assert_eq!(shape("c3d4"), "c3d4 c3 d4 None");
        assert_eq!(shape("b:d4"), "b:d4 b d4 Capture");
        assert_eq!(shape(":d4"), ":d4 d4 Capture");
        assert_eq!(shape("22-17"), "22-17 c3 b4 Hyphen");
        assert_eq!(shape("22x15"), "22x15 c3 e5 Capture");
    }

    #[test]
    fn what_is_no_move_is_not_read_as_one() {
        for text in ["c3-d4:e5", "c3-", "33-28", "i3-d4", "resigns", "c3-d9", "bad"] {
            assert_eq!(word(text), Word::Unknown, "{text}");
        }
        assert_eq!(word("17"), Word::Number(17));
        assert_eq!(word("Х"), Word::Mark(Mark::Win));
        assert_eq!(word("±"), Word::Glyphs("±".into()));
    }

    #[test]
    fn results_are_read_in_every_form() {
        for text in ["1-1", "1/2-1/2", "½–½", "1/2–1/2", "½-½"] {
            assert_eq!(result_word(text), Some(GameResult::Draw), "{text}");
        }
        assert_eq!(result_word("2-0"), Some(GameResult::WinWhite));
        assert_eq!(result_word("0-1"), Some(GameResult::WinBlack));
        assert_eq!(result_word("*"), Some(GameResult::Unfinished));
        assert_eq!(result_word("3-0"), None);
    }
}
