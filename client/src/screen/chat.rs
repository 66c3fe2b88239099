//! What people say, under the list of moves.

use super::look::Look;
use super::status::wrap;
use crate::model::Model;
use crate::sentence;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

/// Rows that chat may take of the list of moves.
const ROWS_MAX: u16 = 6;

/// How many rows of the list's place the last lines take: none while nobody has said anything, and
/// never more than half.
pub(super) fn rows(model: &Model, list: Rect) -> u16 {
    let rows_max = ROWS_MAX.min(list.height / 2);
    (last_rows(model, list.width, rows_max, Style::new()).len() as u16).min(rows_max)
}

/// Paints the last lines, the newest at the bottom, as far as there is room.
pub(super) fn paint(frame: &mut Frame, place: Rect, model: &Model, look: &Look) {
    let rows = last_rows(model, place.width, place.height, look.text);
    frame.render_widget(Paragraph::new(rows), place);
}

/// The last rows of what was said, at most so many; the newest line is cut at its end rather than at its
/// beginning.
fn last_rows(model: &Model, columns: u16, rows_max: u16, style: Style) -> Vec<Line<'static>> {
    let lines = model.game.iter().flat_map(|game| game.talk.lines.iter().rev());
    let mut rows: Vec<Line> = Vec::new();
    for line in lines {
        let mut wrapped = wrap(&sentence::said(line, model), columns, style);
        if rows.len() + wrapped.len() > usize::from(rows_max) && !rows.is_empty() {
            break;
        }
        wrapped.append(&mut rows);
        rows = wrapped;
    }
    rows
}
