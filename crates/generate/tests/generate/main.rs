//! Solvers and generated tables, checked by other means than those that made them.
#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]
#![allow(unreachable_pub, reason = "one binary")]

mod history;
mod pair_job;
mod scalar;
mod solved;
mod states;
