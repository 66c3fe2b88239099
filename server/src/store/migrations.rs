//! What the database looks like, and which versions of it this build opens.
//!
//! Each version since 3 has a step here that leads to the next; an older one is refused.

use super::players;
use rusqlite::{Connection, TransactionBehavior, params};

/// Marks the file as ours: "chtr" as a big-endian number.
pub(super) const APPLICATION_ID: i32 = 0x6368_7472;

/// The version of the schema below. Change both together.
pub(super) const VERSION: i32 = 4;

/// The oldest version that this build still brings up to date.
const VERSION_MIN: i32 = 3;

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
    -- What the name looks like. Not unique: an older version has let look-alikes in, and they stay.
    handle_skeleton TEXT NOT NULL,
    role TEXT NOT NULL,
    created_unix_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_by_look ON accounts (handle_skeleton);
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
        (0, 0, 0) | (APPLICATION_ID, VERSION_MIN..=VERSION, _) => Ok(()),
        (APPLICATION_ID, found, _) => Err(MigrationError::Version { found }),
        _ => Err(MigrationError::Foreign),
    }
}

/// Makes the tables of a fresh database, and brings an older one up to date: all of it or, after a crash,
/// nothing.
pub(super) fn run(connection: &mut Connection) -> Result<(), MigrationError> {
    check(connection)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    } else if found == 3 {
        from_3_to_4(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// Accounts learn what their names look like.
fn from_3_to_4(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "ALTER TABLE accounts ADD COLUMN handle_skeleton TEXT NOT NULL DEFAULT '';
         CREATE INDEX accounts_by_look ON accounts (handle_skeleton);",
    )?;
    let mut update = connection.prepare("UPDATE accounts SET handle_skeleton = ? WHERE account = ?")?;
    for account in players::all(connection)? {
        update.execute(params![account.handle.skeleton().as_str(), account.id.0.cast_signed()])?;
    }
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

    /// A database as version 3 made it, with two players whom version 4 would not let in beside each other.
    fn of_version_3() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection).unwrap();
        connection
            .execute_batch(
                "DROP INDEX accounts_by_look;
                 ALTER TABLE accounts DROP COLUMN handle_skeleton;
                 INSERT INTO accounts (handle, handle_folded, role, created_unix_ms) VALUES
                     ('Alice', 'alice', 'player', 1), ('A1ice', 'a1ice', 'player', 2);
                 PRAGMA user_version = 3;",
            )
            .unwrap();
        connection
    }

    #[test]
    fn look_alikes_of_version_3_stay_and_no_third_comes() {
        let mut connection = of_version_3();
        run(&mut connection).unwrap();
        let skeletons: Vec<String> = connection
            .prepare("SELECT handle_skeleton FROM accounts ORDER BY account")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(skeletons, ["allce", "allce"]);
        let names: Vec<_> = players::all(&connection)
            .unwrap()
            .into_iter()
            .map(|account| account.handle.to_string())
            .collect();
        assert_eq!(names, ["Alice", "A1ice"]);
        let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, VERSION);
    }

    #[test]
    fn other_versions_and_other_programs_are_refused_untouched() {
        for other in [VERSION_MIN - 1, VERSION + 1, 99] {
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
