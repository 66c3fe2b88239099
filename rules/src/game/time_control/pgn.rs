//! Time controls as the tags of a PGN have them.
//!
//! The tag `TimeControl` counts in seconds: `300`, `300+3`, `40/5400+30:1800+30`, `*180` for an hourglass,
//! `-` for none, `?` for one that is not known or that the tag cannot hold. What it cannot hold (delays,
//! days, odds) stands in a tag of our own, [`CONTROLS_TAG`], in the form of [`text`](super::text).

use super::text::{parse_moves, parse_seconds};
use super::{Bonus, Controls, Kind, Period, TimeControl, TimeControlError};
use crate::game::time::Millis;

/// The tag for what [`TIME_CONTROL_TAG`] cannot hold.
pub const CONTROLS_TAG: &str = "Controls";

/// The tag that the standard has for time controls.
pub const TIME_CONTROL_TAG: &str = "TimeControl";

/// Both tags' values: the standard's, and our own where that one says nothing.
pub fn write(controls: &Controls) -> (String, Option<String>) {
    match standard(controls) {
        Some(value) => (value, None),
        None => ("?".to_owned(), Some(controls.to_string())),
    }
}

/// Reads the value of the tag `TimeControl`; none when it says that nothing is known.
///
/// # Errors
/// [`TimeControlError`] when it is of another form, or out of our bounds.
pub fn read(value: &str) -> Result<Option<Controls>, TimeControlError> {
    if value == "?" {
        return Ok(None);
    }
    control(value).map(|control| Some(Controls::equal(control)))
}

/// The value of the tag `TimeControl`, if it can hold these.
fn standard(controls: &Controls) -> Option<String> {
    let control = controls.common().filter(|_| controls.draw_odds().is_none())?;
    match control.kind {
        Kind::Periods(_) => {
            let fields: Option<Vec<String>> = control.periods().map(field).collect();
            Some(fields?.join(":"))
        }
        Kind::Hourglass { .. } => Some(format!("*{}", in_seconds(control.allowance()))),
        Kind::Days(_) => None,
        Kind::Unlimited => Some("-".to_owned()),
    }
}

/// `40/5400+30`.
fn field(period: Period) -> Option<String> {
    let moves = period.moves().map(|moves| format!("{moves}/")).unwrap_or_default();
    let time = in_seconds(period.time());
    match period.bonus() {
        Bonus::None => Some(format!("{moves}{time}")),
        Bonus::Increment(increment) => Some(format!("{moves}{time}+{}", in_seconds(increment))),
        Bonus::Delay(_) | Bonus::Bronstein(_) => None,
    }
}

/// `300`, or with decimals, which the standard does not know, rather than another time.
fn in_seconds(span: Millis) -> String {
    let (whole, rest) = (span.0 / 1000, span.0 % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

fn control(value: &str) -> Result<TimeControl, TimeControlError> {
    if value == "-" {
        return Ok(TimeControl::UNLIMITED);
    }
    if let Some(base) = value.strip_prefix('*') {
        return TimeControl::hourglass(seconds(base)?);
    }
    let periods: Result<Vec<Period>, _> = value.split(':').map(period).collect();
    TimeControl::with_periods(&periods?)
}

fn period(text: &str) -> Result<Period, TimeControlError> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(parse_moves(moves).map_err(in_a_tag)?), rest),
        None => (None, text),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    Period::new(moves, seconds(time)?, Bonus::Increment(seconds(increment)?))
}

fn seconds(text: &str) -> Result<Millis, TimeControlError> {
    parse_seconds(text).map_err(in_a_tag)
}

/// A fault of form says which form was asked for.
fn in_a_tag(error: TimeControlError) -> TimeControlError {
    if error == TimeControlError::Form { TimeControlError::PgnForm } else { error }
}
