//! Moves through the relay and through the server: at given times, or as fast as they go.

use crate::crowd::{Crowd, Measured};
use crate::disk::flushes;
use crate::host::{Kind, Programs};
use crate::script::Script;
use crate::times::Times;
use crate::verdict::{Verdict, figure, micros};
use std::sync::Arc;
use std::time::Duration;

/// How long is played before anything is looked at.
const WARM_UP: Duration = Duration::from_secs(2);

/// What is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Games at the same time.
    pub(crate) games: u32,
    /// Moves a second in each; none for as many as it gets.
    pub(crate) rate: Option<f64>,
    /// For how long it is measured.
    pub(crate) time: Duration,
}

/// What came of it, and what to hold it against.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) relay: Measured,
    pub(crate) server: Measured,
    pub(crate) flush: Times,
}

/// Measures the relay, the disk and the server, one after the other, and prints a table of it.
pub(crate) async fn compare(
    programs: &Programs,
    plan: Plan,
    scripts: &[Arc<Script>],
) -> anyhow::Result<Compared> {
    match plan.rate {
        Some(rate) => println!("\nopen loop: {} games, {rate} moves a second in each", plan.games),
        None => println!("\nclosed loop: {} games, as fast as they go", plan.games),
    }
    println!("{}", head());
    let (relay, _) = through(programs, Kind::Relay, plan, scripts).await?;
    let (server, flush) = through(programs, Kind::Server, plan, scripts).await?;
    Ok(Compared { relay, server, flush })
}

/// Measures one of the two, and the disk beside it, since disks have their moods.
async fn through(
    programs: &Programs,
    kind: Kind,
    plan: Plan,
    scripts: &[Arc<Script>],
) -> anyhow::Result<(Measured, Times)> {
    let host = programs.start(kind).await?;
    let mut playing = Crowd::seat(&host, plan.games, scripts).await?.play(plan.rate);
    let measured = playing.measure(&host, WARM_UP.min(plan.time), plan.time).await?;
    drop(playing);
    println!("{}", row(kind.name(), &measured));
    let flush = flushes(host.dir())?;
    if kind == Kind::Server {
        let (p50, p99) = (micros(flush.percentile(50)), micros(flush.percentile(99)));
        println!("{:<10} {:>9} {:>7} {p50:>9.0} {p99:>9.0}", "one flush", "", "");
    }
    Ok((measured, flush))
}

fn head() -> String {
    format!(
        "{:<10} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8} {:>8}",
        "through",
        "moves/s",
        "late",
        "p50 us",
        "p99 us",
        "ack p50",
        "ack p99",
        "cores",
        "us/move",
        "players'"
    )
}

fn row(name: &str, measured: &Measured) -> String {
    let time = |times: &Times, percent| micros(times.percentile(percent));
    let Measured { seen, spent, .. } = measured;
    format!(
        "{name:<10} {:>9.0} {:>7} {:>9.0} {:>9.0} {:>9.0} {:>9.0} {:>7.2} {:>8.1} {:>8.1}",
        measured.moves_per_second(),
        seen.late,
        time(&seen.to_opponent, 50),
        time(&seen.to_opponent, 99),
        time(&seen.answered, 50),
        time(&seen.answered, 99),
        measured.host_cores(),
        measured.host_micros_per_move(),
        measured.per_move(spent.own_cpu.as_secs_f64() * 1e6),
    )
}

impl Compared {
    /// Against the relay's times and the disk's.
    pub(crate) fn judge_beside_relay(&self) -> [Verdict; 2] {
        let (relay, server) = (&self.relay.seen.to_opponent, &self.server.seen.to_opponent);
        let [p50, p99] = [50, 99].map(|percent| micros(server.percentile(percent)));
        let [relay_p50, relay_p99] = [50, 99].map(|percent| micros(relay.percentile(percent)));
        let flush = micros(self.flush.percentile(50));
        [
            Verdict::at_most(
                "p50",
                p50,
                relay_p50 + 1.5 * flush,
                "us",
                "the relay's and 1.5 flushes: the goal at 1,000 a second",
            ),
            Verdict::at_most(
                "p99",
                p99,
                3.0 * relay_p99,
                "us",
                "three of the relay's: the goal at 1,000 a second",
            ),
        ]
    }

    /// Against what a club needs.
    pub(crate) fn judge_alone(&self) -> [Verdict; 2] {
        let p99 = micros(self.server.seen.to_opponent.percentile(99));
        [
            Verdict::at_most("p99", p99, 5_000.0, "us", "the goal at 5,000 a second"),
            Verdict::at_most("CPU", self.server.host_cores(), 1.0, "cores", "the goal at 5,000 a second"),
        ]
    }

    /// Against the relay's throughput.
    pub(crate) fn judge_throughput(&self) -> Verdict {
        let (server, relay) = (self.server.moves_per_second(), self.relay.moves_per_second());
        let what = format!("{:.2} of the relay's moves", server / relay);
        Verdict::at_least(&what, server, 0.5 * relay, "moves/s", "half of the relay's")
    }

    /// Whether the players kept to their times.
    pub(crate) fn judge_players(&self) -> Verdict {
        let share = |measured: &Measured| measured.per_move(figure(measured.seen.late)) * 100.0;
        let late = share(&self.relay).max(share(&self.server));
        Verdict::at_most("moves written late", late, 1.0, "%", "more, and it is no open loop any more")
    }
}
