//! I1: every intent that was acknowledged is in the journal exactly once and in order, and none that was refused.

use super::Record;
use crate::sim::notes::{Answered, Listener, Pages};
use chatrang_protocol::ids::{GameId, IntentId, Seq};
use chatrang_protocol::intent::IntentError;
use std::collections::BTreeMap;

pub(super) fn check(records: &BTreeMap<GameId, Record>, pages: &Pages, violations: &mut Vec<String>) {
    for (game, record) in records {
        check_once(*game, record, violations);
    }
    let mut by_intent: BTreeMap<(GameId, u64), Vec<&Answered>> = BTreeMap::new();
    for answer in &pages.answered {
        by_intent.entry((answer.game, answer.id.0)).or_default().push(answer);
    }
    for ((game, id), answers) in by_intent {
        let Some(record) = records.get(&game) else {
            violations.push(format!("I1: game {game} was answered in, and is not in the journal"));
            continue;
        };
        check_intent(game, record, IntentId(id), &answers, violations);
    }
    check_order(pages, violations);
}

/// All events of one intent stand together: they came of one act.
fn check_once(game: GameId, record: &Record, violations: &mut Vec<String>) {
    let mut last: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    for (seq, entry) in record.entries.iter().enumerate() {
        let Some(cause) = entry.cause() else { continue };
        let before = last.insert((cause.account.0, cause.intent.0), seq);
        if before.is_some_and(|before| before + 1 != seq) {
            violations
                .push(format!("I1: game {game}, event {seq}: {:?} was carried out twice", cause.intent));
        }
    }
}

fn check_intent(
    game: GameId,
    record: &Record,
    id: IntentId,
    answers: &[&Answered],
    violations: &mut Vec<String>,
) {
    let in_journal =
        record.entries.iter().rposition(|entry| entry.cause().is_some_and(|cause| cause.intent == id));
    let in_journal = in_journal.map(|seq| Seq(seq as u64));
    for answer in answers {
        match &answer.outcome {
            Ok(seq) if in_journal == Some(*seq) => {}
            Ok(seq) => violations.push(format!(
                "I1: game {game}: {id:?} was acknowledged as event {seq}, and the journal has it as {in_journal:?}"
            )),
            // Tried again, it may be carried out later.
            Err(IntentError::Busy | IntentError::StoreFull | IntentError::ServerStopping) => {}
            Err(_) if answers.iter().any(|other| other.outcome.is_ok()) => {}
            Err(error) if in_journal.is_some() => violations.push(format!(
                "I1: game {game}: {id:?} was refused ({error}), and the journal has it as {in_journal:?}"
            )),
            Err(_) => {}
        }
    }
}

/// What one link has sent one after the other was carried out one after the other.
fn check_order(pages: &Pages, violations: &mut Vec<String>) {
    let outcome: BTreeMap<(Listener, u64), Seq> = pages
        .answered
        .iter()
        .filter_map(|answer| Some(((answer.by, answer.id.0), *answer.outcome.as_ref().ok()?)))
        .collect();
    let mut last: BTreeMap<Listener, Seq> = BTreeMap::new();
    for sent in &pages.sent {
        let Some(seq) = outcome.get(&(sent.by, sent.id.0)) else { continue };
        let before = last.insert(sent.by, *seq);
        if before.is_some_and(|before| before >= *seq) {
            violations.push(format!(
                "I1: game {}, {:?}: carried out before what was sent before it",
                sent.game, sent.id
            ));
        }
    }
}
