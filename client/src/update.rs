//! The pure middle of the program: what the model makes of each message. No I/O, no clock.

mod event;
mod hand;
mod talk;
mod time;
mod wish;

use crate::fault::Exit;
use crate::lookup::NoMatch;
use crate::message::{
    Consent, Effect, Friend, Invitation, Message, News, Refused, Report, Standstill, Ticket,
};
use crate::model::game::{AbsenceNews, GameModel};
use crate::model::{AtEnd, Connection, Leaving, Model, Pending, Tone, Waiting};
use crate::{agreed, sentence};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::lobby::InvitationView;
use chatrang_protocol::view::{Presence, Snapshot};
use chatrang_rules::color::Color;
use chatrang_rules::game::Millis;

/// Changes the model by a message, and says what is to be done about it.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Time(now) => {
            model.now = now;
            time::passed(model, &mut effects);
        }
        Message::Report(report) => reported(model, report, &mut effects),
        Message::Typed(line) => wish::typed(model, &line, &mut effects),
        Message::Gesture(gesture) => hand::gestured(model, gesture, &mut effects),
        Message::Interrupt => wish::interrupted(model, &mut effects),
    }
    effects
}

fn reported(model: &mut Model, report: Report, effects: &mut Vec<Effect>) {
    match report {
        Report::Entered { server, handle } => {
            model.server = server;
            model.handle = Some(handle);
            model.waiting = Waiting::Game;
            tell(model, News::Entered, effects);
        }
        Report::Invited(invitation) => invited(model, invitation, effects),
        Report::Seeking(proposal) => {
            model.waiting = Waiting::Opponent(proposal);
            tell(model, News::Seeking(proposal), effects);
        }
        Report::Proposed { invitation, consent } => proposed(model, invitation, consent, effects),
        Report::Snapshot { snapshot, lag } => opened(model, *snapshot, lag, effects),
        Report::Update { update, lag } => event::happened(model, *update, lag, effects),
        Report::Answer { ticket, outcome } => answered(model, ticket, outcome, effects),
        Report::Presence { color, presence } => presence_changed(model, color, presence, effects),
        Report::Chat(lines) => talk::heard(model, lines, effects),
        Report::Talked { ticket, outcome } => talk::answered(model, ticket, outcome, effects),
        Report::Rematch(news) => talk::rematch_stands(model, news, effects),
        Report::ConnectionLost => {
            model.connection = Connection::Down(model.now);
            tell(model, News::ConnectionLost, effects);
        }
        Report::ConnectionBack => {
            model.connection = Connection::Up;
            tell(model, News::ConnectionBack, effects);
        }
        Report::StoreFull => store_filled(model, effects),
        Report::StoreRecovered => store_recovered(model, effects),
        Report::Remark(text) => tell(model, News::Remark(text), effects),
        Report::NothingToDo(text) => {
            model.parting = Some(text.clone());
            tell(model, News::Remark(text), effects);
            effects.push(Effect::Leave(Exit::Success));
        }
        // The result stands, whatever becomes of the connection.
        Report::Failed(fault) if model.is_over() => {
            tell(model, News::Remark(format!("{}.", fault.text)), effects);
        }
        Report::Failed(fault) => effects.push(Effect::Fail(fault)),
    }
}

/// Tells news to whichever face there is: as an effect, and as a notice of the screen.
fn tell(model: &mut Model, news: News, effects: &mut Vec<Effect>) {
    if let Some(tone) = sentence::tone(&news) {
        let text = sentence::of(&news, model);
        model.notice(tone, text);
    }
    effects.push(Effect::Tell(news));
}

fn invited(model: &mut Model, invitation: Invitation, effects: &mut Vec<Effect>) {
    match invitation.friend {
        Friend::Joins(proposal) => {
            model.waiting = Waiting::Friend { line: invitation.line.clone(), proposal };
        }
        // The board is about to be opened: the screen has the line beside it until the next move.
        Friend::ComesBack => {
            let text = format!("If your friend has lost it: chatrang join {}", invitation.line);
            model.notice(Tone::Info, text);
        }
    }
    tell(model, News::Invite(invitation), effects);
}

fn proposed(model: &mut Model, invitation: Box<InvitationView>, consent: Consent, effects: &mut Vec<Effect>) {
    if consent == Consent::Needed {
        for rule in invitation.proposal.conduct.iter().flat_map(agreed::rules) {
            model.notice(Tone::Info, rule);
        }
        model.waiting = Waiting::Consent(invitation.clone());
    }
    tell(model, News::Proposed { invitation, consent }, effects);
}

/// The player agrees to the terms that he was shown.
fn accept_terms(model: &mut Model, effects: &mut Vec<Effect>) {
    model.waiting = Waiting::Game;
    // They were about the terms; the word terms tells them again.
    model.notices.clear();
    effects.push(Effect::AcceptTerms);
}

fn store_filled(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    match &mut model.game {
        None => {
            let text = "The server cannot write to its store: no game begins until it can.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        Some(game) if game.state.result.is_some() || game.stopped.is_some() => {}
        Some(game) => {
            game.stopped = Some(now);
            tell(model, News::ClocksStopped(Standstill::StoreFull), effects);
        }
    }
}

fn store_recovered(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    match &mut model.game {
        None => {
            let text = "The server can write to its store again.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        Some(game) if game.stopped.is_some() => {
            game.let_clocks_run(now);
            tell(model, News::ClocksRun(Standstill::StoreFull), effects);
        }
        Some(_) => {}
    }
}

fn opened(model: &mut Model, snapshot: Snapshot, lag: Millis, effects: &mut Vec<Effect>) {
    let before = model.game.take();
    let mut game = GameModel::new(snapshot, model.now, lag);
    let mut ended_before = false;
    if let Some(before) = before {
        game.stopped = before.stopped;
        if before.id == game.id {
            ended_before = before.state.result.is_some();
            game.talk = before.talk;
        } else {
            // The next game: nothing of the one before waits for an answer any more.
            model.pending.clear();
            model.notices.clear();
        }
    }
    time::begin(&mut game, model.now);
    model.screen.selected = None;
    model.waiting = Waiting::Game;
    model.game = Some(game);
    tell(model, News::Game, effects);
    for color in Color::ALL {
        let game = model.game.as_ref();
        let is_other = game.is_some_and(|game| game.seat != Some(color));
        if let Some(span) = game.and_then(|game| game.away(color, model.now)).filter(|_| is_other) {
            tell(model, News::Away { color, span }, effects);
        }
    }
    if let Some(why) = model.game.as_ref().and_then(GameModel::standstill) {
        tell(model, News::ClocksStopped(why), effects);
    }
    if !ended_before {
        end_if_over(model, effects);
    }
}

fn end_if_over(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(result) = model.game.as_ref().and_then(|game| game.state.result) else { return };
    model.pending.clear();
    model.leaving = Leaving::NotAsked;
    tell(model, News::End(result), effects);
    effects.push(Effect::Ring);
    if model.at_end == AtEnd::Leave {
        effects.push(Effect::Leave(Exit::Success));
    }
}

fn answered(model: &mut Model, ticket: Ticket, outcome: Result<(), IntentError>, effects: &mut Vec<Effect>) {
    let Some(input) = settle(model, ticket) else { return };
    if let Err(error) = outcome {
        let (law, text) = (error.law(), error.to_string());
        tell(model, News::Refused(Refused { input, law, text }), effects);
    }
}

/// What was typed for a ticket that waited for its answer until now.
fn settle(model: &mut Model, ticket: Ticket) -> Option<String> {
    let place = model.pending.iter().position(|pending| pending.ticket == ticket)?;
    Some(model.pending.remove(place).input)
}

fn presence_changed(model: &mut Model, color: Color, presence: Presence, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let was_away = game.away(color, now).is_some();
    game.presence[color] = (presence, now);
    game.absence_news = AbsenceNews::Untold;
    match (game.away(color, now), was_away) {
        (Some(span), _) => tell(model, News::Away { color, span }, effects),
        (None, true) => tell(model, News::Back { color }, effects),
        (None, false) => {}
    }
}

/// Notes that what was typed waits for its answer.
fn pend(model: &mut Model, input: &str) -> Ticket {
    let ticket = Ticket(model.next_ticket);
    model.next_ticket += 1;
    model.pending.push(Pending { ticket, input: input.to_owned() });
    ticket
}

fn refuse(model: &mut Model, input: &str, NoMatch { law, text }: NoMatch, effects: &mut Vec<Effect>) {
    tell(model, News::Refused(Refused { input: input.to_owned(), law, text }), effects);
}

/// The line was understood, but more must be typed.
fn not_yet(text: &str) -> NoMatch {
    NoMatch { law: "input".to_owned(), text: text.to_owned() }
}

#[cfg(test)]
mod tests;
