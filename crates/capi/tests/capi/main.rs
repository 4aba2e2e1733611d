//! The header, and programs in C and C++ that use it.
#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod header;
mod programs;
