//! News in whole sentences: what the plain lines say and what the screen notes.

use crate::message::{Friend, News, Refused, Standstill};
use crate::model::{GameModel, Model, Tone};
use chatrang_protocol::chat::{ChatLine, ChatRoom};
use chatrang_rules::color::Color;
use chatrang_rules::game::Millis;

/// The news in a sentence, or two; a question is answered elsewhere, and gives nothing here.
pub fn of(news: &News, model: &Model) -> String {
    let name = |color| player(model, color);
    match news {
        News::Entered => {
            let handle = model.handle.as_ref().map_or("a guest", |handle| handle.as_str());
            format!("You are {handle} on {}.", model.server)
        }
        News::Invite(invitation) => match invitation.friend {
            Friend::Joins => "Send your friend this one line; the game begins when he joins.".to_owned(),
            Friend::ComesBack => {
                "If your friend has lost it, this line brings him back to the game.".to_owned()
            }
        },
        News::Seeking(controls) => format!("Looking for an opponent at {controls}."),
        News::Game => model.game.as_ref().map(|game| opened(game, model)).unwrap_or_default(),
        News::Moved { color, ply, san, .. } => {
            let check = if san.ends_with('+') { " Check." } else { "" };
            let next = model.game.as_ref().map(|game| next(game, model)).unwrap_or_default();
            format!("{}.{check}{next}", moved(*color, *ply, san))
        }
        News::DrawOffered { by } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(seat) if seat == *by => "You offer a draw.".to_owned(),
            Some(_) => format!("{} offers a draw: type accept or decline, or play on.", name(*by)),
            None => format!("{} offers a draw.", name(*by)),
        },
        News::DrawDeclined { by } => match model.game.as_ref().and_then(|game| game.seat) {
            Some(seat) if seat == *by => "You decline the draw.".to_owned(),
            _ => format!("{} declines the draw.", name(*by)),
        },
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
        News::Refused(Refused { input, law, text }) => format!("{input}: {text} ({law})."),
        News::Away { color, span } if span.0 < 1000 => format!("{} is not at the board.", name(*color)),
        News::Away { color, span: time } => format!("{} has been away for {}.", name(*color), span(*time)),
        News::Back { color } => format!("{} is back.", name(*color)),
        News::ClocksStopped(why) => stopped(*why).to_owned(),
        News::ClocksRun(Standstill::Restart) => "The clocks run again.".to_owned(),
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
        News::Entered
        | News::DrawDeclined { .. }
        | News::RematchWithdrawn
        | News::RematchBegun { .. }
        | News::Remark(_)
        | News::ClocksRun(_) => Some(Tone::Info),
        News::Refused(_) => Some(Tone::Refused),
        News::LowTime { .. } => Some(Tone::Warning),
        News::Invite(_)
        | News::Seeking(_)
        | News::Game
        | News::Moved { .. }
        | News::DrawOffered { .. }
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

/// The game and its result, once it has one: `Game 7, alice - bob at 5+3: White wins: …`
pub fn result(model: &Model) -> Option<String> {
    let game = model.game.as_ref()?;
    let result = game.state.result?;
    let [white, black] = Color::ALL.map(|color| &game.players[color].handle);
    Some(format!("Game {}, {white} - {black} at {}: {result}.", game.id, game.terms.controls))
}

/// Why the clocks stand still, and until when.
pub fn stopped(why: Standstill) -> &'static str {
    match why {
        Standstill::Restart => {
            "The server has restarted: the clocks stand still until both players are back."
        }
        Standstill::StoreFull => "The server cannot write to its store: the clocks stand still until it can.",
    }
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
    let last = last(game).map(|last| format!(" {last}"));
    let offer = game.state.draw_offer().filter(|&by| game.seat == Some(!by));
    let offer =
        offer.map(|by| format!(" {} offers a draw: type accept or decline.", game.players[by].handle));
    format!(
        "Game {} at {}: {players}.{}{}{}",
        game.id,
        game.terms.controls,
        last.unwrap_or_default(),
        next(game, model),
        offer.unwrap_or_default()
    )
}

/// Whose turn it is, to the player who has it: ` It is your move, with 4:58 left.`
fn next(game: &GameModel, model: &Model) -> String {
    if !game.is_own_turn() {
        return String::new();
    }
    let left = game.left(game.state.turn, model.now);
    let time = if left == Millis::MAX { String::new() } else { format!(", with {left} left") };
    let claim = if game.may_claim_draw() { " You may claim a draw: type claim." } else { "" };
    format!(" It is your move{time}.{claim}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Moment;
    use crate::model::tests::{START, snapshot_of};
    use crate::model::{AtEnd, Desk};
    use chatrang_rules::outcome::{GameResult, Termination};

    #[test]
    fn what_stays_of_a_game_says_who_played_and_how_it_ended() {
        let mut model = Model::new(AtEnd::Stay, Desk::default());
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
