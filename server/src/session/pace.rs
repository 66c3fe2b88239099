//! How fast one connection may ask for things: a bucket of tokens that fills again with time.

use chatrang_protocol::limits;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What one connection may ask for.
#[derive(Debug)]
pub(super) struct Paces {
    /// Requests on the control stream.
    pub(super) requests: Pace,
    /// Attaches: each may replay a game.
    pub(super) attaches: Pace,
    /// Intents in all its games.
    pub(super) intents: Pace,
}

impl Paces {
    /// Full buckets.
    pub(super) fn new() -> Self {
        Self {
            requests: Pace::new(limits::REQUESTS_PER_SECOND_MAX),
            attaches: Pace::new(limits::ATTACHES_PER_SECOND_MAX),
            intents: Pace::new(limits::INTENTS_PER_SECOND_MAX),
        }
    }
}

/// A bucket: it holds what may be asked for in [`limits::BURST_SECONDS`], and fills evenly.
#[derive(Debug)]
pub(super) struct Pace {
    /// How long one token takes to come back.
    interval: Duration,
    capacity: Duration,
    /// When the bucket will be full again: the further ahead, the emptier it is.
    full_at: Mutex<Instant>,
}

impl Pace {
    fn new(per_second_max: u32) -> Self {
        Self {
            interval: Duration::from_secs(1) / per_second_max,
            capacity: Duration::from_secs(limits::BURST_SECONDS),
            full_at: Mutex::new(Instant::now()),
        }
    }

    /// Takes a token, if there is one.
    pub(super) fn allows(&self) -> bool {
        let now = Instant::now();
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let after = (*full_at).max(now) + self.interval;
        let allowed = after - now <= self.capacity;
        if allowed {
            *full_at = after;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_allowed_and_then_only_the_pace() {
        let pace = Pace::new(10);
        let burst = 10 * limits::BURST_SECONDS;
        for _ in 0..burst {
            assert!(pace.allows());
        }
        assert!(!pace.allows());
        tokio::time::advance(Duration::from_millis(100)).await;
        assert!(pace.allows());
        assert!(!pace.allows());
        tokio::time::advance(Duration::from_hours(1)).await;
        for _ in 0..burst {
            assert!(pace.allows());
        }
        assert!(!pace.allows(), "an idle hour saves up no more than a full bucket");
    }
}
