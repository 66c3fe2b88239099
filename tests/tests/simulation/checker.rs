//! The checker is no rubber stamp: what it is there to find, it finds.

use crate::run;
use chatrang_protocol::ids::{GameId, IntentId, Seq};
use chatrang_protocol::intent::IntentError;
use chatrang_rules::game::{Action, Millis};
use chatrang_rules::outcome::Termination;
use chatrang_server::game::entry::Entry;
use chatrang_tests::sim::checker::check;
use chatrang_tests::sim::keeper::Step;
use chatrang_tests::sim::notes::Tracing;
use chatrang_tests::sim::plan::{Faults, Honesty, Plan, Profile};
use chatrang_tests::sim::world::{self, Outcome};
use std::time::Duration;

/// Not every crash meets something that was told and not flushed, nor everybody who was told it.
const LYING_WORLDS: u64 = 6;

/// A store on a disk that says that it has flushed what it has not: the players remember what the journal has
/// forgotten.
#[test]
fn a_store_that_answers_before_it_flushes_is_caught() {
    let faults = Faults { crash: Some(10), crash_at: Some(Step::Telling), ..Faults::default() };
    let mut violations = Vec::new();
    for seed in 0..LYING_WORLDS {
        let honest = Plan { faults, ..Plan::new(seed, Profile::Calm).small() };
        run(honest);
        let lying = Plan { honesty: Honesty::LiesAboutFlush, ..honest };
        violations.extend(world::run(lying, Tracing::Hash).violations);
    }
    assert!(violations.iter().any(|violation| violation.starts_with("I1")), "{violations:#?}");
    assert!(violations.iter().any(|violation| violation.starts_with("I3")), "{violations:#?}");
}

/// Doctors the evidence of a good world in one way, and expects the invariant that this breaks.
#[test]
fn each_invariant_has_its_lie() {
    let mut good = run(Plan::new(0, Profile::Calm).small());
    assert!(check(&good.journal, &good.pages).violations.is_empty());
    for (lie, invariant) in LIES {
        let journal = good.journal.clone();
        let pages = std::mem::take(&mut good.pages);
        let mut told = Outcome { journal, pages, ..Outcome::default() };
        let undo = lie(&mut told);
        let violations = check(&told.journal, &told.pages).violations;
        assert!(violations.iter().any(|found| found.starts_with(invariant)), "{invariant}: {violations:#?}");
        undo(&mut told);
        good.pages = told.pages;
    }
}

type Lie = fn(&mut Outcome) -> Undo;

type Undo = Box<dyn FnOnce(&mut Outcome)>;

/// What is doctored, and which invariant notices.
const LIES: [(Lie, &str); 8] = [
    (forget_the_last_event, "I1"),
    (forget_a_game, "I1"),
    (carry_out_twice, "I1"),
    (refuse_what_was_done, "I1"),
    (leave_a_game_open, "I2"),
    (show_another_result, "I3"),
    (charge_too_much, "I4"),
    (run_while_down, "I4"),
];

fn nothing() -> Undo {
    Box::new(|_| {})
}

/// A game whose last event was somebody's doing.
fn played_out(told: &Outcome) -> GameId {
    let is_done = |entries: &Vec<Entry>| entries.last().is_some_and(|entry| entry.cause().is_some());
    *told.journal.iter().find(|(_, entries)| is_done(entries)).unwrap().0
}

fn forget_the_last_event(told: &mut Outcome) -> Undo {
    let game = played_out(told);
    told.journal.get_mut(&game).unwrap().pop();
    nothing()
}

fn forget_a_game(told: &mut Outcome) -> Undo {
    told.journal.pop_first();
    nothing()
}

/// An offer that stands in the journal twice, with something in between.
fn carry_out_twice(told: &mut Outcome) -> Undo {
    for entries in told.journal.values_mut() {
        let moves = entries.iter().position(|entry| matches!(entry.event().action, Action::Moved { .. }));
        let Some(first) = moves.filter(|first| first + 2 < entries.len()) else { continue };
        let cause = entries[first].cause();
        if let Entry::Happened { cause: doubled, .. } = &mut entries[first + 2] {
            *doubled = cause;
        }
        return nothing();
    }
    panic!("no game has three events");
}

fn refuse_what_was_done(told: &mut Outcome) -> Undo {
    let index = told.pages.answered.iter().position(|answer| answer.outcome.is_ok()).unwrap();
    let IntentId(id) = told.pages.answered[index].id;
    let before: Vec<_> = told.pages.answered.clone();
    for answer in &mut told.pages.answered {
        if answer.id == IntentId(id) {
            answer.outcome = Err(IntentError::NotSeated);
        }
    }
    Box::new(move |told| told.pages.answered = before)
}

fn leave_a_game_open(told: &mut Outcome) -> Undo {
    forget_the_last_event(told)
}

fn show_another_result(told: &mut Outcome) -> Undo {
    let last = told.pages.finals.last_mut().unwrap();
    let before = last.view.state.result;
    let other = chatrang_rules::outcome::GameResult::none(Termination::Aborted);
    assert_ne!(before, Some(other));
    last.view.state.result = Some(other);
    Box::new(move |told| told.pages.finals.last_mut().unwrap().view.state.result = before)
}

fn charge_too_much(told: &mut Outcome) -> Undo {
    for entry in told.journal.values_mut().flatten() {
        if let Entry::Happened { event, .. } = entry
            && let Action::Moved { charged, .. } = &mut event.action
            && *charged > Millis::ZERO
        {
            *charged = charged.plus(Millis(1));
            return nothing();
        }
    }
    panic!("no move was charged");
}

fn run_while_down(told: &mut Outcome) -> Undo {
    let life = told.pages.lives[0];
    let next = chatrang_tests::sim::notes::Life {
        began: life.ended + Duration::from_secs(5),
        base: life.last.plus_ms(5_000),
        ended: life.ended + Duration::from_secs(6),
        last: life.last.plus_ms(6_000),
    };
    told.pages.lives.push(next);
    Box::new(|told| told.pages.lives.truncate(1))
}

/// What was acknowledged names its event: another number is another event.
#[test]
fn an_answer_with_another_number_is_caught() {
    let mut good = run(Plan::new(1, Profile::Calm).small());
    let answer = good.pages.answered.iter_mut().find(|answer| answer.outcome.is_ok()).unwrap();
    answer.outcome = answer.outcome.clone().map(Seq::next);
    let violations = check(&good.journal, &good.pages).violations;
    assert!(violations.iter().any(|found| found.starts_with("I1")), "{violations:#?}");
}
