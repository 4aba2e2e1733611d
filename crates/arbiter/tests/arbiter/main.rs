//! The arbiter against games made for the purpose, odd records, and a second, literal reading of the rules.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod against_literal;
mod claims;
mod common;
mod games;
mod generated;
mod literal;
mod records;
mod reports;
mod tables;
