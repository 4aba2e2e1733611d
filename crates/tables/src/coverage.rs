//! What a directory of tables holds, told from the names of its files without opening any.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;

use bolshak_rules::{Rules, Variant};

use crate::file::Kind;
use crate::slice::{Pair, Slice};
use crate::store::Tables;

/// Which slices a directory has tables for. It is what was there when it was asked for; that the files are sound is seen
/// when they are opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    variant: Variant,
    kinds: HashMap<Slice, HashSet<Cow<'static, str>>>,
}

impl Coverage {
    /// Whether a slice has every table that these rules need. To be answered it needs those it can lead to as well: see
    /// [`Coverage::missing`].
    pub fn has(&self, slice: Slice, rules: &Rules) -> bool {
        rules.variant == self.variant
            && self
                .kinds
                .get(&slice)
                .is_some_and(|there| Kind::needed_by(rules).all(|kind| there.contains(&kind.name())))
    }

    /// Whether a slice has a table of how king moves left matter under these rules, which nothing needs.
    pub fn has_kings(&self, slice: Slice, rules: &Rules) -> bool {
        rules.variant == self.variant
            && self.kinds.get(&slice).is_some_and(|there| there.contains(&Kind::Kings(*rules).name()))
    }

    /// The slices that have every table these rules need, in order of solving.
    pub fn slices(&self, rules: &Rules) -> Vec<Slice> {
        self.slices_where(|slice| self.has(slice, rules))
    }

    fn slices_where(&self, wanted: impl Fn(Slice) -> bool) -> Vec<Slice> {
        let mut slices: Vec<Slice> = self.kinds.keys().copied().filter(|&slice| wanted(slice)).collect();
        slices.sort_by_key(|slice| (slice.pair(), std::cmp::Reverse(*slice)));
        slices
    }

    /// The slices that lack a table these rules need and that play from a slice can come to, itself included, in order
    /// of solving. None are missing when every state of the slice can be answered.
    pub fn missing(&self, slice: Slice, rules: &Rules) -> Vec<Slice> {
        Pair::closure(&[slice]).into_iter().flat_map(Pair::slices).filter(|&slice| !self.has(slice, rules)).collect()
    }

    /// The greatest number of pieces up to which every slice has the tables that these rules need; 0 when even two
    /// pieces are not complete.
    pub fn complete_pieces(&self, rules: &Rules) -> u8 {
        let complete = |pieces: &u8| Slice::all_of(*pieces).into_iter().all(|slice| self.has(slice, rules));
        (2..=24).take_while(complete).last().unwrap_or(0)
    }
}

/// An empty file is no table; a pipe or the like in the place of one is a fault that is told when it is opened.
fn holds_something(metadata: std::fs::Metadata) -> bool {
    !metadata.is_file() || metadata.len() > 0
}

impl Tables {
    /// What the directory holds. Reads the list of its files and asks for their lengths, so that it takes milliseconds for
    /// hundreds of tables. An empty file and a link that leads nowhere are no tables.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Rules, Variant};
    /// use bolshak_tables::{Slice, Tables};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// let (slice, rules): (Slice, _) = ("KvK".parse()?, Rules::OFFICIAL);
    /// assert_eq!(tables.coverage()?.missing(slice, &rules), [slice]);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &[slice], &[rules], &solver, &mut (), &stop)?;
    ///
    /// // After `bolshak generate --slices KvK`:
    /// assert!(tables.coverage()?.has(slice, &rules));
    /// assert_eq!(tables.coverage()?.slices(&Rules::NONE), [slice]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coverage(&self) -> std::io::Result<Coverage> {
        let mut coverage = Coverage { variant: self.variant(), kinds: HashMap::new() };
        let path = self.directory().join(self.variant().name());
        let entries = match std::fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(coverage),
            Err(error) => return Err(std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        };
        let kinds: HashSet<Cow<'static, str>> = Kind::all_of(self.variant()).map(|kind| kind.name()).collect();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let Some((slice, kind)) = name.to_str().and_then(|name| name.split_once('.')) else { continue };
            let (Ok(slice), Some(kind)) = (slice.parse::<Slice>(), kinds.get(kind)) else { continue };
            // Through links; what cannot be looked at is seen when it is opened.
            if std::fs::metadata(entry.path()).map_or_else(|error| error.kind() != ErrorKind::NotFound, holds_something)
            {
                coverage.kinds.entry(slice).or_default().insert(kind.clone());
            }
        }
        Ok(coverage)
    }

    /// The slices with a table of any kind, whatever they lack, in order of solving.
    pub fn slices(&self) -> std::io::Result<Vec<Slice>> {
        Ok(self.coverage()?.slices_where(|_| true))
    }
}
