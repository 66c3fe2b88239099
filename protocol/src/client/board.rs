//! A notice board: what it says at present, for everybody who has to know.
//!
//! It is what tokio's `watch` is, but for one thing: its readers wake in the order in which they began to wait.
//! `watch` draws lots, so a client with several games would take them up in another order each time, and no
//! simulated world would be the same twice.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Whoever writes on the board; when he is gone, it says the same for ever.
#[derive(Debug)]
pub(super) struct Board<T>(Arc<Shared<T>>);

/// Whoever reads it, and has read so many of its changes.
#[derive(Clone, Debug)]
pub(super) struct Reader<T> {
    shared: Arc<Shared<T>>,
    read: u64,
}

/// The board's writer is gone: it will not change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abandoned;

#[derive(Debug)]
struct Shared<T> {
    posted: Mutex<Posted<T>>,
    changed: Notify,
}

#[derive(Debug)]
struct Posted<T> {
    value: T,
    changes: u64,
    is_abandoned: bool,
}

impl<T> Board<T> {
    /// A board and its first reader, who has read what it says.
    pub(super) fn new(value: T) -> (Self, Reader<T>) {
        let posted = Mutex::new(Posted { value, changes: 0, is_abandoned: false });
        let shared = Arc::new(Shared { posted, changed: Notify::new() });
        (Self(Arc::clone(&shared)), Reader { shared, read: 0 })
    }

    /// Changes what it says, and wakes all who wait for that.
    pub(super) fn change(&self, change: impl FnOnce(&mut T)) {
        let mut posted = self.0.lock();
        change(&mut posted.value);
        posted.changes += 1;
        drop(posted);
        self.0.changed.notify_waiters();
    }
}

impl<T> Drop for Board<T> {
    fn drop(&mut self) {
        self.0.lock().is_abandoned = true;
        self.0.changed.notify_waiters();
    }
}

impl<T> Reader<T> {
    /// Looks at the board, which does not count as reading it.
    pub(super) fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.shared.lock().value)
    }

    /// Reads what it says now.
    pub(super) fn read<R>(&mut self, read: impl FnOnce(&T) -> R) -> R {
        let posted = self.shared.lock();
        self.read = posted.changes;
        read(&posted.value)
    }

    /// Completes when it says something else than when it was last read. Cancel-safe.
    ///
    /// # Errors
    /// [`Abandoned`] when it never will.
    pub(super) async fn changed(&mut self) -> Result<(), Abandoned> {
        loop {
            // Waits from here on, so that no change between the look and the wait is missed.
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let posted = self.shared.lock();
                if posted.changes != self.read {
                    self.read = posted.changes;
                    return Ok(());
                }
                if posted.is_abandoned {
                    return Err(Abandoned);
                }
            }
            changed.await;
        }
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Posted<T>> {
        self.posted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc;

    #[tokio::test]
    async fn readers_wake_in_the_order_in_which_they_began_to_wait() {
        let (board, reader) = Board::new(0);
        let (tell, mut told) = mpsc::unbounded_channel();
        for number in 0..20 {
            let (mut reader, tell) = (reader.clone(), tell.clone());
            tokio::spawn(async move {
                reader.changed().await.unwrap();
                tell.send((number, reader.read(|value| *value))).unwrap();
            });
        }
        tokio::task::yield_now().await;
        board.change(|value| *value = 7);
        for number in 0..20 {
            assert_eq!(told.recv().await, Some((number, 7)));
        }
    }

    #[tokio::test]
    async fn a_change_is_heard_of_once_and_the_end_for_ever() {
        let (board, mut reader) = Board::new(0);
        board.change(|value| *value += 1);
        board.change(|value| *value += 1);
        assert_eq!(reader.look(|value| *value), 2);
        assert_eq!(reader.changed().await, Ok(()), "a look is no reading");
        board.change(|value| *value += 1);
        assert_eq!(reader.read(|value| *value), 3);
        drop(board);
        assert_eq!(reader.changed().await, Err(Abandoned));
        assert_eq!(reader.changed().await, Err(Abandoned));
    }
}
