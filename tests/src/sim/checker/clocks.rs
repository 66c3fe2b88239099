//! I4: no fault takes time from a clock, or gives it any. The rules that are checked:
//!
//! - Each life of the server begins at an instant of server time that the life before it has reached, and runs
//!   no faster than time: so the time in between is in no game.
//! - What a move is charged, what is credited and what the house took make up the time from the event before it,
//!   to the millisecond, where the clock ran and has neither delay nor a fallen flag.
//! - A flag falls only where the clock that ran has run for at least what it held.
//! - A move costs its player no less than the time from when he first saw the position to when he sent it, less
//!   the credit and the time in which the server's time stood still, and no more than the time from when the opponent's move was sent to when his own was answered.

use super::Record;
use crate::sim::notes::{Answered, Pages, Sent};
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Bonus, Event, Party, TimeControl};
use chatrang_rules::outcome::Termination;
use chatrang_server::game::entry::Entry;
use std::collections::BTreeMap;
use std::time::Duration;

/// What rounding to whole milliseconds, once at either end, can make of a span.
const ROUNDING_MS: u64 = 2;

/// The moves that a record tells.
pub(super) fn moves(record: &Record) -> u64 {
    record.entries.iter().filter(|entry| matches!(entry.event().action, Action::Moved { .. })).count() as u64
}

/// What a record says of its own clocks.
pub(super) fn check(game: GameId, record: &Record, violations: &mut Vec<String>) {
    let controls = record.game.terms().controls;
    for (seq, pair) in (1..).zip(record.entries.windows(2)) {
        let [before, after] = [pair[0].event(), pair[1].event()];
        let Some(running) = before.clocks.running else {
            if before.clocks.left != after.clocks.left && !gives_time(&after.action) {
                violations.push(format!(
                    "I4: game {game}, event {seq}: time ran on clocks that stood: {before:?} {after:?}"
                ));
            }
            continue;
        };
        let passed = after.at.since(before.at);
        let is_flag = after.end.is_some_and(|end| end.termination == Termination::FlagFall)
            && after.action == Action::TimeRanOut;
        if is_flag && passed < before.clocks.left[running] {
            violations.push(format!(
                "I4: game {game}, event {seq}: a flag fell after {passed} of {}",
                before.clocks.left[running]
            ));
        }
        if let Action::Moved { charged, credit, house, .. } = after.action
            && counts_all_time(&controls[running])
            && charged < before.clocks.left[running]
        {
            let thought = before.clocks.thought.plus(passed.minus(house));
            if charged.plus(credit) != thought {
                violations.push(format!(
                    "I4: game {game}, event {seq}: {charged} charged and {credit} credited of {thought} thought"
                ));
            }
        }
    }
}

/// Whether an event may change a clock that stands: the house's own, and penalties.
fn gives_time(action: &Action) -> bool {
    !matches!(action, Action::Suspended(_) | Action::Continued | Action::Left(_) | Action::Returned(_))
}

/// Whether all that a player thinks is counted.
fn counts_all_time(control: &TimeControl) -> bool {
    !control.is_unlimited() && !control.periods().any(|period| matches!(period.bonus(), Bonus::Delay(_)))
}

/// Server time goes on where it was, and no faster than time.
pub(super) fn check_lives(pages: &Pages, violations: &mut Vec<String>) {
    for life in &pages.lives {
        let lived_ms = life.ended.saturating_sub(life.began).as_millis() as u64;
        if life.last.since_ms(life.base) > lived_ms + ROUNDING_MS {
            violations
                .push(format!("I4: server time ran from {} to {} in {lived_ms} ms", life.base, life.last));
        }
    }
    for pair in pages.lives.windows(2) {
        if pair[1].base > pair[0].last {
            violations.push(format!(
                "I4: a life that ended at {} was followed by one from {}",
                pair[0].last, pair[1].base
            ));
        }
    }
}

/// What moves cost, beside what their players know of the time they took.
pub(super) fn check_thinking(
    records: &BTreeMap<GameId, Record>,
    pages: &Pages,
    violations: &mut Vec<String>,
) {
    let witness = Witness::of(pages);
    for (game, record) in records {
        if !Color::ALL.into_iter().all(|color| counts_all_time(&record.game.terms().controls[color])) {
            continue;
        }
        for seq in 2..record.entries.len() {
            if let Some(wrong) = witness.fault_of_move(*game, record, seq) {
                violations.push(format!("I4: game {game}, event {seq}: {wrong}"));
            }
        }
    }
}

/// Who sent and saw what when.
struct Witness<'a> {
    pages: &'a Pages,
    /// Intents by game and id.
    sent: BTreeMap<(GameId, u64), &'a Sent>,
    /// The first answer to each.
    answered: BTreeMap<(GameId, u64), &'a Answered>,
    /// When the player of a side first saw an event.
    seen: BTreeMap<(GameId, Seq, Color), Duration>,
}

impl<'a> Witness<'a> {
    fn of(pages: &'a Pages) -> Self {
        let mut seen = BTreeMap::new();
        for sight in &pages.sights {
            if let Some(seat) = sight.seat {
                seen.entry((sight.game, sight.seq, seat)).or_insert(sight.at);
            }
        }
        let mut answered = BTreeMap::new();
        for answer in &pages.answered {
            answered.entry((answer.game, answer.id.0)).or_insert(answer);
        }
        let sent = pages.sent.iter().map(|sent| ((sent.game, sent.id.0), sent)).collect();
        Self { pages, sent, answered, seen }
    }

    /// What is wrong with the cost of the move that is event `seq`, if it is a move right after another one.
    fn fault_of_move(&self, game: GameId, record: &Record, seq: usize) -> Option<String> {
        let [before, after] = [&record.entries[seq - 1], &record.entries[seq]];
        let (Action::Moved { .. }, Action::Moved { charged, credit, .. }) =
            (&before.event().action, &after.event().action)
        else {
            return None;
        };
        let Party::Player(color) = after.event().by else { return None };
        let is_flag_down = has_no_time(after.event(), color);
        let mine = self.sent_of(game, after)?;
        let seen = self.seen.get(&(game, Seq(seq as u64 - 1), color));
        if let Some(thought) = seen.and_then(|seen| mine.at.checked_sub(*seen)) {
            let stood_still = self.pages.stood_still(*seen?, mine.at);
            let thought_ms = thought.saturating_sub(stood_still).as_millis() as u64;
            if charged.plus(*credit).0 + ROUNDING_MS < thought_ms && !is_flag_down {
                return Some(format!(
                    "{charged} charged and {credit} credited of {thought_ms} ms at the board"
                ));
            }
        }
        let theirs = self.sent_of(game, before)?;
        let answer = self.answered.get(&(game, mine.id.0))?;
        let most_ms = (answer.at.checked_sub(theirs.at)?).as_millis() as u64;
        (charged.0 > most_ms + ROUNDING_MS).then(|| format!("{charged} charged of at most {most_ms} ms"))
    }

    fn sent_of(&self, game: GameId, entry: &Entry) -> Option<&'a Sent> {
        self.sent.get(&(game, entry.cause()?.intent.0)).copied()
    }
}

fn has_no_time(event: &Event, color: Color) -> bool {
    event.clocks.left[color].0 == 0
}
