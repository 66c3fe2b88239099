//! A copy of the whole database, made while play goes on.

use super::connection::{connect, connect_to_read};
use super::data_dir::existing_database;
use super::ledger::integrity;
use super::{OpenError, refuse_damaged_log_of_nobody};
use rusqlite::backup::{Backup, StepResult};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Why no backup was made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Nothing is ever overwritten.
    #[error("{} is there already: name a file that is not", path.display())]
    Exists {
        /// The backup's path.
        path: PathBuf,
    },
    /// The file system refuses.
    #[error("{} cannot be written for the backup: {source}", path.display())]
    Target {
        /// The backup's path.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// A store in memory has no file to copy.
    #[error("a store in memory cannot be backed up")]
    InMemory,
    /// Another program holds the database or the copy.
    #[error("another program holds the database: try again in a moment")]
    Busy,
    /// The copy is not sound, so neither is what was copied.
    #[error("the copy is damaged, and so is the database: {0}; run chatrangd check")]
    Damaged(String),
    /// SQLite refuses.
    #[error("the backup failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Copies the database of a data directory, on which a server may run, into the new file `to`; returns the
/// copy's length in bytes.
///
/// # Errors
/// [`BackupError`]; an existing file is never overwritten, and no half of a copy stays.
pub fn backup(dir: &Path, to: &Path) -> Result<u64, BackupError> {
    let database = existing_database(dir)?;
    // A copy of what SQLite can read of it would look like all that there was.
    refuse_damaged_log_of_nobody(dir, &database)?;
    copy_database(&database, to)
}

/// Copies the database `from` into the new file `to`, looks it over, and flushes it; returns its length in
/// bytes.
pub(super) fn copy_database(from: &Path, to: &Path) -> Result<u64, BackupError> {
    let file = make_private(to)?;
    let copied = fill(from, to).and_then(|()| {
        let flushed =
            file.sync_all().and_then(|()| directory_of(to)?.sync_all()).and_then(|()| file.metadata());
        flushed.map(|metadata| metadata.len()).map_err(|source| unwritten(to, source))
    });
    if copied.is_err() {
        // It was made here, and is no backup. What is wrong already has a name.
        let _ = std::fs::remove_file(to);
    }
    copied
}

/// A new file that only its owner may read.
fn make_private(path: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists { path: path.to_owned() },
        _ => unwritten(path, source),
    })
}

fn unwritten(path: &Path, source: io::Error) -> BackupError {
    BackupError::Target { path: path.to_owned(), source }
}

fn fill(from: &Path, to: &Path) -> Result<(), BackupError> {
    let source = connect_to_read(from)?;
    let mut target = connect(to)?;
    // All pages in one step: a reader of a write-ahead log sees one moment, and hinders no writer.
    if Backup::new(&source, &mut target)?.step(-1)? != StepResult::Done {
        return Err(BackupError::Busy);
    }
    // One file that needs no others beside it; a server that opens it chooses its own mode again.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    match integrity(&target, "quick_check")?.into_iter().next() {
        Some(fault) => Err(BackupError::Damaged(fault)),
        None => Ok(()),
    }
}

/// The directory that has a file's name, whose flush makes the name last.
fn directory_of(path: &Path) -> io::Result<File> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent),
        _ => File::open("."),
    }
}
