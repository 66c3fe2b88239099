//! Server time in a world: the real timeline on paused time, with a wall clock that goes with it.

use chatrang_server::timeline::{ManualTimeline, ServerInstant, SystemTimeline, Timeline};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::Instant;

/// The timeline of one life of the server.
#[derive(Debug)]
pub struct SimTimeline {
    timeline: SystemTimeline,
    began: Instant,
}

impl SimTimeline {
    /// A timeline that waits for its start.
    #[expect(clippy::new_without_default, reason = "the same shape as SystemTimeline")]
    pub fn new() -> Self {
        Self { timeline: SystemTimeline::new(), began: Instant::now() }
    }
}

impl Timeline for SimTimeline {
    fn start_at(&self, base: ServerInstant) {
        self.timeline.start_at(base);
    }

    fn now(&self) -> ServerInstant {
        self.timeline.now()
    }

    fn sleep_until(&self, at: ServerInstant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.timeline.sleep_until(at)
    }

    fn freeze(&self) {
        self.timeline.freeze();
    }

    fn thaw(&self) {
        self.timeline.thaw();
    }

    fn network_ms(&self, span: Duration) -> u64 {
        self.timeline.network_ms(span)
    }

    fn unix_ms(&self) -> u64 {
        ManualTimeline::UNIX_MS_AT_START + self.began.elapsed().as_millis() as u64
    }
}
