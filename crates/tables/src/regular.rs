//! Opening files that others may have put there: a pipe in the place of a table would keep whoever opens it waiting.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// A pipe, a device, a socket or a directory is where a file should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not a regular file")]
pub struct NotRegularFile;

/// Opens a regular file, or one that is linked to, for reading. Anything else in its place is never waited for: it is an
/// error that has [`NotRegularFile`] inside.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Asked before it is opened: to open a device may do something.
    check(&std::fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // Asked again when it is open: a pipe may have taken its place meanwhile, and must not be waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other(NotRegularFile)) }
}
