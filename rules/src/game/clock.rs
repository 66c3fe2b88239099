//! The chess clock (FIDE 6): a value; each step returns what it reads afterwards.

use super::event::ClockReading;
use super::time::{GameInstant, Millis, Stamp};
use super::time_control::TimeControl;
use crate::color::{ByColor, Color};

/// Two clocks of which at most one runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    reading: ClockReading,
    since: GameInstant,
    control: TimeControl,
}

pub(super) struct MoveCharge {
    pub(super) charged: Millis,
    pub(super) clocks: ClockReading,
}

impl Clock {
    /// The clocks as they read at an instant, and run on from there.
    pub(super) fn set(reading: ClockReading, since: GameInstant, control: TimeControl) -> Self {
        Self { reading, since, control }
    }

    pub(super) fn start(control: TimeControl) -> ClockReading {
        let base = control.base();
        ClockReading { left: ByColor { white: base, black: base }, running: Some(Color::White) }
    }

    pub(super) fn complete_move(&self, stamp: Stamp, extra: Millis) -> MoveCharge {
        let mut clocks = self.at(stamp.now, stamp.house);
        let Some(mover) = clocks.running else { return MoveCharge { charged: Millis::ZERO, clocks } };
        clocks.left[mover] = clocks.left[mover].plus(self.control.increment()).plus(extra);
        clocks.running = Some(!mover);
        MoveCharge { charged: self.charge(stamp.now, stamp.house), clocks }
    }

    pub(super) fn next_period_for_both(
        &self,
        _now: GameInstant,
        _moves: ByColor<u16>,
    ) -> Option<ClockReading> {
        None
    }

    pub(super) fn is_in_bare_last_period(&self, _color: Color) -> bool {
        self.control.increment() == Millis::ZERO
    }

    pub(super) fn used_up(&self, span: Millis) -> Option<GameInstant> {
        let base = self.control.base();
        self.instant_after(|left| span.min(base).minus(base.minus(left)))
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

    fn used(&self, now: GameInstant, house: Millis) -> Millis {
        now.since(self.since).minus(house)
    }
}
