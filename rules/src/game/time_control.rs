//! How much time a player has (FIDE 6.3).
//!
//! A [`TimeControl`] is one side's; [`Controls`] are both sides' together. [`text`] has their form on a
//! command line, [`pgn`] the form of a PGN's tag. The two are never guessed from each other: `300+3` is
//! five hours here and five minutes there.

mod controls;
#[cfg(feature = "bincode")]
mod encoding;
pub mod pgn;
pub mod text;

#[cfg(test)]
mod tests;

pub use controls::Controls;

use super::time::Millis;
use std::num::NonZeroU16;

/// One side's time for a game; within its bounds by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    pub(super) kind: Kind,
}

/// How a side's time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Period after period (FIDE 6.3); the first is always there.
    Periods([Option<Period>; TimeControl::PERIODS_MAX]),
    /// What one side uses, the other gains.
    Hourglass { base_ms: u32 },
    /// As many days afresh for every move.
    Days(u8),
    /// A clock that never falls.
    Unlimited,
}

/// A stretch of the game with a time of its own; within its bounds by construction.
///
/// Small, because two controls of four periods each stand in every game's first event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    moves: Option<NonZeroU16>,
    time_ms: u32,
    bonus: BonusKind,
    bonus_ms: u32,
}

/// What a player gets besides his time for each move he completes (FIDE 6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Bonus {
    /// Nothing.
    None,
    /// So much is added when the move is complete (Fischer).
    Increment(Millis),
    /// The clock waits so long before it runs (simple delay).
    Delay(Millis),
    /// What the move took is given back, up to so much (Bronstein).
    Bronstein(Millis),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum BonusKind {
    None,
    Increment,
    Delay,
    Bronstein,
}

/// Why there is no such time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// A text of another form.
    #[error(
        "a time control is minutes+seconds such as 5+3 or 0:30+1, 40/90+30,30+30, 10d5, 10b5, hg3, 3days or unlimited; 5:00/4:00 when White and Black have different times, and =black after it when a draw counts as Black's win"
    )]
    Form,
    /// A tag of another form.
    #[error(
        "the TimeControl tag of a PGN is seconds+seconds such as 300+3, 40/5400+30:1800+30, *180, - or ?"
    )]
    PgnForm,
    /// Too little or too much time for a period.
    #[error("the time for a period is from 1 second to 24 hours: give 3days for a longer game")]
    Time,
    /// Too large an increment or delay.
    #[error("an increment or a delay is at most 10 minutes a move: give 3days for a slower game")]
    Bonus,
    /// Too many moves in a period, or none.
    #[error("a period has from 1 to 999 moves, such as 40/90")]
    Moves,
    /// No period, or too many.
    #[error("a time control has from 1 to 4 periods, such as 40/90+30,30+30")]
    Periods,
    /// The last period ends after a number of moves, or another one does not.
    #[error(
        "every period but the last has a number of moves, and the last has none, such as 40/90,30; \
         when White and Black have different times, write seconds as well: 5:00/4:00"
    )]
    LastPeriod,
    /// Too few or too many days.
    #[error("a move has from 1 to 14 days, such as 1day or 3days")]
    Days,
    /// An hourglass on one side of the board.
    #[error("an hourglass runs from one side to the other: give both sides one, such as hg3/hg5")]
    Hourglass,
}

impl Period {
    /// The shortest time for a period.
    pub const TIME_MIN: Millis = Millis::from_seconds(1);
    /// The longest time for a period.
    pub const TIME_MAX: Millis = Millis::from_minutes(24 * 60);
    /// The largest increment or delay.
    pub const BONUS_MAX: Millis = Millis::from_minutes(10);
    /// The most moves in a period.
    pub const MOVES_MAX: u16 = 999;

    /// A period of `moves`, or of all moves that are left; with `time` more for them, and `bonus` for
    /// each. A bonus of no time is none.
    ///
    /// # Errors
    /// [`TimeControlError`] when one of them is out of its bounds.
    pub fn new(moves: Option<NonZeroU16>, time: Millis, bonus: Bonus) -> Result<Self, TimeControlError> {
        if !(Self::TIME_MIN..=Self::TIME_MAX).contains(&time) {
            return Err(TimeControlError::Time);
        }
        if bonus.span() > Self::BONUS_MAX {
            return Err(TimeControlError::Bonus);
        }
        if moves.is_some_and(|moves| moves.get() > Self::MOVES_MAX) {
            return Err(TimeControlError::Moves);
        }
        let kind = match bonus {
            _ if bonus.span() == Millis::ZERO => BonusKind::None,
            Bonus::None => BonusKind::None,
            Bonus::Increment(_) => BonusKind::Increment,
            Bonus::Delay(_) => BonusKind::Delay,
            Bonus::Bronstein(_) => BonusKind::Bronstein,
        };
        // Both are within the bounds above.
        Ok(Self { moves, time_ms: time.0 as u32, bonus: kind, bonus_ms: bonus.span().0 as u32 })
    }

    /// How many moves complete it; none for a last period, which lasts to the end of the game.
    pub const fn moves(self) -> Option<NonZeroU16> {
        self.moves
    }

    /// What the clock gets for it.
    pub const fn time(self) -> Millis {
        Millis(self.time_ms as u64)
    }

    /// What the player gets for each of its moves.
    pub const fn bonus(self) -> Bonus {
        let span = Millis(self.bonus_ms as u64);
        match self.bonus {
            BonusKind::None => Bonus::None,
            BonusKind::Increment => Bonus::Increment(span),
            BonusKind::Delay => Bonus::Delay(span),
            BonusKind::Bronstein => Bonus::Bronstein(span),
        }
    }
}

impl Bonus {
    /// The most that a move can get by it.
    pub const fn span(self) -> Millis {
        match self {
            Self::None => Millis::ZERO,
            Self::Increment(span) | Self::Delay(span) | Self::Bronstein(span) => span,
        }
    }
}

impl TimeControl {
    /// The most periods.
    pub const PERIODS_MAX: usize = 4;
    /// The most days for a move.
    pub const DAYS_MAX: u8 = 14;
    /// No limit at all.
    pub const UNLIMITED: Self = Self { kind: Kind::Unlimited };

    /// `base` for the whole game, and `increment` for each completed move: sudden death when that is
    /// nothing.
    ///
    /// # Errors
    /// [`TimeControlError`] when either is out of its bounds.
    pub fn new(base: Millis, increment: Millis) -> Result<Self, TimeControlError> {
        Self::with_periods(&[Period::new(None, base, Bonus::Increment(increment))?])
    }

    /// Period after period.
    ///
    /// # Errors
    /// [`TimeControlError`] when there are none or too many, or when not just the last has no number of
    /// moves.
    pub fn with_periods(periods: &[Period]) -> Result<Self, TimeControlError> {
        let (last, others) = periods.split_last().ok_or(TimeControlError::Periods)?;
        if others.len() >= Self::PERIODS_MAX {
            return Err(TimeControlError::Periods);
        }
        if last.moves.is_some() || others.iter().any(|period| period.moves.is_none()) {
            return Err(TimeControlError::LastPeriod);
        }
        let mut list = [None; Self::PERIODS_MAX];
        for (place, period) in list.iter_mut().zip(periods) {
            *place = Some(*period);
        }
        Ok(Self { kind: Kind::Periods(list) })
    }

    /// An hourglass in which both halves hold `base` at the start.
    ///
    /// # Errors
    /// [`TimeControlError::Time`] when it is out of a period's bounds.
    pub fn hourglass(base: Millis) -> Result<Self, TimeControlError> {
        if !(Period::TIME_MIN..=Period::TIME_MAX).contains(&base) {
            return Err(TimeControlError::Time);
        }
        Ok(Self { kind: Kind::Hourglass { base_ms: base.0 as u32 } })
    }

    /// A number of days for each move.
    ///
    /// # Errors
    /// [`TimeControlError::Days`] when there are none or too many.
    pub const fn days(days: u8) -> Result<Self, TimeControlError> {
        match days {
            1..=Self::DAYS_MAX => Ok(Self { kind: Kind::Days(days) }),
            _ => Err(TimeControlError::Days),
        }
    }

    /// What the clock starts with; [`Millis::MAX`] when there is no limit.
    pub fn allowance(&self) -> Millis {
        match self.kind {
            Kind::Periods([first, ..]) => first.map_or(Millis::ZERO, Period::time),
            Kind::Hourglass { base_ms } => Millis(base_ms.into()),
            Kind::Days(days) => Millis::from_minutes(24 * 60).times(days.into()),
            Kind::Unlimited => Millis::MAX,
        }
    }

    /// Its periods, in order; none where time is not counted by periods.
    pub fn periods(&self) -> impl Iterator<Item = Period> + use<> {
        let list = match self.kind {
            Kind::Periods(list) => list,
            Kind::Hourglass { .. } | Kind::Days(_) | Kind::Unlimited => [None; Self::PERIODS_MAX],
        };
        list.into_iter().flatten()
    }

    /// Whether the clock never falls.
    pub const fn is_unlimited(&self) -> bool {
        matches!(self.kind, Kind::Unlimited)
    }

    /// Whether a player thinks for days, not for a sitting.
    pub const fn is_by_days(&self) -> bool {
        matches!(self.kind, Kind::Days(_))
    }

    /// Whether what one side uses, the other gains.
    pub const fn is_hourglass(&self) -> bool {
        matches!(self.kind, Kind::Hourglass { .. })
    }

    /// The time of a game of so many moves: of all periods, and what the moves get besides.
    pub fn time_for(&self, moves: u16) -> Millis {
        let Kind::Periods(list) = self.kind else { return self.allowance() };
        let mut moves_left = moves;
        list.into_iter().flatten().fold(Millis::ZERO, |total, period| {
            let here = period.moves.map_or(moves_left, |moves| moves.get().min(moves_left));
            moves_left -= here;
            total.plus(period.time()).plus(period.bonus().span().times(here.into()))
        })
    }
}
