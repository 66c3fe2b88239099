//! A game from a client's side: what it looks like, what happens in it, and what to do about it.

pub use crate::client::game_news::{GameNews, LinkEnd};

use crate::chat::ChatText;
use crate::client::attachment::AttachmentEnds;
use crate::client::backoff::Backoff;
use crate::client::chance::Chance;
use crate::client::command::Command;
use crate::codec::List;
use crate::ids::{IntentId, Seq, TalkId};
use crate::intent::{Intent, IntentError, IntentFrame};
use crate::talk::{Talk, TalkFrame};
use crate::view::{Snapshot, StateView, Update};
use chatrang_rules::game::Refusal;
use chatrang_rules::moves::Move;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::sleep;

/// A game that is open, to play it or to watch it.
///
/// All that happens comes out of [`next`](GameLink::next), in order, each thing once. Dropped, the
/// link still waits for the answers to what was sent on it, and lets the game go then.
#[derive(Debug)]
pub struct GameLink {
    view: Snapshot,
    ends: AttachmentEnds,
    end: Option<LinkEnd>,
    chance: Chance,
    /// Keeps the session alive for as long as somebody holds one of its games.
    _session: mpsc::Sender<Command>,
}

/// Why an intent was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// Too many wait already.
    #[error("too many of your requests wait for their answer: wait for one")]
    Full,
    /// Nothing more is heard of the game.
    #[error("this game cannot be reached any more: open it again")]
    Ended,
}

/// Why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The server refuses it.
    #[error(transparent)]
    Refused(#[from] IntentError),
    /// It was not sent.
    #[error(transparent)]
    NotSent(#[from] SendError),
    /// Nothing more is heard of the game; whether the move was made is unknown.
    #[error(transparent)]
    Ended(#[from] LinkEnd),
}

impl GameLink {
    pub(super) fn new(
        view: Snapshot,
        ends: AttachmentEnds,
        chance: Chance,
        session: mpsc::Sender<Command>,
    ) -> Self {
        Self { view, ends, end: None, chance, _session: session }
    }

    /// The whole game after the last news that [`next`](GameLink::next) has returned.
    pub fn view(&self) -> &Snapshot {
        &self.view
    }

    /// The board, the clocks, the legal moves: the view's state.
    pub fn state(&self) -> &StateView {
        &self.view.state
    }

    /// The next thing that happens; `None` after [`GameNews::Ended`].
    ///
    /// Cancel-safe.
    pub async fn next(&mut self) -> Option<GameNews> {
        if self.end.is_some() {
            return None;
        }
        // The channel closes without a last word only when the runtime is going down.
        let item = self.ends.news.recv().await.unwrap_or(GameNews::Ended(LinkEnd::Left));
        self.look_at(&item);
        Some(item)
    }

    /// Sends what the player wants. The answer comes as [`GameNews::Answer`] with the id returned
    /// here: once, however often the connection is lost meanwhile, unless the game
    /// [ends](LinkEnd::Over) before.
    ///
    /// # Errors
    /// [`SendError`]; it never waits.
    pub fn send(&self, intent: Intent) -> Result<IntentId, SendError> {
        let id = IntentId(self.chance.number());
        let frame = IntentFrame { id, seen: self.view.seq, intent };
        self.ends.intents.try_send(frame).map(|()| id).map_err(|error| not_sent(&error))
    }

    /// Says something to the room this client is in: the players' or the spectators'. What comes of it
    /// is told as [`GameNews::Talked`] with the id returned here; the line itself comes back as
    /// [`GameNews::Chat`], as it does to everybody who hears it.
    ///
    /// # Errors
    /// [`SendError`]; it never waits.
    pub fn say(&self, text: ChatText) -> Result<TalkId, SendError> {
        self.talk(Talk::Say(text))
    }

    /// Asks for the same game with colours exchanged, once this one is over; it begins when both
    /// players have asked, and [`GameNews::Rematch`] tells its number.
    ///
    /// # Errors
    /// [`SendError`]; it never waits.
    pub fn ask_rematch(&self) -> Result<TalkId, SendError> {
        self.talk(Talk::AskRematch)
    }

    /// Says anything that can be said at a game, beside the game.
    ///
    /// # Errors
    /// [`SendError`]; it never waits.
    pub fn talk(&self, talk: Talk) -> Result<TalkId, SendError> {
        let id = TalkId(self.chance.number());
        let frame = TalkFrame { id, talk };
        self.ends.talks.try_send(frame).map(|()| id).map_err(|error| not_sent(&error))
    }

    /// Waits until it is this player's turn; `None` when the game is over.
    ///
    /// News that come meanwhile go into the [view](GameLink::view) and are not returned again. For
    /// whoever only watches it is never his turn.
    ///
    /// # Errors
    /// [`LinkEnd`] when nothing more is heard of a game that is not over.
    pub async fn your_turn(&mut self) -> Result<Option<&StateView>, LinkEnd> {
        loop {
            let state = &self.view.state;
            if state.result.is_some() {
                return Ok(None);
            }
            if Some(state.turn) == self.view.seat && state.suspension.is_none() {
                return Ok(Some(&self.view.state));
            }
            self.advance().await?;
        }
    }

    /// Makes a move in the position of the [view](GameLink::view), and returns when the view shows
    /// it; `None` when the game ended before the move arrived. A server that is busy, restarting or
    /// out of storage, or that has stopped the clocks, is asked again until it has decided.
    ///
    /// News that come meanwhile go into the view and are not returned again.
    ///
    /// # Errors
    /// [`PlayError`]; [`PlayError::Refused`] when the move is illegal or comes too late.
    pub async fn play(&mut self, mv: Move) -> Result<Option<Seq>, PlayError> {
        let ply = self.view.state.ply;
        let mut backoff = Backoff::new(self.chance.clone());
        loop {
            let id = self.send(Intent::Move { ply, mv })?;
            match self.answer_to(id).await {
                Ok(Ok(seq)) => {
                    self.look_on_until(|view| view.seq >= seq).await?;
                    return Ok(Some(seq));
                }
                Ok(Err(IntentError::Law(Refusal::GameOver(_)))) => {
                    self.look_on_until(|view| view.state.result.is_some()).await?;
                    return Ok(None);
                }
                Ok(Err(error)) if may_pass(&error) => {
                    sleep(backoff.next_delay()).await;
                    self.look_on_until(|view| view.state.suspension.is_none()).await?;
                }
                Ok(Err(error)) => return Err(error.into()),
                Err(LinkEnd::Over) => return Ok(None),
                Err(end) => return Err(end.into()),
            }
        }
    }

    async fn look_on_until(&mut self, is_reached: impl Fn(&Snapshot) -> bool) -> Result<(), LinkEnd> {
        while !is_reached(&self.view) {
            self.advance().await?;
        }
        Ok(())
    }

    async fn answer_to(&mut self, id: IntentId) -> Result<Result<Seq, IntentError>, LinkEnd> {
        loop {
            if let GameNews::Answer(answer) = self.advance().await?
                && answer.intent == id
            {
                return Ok(answer.outcome);
            }
        }
    }

    /// The next thing that happens, unless that is the end.
    async fn advance(&mut self) -> Result<GameNews, LinkEnd> {
        match self.next().await {
            Some(GameNews::Ended(end)) => Err(end),
            Some(item) => Ok(item),
            None => Err(self.end.clone().unwrap_or(LinkEnd::Left)),
        }
    }

    /// Keeps the view up with the news.
    fn look_at(&mut self, item: &GameNews) {
        match item {
            GameNews::Snapshot(snapshot) => self.view = snapshot.clone(),
            GameNews::Update(update) => follow(&mut self.view, update),
            GameNews::Presence { color, presence } => self.view.presence[*color] = *presence,
            GameNews::Ended(end) => self.end = Some(end.clone()),
            GameNews::Answer(_)
            | GameNews::Chat(_)
            | GameNews::Talked(_)
            | GameNews::Rematch(_)
            | GameNews::ConnectionLost
            | GameNews::ConnectionBack => {}
        }
    }
}

fn not_sent<T>(error: &TrySendError<T>) -> SendError {
    match error {
        TrySendError::Full(_) => SendError::Full,
        TrySendError::Closed(_) => SendError::Ended,
    }
}

/// Whether the same move may be accepted a little later.
fn may_pass(error: &IntentError) -> bool {
    matches!(
        error,
        IntentError::Busy
            | IntentError::ServerStopping
            | IntentError::StoreFull
            | IntentError::Law(Refusal::Suspended { .. })
    )
}

/// What an update makes of a snapshot.
fn follow(view: &mut Snapshot, update: &Update) {
    let mut played = std::mem::take(&mut view.played).into_vec();
    update.play_onto(&mut played);
    view.seq = update.seq;
    view.state = update.state.clone();
    view.played = List::cut(played);
}
