//! Something that changes, and wakes those who wait for that in the order in which they began to: tokio's `watch`
//! draws lots, and no world would be the same twice.

use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// A value and its bell; cheap to clone, the same behind all clones.
#[derive(Debug, Default)]
pub(super) struct Bell<T>(Arc<(Mutex<T>, Notify)>);

impl<T> Clone for Bell<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Bell<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Arc::new((Mutex::new(value), Notify::new())))
    }

    pub(super) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.0.0.lock().unwrap())
    }

    /// Changes the value, and rings.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let changed = change(&mut self.0.0.lock().unwrap());
        self.0.1.notify_waiters();
        changed
    }

    /// Completes when the value is as wanted. Cancel-safe.
    pub(super) async fn until(&self, is_wanted: impl Fn(&T) -> bool) {
        loop {
            // Waits from here on, so that no change between the look and the wait is missed.
            let rung = self.0.1.notified();
            tokio::pin!(rung);
            rung.as_mut().enable();
            if self.read(&is_wanted) {
                return;
            }
            rung.await;
        }
    }
}
