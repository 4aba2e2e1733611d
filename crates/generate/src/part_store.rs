//! The parts of a pair as files, from when they are solved until the pair's tables are written.
//!
//! A part is one zstd frame with its checksum: the length of a header as four bytes, the header in JSON, then the codes
//! without draw rules and those of every changed task, in the header's order, each code as one or two bytes. Files are
//! written under another name, synced and renamed: what is there is whole.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_tables::{Kind, Pair, Slice, Tables, open_regular};
use serde::{Deserialize, Serialize};

use crate::job::{GenerateError, missing_rules};
use crate::lock::at;
use crate::part::{CodesOf, Levels, Part, PartCodes, PartRange};
use crate::solver::SolveError;

/// Parts live for hours: what counts is that the disk is not the bottleneck.
const COMPRESSION_LEVEL: i32 = 1;
/// A header names tasks; one of more bytes than this is no header.
const MAX_HEADER_BYTES: u32 = 1 << 26;
const FORMAT: &str = "bolshak part 1";

/// The file that a part of a pair is kept in until its tables are made.
pub fn part_file(tables: &Tables, pair: Pair, rules: &Rules, part: &PartRange) -> PathBuf {
    directory(tables, pair, &sets_of(rules)).join(file_name(part))
}

/// The sets of rules that a part is solved under besides the game without draw rules.
pub(crate) fn sets_of(rules: &Rules) -> Vec<Rules> {
    Kind::changes(rules).map(|_| *rules).into_iter().collect()
}

fn file_name(part: &PartRange) -> String {
    format!("{}.{}-{}.part", part.level, part.tasks.0, part.tasks.1)
}

fn directory(tables: &Tables, pair: Pair, sets: &[Rules]) -> PathBuf {
    let names: Vec<&str> = std::iter::once("none").chain(sets.iter().map(|rules| rules.set.name)).collect();
    all_parts(tables).join(format!("{pair}.{}", names.join("+")))
}

fn all_parts(tables: &Tables) -> PathBuf {
    tables.directory().join(tables.variant().name()).join(".parts")
}

/// Removes parts whose tables are there, of one pair or of all: a run that was killed may have left them, and whoever
/// made a pair whole of which somebody else had made some parts.
pub(crate) fn remove_finished_parts(tables: &Tables, only: Option<Pair>) -> Result<(), GenerateError> {
    let all = all_parts(tables);
    if !at(&all, all.try_exists())? {
        return Ok(());
    }
    for entry in at(&all, fs::read_dir(&all))? {
        let entry = at(&all, entry)?;
        let named = entry.file_name().to_str().and_then(|name| parts_of(name, tables.variant()));
        let Some((pair, rules)) = named.filter(|(pair, _)| only.is_none_or(|only| only == *pair)) else { continue };
        if missing_rules(tables, pair, &rules)?.is_empty() {
            at(&entry.path(), remove_directory(&entry.path()))?;
        }
    }
    Ok(())
}

/// Whose parts a directory has by its name.
fn parts_of(name: &str, variant: Variant) -> Option<(Pair, Vec<Rules>)> {
    let (slice, sets) = name.split_once('.')?;
    let rules = |name: &str| Some(Rules::new(variant, name.parse::<RuleSet>().ok()?));
    Some((slice.parse::<Slice>().ok()?.pair(), sets.split('+').map(rules).collect::<Option<_>>()?))
}

fn remove_directory(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Whose parts they are, and where.
pub(crate) struct PartStore {
    directory: PathBuf,
    pair: Pair,
    /// Name and definition of every set of rules, the variant's in it.
    rules: Vec<(String, [u8; 32])>,
    levels: Levels,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    pair: String,
    rules: Vec<(String, [u8; 32])>,
    level: usize,
    first: usize,
    end: usize,
    bytes_per_code: usize,
    base: usize,
    /// By set the changed tasks and how many codes each has.
    changed: Vec<BTreeMap<usize, usize>>,
}

impl PartStore {
    pub(crate) fn new(tables: &Tables, pair: Pair, sets: &[Rules], levels: Levels) -> PartStore {
        let directory = directory(tables, pair, sets);
        let named = |rules: &Rules| (rules.set.name.to_owned(), rules.digest());
        let base = Rules { variant: tables.variant(), ..Rules::NONE };
        PartStore { directory, pair, rules: std::iter::once(&base).chain(sets).map(named).collect(), levels }
    }

    fn path(&self, part: &PartRange) -> PathBuf {
        self.directory.join(file_name(part))
    }

    pub(crate) fn has(&self, part: &PartRange) -> bool {
        self.path(part).exists()
    }

    /// All parts of a level, in order.
    pub(crate) fn level(&self, level: usize) -> Result<Vec<Part>, SolveError> {
        let mut there = Vec::new();
        if self.directory.exists() {
            for entry in self.at(&self.directory, fs::read_dir(&self.directory))? {
                let name = self.at(&self.directory, entry)?.file_name();
                there.extend(name.to_str().and_then(range_of).filter(|range| range.level == level));
            }
        }
        let tasks = self.levels.tasks.get(level).copied().unwrap_or(0);
        let cover =
            cover(there, tasks).map_err(|first| SolveError::Part(PartRange { level, tasks: (first, tasks) }))?;
        cover.iter().map(|part| self.read(part)).collect()
    }

    pub(crate) fn write(&self, part: &Part) -> Result<(), SolveError> {
        let path = self.path(&part.range);
        let write = || {
            fs::create_dir_all(&self.directory)?;
            let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
            match &part.codes {
                PartCodes::Narrow(codes) => self.encode(&mut file, &part.range, codes, |code| [code])?,
                PartCodes::Wide(codes) => self.encode(&mut file, &part.range, codes, u16::to_le_bytes)?,
            }
            file.as_file().sync_all()?;
            file.persist(&path)?;
            File::open(&self.directory)?.sync_all()
        };
        self.at(&path, write())
    }

    /// Removes all parts; their tables are there.
    pub(crate) fn remove(&self) -> Result<(), SolveError> {
        self.at(&self.directory, remove_directory(&self.directory))
    }

    fn encode<C: Copy, const BYTES: usize>(
        &self,
        file: impl Write,
        range: &PartRange,
        codes: &CodesOf<C>,
        bytes: impl Fn(C) -> [u8; BYTES],
    ) -> io::Result<()> {
        let header = Header {
            format: FORMAT.to_owned(),
            pair: self.pair.to_string(),
            rules: self.rules.clone(),
            level: range.level,
            first: range.tasks.0,
            end: range.tasks.1,
            bytes_per_code: BYTES,
            base: codes.base.len(),
            changed: codes
                .changed
                .iter()
                .map(|tasks| tasks.iter().map(|(&task, codes)| (task, codes.len())).collect())
                .collect(),
        };
        let header = serde_json::to_vec(&header)?;
        let mut encoder = zstd::Encoder::new(file, COMPRESSION_LEVEL)?;
        encoder.include_checksum(true)?;
        let mut out = BufWriter::new(encoder);
        out.write_all(&u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes())?;
        out.write_all(&header)?;
        for codes in std::iter::once(&codes.base).chain(codes.changed.iter().flat_map(BTreeMap::values)) {
            for &code in codes {
                out.write_all(&bytes(code))?;
            }
        }
        out.into_inner()?.finish()?;
        Ok(())
    }

    fn read(&self, range: &PartRange) -> Result<Part, SolveError> {
        let path = self.path(range);
        let read = || {
            let mut decoder = BufReader::new(zstd::Decoder::new(open_regular(&path)?)?);
            let header = self.header(&mut decoder, range)?;
            let codes = match header.bytes_per_code {
                1 => PartCodes::Narrow(decode(&mut decoder, &header, |[byte]: [u8; 1]| byte)?),
                2 => PartCodes::Wide(decode(&mut decoder, &header, u16::from_le_bytes)?),
                _ => return Err(foreign()),
            };
            // The checksum comes at the end, and nothing after it.
            match decoder.read(&mut [0])? {
                0 => Ok(Part { range: range.clone(), codes }),
                _ => Err(foreign()),
            }
        };
        self.at(&path, read())
    }

    /// Reads a header and checks that it is of this part and tells of no more codes than there can be.
    fn header(&self, decoder: &mut impl Read, range: &PartRange) -> io::Result<Header> {
        let mut length = [0; 4];
        decoder.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_HEADER_BYTES {
            return Err(foreign());
        }
        let mut text = vec![0; length as usize];
        decoder.read_exact(&mut text)?;
        let header: Header = serde_json::from_slice(&text)?;
        let most = self.levels.positions_per_task as usize;
        let is_ours = header.format == FORMAT
            && header.pair == self.pair.to_string()
            && header.rules == self.rules
            && (header.level, (header.first, header.end)) == (range.level, range.tasks)
            && header.base <= most * range.range().len()
            && header.changed.len() + 1 == self.rules.len()
            && header.changed.iter().flatten().all(|(task, codes)| range.range().contains(task) && *codes <= most);
        if is_ours { Ok(header) } else { Err(foreign()) }
    }

    fn at<T>(&self, path: &Path, result: io::Result<T>) -> Result<T, SolveError> {
        result.map_err(|error| SolveError::PartFile { path: path.to_owned(), error })
    }
}

fn foreign() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "this is no part of this pair under these rules; remove it")
}

fn decode<C, const BYTES: usize>(
    decoder: &mut impl Read,
    header: &Header,
    code: impl Fn([u8; BYTES]) -> C,
) -> io::Result<CodesOf<C>> {
    let mut codes = |count: usize| -> io::Result<Vec<C>> {
        let mut bytes = vec![0; count * BYTES];
        decoder.read_exact(&mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| code(*bytes)).collect())
    };
    let base = codes(header.base)?;
    let mut changed = Vec::new();
    for tasks in &header.changed {
        let mut of_set = BTreeMap::new();
        for (&task, &count) in tasks {
            of_set.insert(task, codes(count)?);
        }
        changed.push(of_set);
    }
    Ok(CodesOf { base, changed })
}

/// Parts that follow each other over all tasks of a level. Plans that divide otherwise may have left parts that overlap
/// with these. Without a cover, the first task that none reaches.
fn cover(mut there: Vec<PartRange>, tasks: usize) -> Result<Vec<PartRange>, usize> {
    there.sort_unstable();
    // By the task that parts in a row reach, the last of them.
    let mut reached: BTreeMap<usize, Option<PartRange>> = BTreeMap::from([(0, None)]);
    for part in there {
        if part.tasks.0 < part.tasks.1 && reached.contains_key(&part.tasks.0) {
            reached.insert(part.tasks.1, Some(part));
        }
    }
    let mut cover = Vec::new();
    let mut end = tasks;
    while end > 0 {
        match reached.get(&end) {
            Some(Some(part)) => {
                end = part.tasks.0;
                cover.push(part.clone());
            }
            _ => return Err(reached.range(..tasks).next_back().map_or(0, |(&first, _)| first)),
        }
    }
    cover.reverse();
    Ok(cover)
}

fn range_of(file_name: &str) -> Option<PartRange> {
    let (level, tasks) = file_name.strip_suffix(".part")?.split_once('.')?;
    format!("{level}:{tasks}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_several_divisions_cover_a_level() {
        let parts = |ranges: &[(usize, usize)]| -> Vec<PartRange> {
            ranges.iter().map(|&tasks| PartRange { level: 0, tasks }).collect()
        };
        let covers = |there: &[(usize, usize)]| cover(parts(there), 60);
        assert_eq!(covers(&[(15, 60), (0, 15)]), Ok(parts(&[(0, 15), (15, 60)])));
        // The part that reaches furthest leads nowhere.
        assert_eq!(covers(&[(0, 20), (0, 15), (15, 30), (30, 60)]), Ok(parts(&[(0, 15), (15, 30), (30, 60)])));
        assert_eq!(covers(&[(0, 20), (30, 60)]), Err(20));
        assert_eq!(covers(&[]), Err(0));
        assert_eq!(cover(Vec::new(), 0), Ok(Vec::new()));
    }
}
