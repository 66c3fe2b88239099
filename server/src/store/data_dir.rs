//! The data directory: private, and one server's at a time.

use super::OpenError;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A data directory that this process holds until the value is dropped, or the process ends by
/// whatever means: the operating system releases the lock.
#[derive(Debug)]
pub(super) struct DataDir {
    path: PathBuf,
    /// Locked; never read again.
    _lock: File,
}

/// Why a data directory cannot be had.
#[derive(Debug)]
pub(super) enum DataDirError {
    /// Another process holds it; its id, when it could be read.
    Held { holder: Option<u32> },
    /// The file system says no.
    Io(io::Error),
}

impl From<io::Error> for DataDirError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl DataDir {
    /// Makes the directory (for its owner only) when it is missing, and locks it.
    ///
    /// The permissions of a directory that exists are its owner's business; the files in it are
    /// private either way.
    pub(super) fn open(path: &Path) -> Result<Self, DataDirError> {
        make_private(path)?;
        let mut lock = open_private(&path.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataDirError::Held { holder: holder(&mut lock) }),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        lock.set_len(0)?;
        writeln!(lock, "{}", std::process::id())?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Whether there is a write-ahead log and no database to it: SQLite would begin a new one, and throw the log away.
    pub(super) fn has_log_alone(&self) -> io::Result<bool> {
        has_log_alone(&self.path)
    }

    /// Where the database lies. The file is made here, empty and private: SQLite gives its
    /// write-ahead log and shared memory the permissions that the database has.
    pub(super) fn database(&self) -> io::Result<PathBuf> {
        let path = self.path.join(DATABASE);
        open_private(&path)?;
        Ok(path)
    }

    /// Makes durable what is read from now on: the names of new files, the directory's own, and the log.
    ///
    /// A server that was killed in the middle of a flush may have left a transaction that only the system's
    /// memory holds. It reads like any other and will be told, so it must not be lost by a power cut after that.
    pub(super) fn sync(&self) -> io::Result<()> {
        match OpenOptions::new().write(true).open(log_in(&self.path)) {
            Ok(log) => log.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        File::open(&self.path)?.sync_all()?;
        File::open(self.path.join(".."))?.sync_all()
    }
}

/// The database's name within the data directory.
pub(super) const DATABASE: &str = "chatrang.db";

/// The name of the file that the holder locks.
const LOCK: &str = "lock";

/// Where the write-ahead log of a data directory's database lies, if there is one.
pub(super) fn log_in(dir: &Path) -> PathBuf {
    dir.join(format!("{DATABASE}-wal"))
}

/// Whether there is a write-ahead log in a directory, and no database to it.
fn has_log_alone(dir: &Path) -> io::Result<bool> {
    let length = |path: &Path| match path.metadata() {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    };
    Ok(length(&dir.join(DATABASE))? == 0 && length(&log_in(dir))? > 0)
}

/// Whether a server holds a data directory at this moment. A look, and no hold: none is kept out by it.
pub(super) fn is_held(dir: &Path) -> io::Result<bool> {
    let lock = match File::open(dir.join(LOCK)) {
        Ok(lock) => lock,
        // As in a directory into which a backup has just been put.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The database of a data directory on which a server has been started before.
pub(super) fn existing_database(dir: &Path) -> Result<PathBuf, OpenError> {
    if has_log_alone(dir).map_err(|source| OpenError::Directory { dir: dir.to_owned(), source })? {
        return Err(OpenError::LogAlone { dir: dir.to_owned() });
    }
    let path = dir.join(DATABASE);
    // A server that was killed in its first moment leaves an empty file.
    match path.metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 => return Ok(path),
        Ok(_) => {}
        Err(source) if source.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(OpenError::Directory { dir: dir.to_owned(), source }),
    }
    let source = io::Error::new(io::ErrorKind::NotFound, "no server has been started on it yet");
    Err(OpenError::Directory { dir: dir.to_owned(), source })
}

fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens or makes a file that only its owner may read.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The process id in the lock file, written by whoever locked it.
fn holder(lock: &mut File) -> Option<u32> {
    let mut text = String::new();
    lock.rewind().ok()?;
    lock.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_directory_has_one_holder_who_is_named() {
        let scratch = Scratch::new();
        let path = scratch.path().join("new").join("data");
        let held = DataDir::open(&path).unwrap();
        let Err(DataDirError::Held { holder }) = DataDir::open(&path) else { panic!("locked twice") };
        assert_eq!(holder, Some(std::process::id()));
        assert!(is_held(&path).unwrap());
        drop(held);
        assert!(!is_held(&path).unwrap());
        DataDir::open(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_we_make_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new();
        let path = scratch.path().join("data");
        let database = DataDir::open(&path).unwrap().database().unwrap();
        for (path, mode) in [(path.clone(), 0o700), (database, 0o600), (path.join("lock"), 0o600)] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
        }
    }
}
