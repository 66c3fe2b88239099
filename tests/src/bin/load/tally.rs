//! What the players of a measurement write down together.

use crate::times::Times;
use crate::verdict::figure;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What all players have seen since it was last taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(Arc<Mutex<Seen>>);

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// From a move's writing until its opponent's program had it.
    pub(crate) to_opponent: Times,
    /// From a move's writing until its own player's program had the answer.
    pub(crate) answered: Times,
    /// Moves that were written too long after their time.
    pub(crate) late: u64,
    /// Games that were played to their end.
    pub(crate) games: u64,
    /// Intents, up.
    pub(crate) intents: Frames,
    /// Answers, down.
    pub(crate) answers: Frames,
    /// What has happened, down: to the player who did it too, but for a relay.
    pub(crate) updates: Frames,
}

/// Frames of one sort.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frames {
    /// How many.
    pub(crate) count: u64,
    /// Their bytes, those of their lengths among them.
    pub(crate) bytes: u64,
}

impl Frames {
    /// Counts one.
    pub(crate) fn add(&mut self, bytes: usize) {
        self.count += 1;
        self.bytes += bytes as u64;
    }

    /// The bytes of one.
    pub(crate) fn mean_bytes(self) -> f64 {
        figure(self.bytes) / figure(self.count.max(1))
    }
}

impl Tally {
    /// Writes something down.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Seen)) {
        note(&mut self.lock());
    }

    /// All that was written down since the last time.
    pub(crate) fn take(&self) -> Seen {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a table's last move was written: only one of its moves is under way at a time.
#[derive(Clone, Debug)]
pub(crate) struct Written(Arc<Mutex<Instant>>);

impl Written {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// Now.
    pub(crate) fn stamp(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long ago that was.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}
