//! Compares what everybody has noted with the journal: the invariants that no fault may break.
//!
//! - I1: what was acknowledged is in the journal, once and in order; what was refused is not.
//! - I2: every game replays, and is over.
//! - I3: all have seen what the journal tells, and those who stayed to the end have seen the end.
//! - I4: no fault takes time from a clock or gives it any.

mod answers;
mod clocks;
mod sights;

use super::notes::Pages;
use chatrang_protocol::ids::GameId;
use chatrang_rules::game::{Game, ReplayError};
use chatrang_rules::notation::fen;
use chatrang_server::game::entry::Entry;
use std::collections::BTreeMap;

/// What came of a check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Games in the journal.
    pub games: u64,
    /// Moves in the journal.
    pub moves: u64,
    /// What is wrong, each with its invariant.
    pub violations: Vec<String>,
}

/// A game as its record tells it.
#[derive(Debug)]
pub struct Record {
    /// Its events.
    pub entries: Vec<Entry>,
    /// The position after each.
    pub positions: Vec<String>,
    /// The game after the last.
    pub game: Game,
}

impl Record {
    /// Replays a record.
    ///
    /// # Errors
    /// When it is none of a game.
    pub fn new(entries: Vec<Entry>) -> Result<Self, ReplayError> {
        let mut game = Game::replay(entries.first().map(Entry::event))?;
        let mut positions = vec![fen::write(game.position())];
        for (index, entry) in entries.iter().enumerate().skip(1) {
            game.follow(index, entry.event())?;
            positions.push(fen::write(game.position()));
        }
        Ok(Self { entries, positions, game })
    }
}

/// Checks a world that is over, whose server has left these records.
pub fn check(journal: &BTreeMap<GameId, Vec<Entry>>, pages: &Pages) -> Checked {
    let mut checked = Checked::default();
    let mut records = BTreeMap::new();
    for (game, entries) in journal {
        match Record::new(entries.clone()) {
            Ok(record) => drop(records.insert(*game, record)),
            Err(error) => checked.violations.push(format!("I2: game {game}: {error}")),
        }
    }
    for (game, record) in &records {
        checked.games += 1;
        checked.moves += clocks::moves(record);
        if record.game.result().is_none() {
            checked.violations.push(format!("I2: game {game} has not come to an end"));
        }
        clocks::check(*game, record, &mut checked.violations);
    }
    answers::check(&records, pages, &mut checked.violations);
    sights::check(&records, pages, &mut checked.violations);
    clocks::check_lives(pages, &mut checked.violations);
    clocks::check_thinking(&records, pages, &mut checked.violations);
    checked
}
