//! Checkpoints, off the way of an acknowledgement: a thread with a connection of its own moves what
//! is committed from the write-ahead log into the database.

use super::connection::connect;
use super::counters::Counters;
use super::fault::{Health, Pulse, StoreFailure};
use rusqlite::Connection;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often the thread looks.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Commits after which it copies at the next look; with fewer it waits for `QUIET_LOOKS` of them.
const COMMITS_MAX: u64 = 1_000;
const QUIET_LOOKS: u32 = 10;

/// A log of this size is emptied even though that makes the writer wait for the rest of the copy: a
/// writer that never pauses would let it grow for ever.
const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The thread; ends when dropped.
#[derive(Debug)]
pub(super) struct Checkpointer {
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(super) fn start(database: &Path, counters: Arc<Counters>, pulse: Arc<Pulse>) -> io::Result<Self> {
        let connection = connect(database).map_err(io::Error::other)?;
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let (stop, stopped) = channel();
        let work = Work { connection, log: PathBuf::from(log), counters, pulse };
        let thread =
            std::thread::Builder::new().name("store-checkpoint".into()).spawn(|| work.run(stopped))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
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
    log: PathBuf,
    counters: Arc<Counters>,
    pulse: Arc<Pulse>,
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
        let outcome = checkpoint(&self.connection, "PASSIVE").and_then(|()| {
            let bytes = self.log.metadata().map_or(0, |log| log.len());
            if bytes > LOG_BYTES_MAX { checkpoint(&self.connection, "TRUNCATE") } else { Ok(()) }
        });
        match outcome.map_err(|error| StoreFailure::of(&error)) {
            Ok(()) => {}
            Err(StoreFailure::Fatal(why)) => self.pulse.set(Health::Failed(why)),
            // What could not be copied is safe in the log, and is tried again.
            Err(failure) => tracing::warn!(%failure, "a checkpoint has to wait"),
        }
    }
}

/// Copies the log into the database. Readers and writers in the way make it copy less, which is no
/// error: the next one copies the rest.
pub(super) fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<()> {
    connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_copy_moves_what_is_committed_and_a_log_that_is_too_long_is_emptied() {
        let dir = Scratch::new();
        let path = dir.path().join("some.db");
        std::fs::write(&path, "").unwrap();
        let writer = connect(&path).unwrap();
        writer
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes BLOB)",
            )
            .unwrap();
        let work = Work {
            connection: connect(&path).unwrap(),
            log: dir.path().join("some.db-wal"),
            counters: Arc::default(),
            pulse: Arc::new(Pulse::new()),
        };
        let bytes = |path: &Path| path.metadata().unwrap().len();
        let insert =
            |length: u64| writer.execute("INSERT INTO t VALUES (zeroblob(?))", [length.cast_signed()]);
        insert(50_000).unwrap();
        assert!(bytes(&path) < 50_000, "nothing copies before its time");
        work.copy();
        assert!(bytes(&path) > 50_000);
        assert!(bytes(&work.log) > 50_000, "a log is written from its start again, not cut");
        insert(LOG_BYTES_MAX).unwrap();
        work.copy();
        assert_eq!(bytes(&work.log), 0);
        assert_eq!(work.pulse.health(), Health::Healthy);
    }
}
