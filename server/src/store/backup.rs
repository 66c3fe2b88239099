//! A copy of the whole database, made while play goes on.

use super::connection::{connect, connect_to_read};
use super::data_dir::existing_database;
use super::ledger::integrity;
use super::{OpenError, refuse_damaged_log_of_nobody};
use rusqlite::backup::{Backup, StepResult};
use std::fs::{File, OpenOptions, TryLockError};
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
/// bytes. Until it is whole it has another name: whoever kills this leaves nothing that looks like a backup.
pub(super) fn copy_database(from: &Path, to: &Path) -> Result<u64, BackupError> {
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::Exists { path: to.to_owned() });
    }
    let part = beside(to, ".part");
    let file = make_private(&part)?;
    let copied = fill(from, &part).and_then(|()| {
        let flushed = file.sync_all().and_then(|()| file.metadata());
        let length = flushed.map_err(|source| unwritten(&part, source))?.len();
        give_name(&part, to)?;
        Ok(length)
    });
    // What is left of one that is no backup, or that has its name by now. What is wrong already has one as well.
    let _ = std::fs::remove_file(beside(&part, "-journal"));
    let _ = std::fs::remove_file(&part);
    copied
}

/// The path with something at its end.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Gives a whole copy its name, which no other file may have got meanwhile.
fn give_name(part: &Path, to: &Path) -> Result<(), BackupError> {
    let named = match std::fs::hard_link(part, to) {
        // A file system without links: nothing takes a name there without a moment in between.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
                && to.symlink_metadata().is_err() =>
        {
            std::fs::rename(part, to)
        }
        linked => linked,
    };
    named.map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists { path: to.to_owned() },
        _ => unwritten(to, source),
    })?;
    directory_of(to).and_then(|directory| directory.sync_all()).map_err(|source| {
        // Its name may not last. It was given here.
        let _ = std::fs::remove_file(to);
        unwritten(to, source)
    })
}

/// A new file that only its owner may read, in place of what a killed backup has left, and held against another one.
fn make_private(path: &Path) -> Result<File, BackupError> {
    let unwritable = |source| unwritten(path, source);
    match OpenOptions::new().write(true).open(path) {
        // Never written to: by now it may be a whole copy that has another name as well.
        Ok(left) => {
            hold(&left, path)?;
            std::fs::remove_file(path).map_err(unwritable)?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(error)),
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists { path: path.to_owned() },
        _ => unwritable(source),
    })?;
    hold(&file, path)?;
    Ok(file)
}

/// Holds a file against another backup.
fn hold(file: &File, path: &Path) -> Result<(), BackupError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => BackupError::Exists { path: path.to_owned() },
        TryLockError::Error(source) => unwritten(path, source),
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
