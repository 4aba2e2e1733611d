//! The crate against the rules: published counts, hand-made cases, and a second, literal reading of the same text.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod counters;
mod fen;
mod literal_counters;
mod literal_moves;
mod moves;
mod notation;
mod positions;
mod worst_cases;
