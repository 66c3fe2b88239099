//! Measures what a slow network costs two players, and what one gains who cheats with it (L54).
//!
//! `cargo run --release -p chatrang-tests --bin lag -- --rtt 50,150,400 --moves 20`
//!
//! A server and its players are in this process, each player at the end of a lane on which every datagram
//! takes its time. White plays honestly, or holds his acknowledgements back so that his path looks longer, or
//! denies to have seen the game; Black is honest. Both think for a fixed time about each move. The lines say:
//!
//! - `off White`, `off Black`, `off betw.`: by how much the running clock was wrong on White's screen, on
//!   Black's, and between the two, at each update (the median and the 99th percentile); half a round trip is
//!   allowed;
//! - `credit W`: what White was credited a move;
//! - `gain W`, `gain B`: what White, and Black, thought for nothing a move: the time from when a player saw the
//!   position until he sent his move, less what his clock was charged. Without credit it would be minus a
//!   round trip;
//! - `allowed`: the most that the bank grants a move, in a game as long as this.

use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Millis, lag};
use chatrang_tests::lag::{Manner, MoveCost, Outcome, Sitter, Trial, play};
use clap::Parser;
use std::time::Duration;
use tokio::task::JoinHandle;

#[derive(Debug, Parser)]
#[command(about = "Measures what a slow network costs players, and what cheating with it gains")]
struct Options {
    /// Round trips in milliseconds
    #[arg(long, value_delimiter = ',', default_value = "50,150,400")]
    rtt: Vec<u32>,
    /// By how many percent they go up and down
    #[arg(long, value_delimiter = ',', default_value = "0,20")]
    jitter: Vec<u32>,
    /// Moves of each side
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..))]
    moves: u32,
    /// How long each player thinks about a move, in milliseconds
    #[arg(long, default_value_t = 500)]
    thinking: u64,
    /// For how long a cheat holds his acknowledgements back, in milliseconds
    #[arg(long, default_value_t = 600)]
    hold: u64,
    /// The time control
    #[arg(long, default_value = "1+0")]
    time: String,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(measure(&options))
}

/// Plays all games of one round trip at once: they are long, and mostly wait.
async fn measure(options: &Options) -> anyhow::Result<()> {
    let Options { time, moves, thinking, .. } = options;
    println!("{time}, {moves} moves a side, {thinking} ms of thinking about each; all in milliseconds");
    println!("{}", head());
    for &rtt_ms in &options.rtt {
        let mut games: Vec<(u32, &str, JoinHandle<Outcome>)> = Vec::new();
        for &jitter_percent in &options.jitter {
            for (name, manner) in manners(options) {
                let trial = trial(options, rtt_ms, jitter_percent, manner);
                games.push((jitter_percent, name, tokio::spawn(async move { play(&trial).await })));
            }
        }
        for (jitter_percent, name, game) in games {
            println!("{rtt_ms:>4} {jitter_percent:>5}% {name:<10} {}", figures(&game.await?));
        }
    }
    Ok(())
}

fn manners(options: &Options) -> [(&'static str, Manner); 3] {
    [
        ("honest", Manner::Honest),
        ("holds acks", Manner::HoldsAcknowledgements(Duration::from_millis(options.hold))),
        ("denies", Manner::DeniesSight),
    ]
}

fn trial(options: &Options, rtt_ms: u32, jitter_percent: u32, manner: Manner) -> Trial {
    let one_way = Duration::from_millis(rtt_ms.into()) / 2;
    let black =
        Sitter { manner: Manner::Honest, one_way, jitter_percent, thinking: Millis(options.thinking) };
    Trial {
        time: options.time.clone(),
        moves: options.moves,
        sitters: ByColor { white: Sitter { manner, ..black }, black },
        seed: (rtt_ms + jitter_percent).into(),
    }
}

fn head() -> String {
    format!(
        "{:>4} {:>6} {:<10} {:>11} {:>11} {:>11} {:>8} {:>8} {:>8} {:>8}",
        "rtt",
        "jitter",
        "White",
        "off White",
        "off Black",
        "off betw.",
        "credit W",
        "gain W",
        "gain B",
        "allowed"
    )
}

/// The rest of a line.
fn figures(outcome: &Outcome) -> String {
    let errors = ByColor::from_fn(|color| outcome.clock_errors_ms(color));
    let between: Vec<i64> =
        errors.white.iter().zip(&errors.black).map(|(white, black)| white - black).collect();
    let moves = ByColor::from_fn(|color| outcome.moves(color));
    let credit = mean(moves.white.iter().map(|cost| cost.credit.0.cast_signed()));
    let gain = |color: Color| mean(moves[color].iter().map(MoveCost::gain_ms));
    format!(
        "{:>11} {:>11} {:>11} {credit:>8} {:>8} {:>8} {:>8}",
        spread(&errors.white),
        spread(&errors.black),
        spread(&between),
        gain(Color::White),
        gain(Color::Black),
        allowed(outcome, moves.white.len() as u64),
    )
}

/// The most that the bank grants a move, when it is emptied by so many.
fn allowed(outcome: &Outcome, moves: u64) -> u64 {
    let all = lag::bank_at_start(&outcome.control).plus(lag::gain(&outcome.control).times(moves));
    all.0 / moves.max(1)
}

/// The median and the 99th percentile of what lies how far off, whichever way.
fn spread(errors: &[i64]) -> String {
    let mut sizes: Vec<u64> = errors.iter().map(|error| error.unsigned_abs()).collect();
    sizes.sort_unstable();
    let percentile = |percent: usize| {
        let place = (sizes.len() * percent).div_ceil(100).saturating_sub(1);
        sizes.get(place).copied().unwrap_or_default()
    };
    format!("{}/{}", percentile(50), percentile(99))
}

fn mean(values: impl ExactSizeIterator<Item = i64>) -> i64 {
    let count = i64::try_from(values.len()).unwrap_or(i64::MAX).max(1);
    values.sum::<i64>() / count
}
