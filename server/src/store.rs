//! What the server must not forget: the journal of every game, the accounts, the invites.
//!
//! SQLite in write-ahead mode with a flush per commit, behind one writer thread. Requests queue up in
//! a bounded channel; the writer takes all that wait, commits them in one transaction and only then
//! answers each of them, so one flush serves everybody (`writer.rs`). Whatever only reads goes to a
//! thread with a connection of its own (`reader.rs`), which sees what is on disk and nothing else:
//! nobody reads what could still be lost, a disk that is full is still read, and no move waits for a
//! reader. Nothing else is on the way of an acknowledgement either: checkpoints have a thread too
//! (`checkpoint.rs`, all but a few pages), finished games are packed in idle moments (`pack.rs`).
//!
//! ```text
//! data_dir migrations log fault where it lies, what it looks like, whether it is whole, what can go wrong
//! connection counters           what every thread connects with, and counts
//! journal games heads           events; the index of games; what the writer knows by heart
//! archive rows                  packed games; all rows of a game, wherever they lie
//! pack checkpoint backup        upkeep
//! writer reader handle          the two threads, and how to ask them
//! by_hand                       the same without threads, for simulations
//! recovery                      what start-up, and whoever opens a game, reads back
//! players invites blocks        accounts, keys, roles; codes; who has nothing to do with whom
//! relink                        a new key for an account
//! operator ledger               accounts, and all that is kept, from the command line
//! ```

mod archive;
mod backup;
mod blocks;
mod by_hand;
mod checkpoint;
mod connection;
mod counters;
mod data_dir;
mod fault;
mod games;
mod handle;
mod heads;
mod invites;
mod journal;
mod ledger;
mod log;
mod migrations;
mod operator;
mod pack;
mod players;
mod reader;
mod recovery;
mod relink;
mod rows;
mod writer;

pub use archive::{DamagedAt, pack_rows, unpack_rows};
pub use backup::{BackupError, backup};
pub use blocks::{Block, BlockError};
pub use by_hand::{Hand, Made, Taken};
pub use checkpoint::LOG_BYTES_READY;
pub use connection::PAGE_BYTES;
pub use counters::{Counters, StoreCounters};
pub use fault::{Health, StoreFailure};
pub use games::GameSummary;
pub use handle::{REQUESTS_MAX, Store};
pub use invites::{CreateInviteError, InviteError, NewInvite, StoredInvite};
pub use journal::{EventKind, JournalRow, NewGame, Phase, StoredRow};
pub use ledger::{GameRows, Ledger};
pub use operator::AccountBook;
pub use players::{
    Account, Arbiters, NO_SUCH_ACCOUNT, RegisterError, Registration, RegistrationMode, SetRoleError,
};
pub use recovery::{Recovered, StoredGame};
pub use relink::RelinkError;
pub use rows::{Damage, RecoverError};

use chatrang_protocol::ids::{GameId, Seq};
use checkpoint::{LOG_BYTES_MAX, lengthen_log};
use connection::{connect, connect_to_read, limit_pages, size_pages};
use data_dir::{DataDir, DataDirError};
use heads::Heads;
use migrations::MigrationError;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::io;
use std::path::{Path, PathBuf};

/// Settings of a store that an operator has no need to change.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreOptions {
    /// The most pages (of [`PAGE_BYTES`]) that the database may have; SQLite's own bound when `None`. A store
    /// that reaches it is full exactly as on a full disk.
    pub page_count_max: Option<u32>,
    /// How long the write-ahead log is made at the start; [`LOG_BYTES_READY`] for a server that is to be quick.
    pub log_bytes_ready: u64,
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
    /// What was safe on disk has changed, and acknowledged moves lie behind the place.
    #[error(
        "the write-ahead log {} is damaged at byte {byte}, {}: restore a backup, or move the data directory away to \
         start afresh",
        log.display(),
        after.map_or_else(
            || "before any game".to_owned(),
            |(game, seq)| format!("behind event {seq} of game {game}, and more was on disk behind it")
        )
    )]
    DamagedLog {
        /// The log.
        log: PathBuf,
        /// Where the first damaged part of it begins, in bytes from its beginning.
        byte: u64,
        /// The last event before the damage.
        after: Option<(GameId, Seq)>,
    },
    /// The database is gone, and what it had not taken in yet is there.
    #[error(
        "{}/chatrang.db is missing or empty, and its write-ahead log is there: put the database back beside it, \
         restore a backup, or move the data directory away to start afresh",
        dir.display()
    )]
    LogAlone {
        /// The data directory.
        dir: PathBuf,
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

impl OpenError {
    fn of(error: MigrationError, path: &Path) -> Self {
        let path = path.to_owned();
        match error {
            MigrationError::Foreign => Self::Foreign { path },
            MigrationError::Version { found } => Self::Version { path, found, known: migrations::VERSION },
            MigrationError::Sqlite(source) => Self::Database { path, source },
        }
    }
}

impl Store {
    /// Opens the store in `dir`, which is made when it is missing, and starts its threads.
    ///
    /// Blocks while it reads the journal's outline: call it before the runtime has anything to do.
    ///
    /// # Errors
    /// [`OpenError`] says who else holds the directory, or what is wrong with it.
    pub fn open(dir: &Path, options: StoreOptions) -> Result<Self, OpenError> {
        let Opened { connection, heads, held, path } = Opened::at(dir, options)?;
        let unusable = |source| OpenError::Directory { dir: dir.to_owned(), source };
        Self::start(connection, heads, Some((held, path))).map_err(unusable)
    }

    /// The same without threads: all work waits until the [`Hand`]'s owner does it.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn by_hand(dir: &Path, options: StoreOptions) -> Result<(Self, Hand), OpenError> {
        let Opened { connection, heads, held, path } = Opened::at(dir, options)?;
        Self::start_by_hand(connection, heads, held, path.clone())
            .map_err(|source| OpenError::Database { path, source })
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
}

/// A data directory that is held, and its database.
struct Opened {
    connection: Connection,
    heads: Heads,
    held: DataDir,
    path: PathBuf,
}

impl Opened {
    fn at(dir: &Path, options: StoreOptions) -> Result<Self, OpenError> {
        let held = DataDir::open(dir).map_err(|error| match error {
            DataDirError::Held { holder } => OpenError::InUse { dir: dir.to_owned(), holder },
            DataDirError::Io(source) => OpenError::Directory { dir: dir.to_owned(), source },
        })?;
        let unusable = |source| OpenError::Directory { dir: dir.to_owned(), source };
        if held.has_log_alone().map_err(unusable)? {
            return Err(OpenError::LogAlone { dir: dir.to_owned() });
        }
        let path = held.database().map_err(unusable)?;
        refuse_damaged_log(dir, &path)?;
        let (connection, heads) =
            open_database(&path, options).map_err(|error| OpenError::of(error, &path))?;
        held.sync().map_err(unusable)?;
        Ok(Self { connection, heads, held, path })
    }
}

/// Refuses a directory that no server holds, if its log is damaged before its end. Changes nothing.
///
/// Whoever writes to the database, or only closes it like any other, makes of such a log what SQLite can read of
/// it: then the rest is gone, and nobody is told. A log that a server writes to was examined when it started.
fn refuse_damaged_log_of_nobody(dir: &Path, path: &Path) -> Result<(), OpenError> {
    let refused = refuse_damaged_log(dir, path);
    let held =
        data_dir::is_held(dir).map_err(|source| OpenError::Directory { dir: dir.to_owned(), source })?;
    // What was looked at while a server wrote to it says nothing.
    if held { Ok(()) } else { refused }
}

/// Refuses a directory if its log is damaged before its end. Changes nothing.
fn refuse_damaged_log(dir: &Path, path: &Path) -> Result<(), OpenError> {
    let log = data_dir::log_in(dir);
    let examined = log::examine(&log);
    match examined.map_err(|source| OpenError::Directory { dir: dir.to_owned(), source })? {
        Some(log::DamagedAt { byte }) => Err(OpenError::DamagedLog { log, byte, after: last_event(path) }),
        None => Ok(()),
    }
}

/// The last event that can be read, wherever it lies; none when there is none. Changes nothing.
fn last_event(path: &Path) -> Option<(GameId, Seq)> {
    let connection = connect_to_read(path).ok()?;
    // Closed like any other, it would copy what it can read of the log and delete the rest.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).ok()?;
    journal::last(&connection).ok()?
}

/// The writer's connection and what it must know of the journal.
fn open_database(path: &Path, options: StoreOptions) -> Result<(Connection, Heads), MigrationError> {
    let mut connection = connect(path)?;
    migrations::check(&connection)?;
    size_pages(&connection)?;
    // A flush per commit: in this mode NORMAL would acknowledge moves that a power cut takes back.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    migrations::run(&mut connection)?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    // SQLite keeps to it when a log begins again.
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_MAX.cast_signed())?;
    if let Some(pages) = options.page_count_max {
        limit_pages(&connection, pages)?;
    }
    let heads = Heads::load(&connection)?;
    if let Err(error) = lengthen_log(path, options.log_bytes_ready) {
        tracing::warn!(%error, "the write-ahead log could not be made ready: it grows as it must");
    }
    Ok((connection, heads))
}

#[cfg(test)]
mod tests;
