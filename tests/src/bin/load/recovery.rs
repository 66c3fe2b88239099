//! From a server's start until it is ready, with a long past.

use crate::host::{Kind, Programs, data_dir, database};
use crate::verdict::{Verdict, mib};
use chatrang_tests::scratch::Scratch;
use chatrang_tests::stock::Stock;
use std::time::Instant;

/// Starts: the first after an orderly end, the others after a crash.
const STARTS: u32 = 3;

/// How long a start may take, in seconds.
const START_SECONDS_MAX: f64 = 5.0;

/// Makes a past, starts a server on it a few times, and holds the slowest start against the goal.
pub(crate) async fn run(programs: &Programs, stock: Stock) -> anyhow::Result<Verdict> {
    let Stock { finished, unfinished, .. } = stock;
    println!("\nrecovery: {unfinished} games in play and {finished} over, {} moves", stock.moves());
    let mut dir = Scratch::new();
    let made = Instant::now();
    stock.lay_in(&data_dir(dir.path())).await?;
    let bytes = std::fs::metadata(database(dir.path()))?.len();
    println!("made in {:.1} s, {:.0} MiB", made.elapsed().as_secs_f64(), mib(bytes / 1024));
    let mut slowest = 0.0_f64;
    for start in 1..=STARTS {
        let host = programs.start_in(Kind::Server, dir).await?;
        let seconds = host.start_time.as_secs_f64();
        println!(
            "start {start}: ready after {seconds:.2} s ({:.2} s of CPU), {:.0} MiB",
            host.process.cpu()?.as_secs_f64(),
            mib(host.process.resident_kib()?)
        );
        slowest = slowest.max(seconds);
        dir = host.kill().await;
    }
    Ok(Verdict::at_most("start", slowest, START_SECONDS_MAX, "s", "the goal"))
}
