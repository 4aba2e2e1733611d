//! What the tests share.

use std::path::PathBuf;

use bolshak_arbiter::pdn::{Reader, Record};

/// The games of a file in `data/games`.
pub(crate) fn games(file: &str) -> Vec<Record> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/games").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(&bytes)
}

/// The games of a text.
pub(crate) fn read(bytes: &[u8]) -> Vec<Record> {
    Reader::new(bytes).map(Result::unwrap).collect()
}
