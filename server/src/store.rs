//! What the server must not forget: the journal of every game, the accounts, the invites.
//!
//! SQLite in write-ahead mode with a flush per commit, behind one writer thread. Requests queue up in
//! a bounded channel; the writer takes all that wait, commits them in one transaction and only then
//! answers each of them, so one flush serves everybody (`writer.rs`). Reads are answered by the same
//! thread after the commit: nobody reads what could still be lost, and a disk that is full is still
//! read. Everything else is off the way of an acknowledgement: checkpoints have a thread of their
//! own (`checkpoint.rs`), finished games are packed in idle moments (`pack.rs`).
//!
//! ```text
//! data_dir migrations fault     where it lies, what it looks like, what can go wrong
//! journal games heads archive   rows; the index of games; what the writer knows by heart; packed games
//! recovery                      what start-up reads back
//! pack checkpoint writer        upkeep; the thread
//! players invites               accounts, keys, roles; codes
//! ```

mod archive;
mod checkpoint;
mod data_dir;
mod fault;
mod games;
mod heads;
mod invites;
mod journal;
mod migrations;
mod pack;
mod players;
mod recovery;
mod writer;

pub use fault::{Health, StoreFailure};
pub use games::GameSummary;
pub use invites::{CreateInviteError, InviteError, NewInvite, StoredInvite};
pub use journal::{EventKind, JournalRow, NewGame, Phase, StoredRow};
pub use players::{Account, RegisterError, Registration, SetRoleError};
pub use recovery::{Damage, RecoverError, Recovered, StoredGame};
pub use writer::StoreCounters;

use crate::timeline::ServerInstant;
use data_dir::{DataDir, DataDirError};
use heads::Heads;
use migrations::MigrationError;
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use writer::{Append, Beat, Counters, Job, Request, Writer};

/// Requests that may wait for the writer. A game has at most one batch uncommitted, so this is also
/// about how many games may write at the same moment; the next request is answered `Busy`.
pub const REQUESTS_MAX: usize = 16 * 1024;

/// How long SQLite waits for another connection: a checkpoint of ours, or an operator's tool.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings of a store that an operator has no need to change.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreOptions {
    /// The most pages (of 4 KiB) that the database may have; SQLite's own bound when `None`. A store
    /// that reaches it is full exactly as on a full disk.
    pub page_count_max: Option<u32>,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server runs on this data directory.
    #[error(
        "the data directory {} is in use by {}: stop that server, or give this one another directory with --data",
        dir.display(), holder.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"))
    )]
    InUse {
        /// The data directory.
        dir: PathBuf,
        /// The id of the process that holds it, when it could be read.
        holder: Option<u32>,
    },
    /// The file system refuses.
    #[error("the data directory {} cannot be used: {source}", dir.display())]
    Directory {
        /// The data directory.
        dir: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// There is a database, and it is no Chatrang server's.
    #[error("{} is no database of a Chatrang server: choose another data directory with --data", path.display())]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// A database of another version of this program.
    #[error(
        "{} was made by {} chatrangd (data version {found}, this one reads {known}): start that one, or choose \
         another data directory with --data",
        path.display(), if found > known { "a newer" } else { "an older" }
    )]
    Version {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// The version that this build reads.
        known: i32,
    },
    /// SQLite refuses.
    #[error("the database {} cannot be opened: {source}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

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

/// A handle to the store: cheap to clone, the same store behind all clones.
///
/// [`Store::close`] it before its data directory is opened again.
#[derive(Clone, Debug)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    requests: SyncSender<Request>,
    health: watch::Receiver<Health>,
    counters: Arc<Counters>,
    /// Where the database lies; `None` in memory.
    path: Option<PathBuf>,
    /// Taken by whoever closes the store.
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the store in `dir`, which is made when it is missing, and starts its threads.
    ///
    /// Blocks while it reads the journal's outline: call it before the runtime has anything to do.
    ///
    /// # Errors
    /// [`OpenError`] says who else holds the directory, or what is wrong with it.
    pub fn open(dir: &Path, options: StoreOptions) -> Result<Self, OpenError> {
        let held = DataDir::open(dir).map_err(|error| match error {
            DataDirError::Held { holder } => OpenError::InUse { dir: dir.to_owned(), holder },
            DataDirError::Io(source) => OpenError::Directory { dir: dir.to_owned(), source },
        })?;
        let unusable = |source| OpenError::Directory { dir: dir.to_owned(), source };
        let path = held.database().map_err(unusable)?;
        let (connection, heads) = open_database(&path, options).map_err(|error| match error {
            MigrationError::Foreign => OpenError::Foreign { path: path.clone() },
            MigrationError::Version { found } => {
                OpenError::Version { path: path.clone(), found, known: migrations::VERSION }
            }
            MigrationError::Sqlite(source) => OpenError::Database { path: path.clone(), source },
        })?;
        held.sync().map_err(unusable)?;
        Self::start(connection, heads, Some((held, path))).map_err(unusable)
    }

    /// A store that lives as long as its handles: for tests.
    ///
    /// # Errors
    /// [`OpenError::Database`] when SQLite has no memory.
    pub fn open_in_memory() -> Result<Self, OpenError> {
        let path = PathBuf::from(":memory:");
        let open = || -> Result<_, MigrationError> {
            let mut connection = Connection::open_in_memory()?;
            migrations::run(&mut connection)?;
            Ok((connection, Heads::default()))
        };
        match open() {
            Ok((connection, heads)) => Self::start(connection, heads, None)
                .map_err(|source| OpenError::Directory { dir: path, source }),
            Err(MigrationError::Sqlite(source)) => Err(OpenError::Database { path, source }),
            Err(MigrationError::Foreign | MigrationError::Version { .. }) => Err(OpenError::Foreign { path }),
        }
    }

    fn start(connection: Connection, heads: Heads, held: Option<(DataDir, PathBuf)>) -> io::Result<Self> {
        let (requests, queue) = sync_channel(REQUESTS_MAX);
        let path = held.as_ref().map(|(_, path)| path.clone());
        let writer = Writer::new(connection, heads, held, queue)?;
        let (health, counters) = (writer.health(), writer.counters());
        let thread = std::thread::Builder::new().name("store-writer".into()).spawn(|| writer.run())?;
        let writer = Mutex::new(Some(thread));
        Ok(Self { shared: Arc::new(Shared { requests, health, counters, path, writer }) })
    }

    /// Appends events to the journal, all of them or none.
    ///
    /// They are queued by the call itself (the order of calls is the journal's order); the future
    /// resolves when they are on disk. Dropping it does not take them back.
    ///
    /// # Errors
    /// [`StoreFailure`]; none of the rows is kept then.
    pub fn append(
        &self,
        rows: Vec<JournalRow>,
    ) -> impl Future<Output = Result<(), StoreFailure>> + Send + use<> {
        let (answer, committed) = oneshot::channel();
        let queued = self.send(Request::Change(Box::new(Append::new(rows, answer))));
        self.outcome(queued, committed)
    }

    /// Notes that the server lived at `at`, with the next commit; nobody waits for it.
    ///
    /// To be called once a second while any clock runs, and at a clean stop.
    pub fn heartbeat(&self, at: ServerInstant) {
        // A queue that is full, or a store that has stopped, tells so to whoever waits for an answer.
        let _ = self.send(Request::Change(Box::new(Beat::new(at))));
    }

    /// Whether the store can write, and every change of that.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.shared.health.clone()
    }

    /// What the writer has done since the store was opened.
    pub fn counters(&self) -> StoreCounters {
        self.shared.counters.read()
    }

    /// Changes [`StoreOptions::page_count_max`] while the store is open.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store has stopped.
    pub async fn set_page_count_max(&self, pages: u32) -> Result<(), StoreFailure> {
        self.query(move |connection, _| limit_pages(connection, pages)).await
    }

    /// Copies the whole database as it is now into the new file `to`, while play goes on.
    ///
    /// The server's keys are files of their own and not part of it.
    ///
    /// # Errors
    /// [`BackupError`]; an existing file is never overwritten.
    pub async fn backup(&self, to: &Path) -> Result<(), BackupError> {
        let from = self.shared.path.clone().ok_or(BackupError::InMemory)?;
        let to = to.to_owned();
        match tokio::task::spawn_blocking(move || copy_database(&from, &to)).await {
            Ok(outcome) => outcome,
            Err(stopped) => std::panic::resume_unwind(stopped.into_panic()),
        }
    }

    /// Writes what is queued, ends the threads and lets go of the data directory.
    ///
    /// Later calls on any handle are answered [`StoreFailure::Stopped`].
    pub async fn close(&self) {
        let thread = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        let requests = self.shared.requests.clone();
        // The queue may be full, so this send may have to wait, and joining does.
        let closing = tokio::task::spawn_blocking(move || {
            // A writer that is gone already has closed.
            let _ = requests.send(Request::Close);
            // A writer that panicked has said so through its health.
            let _ = thread.join();
        });
        let _ = closing.await;
    }

    /// Runs `work` in the next commit's transaction and answers after the commit.
    ///
    /// `work` should look before it writes: what it has written stays when it returns `Ok`. An error
    /// in the data undoes this change alone.
    fn change<T, F>(&self, work: F) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, committed) = oneshot::channel();
        let queued = self.send(Request::Change(Box::new(Job::new(work, answer))));
        self.outcome(queued, committed)
    }

    /// Runs `work`, which only reads, after the next commit.
    fn query<T, F>(&self, work: F) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &Heads) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, done) = oneshot::channel();
        let queued = self.send(Request::Query(Box::new(move |connection, heads| {
            let found = work(connection, heads).map_err(|error| StoreFailure::of(&error));
            let outcome = found.as_ref().map(|_| ()).map_err(Clone::clone);
            // Whoever asked may have gone meanwhile.
            let _ = answer.send(found);
            outcome
        })));
        self.outcome(queued, done)
    }

    fn send(&self, request: Request) -> Result<(), StoreFailure> {
        self.shared.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => StoreFailure::Busy,
            TrySendError::Disconnected(_) => self.gone(),
        })
    }

    /// Waits for the answer to a request, if it was queued.
    fn outcome<T: Send + 'static>(
        &self,
        queued: Result<(), StoreFailure>,
        answer: oneshot::Receiver<Result<T, StoreFailure>>,
    ) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T> {
        let store = self.clone();
        async move {
            queued?;
            answer.await.unwrap_or_else(|_| Err(store.gone()))
        }
    }

    /// Why the writer does not answer.
    fn gone(&self) -> StoreFailure {
        match &*self.shared.health.borrow() {
            Health::Failed(why) => StoreFailure::Fatal(why.clone()),
            Health::Healthy | Health::Full => StoreFailure::Stopped,
        }
    }
}

/// The writer's connection and what it must know of the journal.
fn open_database(path: &Path, options: StoreOptions) -> Result<(Connection, Heads), MigrationError> {
    let mut connection = connect(path)?;
    migrations::check(&connection)?;
    // A flush per commit: in this mode NORMAL would acknowledge moves that a power cut takes back.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    migrations::run(&mut connection)?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    if let Some(pages) = options.page_count_max {
        limit_pages(&connection, pages)?;
    }
    let heads = Heads::load(&connection)?;
    Ok((connection, heads))
}

/// A connection to a database that exists, set to flush at every commit.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn limit_pages(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0)).map(|_| ())
}

fn copy_database(from: &Path, to: &Path) -> Result<(), BackupError> {
    let unmade = |source| BackupError::Target { path: to.to_owned(), source };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(to).map_err(unmade)?;
    let source = connect(from)?;
    let mut target = connect(to)?;
    // All pages in one step: a reader of a write-ahead log sees one moment, and hinders no writer.
    Backup::new(&source, &mut target)?.step(-1)?;
    drop(target);
    file.sync_all().map_err(unmade)
}

#[cfg(test)]
mod tests;
