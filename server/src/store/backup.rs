//! A copy of the whole database, made while play goes on.

use super::connection::{connect, connect_to_read};
use rusqlite::backup::Backup;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

/// Why no backup was made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Nothing is ever overwritten.
    #[error("{} cannot be made for the backup: {source}", path.display())]
    Target {
        /// The backup's path.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// A store in memory has no file to copy.
    #[error("a store in memory cannot be backed up")]
    InMemory,
    /// SQLite refuses.
    #[error("the backup failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Copies the database `from` into the new file `to`.
pub(super) fn copy_database(from: &Path, to: &Path) -> Result<(), BackupError> {
    let unmade = |source| BackupError::Target { path: to.to_owned(), source };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(to).map_err(unmade)?;
    let source = connect_to_read(from)?;
    let mut target = connect(to)?;
    // All pages in one step: a reader of a write-ahead log sees one moment, and hinders no writer.
    Backup::new(&source, &mut target)?.step(-1)?;
    drop(target);
    file.sync_all().map_err(unmade)
}
