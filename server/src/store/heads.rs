//! What the writer knows of the journal by heart: where each game's rows lie.
//!
//! The journal has no index by game, which is what makes it fast; 8 bytes a row of a game in play do
//! the same service. After a rollback all of it is read again, so memory says what the disk says.

use super::games;
use super::journal::{self, JournalRow, Phase};
use chatrang_protocol::ids::{GameId, Seq};
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Rowids of the journal, by what they are good for.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// Of each game in play: the row of seq 0, of seq 1, and so on; so its length is the next seq.
    playing: HashMap<GameId, Vec<i64>>,
    /// Of games that have ended and are not packed yet, the first to end first.
    pub(super) ended: VecDeque<(GameId, Vec<i64>)>,
    /// Of packed games: to be deleted.
    pub(super) litter: BTreeSet<i64>,
}

impl Heads {
    /// Reads the journal's outline. Rows of games that the index does not know are left out:
    /// recovery reports them, and nothing may delete them.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut rowids = journal::rowids(connection)?;
        let mut heads = Self::default();
        for game in games::in_journal(connection)? {
            let rows = rowids.remove(&game.game).unwrap_or_default();
            match game.result {
                None => drop(heads.playing.insert(game.game, rows)),
                Some(_) => heads.ended.push_back((game.game, rows)),
            }
        }
        for (game, rows) in rowids {
            if games::summary(connection, game)?.is_some() {
                heads.litter.extend(rows);
            }
        }
        Ok(heads)
    }

    /// Whether `rows` follow what is stored: seq by seq, from a game's first row to its last.
    /// Changes nothing; the refusal is a sentence about the first row that does not follow.
    pub(super) fn consider(
        &self,
        connection: &Connection,
        rows: &[JournalRow],
    ) -> rusqlite::Result<Result<(), String>> {
        for (index, JournalRow { game, seq, phase, .. }) in rows.iter().enumerate() {
            // One row is the rule, and few are the most: to look back costs less than to keep a map.
            let before = rows.iter().take(index).rfind(|before| before.game == *game);
            let known = before.map_or_else(|| self.next_seq(*game), |before| Some(before.seq.next()));
            let has_ended = before.is_some_and(|before| matches!(before.phase, Phase::Ends(_)));
            let refusal = match (phase, known) {
                _ if has_ended => Some("follows the last row of its game".to_owned()),
                (Phase::Begins(_), Some(_)) => Some("begins a game that is in play".to_owned()),
                (Phase::Begins(_), None) if games::summary(connection, *game)?.is_some() => {
                    Some("begins a game that has ended".to_owned())
                }
                (Phase::Begins(_), None) => {
                    (*seq != Seq(0)).then(|| "begins a game, which only event 0 does".to_owned())
                }
                (Phase::Continues | Phase::Ends(_), None) => Some("is of no game in play".to_owned()),
                (Phase::Continues | Phase::Ends(_), Some(next)) => {
                    (*seq != next).then(|| format!("should be event {next}"))
                }
            };
            if let Some(refusal) = refusal {
                return Ok(Err(format!("event {seq} of game {game} {refusal}")));
            }
        }
        Ok(Ok(()))
    }

    /// Writes rows that were found to follow.
    pub(super) fn append(&mut self, connection: &Connection, rows: &[JournalRow]) -> rusqlite::Result<()> {
        for row in rows {
            let rowid = journal::insert(connection, row)?;
            self.playing.entry(row.game).or_default().push(rowid);
            match &row.phase {
                Phase::Begins(new) => games::begin(connection, row.game, row.at, new)?,
                Phase::Continues => {}
                Phase::Ends(result) => {
                    games::end(connection, row.game, result)?;
                    self.ended.extend(self.playing.remove_entry(&row.game));
                }
            }
        }
        Ok(())
    }

    /// Where the rows of a game lie that is still in the journal.
    pub(super) fn rowids(&self, game: GameId) -> Option<&[i64]> {
        let ended = || self.ended.iter().find(|(ended, _)| *ended == game).map(|(_, rowids)| rowids);
        self.playing.get(&game).or_else(ended).map(Vec::as_slice)
    }

    fn next_seq(&self, game: GameId) -> Option<Seq> {
        self.playing.get(&game).map(|rowids| Seq(rowids.len() as u64))
    }
}
