//! The chess clock (FIDE 6): a value; each step returns what it reads afterwards.

use super::event::ClockReading;
use super::time::{GameInstant, Millis};
use crate::color::Color;

/// Two clocks of which at most one runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    reading: ClockReading,
    since: GameInstant,
}

impl Clock {
    /// The clocks as they read at an instant, and run on from there.
    pub(super) fn set(reading: ClockReading, since: GameInstant) -> Self {
        Self { reading, since }
    }

    /// What both read at `now`, when `house` of the time since the last event is nobody's.
    pub(super) fn at(&self, now: GameInstant, house: Millis) -> ClockReading {
        let mut reading = self.reading;
        if let Some(color) = reading.running {
            reading.left[color] = reading.left[color].minus(self.used(now, house));
        }
        reading
    }

    /// What the running clock is charged at `now`: never more than it has.
    pub(super) fn charge(&self, now: GameInstant, house: Millis) -> Millis {
        self.reading.running.map_or(Millis::ZERO, |color| self.used(now, house).min(self.reading.left[color]))
    }

    /// When the running clock reads zero, if nothing happens and the house takes no time.
    pub(super) fn flag_falls(&self) -> Option<GameInstant> {
        self.instant_after(|left| left)
    }

    /// When the running clock will have been charged `span(left)` since the last event.
    pub(super) fn instant_after(&self, span: impl FnOnce(Millis) -> Millis) -> Option<GameInstant> {
        self.reading.running.map(|color| self.since.plus(span(self.reading.left[color])))
    }

    /// Whose clock runs.
    pub(super) fn running(&self) -> Option<Color> {
        self.reading.running
    }

    fn used(&self, now: GameInstant, house: Millis) -> Millis {
        now.since(self.since).minus(house)
    }
}
