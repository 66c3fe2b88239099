//! The rows of the journal: what an event is to the store, and how damage to one is found.

use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What sort of event a row holds: for whoever reads the journal by other means; opaque to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventKind(pub u8);

/// What a row does to its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first row: the game enters the index.
    Begins(NewGame),
    /// A row in between.
    Continues,
    /// The last row, with the result for the index (`1-0`). The mark is part of the same
    /// transaction, so no crash leaves an ended game that start-up takes for one in play.
    Ends(String),
}

/// What the index of games holds of a game from its beginning on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The date, in milliseconds since 1970.
    pub created_unix_ms: u64,
    /// Who plays White.
    pub white: AccountId,
    /// Who plays Black.
    pub black: AccountId,
    /// What was agreed, for people and lists (`5+3`); opaque to the store.
    pub terms: String,
}

/// One event, to be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalRow {
    /// The game.
    pub game: GameId,
    /// The event's place in it; one more than the last row's.
    pub seq: Seq,
    /// Plies made before the event.
    pub ply: u32,
    /// What sort of event.
    pub kind: EventKind,
    /// First, last, or in between.
    pub phase: Phase,
    /// When it happened.
    pub at: ServerInstant,
    /// The event.
    pub payload: Vec<u8>,
}

/// One event, read back from the journal or from its game's archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// Its place in its game.
    pub seq: Seq,
    /// Plies made before it.
    pub ply: u32,
    /// What sort of event.
    pub kind: EventKind,
    /// When it happened.
    pub at: ServerInstant,
    /// The event.
    pub payload: Vec<u8>,
}

impl StoredRow {
    /// What is stored beside the row, to find damage. It covers the game and the place as well, so a
    /// row that strayed into another game is found too.
    pub(super) fn checksum(&self, game: GameId) -> u32 {
        checksum(game, self.seq, self.ply, self.kind, self.at, &self.payload)
    }
}

fn checksum(game: GameId, seq: Seq, ply: u32, kind: EventKind, at: ServerInstant, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&game.0.to_le_bytes());
    hasher.update(&seq.0.to_le_bytes());
    hasher.update(&ply.to_le_bytes());
    hasher.update(&[kind.0]);
    hasher.update(&at.0.to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

/// Appends a row and returns its rowid.
pub(super) fn insert(connection: &Connection, row: &JournalRow) -> rusqlite::Result<i64> {
    let checksum = checksum(row.game, row.seq, row.ply, row.kind, row.at, &row.payload);
    connection
        .prepare_cached(
            "INSERT INTO journal (game, seq, ply, kind, at, payload, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            row.game.0.cast_signed(),
            row.seq.0.cast_signed(),
            row.ply,
            row.kind.0,
            row.at.0.cast_signed(),
            row.payload,
            checksum
        ])?;
    Ok(connection.last_insert_rowid())
}

/// A row as it lies in the journal, not yet believed.
pub(super) struct Found {
    pub(super) game: GameId,
    pub(super) row: StoredRow,
    checksum: u32,
}

/// The columns that [`Found::read`] reads.
const COLUMNS: &str = "game, seq, ply, kind, at, payload, checksum";

impl Found {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            game: GameId(row.get::<_, i64>(0)?.cast_unsigned()),
            row: StoredRow {
                seq: Seq(row.get::<_, i64>(1)?.cast_unsigned()),
                ply: row.get(2)?,
                kind: EventKind(row.get(3)?),
                at: ServerInstant(row.get::<_, i64>(4)?.cast_unsigned()),
                payload: row.get(5)?,
            },
            checksum: row.get(6)?,
        })
    }

    /// Whether the row is what was written.
    pub(super) fn is_sound(&self) -> bool {
        self.row.checksum(self.game) == self.checksum
    }
}

/// Calls `visit` with every row, in the order in which they were committed, until it breaks off.
pub(super) fn scan<B>(
    connection: &Connection,
    mut visit: impl FnMut(Found) -> ControlFlow<B>,
) -> rusqlite::Result<Option<B>> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM journal ORDER BY rowid"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let ControlFlow::Break(value) = visit(Found::read(row)?) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Where the rows of each game lie, in the order in which they were committed.
pub(super) fn rowids(connection: &Connection) -> rusqlite::Result<HashMap<GameId, Vec<i64>>> {
    let mut rowids: HashMap<GameId, Vec<i64>> = HashMap::new();
    let mut statement = connection.prepare("SELECT rowid, game FROM journal ORDER BY rowid")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let game = GameId(row.get::<_, i64>(1)?.cast_unsigned());
        rowids.entry(game).or_default().push(row.get(0)?);
    }
    Ok(rowids)
}

/// The row at `rowid`, if there is one.
pub(super) fn row_at(connection: &Connection, rowid: i64) -> rusqlite::Result<Option<Found>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM journal WHERE rowid = ?"))?
        .query_row([rowid], Found::read)
        .optional()
}

/// The last event that was committed.
pub(super) fn last(connection: &Connection) -> rusqlite::Result<Option<(GameId, Seq)>> {
    connection
        .prepare("SELECT game, seq FROM journal ORDER BY rowid DESC LIMIT 1")?
        .query_row([], |row| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            Ok((GameId(number(0)?), Seq(number(1)?)))
        })
        .optional()
}

/// The later of the last heartbeat and every `at` that ever left the journal.
pub(super) fn last_heartbeat(connection: &Connection) -> rusqlite::Result<ServerInstant> {
    let at: i64 = connection.query_row("SELECT at FROM heartbeat", [], |row| row.get(0))?;
    Ok(ServerInstant(at.cast_unsigned()))
}

/// Moves the heartbeat forward to `at`, never back.
pub(super) fn beat(connection: &Connection, at: ServerInstant) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE heartbeat SET at = max(at, ?)")?
        .execute([at.0.cast_signed()])
        .map(|_| ())
}
