//! Frames that wait for one stream, and all that wait for one connection.
//!
//! A client that reads nothing is told nothing more: each of its streams has a queue of so many frames, and all of
//! them together hold so many bytes. Nobody waits for it.

use bytes::Bytes;
use chatrang_protocol::limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Mutex, MutexGuard, Notify, mpsc};

/// All that waits for one connection. Cheap to clone; the same backlog behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Backlog(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    bytes: AtomicUsize,
    /// Told when there is room again.
    room: Notify,
    /// Held by the one who is about to put something long into it.
    turn: Mutex<()>,
}

impl Backlog {
    /// Waits for one's turn to put a snapshot into it: one after the other, each when there is room.
    pub async fn turn(&self) -> MutexGuard<'_, ()> {
        let turn = self.0.turn.lock().await;
        loop {
            let mut room = std::pin::pin!(self.0.room.notified());
            // From here on nothing is missed.
            room.as_mut().enable();
            if self.has_room() {
                return turn;
            }
            room.await;
        }
    }

    /// How many bytes wait.
    pub fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Whether another frame may be put into it: the last one may pass the bound.
    fn has_room(&self) -> bool {
        self.bytes() < limits::BACKLOG_BYTES_MAX
    }

    fn add(&self, bytes: usize) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn remove(&self, bytes: usize) {
        let before = self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
        if before >= limits::BACKLOG_BYTES_MAX && before - bytes < limits::BACKLOG_BYTES_MAX {
            self.0.room.notify_waiters();
        }
    }
}

/// A frame that waits, or is being written: its bytes are in the backlog for as long as this lives, whatever
/// becomes of its queue.
#[derive(Debug)]
struct Counted {
    backlog: Backlog,
    bytes: usize,
}

impl Counted {
    fn new(backlog: &Backlog, frame: &Bytes) -> Self {
        backlog.add(frame.len());
        Self { backlog: backlog.clone(), bytes: frame.len() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.backlog.remove(self.bytes);
    }
}

/// The end of a stream's queue that frames are put into, as bytes that may be shared with others' queues.
#[derive(Clone, Debug)]
pub struct Queue {
    frames: mpsc::Sender<(Bytes, Counted)>,
    backlog: Backlog,
}

/// The same without keeping the queue open.
#[derive(Clone, Debug)]
pub struct WeakQueue {
    frames: mpsc::WeakSender<(Bytes, Counted)>,
    backlog: Backlog,
}

/// The end that frames are taken from.
#[derive(Debug)]
pub struct Frames {
    waiting: mpsc::Receiver<(Bytes, Counted)>,
    /// Taken, and not yet handed on; empty between two calls.
    taken: Vec<(Bytes, Counted)>,
    /// What was handed on last, and is being written.
    in_hand: Vec<Counted>,
}

/// Why a frame was not put into a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// As many frames or bytes wait as may.
    #[error("the client does not take what waits for it")]
    Full,
    /// The stream is gone.
    #[error("the stream is gone")]
    Closed,
}

/// A queue of at most so many frames, which counts in `backlog`.
pub fn queue(frames_max: usize, backlog: &Backlog) -> (Queue, Frames) {
    let (sender, receiver) = mpsc::channel(frames_max);
    let queue = Queue { frames: sender, backlog: backlog.clone() };
    (queue, Frames { waiting: receiver, taken: Vec::new(), in_hand: Vec::new() })
}

impl Queue {
    /// Puts a frame into it at once, or not at all.
    ///
    /// # Errors
    /// [`QueueError`]; the frame is lost then.
    pub fn try_send(&self, frame: Bytes) -> Result<(), QueueError> {
        if !self.backlog.has_room() {
            return Err(if self.frames.is_closed() { QueueError::Closed } else { QueueError::Full });
        }
        let counted = Counted::new(&self.backlog, &frame);
        self.frames.try_send((frame, counted)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => QueueError::Full,
            mpsc::error::TrySendError::Closed(_) => QueueError::Closed,
        })
    }

    /// Puts a frame into it as soon as it has a place for one: for the stream's own reader, which takes the next
    /// thing that it is asked only then.
    ///
    /// # Errors
    /// [`QueueError::Closed`] when nobody takes it any more.
    pub async fn send(&self, frame: Bytes) -> Result<(), QueueError> {
        let place = self.frames.reserve().await.map_err(|_| QueueError::Closed)?;
        let counted = Counted::new(&self.backlog, &frame);
        place.send((frame, counted));
        Ok(())
    }

    /// The same queue, which may close meanwhile.
    pub fn downgrade(&self) -> WeakQueue {
        WeakQueue { frames: self.frames.downgrade(), backlog: self.backlog.clone() }
    }
}

impl WeakQueue {
    /// The queue, if anybody else has kept it open.
    pub fn upgrade(&self) -> Option<Queue> {
        Some(Queue { frames: self.frames.upgrade()?, backlog: self.backlog.clone() })
    }
}

impl Frames {
    /// The next frames, as many as wait and `few` at most, behind what is in `handed`; how many, which is none when
    /// no more will come. Those before them have left the backlog by then.
    pub async fn next_few(&mut self, handed: &mut Vec<Bytes>, few: usize) -> usize {
        self.in_hand.clear();
        let count = self.waiting.recv_many(&mut self.taken, few).await;
        for (frame, counted) in self.taken.drain(..) {
            handed.push(frame);
            self.in_hand.push(counted);
        }
        count
    }

    /// The next frame alone.
    pub async fn next(&mut self) -> Option<Bytes> {
        self.in_hand.clear();
        let (frame, counted) = self.waiting.recv().await?;
        self.in_hand.push(counted);
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn frame(bytes: usize) -> Bytes {
        vec![7; bytes].into()
    }

    /// Whether `future` is done when it is looked at once.
    fn is_ready(future: impl Future) -> bool {
        future.now_or_never().is_some()
    }

    #[tokio::test]
    async fn all_queues_of_a_connection_hold_so_many_bytes_and_the_last_frame() {
        let backlog = Backlog::default();
        let (first, mut first_frames) = queue(64, &backlog);
        let (second, second_frames) = queue(64, &backlog);
        first.try_send(frame(limits::BACKLOG_BYTES_MAX - 1)).unwrap();
        second.try_send(frame(1_000)).unwrap();
        assert_eq!(first.try_send(frame(1)), Err(QueueError::Full));
        assert_eq!(second.try_send(frame(1)), Err(QueueError::Full));
        assert_eq!(backlog.bytes(), limits::BACKLOG_BYTES_MAX + 999);
        // A frame counts until the next one is asked for: it is being written.
        first_frames.next().await.unwrap();
        assert_eq!(second.try_send(frame(1)), Err(QueueError::Full));
        assert!(!is_ready(first_frames.next()));
        second.try_send(frame(1)).unwrap();
        drop(second_frames);
        assert_eq!(second.try_send(frame(1)), Err(QueueError::Closed));
        assert_eq!(backlog.bytes(), 0);
    }

    #[tokio::test]
    async fn a_queue_holds_so_many_frames() {
        let backlog = Backlog::default();
        let (queue, mut frames) = queue(2, &backlog);
        queue.try_send(frame(5)).unwrap();
        queue.send(frame(5)).await.unwrap();
        assert_eq!(queue.try_send(frame(5)), Err(QueueError::Full));
        assert!(!is_ready(queue.send(frame(5))));
        assert_eq!(backlog.bytes(), 10, "what was not put in is not counted");
        frames.next().await.unwrap();
        queue.send(frame(5)).await.unwrap();
        let weak = queue.downgrade();
        assert!(weak.upgrade().is_some());
        drop(queue);
        assert!(weak.upgrade().is_none());
        drop(frames);
        assert_eq!(backlog.bytes(), 0);
    }

    #[tokio::test]
    async fn frames_are_taken_together_and_count_together_until_the_next_are() {
        let backlog = Backlog::default();
        let (queue, mut frames) = queue(8, &backlog);
        for bytes in [1, 2, 4, 8] {
            queue.try_send(frame(bytes)).unwrap();
        }
        let mut taken = Vec::new();
        assert_eq!(frames.next_few(&mut taken, 3).await, 3);
        assert_eq!((taken.len(), backlog.bytes()), (3, 15));
        assert_eq!(frames.next_few(&mut taken, 3).await, 1);
        assert_eq!((taken.len(), backlog.bytes()), (4, 8));
        drop(queue);
        assert_eq!(frames.next_few(&mut taken, 3).await, 0);
        assert_eq!(backlog.bytes(), 0);
    }

    #[tokio::test]
    async fn snapshots_wait_for_room_one_after_the_other() {
        let backlog = Backlog::default();
        let (queue, mut frames) = queue(4, &backlog);
        let turn = backlog.turn().await;
        assert!(!is_ready(backlog.turn()), "another's turn");
        queue.try_send(frame(limits::BACKLOG_BYTES_MAX)).unwrap();
        drop(turn);
        let mut next = std::pin::pin!(backlog.turn());
        assert!(!is_ready(next.as_mut()), "no room");
        frames.next().await.unwrap();
        assert!(!is_ready(frames.next()));
        assert!(is_ready(next));
    }
}
