//! What can be asked of this program.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Measures chatrangd beside a bare relay and the disk's own flush, on the same machine in the same run
#[derive(Debug, Parser)]
#[command(after_help = "Without a command: a short tour of all of them but soak, in about four minutes.")]
pub(crate) struct Options {
    /// Another build of chatrangd to measure
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) server: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) part: Option<Part>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Moves at given times: how long they take to the opponent
    Open(Open),
    /// Moves as fast as they go: how many there are
    Closed(Closed),
    /// Moves on a bad network: how long they wait for their answers
    Loss(Loss),
    /// Sessions that do nothing: their memory beside bare connections', and thousands of them
    Sessions(Sessions),
    /// What a move weighs on the wire
    Bytes(Bytes),
    /// Whether memory and times stay what they are, game after game
    Soak(Soak),
    /// How long a server with a long past takes to start
    Recovery(Recovery),
    /// The bare relay, which this program starts by itself
    #[command(hide = true)]
    Relay,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Open {
    /// Games at the same time
    #[arg(long, default_value_t = 100)]
    pub(crate) games: u32,
    /// Moves a second in each
    #[arg(long, default_value_t = 10.0)]
    pub(crate) rate: f64,
    /// How long each measurement takes
    #[arg(long, default_value_t = 20)]
    pub(crate) seconds: u64,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Closed {
    /// Games at the same time, a measurement for each number
    #[arg(long, value_delimiter = ',', default_value = "100,1000")]
    pub(crate) games: Vec<u32>,
    /// How long each measurement takes
    #[arg(long, default_value_t = 20)]
    pub(crate) seconds: u64,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Loss {
    /// Datagrams of a hundred that are lost each way, a measurement for each number
    #[arg(long = "loss", value_delimiter = ',', default_value = "0,10,30")]
    pub(crate) percent: Vec<u32>,
    /// The least time that a datagram is under way, in milliseconds
    #[arg(long, default_value_t = 100)]
    pub(crate) least: u64,
    /// The longest
    #[arg(long, default_value_t = 150)]
    pub(crate) most: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 60)]
    pub(crate) games: u32,
    /// How long each measurement takes
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u64,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Sessions {
    /// Connections whose memory is compared
    #[arg(long, default_value_t = 2_000)]
    pub(crate) compared: u32,
    /// Sessions held at the same time
    #[arg(long, default_value_t = 10_000)]
    pub(crate) held: u32,
    /// Games among them
    #[arg(long, default_value_t = 2_000)]
    pub(crate) games: u32,
    /// Moves a second in each
    #[arg(long, default_value_t = 0.5)]
    pub(crate) rate: f64,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Bytes {
    /// How long each measurement takes
    #[arg(long, default_value_t = 15)]
    pub(crate) seconds: u64,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Soak {
    /// How long it goes on
    #[arg(long, default_value_t = 20)]
    pub(crate) minutes: u32,
    /// How long each line of the table covers
    #[arg(long, default_value_t = 60)]
    pub(crate) period_seconds: u32,
    /// Games at the same time
    #[arg(long, default_value_t = 100)]
    pub(crate) games: u32,
    /// Moves a second in all, instead of half of what the server can
    #[arg(long)]
    pub(crate) rate: Option<f64>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Recovery {
    /// Games in play
    #[arg(long, default_value_t = 10_000)]
    pub(crate) unfinished: u32,
    /// Games that are over
    #[arg(long, default_value_t = 0)]
    pub(crate) finished: u32,
    /// Plies of each
    #[arg(long, default_value_t = 40)]
    pub(crate) plies: usize,
}
