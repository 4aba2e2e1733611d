//! Game records and verdicts on draws.

mod language;
pub mod pdn;
mod result;

pub use language::{Language, UnknownLanguage};
pub use result::GameResult;
