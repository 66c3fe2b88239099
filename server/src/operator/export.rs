//! `chatrangd export`: all games as a PGN, one after the other, however many there are.

use super::CommandError;
use super::audit;
use crate::date::{Date, time_in_pgn};
use crate::store::{Account, GameSummary, Ledger};
use chatrang_protocol::ids::{AccountId, Handle};
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::record;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

/// Which games.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// Of one player only.
    pub(super) player: Option<Handle>,
    /// That began on this day or later.
    pub(super) since: Option<Date>,
    /// How far they must have come.
    pub(super) stage: Stage,
}

/// How far a game must have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// It is over.
    #[default]
    Finished,
    /// It has begun.
    Begun,
}

/// Writes the games that are chosen, by number, and returns how many.
///
/// # Errors
/// [`CommandError`]; games that are damaged are left out, and are an error when all others are written. So is a
/// damaged log, which may have held more.
pub(super) fn export(dir: &Path, choice: &Choice, out: &mut dyn Write) -> Result<u64, CommandError> {
    let ledger = Ledger::open(dir)?;
    let accounts = ledger.accounts()?;
    let player = match &choice.player {
        None => None,
        Some(handle) => {
            let same = |account: &&Account| account.handle.folded() == handle.folded();
            Some(accounts.values().find(same).ok_or(CommandError::NoPlayer)?.id)
        }
    };
    let is_chosen = |game: &GameSummary| {
        player.is_none_or(|player| game.white == player || game.black == player)
            && choice.since.is_none_or(|since| Date::of_unix_ms(game.created_unix_ms) >= since)
            && (game.result.is_some() || choice.stage == Stage::Begun)
    };
    let (mut written, mut left_out, mut last) = (0, 0, None);
    loop {
        let games = ledger.games_after(last)?;
        let Some(end) = games.last() else { break };
        last = Some(end.game);
        for game in games.iter().filter(|game| is_chosen(game)) {
            match pgn(game, &ledger, &accounts) {
                Some(text) => {
                    out.write_all(text.as_bytes())?;
                    written += 1;
                }
                None => left_out += 1,
            }
        }
    }
    out.flush()?;
    match (ledger.into_damage_of_the_log(), left_out) {
        (Some(damage), _) => Err(CommandError::CutShort(damage)),
        (None, 0) => Ok(written),
        (None, left_out) => Err(CommandError::LeftOut(left_out)),
    }
}

/// A game's PGN; none when it is damaged.
fn pgn(game: &GameSummary, ledger: &Ledger, accounts: &HashMap<AccountId, Account>) -> Option<String> {
    let events = audit::events(game, ledger.rows(game.game).ok()?).ok()?;
    let name =
        |account| accounts.get(account).map_or_else(|| "?".to_owned(), |account| account.handle.to_string());
    let date = Date::of_unix_ms(game.created_unix_ms).in_pgn();
    let roster = Roster {
        date: date.clone(),
        round: "-".to_owned(),
        white: name(&game.white),
        black: name(&game.black),
        ..Roster::default()
    };
    let (number, time) = (game.game.to_string(), time_in_pgn(game.created_unix_ms));
    let tags = [("GameId", number.as_str()), ("UTCDate", date.as_str()), ("UTCTime", time.as_str())];
    record::pgn(&events, &roster, &tags).ok()
}
