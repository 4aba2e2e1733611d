//! Table files: what is written is read back, what is damaged is noticed, and the document tells the truth.
#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]
#![allow(unreachable_pub, reason = "one binary")]

mod damage;
mod document;
mod forged;
mod made;
mod manifest;
mod python;
