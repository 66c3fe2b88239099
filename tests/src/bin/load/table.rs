//! What is printed.

use crate::drive::Measured;
use std::fmt;

/// A line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    name: &'static str,
    games: u32,
    moves: usize,
    late: usize,
    p50: u64,
    p99: u64,
    p50_ratio: f64,
    p99_ratio: f64,
}

impl Row {
    /// The line over the table.
    pub(crate) fn head() -> String {
        format!(
            "{:<10} {:>6} {:>8} {:>6} {:>9} {:>9} {:>8} {:>8}",
            "through", "games", "moves", "late", "p50 us", "p99 us", "p50 x", "p99 x"
        )
    }

    /// A measurement, beside that of the bare relay.
    pub(crate) fn new(name: &'static str, games: u32, measured: &Measured, bare: &Measured) -> Self {
        let (p50, p99) = (percentile(&measured.micros, 50), percentile(&measured.micros, 99));
        let ratio = |own, percent| exact(own) / exact(percentile(&bare.micros, percent).max(1));
        Self {
            name,
            games,
            moves: measured.micros.len(),
            late: measured.late,
            p50,
            p99,
            p50_ratio: ratio(p50, 50),
            p99_ratio: ratio(p99, 99),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, games, moves, late, p50, p99, p50_ratio, p99_ratio } = self;
        write!(
            f,
            "{name:<10} {games:>6} {moves:>8} {late:>6} {p50:>9} {p99:>9} {p50_ratio:>8.2} {p99_ratio:>8.2}"
        )
    }
}

/// A time of less than an hour as a number to divide.
fn exact(micros: u64) -> f64 {
    u32::try_from(micros).map_or(f64::INFINITY, f64::from)
}

/// The smallest of sorted times that so many percent do not pass.
fn percentile(micros: &[u64], percent: usize) -> u64 {
    let place = (micros.len() * percent).div_ceil(100).saturating_sub(1);
    micros.get(place).copied().unwrap_or_default()
}
