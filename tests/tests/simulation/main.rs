//! Simulated worlds, and what must hold in each: the rows of the fault table that no real machine can show a
//! thousand times over.
//!
//! `CHATRANG_CASES` says how many worlds each test runs; a few by default. Whatever fails names its seed, which
//! `cargo run -p chatrang-tests --bin simulate -- --seed N --trace` shows again.

mod checker;
mod faults;

use chatrang_tests::sim::notes::Tracing;
use chatrang_tests::sim::plan::{Plan, Profile};
use chatrang_tests::sim::world::{self, Outcome};

/// So many seeds, or as many as are wanted.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("CHATRANG_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// Runs a world in which nothing may be violated.
fn run(plan: Plan) -> Outcome {
    let outcome = world::run(plan, Tracing::Hash);
    assert!(outcome.violations.is_empty(), "seed {}, {plan:?}: {:#?}", plan.seed, outcome.violations);
    assert!(outcome.games > 0 && outcome.moves > 0, "{plan:?}");
    outcome
}

#[test]
fn the_same_seed_is_the_same_world() {
    for seed in seeds(1) {
        let plan = Plan::new(seed, Profile::Mix).small();
        let hashes = [run(plan).pages.trace_hash(), run(plan).pages.trace_hash()];
        assert_eq!(hashes[0], hashes[1], "seed {seed}");
        assert_ne!(hashes[0], run(Plan::new(seed + 1, Profile::Mix).small()).pages.trace_hash());
    }
}
