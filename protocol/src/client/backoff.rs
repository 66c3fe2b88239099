//! How long to wait before trying again.

use crate::client::chance::Chance;
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Delays that double from 0.1 s to 5 s, each shortened by up to half at random, so that clients that
/// were lost together do not come back together.
#[derive(Debug)]
pub(super) struct Backoff {
    attempts: u32,
    chance: Chance,
}

impl Backoff {
    pub(super) fn new(chance: Chance) -> Self {
        Self { attempts: 0, chance }
    }

    /// From the first delay on again.
    pub(super) fn reset(&mut self) {
        self.attempts = 0;
    }

    /// How long to wait this time.
    pub(super) fn next_delay(&mut self) -> Duration {
        let longest = FIRST.saturating_mul(1 << self.attempts.min(16)).min(LONGEST);
        self.attempts = self.attempts.saturating_add(1);
        jittered(longest, &self.chance)
    }
}

/// At least half of `longest`, at most all of it.
pub(super) fn jittered(longest: Duration, chance: &Chance) -> Duration {
    longest.mul_f64(0.5 + chance.fraction() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let mut backoff = Backoff::new(Chance::from_system());
        for longest_ms in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000] {
            let longest = Duration::from_millis(longest_ms);
            let delay = backoff.next_delay();
            assert!((longest / 2..=longest).contains(&delay), "{delay:?} of {longest:?}");
        }
    }

    #[test]
    fn even_a_very_long_absence_does_not_overflow() {
        let mut backoff = Backoff { attempts: u32::MAX, chance: Chance::from_system() };
        assert!(backoff.next_delay() <= LONGEST);
        assert!(backoff.next_delay() <= LONGEST);
    }
}
