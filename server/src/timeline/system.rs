//! The timeline of a real server.
//!
//! That the process stood still shows by this: nobody has read the time for [`STALL_MS_MIN`], although the
//! timeline itself does so every [`TICK_MS`]. Of such a stall one tick counts, and the rest never was. Whoever
//! reads first afterwards, be it the tick, a flag that is due or the stamp of a move that waited in the
//! socket, finds it out before he gets his reading, so all of them are told the same.

use super::{ServerInstant, Timeline};
use futures_util::future::BoxFuture;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::time::Instant;
use tracing::warn;

/// How often a real server's timeline reads the time by itself, in milliseconds.
pub const TICK_MS: u64 = 100;

/// From when on it counts as a stall that nobody has read the time, in milliseconds. A shorter one is
/// charged to whoever is to move, and is no more than what a busy network costs.
pub const STALL_MS_MIN: u64 = 500;

/// The timeline of a real server, on tokio's monotonic clock (so a paused runtime pauses it too).
#[derive(Debug)]
pub struct SystemTimeline {
    gears: Arc<Gears>,
}

impl SystemTimeline {
    /// A timeline that waits for [`Timeline::start_at`].
    ///
    /// # Panics
    /// Outside of a tokio runtime, on which it ticks.
    #[expect(clippy::new_without_default, reason = "a clock that stands is nothing to have by default")]
    pub fn new() -> Self {
        let gears = Arc::new(Gears {
            motion: watch::Sender::new(Motion::Standing { at: ServerInstant::ZERO }),
            began: Instant::now(),
            seen_ms: AtomicU64::new(0),
        });
        tokio::spawn(tick(Arc::downgrade(&gears)));
        Self { gears }
    }

    /// A timeline that runs from `base`.
    ///
    /// # Panics
    /// Outside of a tokio runtime, on which it ticks.
    pub fn starting_at(base: ServerInstant) -> Self {
        let timeline = Self::new();
        timeline.start_at(base);
        timeline
    }
}

impl Timeline for SystemTimeline {
    fn start_at(&self, base: ServerInstant) {
        self.gears.shift(|motion, real_ms| {
            Some(Motion::Running { from: motion.at(real_ms).max(base), since_ms: real_ms })
        });
    }

    fn now(&self) -> ServerInstant {
        self.gears.now()
    }

    fn sleep_until(&self, at: ServerInstant) -> BoxFuture<'static, ()> {
        let gears = Arc::clone(&self.gears);
        let mut motion = gears.motion.subscribe();
        Box::pin(async move {
            loop {
                let present = *motion.borrow_and_update();
                let left_ms = at.since_ms(gears.now());
                if left_ms == 0 {
                    return;
                }
                tokio::select! {
                    biased;
                    () = nap(present, left_ms) => {}
                    // Never an error: this sleeper holds the other end himself.
                    _ = motion.changed() => {}
                }
            }
        })
    }

    fn freeze(&self) {
        self.gears.shift(|motion, real_ms| Some(Motion::Standing { at: motion.at(real_ms) }));
    }

    fn thaw(&self) {
        self.gears.shift(|motion, real_ms| match motion {
            Motion::Standing { at } => Some(Motion::Running { from: at, since_ms: real_ms }),
            Motion::Running { .. } => None,
        });
    }

    fn network_ms(&self, span: Duration) -> u64 {
        u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
    }

    fn unix_ms(&self) -> u64 {
        unix_ms()
    }
}

/// The system's wall clock in milliseconds since 1970; needs no runtime.
pub(crate) fn unix_ms() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
}

/// What moves a [`SystemTimeline`]: shared with its tick and its sleepers.
#[derive(Debug)]
struct Gears {
    motion: watch::Sender<Motion>,
    /// Where the process's own clock counts from.
    began: Instant,
    /// The latest reading of the process's own clock that anybody took, in milliseconds: then it ran.
    seen_ms: AtomicU64,
}

impl Gears {
    fn now(&self) -> ServerInstant {
        loop {
            if let Some(now) = self.reading() {
                return now;
            }
            self.leave_stall_out();
        }
    }

    /// The present instant; none when the process has stood still and nobody has found out yet.
    fn reading(&self) -> Option<ServerInstant> {
        // Held until the reading is noted: a stall is left out before it or after it, never in between.
        let motion = self.motion.borrow();
        let real_ms = self.real_ms();
        let seen_ms = self.seen_ms.load(Ordering::Relaxed);
        if real_ms.saturating_sub(seen_ms) >= STALL_MS_MIN {
            return None;
        }
        if real_ms > seen_ms {
            self.seen_ms.fetch_max(real_ms, Ordering::Relaxed);
        }
        Some(motion.at(real_ms))
    }

    /// Goes on from one tick after the last reading. The first who comes does it, the others find it done.
    fn leave_stall_out(&self) {
        let mut left_out_ms = 0;
        self.motion.send_if_modified(|motion| {
            let real_ms = self.real_ms();
            let seen_ms = self.seen_ms.fetch_max(real_ms, Ordering::Relaxed);
            let stood_ms = real_ms.saturating_sub(seen_ms);
            match motion {
                Motion::Running { since_ms, .. } if stood_ms >= STALL_MS_MIN => {
                    left_out_ms = stood_ms - TICK_MS;
                    *since_ms += left_out_ms;
                    true
                }
                _ => false,
            }
        });
        if left_out_ms > 0 {
            warn!(left_out_ms, "the process stood still: no clock is charged for it");
        }
    }

    fn real_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Changes how time moves, given how it does and a present reading of the process's own clock.
    fn shift(&self, change: impl FnOnce(Motion, u64) -> Option<Motion>) {
        self.now();
        self.motion.send_if_modified(|motion| {
            let real_ms = self.real_ms();
            self.seen_ms.fetch_max(real_ms, Ordering::Relaxed);
            let changed = change(*motion, real_ms);
            changed.inspect(|changed| *motion = *changed).is_some()
        });
    }
}

/// How time moves at present.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Standing {
        at: ServerInstant,
    },
    Running {
        from: ServerInstant,
        /// On the process's own clock.
        since_ms: u64,
    },
}

impl Motion {
    /// The instant when the process's own clock reads `real_ms`.
    fn at(self, real_ms: u64) -> ServerInstant {
        match self {
            Self::Standing { at } => at,
            Self::Running { from, since_ms } => from.plus_ms(real_ms.saturating_sub(since_ms)),
        }
    }
}

/// Reads the time again and again, so that a process in which nobody does has stood still.
async fn tick(gears: Weak<Gears>) {
    loop {
        tokio::time::sleep(Duration::from_millis(TICK_MS)).await;
        let Some(gears) = gears.upgrade() else { return };
        gears.now();
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::sync::Arc;

    /// Lets the process stand still, as a runtime does that nobody drives: then everything is late.
    async fn stall_ms(ms: u64) {
        tokio::time::advance(Duration::from_millis(ms)).await;
    }

    /// Lets time pass in a process that runs.
    async fn pass_ms(ms: u64) {
        let step_ms = TICK_MS / 2;
        for _ in 0..ms / step_ms {
            stall_ms(step_ms).await;
        }
        stall_ms(ms % step_ms).await;
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
        stall_ms(3_600_000).await;
        pass_ms(3_600).await;
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

    #[tokio::test(start_paused = true)]
    async fn f08_of_a_stall_one_tick_counts_whoever_notices_it() {
        // The tick notices it.
        let timeline = SystemTimeline::starting_at(ServerInstant(1_000));
        stall_ms(5_000).await;
        tokio::task::yield_now().await;
        assert_eq!(timeline.now(), ServerInstant(1_000 + TICK_MS));
        pass_ms(400).await;
        assert_eq!(timeline.now(), ServerInstant(1_400 + TICK_MS), "and time goes on");

        // The stamp of a move does, which is read before the tick has a chance.
        let gears = Arc::clone(&SystemTimeline::starting_at(ServerInstant(1_000)).gears);
        stall_ms(5_000).await;
        assert_eq!(gears.now(), ServerInstant(1_000 + TICK_MS));
        assert_eq!(gears.now(), ServerInstant(1_000 + TICK_MS), "once, not at every reading");

        // A flag that fell due meanwhile does: it falls when its time has come, by this clock.
        let timeline = SystemTimeline::starting_at(ServerInstant::ZERO);
        let flag = tokio::spawn(timeline.sleep_until(ServerInstant(2_000)));
        pass_ms(1_000).await;
        stall_ms(5_000).await;
        pass_ms(1_000 - TICK_MS - 1).await;
        assert!(!flag.is_finished());
        pass_ms(1).await;
        flag.await.unwrap();
        assert_eq!(timeline.now(), ServerInstant(2_000));
    }

    #[tokio::test(start_paused = true)]
    async fn f08_a_short_stop_is_no_stall_and_a_stall_is_over_when_time_is_set_going() {
        let timeline = SystemTimeline::starting_at(ServerInstant::ZERO);
        stall_ms(STALL_MS_MIN - 1).await;
        assert_eq!(timeline.now(), ServerInstant(STALL_MS_MIN - 1));
        stall_ms(STALL_MS_MIN).await;
        assert_eq!(timeline.now(), ServerInstant(STALL_MS_MIN - 1 + TICK_MS));

        timeline.freeze();
        stall_ms(9_000).await;
        timeline.thaw();
        let thawed = timeline.now();
        assert_eq!(thawed, ServerInstant(STALL_MS_MIN - 1 + TICK_MS));
        stall_ms(9_000).await;
        timeline.freeze();
        assert_eq!(
            timeline.now(),
            thawed.plus_ms(TICK_MS),
            "time that was frozen late is not charged either"
        );
    }

    /// Real time, in which nobody reads until many do at the same moment: whoever finds the stall, nobody
    /// sees time run back, and nobody a leap.
    #[test]
    fn f08_readers_at_the_same_moment_are_told_the_same() {
        const READERS: usize = 4;
        let gears = Arc::new(Gears {
            motion: watch::Sender::new(Motion::Running { from: ServerInstant::ZERO, since_ms: 0 }),
            began: Instant::now(),
            seen_ms: AtomicU64::new(0),
        });
        let latest = Arc::new(AtomicU64::new(0));
        for _ in 0..2 {
            let (_nobody, silence) = std::sync::mpsc::channel::<()>();
            let stalled = Duration::from_millis(STALL_MS_MIN + TICK_MS);
            assert!(silence.recv_timeout(stalled).is_err(), "nobody reads");
            let before = latest.load(Ordering::SeqCst);
            let start = Arc::new(std::sync::Barrier::new(READERS));
            let readers: Vec<_> = (0..READERS)
                .map(|_| {
                    let (gears, latest, start) =
                        (Arc::clone(&gears), Arc::clone(&latest), Arc::clone(&start));
                    std::thread::spawn(move || {
                        start.wait();
                        let first = gears.now().0;
                        for _ in 0..10_000 {
                            let seen = latest.load(Ordering::SeqCst);
                            let now = gears.now().0;
                            assert!(now >= seen, "{now} after {seen}");
                            latest.fetch_max(now, Ordering::SeqCst);
                        }
                        first
                    })
                })
                .collect();
            let first = readers.into_iter().map(|reader| reader.join().unwrap()).min().unwrap();
            assert!(first - before < STALL_MS_MIN, "{first} after {before}: the stall was charged");
        }
    }
}
