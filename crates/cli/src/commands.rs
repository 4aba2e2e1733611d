//! One module for each command.

pub(crate) mod arbiter;
pub(crate) mod describe;
pub(crate) mod generate;
pub(crate) mod line;
pub(crate) mod manifest;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod serve;
pub(crate) mod slice;
#[cfg(feature = "object_store")]
pub(crate) mod stage;
pub(crate) mod stats;
pub(crate) mod verify;
