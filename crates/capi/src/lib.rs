//! The C interface of the tables, `libbolshak`. `include/bolshak.h` is made from these files, so that their
//! documentation is that of the header.
//!
//! What holds for every call: arguments are checked before they are used; nothing is global, an error is told to the
//! caller who made it; a panic ends at the boundary as `BOLSHAK_STATUS_INTERNAL`; handles may be shared by threads.

pub mod arguments;
pub mod coverage;
pub mod error;
pub mod position;
pub mod probe;
pub mod tables;

#[cfg(test)]
mod tests;
