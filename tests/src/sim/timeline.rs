//! Server time in a world: the real timeline on paused time, with a wall clock that goes with it.

use super::notes::{Life, Notes};
use chatrang_server::timeline::{ManualTimeline, ServerInstant, SystemTimeline, Timeline};
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

/// The timeline of one life of the server.
#[derive(Debug)]
pub struct SimTimeline {
    timeline: SystemTimeline,
    notes: Notes,
    started: Mutex<Option<Started>>,
}

#[derive(Clone, Copy, Debug)]
struct Started {
    at: Duration,
    base: ServerInstant,
}

impl SimTimeline {
    /// A timeline that waits for its start.
    pub fn new(notes: Notes) -> Self {
        Self { timeline: SystemTimeline::new(), notes, started: Mutex::default() }
    }

    /// The life that ends now, if its time has ever run.
    pub fn life(&self) -> Option<Life> {
        let Started { at: began, base } = (*self.started.lock().unwrap())?;
        Some(Life { began, base, ended: self.notes.now(), last: self.timeline.now() })
    }
}

impl Timeline for SimTimeline {
    fn start_at(&self, base: ServerInstant) {
        self.timeline.start_at(base);
        *self.started.lock().unwrap() = Some(Started { at: self.notes.now(), base });
    }

    fn now(&self) -> ServerInstant {
        self.timeline.now()
    }

    fn sleep_until(&self, at: ServerInstant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.timeline.sleep_until(at)
    }

    fn freeze(&self) {
        self.timeline.freeze();
        let now = self.notes.now();
        self.notes.pages().frozen.push((now, Duration::MAX));
    }

    fn thaw(&self) {
        self.timeline.thaw();
        let now = self.notes.now();
        if let Some((_, end)) = self.notes.pages().frozen.last_mut() {
            *end = now.min(*end);
        }
    }

    fn network_ms(&self, span: Duration) -> u64 {
        self.timeline.network_ms(span)
    }

    fn unix_ms(&self) -> u64 {
        ManualTimeline::UNIX_MS_AT_START + self.notes.now().as_millis() as u64
    }
}
