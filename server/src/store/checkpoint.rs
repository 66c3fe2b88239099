//! Checkpoints, off the way of an acknowledgement: a thread with a connection of its own moves what
//! is committed from the write-ahead log into the database.

use super::connection::connect;
use super::counters::Counters;
use super::fault::{Health, Pulse, StoreFailure};
use rusqlite::Connection;
use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often the thread looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Commits after which it copies at the next look; with fewer it waits for `QUIET_LOOKS` of them.
const COMMITS_MAX: u64 = 1_000;
const QUIET_LOOKS: u32 = 50;

/// How long a server makes the log before play begins, in bytes. What lies within is written over, which costs a disk one
/// flush; what makes a file longer costs it its length, its map and its free blocks as well: here a flush of
/// 0.1 ms became one of 3 to 7 ms.
pub const LOG_BYTES_READY: u64 = 8 * 1024 * 1024;

/// When there is so much in the log the writer copies the rest itself, to begin at the log's start again before
/// it grows: a millisecond or two in which nobody is answered, once in some 6,000 commits.
const LOG_BYTES_USUAL: u64 = LOG_BYTES_READY / 4 * 3;

/// A log that a long reading has made longer is cut back to this when it begins again.
pub(super) const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What a page takes in the log beside itself.
const FRAME_HEADER_BYTES: u64 = 24;

/// The thread; ends when dropped.
#[derive(Debug)]
pub(super) struct Checkpointer {
    /// Whether all is copied but the last few pages, and the log is long.
    rest_is_left: Arc<AtomicBool>,
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(super) fn start(database: &Path, counters: Arc<Counters>, pulse: Arc<Pulse>) -> io::Result<Self> {
        let connection = connect(database).map_err(io::Error::other)?;
        let rest_is_left = Arc::new(AtomicBool::new(false));
        let (stop, stopped) = channel();
        let page_bytes = page_bytes(&connection).map_err(io::Error::other)?;
        let work = Work { connection, page_bytes, counters, pulse, rest_is_left: rest_is_left.clone() };
        let thread =
            std::thread::Builder::new().name("store-checkpoint".into()).spawn(|| work.run(stopped))?;
        Ok(Self { rest_is_left, stop: Some(stop), thread: Some(thread) })
    }

    /// Whether the writer, between two commits, is to copy what is left: told once.
    ///
    /// Only a log of which everything is copied begins again, and under load there is a new commit by the time
    /// the last one is copied, unless the writer does it.
    pub(super) fn leaves_the_rest(&self) -> bool {
        self.rest_is_left.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic in there has nothing to say that the log did not say; no move depends on it.
            let _ = thread.join();
        }
    }
}

struct Work {
    connection: Connection,
    page_bytes: u64,
    counters: Arc<Counters>,
    pulse: Arc<Pulse>,
    rest_is_left: Arc<AtomicBool>,
}

impl Work {
    #[expect(clippy::needless_pass_by_value, reason = "the channel ends with the thread")]
    fn run(self, stopped: Receiver<()>) {
        let (mut copied, mut looks) = (0, 0);
        while stopped.recv_timeout(LOOK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            looks += 1;
            let commits = self.counters.read().commits;
            let waiting = commits - copied;
            if waiting >= COMMITS_MAX || (waiting > 0 && looks >= QUIET_LOOKS) {
                self.copy();
                (copied, looks) = (commits, 0);
            }
        }
    }

    fn copy(&self) {
        let pages = copy_log(&self.connection, &self.pulse);
        if pages * (self.page_bytes + FRAME_HEADER_BYTES) >= LOG_BYTES_USUAL {
            self.rest_is_left.store(true, Ordering::Relaxed);
        }
    }
}

fn page_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    connection.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0)).map(u64::from)
}

/// Copies the log into the database, and returns how many pages the log holds. Readers and writers in the way
/// make it copy less, which is no error: the next one copies the rest.
pub(super) fn copy_log(connection: &Connection, pulse: &Pulse) -> u64 {
    match checkpoint(connection, "PASSIVE").map_err(|error| StoreFailure::of(&error)) {
        Ok(pages) => return pages,
        Err(StoreFailure::Fatal(why)) => pulse.set(Health::Failed(why)),
        // What could not be copied is safe in the log, and is tried again.
        Err(failure) => tracing::warn!(%failure, "a checkpoint has to wait"),
    }
    0
}

/// Copies all of the log and cuts it to nothing, for whoever is alone with the database.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    checkpoint(connection, "TRUNCATE").map(|_| ())
}

/// The pages in the log, copied or not.
fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<u64> {
    connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
        // -1 for a database without a log.
        Ok(row.get::<_, i64>(1)?.try_into().unwrap_or_default())
    })
}

/// Makes the log of a database, which nobody writes to yet, as long as it will usually be.
///
/// SQLite takes a log to end where its checksums do, so zeros behind that change nothing.
///
/// # Errors
/// The system's, a full disk's among them: then the log grows when it must, as it would have.
pub(super) fn lengthen_log(database: &Path, bytes: u64) -> io::Result<()> {
    let mut file = match OpenOptions::new().write(true).open(log_of(database)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let before = file.seek(SeekFrom::End(0))?;
    let missing = usize::try_from(bytes.saturating_sub(before)).map_err(io::Error::other)?;
    if missing == 0 {
        return Ok(());
    }
    let lengthened = file.write_all(&vec![0; missing]).and_then(|()| file.sync_all());
    if lengthened.is_err() {
        // The room is left to what is needed more.
        file.set_len(before)?;
    }
    lengthened
}

fn log_of(database: &Path) -> PathBuf {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::store::log::{DamagedAt, examine};

    fn database(dir: &Scratch) -> (PathBuf, Connection) {
        let path = dir.path().join("some.db");
        std::fs::write(&path, "").unwrap();
        let writer = connect(&path).unwrap();
        writer
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes BLOB)",
            )
            .unwrap();
        (path, writer)
    }

    fn insert(writer: &Connection, bytes: u64) {
        writer.execute("INSERT INTO t VALUES (zeroblob(?))", [bytes.cast_signed()]).unwrap();
    }

    fn bytes(path: &Path) -> u64 {
        path.metadata().unwrap().len()
    }

    #[test]
    fn the_writer_is_asked_for_the_rest_of_a_long_log_and_then_writes_it_from_its_start_again() {
        let dir = Scratch::new();
        let (path, writer) = database(&dir);
        let rest_is_left = Arc::new(AtomicBool::new(false));
        let work = Work {
            connection: connect(&path).unwrap(),
            page_bytes: page_bytes(&writer).unwrap(),
            counters: Arc::default(),
            pulse: Arc::new(Pulse::new()),
            rest_is_left: rest_is_left.clone(),
        };
        let asked = || rest_is_left.swap(false, Ordering::Relaxed);
        insert(&writer, 50_000);
        assert!(bytes(&path) < 50_000, "nothing copies before its time");
        work.copy();
        assert!(bytes(&path) > 50_000);
        assert!(!asked(), "a short log grows on");

        let mut longest = 0;
        for _ in 0..4 {
            insert(&writer, LOG_BYTES_USUAL);
            work.copy();
            assert!(asked());
            // Meanwhile the game goes on.
            insert(&writer, 50_000);
            copy_log(&writer, &work.pulse);
            longest = longest.max(bytes(&log_of(&path)));
        }
        assert!(longest < 2 * LOG_BYTES_USUAL, "{longest}");
        assert_eq!(work.pulse.health(), Health::Healthy);
    }

    #[test]
    fn a_lengthened_log_loses_nothing_and_a_crash_finds_its_end() {
        let dir = Scratch::new();
        let (path, writer) = database(&dir);
        insert(&writer, 1);
        lengthen_log(&path, LOG_BYTES_READY).unwrap();
        assert_eq!(bytes(&log_of(&path)), LOG_BYTES_READY);
        insert(&writer, 2);
        assert_eq!(bytes(&log_of(&path)), LOG_BYTES_READY, "what is there already is written over");

        let crashed = dir.path().join("crashed.db");
        std::fs::copy(&path, &crashed).unwrap();
        std::fs::copy(log_of(&path), log_of(&crashed)).unwrap();
        assert_eq!(examine(&log_of(&crashed)).unwrap(), None);
        let again = connect(&crashed).unwrap();
        let rows: u32 = again.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 2);
    }

    #[test]
    fn a_log_that_was_made_long_and_never_written_is_whole_and_one_that_has_lost_its_beginning_is_not() {
        let dir = Scratch::new();
        let log = dir.path().join("some.db-wal");
        std::fs::write(&log, vec![0; 200_000]).unwrap();
        assert_eq!(examine(&log).unwrap(), None);
        let mut lost = vec![0; 200_000];
        lost[150_000] = 1;
        std::fs::write(&log, lost).unwrap();
        assert_eq!(examine(&log).unwrap(), Some(DamagedAt { byte: 0 }));
    }

    #[test]
    fn a_database_without_a_log_has_none_to_lengthen() {
        let dir = Scratch::new();
        lengthen_log(&dir.path().join("none.db"), LOG_BYTES_READY).unwrap();
    }
}
