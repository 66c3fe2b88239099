//! What the benches share: CPU time, geometric means, the positions everyone times with.

pub mod games;

use cpu_time::ThreadTime;
use std::time::Duration;

/// The six positions everyone times with: fields of a FEN, then leaf counts by depth.
pub const REFERENCE: &str = include_str!("../../../rules/tests/data/reference.epd");

/// A position of an EPD file with its leaf counts, the shallowest first.
pub struct Row {
    /// All six fields of a FEN: not every peer reads fewer.
    pub fen: String,
    /// Depth and leaves.
    pub counts: Vec<(u32, u64)>,
}

/// The rows of an EPD file, its comments left out.
///
/// # Panics
/// When a row has another form than `FEN ;D1 20 ;D2 400`.
pub fn rows(epd: &str) -> Vec<Row> {
    let rows = epd.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let (fields, counts) = row.split_once(';').expect("a row has a count");
        let counts = counts.split(';').map(|count| {
            let (depth, leaves) = count.trim().split_once(' ').expect("a count has a depth");
            let depth = depth.trim_start_matches('D').parse().expect("the depth is a number");
            (depth, leaves.parse().expect("the leaves are a number"))
        });
        let fields: Vec<_> = fields.split_whitespace().take(4).collect();
        Row { fen: format!("{} 0 1", fields.join(" ")), counts: counts.collect() }
    })
    .collect()
}

/// What `work` returns, and the CPU time that this thread spent on it.
pub fn cpu_timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let value = work();
    (value, start.elapsed())
}

/// The geometric mean.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0.0), |(sum, n), value| (sum + value.ln(), n + 1.0));
    (sum / f64::max(count, 1.0)).exp()
}

/// The number behind `--name` on the command line, or `default`.
///
/// # Panics
/// When something else than a number follows.
pub fn option(name: &str, default: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    arguments.next().map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
}
