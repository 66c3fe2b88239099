//! The stream of one game: an attach, then intents up and frames down.

use super::frames::{Breach, next_frame, write_frames};
use super::pace::Paces;
use crate::game::audience::ListenerId;
use crate::game::entry::Cause;
use crate::game::handle::{Act, GameHandle};
use crate::game::registry::Finished;
use crate::hall::Hall;
use crate::timeline::ServerInstant;
use bytes::Bytes;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::ids::{AccountId, Seq};
use chatrang_protocol::intent::{Attach, IntentError, IntentFrame};
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::role::Role;
use chatrang_protocol::view::{Answer, AttachError, GameFrame};
use chatrang_rules::game::Millis;
use quinn::{RecvStream, SendStream};
use std::sync::Arc;
use tokio::sync::mpsc;
use tracing::{debug, error};

/// Whose stream it is.
pub(super) struct Guest {
    pub(super) hall: Hall,
    pub(super) account: AccountId,
    pub(super) role: Role,
    pub(super) connection: quinn::Connection,
    pub(super) paces: Arc<Paces>,
}

/// Serves a stream until either side is done with it.
pub(super) async fn serve(guest: Guest, sender: SendStream, receiver: RecvStream) -> Result<(), Breach> {
    let mut receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
    let attach = match next_frame(&mut receiver).await? {
        Some(ClientFrame::Attach(attach)) => attach,
        Some(_) => return Err(Breach(CloseCode::WrongPhase)),
        None => return Ok(()),
    };
    let (queue, frames) = mpsc::channel(limits::LISTENER_FRAMES_MAX);
    let writer = tokio::spawn(write_frames(FrameSender::new(sender), frames));
    let outcome = match guest.attach(attach, &queue).await {
        Ok(place) => {
            // The audience of a game in play has its own end of the queue: when that lets go of a
            // listener that does not keep up, the stream ends, and the client attaches again.
            let answers = queue.downgrade();
            let kept = matches!(place, Place::AtRecord(_)).then_some(queue);
            let outcome = guest.hear(&mut receiver, &place, &answers).await;
            drop(kept);
            place.leave().await;
            outcome
        }
        Err(refusal) => {
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
    async fn leave(self) {
        if let Self::AtTable { game, listener } = self {
            game.detach(listener).await;
        }
    }
}

impl Guest {
    /// Attaches to a game in play, or opens the record of one that is over.
    async fn attach(&self, attach: Attach, queue: &mpsc::Sender<Bytes>) -> Result<Place, AttachError> {
        if let Some(game) = self.hall.registry.find(attach.game) {
            match game.attach(self.account, attach.seen, queue.clone()).await {
                Ok(listener) => return Ok(Place::AtTable { game, listener }),
                // Its task has just ended: the store has all of it.
                Err(AttachError::NoSuchGame) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        let finished = self.hall.registry.finished(attach.game, self.account).await.map_err(|error| {
            error!(game = %attach.game, %error, "a game's record cannot be read");
            AttachError::StoreUnavailable
        })?;
        let (snapshot, finished) = finished.ok_or(AttachError::NoSuchGame)?;
        tell(queue, &GameFrame::Snapshot(snapshot)).await;
        Ok(Place::AtRecord(Box::new(finished)))
    }

    /// Hears the intents of the stream, one after the other.
    async fn hear(
        &self,
        receiver: &mut FrameReceiver,
        place: &Place,
        answers: &mpsc::WeakSender<Bytes>,
    ) -> Result<(), Breach> {
        while let Some(frame) = next_frame(receiver).await? {
            let arrival = self.hall.timeline.now();
            let ClientFrame::Intent(frame) = frame else { return Err(Breach(CloseCode::WrongPhase)) };
            if !self.paces.intents.allows() {
                return Err(Breach(CloseCode::TooMany));
            }
            let intent = frame.id;
            let outcome = match place {
                Place::AtTable { game, .. } => self.act(game, frame, arrival).await,
                Place::AtRecord(finished) => finished.answer(self.account, self.role, intent),
            };
            if let Err(why) = &outcome {
                debug!(law = why.law(), %why, "intent refused");
            }
            // Without a queue the audience has let this listener go; he asks again when he is back.
            let Some(queue) = answers.upgrade() else { return Ok(()) };
            tell(&queue, &GameFrame::Answer(Answer { intent, outcome })).await;
        }
        Ok(())
    }

    async fn act(
        &self,
        game: &GameHandle,
        frame: IntentFrame,
        arrival: ServerInstant,
    ) -> Result<Seq, IntentError> {
        let by = game.party(self.account, self.role).ok_or(IntentError::NotSeated)?;
        let cause = Cause { account: self.account, intent: frame.id };
        let path_rtt = Millis(self.connection.rtt().as_millis() as u64);
        game.act(Act { cause, by, intent: frame.intent, seen: frame.seen, arrival, path_rtt }).await
    }
}

/// Waits until a frame is in the queue: only the stream's own reader waits for its own writer.
async fn tell(queue: &mpsc::Sender<Bytes>, frame: &GameFrame) {
    match encode_frame(frame, limits::SERVER_FRAME_BYTES_MAX) {
        // An error means that the stream is gone.
        Ok(frame) => drop(queue.send(frame).await),
        Err(error) => error!(%error, "a frame has no encoding: this is a fault of the server"),
    }
}
