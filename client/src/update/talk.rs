//! What people say beside the game: chat, mute, and the rematch.

use super::{not_yet, pend, refuse, settle, tell};
use crate::message::{Effect, News, Refused, Ticket};
use crate::model::{GameModel, Hearing, Model};
use chatrang_protocol::chat::{ChatLine, ChatText};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::talk::{RematchNews, Talk, TalkError};

/// The player says something; what cannot be said is refused with a sentence that says why.
pub(super) fn say(model: &mut Model, input: &str, text: &str, effects: &mut Vec<Effect>) {
    match ChatText::new(text) {
        Ok(text) => send(model, input, Talk::Say(text), effects),
        Err(error) => refuse(model, input, not_yet(&error.to_string()), effects),
    }
}

/// The player asks for a rematch, or agrees to one.
pub(super) fn ask_rematch(model: &mut Model, input: &str, effects: &mut Vec<Effect>) {
    send(model, input, Talk::AskRematch, effects);
}

/// The player wants to hear the others, or not.
pub(super) fn hear(model: &mut Model, input: &str, hearing: Hearing, effects: &mut Vec<Effect>) {
    let Some(game) = &mut model.game else {
        return refuse(model, input, not_yet("no game has begun yet"), effects);
    };
    game.talk.hearing = hearing;
    let whom = game.seat.map(|seat| game.players[!seat].handle.to_string());
    let whom = whom.unwrap_or_else(|| "the others".to_owned());
    let text = match hearing {
        Hearing::Muted => format!("You hear nothing more of what {whom} may say in this game."),
        Hearing::Open => format!("You hear what {whom} may say."),
    };
    tell(model, News::Remark(text), effects);
}

/// People have said something.
pub(super) fn heard(model: &mut Model, lines: Vec<ChatLine>, effects: &mut Vec<Effect>) {
    for line in lines {
        let own = model.handle.as_ref();
        if let Some(game) = model.game.as_mut().filter(|game| hears(game, own, &line)) {
            game.talk.keep(line.clone());
            tell(model, News::Chat(line), effects);
        }
    }
}

/// Whether the player hears a line: all of them, unless he has muted whoever says it.
fn hears(game: &GameModel, own: Option<&Handle>, line: &ChatLine) -> bool {
    let is_muted = match game.seat {
        Some(seat) => line.from == game.players[!seat].handle,
        None => own != Some(&line.from),
    };
    game.talk.hearing == Hearing::Open || !is_muted
}

pub(super) fn answered(
    model: &mut Model,
    ticket: Ticket,
    outcome: Result<(), TalkError>,
    effects: &mut Vec<Effect>,
) {
    let Some(input) = settle(model, ticket) else { return };
    if let Err(error) = outcome {
        let (law, text) = (error.law().to_owned(), error.to_string());
        tell(model, News::Refused(Refused { input, law, text }), effects);
    }
}

pub(super) fn rematch_stands(model: &mut Model, news: RematchNews, effects: &mut Vec<Effect>) {
    let Some(game) = &mut model.game else { return };
    let (rematch_by, news) = match news {
        RematchNews::Asked { by } => (Some(by), News::RematchAsked { by }),
        RematchNews::Withdrawn => (None, News::RematchWithdrawn),
        RematchNews::Begun { game } => (None, News::RematchBegun { game }),
    };
    game.talk.rematch_by = rematch_by;
    let rings = rematch_by.is_some_and(|by| game.seat == Some(!by));
    tell(model, news, effects);
    if rings {
        effects.push(Effect::Ring);
    }
}

fn send(model: &mut Model, input: &str, talk: Talk, effects: &mut Vec<Effect>) {
    if model.game.is_none() {
        return refuse(model, input, not_yet("no game has begun yet"), effects);
    }
    let ticket = pend(model, input);
    effects.push(Effect::Talk { ticket, talk });
}
