//! How fast somebody may ask for things: a bucket of tokens that fills again with time.

use chatrang_protocol::limits;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// So many in a time, and as many at once as a full bucket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How long one token takes to come back.
    interval: Duration,
    /// How long an empty bucket takes to be full again.
    capacity: Duration,
}

/// How much of a bucket somebody may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All of it.
    Whole,
    /// What is left of it is kept for others.
    Half,
}

/// A bucket: when it will be full again; the further ahead, the emptier it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    full_at: Instant,
}

impl Rate {
    /// So many a second in the long run, and at once as many as in [`limits::BURST_SECONDS`].
    pub fn per_second(max: u32) -> Self {
        Self {
            interval: Duration::from_secs(1) / max.max(1),
            capacity: Duration::from_secs(limits::BURST_SECONDS),
        }
    }

    /// So many an hour in the long run, and as many at once.
    pub fn per_hour(max: u32) -> Self {
        let hour = Duration::from_hours(1);
        Self { interval: hour / max.max(1), capacity: hour }
    }
}

impl Bucket {
    /// A full one.
    pub fn full(now: Instant) -> Self {
        Self { full_at: now }
    }

    /// Whether nothing has been taken out of it that has not come back.
    pub fn is_full(self, now: Instant) -> bool {
        self.full_at <= now
    }

    /// The bucket after one more token is taken.
    ///
    /// # Errors
    /// How long to wait for the next one, when there is none.
    pub fn take(self, rate: Rate, share: Share, now: Instant) -> Result<Self, Duration> {
        let full_at = self.full_at.max(now) + rate.interval;
        let capacity = match share {
            Share::Whole => rate.capacity,
            Share::Half => rate.capacity / 2,
        };
        match (full_at - now).saturating_sub(capacity) {
            Duration::ZERO => Ok(Self { full_at }),
            wait => Err(wait),
        }
    }

    /// The bucket after a token has come back unused.
    #[must_use]
    pub fn give_back(self, rate: Rate) -> Self {
        Self { full_at: self.full_at.checked_sub(rate.interval).unwrap_or(self.full_at) }
    }
}

/// A bucket that several tasks take from.
#[derive(Debug)]
pub struct Pace {
    rate: Rate,
    bucket: Mutex<Bucket>,
}

impl Pace {
    /// A full bucket.
    pub fn new(rate: Rate) -> Self {
        Self { rate, bucket: Mutex::new(Bucket::full(Instant::now())) }
    }

    /// Takes a token, if there is one.
    pub fn allows(&self) -> bool {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        match bucket.take(self.rate, Share::Whole, Instant::now()) {
            Ok(after) => {
                *bucket = after;
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_allowed_and_then_only_the_pace() {
        let pace = Pace::new(Rate::per_second(10));
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

    #[tokio::test(start_paused = true)]
    async fn an_empty_bucket_says_how_long_to_wait() {
        let (rate, now) = (Rate::per_hour(2), Instant::now());
        let half_an_hour = Duration::from_mins(30);
        let once = Bucket::full(now).take(rate, Share::Half, now).unwrap();
        assert_eq!(once.take(rate, Share::Half, now), Err(half_an_hour));
        let twice = once.take(rate, Share::Whole, now).unwrap();
        assert_eq!(twice.take(rate, Share::Whole, now), Err(half_an_hour));
        assert_eq!(twice.take(rate, Share::Whole, now + half_an_hour / 3), Err(half_an_hour / 3 * 2));
        assert!(twice.take(rate, Share::Whole, now + half_an_hour).is_ok());
        assert_eq!(twice.give_back(rate), once);
        assert!(!twice.is_full(now) && twice.is_full(now + 2 * half_an_hour));
    }
}
