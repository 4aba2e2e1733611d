//! Endgame tables: slices of positions, the number of a position in its slice, table files, and exact answers for any
//! state.
//!
//! `tables` knows nothing of how tables are made. Positions are looked at from the side to move throughout.

mod codec;
mod count;
mod coverage;
mod engine;
mod file;
mod index;
mod kings;
mod layout;
mod manifest;
mod outcome;
mod probe;
mod refused;
mod regular;
mod sample;
mod search;
mod slice;
mod slots;
mod statistics;
mod store;
mod usage;
mod verify;
mod write;

pub use codec::CodecError;
pub use count::Count;
pub use coverage::Coverage;
pub use file::{Kind, Table, TableError, TableProblem};
pub use index::{Placement, SliceIndex};
pub use kings::{KingsLists, KingsSteps, MAX_KINGS_LISTS, UNLISTED_STEPS};
pub use layout::FORMAT_VERSION;
pub use manifest::{
    CheckedManifest, Listed, ListedFault, MANIFEST_NAME, ManifestError, check_manifest, read_manifest, write_manifest,
};
pub use outcome::{Forced, Outcome, Value};
pub use probe::{Answer, KnownAnswer, LinePly, RatedMove, UnknownMove};
pub use regular::{NotRegularFile, open_regular};
pub use search::{ProbeError, Query};
pub use slice::{Material, Pair, Slice, SliceError};
pub use statistics::{Histogram, Longest, Statistics};
pub use store::{Fresh, LookUpError, Tables, change_cell, distance_cell, value_cell};
pub use usage::Usage;
pub use verify::{Mismatch, Sample, Verified, VerifyError};
pub use write::{Cells, FREE_CELL, write_table};
