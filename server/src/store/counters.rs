//! What the writer has done: counted by it, read by whoever wants to know.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the writer has done since the store was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreCounters {
    /// Transactions on disk.
    pub commits: u64,
    /// Requests that they carried.
    pub changes: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    commits: AtomicU64,
    changes: AtomicU64,
}

impl Counters {
    pub(super) fn read(&self) -> StoreCounters {
        StoreCounters {
            commits: self.commits.load(Ordering::Relaxed),
            changes: self.changes.load(Ordering::Relaxed),
        }
    }

    /// Counts one commit that carried `changes`.
    pub(super) fn count(&self, changes: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.changes.fetch_add(changes, Ordering::Relaxed);
    }
}
