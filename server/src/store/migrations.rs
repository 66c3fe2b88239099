//! What the database looks like, and which versions of it this build opens.
//!
//! Until 0.1.0 there is exactly one version: a data directory of another one is refused. From then on
//! each older version gets a step here that leads to the next.

use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours: "chtr" as a big-endian number.
pub(super) const APPLICATION_ID: i32 = 0x6368_7472;

/// The version of the schema below. Change both together.
pub(super) const VERSION: i32 = 3;

/// The journal is append-only by rowid and has no other index: an index by game would cost ten times
/// as much under load. Whatever must find a game's rows knows their rowids (`heads.rs`).
const SCHEMA: &str = "
CREATE TABLE journal (
    rowid INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    at INTEGER NOT NULL,
    payload BLOB NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat VALUES (1, 0);

CREATE TABLE games (
    game INTEGER PRIMARY KEY,
    created_at INTEGER NOT NULL,
    created_unix_ms INTEGER NOT NULL,
    white INTEGER NOT NULL,
    black INTEGER NOT NULL,
    terms TEXT NOT NULL,
    result TEXT,
    packed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX games_in_journal ON games (game) WHERE packed = 0;
CREATE INDEX games_of_white ON games (white, game);
CREATE INDEX games_of_black ON games (black, game);

CREATE TABLE archive (
    game INTEGER PRIMARY KEY,
    rows BLOB NOT NULL
) STRICT;

CREATE TABLE accounts (
    account INTEGER PRIMARY KEY,
    handle TEXT NOT NULL,
    handle_folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    created_unix_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_by_role ON accounts (role) WHERE role IN ('owner', 'arbiter');

CREATE TABLE keys (
    spki BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    added_unix_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE invites (
    code TEXT PRIMARY KEY,
    by_account INTEGER REFERENCES accounts,
    role TEXT NOT NULL,
    uses_left INTEGER NOT NULL,
    expires_unix_ms INTEGER NOT NULL,
    challenge BLOB,
    -- The account that has registered with an invite to play: nobody else may use it.
    reserved_for INTEGER REFERENCES accounts
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_of_account ON invites (by_account);
CREATE INDEX invites_by_expiry ON invites (expires_unix_ms);

CREATE TABLE blocks (
    by_account INTEGER NOT NULL REFERENCES accounts,
    blocked INTEGER NOT NULL REFERENCES accounts,
    PRIMARY KEY (by_account, blocked)
) STRICT, WITHOUT ROWID;

-- Written and emptied to learn whether a full disk has room again.
CREATE TABLE probe (bytes BLOB NOT NULL) STRICT;
";

/// What keeps a database from being opened.
#[derive(Debug)]
pub(super) enum MigrationError {
    /// A database of some other program.
    Foreign,
    /// Of another version of ours.
    Version { found: i32 },
    /// SQLite says no.
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for MigrationError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Refuses what is not ours before anything is written to it.
pub(super) fn check(connection: &Connection) -> Result<(), MigrationError> {
    let application_id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application_id, found, tables) {
        (0, 0, 0) | (APPLICATION_ID, VERSION, _) => Ok(()),
        (APPLICATION_ID, found, _) => Err(MigrationError::Version { found }),
        _ => Err(MigrationError::Foreign),
    }
}

/// Makes the tables of a fresh database: all of them or, after a crash, none.
pub(super) fn run(connection: &mut Connection) -> Result<(), MigrationError> {
    check(connection)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_database_is_made_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection).unwrap();
        connection.execute("UPDATE heartbeat SET at = 7", []).unwrap();
        run(&mut connection).unwrap();
        let at: i64 = connection.query_row("SELECT at FROM heartbeat", [], |row| row.get(0)).unwrap();
        assert_eq!(at, 7);
    }

    #[test]
    fn other_versions_and_other_programs_are_refused_untouched() {
        for other in [VERSION - 1, VERSION + 1, 99] {
            let mut connection = Connection::open_in_memory().unwrap();
            run(&mut connection).unwrap();
            connection.pragma_update(None, "user_version", other).unwrap();
            assert!(matches!(run(&mut connection), Err(MigrationError::Version { found }) if found == other));
        }
        for foreign in ["CREATE TABLE letters (text)", "PRAGMA application_id = 5", "PRAGMA user_version = 1"]
        {
            let mut connection = Connection::open_in_memory().unwrap();
            connection.execute_batch(foreign).unwrap();
            assert!(matches!(run(&mut connection), Err(MigrationError::Foreign)), "{foreign}");
            let ours = connection.query_row(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'journal'",
                [],
                |row| row.get::<_, i64>(0),
            );
            assert_eq!(ours, Ok(0));
        }
    }
}
