//! All that a data directory holds, for the operator's commands that only read: beside a running server and
//! without one, as it was at one moment, and whatever may be wrong with it.

use super::archive;
use super::connection::connect_to_read;
use super::data_dir::existing_database;
use super::fault::StoreFailure;
use super::games::{self, GameSummary, Packing};
use super::journal::{self, StoredRow};
use super::migrations::{self, MigrationError};
use super::players::{self, Account};
use super::rows::Damage;
use super::{OpenError, refuse_damaged_log_of_nobody};
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::Path;

/// Games that are read at once.
const GAMES_READ_MAX: u32 = 256;

/// A data directory as it was when the ledger was opened.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    /// By game, where its rows lie in the journal.
    rowids: HashMap<GameId, Vec<i64>>,
    /// Why a server would not start on the write-ahead log, if it would not.
    damaged_log: Option<OpenError>,
}

/// What a game's place in the store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRows {
    /// The rows that are what was written, in order.
    pub sound: Vec<StoredRow>,
    /// The places of those that are not.
    pub damaged: Vec<(Seq, Damage)>,
}

impl Ledger {
    /// Opens the ledger of a data directory that a server has made. It writes nothing.
    ///
    /// # Errors
    /// [`OpenError`] says why there is none to read.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        let path = existing_database(dir)?;
        let damaged_log = match refuse_damaged_log_of_nobody(dir, &path) {
            Err(damaged @ OpenError::DamagedLog { .. }) => Some(damaged),
            examined => examined.map(|()| None)?,
        };
        let open = || -> Result<Self, MigrationError> {
            let connection = connect_to_read(&path)?;
            migrations::check(&connection)?;
            // Ends with the connection: all that is read is of one moment, whatever a server writes.
            connection.execute_batch("BEGIN")?;
            let rowids = journal::rowids(&connection)?;
            Ok(Self { connection, rowids, damaged_log })
        };
        open().map_err(|error| OpenError::of(error, &path))
    }

    /// What is wrong with the write-ahead log, what SQLite finds wrong with the file itself, and accounts that
    /// are named and missing.
    ///
    /// # Errors
    /// [`StoreFailure`] when it cannot even look.
    pub fn faults_of_the_file(&self) -> Result<Vec<String>, StoreFailure> {
        let mut faults: Vec<_> = self.damaged_log.iter().map(ToString::to_string).collect();
        faults.extend(self.read(|connection| integrity(connection, "integrity_check"))?);
        faults.extend(self.read(|connection| {
            let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
            let fault = |row: &rusqlite::Row<'_>| {
                let (table, other): (String, String) = (row.get(0)?, row.get(2)?);
                Ok(format!("a row of {table} names one of {other} that is missing"))
            };
            statement.query_map([], fault)?.collect::<rusqlite::Result<Vec<_>>>()
        })?);
        Ok(faults)
    }

    /// What is wrong with the write-ahead log, so that what was behind that is missing; for when all is read.
    pub fn into_damage_of_the_log(self) -> Option<OpenError> {
        self.damaged_log
    }

    /// The games that come after one, a bounded number of them, by number; none at the end.
    ///
    /// # Errors
    /// [`StoreFailure`] when they cannot be read.
    pub fn games_after(&self, after: Option<GameId>) -> Result<Vec<GameSummary>, StoreFailure> {
        self.read(|connection| games::after(connection, after, GAMES_READ_MAX))
    }

    /// The rows of a game, wherever they lie.
    ///
    /// # Errors
    /// [`StoreFailure`] when they cannot be read; that some are damaged is no error.
    pub fn rows(&self, game: GameId) -> Result<GameRows, StoreFailure> {
        self.read(|connection| match games::packing(connection, game)? {
            Some(Packing::Packed) => packed_rows(connection, game),
            _ => journal_rows(connection, game, self.rowids.get(&game).map_or(&[], Vec::as_slice)),
        })
    }

    /// Games that rows say they are of, and that are in no index.
    ///
    /// # Errors
    /// [`StoreFailure`] when the index cannot be read.
    pub fn strays(&self) -> Result<Vec<GameId>, StoreFailure> {
        let mut strays = Vec::new();
        for &game in self.rowids.keys() {
            if self.read(|connection| games::summary(connection, game))?.is_none() {
                strays.push(game);
            }
        }
        strays.sort_unstable();
        Ok(strays)
    }

    /// All accounts, by number.
    ///
    /// # Errors
    /// [`StoreFailure`] when they cannot be read.
    pub fn accounts(&self) -> Result<HashMap<AccountId, Account>, StoreFailure> {
        let accounts = self.read(players::all)?;
        Ok(accounts.into_iter().map(|account| (account.id, account)).collect())
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreFailure> {
        work(&self.connection).map_err(|error| StoreFailure::of(&error))
    }
}

/// The complaints of one of SQLite's checks; none when all is well.
pub(super) fn integrity(connection: &Connection, check: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("PRAGMA {check}(100)"))?;
    let lines: rusqlite::Result<Vec<String>> = statement.query_map([], |row| row.get(0))?.collect();
    Ok(lines?.into_iter().filter(|line| line != "ok").collect())
}

fn packed_rows(connection: &Connection, game: GameId) -> rusqlite::Result<GameRows> {
    Ok(match archive::read(connection, game)? {
        Some(Ok(sound)) => GameRows { sound, damaged: Vec::new() },
        Some(Err(archive::DamagedAt(seq))) => {
            GameRows { sound: Vec::new(), damaged: vec![(seq, Damage::Checksum)] }
        }
        None => GameRows { sound: Vec::new(), damaged: vec![(Seq(0), Damage::Missing)] },
    })
}

fn journal_rows(connection: &Connection, game: GameId, rowids: &[i64]) -> rusqlite::Result<GameRows> {
    let mut rows = GameRows::default();
    let mut next = Seq(0);
    for &rowid in rowids {
        let Some(found) = journal::row_at(connection, rowid)? else {
            rows.damaged.push((next, Damage::Missing));
            continue;
        };
        let is_sound = found.is_sound() && found.game == game;
        // What a damaged row says of its own place is believed as far as the game has rows.
        let last = next.0.saturating_add(rowids.len() as u64);
        let seq = if is_sound || (next.0..last).contains(&found.row.seq.0) { found.row.seq } else { next };
        if seq != next {
            rows.damaged.push((next, Damage::Missing));
        }
        next = seq.next();
        if is_sound {
            rows.sound.push(found.row);
        } else {
            rows.damaged.push((seq, Damage::Checksum));
        }
    }
    if rowids.is_empty() {
        rows.damaged.push((next, Damage::Missing));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::store::{EventKind, JournalRow, NewGame, Phase, Store, StoreOptions};
    use crate::timeline::ServerInstant;

    fn row(game: u64, seq: u64, phase: Phase) -> JournalRow {
        let (game, seq) = (GameId(game), Seq(seq));
        JournalRow {
            game,
            seq,
            ply: 0,
            kind: EventKind(0),
            phase,
            at: ServerInstant(seq.0),
            payload: vec![7; 9],
        }
    }

    fn begins() -> Phase {
        let (white, black) = (AccountId(1), AccountId(2));
        Phase::Begins(NewGame { created_unix_ms: 0, white, black, terms: String::new() })
    }

    #[tokio::test]
    async fn a_ledger_shows_one_moment_of_a_server_that_runs_and_writes_nothing() {
        let scratch = Scratch::new();
        assert!(matches!(Ledger::open(scratch.path()), Err(OpenError::Directory { .. })));
        let store = Store::open(scratch.path(), StoreOptions::default()).unwrap();
        store.append(vec![row(1, 0, begins()), row(1, 1, Phase::Continues)]).await.unwrap();
        let ledger = Ledger::open(scratch.path()).unwrap();
        store.append(vec![row(1, 2, Phase::Continues), row(2, 0, begins())]).await.unwrap();
        let games: Vec<_> = ledger.games_after(None).unwrap().iter().map(|game| game.game).collect();
        assert_eq!(games, [GameId(1)]);
        assert!(ledger.games_after(Some(GameId(1))).unwrap().is_empty());
        let rows = ledger.rows(GameId(1)).unwrap();
        assert_eq!((rows.sound.len(), rows.damaged.len()), (2, 0));
        assert_eq!(ledger.faults_of_the_file().unwrap(), Vec::<String>::new());
        drop(ledger);
        store.close().await;
        // The last one to close leaves one file, as if nobody had looked.
        let ledger = Ledger::open(scratch.path()).unwrap();
        assert_eq!(ledger.games_after(None).unwrap().len(), 2);
    }

    #[tokio::test]
    async fn every_damaged_row_is_named_and_the_others_are_read() {
        let scratch = Scratch::new();
        let store = Store::open(scratch.path(), StoreOptions::default()).unwrap();
        let rows = (1..6).map(|seq| row(1, seq, Phase::Continues));
        store.append(std::iter::once(row(1, 0, begins())).chain(rows).collect()).await.unwrap();
        store.close().await;
        let database = Connection::open(scratch.path().join("chatrang.db")).unwrap();
        database.execute("UPDATE journal SET payload = x'00' WHERE seq = 2", []).unwrap();
        database.execute("DELETE FROM journal WHERE seq = 4", []).unwrap();
        database.execute("INSERT INTO journal VALUES (99, 7, 0, 0, 0, 0, x'', 0)", []).unwrap();
        let ledger = Ledger::open(scratch.path()).unwrap();
        let rows = ledger.rows(GameId(1)).unwrap();
        assert_eq!(rows.damaged, [(Seq(2), Damage::Checksum), (Seq(4), Damage::Missing)]);
        assert_eq!(rows.sound.iter().map(|row| row.seq.0).collect::<Vec<_>>(), [0, 1, 3, 5]);
        assert_eq!(ledger.strays().unwrap(), [GameId(7)]);
    }
}
