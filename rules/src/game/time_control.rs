//! How much time each player has (FIDE 6.3), and how that is written.

use super::speed::SpeedClass;
use super::time::Millis;
use std::fmt;
use std::str::FromStr;

/// A time for all moves, and what each completed move adds to it (Fischer; FIDE 6.1). Without an
/// increment it is sudden death.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode))]
pub struct TimeControl {
    base: Millis,
    increment: Millis,
}

/// Why a text or a pair of times is no time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// The text has another form.
    #[error("a time control is minutes+seconds, such as 5+3, 10+0 or 0:30+1")]
    Form,
    /// Too little or too much time for the whole game.
    #[error("a player's time is from 1 second to 24 hours")]
    Base,
    /// Too large an increment.
    #[error("an increment is at most 10 minutes a move")]
    Increment,
}

impl TimeControl {
    /// The shortest time for a game.
    pub const BASE_MIN: Millis = Millis::from_seconds(1);
    /// The longest time for a game.
    pub const BASE_MAX: Millis = Millis::from_seconds(24 * 60 * 60);
    /// The largest increment.
    pub const INCREMENT_MAX: Millis = Millis::from_seconds(10 * 60);

    /// A control of `base` for the game and `increment` for each completed move.
    ///
    /// # Errors
    /// [`TimeControlError`] when either is out of its bounds.
    pub fn new(base: Millis, increment: Millis) -> Result<Self, TimeControlError> {
        if !(Self::BASE_MIN..=Self::BASE_MAX).contains(&base) {
            return Err(TimeControlError::Base);
        }
        if increment > Self::INCREMENT_MAX {
            return Err(TimeControlError::Increment);
        }
        Ok(Self { base, increment })
    }

    /// What each clock starts with.
    pub const fn base(self) -> Millis {
        self.base
    }

    /// What a completed move adds.
    pub const fn increment(self) -> Millis {
        self.increment
    }

    /// How quick a game by it is.
    pub const fn class(self) -> SpeedClass {
        match (self.base.0 + 60 * self.increment.0) / 60_000 {
            0..3 => SpeedClass::Bullet,
            3..10 => SpeedClass::Blitz,
            10..60 => SpeedClass::Rapid,
            _ => SpeedClass::Classical,
        }
    }

    /// How long a game is expected to take a side.
    pub const fn estimated_length(self) -> Option<Millis> {
        Some(Millis(self.base.0 + 40 * self.increment.0))
    }

    /// As the `TimeControl` tag of a PGN has it, in seconds: `300+3`, or `300` for sudden death.
    pub fn pgn(self) -> String {
        let seconds = |span: Millis| {
            let (whole, rest) = (span.0 / 1000, span.0 % 1000);
            if rest == 0 {
                whole.to_string()
            } else {
                format!("{whole}.{rest:03}").trim_end_matches('0').to_owned()
            }
        };
        if self.increment == Millis::ZERO {
            seconds(self.base)
        } else {
            format!("{}+{}", seconds(self.base), seconds(self.increment))
        }
    }
}

impl fmt::Display for TimeControl {
    /// Minutes and seconds as on a command line: `5+3`, `0:30+1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, rest_ms) = (self.base.0 / 60_000, self.base.0 % 60_000);
        write!(f, "{minutes}")?;
        if rest_ms != 0 {
            write!(f, ":{:02}", rest_ms / 1000)?;
            write_thousandths(f, rest_ms % 1000)?;
        }
        write!(f, "+{}", self.increment.0 / 1000)?;
        write_thousandths(f, self.increment.0 % 1000)
    }
}

/// Writes `.5`, `.25` or nothing for whole seconds.
fn write_thousandths(f: &mut fmt::Formatter<'_>, ms: u64) -> fmt::Result {
    if ms == 0 { Ok(()) } else { write!(f, ".{}", format!("{ms:03}").trim_end_matches('0')) }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `M`, `M+S` or `M:SS+S`: minutes and seconds for the game, seconds a move. Seconds may
    /// have up to three decimals.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (base, increment) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "00"));
        let whole_seconds = seconds.split('.').next().unwrap_or_default();
        let base_seconds = parse_seconds(seconds)?;
        if whole_seconds.len() != 2 || base_seconds >= Millis::from_seconds(60) {
            return Err(TimeControlError::Form);
        }
        let minutes = Millis::from_seconds(60 * parse_digits(minutes, 6)?);
        Self::new(minutes.plus(base_seconds), parse_seconds(increment)?)
    }
}

/// Reads `3`, `0.5` or `2.125`.
fn parse_seconds(text: &str) -> Result<Millis, TimeControlError> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let thousandths = parse_digits(decimals, 3)? * 10_u64.pow(3 - decimals.len() as u32);
    Ok(Millis::from_seconds(parse_digits(whole, 6)?).plus(Millis(thousandths)))
}

/// Reads at most `digits_max` digits; a longer number could overflow and is no time anyway.
fn parse_digits(text: &str, digits_max: usize) -> Result<u64, TimeControlError> {
    if text.len() > digits_max || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(TimeControlError::Form);
    }
    text.parse().map_err(|_| TimeControlError::Form)
}

#[cfg(feature = "bincode")]
impl<Context> bincode::Decode<Context> for TimeControl {
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        Self::new(Millis::decode(decoder)?, Millis::decode(decoder)?)
            .map_err(|error| bincode::error::DecodeError::OtherString(error.to_string()))
    }
}

#[cfg(feature = "bincode")]
bincode::impl_borrow_decode!(TimeControl);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l50_controls_are_read_and_written() {
        for (text, base_ms, increment_ms, written, pgn) in [
            ("5+3", 300_000, 3_000, "5+3", "300+3"),
            ("10", 600_000, 0, "10+0", "600"),
            (" 90+30 ", 5_400_000, 30_000, "90+30", "5400+30"),
            ("0:30+1", 30_000, 1_000, "0:30+1", "30+1"),
            ("0:01.5+0.25", 1_500, 250, "0:01.5+0.25", "1.5+0.25"),
            ("1440+600", 86_400_000, 600_000, "1440+600", "86400+600"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!((control.base().0, control.increment().0), (base_ms, increment_ms), "{text}");
            assert_eq!((control.to_string().as_str(), control.pgn().as_str()), (written, pgn));
            assert_eq!(written.parse(), Ok(control));
        }
    }

    #[test]
    fn l50_other_texts_say_what_is_wrong() {
        use TimeControlError::{Base, Form, Increment};
        for (text, error) in [
            ("", Form),
            ("five", Form),
            ("5+", Form),
            ("+3", Form),
            ("5+3+1", Form),
            ("-5+3", Form),
            ("5:7+3", Form),
            ("5:60+3", Form),
            ("5+0.0001", Form),
            ("99999999999999999999+3", Form),
            ("0+3", Base),
            ("1441", Base),
            ("5+601", Increment),
            ("٥+٣", Form),
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(error), "{text:?}");
        }
    }
}
