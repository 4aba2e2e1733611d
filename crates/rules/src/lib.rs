//! Russian draughts: the board, the moves, and the draw rules as a state machine.
//!
//! This crate knows nothing of tables, files or the network. Everything in it is a pure function of its arguments.
//!
//! ```
//! use bolshak_rules::{Position, Rules, State};
//!
//! let position = Position::from_fen("W:WKh4:Bg3,c5,e5,g5")?.position;
//! for (text, mv) in position.legal_moves_with_text() {
//!     let after = Rules::OFFICIAL.after(&State::fresh(position), &mv);
//!     println!("{text} leads to {}", after.position.to_fen());
//! }
//! # Ok::<(), bolshak_rules::FenError>(())
//! ```

mod fen;
mod moves;
mod notation;
mod perft;
mod position;
mod rule_set;
mod square;
mod state;

pub use fen::{FenError, FenWarning, ParsedFen, latin_look_alike};
pub use moves::{Move, MoveList, men_that_capture};
pub use notation::NotationError;
pub use perft::perft;
pub use position::{Color, Kind, Position, PositionError, Side};
pub use rule_set::{
    Article, KingsOnly, MainRoad, RatioLimit, RatioMaterial, Repetition, RoadReading, RuleSet, Rules, ThreeKings,
    ThreeKingsLimit, UnknownArticle, UnknownRuleSet, UnknownVariant, Variant,
};
pub use square::{Direction, Square, SquareError, Squares};
pub use state::{Counters, CountersError, Left, Over, Remaining, State, stronger_side_of_three_to_one};
