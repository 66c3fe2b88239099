//! Measures how long a move takes to the opponent: through a real `chatrangd` with a real disk, and in
//! the same run through a bare relay over the same QUIC, so that the figures are ratios.
//!
//! `cargo run --release -p chatrang-tests --bin load -- --games 1,100 --seconds 10 --rate 5`
//!
//! Server and load are processes of their own on this machine. Every game gets so many moves a second,
//! whatever becomes of the moves before (an open loop), the games evenly out of step; each move is
//! timed from just before it is written until the opponent's program has decoded it. Moves that were
//! written later than planned are counted: with many of them the loop is not open any more.

mod drive;
mod relay;
mod table;

use anyhow::Context;
use chatrang_protocol::key::Fingerprint;
use chatrang_tests::children::{Daemon, Talker, command, object};
use chatrang_tests::scratch::Scratch;
use clap::{Parser, Subcommand};
use drive::{Load, Measured, Target};
use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;
use table::Row;

/// Writes and flushes of the disk that are timed.
const FLUSHES: usize = 300;

/// One page of the database, which is what the store flushes for one move.
const PAGE_BYTES: usize = 4_096;

#[derive(Debug, Parser)]
#[command(about = "Measures chatrangd beside a bare relay on the same machine")]
struct Options {
    /// How many games at once, one measurement for each number
    #[arg(long, value_delimiter = ',', default_value = "1,100")]
    games: Vec<u32>,
    /// How long each measurement takes
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// Moves a second in each game
    #[arg(long, default_value_t = 5)]
    rate: u32,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// The bare relay, which this program starts by itself
    #[command(hide = true)]
    Relay,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    match options.part {
        Some(Part::Relay) => relay::run(),
        None => {
            tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(measure(&options))
        }
    }
}

async fn measure(options: &Options) -> anyhow::Result<()> {
    let dir = Scratch::new();
    println!(
        "{} moves/s a game for {} s, open loop; data under {}",
        options.rate,
        options.seconds,
        std::env::temp_dir().display()
    );
    println!("{}", Row::head());
    for &games in &options.games {
        let load = Load { games, seconds: options.seconds, rate: options.rate };
        let bare = through_relay(&dir, load).await?;
        println!("{}", Row::new("relay", games, &bare, &bare));
        // Beside each measurement, since disks have their moods.
        let disk = Measured { micros: flushes(dir.path())?, late: 0 };
        println!("{}", Row::new("one flush", games, &disk, &bare));
        let served = through_server(load).await?;
        println!("{}", Row::new("chatrangd", games, &served, &bare));
    }
    Ok(())
}

/// A relay of its own for each measurement.
async fn through_relay(dir: &Scratch, load: Load) -> anyhow::Result<Measured> {
    let mut process = Talker::start(command(&std::env::current_exe()?, dir.path()).arg("relay"));
    let ready = object(&process.line().await.context("the relay did not start")?);
    let (address, fingerprint) = whereabouts(&ready)?;
    Ok(drive::run(Target::Relay, address, fingerprint, load).await)
}

/// A server with an empty data directory for each measurement.
async fn through_server(load: Load) -> anyhow::Result<Measured> {
    let dir = Scratch::new();
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let (address, fingerprint) = whereabouts(&daemon.ready)?;
    Ok(drive::run(Target::Server, address, fingerprint, load).await)
}

fn whereabouts(ready: &serde_json::Value) -> anyhow::Result<(SocketAddr, Fingerprint)> {
    let text = |name: &str| ready[name].as_str().with_context(|| format!("no {name} in {ready}"));
    Ok((text("address")?.parse()?, text("fingerprint")?.parse()?))
}

/// How long the disk takes to keep one page: what no server that keeps moves can be quicker than.
fn flushes(dir: &Path) -> anyhow::Result<Vec<u64>> {
    let mut file = File::create(dir.join("flushes"))?;
    let mut micros = Vec::with_capacity(FLUSHES);
    for _ in 0..FLUSHES {
        let started = Instant::now();
        file.write_all(&[0; PAGE_BYTES])?;
        file.sync_data()?;
        micros.push(started.elapsed().as_micros() as u64);
    }
    micros.sort_unstable();
    Ok(micros)
}
