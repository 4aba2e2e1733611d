//! The lock of a directory of tables: one process has it alone, or many share it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use bolshak_tables::Tables;

use crate::job::GenerateError;

/// Takes the directory for this process, makes it if need be, and removes what a killed run has left. The lock goes with
/// the returned file.
pub(crate) fn take_directory(tables: &Tables) -> Result<File, GenerateError> {
    let file = lock(tables, File::try_lock)?;
    let directory = directory(tables);
    for entry in at(&directory, fs::read_dir(&directory))? {
        let path = at(&directory, entry)?.path();
        if path.extension().is_some_and(|extension| extension == "tmp") {
            at(&path, fs::remove_file(&path))?;
        }
    }
    Ok(file)
}

/// Shares a directory of tables with others that add to it, and keeps whole runs out while the returned file is open.
pub fn share_directory(tables: &Tables) -> Result<File, GenerateError> {
    lock(tables, File::try_lock_shared)
}

fn lock(tables: &Tables, try_lock: fn(&File) -> Result<(), TryLockError>) -> Result<File, GenerateError> {
    let directory = directory(tables);
    at(&directory, fs::create_dir_all(&directory))?;
    let path = directory.join(".lock");
    let file = open(&path)?;
    match try_lock(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(GenerateError::Locked(directory)),
        Err(TryLockError::Error(error)) => Err(GenerateError::Directory { path, error }),
    }
}

/// Opens a lock. Network file systems want a file open for reading to share its lock, and for writing to take it.
pub(crate) fn open(path: &Path) -> Result<File, GenerateError> {
    at(path, OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path))
}

/// Where the tables of the variant are.
pub(crate) fn directory(tables: &Tables) -> PathBuf {
    tables.directory().join(tables.variant().name())
}

/// Says where something went wrong.
pub(crate) fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, GenerateError> {
    result.map_err(|error| GenerateError::Directory { path: path.to_owned(), error })
}
