//! When to nudge: while something waits for its answer, a tiny datagram now and then.
//!
//! A lost packet is noticed when a later one is acknowledged, and a player who has just moved sends
//! nothing later. The nudges are the later packets: at 30 % loss they take the slowest of a hundred
//! answers from 13 s to under 3 s.

use crate::limits;
use std::time::Duration;
use tokio::time::Instant;

const INTERVAL: Duration = Duration::from_millis(limits::NUDGE_INTERVAL_MS);
const LONGEST: Duration = Duration::from_secs(limits::NUDGE_SECONDS_MAX);

/// The nudges of one stream.
#[derive(Debug, Default)]
pub(super) struct Nudges {
    wait: Option<Wait>,
}

#[derive(Debug)]
struct Wait {
    since: Instant,
    next: Instant,
}

impl Nudges {
    /// Something waits from now on, if nothing did before.
    pub(super) fn begin(&mut self, now: Instant) {
        self.wait.get_or_insert(Wait { since: now, next: now + INTERVAL });
    }

    /// Nothing waits any more.
    pub(super) fn end(&mut self) {
        self.wait = None;
    }

    /// When the next nudge is due; `None` while nothing waits, or when it has waited for so long that
    /// the connection's idle limit may decide.
    pub(super) fn due(&self) -> Option<Instant> {
        self.wait.as_ref().filter(|wait| wait.next < wait.since + LONGEST).map(|wait| wait.next)
    }

    /// A nudge was sent.
    pub(super) fn sent(&mut self, now: Instant) {
        if let Some(wait) = &mut self.wait {
            wait.next = now + INTERVAL;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_nudged_while_nothing_waits() {
        let start = Instant::now();
        let mut nudges = Nudges::default();
        assert_eq!(nudges.due(), None);
        nudges.begin(start);
        nudges.end();
        assert_eq!(nudges.due(), None);
    }

    #[test]
    fn a_second_wait_does_not_put_the_next_nudge_off() {
        let start = Instant::now();
        let mut nudges = Nudges::default();
        nudges.begin(start);
        nudges.begin(start + INTERVAL / 2);
        assert_eq!(nudges.due(), Some(start + INTERVAL));
    }

    #[test]
    fn one_wait_is_nudged_for_so_long_and_no_longer() {
        let start = Instant::now();
        let mut nudges = Nudges::default();
        nudges.begin(start);
        let mut sent = 0;
        while let Some(due) = nudges.due() {
            assert!(due < start + LONGEST);
            nudges.sent(due);
            sent += 1;
        }
        assert_eq!(sent, (limits::NUDGE_SECONDS_MAX * 1_000 - 1) / limits::NUDGE_INTERVAL_MS);
        nudges.end();
        nudges.begin(start + LONGEST);
        assert_eq!(nudges.due(), Some(start + LONGEST + INTERVAL));
    }
}
