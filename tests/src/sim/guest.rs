//! Somebody's link to a game: what he hears is written down, and what he sends.

use super::notes::{Answered, Final, Listener, Notes, Sent};
use chatrang_protocol::client::game::{GameLink, GameNews, LinkEnd, SendError};
use chatrang_protocol::client::{CallError, Client};
use chatrang_protocol::ids::{GameId, IntentId, Seq};
use chatrang_protocol::intent::{Intent, IntentError, IntentFrame};
use chatrang_protocol::view::{AttachError, StateView};
use chatrang_rules::color::Color;
use std::fmt::Arguments;
use std::time::Duration;
use tokio::time::sleep;

/// How long to wait before a game is opened again that could not be.
const AGAIN: Duration = Duration::from_secs(1);

/// A game that somebody has open.
#[derive(Debug)]
pub(super) struct Guest {
    pub(super) link: GameLink,
    pub(super) game: GameId,
    pub(super) me: Listener,
    who: String,
    notes: Notes,
}

/// What the guest has to know of what he has heard.
#[derive(Debug)]
pub(super) enum Heard {
    /// The game is not what it was.
    Changed,
    /// An answer to an intent of his.
    Answer(IntentId, Result<Seq, IntentError>),
    /// Something beside the game.
    Beside,
    /// Nothing more will be heard.
    Ended(LinkEnd),
}

impl Guest {
    /// Opens a game; none when the client has left, or will never be let in again.
    pub(super) async fn open(
        client: &Client,
        who: &str,
        me: Listener,
        game: GameId,
        notes: &Notes,
    ) -> Option<Self> {
        loop {
            match client.open_game(game).await {
                Ok(link) => {
                    notes.saw_snapshot(me, link.view());
                    notes.trace(who, format_args!("opens game {game} at event {}", link.view().seq));
                    return Some(Self { link, game, me, who: who.to_owned(), notes: notes.clone() });
                }
                Err(CallError::NotOpened(AttachError::StoreUnavailable | AttachError::TooManyListeners)) => {
                    sleep(AGAIN).await;
                }
                Err(CallError::Left) => return None,
                Err(error) => {
                    notes.complain(format!("{who} cannot open game {game}: {error}"));
                    return None;
                }
            }
        }
    }

    pub(super) fn state(&self) -> &StateView {
        self.link.state()
    }

    pub(super) fn seat(&self) -> Option<Color> {
        self.link.view().seat
    }

    pub(super) fn is_over(&self) -> bool {
        self.state().result.is_some()
    }

    /// The next thing that happens. Cancel-safe.
    pub(super) async fn hear(&mut self) -> Heard {
        let Some(news) = self.link.next().await else { return Heard::Ended(LinkEnd::Left) };
        let (game, seat) = (self.game, self.seat());
        match news {
            GameNews::Update(update) => {
                self.notes.saw_update(self.me, game, seat, &update);
                self.notes.trace(
                    &self.who,
                    format_args!("game {game} event {} {:?}", update.seq, update.state.clocks.left),
                );
                Heard::Changed
            }
            GameNews::Snapshot(snapshot) => {
                self.notes.saw_snapshot(self.me, &snapshot);
                self.notes.trace(&self.who, format_args!("game {game} anew at event {}", snapshot.seq));
                Heard::Changed
            }
            GameNews::Answer(answer) => {
                let (id, outcome) = (answer.intent, answer.outcome);
                self.notes.trace(&self.who, format_args!("game {game} intent {id:?}: {outcome:?}"));
                let at = self.notes.now();
                self.notes.pages().answered.push(Answered {
                    game,
                    by: self.me,
                    id,
                    outcome: outcome.clone(),
                    at,
                });
                Heard::Answer(id, outcome)
            }
            GameNews::Ended(end) => {
                self.notes.trace(&self.who, format_args!("game {game} is heard no more: {end}"));
                Heard::Ended(end)
            }
            GameNews::ConnectionLost => {
                self.notes.trace(&self.who, format_args!("game {game} lost"));
                let at = self.notes.now();
                self.notes.pages().lost.push((self.me, at));
                Heard::Beside
            }
            GameNews::ConnectionBack => {
                self.notes.trace(&self.who, format_args!("game {game} back"));
                let at = self.notes.now();
                self.notes.pages().back.push((self.me, at));
                Heard::Beside
            }
            GameNews::Presence { .. } | GameNews::Chat(_) | GameNews::Talked(_) | GameNews::Rematch(_) => {
                self.notes.trace(&self.who, format_args!("game {game}: talk or presence"));
                Heard::Beside
            }
        }
    }

    /// Sends an intent; its frame, to be sent again by others, when it could be sent.
    pub(super) fn send(&self, intent: Intent) -> Option<IntentFrame> {
        let seen = self.link.view().seq;
        match self.link.send(intent.clone()) {
            Ok(id) => {
                let (by, at) = (self.me, self.notes.now());
                self.notes.trace(&self.who, format_args!("game {} sends {id:?} {intent:?}", self.game));
                let sent = Sent { game: self.game, by, seat: self.seat(), id, intent: intent.clone(), at };
                self.notes.pages().sent.push(sent);
                Some(IntentFrame { id, seen, intent })
            }
            Err(SendError::Full | SendError::Ended) => None,
        }
    }

    /// Says what must not be.
    pub(super) fn complain(&self, what: Arguments<'_>) {
        self.notes.complain(format!("{}, game {}: {what}", self.who, self.game));
    }

    /// Writes down how the game stands, having stayed to its end.
    pub(super) fn note_end(&self) {
        let view = self.link.view().clone();
        self.notes.pages().finals.push(Final { by: self.me, view });
    }
}
