//! Measures the server beside a bare relay over the same QUIC and beside the disk's own flush, all in the
//! same run on the same machine, so that the figures are ratios.
//!
//! `cargo run --release -p chatrang-tests --bin load -- --help`
//!
//! Server, relay and players are processes of their own. The server is a real `chatrangd` with an empty data
//! directory on a real disk; the games are real games, and a move counts when its opponent's program has it,
//! which is after it was on disk. The relay forwards the same frames and acknowledges each, and knows no
//! chess. Of each goal it is said whether it is reached.
//!
//! ```text
//! machine disk host relay     what it runs on; what is measured
//! script heard                what players send, made before; what they hear, read no further than needed
//! doors player crowd          how they come in; one who plays; all of them, and what they cost
//! pace tally times            when a move is due; what was seen; percentiles
//! moves sessions bytes        the measurements, a file each
//! soak recovery loss + road
//! verdict options
//! ```

mod bytes;
mod crowd;
mod disk;
mod doors;
mod heard;
mod host;
mod loss;
mod machine;
mod moves;
mod options;
mod pace;
mod player;
mod recovery;
mod relay;
mod road;
mod script;
mod sessions;
mod soak;
mod tally;
mod times;
mod verdict;

use chatrang_tests::stock::Stock;
use clap::Parser;
use host::Programs;
use options::{Bytes, Closed, Loss, Open, Options, Part, Recovery, Sessions, Soak};
use script::Script;
use sessions::Numbers;
use std::time::Duration;
use verdict::Verdict;

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    if let Some(Part::Relay) = options.part {
        return relay::run();
    }
    println!("{}", machine::facts());
    let programs = Programs::new(options.server)?;
    let measurements = options.part.map_or_else(tour, |part| vec![part]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        for part in measurements {
            for verdict in measure(&programs, part).await? {
                println!("{verdict}");
            }
        }
        Ok(())
    })
}

/// A short look at everything.
fn tour() -> Vec<Part> {
    let open = |games, rate| Part::Open(Open { games, rate, seconds: 5 });
    vec![
        open(100, 10.0),
        open(1_000, 5.0),
        Part::Closed(Closed { games: vec![100, 1_000], seconds: 5 }),
        Part::Loss(Loss { percent: vec![10, 30], least: 100, most: 150, games: 60, seconds: 20 }),
        Part::Bytes(Bytes { seconds: 5 }),
        Part::Sessions(Sessions { compared: 2_000, held: 10_000, games: 2_000, rate: 0.5 }),
        Part::Recovery(Recovery { unfinished: 10_000, finished: 0, plies: 40 }),
    ]
}

async fn measure(programs: &Programs, part: Part) -> anyhow::Result<Vec<Verdict>> {
    match part {
        Part::Open(options) => open(programs, &options).await,
        Part::Closed(options) => closed(programs, &options).await,
        Part::Loss(options) => loss(programs, &options).await,
        Part::Sessions(Sessions { compared, held, games, rate }) => {
            let numbers = Numbers { compared, held, games, rate };
            sessions::run(programs, numbers, &Script::real_games()).await
        }
        Part::Bytes(Bytes { seconds }) => {
            bytes::run(programs, Duration::from_secs(seconds), &Script::real_games()).await?;
            Ok(Vec::new())
        }
        Part::Soak(options) => soak(programs, &options).await,
        Part::Recovery(Recovery { unfinished, finished, plies }) => {
            Ok(vec![recovery::run(programs, Stock { finished, unfinished, plies }).await?])
        }
        Part::Relay => Ok(Vec::new()),
    }
}

async fn open(programs: &Programs, options: &Open) -> anyhow::Result<Vec<Verdict>> {
    let time = Duration::from_secs(options.seconds);
    let plan = moves::Plan { games: options.games, rate: Some(options.rate), time };
    let compared = moves::compare(programs, plan, &Script::real_games()).await?;
    let mut verdicts = vec![compared.judge_players()];
    verdicts.extend(compared.judge_beside_relay());
    verdicts.extend(compared.judge_alone());
    Ok(verdicts)
}

async fn closed(programs: &Programs, options: &Closed) -> anyhow::Result<Vec<Verdict>> {
    let scripts = Script::real_games();
    let mut verdicts = Vec::new();
    for &games in &options.games {
        let plan = moves::Plan { games, rate: None, time: Duration::from_secs(options.seconds) };
        verdicts.push(moves::compare(programs, plan, &scripts).await?.judge_throughput());
    }
    Ok(verdicts)
}

async fn loss(programs: &Programs, options: &Loss) -> anyhow::Result<Vec<Verdict>> {
    println!("\nbad networks, {} to {} ms each way", options.least, options.most);
    println!("{}", loss::head());
    let mut verdicts = Vec::new();
    for &lost_percent in &options.percent {
        let plan = loss::Plan {
            games: options.games,
            time: Duration::from_secs(options.seconds),
            lost_percent,
            one_way_ms: (options.least, options.most),
        };
        verdicts.extend(loss::run(programs, plan).await?);
    }
    Ok(verdicts)
}

async fn soak(programs: &Programs, options: &Soak) -> anyhow::Result<Vec<Verdict>> {
    let plan = soak::Plan {
        games: options.games,
        periods: (options.minutes * 60 / options.period_seconds).max(1),
        period: Duration::from_secs(options.period_seconds.into()),
        rate: options.rate,
    };
    soak::run(programs, plan, &Script::real_games()).await
}
