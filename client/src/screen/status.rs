//! The lines under the board: what goes on, and what the player was last told.

use super::look::Look;
use crate::message::Consent;
use crate::model::game::GameModel;
use crate::model::{Connection, Model, Tone, Waiting};
use crate::{agreed, sentence, standing};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

/// Rows that a sentence about what goes on may take.
const ROWS_MAX: u16 = 3;

/// How many rows what goes on takes in so many columns.
pub(super) fn rows(model: &Model, columns: u16) -> u16 {
    let (text, _) = status(model);
    (wrap(&text, columns, Style::new()).len() as u16).min(ROWS_MAX)
}

/// Paints what goes on.
pub(super) fn paint(frame: &mut Frame, place: Rect, model: &Model, look: &Look) {
    let (text, tone) = status(model);
    let style = if tone == Tone::Warning { look.warning } else { look.strong };
    frame.render_widget(Paragraph::new(wrap(&text, place.width, style)), place);
}

/// The command to send to a friend, while one is awaited.
pub(super) fn line_to_send(model: &Model) -> Option<String> {
    match (&model.waiting, &model.game) {
        (Waiting::Friend { line, .. }, None) => Some(format!("chatrang join {line}")),
        _ => None,
    }
}

/// How many rows the command to send takes in so many columns; none when there is none.
pub(super) fn rows_of_line_to_send(model: &Model, columns: u16) -> u16 {
    line_to_send(model).map_or(0, |line| (line.len() as u16).div_ceil(columns))
}

/// Paints the command to send. It is broken anywhere: a terminal that joins rows copies it whole.
pub(super) fn paint_line_to_send(frame: &mut Frame, place: Rect, line: &str, look: &Look) {
    let characters: Vec<char> = line.chars().collect();
    let rows = characters.chunks(usize::from(place.width.max(1)));
    let lines: Vec<Line> =
        rows.map(|row| Line::styled(row.iter().collect::<String>(), look.strong)).collect();
    frame.render_widget(Paragraph::new(lines), place);
}

/// How many rows the newest of what the player was told takes in so many columns.
pub(super) fn rows_of_newest(model: &Model, columns: u16) -> u16 {
    model.notices.back().map_or(0, |newest| wrap(&newest.text, columns, Style::new()).len() as u16)
}

/// Paints what the player was last told, the newest at the bottom, as far as there is room.
pub(super) fn paint_told(frame: &mut Frame, place: Rect, model: &Model, look: &Look) {
    let mut lines: Vec<Line> = Vec::new();
    for notice in model.notices.iter().rev() {
        let style = match notice.tone {
            Tone::Info => look.text,
            Tone::Refused => look.refused,
            Tone::Warning => look.warning,
        };
        let mut wrapped = wrap(&notice.text, place.width, style);
        if lines.len() + wrapped.len() > usize::from(place.height) && !lines.is_empty() {
            break;
        }
        wrapped.append(&mut lines);
        lines = wrapped;
    }
    frame.render_widget(Paragraph::new(lines), place);
}

/// What goes on, and whether it needs attention.
fn status(model: &Model) -> (String, Tone) {
    let result = model.game.as_ref().and_then(|game| game.state.result);
    if let Some(result) = result {
        return (format!("{result}. Enter leaves.{}", rematch(model)), Tone::Info);
    }
    if let Connection::Down(since) = model.connection {
        let seconds = model.now.since(since).0 / 1000;
        return (format!("The connection is lost for {seconds} s; trying to get it back."), Tone::Warning);
    }
    let Some(game) = &model.game else { return (waiting(model), Tone::Info) };
    if let Some(why) = game.standstill() {
        return (sentence::stopped(game, why), Tone::Warning);
    }
    let standing = standing::lines(game, model.now);
    let tone = if standing::is_pressing(game, model.now) { Tone::Warning } else { Tone::Info };
    let sentences: Vec<String> = std::iter::once(turn(game, model)).chain(standing).collect();
    (sentences.join(" "), tone)
}

/// How it stands with a rematch, to its players.
fn rematch(model: &Model) -> String {
    let Some((game, seat)) = model.game.as_ref().and_then(|game| Some((game, game.seat?))) else {
        return String::new();
    };
    match game.talk.rematch_by {
        None => " F4 asks for a rematch.".to_owned(),
        Some(by) if by == seat => " You have asked for a rematch.".to_owned(),
        Some(by) => format!(" {} asks for a rematch: F4 agrees.", game.players[by].handle),
    }
}

fn waiting(model: &Model) -> String {
    match &model.waiting {
        Waiting::Server => "Connecting to the server.".to_owned(),
        Waiting::Friend { proposal, .. } => format!(
            "Waiting for a friend: {}, you have {}. Send him this one line:",
            agreed::of_proposal(proposal),
            sentence::would_have(proposal.side)
        ),
        Waiting::Opponent(proposal) => format!("{}. Ctrl-C leaves.", sentence::seeking(proposal)),
        Waiting::Consent(invitation) => {
            format!("{} Enter accepts, Ctrl-C leaves.", sentence::proposed(invitation, Consent::Given))
        }
        Waiting::Game => "Opening the game.".to_owned(),
    }
}

fn turn(game: &GameModel, model: &Model) -> String {
    let check = if game.state.in_check { ", in check" } else { "" };
    if let Some(pending) = model.pending.last() {
        return format!("{} is on its way.", pending.input);
    }
    if !game.is_own_turn() {
        return format!("{}'s move{check}.", game.players[game.state.turn].handle);
    }
    format!("Your move{check}.")
}

/// Breaks a sentence between words. A word that is longer than a line is cut.
pub(super) fn wrap(text: &str, columns: u16, style: Style) -> Vec<Line<'static>> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > usize::from(columns) {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.into_iter().map(|line| Line::from(Span::styled(line, style))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_between_words() {
        for (text, lines) in [
            ("", vec![""]),
            ("one two", vec!["one two"]),
            ("one two three", vec!["one two", "three"]),
            ("a-very-long-word b", vec!["a-very-long-word", "b"]),
        ] {
            let wrapped: Vec<String> = wrap(text, 8, Style::new()).iter().map(ToString::to_string).collect();
            assert_eq!(wrapped, lines);
        }
    }
}
