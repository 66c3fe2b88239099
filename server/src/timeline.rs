//! Server time: the one clock behind every game, which runs only while the server serves.
//!
//! A timeline continues at start from the last instant that the store knows, so a time in which the
//! server was down is charged to nobody, and it stands still while the store is full, so then all
//! clocks of all games stop: both by construction, no game does anything about it.

use futures_util::future::BoxFuture;
use std::fmt;
use std::future::pending;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::Instant;

/// An instant of server time: milliseconds since this server's data directory was made, counting
/// only the time in which the server ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerInstant(pub u64);

impl ServerInstant {
    /// The first instant of a fresh data directory.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` later.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to here; 0 when `earlier` is later.
    pub fn since_ms(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for ServerInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// Tells server time and wakes sleepers; never runs back.
///
/// A new timeline stands at [`ServerInstant::ZERO`] until [`Timeline::start_at`].
pub trait Timeline: Send + Sync + fmt::Debug {
    /// Sets time going at `base`, or where it stands if that is later.
    fn start_at(&self, base: ServerInstant);

    /// The present instant.
    fn now(&self) -> ServerInstant;

    /// Completes once `now() >= at`; never while frozen before `at`. Whoever wakes compares again
    /// with his own stamp: waking is a hint, not a verdict.
    fn sleep_until(&self, at: ServerInstant) -> BoxFuture<'static, ()>;

    /// Time stands still: `now()` stays, nobody wakes.
    fn freeze(&self);

    /// Time goes on from where it stood; nothing on a timeline that runs.
    fn thaw(&self);

    /// How long a span that the network measured is on this timeline, in milliseconds.
    fn network_ms(&self, span: Duration) -> u64;

    /// The wall clock in milliseconds since 1970, for dates only: no clock of a game reads it.
    fn unix_ms(&self) -> u64;
}

/// How time moves at present.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Standing { at: ServerInstant },
    Running { from: ServerInstant, since: Instant },
}

impl Motion {
    fn now(self) -> ServerInstant {
        match self {
            Self::Standing { at } => at,
            Self::Running { from, since } => {
                from.plus_ms(u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX))
            }
        }
    }
}

/// The timeline of a real server, on tokio's monotonic clock (so a paused runtime pauses it too).
#[derive(Debug)]
pub struct SystemTimeline {
    motion: watch::Sender<Motion>,
}

impl SystemTimeline {
    /// A timeline that waits for [`Timeline::start_at`].
    #[expect(clippy::new_without_default, reason = "a clock that stands is nothing to have by default")]
    pub fn new() -> Self {
        Self { motion: watch::Sender::new(Motion::Standing { at: ServerInstant::ZERO }) }
    }

    /// A timeline that runs from `base`.
    pub fn starting_at(base: ServerInstant) -> Self {
        let timeline = Self::new();
        timeline.start_at(base);
        timeline
    }
}

impl Timeline for SystemTimeline {
    fn start_at(&self, base: ServerInstant) {
        self.motion.send_modify(|motion| {
            *motion = Motion::Running { from: motion.now().max(base), since: Instant::now() };
        });
    }

    fn now(&self) -> ServerInstant {
        self.motion.borrow().now()
    }

    fn sleep_until(&self, at: ServerInstant) -> BoxFuture<'static, ()> {
        let mut motion = self.motion.subscribe();
        Box::pin(async move {
            loop {
                let present = *motion.borrow_and_update();
                let left_ms = at.since_ms(present.now());
                if left_ms == 0 {
                    return;
                }
                tokio::select! {
                    biased;
                    () = nap(present, left_ms) => {}
                    changed = motion.changed() => if changed.is_err() {
                        // The timeline is gone: its time will never come.
                        return pending().await;
                    },
                }
            }
        })
    }

    fn freeze(&self) {
        self.motion.send_modify(|motion| *motion = Motion::Standing { at: motion.now() });
    }

    fn thaw(&self) {
        self.motion.send_if_modified(|motion| match *motion {
            Motion::Standing { at } => {
                *motion = Motion::Running { from: at, since: Instant::now() };
                true
            }
            Motion::Running { .. } => false,
        });
    }

    fn network_ms(&self, span: Duration) -> u64 {
        u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
    }

    fn unix_ms(&self) -> u64 {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
    }
}

/// Sleeps `left_ms` of running time, or a part of it when it is very long; for ever when standing.
async fn nap(motion: Motion, left_ms: u64) {
    /// Far below what overflows a timer; the caller looks again.
    const NAP_MS_MAX: u64 = 24 * 60 * 60 * 1000;
    match motion {
        Motion::Standing { .. } => pending().await,
        Motion::Running { .. } => tokio::time::sleep(Duration::from_millis(left_ms.min(NAP_MS_MAX))).await,
    }
}

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
    use futures_util::FutureExt;
    use std::sync::Arc;

    async fn pass_ms(ms: u64) {
        tokio::time::advance(Duration::from_millis(ms)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn server_time_goes_on_from_the_last_known_instant() {
        let timeline = SystemTimeline::new();
        pass_ms(500).await;
        assert_eq!(timeline.now(), ServerInstant::ZERO, "it stands until it is started");
        timeline.start_at(ServerInstant(7_000));
        assert_eq!(timeline.now(), ServerInstant(7_000));
        pass_ms(1_234).await;
        assert_eq!(timeline.now(), ServerInstant(8_234));
        timeline.start_at(ServerInstant(1));
        assert_eq!(timeline.now(), ServerInstant(8_234), "it never runs back");
    }

    #[tokio::test(start_paused = true)]
    async fn sleepers_wake_at_their_instant_and_not_before() {
        let timeline = SystemTimeline::starting_at(ServerInstant(100));
        let mut sleep = timeline.sleep_until(ServerInstant(1_100));
        pass_ms(999).await;
        assert!(sleep.as_mut().now_or_never().is_none());
        pass_ms(1).await;
        assert!(sleep.now_or_never().is_some());
        assert!(timeline.sleep_until(ServerInstant(5)).now_or_never().is_some(), "the past is over");
        assert!(timeline.sleep_until(ServerInstant(u64::MAX)).now_or_never().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn frozen_time_stands_for_readers_and_sleepers() {
        let timeline = SystemTimeline::starting_at(ServerInstant::ZERO);
        let sleeper = tokio::spawn(timeline.sleep_until(ServerInstant(1_000)));
        pass_ms(900).await;
        timeline.freeze();
        pass_ms(3_600_000).await;
        tokio::task::yield_now().await;
        assert_eq!(timeline.now(), ServerInstant(900));
        assert!(!sleeper.is_finished());
        timeline.freeze();
        timeline.thaw();
        pass_ms(99).await;
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        timeline.thaw();
        assert_eq!(timeline.now(), ServerInstant(999), "a second thaw changes nothing");
        pass_ms(1).await;
        sleeper.await.unwrap();
        assert_eq!(timeline.now(), ServerInstant(1_000));
    }

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
