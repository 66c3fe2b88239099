//! A timeline for tests.

use super::{ServerInstant, Timeline};
use futures_util::future::BoxFuture;
use std::future::pending;
use std::time::Duration;
use tokio::sync::watch;

/// A timeline that moves only when told to: for tests on real sockets.
///
/// The wall clock moves with it, also while frozen. What the network does meanwhile takes no time on it,
/// unless [`ManualTimeline::set_network_ms`] says how much.
#[derive(Debug)]
pub struct ManualTimeline {
    hands: watch::Sender<Hands>,
}

#[derive(Clone, Copy, Debug)]
struct Hands {
    now: ServerInstant,
    frozen: bool,
    network_ms: u64,
    unix_ms: u64,
}

impl ManualTimeline {
    /// The first wall-clock reading of every manual timeline: noon of 1 January 2026, UTC.
    pub const UNIX_MS_AT_START: u64 = 1_767_268_800_000;

    /// A timeline at [`ServerInstant::ZERO`].
    #[expect(clippy::new_without_default, reason = "the same shape as SystemTimeline")]
    pub fn new() -> Self {
        let hands =
            Hands { now: ServerInstant::ZERO, frozen: false, network_ms: 0, unix_ms: Self::UNIX_MS_AT_START };
        Self { hands: watch::Sender::new(hands) }
    }

    /// Lets `ms` pass and wakes whoever slept until then; while frozen, only the date moves.
    pub fn advance(&self, ms: u64) {
        self.hands.send_modify(|hands| {
            hands.unix_ms = hands.unix_ms.saturating_add(ms);
            if !hands.frozen {
                hands.now = hands.now.plus_ms(ms);
            }
        });
    }

    /// Whatever the network measures from here on, it counts as so much.
    pub fn set_network_ms(&self, network_ms: u64) {
        self.hands.send_modify(|hands| hands.network_ms = network_ms);
    }

    /// Sets the wall clock, forwards or back, as an operator may at any time.
    pub fn set_unix_ms(&self, unix_ms: u64) {
        self.hands.send_modify(|hands| hands.unix_ms = unix_ms);
    }
}

impl Timeline for ManualTimeline {
    fn start_at(&self, base: ServerInstant) {
        self.hands.send_modify(|hands| hands.now = hands.now.max(base));
    }

    fn now(&self) -> ServerInstant {
        self.hands.borrow().now
    }

    fn sleep_until(&self, at: ServerInstant) -> BoxFuture<'static, ()> {
        let mut hands = self.hands.subscribe();
        Box::pin(async move {
            if hands.wait_for(|hands| hands.now >= at).await.is_err() {
                pending::<()>().await;
            }
        })
    }

    fn freeze(&self) {
        self.hands.send_modify(|hands| hands.frozen = true);
    }

    fn thaw(&self) {
        self.hands.send_modify(|hands| hands.frozen = false);
    }

    fn network_ms(&self, _span: Duration) -> u64 {
        self.hands.borrow().network_ms
    }

    fn unix_ms(&self) -> u64 {
        self.hands.borrow().unix_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[tokio::test]
    async fn manual_time_moves_only_by_hand() {
        let timeline = Arc::new(ManualTimeline::new());
        timeline.start_at(ServerInstant(50));
        let sleeper = tokio::spawn(timeline.sleep_until(ServerInstant(150)));
        timeline.advance(99);
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        timeline.freeze();
        timeline.advance(1_000);
        tokio::task::yield_now().await;
        assert_eq!(timeline.now(), ServerInstant(149));
        assert!(!sleeper.is_finished());
        timeline.thaw();
        timeline.advance(1);
        sleeper.await.unwrap();
        assert_eq!(timeline.unix_ms(), ManualTimeline::UNIX_MS_AT_START + 1_100);
        timeline.set_unix_ms(5);
        assert_eq!((timeline.unix_ms(), timeline.now()), (5, ServerInstant(150)));
    }
}
