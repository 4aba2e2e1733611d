//! One table file: a sequence of cells, one for each position of a slice in the order of [`crate::SliceIndex`]. Files are
//! written by [`crate::write_table`].
//!
//! A prefix of fixed length tells where the parts are: the header, the codec's dictionary, the pages of cells and the page
//! table. Every part is covered by a checksum that is looked at before the part is used for the first time.
//! `docs/FORMAT.md` has it byte by byte.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bolshak_rules::{RuleSet, Rules, Variant};
use memmap2::Mmap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{Codec, CodecError, Found};
use crate::index::SliceIndex;
use crate::kings::KingsLists;
use crate::layout::{
    FORMAT_VERSION, Header, MAX_PAGE_BYTES, PAGE_ENTRY_LEN, PREFIX_LEN, Prefix, is_name, page_seed, word,
};
use crate::regular::open_regular;
use crate::slice::Slice;
use crate::statistics::Statistics;

/// What the cells of a table mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Without draw rules: 0 nothing is forced, 1 the side to move wins, 2 it loses.
    Value,
    /// Without draw rules: plies to the next conversion or the end where something is forced, else 0.
    Distance,
    /// What a rule set changes: 0 nothing, 1 what was forced no longer is, `n + 1` it takes `n` plies instead.
    Changes(Rules),
    /// How long it takes under a rule set when king moves have been counted already: the number of a list of steps in the
    /// table's dictionary, or [`crate::UNLISTED_STEPS`]. Nothing needs it; with it, states are answered sooner.
    Kings(Rules),
}

impl Kind {
    /// The kind of table that holds what these rules change; `None` for no draw rules, which change nothing.
    pub fn changes(rules: &Rules) -> Option<Kind> {
        (*rules != rules.without_draw_rules()).then_some(Kind::Changes(*rules))
    }

    /// The kinds of table that are needed under these rules.
    pub fn needed_by(rules: &Rules) -> impl Iterator<Item = Kind> + use<> {
        [Some(Kind::Value), Some(Kind::Distance), Kind::changes(rules)].into_iter().flatten()
    }

    /// The kinds of table that a slice of this variant can have, those of every rule set.
    pub fn all_of(variant: Variant) -> impl Iterator<Item = Kind> {
        let of_sets = RuleSet::ALL.into_iter().map(move |set| Rules::new(variant, set));
        let changes = of_sets.clone().filter_map(|rules| Kind::changes(&rules));
        let kings = of_sets.filter(|rules| Kind::changes(rules).is_some()).map(Kind::Kings);
        [Kind::Value, Kind::Distance].into_iter().chain(changes).chain(kings)
    }

    /// The ending of the file's name, and the name in its header.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Kind::Value => "value".into(),
            Kind::Distance => "distance".into(),
            Kind::Changes(rules) => rules.set.name.into(),
            Kind::Kings(rules) => format!("{}-kings", rules.set.name).into(),
        }
    }

    /// How many positions of so many the header counts.
    pub(crate) const fn counted(&self, positions: u64) -> u64 {
        match self {
            Kind::Kings(_) => 0,
            Kind::Value | Kind::Distance | Kind::Changes(_) => positions,
        }
    }

    /// The rules whose definition the header vouches for.
    pub(crate) fn rules(&self, variant: Variant) -> Rules {
        match self {
            Kind::Value | Kind::Distance => Rules { variant, ..Rules::NONE },
            Kind::Changes(rules) | Kind::Kings(rules) => *rules,
        }
    }
}

/// What is wrong with a table file, or kept it from being read or written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("table {}: {problem}", .path.display())]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: TableProblem,
}

/// See [`TableError`].
#[derive(Clone, Debug, thiserror::Error)]
pub enum TableProblem {
    /// The operating system said no, or what is there is no file ([`crate::NotRegularFile`]).
    #[error(transparent)]
    Io(Arc<io::Error>),
    /// Not one of our files.
    #[error("it is not a bolshak table")]
    Foreign,
    /// Made by a newer or older program.
    #[error("it has format version {0}; this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// A part is cut off or does not match its checksum.
    #[error("its {0} is damaged")]
    Damaged(&'static str),
    /// A page is cut off or does not match its checksum.
    #[error("page {page} is damaged")]
    DamagedPage {
        /// The page, from 0.
        page: u64,
    },
    /// The file has been cut short since it was opened.
    #[error("it has been cut short while it was in use")]
    CutShort,
    /// A page whose checksum is right contradicts itself or does not decode: the table was written wrongly.
    #[error("page {page}: {error}")]
    Codec {
        /// The page, from 0.
        page: u64,
        /// What the codec says.
        error: CodecError,
    },
    /// A cell that no table of its kind has: the table was written wrongly.
    #[error("page {page}: the cell of position {index} has no meaning")]
    Meaningless {
        /// The page, from 0.
        page: u64,
        /// The number of the position in its slice.
        index: u64,
    },
    /// What it says of a position is not what follows from its moves: one of the tables was written wrongly.
    #[error("it and the tables of what follows contradict each other at {fen}")]
    Contradiction {
        /// The position.
        fen: String,
    },
    /// A cell that no table of its kind has was to be written.
    #[error("the cell given for position {index} has no meaning")]
    NoCell {
        /// The number of the position in its slice.
        index: u64,
    },
    /// What the header says in numbers and positions is not what a table of its slice and kind can hold.
    #[error("what its header counts, or a position that it names, is not what its slice has")]
    Counts,
    /// What is counted by distance does not fit into the header.
    #[error("its header would be longer than {} bytes", u16::MAX)]
    LongHeader,
    /// Writing it was stopped on request.
    #[error("writing it was stopped")]
    Stopped,
    /// A sound table, but of something else.
    #[error("it holds {found}, not {expected}")]
    Other {
        /// What its header says.
        found: String,
        /// What its place says.
        expected: String,
    },
    /// Made under another definition of the same rule set.
    #[error("it was made under another definition of the rules '{0}'; generate it again")]
    OtherDefinition(String),
}

impl From<io::Error> for TableProblem {
    fn from(error: io::Error) -> TableProblem {
        TableProblem::Io(Arc::new(error))
    }
}

/// An opened table file. Pages are checked when they are first asked for. Nothing but the map is kept open.
pub struct Table {
    path: PathBuf,
    slice: Slice,
    kind: Kind,
    variant: Variant,
    prefix: Prefix,
    statistics: Statistics,
    codec: Codec,
    kings_lists: KingsLists,
    map: Mmap,
    file: FileIdentity,
    /// A bit for each page that has been checked.
    checked: Box<[AtomicU64]>,
}

impl Table {
    /// Opens a table and checks its prefix, header, dictionary and page table against what it should hold.
    pub fn open(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableError> {
        Table::open_file(path, variant, index, kind).map_err(|problem| TableError { path: path.to_owned(), problem })
    }

    fn open_file(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableProblem> {
        let file = open_regular(path)?;
        let identity = FileIdentity::of(&file.metadata()?);
        // SAFETY: the bytes must not change while they are mapped. Tables are written under another name and renamed,
        // never changed in place, by `write_table`; who else writes to a table's directory must do the same. A file that
        // is cut short under the map raises SIGBUS where it is read beyond its new end: its length is looked at again
        // before a page is read for the first time, and `docs/FORMAT.md` tells of the rest.
        let map = unsafe { Mmap::map(&file)? };
        let prefix = Prefix::from_file(&map)?;
        let head = part(&map, PREFIX_LEN as u64, prefix.head_bytes())
            .filter(|bytes| xxh3_64(bytes) == prefix.head_xxh3)
            .ok_or(TableProblem::Damaged("header"))?;
        let (header, dictionary) = head.split_at(prefix.header_bytes.into());
        let header = Header::from_bytes(header).ok_or(TableProblem::Damaged("header"))?;
        check_content(&prefix, &header, variant, index, &kind)?;
        let dictionaries = match kind {
            Kind::Value => Codec::from_bytes(dictionary).map(|codec| (codec, KingsLists::default())),
            Kind::Kings(rules) => {
                let whole = rules.set.kings_only.map_or(0, |rule| rule.plies);
                KingsLists::from_bytes(dictionary, whole).map(|lists| (Codec::Zstd, lists))
            }
            Kind::Distance | Kind::Changes(_) if dictionary.is_empty() => Ok((Codec::Zstd, KingsLists::default())),
            Kind::Distance | Kind::Changes(_) => Err(CodecError),
        };
        let (codec, kings_lists) = dictionaries.map_err(|_| TableProblem::Damaged("dictionary"))?;
        let pages = prefix.pages();
        let page_table_bytes = pages * PAGE_ENTRY_LEN as u64;
        let table = part(&map, prefix.page_table_offset, page_table_bytes)
            .filter(|bytes| bytes.as_ptr_range().end == map.as_ptr_range().end)
            .filter(|bytes| xxh3_64(bytes) == prefix.page_table_xxh3)
            .ok_or(TableProblem::Damaged("page table"))?;
        let ends = table.chunks_exact(PAGE_ENTRY_LEN).map(|entry| word(entry, 0));
        let mut start = prefix.first_page_offset();
        for end in ends {
            if !(start..=start.saturating_add(MAX_PAGE_BYTES)).contains(&end) {
                return Err(TableProblem::Damaged("page table"));
            }
            start = end;
        }
        if start != prefix.page_table_offset {
            return Err(TableProblem::Damaged("page table"));
        }
        Ok(Table {
            path: path.to_owned(),
            slice: index.slice(),
            kind,
            variant,
            prefix,
            statistics: header.statistics,
            codec,
            kings_lists,
            file: identity,
            checked: (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            map,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The slice.
    pub const fn slice(&self) -> Slice {
        self.slice
    }

    /// What the cells mean.
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What the header says in numbers.
    pub const fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The lists that the cells of a [`Kind::Kings`] table number.
    pub(crate) const fn kings_lists(&self) -> &KingsLists {
        &self.kings_lists
    }

    /// Length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Number of pages.
    pub fn pages(&self) -> u64 {
        self.prefix.pages()
    }

    /// Number of pages that have been checked.
    pub(crate) fn checked_pages(&self) -> u64 {
        self.checked.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// Fills `cells` with the cells from number `start` on. What is decoded is hardly more than what is asked for.
    pub fn read(&self, start: u64, cells: &mut [u16]) -> Result<(), TableError> {
        let (mut rest, mut index) = (cells, start);
        while !rest.is_empty() {
            let (page, place) = self.locate(index);
            let here = self.page_cells(page).saturating_sub(place).min(rest.len());
            let (now, later) = rest.split_at_mut(here);
            self.decode(page, place, now)?;
            index += here as u64;
            rest = later;
        }
        Ok(())
    }

    /// Checks a page and decodes the cells from a place on.
    fn decode(&self, page: u64, place: usize, cells: &mut [u16]) -> Result<(), TableError> {
        let bytes = self.checked_page(page)?;
        self.codec
            .decode(bytes, self.page_cells(page), place, cells)
            .map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// Checks a page, whether or not that has been done before, and that it can be decoded.
    pub fn verify_page(&self, page: u64) -> Result<(), TableError> {
        self.check_page(page).map_err(|problem| self.error(problem))?;
        self.decode(page, 0, &mut vec![0; self.page_cells(page)])
    }

    /// The cell of a position, or the block that it is in.
    #[inline]
    pub(crate) fn find(&self, index: u64) -> Result<Found, TableError> {
        let (page, place) = self.locate(index);
        let bytes = self.checked_page(page)?;
        self.codec
            .find(bytes, self.page_cells(page), place)
            .map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// The same if the page has been read before.
    pub(crate) fn find_if_checked(&self, index: u64) -> Option<Found> {
        self.is_checked(self.locate(index).0).then(|| self.find(index).ok()).flatten()
    }

    /// Asks the operating system to read the page of a position's cell, without waiting for it.
    pub(crate) fn prefetch(&self, index: u64) {
        let (page, _) = self.locate(index);
        // The page table is read: it may have been cut off.
        if self.is_checked(page) || self.file.is_shorter(&self.path, self.bytes()) {
            return;
        }
        #[cfg(unix)]
        if let Ok(bytes) = self.page_bytes(page) {
            let start = bytes.as_ptr() as usize - self.map.as_ptr() as usize;
            // A hint: nothing depends on its being followed.
            let _ = self.map.advise_range(memmap2::Advice::WillNeed, start, bytes.len());
        }
    }

    /// The block of a position's cell when [`Table::find`] has said that it is in one.
    pub(crate) fn block(&self, index: u64) -> Result<Vec<u16>, TableError> {
        let (page, place) = self.locate(index);
        let bytes = self.checked_page(page)?;
        self.codec
            .block(bytes, self.page_cells(page), place)
            .map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// The error that a position's cell has no meaning.
    #[cold]
    pub(crate) fn meaningless(&self, index: u64) -> TableError {
        self.error(TableProblem::Meaningless { page: self.locate(index).0, index })
    }

    /// The page and the place in it of a position's cell.
    fn locate(&self, index: u64) -> (u64, usize) {
        self.prefix.page_size.locate(index)
    }

    /// Number of cells of a page; 0 beyond the last.
    fn page_cells(&self, page: u64) -> usize {
        let cells = self.prefix.page_size.range(self.prefix.positions, page);
        (cells.end - cells.start) as usize
    }

    fn is_checked(&self, page: u64) -> bool {
        let word = self.checked.get((page / 64) as usize);
        // Who sets a bit has only read the page: nothing else has to be seen with it.
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (page % 64) & 1 != 0)
    }

    /// The bytes of a page, checked if they have not been before.
    #[inline]
    fn checked_page(&self, page: u64) -> Result<&[u8], TableError> {
        let bytes = if self.is_checked(page) { self.page_bytes(page) } else { self.check_page(page) };
        bytes.map_err(|problem| self.error(problem))
    }

    #[cold]
    fn check_page(&self, page: u64) -> Result<&[u8], TableProblem> {
        if page >= self.pages() {
            return Err(TableProblem::DamagedPage { page });
        }
        if self.file.is_shorter(&self.path, self.bytes()) {
            return Err(TableProblem::CutShort);
        }
        let bytes = self.page_bytes(page)?;
        let (_, checksum) = self.page_entry(page)?;
        if xxh3_64_with_seed(bytes, page_seed(self.slice, &self.kind, self.variant, page)) != checksum {
            return Err(TableProblem::DamagedPage { page });
        }
        let error = |error| TableProblem::Codec { page, error };
        self.codec.check(bytes, self.page_cells(page)).map_err(error)?;
        self.checked[(page / 64) as usize].fetch_or(1 << (page % 64), Ordering::Relaxed);
        Ok(bytes)
    }

    /// The end and the checksum of a page.
    fn page_entry(&self, page: u64) -> Result<(u64, u64), TableProblem> {
        let at = self.prefix.page_table_offset as usize + page as usize * PAGE_ENTRY_LEN;
        let entry = self.map.get(at..at + PAGE_ENTRY_LEN).ok_or(TableProblem::DamagedPage { page })?;
        Ok((word(entry, 0), word(entry, 8)))
    }

    fn page_bytes(&self, page: u64) -> Result<&[u8], TableProblem> {
        let start = if page == 0 { self.prefix.first_page_offset() } else { self.page_entry(page - 1)?.0 };
        let (end, _) = self.page_entry(page)?;
        part(&self.map, start, end.saturating_sub(start)).ok_or(TableProblem::DamagedPage { page })
    }

    #[cold]
    fn error(&self, problem: TableProblem) -> TableError {
        TableError { path: self.path.clone(), problem }
    }
}

fn part(map: &Mmap, offset: u64, len: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    map.get(start..start.checked_add(usize::try_from(len).ok()?)?)
}

/// Which file it is, so that its length can be asked for by its name without keeping it open.
struct FileIdentity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
}

impl FileIdentity {
    fn of(metadata: &std::fs::Metadata) -> FileIdentity {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            FileIdentity { device_and_inode: (metadata.dev(), metadata.ino()) }
        }
        #[cfg(not(unix))]
        {
            // A mapped file cannot be cut short there.
            let _ = metadata;
            FileIdentity {}
        }
    }

    /// Whether the file still has this name and is shorter than it was. One that was replaced by renaming is still whole
    /// for those who have it mapped.
    fn is_shorter(&self, path: &Path, bytes: u64) -> bool {
        #[cfg(unix)]
        {
            std::fs::metadata(path)
                .is_ok_and(|now| FileIdentity::of(&now).device_and_inode == self.device_and_inode && now.len() < bytes)
        }
        #[cfg(not(unix))]
        {
            let _ = (path, bytes);
            false
        }
    }
}

fn check_content(
    prefix: &Prefix,
    header: &Header,
    variant: Variant,
    index: &SliceIndex,
    kind: &Kind,
) -> Result<(), TableProblem> {
    if ![&header.variant, &header.slice, &header.kind].iter().all(|name| is_name(name)) {
        return Err(TableProblem::Damaged("header"));
    }
    let found = format!("{} {}.{} of {}", header.variant, header.slice, header.kind, prefix.positions);
    let expected = format!("{variant} {}.{} of {}", index.slice(), kind.name(), index.positions());
    if found != expected {
        return Err(TableProblem::Other { found, expected });
    }
    let rules = kind.rules(variant);
    if header.rules_digest != rules.digest() {
        return Err(TableProblem::OtherDefinition(rules.set.name.to_owned()));
    }
    if !header.statistics.fits(index, kind) {
        return Err(TableProblem::Counts);
    }
    if prefix.free_captures && *kind == Kind::Distance {
        return Err(TableProblem::Damaged("prefix"));
    }
    Ok(())
}
