//! Positions and states as C has them.

use std::ffi::c_char;

use bolshak_rules::{Color, Counters, Position, Side, Square, Squares, State};

use crate::arguments::{Place, put_text, reference, text};
use crate::error::{BolshakError, BolshakStatus, Failure, call};

/// Bytes that hold any FEN as it is written here, the closing NUL included.
pub const BOLSHAK_FEN_CAPACITY: usize = 128;

/// The pieces on the board and the side to move. In each set of squares bit 0 is a1, bit 1 c1, bit 2 e1, bit 3 g1, bit 4
/// b2 and so on by rank to bit 31, h8: the bit of a square is `4 * rank + file / 2`, both from 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BolshakPosition {
    /// White's men.
    pub white_men: u32,
    /// White's kings.
    pub white_kings: u32,
    /// Black's men.
    pub black_men: u32,
    /// Black's kings.
    pub black_kings: u32,
    /// The side to move: 0 White, 1 Black.
    pub black_to_move: u8,
}

/// A position with what the counted draw rules need to know of the past; all counters 0 for a fresh position.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BolshakState {
    /// The position.
    pub position: BolshakPosition,
    /// Plies since the force ratio last changed by a capture or a promotion (1.9.1.3, 1.9.1.4).
    pub ratio_plies: u32,
    /// Plies since a man last moved or anything was captured (1.9.1.6), at most `ratio_plies`.
    pub kings_plies: u32,
    /// The stronger side's own moves in sequence with the lone king on the main road (1.9.1.5), 0 to 5.
    pub road_moves: u32,
}

/// The number of a square in the sets of [`BolshakPosition`].
pub(crate) fn bit(square: Square) -> u8 {
    4 * square.rank() + square.file() / 2
}

pub(crate) fn bits(squares: Squares) -> u32 {
    squares.iter().fold(0, |bits, square| bits | 1 << bit(square))
}

fn squares(bits: u32) -> Squares {
    Square::in_board_order().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, square)| square).collect()
}

impl BolshakPosition {
    pub(crate) fn of(position: &Position) -> BolshakPosition {
        let (white, black) = (position.side(Color::White), position.side(Color::Black));
        BolshakPosition {
            white_men: bits(white.men),
            white_kings: bits(white.kings),
            black_men: bits(black.men),
            black_kings: bits(black.kings),
            black_to_move: u8::from(position.turn() == Color::Black),
        }
    }

    pub(crate) fn read(&self) -> Result<Position, Failure> {
        let turn = match self.black_to_move {
            0 => Color::White,
            1 => Color::Black,
            other => return Err(Failure::invalid(format!("black_to_move is {other}, neither 0 nor 1"))),
        };
        let side = |men, kings| Side { men: squares(men), kings: squares(kings) };
        Position::new(side(self.white_men, self.white_kings), side(self.black_men, self.black_kings), turn)
            .map_err(Failure::invalid)
    }
}

impl BolshakState {
    pub(crate) fn of(state: &State) -> BolshakState {
        let Counters { ratio_plies, kings_plies, road_moves } = state.counters;
        BolshakState {
            position: BolshakPosition::of(&state.position),
            ratio_plies,
            kings_plies,
            road_moves: road_moves.into(),
        }
    }

    pub(crate) fn read(&self) -> Result<State, Failure> {
        let road_moves = u8::try_from(self.road_moves).unwrap_or(u8::MAX);
        let counters = Counters { ratio_plies: self.ratio_plies, kings_plies: self.kings_plies, road_moves };
        State::new(self.position.read()?, counters).map_err(Failure::invalid)
    }
}

/// Reads a FEN such as `W:WKa1,c3:BKh8`, in any of the forms that are met. With `BOLSHAK_STATUS_OK` the error's message
/// is not empty if something odd was accepted.
///
/// # Safety
///
/// `fen` is a text closed by NUL; `position` and, if not null, `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_position_from_fen(
    fen: *const c_char,
    position: *mut BolshakPosition,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (fen, position) = unsafe { (text("fen", fen)?, Place::new("position", position)?) };
        let parsed = Position::from_fen(fen).map_err(Failure::invalid)?;
        position.set(BolshakPosition::of(&parsed.position));
        let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
        Ok((!warnings.is_empty()).then(|| warnings.join("; ")))
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// Writes a position as a FEN, closed by NUL. `BOLSHAK_FEN_CAPACITY` bytes always suffice. `length`, if not null, gets
/// the length without NUL, also when the text does not fit.
///
/// # Safety
///
/// `position` points to one; `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_position_to_fen(
    position: *const BolshakPosition,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let fen = unsafe { reference("position", position)? }.read()?.to_fen();
        // SAFETY: the same.
        unsafe { put_text(&fen, buffer, capacity, length)? };
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}
