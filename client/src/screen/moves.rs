//! The list of moves on the screen.

use super::look::Look;
use crate::model::game::GameModel;
use chatrang_protocol::view::PlayedView;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

/// Paints as many of the last moves as fit, White's and Black's side by side.
pub(super) fn paint(frame: &mut Frame, place: Rect, game: &GameModel, look: &Look) {
    let rows = usize::from(place.height);
    let pairs = game.played.chunks(2).enumerate();
    let skipped = pairs.len().saturating_sub(rows);
    let lines: Vec<Line> = pairs.skip(skipped).map(|(index, pair)| line(index, pair, game, look)).collect();
    frame.render_widget(Paragraph::new(lines), place);
}

fn line(index: usize, pair: &[PlayedView], game: &GameModel, look: &Look) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{:>3}. ", index + 1), look.faint)];
    for (side, played) in pair.iter().enumerate() {
        let is_last = 2 * index + side + 1 == game.played.len();
        let style = if is_last { look.strong } else { look.text };
        spans.push(Span::styled(format!("{:<9}", played.san.as_str()), style));
    }
    Line::from(spans)
}
