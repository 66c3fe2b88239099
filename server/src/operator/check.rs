//! `chatrangd check`: whether everything that the server keeps is what was written.

use super::audit::{self, GameFault};
use super::{CommandError, Teller};
use crate::keys::ServerKeys;
use crate::store::{Account, GameSummary, Ledger};
use chatrang_protocol::ids::{AccountId, GameId};
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// A fault, as it is told.
#[derive(Debug, Serialize)]
pub(super) struct Fault {
    /// The game that it is in, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<u64>,
    /// The event of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<u64>,
    /// What is wrong.
    pub(super) what: String,
}

impl Fault {
    fn of_directory(what: &(impl ToString + ?Sized)) -> Self {
        Self { game: None, event: None, what: what.to_string() }
    }

    fn of_game(game: GameId, GameFault { seq, what }: GameFault) -> Self {
        Self { game: Some(game.0), event: seq.map(|seq| seq.0), what }
    }

    /// A line for people.
    pub(super) fn sentence(&self) -> String {
        let what = &self.what;
        match (self.game, self.event) {
            (Some(game), Some(event)) => format!("game {game}, event {event}: {what}"),
            (Some(game), None) => format!("game {game}: {what}"),
            (None, _) => what.clone(),
        }
    }
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Checked {
    pub(super) accounts: u64,
    pub(super) finished_games: u64,
    pub(super) games_in_play: u64,
    pub(super) events: u64,
    pub(super) faults: u64,
}

/// Checks a data directory, telling each fault as it is found, and all in all at the end.
pub(super) fn check(dir: &Path, teller: &mut Teller<'_>) -> Result<(), CommandError> {
    let ledger = Ledger::open(dir)?;
    let mut check = Check { checked: Checked::default(), teller };
    check.keys(dir)?;
    for fault in ledger.faults_of_the_file()? {
        check.tell(&Fault::of_directory(&format!("the database: {fault}")))?;
    }
    for game in ledger.strays()? {
        check.tell(&Fault::of_game(game, GameFault::of_game("it has events, and is in no index")))?;
    }
    let accounts = ledger.accounts()?;
    check.checked.accounts = accounts.len() as u64;
    let mut last = None;
    loop {
        let games = ledger.games_after(last)?;
        let Some(end) = games.last() else { break };
        last = Some(end.game);
        for game in &games {
            check.game(&ledger, &accounts, game)?;
        }
    }
    let Check { checked, teller } = check;
    teller.checked(&checked)?;
    match checked.faults {
        0 => Ok(()),
        faults => Err(CommandError::Faults(faults)),
    }
}

struct Check<'a, 'b> {
    checked: Checked,
    teller: &'a mut Teller<'b>,
}

impl Check<'_, '_> {
    fn keys(&mut self, dir: &Path) -> Result<(), CommandError> {
        match ServerKeys::read(dir) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => self.tell(&Fault::of_directory(
                "the key files are not all there: restore them from a backup before the server is started, which \
                 would make new ones and be another server to its players",
            )),
            Err(error) => self.tell(&Fault::of_directory(&error)),
        }
    }

    fn game(
        &mut self,
        ledger: &Ledger,
        accounts: &HashMap<AccountId, Account>,
        summary: &GameSummary,
    ) -> Result<(), CommandError> {
        match summary.result {
            Some(_) => self.checked.finished_games += 1,
            None => self.checked.games_in_play += 1,
        }
        for account in [summary.white, summary.black] {
            if !accounts.contains_key(&account) {
                let what = format!("account {}, who plays in it, is missing", account.0);
                self.tell(&Fault::of_game(summary.game, GameFault::of_game(&what)))?;
            }
        }
        // A page that cannot be read costs this game, not the look at the others.
        let outcome = match ledger.rows(summary.game) {
            Ok(rows) => audit::events(summary, rows),
            Err(failure) => Err(vec![GameFault::of_game(&failure)]),
        };
        match outcome {
            Ok(events) => self.checked.events += events.len() as u64,
            Err(faults) => {
                for fault in faults {
                    self.tell(&Fault::of_game(summary.game, fault))?;
                }
            }
        }
        Ok(())
    }

    fn tell(&mut self, fault: &Fault) -> Result<(), CommandError> {
        self.checked.faults += 1;
        self.teller.fault(fault)
    }
}
