//! What the store's threads have done and what waits for them: counted by them, read by whoever wants to
//! know.

use crate::limits::COMMIT_SECONDS_MAX;
use crate::metrics::figure::{Counter, Gauge, Histogram, Stopwatch};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the writer has done since the store was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreCounters {
    /// Transactions on disk.
    pub commits: u64,
    /// Requests that they carried.
    pub changes: u64,
}

/// All that the store counts of itself.
#[derive(Debug)]
pub struct Counters {
    commits: Counter,
    changes: Counter,
    asked: Counter,
    taken: Counter,
    /// From a transaction's begin until it is on disk.
    pub commit_time: Histogram,
    /// Requests that one commit carried.
    pub batch: Histogram,
    /// Requests that wait for the reader.
    pub reads_waiting: Gauge,
    /// What `began_us` counts from.
    opened: Stopwatch,
    /// When the transaction under way began, in microseconds; 0 when there is none.
    began_us: AtomicU64,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            commits: Counter::default(),
            changes: Counter::default(),
            asked: Counter::default(),
            taken: Counter::default(),
            commit_time: Histogram::of_seconds(),
            batch: Histogram::of_pieces(),
            reads_waiting: Gauge::default(),
            opened: Stopwatch::start(),
            began_us: AtomicU64::new(0),
        }
    }
}

impl Counters {
    /// What the writer has done.
    pub fn read(&self) -> StoreCounters {
        StoreCounters { commits: self.commits.read(), changes: self.changes.read() }
    }

    /// Requests that wait for the writer.
    pub fn waiting(&self) -> u64 {
        // A request may be taken before it is known to have been asked.
        let taken = self.taken.read();
        self.asked.read().saturating_sub(taken)
    }

    /// Whether a transaction is under way for longer than a disk that works takes for one.
    pub fn is_stalled(&self) -> bool {
        let began_us = self.began_us.load(Ordering::Relaxed);
        began_us != 0 && self.now_us() > began_us + Duration::from_secs(COMMIT_SECONDS_MAX).as_micros() as u64
    }

    /// A request was queued for the writer.
    pub(super) fn ask(&self) {
        self.asked.count();
    }

    /// The writer has taken so many of them.
    pub(super) fn take(&self, requests: usize) {
        self.taken.add(requests as u64);
    }

    /// A transaction begins.
    pub(super) fn begin(&self) {
        self.began_us.store(self.now_us().max(1), Ordering::Relaxed);
    }

    /// It is on disk, and carried `changes`.
    pub(super) fn count(&self, changes: u64) {
        let began_us = self.began_us.swap(0, Ordering::Relaxed);
        self.commit_time.observe_number(self.now_us().saturating_sub(began_us));
        self.batch.observe_number(changes);
        self.commits.count();
        self.changes.add(changes);
    }

    /// It was taken back.
    pub(super) fn take_back(&self) {
        self.began_us.store(0, Ordering::Relaxed);
    }

    fn now_us(&self) -> u64 {
        self.opened.elapsed().as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_counted_with_its_changes_and_its_time() {
        let counters = Counters::default();
        counters.begin();
        assert!(!counters.is_stalled(), "it has just begun");
        counters.count(3);
        counters.begin();
        counters.take_back();
        assert_eq!(counters.read(), StoreCounters { commits: 1, changes: 3 });
        assert_eq!((counters.batch.read().sum, counters.commit_time.read().count), (3, 1));
    }

    #[test]
    fn a_commit_that_takes_very_long_is_a_stall() {
        let long_ago = Duration::from_secs(COMMIT_SECONDS_MAX + 1);
        let opened = Stopwatch::started_before(long_ago).expect("the machine has run for some seconds");
        let counters = Counters { opened, began_us: AtomicU64::new(1), ..Counters::default() };
        assert!(counters.is_stalled());
        counters.take_back();
        assert!(!counters.is_stalled());
    }

    #[test]
    fn what_waits_is_what_was_asked_and_not_taken() {
        let counters = Counters::default();
        for _ in 0..3 {
            counters.ask();
        }
        counters.take(2);
        assert_eq!(counters.waiting(), 1);
        counters.take(2);
        assert_eq!(counters.waiting(), 0);
    }
}
