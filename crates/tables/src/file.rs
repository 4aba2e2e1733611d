//! One table file: a sequence of cells, one for each position of a slice in the order of [`crate::SliceIndex`].
//!
//! A prefix of fixed length points to a JSON header at the end of the file; between them are the compressed blocks and
//! the block table. Every part is covered by a checksum that is looked at before the part is used.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bolshak_rules::{Rules, Variant};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{self, BLOCK_CELLS, CodecError};
use crate::index::SliceIndex;
use crate::slice::Slice;

const MAGIC: [u8; 8] = *b"bolshak\n";
/// Version of the file format and of its codec.
pub const FORMAT_VERSION: u32 = 1;
const PREFIX_LEN: usize = 48;
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
    fn rules(&self, variant: Variant) -> Rules {
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
struct Header {
    variant: String,
    slice: String,
    kind: String,
    /// Digest of the rules' definition, in hexadecimal.
    rules_digest: String,
    positions: u64,
    block_table_offset: u64,
    block_table_xxh3: u64,
    statistics: Statistics,
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

fn hexadecimal(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Blocks are checked with a key of their own, so that one put in another's place is noticed.
fn block_seed(slice: Slice, kind: &Kind, variant: Variant, block: u64) -> u64 {
    xxh3_64(format!("{variant}/{slice}.{}#{block}", kind.name()).as_bytes())
}

/// Writes one table file. Nothing is seen under the file's name before [`TableWriter::finish`], and then all of it.
pub struct TableWriter {
    path: PathBuf,
    variant: Variant,
    slice: Slice,
    kind: Kind,
    positions: u64,
    file: BufWriter<tempfile::NamedTempFile>,
    pending: Vec<u16>,
    block_table: Vec<u8>,
    blocks: u64,
    offset: u64,
    written: u64,
}

impl TableWriter {
    /// Begins a table. Its directory must exist.
    pub fn create(path: &Path, variant: Variant, index: &SliceIndex, kind: Kind) -> Result<TableWriter, TableError> {
        let begin = || -> io::Result<BufWriter<tempfile::NamedTempFile>> {
            let directory = path.parent().unwrap_or(Path::new("."));
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
            let file = builder.prefix(".").suffix(".tmp").tempfile_in(directory)?;
            let mut file = BufWriter::new(file);
            file.write_all(&[0; PREFIX_LEN])?;
            Ok(file)
        };
        Ok(TableWriter {
            file: begin().map_err(|error| TableError { path: path.to_owned(), problem: error.into() })?,
            path: path.to_owned(),
            variant,
            slice: index.slice(),
            kind,
            positions: index.positions(),
            pending: Vec::with_capacity(BLOCK_CELLS),
            block_table: Vec::new(),
            blocks: 0,
            offset: PREFIX_LEN as u64,
            written: 0,
        })
    }

    /// Appends cells in file order.
    pub fn push(&mut self, cells: impl IntoIterator<Item = u16>) -> Result<(), TableError> {
        for cell in cells {
            self.pending.push(cell);
            if self.pending.len() == BLOCK_CELLS {
                self.flush_block().map_err(|error| self.error(error.into()))?;
            }
        }
        Ok(())
    }

    fn flush_block(&mut self) -> io::Result<()> {
        let bytes = codec::encode(&self.pending)?;
        self.file.write_all(&bytes)?;
        self.offset += bytes.len() as u64;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        let seed = block_seed(self.slice, &self.kind, self.variant, self.blocks);
        self.block_table.extend(self.offset.to_le_bytes());
        self.block_table.extend(xxh3_64_with_seed(&bytes, seed).to_le_bytes());
        self.blocks += 1;
        Ok(())
    }

    /// Writes what is left, syncs the file and puts it in its place. Returns its length in bytes.
    ///
    /// # Panics
    ///
    /// When not exactly one cell was pushed for each position.
    pub fn finish(self, statistics: Statistics) -> Result<u64, TableError> {
        let path = self.path.clone();
        self.finish_file(statistics).map_err(|error| TableError { path, problem: error.into() })
    }

    fn finish_file(mut self, statistics: Statistics) -> io::Result<u64> {
        if !self.pending.is_empty() {
            self.flush_block()?;
        }
        assert_eq!(self.written, self.positions, "cells of {}.{}", self.slice, self.kind.name());
        let header = Header {
            variant: self.variant.name().to_owned(),
            slice: self.slice.to_string(),
            kind: self.kind.name().to_owned(),
            rules_digest: hexadecimal(self.kind.rules(self.variant).digest()),
            positions: self.positions,
            block_table_offset: self.offset,
            block_table_xxh3: xxh3_64(&self.block_table),
            statistics,
        };
        self.file.write_all(&self.block_table)?;
        let header_offset = self.offset + self.block_table.len() as u64;
        let header = serde_json::to_vec(&header)?;
        self.file.write_all(&header)?;
        let mut prefix = Vec::with_capacity(PREFIX_LEN);
        prefix.extend(MAGIC);
        prefix.extend(FORMAT_VERSION.to_le_bytes());
        prefix.extend((PREFIX_LEN as u32).to_le_bytes());
        prefix.extend(header_offset.to_le_bytes());
        prefix.extend((header.len() as u64).to_le_bytes());
        prefix.extend(xxh3_64(&header).to_le_bytes());
        prefix.extend(xxh3_64(&prefix).to_le_bytes());
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&prefix)?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        // Without this a power cut could take the new name back.
        if let Some(directory) = self.path.parent() {
            File::open(directory)?.sync_all()?;
        }
        Ok(header_offset + header.len() as u64)
    }

    fn error(&self, problem: TableProblem) -> TableError {
        TableError { path: self.path.clone(), problem }
    }
}

/// An opened table file. Blocks are decoded, and checked before that, when they are asked for.
pub struct Table {
    path: PathBuf,
    slice: Slice,
    kind: Kind,
    variant: Variant,
    positions: u64,
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
