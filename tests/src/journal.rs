//! The journal of a server that is dead, read from its database by other means than the server's.

use crate::players::replay;
use chatrang_protocol::codec;
use chatrang_protocol::ids::GameId;
use chatrang_rules::game::Game;
use chatrang_server::game::entry::Entry;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::path::Path;

/// What lies in a journal.
#[derive(Debug)]
pub struct Journal {
    /// The events of each game, in order.
    pub entries: BTreeMap<GameId, Vec<Entry>>,
    /// The last instant of server time that the store knows, in milliseconds.
    pub server_time_ms: u64,
}

impl Journal {
    /// Reads all games of a database; each event is there once and in order.
    pub fn read(database: &Path) -> Self {
        let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
        let beat: i64 = connection.query_row("SELECT at FROM heartbeat", [], |row| row.get(0)).unwrap();
        let mut server_time_ms = beat.cast_unsigned();
        let archived = archived(&connection);
        let mut entries: BTreeMap<GameId, Vec<Entry>> = BTreeMap::new();
        let mut statement =
            connection.prepare("SELECT game, seq, at, payload FROM journal ORDER BY rowid").unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let number = |column| row.get::<_, i64>(column).unwrap().cast_unsigned();
            server_time_ms = server_time_ms.max(number(2));
            let game = GameId(number(0));
            if archived.contains_key(&game) {
                continue;
            }
            let events = entries.entry(game).or_default();
            assert_eq!(number(1), events.len() as u64, "an event is missing, or there twice");
            events.push(codec::decode(&row.get::<_, Vec<u8>>(3).unwrap()).unwrap());
        }
        entries.extend(archived);
        Self { entries, server_time_ms }
    }

    /// A game as its record tells it.
    pub fn game(&self, game: GameId) -> Game {
        replay(self.entries.get(&game).unwrap_or_else(|| panic!("game {game} is not in the journal")))
    }
}

/// The games that are over and packed: their rows that are still in the journal mean nothing.
fn archived(connection: &Connection) -> BTreeMap<GameId, Vec<Entry>> {
    let mut statement = connection.prepare("SELECT game, rows FROM archive").unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut games = BTreeMap::new();
    while let Some(row) = rows.next().unwrap() {
        let blob: Vec<u8> = row.get(1).unwrap();
        games.insert(GameId(row.get::<_, i64>(0).unwrap().cast_unsigned()), unpack(&blob));
    }
    games
}

/// Rows one after the other: ply, kind, instant and checksum in 17 bytes, the payload's length in 4,
/// the payload.
fn unpack(mut blob: &[u8]) -> Vec<Entry> {
    const BEFORE_LENGTH_BYTES: usize = 17;
    let mut entries = Vec::new();
    while !blob.is_empty() {
        let (length, rest) = blob[BEFORE_LENGTH_BYTES..].split_first_chunk().unwrap();
        let (payload, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        entries.push(codec::decode(payload).unwrap());
        blob = rest;
    }
    entries
}
