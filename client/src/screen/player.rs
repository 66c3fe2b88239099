//! A player on the screen: name, clock, presence, what he has captured.

use super::look::{self, Look};
use crate::model::Model;
use crate::model::game::GameModel;
use chatrang_protocol::role::Role as AccountRole;
use chatrang_rules::color::Color;
use chatrang_rules::game::Millis;
use chatrang_rules::piece::Piece;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

/// Paints a player in one row.
pub(super) fn paint_row(
    frame: &mut Frame,
    place: Rect,
    game: &GameModel,
    color: Color,
    model: &Model,
    look: &Look,
) {
    let mut spans = clock(game, color, model, look);
    spans.push(Span::raw(" "));
    spans.extend(name(game, color, model, look));
    frame.render_widget(Paragraph::new(Line::from(spans)), place);
}

/// Paints a player in three rows: name, clock, captured men.
pub(super) fn paint_card(
    frame: &mut Frame,
    place: Rect,
    game: &GameModel,
    color: Color,
    model: &Model,
    look: &Look,
) {
    let lines = vec![
        Line::from(name(game, color, model, look)),
        Line::from(clock(game, color, model, look)),
        Line::from(Span::styled(captured(game, color, model), look.text)),
    ];
    frame.render_widget(Paragraph::new(lines), place);
}

fn name(game: &GameModel, color: Color, model: &Model, look: &Look) -> Vec<Span<'static>> {
    let player = &game.players[color];
    let bot = if player.role == AccountRole::Bot { ", a bot" } else { "" };
    let you = if game.seat == Some(color) { ", you" } else { "" };
    let mut spans = vec![Span::styled(player.handle.to_string(), look.strong)];
    if let Some(span) = game.away(color, model.now).filter(|_| game.seat != Some(color)) {
        spans.push(Span::styled(format!(" away {} s", span.0 / 1000), look.warning));
    }
    spans.push(Span::styled(format!(" ({color}{bot}{you})"), look.text));
    spans
}

/// The clock, with a mark before it when it runs.
fn clock(game: &GameModel, color: Color, model: &Model, look: &Look) -> Vec<Span<'static>> {
    let left = game.left(color, model.now);
    let runs = game.running() == Some(color);
    let style = match (runs, left < Millis::TENTHS_UNDER) {
        (true, true) => look.low,
        (true, false) => look.running,
        (false, true) => look.warning,
        (false, false) => Style::new(),
    };
    let mark = if runs { "> " } else { "  " };
    vec![Span::styled(mark, look.strong), Span::styled(format!(" {left} "), style)]
}

fn captured(game: &GameModel, color: Color, model: &Model) -> String {
    let men = game.captured_by(color).into_iter();
    let characters = men.map(|role| look::character(Piece { color: !color, role }, model.screen.pieces));
    characters.flat_map(|character| [character, ' ']).collect()
}
