//! Rows of the fault table, each with its pass criterion.

use crate::{run, seeds};
use chatrang_protocol::limits;
use chatrang_tests::sim::keeper::{SLOW_FLUSH_MS, Step};
use chatrang_tests::sim::network::Conditions;
use chatrang_tests::sim::plan::{Faults, Plan, Profile};
use chatrang_tests::sim::world::Outcome;
use std::time::Duration;

/// A world of a quiet network, in which nothing happens but these faults.
fn only(seed: u64, faults: Faults) -> Plan {
    Plan { faults, ..Plan::new(seed, Profile::Calm).small() }
}

fn count(outcome: &Outcome, fault: &str) -> u64 {
    outcome.pages.faults.get(fault).copied().unwrap_or(0)
}

fn p99(mut ms: Vec<u64>) -> u64 {
    ms.sort_unstable();
    ms[(ms.len() - 1) * 99 / 100]
}

#[test]
fn f01_killed_between_any_two_steps_it_keeps_what_it_acknowledged() {
    for seed in seeds(1) {
        for step in Step::ALL {
            let outcome =
                run(only(seed, Faults { crash: Some(8), crash_at: Some(step), ..Faults::default() }));
            assert!(outcome.pages.lives.len() > 1, "seed {seed}: nobody died of {step:?}");
            assert_back_in_time(seed, &outcome);
        }
    }
}

/// Everybody is back at his games one keep-alive after the start, and what it takes to shake hands: there are
/// no losses on the way.
fn assert_back_in_time(seed: u64, outcome: &Outcome) {
    let handshake = Duration::from_secs(1);
    let most = Duration::from_secs(limits::KEEP_ALIVE_SECONDS) + handshake;
    for (listener, at) in &outcome.pages.back {
        let begun = outcome.pages.lives.iter().rev().find(|life| life.began <= *at).unwrap();
        let took = at.saturating_sub(begun.began);
        assert!(took <= most, "seed {seed}: {listener:?} was back only after {took:?}, at {at:?}");
    }
}

#[test]
fn f02_what_was_not_flushed_is_lost_or_torn_and_the_log_opens() {
    let mut fates = [0; 3];
    for seed in seeds(2) {
        let crash_at = Some(Step::Unflushed);
        let outcome = run(only(seed, Faults { crash: Some(5), crash_at, ..Faults::default() }));
        for (sum, fate) in fates.iter_mut().zip(["lost", "kept", "torn"]) {
            *sum += count(&outcome, &format!("unflushed write {fate}"));
        }
    }
    assert!(fates.iter().all(|times| *times > 0), "lost, kept, torn: {fates:?}");
}

#[test]
fn f05_a_full_disk_stops_all_clocks_and_play_goes_on_when_it_has_room() {
    let mut stops = 0;
    for seed in seeds(1) {
        let outcome = run(only(seed, Faults { full_disk: Some(8), ..Faults::default() }));
        stops += outcome.pages.frozen.len();
    }
    assert!(stops > 0, "the disk was full, and nobody noticed");
}

#[test]
fn f06_a_slow_disk_answers_late_and_costs_nobody_time() {
    let (mut longest_ms, mut batch) = (0, 0);
    for seed in seeds(2) {
        let outcome = run(only(seed, Faults { slow_disk: Some(10), ..Faults::default() }));
        longest_ms = longest_ms.max(outcome.pages.commit_ms_max);
        batch = batch.max(outcome.pages.batch_max);
    }
    assert!(longest_ms >= SLOW_FLUSH_MS, "{longest_ms} ms");
    assert!(batch > 1, "what waits for a flush shares the next one");
}

#[test]
fn f09_lost_doubled_and_overtaken_packets_delay_and_nothing_else() {
    for (lost_per_mille, most_ms) in [(10, None), (100, Some(1_200)), (300, Some(3_000))] {
        let mut answer_ms = Vec::new();
        for seed in seeds(1) {
            let plan = Plan::new(seed, Profile::Loss10).small();
            let conditions = Conditions { lost_per_mille, ..plan.conditions };
            let outcome = run(Plan { conditions, ..plan });
            assert!(outcome.packets.lost > 0 && outcome.packets.doubled > 0 && outcome.packets.reordered > 0);
            answer_ms.extend(outcome.answer_ms);
        }
        let p99 = p99(answer_ms);
        assert!(most_ms.is_none_or(|most| p99 <= most), "{lost_per_mille} of 1000 lost: p99 {p99} ms");
    }
}

#[test]
fn f10_a_connection_outlives_a_blackout_of_ten_seconds() {
    let mut blackouts = [0; 2];
    for seed in seeds(1) {
        let outcome = run(only(seed, Faults { blackout: Some(10), ..Faults::default() }));
        blackouts[0] += count(&outcome, "blackout of 10 s");
        blackouts[1] += count(&outcome, "blackout of 10 s for all");
        assert_eq!(outcome.pages.lost, [], "seed {seed}");
    }
    assert!(blackouts.iter().all(|times| *times > 0), "{blackouts:?}");
}

#[test]
fn f11_a_game_goes_on_when_an_address_changes() {
    let mut changes = [0; 2];
    for seed in seeds(1) {
        let outcome = run(only(seed, Faults { rebinding: Some(10), moving: Some(10), ..Faults::default() }));
        changes[0] += count(&outcome, "address changed on the way");
        changes[1] += count(&outcome, "device moved to another address");
        assert_eq!(outcome.pages.lost, [], "seed {seed}");
    }
    assert!(changes.iter().all(|times| *times > 0), "{changes:?}");
}

#[test]
fn f35_everything_at_once_violates_nothing() {
    for seed in seeds(2) {
        run(Plan::new(seed, Profile::Mix));
    }
}
