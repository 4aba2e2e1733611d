//! The arbiter: was the draw right?
//!
//! Game records are read from the many forms in which they are found ([`pdn`]), replayed, and judged by every draw rule
//! under every rule set. This crate knows nothing of servers or of how tables are made; it asks tables for values, and
//! says so where they do not reach.
//!
//! ```
//! use bolshak_arbiter::{Arbiter, Detail, pdn};
//! use bolshak_rules::Variant;
//!
//! let file = "[FEN \"W:WKa1:BKh2\"]\n1. a1-b2 h2-g1 2. b2-a1 g1-h2 3. a1-b2 h2-g1 4. b2-a1 g1-h2 *";
//! let arbiter = Arbiter::new(Variant::Russian);
//! for (index, record) in pdn::Reader::new(file.as_bytes()).enumerate() {
//!     let verdict = arbiter.verify(index + 1, &record?, Detail::Summary);
//!     assert_eq!(verdict.rules.get("official").unwrap()[0].first_met_ply, 8);
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod adjudicate;
mod by_set;
mod claim;
mod cooperative;
mod language;
mod line;
mod oracle;
pub mod pdn;
pub mod report;
mod result;
mod verdict;

pub use adjudicate::{Adjudication, Ended, TableValue, WinNeeds};
pub use by_set::BySet;
pub use claim::{
    Answered, Claim, ClaimError, ClaimVerdict, Consequence, Decision, Flag, Offer, OfferReview, Step, StepKind,
};
pub use language::{Language, UnknownLanguage};
pub use line::Line;
pub use oracle::{NoTables, Oracle, Unknown};
pub use result::GameResult;
pub use verdict::{
    Arbiter, Count, CountLeft, Detail, Disagreement, Ending, Finding, Fit, Fits, GaveAway, Met, NumberedMove, PlyFacts,
    Proof, Reading, RoadFinding, RoadReview, SetFacts, Unit, Verdict,
};
