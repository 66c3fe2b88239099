//! What control and game streams have in common: frames in, frames out, and breaches.

use crate::metrics::Metrics;
use crate::metrics::figure::Stopwatch;
use crate::queue::Frames;
use chatrang_protocol::client_frame::{ClientFrame, Heard};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::net::stream::{FrameReceiver, FrameSender};

/// A peer did what the protocol does not allow: the connection closes with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Breach(pub(super) CloseCode);

/// The next frame, which every version knows; none when the client has finished or the connection is gone.
pub(super) async fn next_frame(receiver: &mut FrameReceiver) -> Result<Option<ClientFrame>, Breach> {
    match next_heard(receiver).await? {
        Some(Heard::Known(frame)) => Ok(Some(frame)),
        Some(Heard::Unknown(_)) => Err(Breach(CloseCode::WrongPhase)),
        None => Ok(None),
    }
}

/// The next frame, which may be of a later version.
pub(super) async fn next_heard(receiver: &mut FrameReceiver) -> Result<Option<Heard>, Breach> {
    match receiver.next().await {
        Ok(Some(bytes)) => Heard::read(&bytes).map(Some).map_err(|_| Breach(CloseCode::Malformed)),
        Ok(None) => Ok(None),
        Err(error) => match error.close_code() {
            Some(code) => Err(Breach(code)),
            None => Ok(None),
        },
    }
}

/// Frames that are taken from a queue at once. They are on their way and do not wait in it any more: few, so
/// that the queue's bound is the listener's.
const FRAMES_AT_ONCE_MAX: usize = 8;

/// Writes frames as they come, those that have come together in one go; finishes the stream when no more
/// will, and returns when the peer has all of it.
pub(super) async fn write_frames(mut sender: FrameSender, mut frames: Frames, metrics: Metrics) {
    let mut taken = Vec::new();
    while frames.next_few(&mut taken, FRAMES_AT_ONCE_MAX).await > 0 {
        let turn = Stopwatch::start();
        if sender.send_all(&mut taken).await.is_err() {
            return;
        }
        taken.clear();
        metrics.stream_write.observe(turn.elapsed());
    }
    sender.finish();
    // An error means that the connection is gone.
    let _ = sender.stopped().await;
}
