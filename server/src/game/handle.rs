//! How the rest of the server asks a game's task for something.

use super::audience::{ListenerId, Queue};
use super::entry::Cause;
use super::rematch::Agreement;
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId, Handle, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::limits;
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::talk::{TalkError, TalkFrame};
use chatrang_protocol::view::AttachError;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Millis, Party};
use tokio::sync::{mpsc, oneshot};

/// A game's mailboxes, and what never changes about it.
#[derive(Clone, Debug)]
pub struct GameHandle {
    /// Its number.
    pub game: GameId,
    /// Who plays.
    pub seats: ByColor<AccountId>,
    pub(super) acts: mpsc::Sender<Letter>,
    pub(super) visits: mpsc::Sender<Visit>,
}

/// What a game's task reads from: the players' acts have a mailbox of their own, so that no crowd of
/// visitors comes between a player and his move.
#[derive(Debug)]
pub(super) struct Mailboxes {
    pub(super) acts: mpsc::Receiver<Letter>,
    pub(super) visits: mpsc::Receiver<Visit>,
}

/// A player wants something.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) act: Act,
    /// Told when the answer is in the queue of the listener who asked.
    pub(super) answered: oneshot::Sender<()>,
}

/// Somebody comes to look, or goes.
#[derive(Debug)]
pub(super) enum Visit {
    /// Somebody wants to listen.
    Attach {
        account: AccountId,
        seat: Option<Color>,
        seen: Option<Seq>,
        queue: Queue,
        answer: oneshot::Sender<Result<ListenerId, AttachError>>,
    },
    /// A listener's stream has ended.
    Detach(ListenerId),
    /// Somebody lists games.
    Summary(oneshot::Sender<GameSummary>),
    /// Somebody at the game says something.
    Talk { speaker: Speaker, frame: TalkFrame, answer: oneshot::Sender<Result<Heard, TalkError>> },
    /// The rematch that was agreed to has begun or, without a number, could not.
    RematchSettled(Option<GameId>),
}

/// Who says something.
#[derive(Debug)]
pub(super) struct Speaker {
    pub(super) account: AccountId,
    pub(super) handle: Handle,
    pub(super) seat: Option<Color>,
}

/// What came of something that was said.
#[derive(Debug)]
pub enum Heard {
    /// It was taken in, and that is all.
    Taken,
    /// Both players have asked for a rematch: whoever said it begins the game, and then
    /// [tells](GameHandle::settle_rematch) what became of it.
    Agreed(Agreement),
}

/// An intent on its way to the Laws.
#[derive(Clone, Debug)]
pub struct Act {
    /// Who wants it, and his intent's id.
    pub cause: Cause,
    /// On which stream he said so: there the answer goes.
    pub from: ListenerId,
    /// As whom he acts here.
    pub by: Party,
    /// What he wants.
    pub intent: Intent,
    /// The last event he had seen when he made up his mind.
    pub seen: Seq,
    /// When it came.
    pub arrival: Arrival,
}

/// When an intent came, and by how long a way.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When its frame was whole.
    pub at: ServerInstant,
    /// The round trip of its path at that time, as the transport measured it.
    pub path_rtt: Millis,
}

impl GameHandle {
    /// A game's two mailboxes, and the handle to them.
    pub(super) fn new(game: GameId, seats: ByColor<AccountId>) -> (Self, Mailboxes) {
        let (acts, letters) = mpsc::channel(limits::GAME_MAILBOX_MAX);
        let (visits, visitors) = mpsc::channel(limits::GAME_MAILBOX_MAX);
        (Self { game, seats, acts, visits }, Mailboxes { acts: letters, visits: visitors })
    }

    /// The side an account plays here.
    pub fn seat(&self, account: AccountId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.seats[color] == account)
    }

    /// Brings an intent to the Laws, and waits until its answer is in the queue of the listener who asked: an
    /// acceptance when what came of it is on disk, and before anybody hears of that.
    ///
    /// # Errors
    /// The answer where nobody has given one: `Busy` at once for a full mailbox, `ServerStopping` when the
    /// game's task ends.
    pub async fn act(&self, act: Act) -> Result<(), IntentError> {
        let (answered, is_answered) = oneshot::channel();
        self.acts.try_send(Letter { act, answered }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => IntentError::Busy,
            mpsc::error::TrySendError::Closed(_) => IntentError::ServerStopping,
        })?;
        is_answered.await.map_err(|_| IntentError::ServerStopping)
    }

    /// Lets somebody listen: `queue` first gets a snapshot, or the events after `seen`.
    ///
    /// # Errors
    /// [`AttachError`]; `NoSuchGame` also when the game's task has just ended.
    pub async fn attach(
        &self,
        account: AccountId,
        seen: Option<Seq>,
        queue: Queue,
    ) -> Result<ListenerId, AttachError> {
        let (answer, answered) = oneshot::channel();
        let visit = Visit::Attach { account, seat: self.seat(account), seen, queue, answer };
        self.visits.try_send(visit).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => AttachError::TooManyListeners,
            mpsc::error::TrySendError::Closed(_) => AttachError::NoSuchGame,
        })?;
        answered.await.unwrap_or(Err(AttachError::NoSuchGame))
    }

    /// Tells the game that a listener's stream has ended.
    pub async fn detach(&self, listener: ListenerId) {
        // A task that has ended has no listeners.
        let _ = self.visits.send(Visit::Detach(listener)).await;
    }

    /// Says something at the game.
    ///
    /// # Errors
    /// [`TalkError`]; a full mailbox is `Busy` at once.
    pub async fn talk(
        &self,
        account: AccountId,
        handle: Handle,
        frame: TalkFrame,
    ) -> Result<Heard, TalkError> {
        let (answer, answered) = oneshot::channel();
        let speaker = Speaker { account, handle, seat: self.seat(account) };
        self.visits.try_send(Visit::Talk { speaker, frame, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => TalkError::Busy,
            mpsc::error::TrySendError::Closed(_) => TalkError::NobodyThere,
        })?;
        answered.await.unwrap_or(Err(TalkError::NobodyThere))
    }

    /// Tells the game that the rematch which was agreed to has begun or, without a number, could not.
    pub async fn settle_rematch(&self, begun: Option<GameId>) {
        // A task that has ended has nobody to tell.
        let _ = self.visits.send(Visit::RematchSettled(begun)).await;
    }

    /// How the game stands, for a list; none when its task has just ended or is too busy to say.
    pub async fn summary(&self) -> Option<GameSummary> {
        let (answer, answered) = oneshot::channel();
        self.visits.try_send(Visit::Summary(answer)).ok()?;
        answered.await.ok()
    }
}
