//! The data directory of a server that has been used: made through the store's own doors, in a moment.

use crate::house::{handle, new_key};
use crate::marathon::long_game;
use anyhow::Context;
use chatrang_protocol::ids::{AccountId, GameId, IntentId, Seq};
use chatrang_rules::color::ByColor;
use chatrang_rules::game::{Action, Command, Event, Game, Party, Stamp, Terms};
use chatrang_server::game::entry::{Cause, Entry, Place};
use chatrang_server::store::{
    JournalRow, NewGame, Phase, Registration, RegistrationMode, Store, StoreOptions,
};
use chatrang_server::timeline::ServerInstant;
use std::path::Path;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Different games; further ones are the same again with other players.
const STORIES: u64 = 8;

/// Games that each account has in play at most.
const GAMES_PER_ACCOUNT: u32 = 10;

/// Games that are played at the same time, so that their rows lie between each other.
const AT_THE_SAME_TIME: u32 = 2_000;

/// How long each move takes, in milliseconds.
const MOVE_MS: u64 = 2_000;

/// What there is in it.
#[derive(Clone, Copy, Debug)]
pub struct Stock {
    /// Games that have ended.
    pub finished: u32,
    /// Games in play.
    pub unfinished: u32,
    /// Plies of each.
    pub plies: usize,
}

impl Stock {
    /// Makes a data directory, or fills an empty one; the store is closed when this returns. Games are
    /// numbered from 1, those that have ended first.
    ///
    /// # Errors
    /// The store's, and the disk's.
    pub async fn lay_in(self, data_dir: &Path) -> anyhow::Result<()> {
        let store = Store::open(data_dir, StoreOptions::default())?;
        let accounts = register(&store, self.accounts()).await?;
        let [ended, open] = [Ending::Resigns, Ending::None].map(|ending| {
            (0..STORIES).map(|seed| Arc::new(story(self.plies, seed, ending))).collect::<Vec<_>>()
        });
        let all = self.finished + self.unfinished;
        let mut first = 1;
        while first <= all {
            let stories = if first <= self.finished { &ended } else { &open };
            let last = if first <= self.finished { self.finished } else { all };
            let last = last.min(first + AT_THE_SAME_TIME - 1);
            let games =
                (first..=last).map(|number| Table::new(number, stories, &accounts)).collect::<Vec<_>>();
            play(&store, &games).await?;
            first = last + 1;
        }
        store.close().await;
        Ok(())
    }

    /// How many moves there are in all.
    pub fn moves(self) -> u64 {
        u64::from(self.finished + self.unfinished) * self.plies as u64
    }

    fn accounts(self) -> u32 {
        2 + 2 * self.finished.max(self.unfinished).min(AT_THE_SAME_TIME * 10) / GAMES_PER_ACCOUNT
    }
}

/// How a story ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    None,
    /// Whoever is to move gives up.
    Resigns,
}

/// A game: whose, and its events.
struct Table {
    game: GameId,
    created: ServerInstant,
    seats: ByColor<AccountId>,
    story: Arc<Vec<Event>>,
}

/// The events of a game.
fn story(plies: usize, seed: u64, ending: Ending) -> Vec<Event> {
    let terms = Terms::online("180+30".parse().expect("a time control"));
    let mut game = Game::new(terms);
    let mut events = vec![Game::first_event(terms)];
    let moves = long_game(plies, seed).into_iter().map(Command::Move);
    let last = (ending == Ending::Resigns).then_some(Command::Resign);
    for (number, command) in (1..).zip(moves.chain(last)) {
        let by = Party::Player(game.position().turn());
        let ruling = game.apply(by, command, Stamp::at_ms(number * MOVE_MS));
        ruling.answer.expect("a legal move");
        events.extend(ruling.events);
    }
    events
}

impl Table {
    fn new(number: u32, stories: &[Arc<Vec<Event>>], accounts: &[AccountId]) -> Self {
        let at = |seat: u32| accounts[(2 * number + seat) as usize % accounts.len()];
        Self {
            game: GameId(number.into()),
            created: ServerInstant(number.into()),
            seats: ByColor { white: at(0), black: at(1) },
            story: Arc::clone(&stories[number as usize % stories.len()]),
        }
    }

    /// The row of an event, if there is such an event.
    fn row(&self, seq: usize) -> anyhow::Result<Option<JournalRow>> {
        let Some(event) = self.story.get(seq).cloned() else { return Ok(None) };
        let moves_before = self.story.iter().take(seq);
        let ply = moves_before.filter(|event| matches!(event.action, Action::Moved { .. })).count() as u32;
        let phase = match (seq, event.end) {
            (0, _) => Phase::Begins(NewGame {
                created_unix_ms: 1_700_000_000_000,
                white: self.seats.white,
                black: self.seats.black,
                terms: "180+30".to_owned(),
            }),
            (_, None) => Phase::Continues,
            (_, Some(result)) => Phase::Ends(result.score_text()),
        };
        let entry = match event.by {
            Party::Player(color) => {
                let intent = IntentId(u64::MAX - seq as u64);
                Entry::Happened { cause: Some(Cause { account: self.seats[color], intent }), event }
            }
            _ if seq == 0 => Entry::Begun { seats: self.seats, event },
            _ => Entry::Happened { cause: None, event },
        };
        let place = Place { game: self.game, created: self.created, seq: Seq(seq as u64), ply };
        Ok(Some(entry.row(place, phase)?))
    }
}

/// Plays games that go on at the same time, event by event.
async fn play(store: &Store, games: &[Table]) -> anyhow::Result<()> {
    let events = games.iter().map(|game| game.story.len()).max().unwrap_or_default();
    for seq in 0..events {
        let rows = games.iter().map(|game| game.row(seq)).collect::<Result<Vec<_>, _>>()?;
        store.append(rows.into_iter().flatten().collect()).await?;
    }
    Ok(())
}

/// As many new accounts.
async fn register(store: &Store, count: u32) -> anyhow::Result<Vec<AccountId>> {
    let mut registering = JoinSet::new();
    for number in 0..count {
        let registration = Registration {
            key: new_key().public_key(),
            handle: handle(&format!("Player-{number}")),
            invite: None,
            mode: RegistrationMode::Open,
            now_unix_ms: 1_700_000_000_000,
        };
        let store = store.clone();
        registering.spawn(async move { store.register(registration).await });
    }
    registering.join_all().await.into_iter().map(|account| Ok(account.context("an account")?.id)).collect()
}
