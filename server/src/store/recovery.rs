//! What start-up reads back: the games in play, and where server time stood.

use super::archive;
use super::fault::StoreFailure;
use super::games::{self, GameSummary, Packing};
use super::handle::Store;
use super::journal::{self, StoredRow};
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

/// Why a journal cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecoverError {
    /// A row is not what was written.
    #[error(
        "the journal is damaged at event {seq} of game {game}: {fault}; restore a backup, or move the data \
         directory away to start afresh"
    )]
    Damaged {
        /// The game that the row belongs to, or claims to.
        game: GameId,
        /// Its place in the game.
        seq: Seq,
        /// What is wrong with it.
        fault: Damage,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Something of it changed.
    #[error("its checksum is wrong")]
    Checksum,
    /// The event that should stand there does not.
    #[error("it is missing")]
    Missing,
    /// It belongs to a game that never began.
    #[error("there is no such game")]
    NoGame,
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
        if rows.is_empty() {
            return Ok(Err(RecoverError::Damaged { game: game.game, seq: Seq(0), fault: Damage::Missing }));
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

/// The rows of a game that lay at `rowids` a moment ago, if they lay in the journal. They may have
/// been packed since.
pub(super) fn rows(
    connection: &Connection,
    rowids: Option<&[i64]>,
    game: GameId,
) -> rusqlite::Result<Result<Option<Vec<StoredRow>>, RecoverError>> {
    match (archive::read(connection, game)?, rowids) {
        (Some(Ok(rows)), _) => Ok(Ok(Some(rows))),
        (Some(Err(archive::DamagedAt(seq))), _) => {
            Ok(Err(RecoverError::Damaged { game, seq, fault: Damage::Checksum }))
        }
        (None, Some(rowids)) => Ok(journal_rows(connection, game, rowids)?.map(Some)),
        // In the index, and in neither place: damaged when it was to be packed.
        (None, None) => Ok(Err(RecoverError::Damaged { game, seq: Seq(0), fault: Damage::Missing })),
    }
}

/// The rows of a game at their rowids, verified.
pub(super) fn journal_rows(
    connection: &Connection,
    game: GameId,
    rowids: &[i64],
) -> rusqlite::Result<Result<Vec<StoredRow>, RecoverError>> {
    let mut rows = Vec::with_capacity(rowids.len());
    for (seq, rowid) in (0..).map(Seq).zip(rowids) {
        let fault = match journal::row_at(connection, *rowid)? {
            None => Damage::Missing,
            Some(found) if !found.is_sound() => Damage::Checksum,
            Some(found) if found.game != game || found.row.seq != seq => Damage::Missing,
            Some(found) => {
                rows.push(found.row);
                continue;
            }
        };
        return Ok(Err(RecoverError::Damaged { game, seq, fault }));
    }
    Ok(Ok(rows))
}
