//! The parts of a table file and what its first bytes say of them. Files are written by [`crate::write_table`] and read by
//! [`crate::Table`]; `docs/FORMAT.md` has them byte by byte.

use bolshak_rules::Variant;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::file::{Kind, TableProblem};
use crate::slice::Slice;
use crate::statistics::Statistics;

const MAGIC: [u8; 8] = *b"bolshak\n";
/// Version of the file format and of its codec.
pub const FORMAT_VERSION: u32 = 3;
pub(crate) const PREFIX_LEN: usize = 64;
/// The end of a page and its checksum.
pub(crate) const PAGE_ENTRY_LEN: usize = 16;
/// No page is longer, so that checking one when it is first asked for stays cheap.
pub(crate) const MAX_PAGE_BYTES: u64 = 1 << 16;

/// No table has more, so that the page table of a file with holes cannot make opening it slow.
pub(crate) const MAX_PAGES: u64 = 1 << 22;
/// No dictionary is longer, for the same reason: [`crate::kings`] has the longest.
pub(crate) const MAX_DICTIONARY_BYTES: u32 = 4_210_623;

/// How many cells every page of a table has but the last: a power of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PageSize {
    log2: u8,
}

impl PageSize {
    /// A block of a page has as many cells; however they are written, they take less than [`MAX_PAGE_BYTES`].
    pub(crate) const LEAST: PageSize = PageSize { log2: 13 };
    /// The largest in which two bytes tell a place.
    pub(crate) const NARROW: PageSize = PageSize { log2: 16 };
    pub(crate) const MOST: PageSize = PageSize { log2: 20 };

    fn from_log2(log2: u8) -> Option<PageSize> {
        let size = PageSize { log2 };
        (PageSize::LEAST..=PageSize::MOST).contains(&size).then_some(size)
    }

    /// Half as many cells, if that is not too few.
    pub(crate) fn halved(self) -> Option<PageSize> {
        PageSize::from_log2(self.log2 - 1)
    }

    pub(crate) const fn cells(self) -> usize {
        1 << self.log2
    }

    /// How many pages so many positions have.
    pub(crate) const fn pages(self, positions: u64) -> u64 {
        positions.div_ceil(1 << self.log2)
    }

    /// The page of a position's cell and its place there.
    #[inline]
    pub(crate) const fn locate(self, index: u64) -> (u64, usize) {
        (index >> self.log2, (index & ((1 << self.log2) - 1)) as usize)
    }

    /// The cells of a page when there are so many positions; none beyond the last page.
    #[inline]
    pub(crate) fn range(self, positions: u64, page: u64) -> std::ops::Range<u64> {
        let start = page.saturating_mul(1 << self.log2).min(positions);
        start..positions.min(start + (1 << self.log2))
    }
}

/// What the first bytes of a file say of its parts: behind them come the header, the dictionary, the pages and the page
/// table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Prefix {
    pub(crate) page_size: PageSize,
    /// Whether some cells were free when it was written; never told of distances.
    pub(crate) free_captures: bool,
    pub(crate) header_bytes: u16,
    pub(crate) dictionary_bytes: u32,
    pub(crate) positions: u64,
    pub(crate) page_table_offset: u64,
    /// Of the header and the dictionary.
    pub(crate) head_xxh3: u64,
    pub(crate) page_table_xxh3: u64,
}

impl Prefix {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(PREFIX_LEN);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.push(self.page_size.log2);
        bytes.push(self.free_captures.into());
        bytes.extend(self.header_bytes.to_le_bytes());
        bytes.extend(self.dictionary_bytes.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.page_table_offset.to_le_bytes());
        bytes.extend(self.head_xxh3.to_le_bytes());
        bytes.extend(self.page_table_xxh3.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the prefix of a file.
    pub(crate) fn from_file(file: &[u8]) -> Result<Prefix, TableProblem> {
        if !file.starts_with(&MAGIC) {
            return Err(TableProblem::Foreign);
        }
        let damaged = TableProblem::Damaged("prefix");
        let Some(bytes) = file.first_chunk::<PREFIX_LEN>() else { return Err(damaged) };
        let word = |at: usize| word(bytes, at);
        let version = word(8) as u32;
        if version != FORMAT_VERSION {
            return Err(TableProblem::Version(version));
        }
        let checksum = xxh3_64(&bytes[..PREFIX_LEN - 8]) == word(PREFIX_LEN - 8);
        let sound = checksum && bytes[13] <= 1 && bytes[20..24] == [0; 4];
        let Some(page_size) = PageSize::from_log2(bytes[12]).filter(|_| sound) else {
            return Err(damaged);
        };
        let prefix = Prefix {
            page_size,
            free_captures: bytes[13] == 1,
            header_bytes: (word(8) >> 48) as u16,
            dictionary_bytes: word(16) as u32,
            positions: word(24),
            page_table_offset: word(32),
            head_xxh3: word(40),
            page_table_xxh3: word(48),
        };
        if prefix.is_bounded() { Ok(prefix) } else { Err(TableProblem::Damaged("prefix")) }
    }

    /// Whether looking through what it tells of cannot take long.
    pub(crate) fn is_bounded(&self) -> bool {
        self.pages() <= MAX_PAGES && self.dictionary_bytes <= MAX_DICTIONARY_BYTES
    }

    /// Length of the header and the dictionary.
    pub(crate) fn head_bytes(&self) -> u64 {
        u64::from(self.header_bytes) + u64::from(self.dictionary_bytes)
    }

    /// Where the first page begins.
    pub(crate) fn first_page_offset(&self) -> u64 {
        PREFIX_LEN as u64 + self.head_bytes()
    }

    pub(crate) fn pages(&self) -> u64 {
        self.page_size.pages(self.positions)
    }
}

/// What the file holds, as its header says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) variant: String,
    pub(crate) slice: String,
    pub(crate) kind: String,
    /// Digest of the rules' definition.
    pub(crate) rules_digest: [u8; 32],
    pub(crate) statistics: Statistics,
}

impl Header {
    /// Reads the header of a file, if that is the one way to write it.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Header> {
        let header = postcard::from_bytes(bytes).ok()?;
        (postcard::to_allocvec(&header).ok()? == bytes).then_some(header)
    }
}

/// Whether it is a name as they stand in headers and manifests: nothing that could pass for something else on a terminal
/// or in a list.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Pages are checked with a key of their own, so that one put in another's place is noticed.
pub(crate) fn page_seed(slice: Slice, kind: &Kind, variant: Variant, page: u64) -> u64 {
    xxh3_64(format!("{variant}/{slice}.{}#{page}", kind.name()).as_bytes())
}

/// The eight bytes at a place of the prefix or the page table.
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
