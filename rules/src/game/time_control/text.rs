//! The text form of time controls, as on a command line.
//!
//! | text | what a side has |
//! |---|---|
//! | `5+3` | 5 minutes, and 3 seconds for each completed move (Fischer) |
//! | `10`, written `10+0` | 10 minutes for the whole game (sudden death) |
//! | `0:30+1` | 30 seconds, and 1 second for each move |
//! | `10d5` | 10 minutes, and the clock waits 5 seconds at each move (simple delay) |
//! | `10b5` | 10 minutes, and each move gives back what it took, up to 5 seconds (Bronstein) |
//! | `40/90:00+30,30:00+30` | 90 minutes for 40 moves, then 30 minutes more; 30 seconds for each move |
//! | `hg3` | an hourglass of 3 minutes: what one side uses, the other gains |
//! | `3days`, `1day` | 3 days, or 1, afresh for each move |
//! | `unlimited` | no clock that falls |
//! | `5:00/4:00`, written `5+0/4+0` | White 5 minutes, Black 4 |
//! | `5+0/4+0=black` | the same, and a draw counts as Black's win (Armageddon) |
//!
//! ```text
//! controls = control [ "/" control ] [ "=black" | "=white" ]
//! control  = period { "," period } | "hg" time | "1day" | days "days" | "unlimited"
//! period   = [ moves "/" ] time [ ( "+" | "d" | "b" ) seconds ]
//! time     = minutes [ ":" seconds ]
//! ```
//!
//! A `/` after a bare number counts moves; any other parts White's time from Black's. So White's last time
//! before that `/` is written with its seconds or its increment, and no text has two meanings. `M:SS` is
//! always minutes and seconds, of which these may have three decimals; `5` and `5:00` are the same.

use super::{Bonus, Controls, Kind, Period, TimeControl, TimeControlError};
use crate::color::{ByColor, Color};
use crate::game::time::Millis;
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

impl fmt::Display for Controls {
    /// As this module's table has it; one writing for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.common() {
            Some(control) => write!(f, "{control}")?,
            None => write!(f, "{}/{}", self[Color::White], self[Color::Black])?,
        }
        match self.draw_odds() {
            Some(Color::White) => f.write_str("=white"),
            Some(Color::Black) => f.write_str("=black"),
            None => Ok(()),
        }
    }
}

impl FromStr for Controls {
    type Err = TimeControlError;

    /// Reads what this module's table shows; white space around it does not count.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (sides, draw_odds) = match text.trim().split_once('=') {
            None => (text.trim(), None),
            Some((sides, "white")) => (sides, Some(Color::White)),
            Some((sides, "black")) => (sides, Some(Color::Black)),
            Some(_) => return Err(TimeControlError::Form),
        };
        let controls = match parting(sides) {
            Some((white, black)) => {
                Self::odds(ByColor { white: parse_control(white)?, black: parse_control(black)? })?
            }
            None => Self::equal(parse_control(sides)?),
        };
        Ok(draw_odds.map_or(controls, |side| controls.with_draw_odds(side)))
    }
}

impl fmt::Display for TimeControl {
    /// As this module's table has it, for one side.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Periods([Some(only), None, ..]) => {
                write_time(f, only.time())?;
                if only.bonus() == Bonus::None { f.write_str("+0") } else { write_bonus(f, only.bonus()) }
            }
            Kind::Periods(list) => {
                for (index, period) in list.into_iter().flatten().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write_period(f, period)?;
                }
                Ok(())
            }
            Kind::Hourglass { .. } => {
                f.write_str("hg")?;
                write_time(f, self.allowance())
            }
            Kind::Days(1) => f.write_str("1day"),
            Kind::Days(days) => write!(f, "{days}days"),
            Kind::Unlimited => f.write_str("unlimited"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads one side's part of what this module's table shows.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        parse_control(text.trim())
    }
}

/// One of several periods: `40/90:00+30`.
fn write_period(f: &mut fmt::Formatter<'_>, period: Period) -> fmt::Result {
    if let Some(moves) = period.moves() {
        write!(f, "{moves}/")?;
    }
    write_minutes_and_seconds(f, period.time())?;
    write_bonus(f, period.bonus())
}

/// `5`, or `0:30` when there are seconds.
fn write_time(f: &mut fmt::Formatter<'_>, time: Millis) -> fmt::Result {
    if time.0.is_multiple_of(60_000) {
        write!(f, "{}", time.0 / 60_000)
    } else {
        write_minutes_and_seconds(f, time)
    }
}

fn write_minutes_and_seconds(f: &mut fmt::Formatter<'_>, time: Millis) -> fmt::Result {
    let (minutes, rest_ms) = (time.0 / 60_000, time.0 % 60_000);
    write!(f, "{minutes}:{:02}", rest_ms / 1000)?;
    write_thousandths(f, rest_ms % 1000)
}

fn write_bonus(f: &mut fmt::Formatter<'_>, bonus: Bonus) -> fmt::Result {
    let letter = match bonus {
        Bonus::None => return Ok(()),
        Bonus::Increment(_) => '+',
        Bonus::Delay(_) => 'd',
        Bonus::Bronstein(_) => 'b',
    };
    write!(f, "{letter}{}", bonus.span().0 / 1000)?;
    write_thousandths(f, bonus.span().0 % 1000)
}

/// Writes `.5`, `.25` or nothing for whole seconds.
fn write_thousandths(f: &mut fmt::Formatter<'_>, ms: u64) -> fmt::Result {
    if ms == 0 { Ok(()) } else { write!(f, ".{}", format!("{ms:03}").trim_end_matches('0')) }
}

/// White's text and Black's, on either side of the first `/` that counts no moves.
fn parting(text: &str) -> Option<(&str, &str)> {
    let mut after_last = 0;
    for (at, mark) in text.match_indices([',', '/']) {
        let before = text.get(after_last..at)?;
        if mark == "/" && !is_bare_number(before) {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        after_last = at + 1;
    }
    None
}

fn is_bare_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_control(text: &str) -> Result<TimeControl, TimeControlError> {
    if text == "unlimited" {
        return Ok(TimeControl::UNLIMITED);
    }
    if text == "1day" {
        return TimeControl::days(1);
    }
    if let Some(days) = text.strip_suffix("days") {
        return match parse_digits(days, 2)? {
            days @ 2.. => TimeControl::days(days as u8),
            _ => Err(TimeControlError::Days),
        };
    }
    if let Some(base) = text.strip_prefix("hg") {
        return TimeControl::hourglass(parse_time(base)?);
    }
    let periods: Result<Vec<Period>, _> = text.split(',').map(parse_period).collect();
    TimeControl::with_periods(&periods?)
}

fn parse_period(text: &str) -> Result<Period, TimeControlError> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(parse_moves(moves)?), rest),
        None => (None, text),
    };
    let Some(at) = rest.find(['+', 'd', 'b']) else {
        return Period::new(moves, parse_time(rest)?, Bonus::None);
    };
    let (time, bonus) = rest.split_at(at);
    let (letter, seconds) = bonus.split_at(1);
    let span = parse_seconds(seconds)?;
    let bonus = match letter {
        "+" => Bonus::Increment(span),
        "d" => Bonus::Delay(span),
        _ => Bonus::Bronstein(span),
    };
    Period::new(moves, parse_time(time)?, bonus)
}

/// Reads the number of a period's moves.
pub(super) fn parse_moves(text: &str) -> Result<NonZeroU16, TimeControlError> {
    let moves = parse_digits(text, 3)?;
    NonZeroU16::new(moves as u16).ok_or(TimeControlError::Moves)
}

/// Reads `5`, `0:30` or `0:01.5`.
fn parse_time(text: &str) -> Result<Millis, TimeControlError> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "00"));
    let whole_seconds = seconds.split('.').next().unwrap_or_default();
    let rest = parse_seconds(seconds)?;
    if whole_seconds.len() != 2 || rest >= Millis::from_minutes(1) {
        return Err(TimeControlError::Form);
    }
    Ok(Millis::from_minutes(parse_digits(minutes, 6)?).plus(rest))
}

/// Reads `3`, `0.5` or `2.125`.
pub(super) fn parse_seconds(text: &str) -> Result<Millis, TimeControlError> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let thousandths = parse_digits(decimals, 3)? * 10_u64.pow(3 - decimals.len() as u32);
    Ok(Millis::from_seconds(parse_digits(whole, 6)?).plus(Millis(thousandths)))
}

/// Reads at most `digits_max` digits; a longer number could overflow and is no time anyway.
fn parse_digits(text: &str, digits_max: usize) -> Result<u64, TimeControlError> {
    if text.len() > digits_max || !is_bare_number(text) {
        return Err(TimeControlError::Form);
    }
    text.parse().map_err(|_| TimeControlError::Form)
}
