//! One table file: a sequence of cells, one for each position of a slice in the order of [`crate::SliceIndex`]. Files are
//! written by [`crate::write_table`].
//!
//! A prefix of fixed length points to a JSON header at the end of the file; between them are the codec's dictionary, the
//! pages of cells and the page table. Every part is covered by a checksum that is looked at before the part is used for
//! the first time. `docs/FORMAT.md` has it byte by byte.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bolshak_rules::{Rules, Variant};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{Codec, CodecError, Found, PAGE_CELLS};
use crate::index::SliceIndex;
use crate::slice::Slice;
use crate::statistics::Statistics;

pub(crate) const MAGIC: [u8; 8] = *b"bolshak\n";
/// Version of the file format and of its codec.
pub const FORMAT_VERSION: u32 = 3;
pub(crate) const PREFIX_LEN: usize = 48;
const PAGE_ENTRY_LEN: usize = 16;
/// A header has some thousand bytes, most of them counts by distance; a longer one is damage.
pub(crate) const MAX_HEADER_LEN: u64 = 1 << 16;

/// What the cells of a table mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Without draw rules: 0 nothing is forced, 1 the side to move wins, 2 it loses.
    Value,
    /// Without draw rules: plies to the next conversion or the end where something is forced, else 0.
    Distance,
    /// What a rule set changes: 0 nothing, 1 what was forced no longer is, `n + 1` it takes `n` plies instead.
    Changes(Rules),
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

    /// The ending of the file's name, and the name in its header.
    pub const fn name(&self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Distance => "distance",
            Kind::Changes(rules) => rules.set.name,
        }
    }

    /// The rules whose definition the header vouches for.
    pub(crate) fn rules(&self, variant: Variant) -> Rules {
        match self {
            Kind::Value | Kind::Distance => Rules { variant, ..Rules::NONE },
            Kind::Changes(rules) => *rules,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) variant: String,
    pub(crate) slice: String,
    pub(crate) kind: String,
    /// Digest of the rules' definition, in hexadecimal.
    pub(crate) rules_digest: String,
    pub(crate) positions: u64,
    /// Whether the cells of positions in which one must capture were free.
    pub(crate) free_captures: bool,
    pub(crate) dictionary_bytes: u64,
    pub(crate) dictionary_xxh3: u64,
    pub(crate) page_table_offset: u64,
    pub(crate) page_table_xxh3: u64,
    pub(crate) statistics: Statistics,
}

/// What is wrong with a table file, or kept it from being read or written.
#[derive(Debug, thiserror::Error)]
#[error("table {}: {problem}", .path.display())]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: TableProblem,
}

/// See [`TableError`].
#[derive(Debug, thiserror::Error)]
pub enum TableProblem {
    /// The operating system said no.
    #[error(transparent)]
    Io(#[from] io::Error),
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
    /// A page whose checksum is right does not decode: the table was written wrongly.
    #[error("page {page}: {error}")]
    Codec {
        /// The page, from 0.
        page: u64,
        /// What the codec says.
        error: CodecError,
    },
    /// A cell that no table of its kind has: the table was written wrongly.
    #[error("the cell of position {index} has no meaning")]
    Meaningless {
        /// The number of the position in its slice.
        index: u64,
    },
    /// What is counted by distance does not fit into the header.
    #[error("its header would be longer than {MAX_HEADER_LEN} bytes")]
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

pub(crate) fn hexadecimal(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Pages are checked with a key of their own, so that one put in another's place is noticed.
pub(crate) fn page_seed(slice: Slice, kind: &Kind, variant: Variant, page: u64) -> u64 {
    xxh3_64(format!("{variant}/{slice}.{}#{page}", kind.name()).as_bytes())
}

/// An opened table file. Pages are checked when they are first asked for. Nothing but the map is kept open.
pub struct Table {
    path: PathBuf,
    slice: Slice,
    kind: Kind,
    variant: Variant,
    positions: u64,
    free_captures: bool,
    statistics: Statistics,
    codec: Codec,
    map: Mmap,
    file: FileIdentity,
    first_page_offset: u64,
    page_table_offset: usize,
    /// A bit for each page that has been checked.
    checked: Box<[AtomicU64]>,
}

impl Table {
    /// Opens a table and checks its prefix, header, dictionary and page table against what it should hold.
    pub fn open(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableError> {
        Table::open_file(path, variant, index, kind).map_err(|problem| TableError { path: path.to_owned(), problem })
    }

    fn open_file(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableProblem> {
        let file = File::open(path)?;
        let identity = FileIdentity::of(&file.metadata()?);
        // SAFETY: the bytes must not change while they are mapped. Tables are written under another name and renamed,
        // never changed in place, by `write_table`; who else writes to a table's directory must do the same. A file that
        // is cut short under the map raises SIGBUS where it is read beyond its new end: its length is looked at again
        // before a page is read for the first time, and `docs/FORMAT.md` tells of the rest.
        let map = unsafe { Mmap::map(&file)? };
        if map.get(..8) != Some(&MAGIC[..]) {
            return Err(TableProblem::Foreign);
        }
        let prefix = map.get(..PREFIX_LEN).ok_or(TableProblem::Damaged("prefix"))?;
        let word = |at: usize| u64::from_le_bytes(prefix[at..at + 8].try_into().expect("eight bytes"));
        let version = u32::from_le_bytes(prefix[8..12].try_into().expect("four bytes"));
        if version != FORMAT_VERSION {
            return Err(TableProblem::Version(version));
        }
        if xxh3_64(&prefix[..40]) != word(40) {
            return Err(TableProblem::Damaged("prefix"));
        }
        let (header_offset, header_len) = (word(16), word(24));
        let header_bytes = (header_len <= MAX_HEADER_LEN)
            .then(|| part(&map, header_offset, header_len))
            .flatten()
            .filter(|bytes| xxh3_64(bytes) == word(32))
            .ok_or(TableProblem::Damaged("header"))?;
        let header: Header = serde_json::from_slice(header_bytes).map_err(|_| TableProblem::Damaged("header"))?;
        check_content(&header, variant, index, &kind)?;
        let codec = part(&map, PREFIX_LEN as u64, header.dictionary_bytes)
            .filter(|bytes| xxh3_64(bytes) == header.dictionary_xxh3)
            .and_then(|bytes| Codec::from_bytes(bytes).ok())
            .ok_or(TableProblem::Damaged("dictionary"))?;
        let pages = header.positions.div_ceil(PAGE_CELLS as u64);
        let table = part(&map, header.page_table_offset, pages * PAGE_ENTRY_LEN as u64)
            .filter(|bytes| xxh3_64(bytes) == header.page_table_xxh3)
            .ok_or(TableProblem::Damaged("page table"))?;
        let first_page_offset = PREFIX_LEN as u64 + header.dictionary_bytes;
        let ends_in_order = std::iter::once(first_page_offset)
            .chain(table.chunks_exact(PAGE_ENTRY_LEN).map(|entry| entry_words(entry).0))
            .is_sorted();
        if !ends_in_order {
            return Err(TableProblem::Damaged("page table"));
        }
        Ok(Table {
            path: path.to_owned(),
            slice: index.slice(),
            kind,
            variant,
            positions: header.positions,
            free_captures: header.free_captures,
            statistics: header.statistics,
            codec,
            file: identity,
            first_page_offset,
            page_table_offset: header.page_table_offset as usize,
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

    /// Whether the cells of positions in which one must capture hold anything: what is forced there follows from the
    /// captures.
    pub const fn has_free_captures(&self) -> bool {
        self.free_captures
    }

    /// Length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Number of pages.
    pub fn pages(&self) -> u64 {
        self.positions.div_ceil(PAGE_CELLS as u64)
    }

    /// Number of pages that have been checked.
    pub(crate) fn checked_pages(&self) -> u64 {
        self.checked.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// Fills `cells` with the cells from number `start` on. Each page is decoded once.
    pub fn read(&self, start: u64, cells: &mut [u16]) -> Result<(), TableError> {
        let (mut rest, mut index) = (cells, start);
        let mut buffer = Vec::new();
        while !rest.is_empty() {
            let (page, place) = locate(index);
            let count = self.page_cells(page);
            let here = count.saturating_sub(place).min(rest.len());
            let (now, later) = rest.split_at_mut(here);
            if here == count {
                self.decode_page(page, now)?;
            } else {
                buffer.resize(count, 0);
                self.decode_page(page, &mut buffer)?;
                now.copy_from_slice(&buffer[place..place + here]);
            }
            index += here as u64;
            rest = later;
        }
        Ok(())
    }

    /// Checks and decodes a page into exactly its cells.
    fn decode_page(&self, page: u64, cells: &mut [u16]) -> Result<(), TableError> {
        let bytes = self.checked_page(page)?;
        self.codec.decode(bytes, cells).map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// Checks a page, whether or not that has been done before, and that it can be decoded.
    pub fn verify_page(&self, page: u64) -> Result<(), TableError> {
        self.check_page(page).map_err(|problem| self.error(problem))?;
        self.decode_page(page, &mut vec![0; self.page_cells(page)])
    }

    /// The cell of a position, or the block that it is in.
    #[inline]
    pub(crate) fn find(&self, index: u64) -> Result<Found, TableError> {
        let (page, place) = locate(index);
        let bytes = self.checked_page(page)?;
        self.codec
            .find(bytes, self.page_cells(page), place)
            .map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// The same if the page has been read before.
    pub(crate) fn find_if_checked(&self, index: u64) -> Option<Found> {
        self.is_checked(index / PAGE_CELLS as u64).then(|| self.find(index).ok()).flatten()
    }

    /// Asks the operating system to read the page of a position's cell, without waiting for it.
    pub(crate) fn prefetch(&self, index: u64) {
        let (page, _) = locate(index);
        if self.is_checked(page) {
            return;
        }
        #[cfg(unix)]
        if let Ok(bytes) = self.page_bytes(page) {
            let start = bytes.as_ptr() as usize - self.map.as_ptr() as usize;
            // A hint: nothing depends on its being followed.
            let _ = self.map.advise_range(memmap2::Advice::WillNeed, start, bytes.len());
        }
    }

    /// A block that [`Table::find`] has pointed to.
    pub(crate) fn block(&self, index: u64, block: usize) -> Result<Vec<u16>, TableError> {
        let (page, _) = locate(index);
        let bytes = self.checked_page(page)?;
        self.codec
            .block(bytes, self.page_cells(page), block)
            .map_err(|error| self.error(TableProblem::Codec { page, error }))
    }

    /// Number of cells of a page; 0 beyond the last.
    fn page_cells(&self, page: u64) -> usize {
        self.positions.saturating_sub(page * PAGE_CELLS as u64).min(PAGE_CELLS as u64) as usize
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
        self.checked[(page / 64) as usize].fetch_or(1 << (page % 64), Ordering::Relaxed);
        Ok(bytes)
    }

    /// The end and the checksum of a page.
    fn page_entry(&self, page: u64) -> Result<(u64, u64), TableProblem> {
        let at = self.page_table_offset + page as usize * PAGE_ENTRY_LEN;
        self.map.get(at..at + PAGE_ENTRY_LEN).map(entry_words).ok_or(TableProblem::DamagedPage { page })
    }

    fn page_bytes(&self, page: u64) -> Result<&[u8], TableProblem> {
        let start = if page == 0 { self.first_page_offset } else { self.page_entry(page - 1)?.0 };
        let (end, _) = self.page_entry(page)?;
        part(&self.map, start, end.saturating_sub(start)).ok_or(TableProblem::DamagedPage { page })
    }

    #[cold]
    fn error(&self, problem: TableProblem) -> TableError {
        TableError { path: self.path.clone(), problem }
    }
}

/// The page and the place in it of a position's cell.
fn locate(index: u64) -> (u64, usize) {
    (index / PAGE_CELLS as u64, (index % PAGE_CELLS as u64) as usize)
}

fn entry_words(entry: &[u8]) -> (u64, u64) {
    let word = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    (word(0), word(8))
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

fn check_content(header: &Header, variant: Variant, index: &SliceIndex, kind: &Kind) -> Result<(), TableProblem> {
    let found = format!("{} {}.{} of {}", header.variant, header.slice, header.kind, header.positions);
    let expected = format!("{variant} {}.{} of {}", index.slice(), kind.name(), index.positions());
    if found != expected {
        return Err(TableProblem::Other { found, expected });
    }
    let rules = kind.rules(variant);
    if header.rules_digest != hexadecimal(rules.digest()) {
        return Err(TableProblem::OtherDefinition(rules.set.name.to_owned()));
    }
    Ok(())
}
