//! The clocks once more, reckoned from the words of L50-L54 in plain numbers of milliseconds. Nothing here
//! comes from the clock that it is compared with but the description of a time control.
//!
//! All is kept as of the start of the move that is being thought about.

use chatrang_rules::game::{Bonus, Period, TimeControl};

/// Whether a flag is noticed by the server, or stays up until somebody claims it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flags {
    Noticed,
    Claimed,
}

/// What a completed move cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) charged: u64,
    pub(crate) credit: u64,
}

/// Both clocks; White is 0, Black 1.
#[derive(Clone)]
pub(crate) struct Model {
    sides: [Side; 2],
    pub(crate) mover: usize,
    pub(crate) is_running: bool,
    /// When the clocks were last looked at for good.
    pub(crate) since: u64,
    /// How long the mover has thought about this move while his clock ran.
    thought: i64,
}

#[derive(Clone)]
struct Side {
    control: TimeControl,
    periods: Vec<Period>,
    /// What was left when the move began.
    start: i64,
    bank: i64,
    period: usize,
    moves_in_period: u16,
}

/// No more than this is credited for a move.
const CREDIT_MAX: i64 = 2_000;

impl Side {
    fn new(control: TimeControl) -> Self {
        let start = if control.is_unlimited() { 0 } else { control.allowance().0.cast_signed() };
        let mut side = Self {
            control,
            periods: control.periods().collect(),
            start,
            bank: 0,
            period: 0,
            moves_in_period: 0,
        };
        side.bank = 3 * side.gain();
        side
    }

    /// 0.15 s and 0.4 % of the base and 40 increments, at the most 1 s; nothing by days or without a limit.
    fn gain(&self) -> i64 {
        if self.control.is_by_days() || self.control.is_unlimited() {
            return 0;
        }
        let mut length =
            if self.control.is_hourglass() { self.control.allowance().0.cast_signed() } else { 0 };
        length += self.periods.iter().map(|period| period.time().0.cast_signed()).sum::<i64>();
        let (mut index, mut moves_in_period) = (0, 0);
        for _ in 0..40 {
            let Some(period) = self.periods.get(index) else { break };
            length += period.bonus().span().0.cast_signed();
            moves_in_period += 1;
            if period.moves().is_some_and(|moves| moves.get() == moves_in_period) {
                (index, moves_in_period) = (index + 1, 0);
            }
        }
        (length * 4 / 1_000 + 150).min(1_000)
    }

    fn bonus(&self) -> Bonus {
        self.periods.get(self.period).map_or(Bonus::None, |period| period.bonus())
    }

    fn delay(&self) -> i64 {
        if let Bonus::Delay(delay) = self.bonus() { delay.0.cast_signed() } else { 0 }
    }
}

impl Model {
    pub(crate) fn new(white: TimeControl, black: TimeControl) -> Self {
        let sides = [Side::new(white), Side::new(black)];
        Self { sides, mover: 0, is_running: true, since: 0, thought: 0 }
    }

    /// Time passes until `now`, of which the house has taken `house`.
    pub(crate) fn pass(&mut self, now: u64, house: u64) {
        if self.is_running {
            self.thought += (now.cast_signed() - self.since.cast_signed() - house.cast_signed()).max(0);
        }
        self.since = now;
    }

    /// The same, looked at and not touched.
    pub(crate) fn passed(&self, now: u64, house: u64) -> Self {
        let mut later = self.clone();
        later.pass(now, house);
        later
    }

    /// What the mover's thought costs him, when `credit` of it is forgiven: nothing within the delay.
    fn used(&self, credit: i64) -> i64 {
        (self.thought - credit - self.sides[self.mover].delay()).max(0)
    }

    fn credit(&self, rtt: u64) -> i64 {
        let rtt = i64::try_from(rtt).unwrap_or(i64::MAX);
        self.sides[self.mover].bank.min(rtt).min(self.thought).min(CREDIT_MAX)
    }

    /// What a side's clock shows.
    pub(crate) fn left(&self, side: usize) -> u64 {
        let this = &self.sides[side];
        if this.control.is_unlimited() {
            return u64::MAX;
        }
        let mover = &self.sides[self.mover];
        let left = if side == self.mover {
            this.start - self.used(0)
        } else if mover.control.is_hourglass() {
            this.start + mover.start.min(self.used(0))
        } else {
            this.start
        };
        left.max(0).cast_unsigned()
    }

    pub(crate) fn bank(&self, side: usize) -> u64 {
        self.sides[side].bank.cast_unsigned()
    }

    pub(crate) fn period(&self, side: usize) -> usize {
        self.sides[side].period
    }

    pub(crate) fn is_hourglass(&self) -> bool {
        self.sides[0].control.is_hourglass()
    }

    /// Whether the mover's time is up for what comes over such a path (L52, L54).
    pub(crate) fn is_flag_down(&self, rtt: u64) -> bool {
        let mover = &self.sides[self.mover];
        self.is_running && !mover.control.is_unlimited() && self.used(self.credit(rtt)) >= mover.start
    }

    /// When nothing can keep the flag up any more.
    pub(crate) fn flag_falls(&self) -> Option<u64> {
        let mover = &self.sides[self.mover];
        if !self.is_running || mover.control.is_unlimited() {
            return None;
        }
        if mover.start <= 0 {
            return Some(self.since);
        }
        let most = mover.start + mover.delay() + mover.bank.min(CREDIT_MAX);
        Some(self.since + (most - self.thought).max(0).cast_unsigned())
    }

    /// The mover completes his move; the other side's clock runs.
    pub(crate) fn complete_move(&mut self, rtt: u64) -> Cost {
        let is_hourglass = self.is_hourglass();
        let cost = self.used(self.credit(rtt));
        let credit = self.used(0) - cost;
        let mover = &mut self.sides[self.mover];
        let has_limit = !mover.control.is_unlimited();
        let is_down = has_limit && cost >= mover.start;
        let charged = if has_limit { cost.min(mover.start) } else { cost };
        let gain = mover.gain();
        if is_down {
            (mover.start, mover.bank) = (0, 0);
        } else {
            mover.start -= charged;
            match mover.bonus() {
                Bonus::Increment(increment) => mover.start += increment.0.cast_signed(),
                Bonus::Bronstein(most) => mover.start += charged.min(most.0.cast_signed()),
                Bonus::None | Bonus::Delay(_) => {}
            }
            mover.bank = (mover.bank - credit + gain).min(7 * gain);
            if mover.control.is_by_days() {
                mover.start = mover.control.allowance().0.cast_signed();
            }
        }
        mover.moves_in_period += 1;
        let here = mover.periods.get(mover.period).and_then(|period| period.moves());
        if here.is_some_and(|moves| moves.get() <= mover.moves_in_period) {
            mover.period += 1;
            mover.moves_in_period = 0;
            mover.start += mover.periods[mover.period].time().0.cast_signed();
        }
        self.mover = 1 - self.mover;
        if is_hourglass {
            self.sides[self.mover].start += charged;
        }
        self.thought = 0;
        self.is_running = true;
        Cost { charged: charged.cast_unsigned(), credit: credit.cast_unsigned() }
    }

    /// The arbiter adds time, or takes it, or sets a clock. Nobody adds to a clock without a limit.
    pub(crate) fn add(&mut self, side: usize, span: u64) {
        self.sides[side].start += span.cast_signed();
    }

    pub(crate) fn set(&mut self, side: usize, left: u64) {
        let used = if side == self.mover { self.used(0) } else { 0 };
        self.sides[side].start = left.cast_signed() + used;
    }

    /// Both flags are down: both begin their next period. False when one of them is in his last.
    pub(crate) fn begin_next_periods(&mut self) -> bool {
        if self.sides.iter().any(|side| side.period + 1 >= side.periods.len()) {
            return false;
        }
        for side in &mut self.sides {
            side.period += 1;
            side.moves_in_period = 0;
            side.start = side.periods[side.period].time().0.cast_signed();
        }
        self.thought = 0;
        true
    }
}
