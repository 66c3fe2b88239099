//! The card of words and keys that lies over the board, in as many pages as the terminal needs.

use super::look::Look;
use super::status::wrap;
use crate::words::{HELP_BOARD, HELP_TABLE};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

/// Columns of the widest card, its border included.
const COLUMNS_MAX: u16 = 92;

/// Columns of the words, where what they mean stands beside them.
const WORDS_COLUMNS: u16 = 27;

/// Columns from which on what words mean stands beside them, and not below.
const BESIDE_COLUMNS_MIN: u16 = 2 * WORDS_COLUMNS;

/// Columns by which what words mean is set in below them.
const BELOW_COLUMNS: u16 = 2;

const KEYS_BOARD: [(&str, &str); 3] = [
    ("arrows, Enter", "choose squares; the mouse does it too"),
    ("F1, F2, F3", "the next page; turn the board; symbols or letters"),
    ("F4", "a rematch, after the end"),
];

const KEYS_TABLE: [(&str, &str); 2] = [
    ("F5, right button", "adjust the man under the cursor or the mouse"),
    ("F6", "what you can say now, one after the other: Enter says it"),
];

/// How many pages there are on a screen of this size, at least one.
pub(super) fn pages(area: Rect) -> u16 {
    laid_out(area, Style::new()).len() as u16
}

/// Paints a page; the last one where there are fewer.
pub(super) fn paint(frame: &mut Frame, area: Rect, page: u16, look: &Look) {
    let mut pages = laid_out(area, look.strong);
    let count = pages.len();
    let page = usize::from(page).min(count - 1);
    let lines = pages.swap_remove(page);
    let height = (lines.len() as u16 + 2).min(area.height);
    let width = area.width.min(COLUMNS_MAX);
    let card =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let title = format!(" Words and keys, {} of {count}: F1 goes on, Esc closes ", page + 1);
    frame.render_widget(Clear, card);
    frame.render_widget(Paragraph::new(lines).style(look.text).block(Block::bordered().title(title)), card);
}

/// The lines of each page. Each of the two lists begins a page, and no entry is torn.
fn laid_out(area: Rect, strong: Style) -> Vec<Vec<Line<'static>>> {
    let columns = area.width.min(COLUMNS_MAX).saturating_sub(2);
    let rows = usize::from(area.height.saturating_sub(2));
    let lists = [(&HELP_BOARD[..], &KEYS_BOARD[..]), (&HELP_TABLE[..], &KEYS_TABLE[..])];
    let mut pages = Vec::new();
    for (words, keys) in lists {
        let mut page: Vec<Line> = Vec::new();
        for &(words, meaning) in words.iter().chain(keys) {
            let entry = entry(words, meaning, columns, strong);
            if !page.is_empty() && page.len() + entry.len() > rows {
                pages.push(std::mem::take(&mut page));
            }
            page.extend(entry);
        }
        pages.push(page);
    }
    pages
}

/// Words and what they mean, broken where it is too long for a row.
fn entry(words: &'static str, meaning: &str, columns: u16, strong: Style) -> Vec<Line<'static>> {
    let is_beside = columns >= BESIDE_COLUMNS_MIN;
    let indent = if is_beside { WORDS_COLUMNS } else { BELOW_COLUMNS };
    let margin = " ".repeat(usize::from(indent));
    let meaning = wrap(meaning, columns.saturating_sub(indent), Style::new());
    let mut lines: Vec<Line> = meaning
        .into_iter()
        .map(|line| {
            let mut spans = vec![Span::raw(margin.clone())];
            spans.extend(line.spans);
            Line::from(spans)
        })
        .collect();
    match lines.first_mut().filter(|_| is_beside) {
        Some(first) => {
            first.spans[0] = Span::styled(format!("{words:<0$}", usize::from(WORDS_COLUMNS)), strong);
        }
        None => lines.insert(0, Line::styled(words, strong)),
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::ColorWish;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// The text of all pages, a row each, without the border.
    fn rows(columns: u16, rows: u16) -> Vec<String> {
        let look = Look::new(ColorWish::Never, false);
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut text = Vec::new();
        for page in 0..pages(Rect::new(0, 0, columns, rows)) {
            terminal.draw(|frame| paint(frame, frame.area(), page, &look)).unwrap();
            let buffer = terminal.backend().buffer();
            for y in 0..rows {
                let row: String = (0..columns).map(|x| buffer[(x, y)].symbol()).collect();
                text.extend(row.split('│').nth(1).map(|inside| inside.trim().to_owned()));
            }
        }
        text
    }

    #[test]
    fn every_word_is_explained_whole_at_every_size() {
        for (columns, height) in [(30, 15), (40, 16), (60, 20), (80, 24), (120, 40)] {
            let text = rows(columns, height).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            for (words, meaning) in HELP_BOARD.iter().chain(&HELP_TABLE).chain(&KEYS_BOARD).chain(&KEYS_TABLE)
            {
                let entry = format!("{words} {meaning}");
                assert!(text.contains(&entry), "{columns}x{height}: {entry:?} is not in {text}");
            }
        }
    }

    #[test]
    fn where_there_is_room_each_list_is_one_page() {
        assert_eq!(pages(Rect::new(0, 0, 92, 30)), 2);
        assert!(pages(Rect::new(0, 0, 60, 20)) > 2);
    }
}
