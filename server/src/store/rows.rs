//! All rows of one game, verified, wherever they lie.

use super::archive;
use super::fault::StoreFailure;
use super::journal::{self, StoredRow};
use chatrang_protocol::ids::{GameId, Seq};
use rusqlite::Connection;

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
    /// The index of games, which has no checksum of its own, tells something else of it.
    #[error("the index of games tells something else of it")]
    Index,
    /// It belongs to a game that never began.
    #[error("there is no such game")]
    NoGame,
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
