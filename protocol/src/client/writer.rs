//! The one task that writes to a stream: a write that is dropped half-way would leave half a frame.

use crate::net::stream::FrameSender;
use bytes::Bytes;
use tokio::sync::mpsc;

/// Starts it. It writes what it is given in order, and finishes the stream when it is given no more;
/// it stops early, so that the channel closes, when the stream is gone.
pub(super) fn start(mut sender: FrameSender, frames_waiting_max: usize) -> mpsc::Sender<Bytes> {
    let (give, mut take) = mpsc::channel::<Bytes>(frames_waiting_max);
    tokio::spawn(async move {
        while let Some(frame) = take.recv().await {
            if sender.send(frame).await.is_err() {
                return;
            }
        }
        sender.finish();
    });
    give
}
