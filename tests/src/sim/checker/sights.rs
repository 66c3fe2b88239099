//! I3: nobody has seen anything but what the journal tells, and who stayed to the end has seen all of it.

use super::Record;
use crate::sim::notes::{Final, Pages, Sight};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::view::EventView;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, ClockReading, Event, Irregularity, Party};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(records: &BTreeMap<GameId, Record>, pages: &Pages, violations: &mut Vec<String>) {
    for sight in &pages.sights {
        let wrong = match records.get(&sight.game) {
            Some(record) => fault_of(sight, record),
            None => Some("a game that is not in the journal".to_owned()),
        };
        if let Some(wrong) = wrong {
            violations
                .push(format!("I3: game {}, event {}: {:?} saw {wrong}", sight.game, sight.seq, sight.by));
        }
    }
    for last in &pages.finals {
        let wrong = match records.get(&last.view.game) {
            Some(record) => end_fault_of(last, record),
            None => Some("a game that is not in the journal".to_owned()),
        };
        if let Some(wrong) = wrong {
            violations.push(format!(
                "I3: game {}: {:?} stayed to the end and saw {wrong}",
                last.view.game, last.by
            ));
        }
    }
    check_everybody_saw_the_end(pages, violations);
}

/// What is wrong with what somebody saw, if anything is.
fn fault_of(sight: &Sight, record: &Record) -> Option<String> {
    let seq = usize::try_from(sight.seq.0).ok()?;
    let Some(entry) = record.entries.get(seq) else {
        return Some(format!(
            "an event that the journal does not have: it ends at {}",
            record.entries.len() - 1
        ));
    };
    let event = entry.event();
    if let Some((seen, intent)) = &sight.event {
        if *seen != as_told(event, sight.seat) {
            return Some(format!("{seen:?}, and the journal has {event:?}"));
        }
        if *intent != entry.cause().map(|cause| cause.intent) {
            return Some(format!("it as the doing of {intent:?}, and the journal of {:?}", entry.cause()));
        }
    }
    if sight.fen != record.positions[seq] {
        return Some(format!("the position {}, and the journal tells {}", sight.fen, record.positions[seq]));
    }
    if sight.result != event.end {
        return Some(format!("the result {:?}, and the journal has {:?}", sight.result, event.end));
    }
    clock_fault(sight.clocks, event.clocks)
}

/// The event as a seat is told of it.
fn as_told(event: &Event, seat: Option<Color>) -> EventView {
    if let (Action::Sealed(_), Party::Player(by)) = (&event.action, event.by)
        && seat != Some(by)
    {
        return EventView::Sealed { by };
    }
    let mut event = event.clone();
    if let Action::Moved { irregularity: irregularity @ Some(Irregularity::Stands), .. } = &mut event.action {
        *irregularity = None;
    }
    EventView::Open(event)
}

/// Clocks read as they were at the event, or later: only the one that runs has less, and in an hourglass the
/// other as much more.
fn clock_fault(seen: ClockReading, journal: ClockReading) -> Option<String> {
    let ran = |color| journal.running == Some(color);
    let is_later = seen.running == journal.running
        && Color::ALL.into_iter().all(|color| {
            let (seen, then) = (seen.left[color], journal.left[color]);
            if ran(color) { seen <= then } else { seen >= then }
        });
    let is_still = journal.running.is_some() || seen.left == journal.left;
    (!is_later || !is_still).then(|| format!("the clocks {seen:?}, and the journal has {journal:?}"))
}

fn end_fault_of(last: &Final, record: &Record) -> Option<String> {
    let view = &last.view;
    let end = record.entries.last()?.event();
    if view.seq.0 + 1 != record.entries.len() as u64 {
        return Some(format!("event {} as the last, and there are {}", view.seq, record.entries.len()));
    }
    if view.state.result != end.end || view.state.clocks.left != end.clocks.left {
        return Some(format!("{:?} {:?}, and the journal has {end:?}", view.state.result, view.state.clocks));
    }
    let seen = view.played.iter().map(|played| (played.mv, played.san.as_str(), played.left));
    let played = record.game.played().iter().map(|played| (played.mv, played.san.as_str(), played.left));
    (!seen.eq(played)).then(|| "other moves".to_owned())
}

/// Every player who has ever had his game open has seen how it ended.
fn check_everybody_saw_the_end(pages: &Pages, violations: &mut Vec<String>) {
    let saw_end: BTreeSet<(GameId, Option<Color>)> =
        pages.finals.iter().map(|last| (last.view.game, last.view.seat)).collect();
    let played: BTreeSet<(GameId, Option<Color>)> = pages
        .sights
        .iter()
        .map(|sight| (sight.game, sight.seat))
        .filter(|(_, seat)| seat.is_some())
        .collect();
    for (game, seat) in played.difference(&saw_end) {
        violations.push(format!("I3: game {game}: {seat:?} has not seen its end"));
    }
}
