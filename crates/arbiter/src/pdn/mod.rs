//! Game records as they are in the world: PDN 3.0 and its older dialects, score sheets, books.

mod build;
mod grammar;
mod reader;
mod record;
mod resolve;
mod warning;
mod write;

pub use reader::{MAX_GAME_BYTES, Reader};
pub use record::{Played, Record, RecordError, Tag};
pub use resolve::MoveProblem;
pub use warning::{Warning, WarningKind};

use bolshak_rules::{Move, Position};

/// Reads one move as a record has it: the one legal move it can mean.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveProblem> {
    let word: String = text.split_whitespace().collect();
    match grammar::word(&word) {
        grammar::Word::Move(text) => resolve::resolve(position, &text).map(|resolved| resolved.mv),
        _ => Err(MoveProblem::NotAMove { legal: resolve::legal_texts(position) }),
    }
}
