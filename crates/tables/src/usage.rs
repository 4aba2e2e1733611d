//! What a directory of tables has been used for.

use crate::store::Tables;

/// How much of a directory is in use. [`Tables::reload`] forgets what is open, but not the counts of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// Tables that are open.
    pub open_tables: u64,
    /// Bytes of their files.
    pub open_bytes: u64,
    /// Pages of them that were checked, which is done when a page is first asked for.
    pub checked_pages: u64,
    /// Look-ups that found their block decoded. Tables with phrases have no blocks that need it.
    pub cache_hits: u64,
    /// Look-ups that had to decode their block.
    pub cache_misses: u64,
}

impl Tables {
    /// What has been used so far. Nothing is counted for it while positions are looked up, so that asking costs a walk
    /// over what is open, microseconds for hundreds of tables.
    pub fn usage(&self) -> Usage {
        let (cache_hits, cache_misses) = self.cache_counts();
        self.open_tables().fold(Usage { cache_hits, cache_misses, ..Usage::default() }, |usage, opened| Usage {
            open_tables: usage.open_tables + 1,
            open_bytes: usage.open_bytes + opened.table.bytes(),
            checked_pages: usage.checked_pages + opened.table.checked_pages(),
            ..usage
        })
    }
}
