//! Whether a goal was reached.

use std::fmt;
use std::time::Duration;

/// A figure beside its goal, as a line.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    reached: bool,
    text: String,
}

impl Verdict {
    /// A figure that may be as large as `limit`, each as text.
    pub(crate) fn at_most(what: &str, figure: f64, limit: f64, unit: &str, of: &str) -> Self {
        Self {
            reached: figure <= limit,
            text: format!("{what}: {} {unit}, at most {} {unit} ({of})", short(figure), short(limit)),
        }
    }

    /// A figure that must be as large as `limit`.
    pub(crate) fn at_least(what: &str, figure: f64, limit: f64, unit: &str, of: &str) -> Self {
        Self {
            reached: figure >= limit,
            text: format!("{what}: {} {unit}, at least {} {unit} ({of})", short(figure), short(limit)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12} {}", if self.reached { "PASS" } else { "NOT REACHED" }, self.text)
    }
}

/// Three figures or so.
fn short(figure: f64) -> String {
    match figure.abs() {
        100.0.. => format!("{figure:.0}"),
        10.0.. => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}

/// A count as a number to divide.
#[expect(clippy::cast_precision_loss, reason = "a figure to print has three digits or so")]
pub(crate) fn figure(count: u64) -> f64 {
    count as f64
}

/// KiB in MiB.
pub(crate) fn mib(kib: u64) -> f64 {
    figure(kib) / 1024.0
}

/// A time in microseconds.
pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_reached_at_its_limit() {
        for (figure, at_most, at_least) in [(1.9, true, false), (2.0, true, true), (2.1, false, true)] {
            assert_eq!(Verdict::at_most("", figure, 2.0, "", "").reached, at_most, "{figure}");
            assert_eq!(Verdict::at_least("", figure, 2.0, "", "").reached, at_least, "{figure}");
        }
        let verdict = Verdict::at_most("p99", 6_300.4, 5_000.0, "us", "the goal");
        assert_eq!(verdict.to_string(), "NOT REACHED  p99: 6300 us, at most 5000 us (the goal)");
    }
}
