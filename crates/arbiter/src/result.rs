//! How a game ended, as its record says.

use std::fmt;

use bolshak_rules::Color;
use serde::Serialize;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// White has won.
    WinWhite,
    /// Black has won.
    WinBlack,
    /// Drawn.
    Draw,
    /// Not finished, or not known.
    Unfinished,
}

impl GameResult {
    /// A win for this side.
    pub const fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WinWhite,
            Color::Black => GameResult::WinBlack,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WinWhite => Some(Color::White),
            GameResult::WinBlack => Some(Color::Black),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// As PDN 3.0 writes it for Russian draughts: `2-0`, `0-2`, `1-1`, `*`.
    pub const fn pdn(self) -> &'static str {
        match self {
            GameResult::WinWhite => "2-0",
            GameResult::WinBlack => "0-2",
            GameResult::Draw => "1-1",
            GameResult::Unfinished => "*",
        }
    }

    /// The name in answers, such as `win-white`.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::WinWhite => "win-white",
            GameResult::WinBlack => "win-black",
            GameResult::Draw => "draw",
            GameResult::Unfinished => "unfinished",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
