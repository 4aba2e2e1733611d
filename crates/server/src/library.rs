//! The tables that questions are answered from.

use std::path::Path;
use std::sync::Arc;

use bolshak_rules::Variant;
use bolshak_tables::{Slice, Tables};

/// The tables of every variant in one directory. Cheap to clone; all clones are the same library.
#[derive(Clone)]
pub struct Library {
    variants: Arc<[Tables]>,
}

impl Library {
    /// The tables under a directory, which need not hold any yet.
    pub fn open(directory: &Path) -> Library {
        Library { variants: Variant::ALL.into_iter().map(|variant| Tables::open(directory, variant)).collect() }
    }

    /// The tables of a variant.
    pub fn tables(&self, variant: Variant) -> &Tables {
        let position = Variant::ALL.iter().position(|&other| other == variant);
        &self.variants[position.unwrap_or_default()]
    }

    /// The slices of a variant that the directory has a file for, by number of pieces and then by name.
    pub(crate) fn slices(&self, variant: Variant) -> Vec<Slice> {
        let path = self.tables(variant).directory().join(variant.name());
        // A directory that is not there has no tables; one that cannot be read answers nothing either.
        let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let finished = names.filter(|name| !name.ends_with(".tmp"));
        let mut slices: Vec<Slice> = finished.filter_map(|name| name.split_once('.')?.0.parse().ok()).collect();
        slices.sort_by_cached_key(|slice| (slice.pieces(), slice.to_string()));
        slices.dedup();
        slices
    }

    /// Looks at the directory again, so that tables which were added or replaced are used.
    pub fn reload(&self) {
        for tables in self.variants.iter() {
            tables.reload();
        }
    }
}
