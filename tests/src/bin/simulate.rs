//! Runs simulated worlds, one a seed, and says what came of them.
//!
//! `cargo run --release -p chatrang-tests --bin simulate -- --seeds 1000 --profile mix`
//!
//! A seed that fails is run again, with all that happened in it, by `--seed N --trace`. The exit code is 1 when
//! anything was violated or a world was not the same twice.

use chatrang_tests::sim::network::PacketCounts;
use chatrang_tests::sim::notes::Tracing;
use chatrang_tests::sim::plan::{Plan, Profile};
use chatrang_tests::sim::world::{self, Outcome};
use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Every so many worlds are run twice.
const TWICE_EVERY: u64 = 20;

/// Violations that are shown of one seed.
const SHOWN_MAX: usize = 5;

#[derive(Debug, Parser)]
#[command(about = "Runs simulated worlds of server, clients, network and disk, and checks them")]
struct Options {
    /// How many worlds
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// One seed alone
    #[arg(long)]
    seed: Option<u64>,
    /// Show all that happens
    #[arg(long)]
    trace: bool,
    /// What the worlds suffer from
    #[arg(long, default_value = "mix", value_parser = profiles())]
    profile: Profile,
    /// Worlds at once, each in a thread of its own
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let named =
        |name: String| Profile::NAMED.into_iter().find(|(own, _)| *own == name).map(|(_, profile)| profile);
    PossibleValuesParser::new(Profile::NAMED.map(|(name, _)| name))
        .try_map(move |name| named(name).ok_or("no such profile"))
}

fn main() -> ExitCode {
    let options = Options::parse();
    let tracing = if options.trace { Tracing::Lines } else { Tracing::Hash };
    let (first, count) = match options.seed {
        Some(seed) => (seed, 1),
        None => (options.from, options.seeds),
    };
    let (sum, next, began) = (Mutex::new(Sum::default()), AtomicU64::new(first), Instant::now());
    thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let outcome = world::run(Plan::new(seed, options.profile), tracing);
                    let again = seed.is_multiple_of(TWICE_EVERY);
                    let hash = again.then(|| {
                        world::run(Plan::new(seed, options.profile), Tracing::Hash).pages.trace_hash()
                    });
                    sum.lock().unwrap().add(seed, outcome, hash);
                }
            });
        }
    });
    let sum = sum.into_inner().unwrap();
    sum.show(options.profile, began.elapsed());
    if sum.violated.is_empty() && sum.twice.same == sum.twice.all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What came of all worlds.
#[derive(Debug, Default)]
struct Sum {
    worlds: u64,
    games: u64,
    moves: u64,
    answers: u64,
    sights: u64,
    faults: BTreeMap<&'static str, u64>,
    packets: PacketCounts,
    answer_ms: Vec<u64>,
    lasted: Duration,
    twice: Twice,
    violated: BTreeMap<u64, Vec<String>>,
}

/// Worlds that were run twice, and those of them that were the same.
#[derive(Debug, Default)]
struct Twice {
    all: u64,
    same: u64,
}

impl Sum {
    fn add(&mut self, seed: u64, outcome: Outcome, hash_again: Option<u64>) {
        let pages = outcome.pages;
        for line in pages.trace_lines() {
            println!("{line}");
        }
        self.worlds += 1;
        self.games += outcome.games;
        self.moves += outcome.moves;
        self.answers += pages.answered.len() as u64;
        self.sights += pages.sights.len() as u64;
        for (name, times) in &pages.faults {
            *self.faults.entry(name).or_default() += times;
        }
        self.packets.sent += outcome.packets.sent;
        self.packets.lost += outcome.packets.lost;
        self.packets.doubled += outcome.packets.doubled;
        self.packets.reordered += outcome.packets.reordered;
        self.answer_ms.extend(outcome.answer_ms);
        self.lasted += outcome.lasted;
        if let Some(hash) = hash_again {
            self.twice.all += 1;
            self.twice.same += u64::from(hash == pages.trace_hash());
            if hash != pages.trace_hash() {
                println!("seed {seed}: not the same twice");
            }
        }
        if !outcome.violations.is_empty() {
            for violation in outcome.violations.iter().take(SHOWN_MAX) {
                println!("seed {seed}: {violation}");
            }
            self.violated.insert(seed, outcome.violations);
        }
    }

    fn show(&self, profile: Profile, took: Duration) {
        let games_a_minute = self.games * 60_000 / (took.as_millis() as u64).max(1);
        let mut ms = self.answer_ms.clone();
        ms.sort_unstable();
        println!(
            "{profile:?}: {} worlds, {} games, {} moves; {} answers and {} sights compared with the journal",
            self.worlds, self.games, self.moves, self.answers, self.sights
        );
        let PacketCounts { sent, lost, doubled, reordered } = self.packets;
        println!("packets: {sent} sent, {lost} lost, {doubled} doubled, {reordered} overtaken");
        for (name, times) in &self.faults {
            println!("fault: {name}: {times}");
        }
        println!(
            "a move's answer: p50 {} ms, p90 {} ms, p99 {} ms, longest {} ms, of {} (virtual time)",
            percentile(&ms, 50),
            percentile(&ms, 90),
            percentile(&ms, 99),
            ms.last().unwrap_or(&0),
            ms.len()
        );
        println!(
            "{games_a_minute} games a minute; {:.1} h of virtual time in {:.1} s",
            self.lasted.as_secs_f64() / 3_600.0,
            took.as_secs_f64()
        );
        println!("same trace twice: {} of {}", self.twice.same, self.twice.all);
        println!(
            "violations: {} in {} worlds",
            self.violated.values().map(Vec::len).sum::<usize>(),
            self.violated.len()
        );
        for (seed, violations) in &self.violated {
            println!("  seed {seed}: {} violations: {}", violations.len(), violations[0]);
        }
    }
}

fn percentile(sorted: &[u64], percent: usize) -> u64 {
    sorted.get(sorted.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0)
}
