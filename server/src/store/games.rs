//! The index of games: derived from the journal, so that nobody has to read that to list games.

use super::journal::NewGame;
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// A game as the index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// When it was created, in server time.
    pub created_at: ServerInstant,
    /// The date of that, in milliseconds since 1970.
    pub created_unix_ms: u64,
    /// Who plays White.
    pub white: AccountId,
    /// Who plays Black.
    pub black: AccountId,
    /// What was agreed, as it was written when the game began.
    pub terms: String,
    /// The result as it was written when the game ended; `None` while it is in play.
    pub result: Option<String>,
}

const COLUMNS: &str = "game, created_at, created_unix_ms, white, black, terms, result";

fn read(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    Ok(GameSummary {
        game: GameId(row.get::<_, i64>(0)?.cast_unsigned()),
        created_at: ServerInstant(row.get::<_, i64>(1)?.cast_unsigned()),
        created_unix_ms: row.get::<_, i64>(2)?.cast_unsigned(),
        white: AccountId(row.get::<_, i64>(3)?.cast_unsigned()),
        black: AccountId(row.get::<_, i64>(4)?.cast_unsigned()),
        terms: row.get(5)?,
        result: row.get(6)?,
    })
}

/// Enters a game at its first event.
pub(super) fn begin(
    connection: &Connection,
    game: GameId,
    created_at: ServerInstant,
    new: &NewGame,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO games (game, created_at, created_unix_ms, white, black, terms) VALUES (?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            game.0.cast_signed(),
            created_at.0.cast_signed(),
            new.created_unix_ms.cast_signed(),
            new.white.0.cast_signed(),
            new.black.0.cast_signed(),
            new.terms
        ])
        .map(|_| ())
}

/// Marks a game as ended.
pub(super) fn end(connection: &Connection, game: GameId, result: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE games SET result = ? WHERE game = ?")?
        .execute(params![result, game.0.cast_signed()])
        .map(|_| ())
}

/// Marks a game's rows as archived: from now on those in the journal mean nothing.
pub(super) fn set_packed(connection: &Connection, game: GameId) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE games SET packed = 1 WHERE game = ?")?
        .execute([game.0.cast_signed()])
        .map(|_| ())
}

/// Where a game's rows lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    InJournal,
    Packed,
}

/// Where a game's rows lie, if there is such a game.
pub(super) fn packing(connection: &Connection, game: GameId) -> rusqlite::Result<Option<Packing>> {
    let packed: Option<bool> = connection
        .prepare_cached("SELECT packed FROM games WHERE game = ?")?
        .query_row([game.0.cast_signed()], |row| row.get(0))
        .optional()?;
    Ok(packed.map(|packed| if packed { Packing::Packed } else { Packing::InJournal }))
}

/// A game of the index.
pub(super) fn summary(connection: &Connection, game: GameId) -> rusqlite::Result<Option<GameSummary>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE game = ?"))?
        .query_row([game.0.cast_signed()], read)
        .optional()
}

/// The games whose rows are in the journal: those in play and those not packed yet, by number.
pub(super) fn in_journal(connection: &Connection) -> rusqlite::Result<Vec<GameSummary>> {
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM games WHERE packed = 0 ORDER BY game"))?;
    statement.query_map([], read)?.collect()
}

/// The games after one, by number, at most so many.
pub(super) fn after(
    connection: &Connection,
    after: Option<GameId>,
    games_max: u32,
) -> rusqlite::Result<Vec<GameSummary>> {
    let after = after.map_or(-1, |game| game.0.cast_signed());
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE game > ? ORDER BY game LIMIT ?"))?
        .query_map(params![after, games_max], read)?
        .collect()
}

/// The highest number that a game has.
pub(super) fn last(connection: &Connection) -> rusqlite::Result<Option<GameId>> {
    let last: Option<i64> = connection.query_row("SELECT max(game) FROM games", [], |row| row.get(0))?;
    Ok(last.map(|game| GameId(game.cast_unsigned())))
}
