//! Connections to the database, and what each must be told.

use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// What a commit writes at the least, and a flush waits for: one page, that of the journal's last row. With SQLite's
/// usual 4 KiB it lies across two of the file system's and the way to the disk and back takes a quarter longer
/// (160 against 125 us here); with 512 bytes nothing more is gained.
pub const PAGE_BYTES: u32 = 1_024;

/// How long SQLite waits for another connection: a checkpoint of ours, or an operator's tool.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to a database that exists, set to flush at every commit.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// A connection to a database that exists, which cannot write to it.
pub(super) fn connect_to_read(path: &Path) -> rusqlite::Result<Connection> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn open(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Sets the size of a new database's pages; one that has pages keeps theirs.
pub(super) fn size_pages(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "page_size", PAGE_BYTES)
}

/// The most [pages](PAGE_BYTES) that a connection may make the database have.
pub(super) fn limit_pages(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0)).map(|_| ())
}
