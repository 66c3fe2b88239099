//! The chess clock (FIDE 6): a value; each step returns what it reads afterwards.
//!
//! All of a move is reckoned from its start, whatever has stopped or read the clocks in between: what the
//! player has thought in all, less his lag credit (L54), less the delay, is what it costs him. So a reading
//! taken in the middle of a move changes nothing, and a move never gets back more than it took (L51).

use super::lag;
use super::time::{GameInstant, Millis, Stamp};
use super::time_control::{Bonus, Controls, Period, TimeControl};
use crate::color::{ByColor, Color};

#[cfg(test)]
pub(super) mod tests;

/// All that both clocks show and remember right after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct ClockReading {
    /// The time each player has left.
    pub left: ByColor<Millis>,
    /// Whose clock runs on from here.
    pub running: Option<Color>,
    /// The lag credit each player has left (L54).
    pub bank: ByColor<Millis>,
    /// The period each player is in.
    pub period: ByColor<PeriodPlace>,
    /// What the player to move has used on this move already, delays included; it stays when the clocks
    /// stop.
    pub thought: Millis,
    /// What each player has used beyond his time on this move: until it arrives, that may prove to be lag.
    pub overrun: ByColor<Millis>,
}

/// Where a player is in his time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct PeriodPlace {
    /// Which period, from 0.
    pub index: u8,
    /// How many moves he had completed when it began.
    pub moves_before: u16,
}

/// What a completed move does to the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveCharge {
    /// What the move cost the player who made it, before any bonus.
    pub(super) charged: Millis,
    /// What he was not charged because the network took it.
    pub(super) credit: Millis,
    /// The clocks afterwards: the opponent's runs.
    pub(super) clocks: ClockReading,
}

impl ClockReading {
    /// The clocks when a game begins: White's runs (FIDE 6.2).
    pub fn start(controls: &Controls) -> Self {
        Self {
            left: controls.sides().map(|control| control.allowance()),
            running: Some(Color::White),
            bank: controls.sides().map(|control| lag::bank_at_start(&control)),
            period: ByColor::default(),
            thought: Millis::ZERO,
            overrun: ByColor::default(),
        }
    }

    /// What the clocks read when they have run on for `elapsed`.
    #[must_use]
    pub fn ticked(self, controls: &Controls, elapsed: Millis) -> Self {
        let Some(color) = self.running else { return self };
        let control = &controls[color];
        let mut next = Self { thought: self.thought.plus(elapsed), ..self };
        if control.is_unlimited() {
            return next;
        }
        let delay = self.delay(control, color);
        let spent = next.thought.minus(delay).minus(self.thought.minus(delay));
        next.left[color] = self.left[color].minus(spent);
        next.overrun[color] = self.overrun[color].plus(spent.minus(self.left[color]));
        if control.is_hourglass() {
            next.left[!color] = self.left[!color].plus(self.left[color].minus(next.left[color]));
        }
        next
    }

    /// The same with both clocks stopped.
    #[must_use]
    pub const fn stopped(self) -> Self {
        Self { running: None, ..self }
    }

    /// The same with the clock of `color` running: he thinks on about the move that he was thinking about.
    #[must_use]
    pub const fn resumed_for(self, color: Color) -> Self {
        Self { running: Some(color), ..self }
    }

    /// The same with the clock of `color` running for a new move.
    #[must_use]
    pub fn handed_to(self, color: Color) -> Self {
        Self { running: Some(color), thought: Millis::ZERO, overrun: ByColor::default(), ..self }
    }

    /// The same with `span` more for `color`.
    #[must_use]
    pub fn added(self, color: Color, span: Millis) -> Self {
        let mut next = self;
        next.overrun[color] = self.overrun[color].minus(span);
        next.left[color] = self.left[color].plus(span.minus(self.overrun[color]));
        next
    }

    /// The same with `span` less for `color`, down to zero; a clock without a limit keeps none.
    #[must_use]
    pub fn taken(self, color: Color, span: Millis) -> Self {
        self.set_to(color, self.left[color].minus(span))
    }

    /// The same with `left` on the clock of `color`; one without a limit keeps none.
    #[must_use]
    pub fn set_to(self, color: Color, left: Millis) -> Self {
        let mut next = self;
        if self.left[color] != Millis::MAX {
            next.left[color] = left;
            next.overrun[color] = Millis::ZERO;
        }
        next
    }

    /// The period that `color` is in; none where time is not counted by periods.
    fn period_of(&self, control: &TimeControl, color: Color) -> Option<Period> {
        control.periods().nth(self.period[color].index.into())
    }

    /// How long the clock of `color` waits at each move before it runs.
    fn delay(&self, control: &TimeControl, color: Color) -> Millis {
        match self.period_of(control, color).map(Period::bonus) {
            Some(Bonus::Delay(delay)) => delay,
            _ => Millis::ZERO,
        }
    }

    /// Lets `color` begin his next period when his moves for this one are complete (FIDE 6.3.1): its time
    /// comes on top of what he has left.
    fn begin_period(&mut self, control: &TimeControl, color: Color, moves_completed: u16) {
        let place = self.period[color];
        let moves = self.period_of(control, color).and_then(Period::moves);
        let following = control.periods().nth(usize::from(place.index) + 1);
        if let (Some(moves), Some(following)) = (moves, following)
            && moves_completed.saturating_sub(place.moves_before) >= moves.get()
        {
            self.period[color] =
                PeriodPlace { index: place.index.saturating_add(1), moves_before: moves_completed };
            self.left[color] = self.left[color].plus(following.time());
        }
    }
}

/// Two clocks of which at most one runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    reading: ClockReading,
    since: GameInstant,
    controls: Controls,
}

impl Clock {
    /// The clocks as they read at an instant, and run on from there.
    pub(super) const fn set(reading: ClockReading, since: GameInstant, controls: Controls) -> Self {
        Self { reading, since, controls }
    }

    /// What both read at `now`, when `house` of the time since the last event is nobody's.
    pub(super) fn at(&self, now: GameInstant, house: Millis) -> ClockReading {
        self.reading.ticked(&self.controls, now.since(self.since).minus(house))
    }

    /// Whose clock runs.
    pub(super) const fn running(&self) -> Option<Color> {
        self.reading.running
    }

    /// What the move of `color` that arrives with `stamp` costs, and gives; it is his `moves_completed`th.
    ///
    /// No bonus raises a flag that is down, but the next period's time does. A clock that stands has been
    /// stopped in the middle of the move: the time since then costs nothing.
    pub(super) fn complete_move(&self, stamp: Stamp, color: Color, moves_completed: u16) -> MoveCharge {
        let reading = self.at(stamp.now, stamp.house);
        let control = &self.controls[color];
        let turn = Turn::of(&reading, control, color);
        let is_down = turn.is_down(stamp.path_rtt);
        let cost = turn.cost(stamp.path_rtt);
        let charged = cost.min(turn.start);
        let credit = turn.cost(Millis::ZERO).minus(cost);

        let mut next = reading.handed_to(!color);
        next.left[color] = if is_down { Millis::ZERO } else { turn.left_after(control, charged) };
        if control.is_hourglass() {
            // The other half already holds what has run through; the credit runs back.
            let total = reading.left[color].plus(reading.left[!color]);
            next.left[!color] = total.minus(next.left[color]);
        }
        next.begin_period(control, color, moves_completed);
        next.bank[color] = if is_down {
            // Once fallen, a flag waits for no more lag.
            Millis::ZERO
        } else {
            let gained = turn.bank.minus(credit).plus(lag::gain(control));
            gained.min(lag::bank_max(control))
        };
        MoveCharge { charged, credit, clocks: next }
    }

    /// The earliest instant at which no credit can keep the running flag up any more, if nothing else
    /// happens and the house takes no time.
    pub(super) fn flag_falls(&self) -> Option<GameInstant> {
        let color = self.reading.running?;
        let control = &self.controls[color];
        if control.is_unlimited() {
            return None;
        }
        let turn = Turn::of(&self.reading, control, color);
        if turn.start == Millis::ZERO {
            return Some(self.since);
        }
        let grace = lag::credit(turn.bank, Millis::MAX, Millis::MAX);
        Some(self.thought_reaches(turn.start.plus(turn.delay).plus(grace)))
    }

    /// Whether the running flag is down for what arrives with `stamp`: the clock reads zero, also after
    /// the credit that it would get.
    pub(super) fn is_flag_down(&self, stamp: Stamp) -> bool {
        let reading = self.at(stamp.now, stamp.house);
        let Some(color) = reading.running else { return false };
        let control = &self.controls[color];
        !control.is_unlimited() && Turn::of(&reading, control, color).is_down(stamp.path_rtt)
    }

    /// The clocks when both sides begin their next period at once, its time being all they have: what is left
    /// to do when both flags are down (FIDE G.III.3). None when one of them is in his last.
    pub(super) fn next_period_for_both(
        &self,
        now: GameInstant,
        moves_completed: ByColor<u16>,
    ) -> Option<ClockReading> {
        let mut reading = self.at(now, Millis::ZERO);
        for color in Color::ALL {
            let index = reading.period[color].index.saturating_add(1);
            let following = self.controls[color].periods().nth(index.into())?;
            reading.period[color] = PeriodPlace { index, moves_before: moves_completed[color] };
            reading = reading.set_to(color, following.time());
        }
        Some(ClockReading { thought: Millis::ZERO, ..reading })
    }

    /// Whether `color` is in his last period, without increment or delay (L27).
    pub(super) fn is_in_bare_last_period(&self, color: Color) -> bool {
        let period = self.reading.period_of(&self.controls[color], color);
        period.is_some_and(|period| period.moves().is_none() && period.bonus() == Bonus::None)
    }

    /// When the player whose clock runs will have thought for `span` about this move, delays included, if
    /// the house takes no time; `since` the last event when he has already.
    pub(super) fn thought_reaches(&self, span: Millis) -> GameInstant {
        self.since.plus(span.minus(self.reading.thought))
    }
}

/// A move that is being thought about, reckoned from its start.
struct Turn {
    /// What the clock held then.
    start: Millis,
    thought: Millis,
    delay: Millis,
    bonus: Bonus,
    bank: Millis,
}

impl Turn {
    fn of(reading: &ClockReading, control: &TimeControl, color: Color) -> Self {
        let delay = reading.delay(control, color);
        let spent = reading.thought.minus(delay);
        Self {
            start: reading.left[color].plus(spent).minus(reading.overrun[color]),
            thought: reading.thought,
            delay,
            bonus: reading.period_of(control, color).map_or(Bonus::None, Period::bonus),
            bank: reading.bank[color],
        }
    }

    /// What the clock runs for the move when it comes by a path with such a round trip.
    fn cost(&self, path_rtt: Millis) -> Millis {
        self.thought.minus(lag::credit(self.bank, path_rtt, self.thought)).minus(self.delay)
    }

    fn is_down(&self, path_rtt: Millis) -> bool {
        self.cost(path_rtt) >= self.start
    }

    /// What is left of a clock whose flag is not down, with what the completed move gets.
    fn left_after(&self, control: &TimeControl, charged: Millis) -> Millis {
        if control.is_by_days() || control.is_unlimited() {
            return control.allowance();
        }
        let left = self.start.minus(charged);
        match self.bonus {
            Bonus::None | Bonus::Delay(_) => left,
            Bonus::Increment(increment) => left.plus(increment),
            Bonus::Bronstein(most) => left.plus(charged.min(most)),
        }
    }
}
