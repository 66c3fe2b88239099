//! Time at the board: an instant of one game, and a span of it, both in whole milliseconds; and the stamp of
//! what arrives.

use std::fmt;

/// Milliseconds of game time since the game was created. It stands still while the server is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct GameInstant(pub u64);

/// A span of time in milliseconds. Its arithmetic stops at zero and at the largest value; it never wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Millis(pub u64);

/// When something arrived, as the server measured it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Game time at arrival. Earlier than the last event counts as the last event's.
    pub now: GameInstant,
    /// How much of the time since the last event the house took to tell the player to move about it:
    /// nobody is charged for it.
    pub house: Millis,
    /// How long a round trip took on the path by which it came, as the transport measured it, never as a
    /// client says.
    pub path_rtt: Millis,
}

impl Stamp {
    /// A stamp for which neither the house nor the network took time.
    pub const fn at(now: GameInstant) -> Self {
        Self { now, house: Millis::ZERO, path_rtt: Millis::ZERO }
    }

    /// The same, from bare milliseconds.
    pub const fn at_ms(now_ms: u64) -> Self {
        Self::at(GameInstant(now_ms))
    }
}

impl GameInstant {
    /// The instant at which a game is created.
    pub const START: Self = Self(0);

    /// The instant a span later.
    #[must_use]
    pub const fn plus(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// How long ago `earlier` was; nothing if it was not.
    pub const fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Millis {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// More than any clock counts: what an unlimited clock reads.
    pub const MAX: Self = Self(u64::MAX);

    /// A clock that has less shows tenths of a second.
    pub const TENTHS_UNDER: Self = Self(20_000);

    /// A number of whole seconds.
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// A number of whole minutes.
    pub const fn from_minutes(minutes: u64) -> Self {
        Self(minutes.saturating_mul(60_000))
    }

    /// This much `times` over.
    #[must_use]
    pub const fn times(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// This much and `other` together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left of it without `other`.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Millis {
    /// `4:07`, with hours from 60 minutes on (`1:30:00`) and tenths under 20 seconds (`0:09.3`);
    /// [`Millis::MAX`] is `unlimited`.
    ///
    /// Rounded down, so that a clock never shows more than it has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::MAX {
            return f.write_str("unlimited");
        }
        let (hours, minutes, seconds) = (self.0 / 3_600_000, self.0 / 60_000 % 60, self.0 / 1000 % 60);
        if hours > 0 {
            return write!(f, "{hours}:{minutes:02}:{seconds:02}");
        }
        write!(f, "{minutes}:{seconds:02}")?;
        if *self < Self::TENTHS_UNDER { write!(f, ".{}", self.0 / 100 % 10) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_rounded_down() {
        for (ms, text) in [
            (0, "0:00.0"),
            (9_399, "0:09.3"),
            (19_999, "0:19.9"),
            (20_000, "0:20"),
            (247_999, "4:07"),
            (3_599_999, "59:59"),
            (5_400_000, "1:30:00"),
            (3 * 86_400_000, "72:00:00"),
            (u64::MAX, "unlimited"),
        ] {
            assert_eq!(Millis(ms).to_string(), text);
        }
    }

    #[test]
    fn time_never_wraps() {
        assert_eq!(Millis(5).minus(Millis(6)), Millis::ZERO);
        assert_eq!(Millis(u64::MAX).plus(Millis(1)), Millis(u64::MAX));
        assert_eq!(GameInstant(u64::MAX).plus(Millis(9)), GameInstant(u64::MAX));
        assert_eq!(GameInstant(3).since(GameInstant(4)), Millis::ZERO);
        assert_eq!(Millis::from_seconds(u64::MAX), Millis::MAX);
        assert_eq!(Millis::from_minutes(u64::MAX), Millis::MAX);
        assert_eq!(Millis(2).times(u64::MAX), Millis::MAX);
    }
}
