//! News in whole sentences: what the plain lines say and what the screen notes.

use crate::message::{Consent, Friend, News, Refused, Standstill};
use crate::model::game::GameModel;
use crate::model::{Model, Tone};
use crate::{agreed, standing};
use chatrang_protocol::chat::{ChatLine, ChatRoom};
use chatrang_protocol::lobby::{InvitationView, Proposal, Side};
use chatrang_protocol::view::ProposalView;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Millis};

/// The news in a sentence, or two; a question is answered elsewhere, and gives nothing here.
pub fn of(news: &News, model: &Model) -> String {
    let name = |color| player(model, color);
    match news {
        News::Entered => {
            let handle = model.handle.as_ref().map_or("a guest", |handle| handle.as_str());
            format!("You are {handle} on {}.", model.server)
        }
        News::Invite(invitation) => match invitation.friend {
            Friend::Joins(_) => "Send your friend this one line; the game begins when he joins.".to_owned(),
            Friend::ComesBack => {
                "If your friend has lost it, this line brings him back to the game.".to_owned()
            }
        },
        News::Seeking(proposal) => format!("{}.", seeking(proposal)),
        News::Proposed { invitation, consent } => proposed(invitation, *consent),
        News::Game => model.game.as_ref().map(|game| opened(game, model)).unwrap_or_default(),
        News::Moved { color, ply, san, .. } => {
            let check = if san.ends_with('+') { " Check." } else { "" };
            let next = model.game.as_ref().and_then(|game| next(game, model));
            let next = next.map(|next| format!(" {next}")).unwrap_or_default();
            format!("{}.{check}{next}", moved(*color, *ply, san))
        }
        News::Offered { by, proposal } => model.game.as_ref().map_or_else(String::new, |game| {
            standing::offer(game, &ProposalView { by: *by, proposal: *proposal })
        }),
        News::Declined { by, matter } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(seat) if seat == *by => format!("You decline {}.", standing::answered(*matter)),
            _ => format!("{} declines {}.", name(*by), standing::answered(*matter)),
        },
        News::Happened(happening) => happening.text.clone(),
        News::Sealed { by } => format!("{} seals a move ({}).", name(*by), law("FIDE G.I")),
        News::MayClaimAbsence => {
            model.game.as_ref().and_then(|game| standing::away(game, model.now)).unwrap_or_default()
        }
        News::Chat(line) => said(line, model),
        News::RematchAsked { by } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(seat) if seat == *by => "You ask for a rematch.".to_owned(),
            Some(_) => format!("{} asks for a rematch: type rematch to agree.", name(*by)),
            None => format!("{} asks for a rematch.", name(*by)),
        },
        News::RematchWithdrawn => "There is no rematch: a player has left, or no game can begin.".to_owned(),
        News::RematchBegun { game } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(_) => format!("The rematch begins: game {game}."),
            None => format!("The players begin a rematch; to watch it: chatrang watch {game}"),
        },
        News::Refused(Refused { input, law, text }) if law == "input" => format!("{input}: {text}."),
        // A result has its own article.
        News::Refused(Refused { input, text, .. }) if text.ends_with(')') => format!("{input}: {text}."),
        News::Refused(Refused { input, law: article, text }) => {
            format!("{input}: {text} ({}).", law(article))
        }
        News::Away { color, span } if span.0 < 1000 => format!("{} is not at the board.", name(*color)),
        News::Away { color, span: time } => {
            let for_opponent = |game: &&GameModel| game.seat == Some(!*color);
            let away =
                model.game.as_ref().filter(for_opponent).and_then(|game| standing::away(game, model.now));
            away.unwrap_or_else(|| format!("{} has been away for {}.", name(*color), span(*time)))
        }
        News::Back { color } => format!("{} is back.", name(*color)),
        News::ClocksStopped(why) => model.game.as_ref().map(|game| stopped(game, *why)).unwrap_or_default(),
        News::ClocksRun(Standstill::Suspended(_)) => "The clocks run again.".to_owned(),
        News::ClocksRun(Standstill::StoreFull) => {
            "The server can write to its store again: the clocks run on.".to_owned()
        }
        News::ConnectionLost => "The connection is lost; trying to get it back.".to_owned(),
        News::ConnectionBack => "The connection is back.".to_owned(),
        News::LowTime { color, seconds } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(seat) if seat == *color => format!("You have {seconds} seconds left."),
            _ => format!("{} has {seconds} seconds left.", name(*color)),
        },
        News::Remark(text) => text.clone(),
        News::End(result) => format!("{result}."),
        News::Asked(_) => String::new(),
    }
}

/// How the screen notes the news; not at all when it shows them anyway.
pub fn tone(news: &News) -> Option<Tone> {
    match news {
        News::Happened(happening) => match happening.event.action {
            // The board shows it.
            Action::Touched(_) => None,
            Action::MovePutBack { .. } | Action::DrawClaimedWrongly { .. } | Action::Ruled(_) => {
                Some(Tone::Warning)
            }
            _ => Some(Tone::Info),
        },
        News::Entered
        | News::Declined { .. }
        | News::Sealed { .. }
        | News::RematchWithdrawn
        | News::RematchBegun { .. }
        | News::Remark(_)
        | News::ClocksRun(_) => Some(Tone::Info),
        News::Refused(_) => Some(Tone::Refused),
        News::LowTime { .. } => Some(Tone::Warning),
        News::Invite(_)
        | News::Seeking(_)
        | News::Proposed { .. }
        | News::Game
        | News::Moved { .. }
        | News::Offered { .. }
        | News::MayClaimAbsence
        | News::Chat(_)
        | News::RematchAsked { .. }
        | News::Away { .. }
        | News::Back { .. }
        | News::ClocksStopped(_)
        | News::ConnectionLost
        | News::ConnectionBack
        | News::Asked(_)
        | News::End(_) => None,
    }
}

/// `bob: good luck`; of those who watch a player's game, `carol (watching): good luck`.
pub fn said(line: &ChatLine, model: &Model) -> String {
    let ChatLine { from, room, text, .. } = line;
    let watching = model.game.as_ref().is_some_and(|game| game.seat.is_some());
    match room {
        ChatRoom::Spectators if watching => format!("{from} (watching): {text}"),
        ChatRoom::Players | ChatRoom::Spectators => format!("{from}: {text}"),
    }
}

/// `White plays Nf3 on move 2`, without a full stop; `ply` counts from 0.
pub fn moved(color: Color, ply: u32, san: &str) -> String {
    format!("{color} plays {san} on move {}", ply / 2 + 1)
}

/// The move that led to the position on the board, if there is one: `White plays Nf3 on move 2.`
pub fn last(game: &GameModel) -> Option<String> {
    let played = game.last()?;
    let ply = game.played.len() as u32 - 1;
    let color = if ply.is_multiple_of(2) { Color::White } else { Color::Black };
    Some(format!("{}.", moved(color, ply, played.san.as_str())))
}

/// Where the game stands: `The last move is Nf3 on move 2; it is bob's move.`
pub fn position(game: &GameModel) -> String {
    let last = match (game.last(), game.played.len().div_ceil(2)) {
        (Some(played), number) => format!("The last move is {} on move {number}", played.san),
        (None, _) => "No move has been made".to_owned(),
    };
    let whose = match game.turn() {
        Some(turn) if game.seat == Some(turn) => "; it is your move".to_owned(),
        Some(turn) => format!("; it is {}'s move", game.players[turn].handle),
        None => String::new(),
    };
    format!("{last}{whose}.")
}

/// What stays in the terminal when the screen has gone: how the game ended, or that it goes on without him who plays
/// it; without a game why there was none.
pub fn last_word(model: &Model) -> Option<String> {
    let Some(game) = &model.game else { return model.parting.clone() };
    let goes_on = || {
        let id = game.id;
        format!("Game {id} goes on, and your clock may run: the command you came with brings you back.")
    };
    result(model).or_else(|| game.seat.is_some().then(goes_on))
}

/// The game and its result, once it has one: `Game 7, alice - bob at 5+3: White wins: …`
pub fn result(model: &Model) -> Option<String> {
    let game = model.game.as_ref()?;
    let result = game.state.result?;
    let [white, black] = Color::ALL.map(|color| &game.players[color].handle);
    Some(format!("Game {}, {white} - {black} at {}: {result}.", game.id, agreed::of_game(&game.terms)))
}

/// Why the clocks stand still, and until when.
pub fn stopped(game: &GameModel, why: Standstill) -> String {
    match why {
        Standstill::Suspended(why) => standing::stopped(game, why),
        Standstill::StoreFull => {
            "The server cannot write to its store: the clocks stand still until it can.".to_owned()
        }
    }
}

/// A law as people read it: an article as it is, and the house's own rules as such.
pub fn law(law: &str) -> String {
    let is_house_rule = law.strip_prefix('L').is_some_and(|number| number.parse::<u8>().is_ok());
    match law {
        "limit" => "a limit of the server".to_owned(),
        "storage" => "the server's store".to_owned(),
        law if is_house_rule => format!("house rule {law}"),
        law => law.to_owned(),
    }
}

/// What the server looks for, without a full stop.
pub fn seeking(proposal: &Proposal) -> String {
    format!(
        "Looking for an opponent at {}; you would have {}",
        agreed::of_proposal(proposal),
        would_have(proposal.side)
    )
}

/// The side a proposer gets.
pub const fn would_have(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
        Side::Random => "White or Black",
    }
}

/// What somebody proposes, and what to do about it.
pub fn proposed(InvitationView { by, proposal }: &InvitationView, consent: Consent) -> String {
    let mut sentences = vec![format!("{by} invites you to a game at {}.", agreed::of_proposal(proposal))];
    if consent == Consent::Needed {
        sentences.extend(proposal.conduct.iter().flat_map(agreed::rules));
        sentences.push("These are not the usual terms: type accept to play by them, or quit.".to_owned());
    }
    sentences.join(" ")
}

/// `1 second`, `12 seconds`, `3 minutes`, rounded down.
pub fn span(span: Millis) -> String {
    let seconds = span.0 / 1000;
    let (count, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7200 => (seconds / 60, "minute"),
        _ => (seconds / 3600, "hour"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

/// A player by name, or by side before there is a game.
fn player(model: &Model, color: Color) -> String {
    model.game.as_ref().map_or_else(|| color.to_string(), |game| game.players[color].handle.to_string())
}

fn opened(game: &GameModel, model: &Model) -> String {
    let players = match game.seat {
        Some(seat) => format!("you play {seat} against {}", game.players[!seat].handle),
        None => {
            format!("{} plays White, {} plays Black", game.players.white.handle, game.players.black.handle)
        }
    };
    let mut sentences = vec![format!("Game {} at {}: {players}.", game.id, agreed::of_game(&game.terms))];
    sentences.extend(last(game));
    sentences.extend(next(game, model));
    sentences.extend(standing::touched(game));
    let to_answer = game.state.proposals.iter().filter(|standing| game.seat == Some(!standing.by));
    sentences.extend(to_answer.map(|offered| standing::offer(game, offered)));
    sentences.join(" ")
}

/// Whose turn it is, to the player who has it: `It is your move, with 4:58 left.`
fn next(game: &GameModel, model: &Model) -> Option<String> {
    if !game.is_own_turn() {
        return None;
    }
    let left = game.left(game.state.turn, model.now);
    let time = if left == Millis::MAX { String::new() } else { format!(", with {left} left") };
    let mut sentences = vec![format!("It is your move{time}.")];
    sentences.extend(standing::claims(game, model.now));
    Some(sentences.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Moment;
    use crate::model::tests::{START, snapshot_of};
    use crate::model::{AtEnd, ScreenModel};
    use chatrang_rules::outcome::{GameResult, Termination};

    #[test]
    fn what_stays_of_a_game_says_who_played_and_how_it_ended() {
        let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
        assert_eq!(result(&model), None);
        let mut snapshot = snapshot_of(START, Some(Color::White));
        model.game = Some(GameModel::new(snapshot.clone(), Moment(0), Millis::ZERO));
        assert_eq!(result(&model), None);
        snapshot.state.result = Some(GameResult::win(Color::Black, Termination::Resignation));
        model.game = Some(GameModel::new(snapshot, Moment(0), Millis::ZERO));
        assert_eq!(
            result(&model).as_deref(),
            Some("Game 7, alice - bob at 5+3: Black wins: White resigned (FIDE 5.1.2).")
        );
    }

    #[test]
    fn spans_are_said_in_one_unit() {
        for (ms, text) in [
            (0, "0 seconds"),
            (1999, "1 second"),
            (119_999, "119 seconds"),
            (120_000, "2 minutes"),
            (7_199_999, "119 minutes"),
            (7_200_000, "2 hours"),
        ] {
            assert_eq!(span(Millis(ms)), text);
        }
    }
}
