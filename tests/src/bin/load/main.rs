//! Measures the server beside a bare relay over the same QUIC and beside the disk's own flush, all in the
//! same run on the same machine, so that the figures are ratios.
//!
//! `cargo run --release -p chatrang-tests --bin load -- --help`
//!
//! Server, relay and players are processes of their own. The server is a real `chatrangd` with an empty data
//! directory on a real disk; the games are real games, and a move counts when its opponent's program has it,
//! which is after it was on disk. The relay forwards the same frames and acknowledges each, and knows no
//! chess. Each goal is said to be reached or not.

mod bytes;
mod crowd;
mod disk;
mod doors;
mod heard;
mod host;
mod machine;
mod moves;
mod pace;
mod player;
mod relay;
mod script;
mod sessions;
mod tally;
mod times;
mod verdict;

use clap::{Args, Parser, Subcommand};
use host::Programs;
use moves::Plan;
use script::Script;
use sessions::Numbers;
use std::path::PathBuf;
use std::time::Duration;

/// Plies of a game, if nothing else is said: after so many its player resigns, and the two play again.
const PLIES: usize = 600;

#[derive(Debug, Parser)]
#[command(about = "Measures chatrangd beside a bare relay and the disk's flush on the same machine")]
struct Options {
    /// Another build of chatrangd to measure
    #[arg(long, global = true, value_name = "PATH")]
    server: Option<PathBuf>,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// Moves at given times: how long they take to the opponent
    Open(Open),
    /// Moves as fast as they go: how many there are
    Closed(Closed),
    /// Sessions that do nothing: their memory beside bare connections', and thousands of them
    Sessions(Sessions),
    /// What a move weighs on the wire
    Bytes(Bytes),
    /// The bare relay, which this program starts by itself
    #[command(hide = true)]
    Relay,
}

#[derive(Clone, Debug, Args)]
struct Open {
    /// Games at the same time
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Moves a second in each
    #[arg(long, default_value_t = 10.0)]
    rate: f64,
    /// How long each measurement takes
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

#[derive(Clone, Debug, Args)]
struct Closed {
    /// Games at the same time, one measurement for each number
    #[arg(long, value_delimiter = ',', default_value = "100,1000")]
    games: Vec<u32>,
    /// How long each measurement takes
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

#[derive(Clone, Debug, Args)]
struct Sessions {
    /// Connections whose memory is compared
    #[arg(long, default_value_t = 2_000)]
    compared: u32,
    /// Sessions held at the same time
    #[arg(long, default_value_t = 10_000)]
    held: u32,
    /// Games among them
    #[arg(long, default_value_t = 2_000)]
    games: u32,
    /// Moves a second in each
    #[arg(long, default_value_t = 0.5)]
    rate: f64,
}

#[derive(Clone, Debug, Args)]
struct Bytes {
    /// How long each measurement takes
    #[arg(long, default_value_t = 15)]
    seconds: u64,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    if let Some(Part::Relay) = options.part {
        return relay::run();
    }
    println!("{}", machine::facts());
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(measure(options))
}

async fn measure(options: Options) -> anyhow::Result<()> {
    let programs = Programs::new(options.server)?;
    match options.part {
        Some(Part::Open(options)) => open(&programs, &options).await,
        Some(Part::Closed(options)) => closed(&programs, &options).await,
        Some(Part::Sessions(options)) => sessions(&programs, &options).await,
        Some(Part::Bytes(options)) => bytes(&programs, &options).await,
        Some(Part::Relay) => Ok(()),
        None => tour(&programs).await,
    }
}

/// A short look at everything.
async fn tour(programs: &Programs) -> anyhow::Result<()> {
    open(programs, &Open { games: 100, rate: 10.0, seconds: 5 }).await?;
    open(programs, &Open { games: 1_000, rate: 5.0, seconds: 5 }).await?;
    closed(programs, &Closed { games: vec![100, 1_000], seconds: 5 }).await
}

async fn open(programs: &Programs, options: &Open) -> anyhow::Result<()> {
    let time = Duration::from_secs(options.seconds);
    let plan = Plan { games: options.games, rate: Some(options.rate), time };
    let compared = moves::compare(programs, plan, &Script::several(PLIES)).await?;
    println!("{}", compared.judge_players());
    for verdict in compared.judge_beside_relay().iter().chain(&compared.judge_alone()) {
        println!("{verdict}");
    }
    Ok(())
}

async fn closed(programs: &Programs, options: &Closed) -> anyhow::Result<()> {
    let scripts = Script::several(PLIES);
    for &games in &options.games {
        let plan = Plan { games, rate: None, time: Duration::from_secs(options.seconds) };
        let compared = moves::compare(programs, plan, &scripts).await?;
        println!("{}", compared.judge_throughput());
    }
    Ok(())
}

async fn sessions(programs: &Programs, options: &Sessions) -> anyhow::Result<()> {
    let &Sessions { compared, held, games, rate } = options;
    let numbers = Numbers { compared, held, games, rate };
    for verdict in sessions::run(programs, numbers, &Script::several(PLIES)).await? {
        println!("{verdict}");
    }
    Ok(())
}

async fn bytes(programs: &Programs, options: &Bytes) -> anyhow::Result<()> {
    bytes::run(programs, Duration::from_secs(options.seconds), &Script::several(PLIES)).await
}
