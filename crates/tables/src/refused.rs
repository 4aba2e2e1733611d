//! Files that were found wanting when they were opened, which is paid for once and not by everybody who asks.

use std::fs::Metadata;
use std::time::SystemTime;

use crate::file::{TableError, TableProblem};

/// What changes when a file is replaced or written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileVersion {
    bytes: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    device_inode_and_change: (u64, u64, i64, i64),
}

impl FileVersion {
    pub(crate) fn of(metadata: &Metadata) -> FileVersion {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        FileVersion {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            device_inode_and_change: (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// A file that is no table, or not the one that its name says.
pub(crate) struct Refused {
    version: FileVersion,
    error: TableError,
}

impl Refused {
    /// `None` when it is not the file's content that was found wanting.
    pub(crate) fn new(version: FileVersion, error: &TableError) -> Option<Refused> {
        let is_content = !matches!(error.problem, TableProblem::Io(_));
        is_content.then(|| Refused { version, error: error.clone() })
    }

    /// What is wrong with the file, as long as it is still the same.
    pub(crate) fn error(&self, version: &FileVersion) -> Option<TableError> {
        (self.version == *version).then(|| self.error.clone())
    }
}
