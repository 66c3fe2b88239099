//! Upkeep of the journal: games that have ended become one blob each, their rows go.
//!
//! Done by the writer in idle moments, a little at a time, each step a transaction of its own. A
//! crash between steps loses nothing: the mark `packed` is set together with the blob, and start-up
//! finds the rows of packed games that are still to go.

use super::archive;
use super::games;
use super::heads::Heads;
use super::journal;
use super::rows::journal_rows;
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::GameId;
use rusqlite::Connection;

/// Rows that one step reads into blobs (a longer game is packed alone), and rows that one deletes.
const STEP_ROWS_MAX: usize = 512;

/// Ended games or rows to delete that may wait for an idle moment; with more, a busy writer makes
/// room between two commits.
const BACKLOG_GAMES_MAX: usize = 256;
const BACKLOG_ROWS_MAX: usize = 64 * 1024;

impl Heads {
    /// Whether there is anything to do.
    pub(super) fn is_untidy(&self) -> bool {
        !self.ended.is_empty() || !self.litter.is_empty()
    }

    /// Whether it must not wait for an idle moment any longer.
    pub(super) fn is_overdue(&self) -> bool {
        self.ended.len() > BACKLOG_GAMES_MAX || self.litter.len() > BACKLOG_ROWS_MAX
    }

    /// One step: packs ended games, or else deletes rows of packed ones.
    ///
    /// Deletion goes from the oldest row on: rows of games that ran at the same time lie on the same
    /// pages, so a page is mostly rewritten once for all of them.
    pub(super) fn tidy_up(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        if self.ended.is_empty() { self.sweep(connection) } else { self.pack(connection) }
    }

    fn pack(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut rows_read = 0;
        while rows_read < STEP_ROWS_MAX
            && let Some((game, rowids)) = self.ended.pop_front()
        {
            rows_read += rowids.len();
            if pack_game(connection, game, &rowids)? {
                self.litter.extend(rowids);
            }
        }
        Ok(())
    }

    fn sweep(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached("DELETE FROM journal WHERE rowid = ?")?;
        for _ in 0..STEP_ROWS_MAX {
            let Some(rowid) = self.litter.pop_first() else { break };
            statement.execute([rowid])?;
        }
        Ok(())
    }
}

/// Packs one game; `false` leaves a damaged one where it is, for start-up to refuse.
fn pack_game(connection: &Connection, game: GameId, rowids: &[i64]) -> rusqlite::Result<bool> {
    let rows = match journal_rows(connection, game, rowids)? {
        Ok(rows) => rows,
        Err(damage) => {
            tracing::error!(%game, %damage, "a finished game cannot be packed");
            return Ok(false);
        }
    };
    archive::insert(connection, game, &rows)?;
    games::set_packed(connection, game)?;
    // What leaves the journal leaves its instant behind: server time never runs back.
    let last = rows.iter().map(|row| row.at).max().unwrap_or(ServerInstant::ZERO);
    journal::beat(connection, last)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::journal::{EventKind, JournalRow, NewGame, Phase};
    use crate::store::{migrations, rows};
    use chatrang_protocol::ids::{AccountId, Seq};

    fn finished(game: u64, rows: u64) -> Vec<JournalRow> {
        let phase = |seq| match seq {
            0 => Phase::Begins(NewGame {
                created_unix_ms: 0,
                white: AccountId(1),
                black: AccountId(2),
                terms: String::new(),
            }),
            seq if seq == rows - 1 => Phase::Ends("0-1".into()),
            _ => Phase::Continues,
        };
        let row = |seq| JournalRow {
            game: GameId(game),
            seq: Seq(seq),
            ply: 0,
            kind: EventKind(0),
            phase: phase(seq),
            at: ServerInstant(100 * game + seq),
            payload: vec![7; 10],
        };
        (0..rows).map(row).collect()
    }

    fn journal_with(games: &[(u64, u64)]) -> (Connection, Heads) {
        let mut connection = Connection::open_in_memory().unwrap();
        migrations::run(&mut connection).unwrap();
        let mut heads = Heads::default();
        for (game, rows) in games {
            heads.append(&connection, &finished(*game, *rows)).unwrap();
        }
        (connection, heads)
    }

    fn count(connection: &Connection, table: &str) -> i64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn games_become_blobs_and_their_rows_go_in_small_steps() {
        let (connection, mut heads) = journal_with(&[(1, 300), (2, 300), (3, 20)]);
        heads.tidy_up(&connection).unwrap();
        assert_eq!((count(&connection, "archive"), count(&connection, "journal")), (2, 620));
        heads.tidy_up(&connection).unwrap();
        assert_eq!((count(&connection, "archive"), count(&connection, "journal")), (3, 620));
        heads.tidy_up(&connection).unwrap();
        assert_eq!(count(&connection, "journal"), 108);
        heads.tidy_up(&connection).unwrap();
        assert_eq!(count(&connection, "journal"), 0);
        assert!(!heads.is_untidy());
        assert_eq!(journal::last_heartbeat(&connection), Ok(ServerInstant(499)));
    }

    #[test]
    fn after_a_crash_between_the_steps_the_rest_is_done() {
        let (connection, mut heads) = journal_with(&[(1, 30), (2, 600)]);
        heads.tidy_up(&connection).unwrap();
        let mut heads = Heads::load(&connection).unwrap();
        assert_eq!((heads.ended.len(), heads.litter.len()), (0, 630));
        heads.tidy_up(&connection).unwrap();
        let mut heads = Heads::load(&connection).unwrap();
        assert_eq!(heads.litter.len(), 118);
        heads.tidy_up(&connection).unwrap();
        assert_eq!(count(&connection, "journal"), 0);
        assert!(!Heads::load(&connection).unwrap().is_untidy());
    }

    #[test]
    fn rows_that_are_packed_while_somebody_asks_for_them_are_found_in_the_archive() {
        let (connection, mut heads) = journal_with(&[(1, 5)]);
        let rowids = heads.rowids(GameId(1)).unwrap().to_vec();
        let read = || rows::rows(&connection, Some(&rowids), GameId(1)).unwrap();
        let all = read();
        assert_eq!(all.as_ref().unwrap().as_ref().unwrap().len(), 5);
        while heads.is_untidy() {
            heads.tidy_up(&connection).unwrap();
            assert_eq!(read(), all);
        }
        assert_eq!(count(&connection, "journal"), 0);
    }

    #[test]
    fn a_damaged_game_is_not_packed() {
        let (connection, mut heads) = journal_with(&[(1, 5), (2, 5)]);
        connection.execute("UPDATE journal SET ply = 9 WHERE game = 1 AND seq = 3", []).unwrap();
        heads.tidy_up(&connection).unwrap();
        heads.tidy_up(&connection).unwrap();
        assert_eq!((count(&connection, "archive"), count(&connection, "journal")), (1, 5));
    }
}
