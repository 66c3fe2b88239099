//! What is read back: at start-up the games in play and where server time stood, later any game.

use super::fault::StoreFailure;
use super::games::{self, GameSummary, Packing};
use super::handle::Store;
use super::journal::{self, StoredRow};
use super::rows::{Damage, RecoverError, rows};
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use rusqlite::Connection;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// All that a server needs to go on where the last one stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The last instant that the store knows: server time goes on from here, so nobody is charged
    /// for the time in which the server was down.
    pub base: ServerInstant,
    /// The highest number that a game has.
    pub last_game: Option<GameId>,
    /// The games in play, by number.
    pub unfinished: Vec<StoredGame>,
}

/// A game in play with its whole journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
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
    /// Every event, from seq 0 on without a gap.
    pub rows: Vec<StoredRow>,
}

impl Store {
    /// Reads every game in play, and verifies every row of the journal on the way.
    ///
    /// SQLite itself undoes whatever a crash left half written, so a row that is wrong has been
    /// damaged after it was safe, wherever it stands: such a journal is refused, never cut.
    ///
    /// # Errors
    /// [`RecoverError`] says where the damage is.
    pub async fn recover(&self) -> Result<Recovered, RecoverError> {
        self.read(recover).await?
    }

    /// A game of the index.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store cannot be read.
    pub async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreFailure> {
        self.read(move |connection| games::summary(connection, game)).await
    }

    /// Every event of a game, in play or over; `None` if there is no such game.
    ///
    /// # Errors
    /// [`RecoverError`] says where the damage is.
    pub async fn game_rows(&self, game: GameId) -> Result<Option<Vec<StoredRow>>, RecoverError> {
        let Some(packing) = self.read(move |connection| games::packing(connection, game)).await? else {
            return Ok(None);
        };
        // Only the writer knows where in the journal the rows lie. Most games are asked for when they
        // have been packed, and those make it no work.
        let rowids = match packing {
            Packing::Packed => None,
            Packing::InJournal => {
                self.ask_writer(move |_, heads| Ok(heads.rowids(game).map(<[i64]>::to_vec))).await?
            }
        };
        self.read(move |connection| rows(connection, rowids.as_deref(), game)).await?
    }
}

fn recover(connection: &Connection) -> rusqlite::Result<Result<Recovered, RecoverError>> {
    let mut base = journal::last_heartbeat(connection)?;
    let games = games::in_journal(connection)?;
    let mut rows: HashMap<GameId, Vec<StoredRow>> =
        games.iter().map(|summary| (summary.game, Vec::new())).collect();
    let mut strays: HashMap<GameId, Seq> = HashMap::new();
    let damage = journal::scan(connection, |found| {
        let damaged = |fault| RecoverError::Damaged { game: found.game, seq: found.row.seq, fault };
        if !found.is_sound() {
            return ControlFlow::Break(damaged(Damage::Checksum));
        }
        base = base.max(found.row.at);
        match rows.get_mut(&found.game) {
            Some(rows) => {
                let seq = Seq(rows.len() as u64);
                if found.row.seq != seq {
                    return ControlFlow::Break(RecoverError::Damaged {
                        game: found.game,
                        seq,
                        fault: Damage::Missing,
                    });
                }
                rows.push(found.row);
            }
            None => drop(strays.entry(found.game).or_insert(found.row.seq)),
        }
        ControlFlow::Continue(())
    })?;
    if let Some(damage) = damage {
        return Ok(Err(damage));
    }
    // Rows of packed games wait for their deletion and mean nothing; rows of no game mean damage.
    for (game, seq) in strays {
        if games::summary(connection, game)?.is_none() {
            return Ok(Err(RecoverError::Damaged { game, seq, fault: Damage::NoGame }));
        }
    }
    let mut unfinished = Vec::new();
    for game in games {
        let rows = rows.remove(&game.game).unwrap_or_default();
        let fault = match rows.first() {
            None => Some(Damage::Missing),
            Some(first) => (first.at != game.created_at).then_some(Damage::Index),
        };
        if let Some(fault) = fault {
            return Ok(Err(RecoverError::Damaged { game: game.game, seq: Seq(0), fault }));
        }
        if game.result.is_none() {
            unfinished.push(stored(game, rows));
        }
    }
    Ok(Ok(Recovered { base, last_game: games::last(connection)?, unfinished }))
}

fn stored(summary: GameSummary, rows: Vec<StoredRow>) -> StoredGame {
    let GameSummary { game, created_at, created_unix_ms, white, black, terms, result: _ } = summary;
    StoredGame { game, created_at, created_unix_ms, white, black, terms, rows }
}
