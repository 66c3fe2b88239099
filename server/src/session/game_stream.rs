//! The stream of one game: an attach, then intents up and frames down.

use super::{Breach, Hall, next_frame, write_frames};
use crate::game::audience::ListenerId;
use crate::game::entry::Cause;
use crate::game::handle::{Act, GameHandle};
use bytes::Bytes;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec;
use chatrang_protocol::ids::{AccountId, GameId};
use chatrang_protocol::intent::{Attach, IntentError, IntentFrame};
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender, encode_frame};
use chatrang_protocol::view::{Answer, AttachError, GameFrame};
use quinn::{RecvStream, SendStream};
use tokio::sync::mpsc;
use tracing::{debug, error};

/// Serves a stream until either side is done with it.
pub(super) async fn serve(
    hall: Hall,
    account: AccountId,
    sender: SendStream,
    receiver: RecvStream,
) -> Result<(), Breach> {
    let mut receiver = FrameReceiver::new(receiver, limits::CLIENT_FRAME_BYTES_MAX);
    let Some(bytes) = next_frame(&mut receiver).await? else { return Ok(()) };
    let attach: Attach = codec::decode(&bytes).map_err(|_| Breach(CloseCode::Malformed))?;

    let (queue, frames) = mpsc::channel(limits::LISTENER_FRAMES_MAX);
    let writer = tokio::spawn(write_frames(FrameSender::new(sender), frames));
    let attached = attach_to(&hall, account, attach, &queue).await;
    let outcome = match attached {
        Ok(Some(seat)) => {
            let intents = Intents { hall: &hall, account, game: &seat.game, queue: queue.downgrade() };
            // The game's audience has its own end of the queue: when that lets go of a listener that
            // does not keep up, the stream ends, and the client attaches again.
            drop(queue);
            let outcome = intents.hear(&mut receiver).await;
            seat.game.detach(seat.listener).await;
            outcome
        }
        Ok(None) => {
            drop(queue);
            Ok(())
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

/// A stream's place in a game that is in play.
struct Seated {
    game: GameHandle,
    listener: ListenerId,
}

/// Attaches to a game in play, or shows one that is over (`None`).
async fn attach_to(
    hall: &Hall,
    account: AccountId,
    attach: Attach,
    queue: &mpsc::Sender<Bytes>,
) -> Result<Option<Seated>, AttachError> {
    if let Some(game) = hall.registry.find(attach.game) {
        match game.attach(account, attach.seen, queue.clone()).await {
            Ok(listener) => return Ok(Some(Seated { game, listener })),
            // Its task has just ended: the store has all of it.
            Err(AttachError::NoSuchGame) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    show_finished(hall, account, attach.game, queue).await.map(|()| None)
}

async fn show_finished(
    hall: &Hall,
    account: AccountId,
    game: GameId,
    queue: &mpsc::Sender<Bytes>,
) -> Result<(), AttachError> {
    let snapshot = hall.registry.finished(game, account).await.map_err(|error| {
        error!(%game, %error, "a game's record cannot be read");
        AttachError::StoreUnavailable
    })?;
    tell(queue, &GameFrame::Snapshot(snapshot.ok_or(AttachError::NoSuchGame)?)).await;
    Ok(())
}

/// Hears the intents of one stream, one after the other.
struct Intents<'a> {
    hall: &'a Hall,
    account: AccountId,
    game: &'a GameHandle,
    queue: mpsc::WeakSender<Bytes>,
}

impl Intents<'_> {
    async fn hear(&self, receiver: &mut FrameReceiver) -> Result<(), Breach> {
        while let Some(bytes) = next_frame(receiver).await? {
            let arrival = self.hall.timeline.now();
            let IntentFrame { id, intent, .. } =
                codec::decode(&bytes).map_err(|_| Breach(CloseCode::Malformed))?;
            let cause = Cause { account: self.account, intent: id };
            let outcome = match self.game.seat(self.account) {
                Some(color) => self.game.act(Act { cause, color, intent, arrival }).await,
                None => Err(IntentError::NotSeated),
            };
            if let Err(why) = &outcome {
                debug!(game = %self.game.game, law = why.law(), %why, "intent refused");
            }
            // Without a queue the audience has let this listener go; he asks again when he is back.
            let Some(queue) = self.queue.upgrade() else { return Ok(()) };
            tell(&queue, &GameFrame::Answer(Answer { intent: id, outcome })).await;
        }
        Ok(())
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
