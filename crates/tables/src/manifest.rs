//! The list of the hashes of whole files that goes with a set of tables: what downloaders check and publishers sign.
//!
//! Its lines are those of `sha256sum`, so that who has the files needs no program of ours to check them.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bolshak_rules::Variant;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::file::Kind;
use crate::regular::open_regular;
use crate::slice::Slice;

/// The name of the list, beside the directories of the variants.
pub const MANIFEST_NAME: &str = "MANIFEST.sha256";

/// All tables of all slices there can be are listed in less.
const MAX_BYTES: u64 = 1 << 25;

/// Why there is no manifest, or none that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// A file cannot be read, or the manifest cannot be written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A line is not a hash and the name of a table, or does not end with a line feed.
    #[error("{}: line {line} is not a SHA-256 hash and the name of a table, ended by a line feed", .path.display())]
    Line {
        /// The manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A line is not in order of name behind the one before it, or lists the same table.
    #[error("{}: line {line} is not in order of name, or lists a table again", .path.display())]
    Order {
        /// The manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// It is longer than any list of tables.
    #[error("{}: it is longer than {MAX_BYTES} bytes", .path.display())]
    Long {
        /// The manifest.
        path: PathBuf,
    },
    /// A list of nothing vouches for nothing.
    #[error("{}: no table is listed", .path.display())]
    Empty {
        /// The manifest.
        path: PathBuf,
    },
}

/// What a manifest says of a directory.
#[derive(Debug)]
pub struct CheckedManifest {
    /// The files that it lists, in the order of its lines.
    pub listed: Vec<Listed>,
    /// The names of tables that are there and that it does not list, in order: nobody vouches for them.
    pub unlisted: Vec<String>,
}

/// A file of a manifest, and whether it is as the manifest says.
#[derive(Debug)]
pub struct Listed {
    /// Its name from the directory of the tables on, such as `russian/KvK.value`.
    pub name: String,
    /// What keeps it from being what was listed.
    pub fault: Option<ListedFault>,
}

/// See [`Listed`].
#[derive(Debug, thiserror::Error)]
pub enum ListedFault {
    /// It cannot be read, or is not there.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is another file.
    #[error("its SHA-256 hash is not the one in {MANIFEST_NAME}")]
    Hash,
}

/// Writes the manifest of all tables in a directory, of every variant. Returns how many there are, at least one.
pub fn write_manifest(directory: &Path) -> Result<usize, ManifestError> {
    let path = directory.join(MANIFEST_NAME);
    let names = table_names(directory)?;
    if names.is_empty() {
        return Err(ManifestError::Empty { path });
    }
    let lines = names.par_iter().map(|name| {
        let path = directory.join(name);
        hash(&path).map(|hash| format!("{hash}  {name}\n")).map_err(|error| ManifestError::Io { path, error })
    });
    let text: String = lines.collect::<Result<_, _>>()?;
    replace(&path, text.as_bytes()).map_err(|error| ManifestError::Io { path, error })?;
    Ok(names.len())
}

/// The manifest of a directory: the name of each table and its hash in hexadecimal, in the order of its lines. It lists at
/// least one.
pub fn read_manifest(directory: &Path) -> Result<Vec<(String, String)>, ManifestError> {
    let path = directory.join(MANIFEST_NAME);
    let mut text = String::new();
    open_regular(&path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
        .map_err(|error| ManifestError::Io { path: path.clone(), error })?;
    if text.len() as u64 > MAX_BYTES {
        return Err(ManifestError::Long { path });
    }
    let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let entry = |line: usize, text: &str| {
        // Not by `lines`: where a line ends with a carriage return, `sha256sum` takes that for a part of the name.
        let entry = text.strip_suffix('\n').and_then(|text| text.split_once("  "));
        let entry = entry.filter(|(hash, name)| is_hash(hash) && is_table_name(name));
        let (hash, name) = entry.ok_or_else(|| ManifestError::Line { path: path.clone(), line })?;
        Ok((name.to_owned(), hash.to_owned()))
    };
    let lines = (1..).zip(text.split_inclusive('\n'));
    let entries: Vec<(String, String)> = lines.map(|(line, text)| entry(line, text)).collect::<Result<_, _>>()?;
    if let Some(place) = entries.windows(2).position(|two| two[1].0 <= two[0].0) {
        return Err(ManifestError::Order { path, line: place + 2 });
    }
    if entries.is_empty() { Err(ManifestError::Empty { path }) } else { Ok(entries) }
}

/// Compares the files of a directory with its manifest. Tables that it does not list are named, not looked at.
pub fn check_manifest(directory: &Path) -> Result<CheckedManifest, ManifestError> {
    let entries = read_manifest(directory)?;
    let mut unlisted = table_names(directory)?;
    let names: HashSet<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    unlisted.retain(|name| !names.contains(name.as_str()));
    let checked = entries.into_par_iter().map(|(name, expected)| {
        let fault = match hash(&directory.join(&name)) {
            Ok(found) => (found != expected).then_some(ListedFault::Hash),
            Err(error) => Some(error.into()),
        };
        Listed { name, fault }
    });
    Ok(CheckedManifest { listed: checked.collect(), unlisted })
}

/// The tables in a directory, in order of name.
fn table_names(directory: &Path) -> Result<Vec<String>, ManifestError> {
    let mut names = Vec::new();
    // A variant without tables has no directory; a mistyped name is told.
    fs::read_dir(directory).map_err(|error| ManifestError::Io { path: directory.to_owned(), error })?;
    for variant in Variant::ALL {
        let path = directory.join(variant.name());
        let entries = match fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(ManifestError::Io { path, error }),
        };
        let files = entries.iter().filter_map(|entry| Some(format!("{variant}/{}", entry.file_name().to_str()?)));
        // A link that leads nowhere is no table; what cannot be looked at is told when it is read.
        names.extend(files.filter(|name| is_table_name(name) && directory.join(name).try_exists().unwrap_or(true)));
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether it is `VARIANT/SLICE.KIND`, which leads nowhere but to a table.
fn is_table_name(name: &str) -> bool {
    let Some((variant, file)) = name.split_once('/') else { return false };
    let Some((slice, kind)) = file.split_once('.') else { return false };
    let Ok(variant) = variant.parse::<Variant>() else { return false };
    slice.parse::<Slice>().is_ok() && Kind::all_of(variant).any(|known| known.name() == kind)
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut buffer) = (open_regular(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => hasher.update(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(hexadecimal(hasher.finalize().into()))
}

/// Writes a file that is seen only when it is whole.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = builder.prefix(".").suffix(".tmp").tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn hexadecimal(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
