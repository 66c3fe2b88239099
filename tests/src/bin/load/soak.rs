//! Hours in minutes: games of an ordinary length, one after the other, at half of what the server can.

use crate::crowd::{Crowd, Measured};
use crate::host::{Host, Kind, Programs, database};
use crate::script::Script;
use crate::verdict::{Verdict, mib, micros};
use std::sync::Arc;
use std::time::Duration;

/// How long the top rate is measured.
const TOP: Duration = Duration::from_secs(10);

/// How long is played before anything is looked at.
const WARM_UP: Duration = Duration::from_secs(3);

/// By how much memory may have grown from the second quarter to the last.
const GROWTH_MAX: f64 = 1.05;

/// By how much the slow moves may have become slower.
const SLOWER_MAX: f64 = 1.25;

/// How long and how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) games: u32,
    /// Lines of the table.
    pub(crate) periods: u32,
    /// How long each is.
    pub(crate) period: Duration,
    /// Moves a second in all; half of the top rate if it is not given.
    pub(crate) rate: Option<f64>,
}

/// A line of the table.
#[derive(Debug)]
struct Line {
    measured: Measured,
    resident_kib: u64,
}

/// Finds the top rate, plays at half of it, and says whether memory and times stay what they are.
pub(crate) async fn run(
    programs: &Programs,
    plan: Plan,
    scripts: &[Arc<Script>],
) -> anyhow::Result<Vec<Verdict>> {
    let rate = match plan.rate {
        Some(rate) => rate,
        None => top_rate(programs, plan.games, scripts).await? / 2.0,
    };
    println!("\nsoak: {} games, {rate:.0} moves a second in all", plan.games);
    println!("{}", head());
    let host = programs.start(Kind::Server).await?;
    let crowd = Crowd::seat(&host, plan.games, scripts).await?;
    let mut playing = crowd.play(Some(rate / f64::from(plan.games)));
    let mut warm_up = WARM_UP;
    let mut lines = Vec::new();
    for period in 1..=plan.periods {
        let measured = playing.measure(&host, warm_up, plan.period).await?;
        warm_up = Duration::ZERO;
        let line = Line { measured, resident_kib: host.process.resident_kib()? };
        println!("{}", line.text(period, &host));
        lines.push(line);
    }
    Ok(judge(&lines))
}

/// Moves a second as fast as they go.
async fn top_rate(programs: &Programs, games: u32, scripts: &[Arc<Script>]) -> anyhow::Result<f64> {
    let host = programs.start(Kind::Server).await?;
    let mut playing = Crowd::seat(&host, games, scripts).await?.play(None);
    let measured = playing.measure(&host, WARM_UP, TOP).await?;
    let rate = measured.moves_per_second();
    println!("\n{games} games as fast as they go: {rate:.0} moves/s");
    Ok(rate)
}

fn head() -> String {
    format!(
        "{:>6} {:>8} {:>7} {:>6} {:>8} {:>8} {:>8} {:>6} {:>8} {:>9} {:>8}",
        "period",
        "moves/s",
        "games",
        "late",
        "p50 us",
        "p99 us",
        "max us",
        "cores",
        "RSS MiB",
        "data MiB",
        "log MiB"
    )
}

impl Line {
    fn text(&self, period: u32, host: &Host) -> String {
        let Measured { seen, .. } = &self.measured;
        let time = |percent| micros(seen.to_opponent.percentile(percent));
        format!(
            "{period:>6} {:>8.0} {:>7} {:>6} {:>8.0} {:>8.0} {:>8.0} {:>6.2} {:>8.1} {:>9.1} {:>8.1}",
            self.measured.moves_per_second(),
            // Both of its players have noted its end.
            seen.games / 2,
            seen.late,
            time(50),
            time(99),
            time(100),
            self.measured.host_cores(),
            mib(self.resident_kib),
            file_mib(host, ""),
            file_mib(host, "-wal"),
        )
    }
}

/// The size of the database or of a file beside it.
fn file_mib(host: &Host, suffix: &str) -> f64 {
    let mut path = database(host.dir()).into_os_string();
    path.push(suffix);
    std::fs::metadata(path).map_or(0.0, |file| mib(file.len() / 1024))
}

/// The second quarter against the last: by then all that is needed once is there. Too few lines have no
/// quarters.
fn judge(lines: &[Line]) -> Vec<Verdict> {
    let quarter = lines.len() / 4;
    if quarter == 0 {
        return Vec::new();
    }
    let compared = |of: fn(&Line) -> f64| {
        let values: Vec<f64> = lines.iter().map(of).collect();
        (median(&values[quarter..2 * quarter]), median(&values[lines.len() - quarter..]))
    };
    let (memory, memory_late) = compared(|line| mib(line.resident_kib));
    let (p99, p99_late) = compared(|line| micros(line.measured.seen.to_opponent.percentile(99)));
    vec![
        Verdict::at_most(
            "memory in the end",
            memory_late,
            GROWTH_MAX * memory,
            "MiB",
            "1.05 of what it was in the second quarter",
        ),
        Verdict::at_most(
            "p99 in the end",
            p99_late,
            SLOWER_MAX * p99,
            "us",
            "1.25 of what it was in the second quarter",
        ),
    ]
}

/// The value in the middle: one bad minute of the machine's is none of the server's.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_minute_moves_no_median() {
        assert!(median(&[3.0, 1.0, 2.0]).total_cmp(&2.0).is_eq());
        assert!(median(&[3.0, 1.0, 900.0, 2.0, 2.5]).total_cmp(&2.5).is_eq());
    }
}
