//! How the rest of the server asks a game's task for something.

use super::audience::ListenerId;
use super::entry::Cause;
use super::rematch::Agreement;
use crate::limits::{GAME_ANSWER_SECONDS_MAX, GAME_SUMMARY_SECONDS_MAX};
use crate::metrics::figure::Stopwatch;
use crate::queue::Queue;
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId, Handle, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::limits;
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::talk::{TalkError, TalkFrame};
use chatrang_protocol::view::AttachError;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Millis, Party};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tracing::error;

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
    Talk { speaker: Speaker, frame: TalkFrame, answer: oneshot::Sender<Result<Upshot, TalkError>> },
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
pub enum Upshot {
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
    /// Runs since then, for the metrics alone.
    pub stopwatch: Stopwatch,
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
    /// acceptance when what came of it is on disk, and right before he hears of that like everybody else.
    ///
    /// None when the task has ended with the intent in its hands: what came of it is unknown, and the same
    /// intent, sent again, will tell.
    ///
    /// # Errors
    /// The answer where nobody has given one: `Busy` at once for a full mailbox, and for a task that does not
    /// answer after a while; `ServerStopping` where there is no task any more. The same intent, sent again,
    /// gets the answer that it has then.
    pub async fn act(&self, act: Act) -> Option<Result<(), IntentError>> {
        let (answered, is_answered) = oneshot::channel();
        if let Err(refused) = self.acts.try_send(Letter { act, answered }) {
            return Some(Err(match refused {
                mpsc::error::TrySendError::Full(_) => IntentError::Busy,
                mpsc::error::TrySendError::Closed(_) => IntentError::ServerStopping,
            }));
        }
        match self.patiently(is_answered).await {
            Some(answered) => answered.ok().map(Ok),
            None => Some(Err(IntentError::Busy)),
        }
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
        let answer = self.patiently(answered).await.ok_or(AttachError::StoreUnavailable)?;
        answer.unwrap_or(Err(AttachError::NoSuchGame))
    }

    /// Tells the game that a listener's stream has ended.
    pub async fn detach(&self, listener: ListenerId) {
        // A task that has ended has no listeners, and one that does not answer finds out by itself.
        let _ = self.patiently(self.visits.send(Visit::Detach(listener))).await;
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
    ) -> Result<Upshot, TalkError> {
        let (answer, answered) = oneshot::channel();
        let speaker = Speaker { account, handle, seat: self.seat(account) };
        self.visits.try_send(Visit::Talk { speaker, frame, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => TalkError::Busy,
            mpsc::error::TrySendError::Closed(_) => TalkError::NobodyThere,
        })?;
        let answer = self.patiently(answered).await.ok_or(TalkError::Busy)?;
        answer.unwrap_or(Err(TalkError::NobodyThere))
    }

    /// Tells the game that the rematch which was agreed to has begun or, without a number, could not.
    pub async fn settle_rematch(&self, begun: Option<GameId>) {
        // A task that has ended has nobody to tell.
        let _ = self.patiently(self.visits.send(Visit::RematchSettled(begun))).await;
    }

    /// How the game stands, for a list; none when its task has just ended or is too busy to say.
    pub async fn summary(&self) -> Option<GameSummary> {
        let (answer, answered) = oneshot::channel();
        self.visits.try_send(Visit::Summary(answer)).ok()?;
        timeout(Duration::from_secs(GAME_SUMMARY_SECONDS_MAX), answered).await.ok()?.ok()
    }

    /// Waits for the task, but not for ever.
    async fn patiently<T>(&self, answer: impl Future<Output = T>) -> Option<T> {
        let answer = timeout(Duration::from_secs(GAME_ANSWER_SECONDS_MAX), answer).await;
        if answer.is_err() {
            error!(game = %self.game, "the game's task does not answer: start the server again, and it goes on");
        }
        answer.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{Backlog, queue};
    use chatrang_protocol::chat::ChatText;
    use chatrang_protocol::ids::{IntentId, TalkId};
    use chatrang_protocol::talk::Talk;
    use tokio::time::Instant;

    const WHITE: AccountId = AccountId(1);

    fn act(intent: u64) -> Act {
        Act {
            cause: Cause { account: WHITE, intent: IntentId(intent) },
            from: ListenerId(0),
            by: Party::Player(Color::White),
            intent: Intent::Resign,
            seen: Seq(0),
            arrival: Arrival {
                at: ServerInstant::ZERO,
                path_rtt: Millis::ZERO,
                stopwatch: Stopwatch::start(),
            },
        }
    }

    /// A game whose task reads none of its mailboxes: everyone is told in time, and nobody waits in vain.
    #[tokio::test(start_paused = true)]
    async fn whoever_asks_a_frozen_game_is_told_in_time() {
        let (game, _mailboxes) = GameHandle::new(GameId(1), ByColor { white: WHITE, black: AccountId(2) });
        let asked = Instant::now();
        let (queue, _frames) = queue(1, &Backlog::default());
        let name = "Shirin".parse().unwrap();
        let hello = TalkFrame { id: TalkId(1), talk: Talk::Say("hello".parse::<ChatText>().unwrap()) };
        let (acted, attached, talked) =
            tokio::join!(game.act(act(1)), game.attach(WHITE, None, queue), game.talk(WHITE, name, hello));
        assert_eq!(acted, Some(Err(IntentError::Busy)));
        assert_eq!(attached, Err(AttachError::StoreUnavailable));
        assert_eq!(talked.unwrap_err(), TalkError::Busy);
        assert_eq!(asked.elapsed(), Duration::from_secs(GAME_ANSWER_SECONDS_MAX));
        assert_eq!(game.summary().await, None);
        assert_eq!(asked.elapsed(), Duration::from_secs(GAME_ANSWER_SECONDS_MAX + GAME_SUMMARY_SECONDS_MAX));
    }

    /// And a mailbox that has filled up meanwhile refuses at once; who leaves does not wait for room.
    #[tokio::test(start_paused = true)]
    async fn a_frozen_games_mailboxes_are_bounded() {
        let (game, mut mailboxes) = GameHandle::new(GameId(1), ByColor { white: WHITE, black: AccountId(2) });
        let (answered, _is_answered) = oneshot::channel();
        while game.visits.try_send(Visit::RematchSettled(None)).is_ok() {}
        game.acts.try_send(Letter { act: act(0), answered }).unwrap();
        let waiting: Vec<_> = (1..limits::GAME_MAILBOX_MAX as u64)
            .map(|intent| {
                let game = game.clone();
                tokio::spawn(async move { game.act(act(intent)).await })
            })
            .collect();
        while game.acts.capacity() > 0 {
            tokio::task::yield_now().await;
        }
        let asked = Instant::now();
        assert_eq!(game.act(act(1_000)).await, Some(Err(IntentError::Busy)));
        assert_eq!(game.summary().await, None);
        assert_eq!(asked.elapsed(), Duration::ZERO);
        game.settle_rematch(None).await;
        for answer in waiting {
            assert_eq!(answer.await.unwrap(), Some(Err(IntentError::Busy)));
        }
        assert_eq!(asked.elapsed(), Duration::from_secs(GAME_ANSWER_SECONDS_MAX));
        assert_eq!(mailboxes.acts.len(), limits::GAME_MAILBOX_MAX);
        mailboxes.acts.close();
    }
}
