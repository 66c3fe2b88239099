//! The stream of one game: an attach, then intents up and frames down.

use super::frames::{Breach, next_frame, next_heard, write_frames};
use super::pace::Paces;
use crate::game::audience::ListenerId;
use crate::game::entry::Cause;
use crate::game::handle::{Act, Arrival, GameHandle, Upshot};
use crate::game::registry::{Finished, LoadError};
use crate::hall::Hall;
use crate::metrics::RefusalKind;
use crate::metrics::figure::Stopwatch;
use crate::queue::{Backlog, Queue, WeakQueue, queue};
use crate::store::Account;
use chatrang_protocol::client_frame::{ClientFrame, Heard, Unknown};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::ids::{AccountId, Seq};
use chatrang_protocol::intent::{Attach, Intent, IntentError, IntentFrame};
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::talk::{TalkAnswer, TalkError, TalkFrame};
use chatrang_protocol::view::{Answer, AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Millis, Party};
use quinn::{Connection, RecvStream, SendStream};
use std::sync::Arc;
use std::time::Duration;
use tracing::{debug, error};

/// Whose stream it is.
pub(super) struct Guest {
    pub(super) hall: Hall,
    pub(super) account: Account,
    pub(super) connection: Connection,
    pub(super) paces: Arc<Paces>,
    pub(super) backlog: Backlog,
}

/// How long a stream may take to name its game.
const ATTACH_TIME: Duration = Duration::from_secs(limits::ATTACH_SECONDS_MAX);

/// Serves a stream until either side is done with it. One that is too slow ends alone: its client's other games
/// are none the worse for it.
pub(super) async fn serve(guest: Guest, sender: SendStream, receiver: RecvStream) -> Result<(), Breach> {
    let mut receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
    match converse(guest, FrameSender::new(sender), &mut receiver).await {
        Err(Breach(code @ CloseCode::FrameTooSlow)) => {
            debug!(why = %code, "stream ended");
            receiver.stop(code);
            Ok(())
        }
        ended => ended,
    }
}

async fn converse(guest: Guest, sender: FrameSender, receiver: &mut FrameReceiver) -> Result<(), Breach> {
    let attach = tokio::time::timeout(ATTACH_TIME, next_frame(receiver)).await;
    let attach = match attach.unwrap_or(Err(Breach(CloseCode::FrameTooSlow)))? {
        Some(ClientFrame::Attach(attach)) => attach,
        Some(_) => return Err(Breach(CloseCode::WrongPhase)),
        None => return Ok(()),
    };
    let (queue, frames) = queue(limits::LISTENER_FRAMES_MAX, &guest.backlog);
    let writer = tokio::spawn(write_frames(sender, frames, guest.hall.metrics.clone()));
    let attached = {
        let _turn = guest.backlog.turn().await;
        guest.attach(attach, &queue).await
    };
    let outcome = match attached {
        Ok(place) => {
            // The audience of a game in play has its own end of the queue: when that lets go of a
            // listener that does not keep up, the stream ends, and the client attaches again.
            let answers = queue.downgrade();
            let kept = matches!(place, Place::AtRecord(_)).then_some(queue);
            let outcome = guest.hear(receiver, &place, &answers).await;
            drop(kept);
            place.leave().await;
            outcome
        }
        Err(refusal) => {
            guest.hall.metrics.refusals.count(RefusalKind::Attach);
            debug!(game = %attach.game, why = %refusal, "attach refused");
            tell(&queue, &GameFrame::Refused(refusal)).await;
            drop(queue);
            Ok(())
        }
    };
    // A writer that panicked has nothing more to write.
    let _ = writer.await;
    outcome
}

/// What a stream is attached to.
enum Place {
    /// A game in play.
    AtTable { game: GameHandle, listener: ListenerId },
    /// The record of one that is over.
    AtRecord(Box<Finished>),
}

impl Place {
    /// The side that an account plays, or has played, here.
    fn seat(&self, account: AccountId) -> Option<Color> {
        match self {
            Self::AtTable { game, .. } => game.seat(account),
            Self::AtRecord(finished) => finished.seat(account),
        }
    }

    async fn leave(self) {
        if let Self::AtTable { game, listener } = self {
            game.detach(listener).await;
        }
    }
}

/// What is left to be said to an intent.
enum Reply {
    /// This.
    Answer(Answer),
    /// Nothing: the game's task has answered.
    Given,
    /// Nothing: nobody knows what came of it.
    Unknown,
}

impl Guest {
    /// Attaches to a game in play, or opens the record of one that is over.
    async fn attach(&self, attach: Attach, queue: &Queue) -> Result<Place, AttachError> {
        if let Some(game) = self.hall.registry.find(attach.game) {
            match game.attach(self.account.id, attach.seen, queue.clone()).await {
                Ok(listener) => return Ok(Place::AtTable { game, listener }),
                // Its task has just ended: the store has all of it.
                Err(AttachError::NoSuchGame) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        // In a box: every stream's task would be as large as this, and few look at what is over.
        let finished = Box::pin(self.hall.registry.finished(attach.game, self.account.id));
        let finished = finished.await.map_err(|error| match error {
            LoadError::SetAside { .. } => AttachError::SetAside,
            LoadError::Interrupted { .. } => {
                debug!(game = %attach.game, %error, "somebody has to wait until a game goes on");
                AttachError::StoreUnavailable
            }
            error => {
                error!(game = %attach.game, %error, "a game's record cannot be read");
                AttachError::StoreUnavailable
            }
        })?;
        let (snapshot, finished) = finished.ok_or(AttachError::NoSuchGame)?;
        tell(queue, &GameFrame::Snapshot(snapshot)).await;
        Ok(Place::AtRecord(Box::new(finished)))
    }

    /// Hears the intents of the stream and what is said on it, one after the other.
    async fn hear(
        &self,
        receiver: &mut FrameReceiver,
        place: &Place,
        answers: &WeakQueue,
    ) -> Result<(), Breach> {
        while let Some(heard) = next_heard(receiver).await? {
            let arrival = self.arrival();
            if !self.paces.intents.allows() {
                return Err(Breach(CloseCode::TooMany));
            }
            let answer = match heard {
                Heard::Known(ClientFrame::Intent(frame)) => {
                    match self.reply(place, frame, arrival).await {
                        Reply::Answer(answer) => GameFrame::Answer(answer),
                        Reply::Given => continue,
                        // The game's task is gone, and its audience with it: he asks again when he is back.
                        Reply::Unknown => return Ok(()),
                    }
                }
                Heard::Known(ClientFrame::Talk(frame)) => {
                    let id = frame.id;
                    let outcome = self.talk(place, frame).await;
                    if outcome.is_err() {
                        self.hall.metrics.refusals.count(RefusalKind::Talk);
                    }
                    GameFrame::Talked(TalkAnswer { id, outcome })
                }
                Heard::Unknown(Unknown::Intent(intent)) => {
                    self.hall.metrics.refusals.count(RefusalKind::Unsupported);
                    GameFrame::Answer(Answer { intent, outcome: Err(IntentError::Unsupported) })
                }
                Heard::Unknown(Unknown::Talk(id)) => {
                    self.hall.metrics.refusals.count(RefusalKind::Unsupported);
                    GameFrame::Talked(TalkAnswer { id, outcome: Err(TalkError::Unsupported) })
                }
                Heard::Unknown(Unknown::Frame) => continue,
                Heard::Known(_) | Heard::Unknown(Unknown::Request(_)) => {
                    return Err(Breach(CloseCode::WrongPhase));
                }
            };
            // Without a queue the audience has let this listener go; he asks again when he is back.
            let Some(queue) = answers.upgrade() else { return Ok(()) };
            tell(&queue, &answer).await;
        }
        Ok(())
    }

    /// That of a frame that is whole now.
    fn arrival(&self) -> Arrival {
        let timeline = &self.hall.timeline;
        Arrival {
            at: timeline.now(),
            path_rtt: Millis(timeline.network_ms(self.connection.rtt())),
            stopwatch: Stopwatch::start(),
        }
    }

    /// Brings an intent where it belongs.
    async fn reply(&self, place: &Place, frame: IntentFrame, arrival: Arrival) -> Reply {
        let intent = frame.id;
        let outcome = match self.act(place, frame, arrival).await {
            None => return Reply::Unknown,
            Some(Ok(None)) => return Reply::Given,
            Some(Ok(Some(seq))) => Ok(seq),
            Some(Err(why)) => Err(why),
        };
        if let Err(why) = &outcome {
            self.hall.metrics.refusals.count(RefusalKind::of(why));
            debug!(law = why.law(), %why, "intent refused");
        }
        Reply::Answer(Answer { intent, outcome })
    }

    /// Says something at the game; when that agrees to a rematch, begins it.
    async fn talk(&self, place: &Place, frame: TalkFrame) -> Result<(), TalkError> {
        let Place::AtTable { game, .. } = place else { return Err(TalkError::NobodyThere) };
        let Upshot::Agreed(agreement) =
            game.talk(self.account.id, self.account.handle.clone(), frame).await?
        else {
            return Ok(());
        };
        let (lobby, game) = (self.hall.lobby.clone(), game.clone());
        // A task of its own: a client that hangs up in the middle must not leave half a game behind.
        let errand = self.hall.errands.spawn(async move {
            let begun = lobby.begin_rematch(agreement).await;
            game.settle_rematch(begun.as_ref().ok().copied()).await;
            begun
        });
        match errand.await {
            Ok(begun) => begun.map(drop).map_err(TalkError::NoGame),
            Err(_) => Err(TalkError::Busy),
        }
    }

    /// What came of an intent. No event when the game's task has told it, and nothing when it is unknown, and the
    /// same intent has to ask again.
    async fn act(
        &self,
        place: &Place,
        frame: IntentFrame,
        arrival: Arrival,
    ) -> Option<Result<Option<Seq>, IntentError>> {
        let by = match self.party(place, &frame.intent).await {
            Ok(by) => by,
            Err(refusal) => return Some(Err(refusal)),
        };
        let cause = Cause { account: self.account.id, intent: frame.id };
        match place {
            Place::AtTable { game, listener } => {
                let IntentFrame { intent, seen, .. } = frame;
                let acted = game.act(Act { cause, from: *listener, by, intent, seen, arrival }).await?;
                Some(acted.map(|()| None))
            }
            Place::AtRecord(finished) => Some(finished.answer(cause).map(Some)),
        }
    }

    /// As whom this client acts: a player for his side, an arbiter where he rules in the games of others, and
    /// nobody else at all.
    async fn party(&self, place: &Place, intent: &Intent) -> Result<Party, IntentError> {
        if let Some(color) = place.seat(self.account.id) {
            return Ok(Party::Player(color));
        }
        if !matches!(intent, Intent::Rule(_)) {
            return Err(IntentError::NotSeated);
        }
        // As the roles are now: whoever has lost his since he came in rules no more.
        match self.hall.store.account(self.account.id).await {
            Ok(Some(account)) if account.role.is_arbiter() => Ok(Party::Arbiter),
            Ok(_) => Err(IntentError::NotSeated),
            Err(error) => {
                error!(%error, "an account cannot be read");
                Err(IntentError::Busy)
            }
        }
    }
}

/// Waits until a frame is in the queue: only the stream's own reader waits for its own writer.
async fn tell(queue: &Queue, frame: &GameFrame) {
    match encode_frame(frame, limits::SERVER_FRAME_BYTES_MAX) {
        // An error means that the stream is gone.
        Ok(frame) => drop(queue.send(frame).await),
        Err(error) => error!(%error, "a frame has no encoding: this is a fault of the server"),
    }
}
