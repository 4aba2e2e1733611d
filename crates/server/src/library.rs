//! The tables that questions are answered from.

use std::path::Path;
use std::sync::Arc;

use bolshak_rules::Variant;
use bolshak_tables::Tables;

use crate::failure::Failure;
use crate::tally::Tally;

/// The tables of every variant in one directory. Cheap to clone; all clones are the same library.
#[derive(Clone)]
pub struct Library {
    variants: Arc<[(Tables, Tally)]>,
}

impl Library {
    /// The tables under a directory, which need not hold any yet.
    pub fn open(directory: &Path) -> Library {
        let variants =
            Variant::ALL.into_iter().map(|variant| (Tables::open(directory, variant), Tally::default())).collect();
        Library { variants }
    }

    /// The tables of a variant.
    pub fn tables(&self, variant: Variant) -> &Tables {
        &self.of(variant).0
    }

    /// How many states of each slice of a variant have been answered.
    pub(crate) fn tally(&self, variant: Variant) -> &Tally {
        &self.of(variant).1
    }

    fn of(&self, variant: Variant) -> &(Tables, Tally) {
        let position = Variant::ALL.iter().position(|&other| other == variant);
        &self.variants[position.unwrap_or_default()]
    }

    /// Whether anything can be answered at all.
    pub(crate) fn is_ready(&self) -> bool {
        self.variants.iter().any(|(tables, _)| tables.slices().is_ok_and(|slices| !slices.is_empty()))
    }

    /// Says in the log if the directory is not there: its name may be misspelt.
    pub(crate) fn tell_doubts(&self) {
        let directory = self.tables(Variant::Russian).directory();
        if !directory.is_dir() {
            tracing::warn!(
                "{}: there is no such directory of tables; nothing is answered from it",
                directory.display()
            );
        }
    }

    /// Looks at the directory again, so that tables which were added or replaced are used.
    pub fn reload(&self) {
        Failure::tell_anew();
        for (tables, _) in self.variants.iter() {
            tables.reload();
        }
    }
}
