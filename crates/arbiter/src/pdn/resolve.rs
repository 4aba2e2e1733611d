//! From a move as written to the one legal move it can mean.

use bolshak_rules::{Move, MoveList, Position, Rules, Square, Squares};
use smallvec::SmallVec;

use super::grammar::{Joint, MoveText, PartialSquare};
use crate::Language;

/// Why a text is none of the legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveProblem {
    /// It is no move at all.
    NotAMove {
        /// The legal moves.
        legal: Vec<String>,
    },
    /// No legal move fits it.
    Illegal {
        /// The legal moves; none when the game is over.
        legal: Vec<String>,
    },
    /// More than one fits it.
    Ambiguous {
        /// The moves that fit, in full.
        candidates: Vec<String>,
    },
}

impl MoveProblem {
    /// One clear sentence.
    pub fn message(&self, ply: usize, text: &str, language: Language) -> String {
        match self {
            MoveProblem::NotAMove { legal } | MoveProblem::Illegal { legal } if legal.is_empty() => language.pick(
                format!("ply {ply}: '{text}' after the end of the game: there is no legal move"),
                format!("полуход {ply}: '{text}' после конца партии: ходов нет"),
            ),
            MoveProblem::NotAMove { legal } => language.pick(
                format!("ply {ply}: '{text}' is not a move; legal: {}", legal.join(" ")),
                format!("полуход {ply}: '{text}' — не ход; возможны: {}", legal.join(" ")),
            ),
            MoveProblem::Illegal { legal } => language.pick(
                format!("ply {ply}: '{text}' is not legal; legal: {}", legal.join(" ")),
                format!("полуход {ply}: '{text}' не по правилам; возможны: {}", legal.join(" ")),
            ),
            MoveProblem::Ambiguous { candidates } => language.pick(
                format!("ply {ply}: '{text}' can be read as {}", candidates.join(" or ")),
                format!("полуход {ply}: '{text}' можно прочесть как {}", candidates.join(" или ")),
            ),
        }
    }
}

/// A legal move found for a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Resolved {
    pub(super) mv: Move,
    /// A hyphen was written where a capture is the only reading.
    pub(super) hyphen_for_capture: bool,
}

/// The one legal move that a text can mean; never a guess.
pub(super) fn resolve(position: &Position, text: &MoveText) -> Result<Resolved, MoveProblem> {
    let legal = legal_moves(position);
    let fitting = |capture: Option<bool>| -> SmallVec<[Move; 4]> {
        legal
            .iter()
            .filter(|mv| capture.is_none_or(|capture| mv.is_capture() == capture) && fits(position, mv, &text.squares))
            .copied()
            .collect()
    };
    let (mut moves, mut hyphen_for_capture) = match text.joint {
        Joint::None => (fitting(None), false),
        Joint::Capture => (fitting(Some(true)), false),
        Joint::Hyphen => (fitting(Some(false)), false),
    };
    if moves.is_empty() && text.joint == Joint::Hyphen {
        (moves, hyphen_for_capture) = (fitting(Some(true)), true);
    }
    if moves.len() > 1 {
        // A path that names every turn of one capture may also be part of another's: it then means the former.
        let exact: SmallVec<[Move; 4]> =
            moves.iter().filter(|mv| is_whole_path(position, mv, &text.squares)).copied().collect();
        if exact.len() == 1 {
            moves = exact;
        }
    }
    match moves.as_slice() {
        [mv] => Ok(Resolved { mv: *mv, hyphen_for_capture }),
        [] => Err(MoveProblem::Illegal { legal: legal_texts(position) }),
        _ => Err(MoveProblem::Ambiguous { candidates: moves.iter().map(|mv| position.full_move_text(mv)).collect() }),
    }
}

/// The legal moves: none where the game is over, which it also is when the side that is not to move has no piece.
fn legal_moves(position: &Position) -> MoveList {
    if is_over(position) { MoveList::new() } else { position.legal_moves() }
}

/// When a game is over is the same in all variants, and so is who has no move; only the winner differs.
fn is_over(position: &Position) -> bool {
    Rules::NONE.over_by_no_move(position).is_some()
}

/// The legal moves as text, in order of text.
pub(super) fn legal_texts(position: &Position) -> Vec<String> {
    let moves = if is_over(position) { Vec::new() } else { position.legal_moves_with_text() };
    moves.into_iter().map(|(text, _)| text).collect()
}

fn fits(position: &Position, mv: &Move, squares: &[PartialSquare]) -> bool {
    match squares {
        [] => false,
        [to] => to.fits(mv.to),
        [from, to] => from.fits(mv.from) && to.fits(mv.to),
        [from, .., to] => {
            from.fits(mv.from)
                && to.fits(mv.to)
                && position.capture_paths(mv).iter().any(|turns| {
                    let crossed = crossed_squares(turns, mv.captured);
                    let mut rest = crossed.iter();
                    squares.iter().all(|square| rest.any(|crossed| square.fits(*crossed)))
                })
        }
    }
}

fn is_whole_path(position: &Position, mv: &Move, squares: &[PartialSquare]) -> bool {
    position
        .capture_paths(mv)
        .iter()
        .any(|turns| turns.len() == squares.len() && turns.iter().zip(squares).all(|(turn, square)| square.fits(*turn)))
}

/// The squares of a path on which the piece may have landed: all it crosses, from first to last, but the captured ones.
fn crossed_squares(turns: &[Square], captured: Squares) -> Vec<Square> {
    let mut crossed: Vec<Square> = turns.first().copied().into_iter().collect();
    for leg in turns.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        let step = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum();
        let (file_step, rank_step) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
        let (mut file, mut rank) = (i16::from(from.file()), i16::from(from.rank()));
        for _ in 0..from.file().abs_diff(to.file()) {
            (file, rank) = (file + file_step, rank + rank_step);
            let square =
                u8::try_from(file).ok().zip(u8::try_from(rank).ok()).and_then(|(file, rank)| Square::new(file, rank));
            crossed.extend(square.filter(|square| !captured.contains(*square)));
        }
    }
    crossed
}
