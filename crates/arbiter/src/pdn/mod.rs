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
