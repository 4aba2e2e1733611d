//! One table file: a sequence of cells, one for each position of a slice in the order of [`crate::SliceIndex`]. Files are
//! written by [`crate::write_table`].
//!
//! A prefix of fixed length points to a JSON header at the end of the file; between them are the compressed blocks and
//! the block table. Every part is covered by a checksum that is looked at before the part is used.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use bolshak_rules::{Rules, Variant};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{self, BLOCK_CELLS, CodecError};
use crate::index::SliceIndex;
use crate::slice::Slice;

pub(crate) const MAGIC: [u8; 8] = *b"bolshak\n";
/// Version of the file format and of its codec.
pub const FORMAT_VERSION: u32 = 1;
pub(crate) const PREFIX_LEN: usize = 48;
const BLOCK_ENTRY_LEN: usize = 16;
/// A header is a few hundred bytes; a longer one is damage.
const MAX_HEADER_LEN: u64 = 1 << 16;

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

/// Counts over a slice, written when it is made: of values where the kind is `value` or a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// Positions by value: win, cursed win, draw, blessed loss, loss.
    pub counts: [u64; 5],
    /// The longest win and its first position.
    pub longest_win: Option<Longest>,
    /// The longest loss and its first position.
    pub longest_loss: Option<Longest>,
}

/// The greatest distance among positions of one value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Longest {
    /// Its distance.
    pub distance_plies: u16,
    /// The first position of that distance in the order of the file.
    pub fen: String,
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
    #[serde(default)]
    pub(crate) free_captures: bool,
    pub(crate) block_table_offset: u64,
    pub(crate) block_table_xxh3: u64,
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
    /// A block is cut off or does not match its checksum.
    #[error("block {block} is damaged")]
    DamagedBlock {
        /// The block, from 0.
        block: u64,
    },
    /// A block whose checksum is right does not decode: the table was written wrongly.
    #[error("block {block}: {error}")]
    Codec {
        /// The block, from 0.
        block: u64,
        /// What the codec says.
        error: CodecError,
    },
    /// A cell that no table of its kind has: the table was written wrongly.
    #[error("the cell of position {index} has no meaning")]
    Meaningless {
        /// The number of the position in its slice.
        index: u64,
    },
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

/// Blocks are checked with a key of their own, so that one put in another's place is noticed.
pub(crate) fn block_seed(slice: Slice, kind: &Kind, variant: Variant, block: u64) -> u64 {
    xxh3_64(format!("{variant}/{slice}.{}#{block}", kind.name()).as_bytes())
}

/// An opened table file. Blocks are decoded, and checked before that, when they are asked for.
pub struct Table {
    path: PathBuf,
    slice: Slice,
    kind: Kind,
    variant: Variant,
    positions: u64,
    free_captures: bool,
    statistics: Statistics,
    map: Mmap,
    block_table_offset: usize,
}

impl Table {
    /// Opens a table and checks its prefix, header and block table against what it should hold.
    pub fn open(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableError> {
        Table::open_file(path, variant, index, kind).map_err(|problem| TableError { path: path.to_owned(), problem })
    }

    fn open_file(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<Table, TableProblem> {
        let file = File::open(path)?;
        // SAFETY: the bytes must not change while they are mapped. Tables are written under another name and renamed,
        // never changed in place, by `TableWriter`; who else writes to a table's directory must do the same. A file
        // that is cut short under the map raises SIGBUS on access: the README tells operators so.
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
        let blocks = header.positions.div_ceil(BLOCK_CELLS as u64);
        let table = part(&map, header.block_table_offset, blocks * BLOCK_ENTRY_LEN as u64)
            .filter(|bytes| xxh3_64(bytes) == header.block_table_xxh3)
            .ok_or(TableProblem::Damaged("block table"))?;
        let ends_in_order = std::iter::once(PREFIX_LEN as u64)
            .chain(table.chunks_exact(BLOCK_ENTRY_LEN).map(|entry| entry_words(entry).0))
            .is_sorted();
        if !ends_in_order {
            return Err(TableProblem::Damaged("block table"));
        }
        Ok(Table {
            path: path.to_owned(),
            slice: index.slice(),
            kind,
            variant,
            positions: header.positions,
            free_captures: header.free_captures,
            statistics: header.statistics,
            block_table_offset: header.block_table_offset as usize,
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

    /// The counts in the header.
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

    /// Number of blocks.
    pub fn blocks(&self) -> u64 {
        self.positions.div_ceil(BLOCK_CELLS as u64)
    }

    /// The block and the place in it of a position's cell.
    pub fn locate(index: u64) -> (u64, usize) {
        (index / BLOCK_CELLS as u64, (index % BLOCK_CELLS as u64) as usize)
    }

    /// Checks and decodes a block.
    pub fn block(&self, block: u64) -> Result<Vec<u16>, TableError> {
        self.decode_block(block).map_err(|problem| self.error(problem))
    }

    /// Fills `cells` with the cells from number `start` on. Each block is decoded once.
    pub fn read(&self, start: u64, cells: &mut [u16]) -> Result<(), TableError> {
        let (mut rest, mut index) = (cells, start);
        while !rest.is_empty() {
            let (block, place) = Table::locate(index);
            let block = self.block(block)?;
            let here = block.len().saturating_sub(place).min(rest.len());
            let (now, later) = rest.split_at_mut(here);
            now.copy_from_slice(&block[place..place + here]);
            index += here as u64;
            rest = later;
        }
        Ok(())
    }

    fn error(&self, problem: TableProblem) -> TableError {
        TableError { path: self.path.clone(), problem }
    }

    fn decode_block(&self, block: u64) -> Result<Vec<u16>, TableProblem> {
        let damaged = || TableProblem::DamagedBlock { block };
        if block >= self.blocks() {
            return Err(damaged());
        }
        let entry = |block: u64| {
            let at = self.block_table_offset + block as usize * BLOCK_ENTRY_LEN;
            self.map.get(at..at + BLOCK_ENTRY_LEN).map(entry_words).ok_or_else(damaged)
        };
        let start = if block == 0 { PREFIX_LEN as u64 } else { entry(block - 1)?.0 };
        let (end, checksum) = entry(block)?;
        let bytes = part(&self.map, start, end.saturating_sub(start)).ok_or_else(damaged)?;
        if xxh3_64_with_seed(bytes, block_seed(self.slice, &self.kind, self.variant, block)) != checksum {
            return Err(damaged());
        }
        let cells = (self.positions - block * BLOCK_CELLS as u64).min(BLOCK_CELLS as u64) as usize;
        codec::decode(bytes, cells).map_err(|error| TableProblem::Codec { block, error })
    }
}

fn entry_words(entry: &[u8]) -> (u64, u64) {
    let word = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    (word(0), word(8))
}

fn part(map: &Mmap, offset: u64, len: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    map.get(start..start.checked_add(usize::try_from(len).ok()?)?)
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
