//! All games of the server: those in play have a task, those that are over lie in the store.

use super::actor::{Actor, House, Table};
use super::entry::{Cause, Entry, Place};
use super::handle::GameHandle;
use super::pondering::Pondering;
use super::seats::{Seated, Seats};
use super::supervision::{Fate, Panics, words};
use super::view;
use crate::calls::Calls;
use crate::report::Report;
use crate::store::{Account, NewGame, Phase, RecoverError, StoreFailure, StoredGame, StoredRow};
use crate::timeline::ServerInstant;
use chatrang_protocol::codec::{self, CodecError};
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::view::{PlayerView, Presence, Snapshot};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Game, GameInstant, Refusal, ReplayError, Stamp, Terms};
use chatrang_rules::outcome::GameResult;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use std::collections::{BTreeSet, HashMap};
use std::panic::AssertUnwindSafe;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::task::TaskTracker;
use tracing::{Instrument, error, info, info_span, warn};

/// Why a game cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// One of the players is in as many games as he may be.
    #[error("one of the players is in as many games as a player may have")]
    TooManyGames,
    /// The store did not keep its first event.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// A fault of this program.
    #[error(transparent)]
    Codec(#[from] CodecError),
}

/// Why a game's record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store cannot give it.
    #[error(transparent)]
    Recover(#[from] RecoverError),
    /// The store cannot give its players.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// A row holds no entry.
    #[error("game {game}, event {seq}: {source}")]
    Codec {
        /// The game.
        game: GameId,
        /// The event.
        seq: Seq,
        /// What is wrong with it.
        source: CodecError,
    },
    /// The entries tell no game.
    #[error("game {game}: {source}")]
    Replay {
        /// The game.
        game: GameId,
        /// What is wrong with them.
        source: ReplayError,
    },
    /// The index of games says that others play it than its record does.
    #[error("game {game}: the index of games and the game's record disagree on who plays; restore a backup")]
    Seats {
        /// The game.
        game: GameId,
    },
    /// A game that is neither in play nor over: the server stops, or its task has failed.
    #[error("game {game} is not in play at the moment")]
    Interrupted {
        /// The game.
        game: GameId,
    },
    /// A game whose task has panicked too often: the next start of the server tries it again.
    #[error("game {game} has been set aside after a fault of the server")]
    SetAside {
        /// The game.
        game: GameId,
    },
    /// A player whose account is missing.
    #[error("game {game} has a player without an account")]
    NoAccount {
        /// The game.
        game: GameId,
    },
}

/// All games. Cheap to clone; the same games behind all clones.
#[derive(Clone, Debug)]
pub struct Registry {
    house: House,
    games: Arc<Mutex<Games>>,
    seats: Seats,
    tasks: TaskTracker,
    /// Where the records of finished games are replayed: a long one takes tens of milliseconds, and whoever reads
    /// in old games makes nobody wait for a ruling.
    replaying: Pondering,
}

#[derive(Debug)]
struct Games {
    next: GameId,
    in_play: HashMap<GameId, GameHandle>,
    /// Games that nobody plays until the next start, since their tasks have panicked too often.
    set_aside: BTreeSet<GameId>,
}

impl Registry {
    /// The games of a server whose last game so far is `last`.
    pub fn new(house: House, last: Option<GameId>) -> Self {
        let next = GameId(last.map_or(1, |last| last.0 + 1));
        let games = Games { next, in_play: HashMap::new(), set_aside: BTreeSet::new() };
        Self {
            replaying: house.pondering.beside(),
            house,
            games: Arc::new(Mutex::new(games)),
            seats: Seats::default(),
            tasks: TaskTracker::new(),
        }
    }

    /// Begins a game; it is on disk when this returns.
    ///
    /// # Errors
    /// [`BeginError`]; there is no game then.
    pub async fn begin(&self, terms: Terms, players: ByColor<Account>) -> Result<GameHandle, BeginError> {
        let seats = players.as_ref().map(|player| player.id);
        let seated = self.seats.take(seats).ok_or(BeginError::TooManyGames)?;
        let game = self.next_number();
        let created = self.house.timeline.now();
        let entry = Entry::Begun { seats, event: Game::first_event(terms) };
        let phase = Phase::Begins(NewGame {
            created_unix_ms: self.house.timeline.unix_ms(),
            white: seats.white,
            black: seats.black,
            terms: terms.controls.to_string(),
        });
        let place = Place { game, created, seq: Seq(0), ply: 0 };
        self.house.store.append(vec![entry.row(place, phase)?]).await?;

        let table = Table { game, created, players: players.map(player_view) };
        info!(game = %table.game, white = %table.players.white.handle, black = %table.players.black.handle,
            terms = %terms.controls, "game begins");
        self.house.reporter.report(&Report::GameStarted {
            game: table.game.0,
            white: table.players.white.handle.to_string(),
            black: table.players.black.handle.to_string(),
            terms: terms.controls.to_string(),
        });
        let (handle, actor) =
            self.open(table, vec![entry], seated).map_err(|_| StoreFailure::Refused("no game".into()))?;
        self.play(handle.clone(), actor.run());
        Ok(handle)
    }

    /// Goes on with the games that were in play when the server stopped, which is known to have lived
    /// until `lived`.
    ///
    /// # Errors
    /// [`LoadError`] when the record of one of them cannot be read.
    pub async fn resume(&self, stored: Vec<StoredGame>, lived: ServerInstant) -> Result<(), LoadError> {
        // All at once: a question to the store for each of thousands of players would be most of a start.
        let players = self.players(&stored).await?;
        for game in stored {
            let (handle, actor) = self.reopen(&game, &players)?;
            self.play(handle, actor.run_after_restart(lived));
        }
        Ok(())
    }

    /// The seats that are taken.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// A game in play.
    pub fn find(&self, game: GameId) -> Option<GameHandle> {
        self.lock().in_play.get(&game).cloned()
    }

    /// The games that an account plays.
    pub fn seats_of(&self, account: AccountId) -> Vec<GameHandle> {
        let mut handles: Vec<_> =
            self.lock().in_play.values().filter(|handle| handle.seat(account).is_some()).cloned().collect();
        handles.sort_by_key(|handle| handle.game);
        handles
    }

    /// How the games in play stand, those of `first` before all others, at most so many as a list may have.
    pub async fn list(&self, first: AccountId) -> Vec<GameSummary> {
        let mut handles: Vec<_> = self.lock().in_play.values().cloned().collect();
        handles.sort_by_key(|handle| (handle.seat(first).is_none(), handle.game));
        handles.truncate(limits::GAMES_LISTED_MAX);
        // All at once: several that do not answer are waited for once.
        let summaries = join_all(handles.iter().map(GameHandle::summary)).await;
        summaries.into_iter().flatten().filter(|summary| summary.result.is_none()).collect()
    }

    /// How many games are in play.
    pub fn count(&self) -> usize {
        self.lock().in_play.len()
    }

    /// A game that is over, as its store tells it, and the answers to what was asked in it; none when
    /// there is no such game.
    ///
    /// # Errors
    /// [`LoadError`] when its record cannot be read.
    pub async fn finished(
        &self,
        game: GameId,
        viewer: AccountId,
    ) -> Result<Option<(Snapshot, Finished)>, LoadError> {
        let Some((stored, ended)) = self.stored(game).await? else { return Ok(None) };
        if ended == Ended::No {
            let is_set_aside = self.lock().set_aside.contains(&game);
            return Err(if is_set_aside {
                LoadError::SetAside { game }
            } else {
                LoadError::Interrupted { game }
            });
        }
        let players = self.players(slice::from_ref(&stored)).await?;
        let read = self.replaying.ask(move || read_record(&stored, &players, viewer)).await;
        read.unwrap_or(Err(LoadError::Interrupted { game })).map(Some)
    }

    /// Waits until every game's task has ended; they end when the house stops.
    pub async fn drained(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn open(
        &self,
        table: Table,
        entries: Vec<Entry>,
        seated: Seated,
    ) -> Result<(GameHandle, Actor), ReplayError> {
        let seats = table.players.as_ref().map(|player| player.account);
        let (handle, mailboxes) = GameHandle::new(table.game, seats);
        Ok((handle, Actor::new(self.house.clone(), table, entries, seated, mailboxes)?))
    }

    /// The game that a record tells, ready to be played.
    fn reopen(&self, stored: &StoredGame, players: &Players) -> Result<(GameHandle, Actor), LoadError> {
        let (table, entries) = read_table(stored, players)?;
        let game = table.game;
        let seated = self.seats.keep(table.players.as_ref().map(|player| player.account));
        self.open(table, entries, seated).map_err(|source| LoadError::Replay { game, source })
    }

    /// Runs a game's task, and forgets the game when it ends.
    fn play(&self, handle: GameHandle, task: impl Future<Output = ()> + Send + 'static) {
        let game = handle.game;
        let entered = self.enter(handle);
        let task = async move {
            task.await;
            drop(entered);
        };
        let supervised = self.clone().supervise(game, Box::pin(task));
        self.tasks.spawn(supervised.instrument(info_span!(parent: None, "game", %game)));
    }

    /// Runs a game's task, and another in its place when it panics: all that was told of the game is in
    /// its journal. Whoever listened finds his stream ended, and attaches again.
    async fn supervise(self, game: GameId, mut task: BoxFuture<'static, ()>) {
        let mut panics = Panics::default();
        // What a task leaves behind when it panics is dropped with it: nothing half changed is looked at.
        while let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
            let now = self.house.timeline.now();
            let words = words(panic.as_ref());
            match panics.count(now) {
                Fate::GoesOn => {
                    error!(panic = ?words, "the game's task has panicked: the game goes on from its journal");
                    task = Box::pin(self.clone().go_on(game, now));
                }
                Fate::SetAside => {
                    error!(
                        panic = ?words,
                        "the game's task has panicked again: the game is set aside until the server starts again"
                    );
                    self.lock().set_aside.insert(game);
                    let stopped = AssertUnwindSafe(self.stop_clocks(game, now)).catch_unwind().await;
                    if stopped.is_err() {
                        error!("the clocks of the game could not be stopped");
                    }
                    return;
                }
            }
        }
    }

    /// Plays on with a game whose task panicked at `panicked`, as after a restart.
    async fn go_on(self, game: GameId, panicked: ServerInstant) {
        match self.reopen_unfinished(game).await {
            Ok(Some((handle, actor))) => {
                let _entered = self.enter(handle);
                actor.run_after_restart(panicked).await;
            }
            // It was over: whoever looks at it gets its record.
            Ok(None) => {}
            Err(error) => {
                error!(%error, "the game's record cannot be read: it is set aside until the server starts again");
                self.lock().set_aside.insert(game);
            }
        }
    }

    /// Stops the clocks of a game that is set aside, at the time of its last panic. Nobody pays for the
    /// time until it is played again.
    async fn stop_clocks(&self, game: GameId, panicked: ServerInstant) {
        match self.reopen_unfinished(game).await {
            Ok(Some((_, actor))) => actor.suspend_for_restart(panicked).await,
            Ok(None) => {}
            Err(error) => warn!(%error, "the clocks of the game could not be stopped"),
        }
    }

    /// A game as its journal has it; none when it is over.
    async fn reopen_unfinished(&self, game: GameId) -> Result<Option<(GameHandle, Actor)>, LoadError> {
        match self.stored(game).await? {
            Some((stored, Ended::No)) => {
                let players = self.players(slice::from_ref(&stored)).await?;
                self.reopen(&stored, &players).map(Some)
            }
            Some((_, Ended::Yes)) | None => Ok(None),
        }
    }

    fn enter(&self, handle: GameHandle) -> Entered {
        let game = handle.game;
        self.lock().in_play.insert(game, handle);
        Entered { game, games: Arc::clone(&self.games), calls: self.house.calls.clone() }
    }

    /// The record of a game, if there is such a game, and whether it is over.
    async fn stored(&self, game: GameId) -> Result<Option<(StoredGame, Ended)>, LoadError> {
        let Some(summary) = self.house.store.game(game).await? else { return Ok(None) };
        let Some(rows) = self.house.store.game_rows(game).await? else { return Ok(None) };
        let ended = if summary.result.is_some() { Ended::Yes } else { Ended::No };
        let stored = StoredGame {
            game,
            created_at: summary.created_at,
            created_unix_ms: summary.created_unix_ms,
            white: summary.white,
            black: summary.black,
            terms: summary.terms,
            rows,
        };
        Ok(Some((stored, ended)))
    }

    fn next_number(&self) -> GameId {
        let mut games = self.lock();
        let game = games.next;
        games.next = GameId(game.0 + 1);
        game
    }

    /// Who plays these games.
    async fn players(&self, games: &[StoredGame]) -> Result<Players, LoadError> {
        let seats = games.iter().flat_map(|game| [game.white, game.black]).collect();
        Ok(self.house.store.accounts(seats).await?)
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Those who play, by their accounts.
type Players = HashMap<AccountId, Account>;

/// A record's players and its entries.
fn read_table(stored: &StoredGame, players: &Players) -> Result<(Table, Vec<Entry>), LoadError> {
    let game = stored.game;
    let entries = stored.rows.iter().map(|row| decode(game, row)).collect::<Result<Vec<_>, _>>()?;
    let seats = ByColor { white: stored.white, black: stored.black };
    if matches!(entries.first(), Some(Entry::Begun { seats: recorded, .. }) if *recorded != seats) {
        return Err(LoadError::Seats { game });
    }
    let player =
        |account| players.get(&account).cloned().map(player_view).ok_or(LoadError::NoAccount { game });
    let players = ByColor { white: player(stored.white)?, black: player(stored.black)? };
    Ok((Table { game, created: stored.created_at, players }, entries))
}

/// The record of a finished game, and what it shows to whom.
fn read_record(
    stored: &StoredGame,
    players: &Players,
    viewer: AccountId,
) -> Result<(Snapshot, Finished), LoadError> {
    let game = stored.game;
    let (table, entries) = read_table(stored, players)?;
    let played = Game::replay(entries.iter().map(Entry::event))
        .map_err(|source| LoadError::Replay { game, source })?;
    let Some(result) = played.result() else { return Err(LoadError::Interrupted { game }) };
    let finished = Finished { seats: table.players.as_ref().map(|player| player.account), result, entries };
    let away = Presence::Away { for_ms: 0 };
    let snapshot = Snapshot {
        game,
        seq: Seq(finished.entries.len() as u64 - 1),
        seat: finished.seat(viewer),
        players: table.players,
        presence: ByColor { white: away, black: away },
        terms: played.terms(),
        played: view::played(&played),
        state: view::state(&played, Stamp::at(GameInstant::START)),
    };
    Ok((snapshot, finished))
}

/// Whether a game has a result, by the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Yes,
    No,
}

/// A game that is over: it still answers for what was asked in it.
#[derive(Debug)]
pub struct Finished {
    seats: ByColor<AccountId>,
    result: GameResult,
    entries: Vec<Entry>,
}

impl Finished {
    /// The side that an account has played.
    pub fn seat(&self, account: AccountId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.seats[color] == account)
    }

    /// The old answer to an intent that was carried out, which is its last event, as it was at the table; to
    /// any other, that the game is over.
    ///
    /// # Errors
    /// [`IntentError`] for all but what was carried out.
    pub fn answer(&self, cause: Cause) -> Result<Seq, IntentError> {
        let carried_out = self.entries.iter().rposition(|entry| entry.cause() == Some(cause));
        carried_out.map(|seq| Seq(seq as u64)).ok_or(Refusal::GameOver(self.result).into())
    }
}

/// A game's place among those in play; forgotten when dropped, however its task ended.
struct Entered {
    game: GameId,
    games: Arc<Mutex<Games>>,
    calls: Calls,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).in_play.remove(&self.game);
        self.calls.close(self.game);
    }
}

fn decode(game: GameId, row: &StoredRow) -> Result<Entry, LoadError> {
    codec::decode(&row.payload).map_err(|source| LoadError::Codec { game, seq: row.seq, source })
}

fn player_view(account: Account) -> PlayerView {
    PlayerView { account: account.id, handle: account.handle, role: account.role }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_protocol::ids::IntentId;
    use chatrang_rules::game::{Action, Event, Party};
    use chatrang_rules::outcome::Termination;

    #[test]
    fn a_finished_game_answers_a_doubled_intent_with_its_last_event_as_the_table_did() {
        let cause = |intent| Cause { account: AccountId(1), intent: IntentId(intent) };
        let terms = Terms::online("5+3".parse().unwrap());
        let event = |action| Event { action, by: Party::House, ..Game::first_event(terms) };
        let seats = ByColor { white: AccountId(1), black: AccountId(2) };
        let happened = |cause, action| Entry::Happened { cause, event: event(action) };
        let result = GameResult::none(Termination::Aborted);
        let entries = vec![
            Entry::Begun { seats, event: Game::first_event(terms) },
            happened(Some(cause(7)), Action::BothFlagsDown),
            happened(Some(cause(7)), Action::Aborted),
        ];
        let finished = Finished { seats, result, entries };
        assert_eq!(finished.answer(cause(7)), Ok(Seq(2)));
        assert_eq!(finished.answer(cause(8)), Err(Refusal::GameOver(result).into()));
    }
}
