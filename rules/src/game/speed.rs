//! How fast a game is (FIDE A.1, B.1): what ratings are kept apart by.

use super::time::Millis;
use super::time_control::{Controls, TimeControl};
use std::fmt;

/// The moves of which increments and delays count towards a game's class (FIDE A.1).
const MOVES: u16 = 60;

/// A class of games, from the fastest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum SpeedClass {
    /// Under 3 minutes a side.
    Bullet,
    /// From 3 to 10 minutes (FIDE B.1).
    Blitz,
    /// More than 10 minutes, under 60 (FIDE A.1).
    Rapid,
    /// From 60 minutes on, or without a limit.
    Classical,
    /// Days for each move.
    Correspondence,
}

impl SpeedClass {
    /// The class of a side's time: that of all periods, and 60 increments or delays.
    pub fn of(control: TimeControl) -> Self {
        const BLITZ_MIN: Millis = Millis::from_minutes(3);
        const BLITZ_MAX: Millis = Millis::from_minutes(10);
        const CLASSICAL_MIN: Millis = Millis::from_minutes(60);
        match control.time_for(MOVES) {
            _ if control.is_by_days() => Self::Correspondence,
            time if time < BLITZ_MIN => Self::Bullet,
            time if time <= BLITZ_MAX => Self::Blitz,
            time if time < CLASSICAL_MIN => Self::Rapid,
            _ => Self::Classical,
        }
    }

    /// The class in which a game is rated: that of the side with more time.
    pub fn of_game(controls: &Controls) -> Self {
        let class = controls.sides().map(Self::of);
        class.white.max(class.black)
    }

    /// Its name in a rating list, such as `blitz`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

impl fmt::Display for SpeedClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l56_a_class_counts_all_periods_and_sixty_bonuses() {
        for (text, class) in [
            ("1+0", SpeedClass::Bullet),
            ("2:59.999+0", SpeedClass::Bullet),
            ("2+0.999", SpeedClass::Bullet),
            ("2+1", SpeedClass::Blitz),
            ("2d1", SpeedClass::Blitz),
            ("2b1", SpeedClass::Blitz),
            ("hg3", SpeedClass::Blitz),
            ("5+5", SpeedClass::Blitz),
            ("5+5.001", SpeedClass::Rapid),
            ("10+0", SpeedClass::Blitz),
            ("15+10", SpeedClass::Rapid),
            ("59:59.999+0", SpeedClass::Rapid),
            ("30+30", SpeedClass::Classical),
            ("40/30,20", SpeedClass::Rapid),
            ("40/30,30", SpeedClass::Classical),
            // 40 moves of 20 s and 20 of 10 s: 1000 s besides the 40 minutes.
            ("40/30+20,10+10", SpeedClass::Rapid),
            ("40/30+20,13:20+10", SpeedClass::Classical),
            ("unlimited", SpeedClass::Classical),
            ("1day", SpeedClass::Correspondence),
        ] {
            assert_eq!(SpeedClass::of(text.parse().unwrap()), class, "{text}");
        }
    }

    #[test]
    fn l56_odds_are_of_the_slower_side_s_class() {
        for (text, class) in [("2+0/5+0", SpeedClass::Blitz), ("15+0/5+0=black", SpeedClass::Rapid)] {
            assert_eq!(SpeedClass::of_game(&text.parse().unwrap()), class, "{text}");
        }
    }
}
