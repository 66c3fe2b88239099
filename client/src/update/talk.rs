//! What people say beside the game: chat, mute, and the rematch.

use super::{not_yet, pend, refuse, settle, tell};
use crate::message::{Effect, News, Refused, Ticket};
use crate::model::Model;
use crate::model::game::{GameModel, Hearing};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Gesture, Message, Report};
    use crate::model::tests::{START, line_of, snapshot_of};
    use crate::model::{AtEnd, ScreenModel};
    use crate::update::update;
    use chatrang_protocol::ids::GameId;
    use chatrang_rules::color::Color;
    use chatrang_rules::game::Millis;
    use chatrang_rules::outcome::{GameResult, Termination};

    fn at_table(seat: Option<Color>) -> Model {
        let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
        model.handle = Handle::new(if seat.is_some() { "alice" } else { "carol" }).ok();
        let snapshot = Box::new(snapshot_of(START, seat));
        update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
        model
    }

    fn typed(model: &mut Model, line: &str) -> Vec<Effect> {
        update(model, Message::Typed(line.to_owned()))
    }

    /// Who is heard of alice, bob and carol.
    fn heard(model: &mut Model) -> Vec<String> {
        let lines = ["alice", "bob", "carol"].map(|from| line_of(from, "well")).to_vec();
        let effects = update(model, Message::Report(Report::Chat(lines)));
        let speaker = |effect: &Effect| match effect {
            Effect::Tell(News::Chat(line)) => line.from.to_string(),
            other => panic!("{other:?}"),
        };
        effects.iter().map(speaker).collect()
    }

    #[test]
    fn what_is_said_goes_to_the_server_and_what_cannot_be_said_does_not() {
        let mut model = at_table(Some(Color::White));
        let said = ChatText::new("Good luck, e4!").unwrap();
        for line in ["say Good luck, e4!", "/Good luck, e4!"] {
            let effects = typed(&mut model, line);
            assert!(matches!(&effects[..], [Effect::Talk { talk: Talk::Say(text), .. }] if *text == said));
        }
        for line in ["say", "/", "say \u{1b}[2J", "say \u{202e}evil"] {
            let effects = typed(&mut model, line);
            let refused = |news: &News| matches!(news, News::Refused(refused) if refused.law == "input");
            assert!(matches!(&effects[..], [Effect::Tell(news)] if refused(news)), "{line:?}: {effects:?}");
        }
        let mut nowhere = Model::new(AtEnd::Stay, ScreenModel::default());
        for line in ["say hello", "rematch", "mute"] {
            assert!(matches!(&typed(&mut nowhere, line)[..], [Effect::Tell(News::Refused(_))]), "{line}");
        }
    }

    #[test]
    fn a_refusal_names_what_was_typed() {
        let mut model = at_table(Some(Color::White));
        let [Effect::Talk { ticket, .. }] = typed(&mut model, "/slow down")[..] else { panic!("not sent") };
        let answer = Report::Talked { ticket, outcome: Err(TalkError::TooFast) };
        let effects = update(&mut model, Message::Report(answer.clone()));
        let [Effect::Tell(News::Refused(Refused { input, law, .. }))] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert_eq!((input.as_str(), law.as_str()), ("/slow down", "limit"));
        assert_eq!(update(&mut model, Message::Report(answer)), [], "once");
    }

    #[test]
    fn a_mute_silences_the_opponent_or_for_a_spectator_everybody_else() {
        for (seat, muted) in [(Some(Color::White), &["alice", "carol"][..]), (None, &["carol"])] {
            let mut model = at_table(seat);
            assert_eq!(heard(&mut model), ["alice", "bob", "carol"]);
            typed(&mut model, "mute");
            assert_eq!(heard(&mut model), muted);
            assert_eq!(model.game.as_ref().unwrap().talk.lines.len(), 3 + muted.len());
            typed(&mut model, "unmute");
            assert_eq!(heard(&mut model), ["alice", "bob", "carol"]);
        }
    }

    #[test]
    fn a_rematch_is_asked_for_by_word_and_key_and_leads_to_a_fresh_game() {
        let mut model = at_table(Some(Color::White));
        let mut over = snapshot_of(START, Some(Color::White));
        over.state.result = Some(GameResult::draw(Termination::Agreement));
        let snapshot = Box::new(over.clone());
        update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
        for effects in [typed(&mut model, "rematch"), update(&mut model, Message::Gesture(Gesture::Rematch))]
        {
            assert!(matches!(&effects[..], [Effect::Talk { talk: Talk::AskRematch, .. }]), "{effects:?}");
        }
        heard(&mut model);
        let by = Color::Black;
        let effects = update(&mut model, Message::Report(Report::Rematch(RematchNews::Asked { by })));
        assert_eq!(effects, [Effect::Tell(News::RematchAsked { by }), Effect::Ring]);
        assert_eq!(model.game.as_ref().unwrap().talk.rematch_by, Some(by));
        let begun = RematchNews::Begun { game: GameId(8) };
        update(&mut model, Message::Report(Report::Rematch(begun)));
        let mut next = snapshot_of(START, Some(Color::Black));
        next.game = GameId(8);
        next.state.result = over.state.result;
        let snapshot = Box::new(next);
        let effects = update(&mut model, Message::Report(Report::Snapshot { snapshot, lag: Millis::ZERO }));
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Tell(News::End(_)))), "its own end");
        let talk = &model.game.as_ref().unwrap().talk;
        assert_eq!((talk.lines.len(), talk.rematch_by), (0, None));
        assert!(model.pending.is_empty());
    }
}
