//! The full screen: paints the model, and decides nothing. Where everything lies is worked out anew
//! for each picture, so the terminal may change its size at any time.

pub mod board;
mod chat;
mod help;
pub mod input;
pub mod look;
mod moves;
mod player;
mod status;
pub mod terminal;

use crate::agreed;
use crate::model::game::GameModel;
use crate::model::{Help, Model, Waiting};
use board::{BoardPlace, SquareSize};
use look::Look;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// Columns that the panel beside the board needs.
const PANEL_COLUMNS_MIN: u16 = 28;

/// Columns that the line of the input and the sentences need.
const COLUMNS_MIN: u16 = 30;

/// Rows from which on the panel has room for two rows a player.
const ROOMY_PANEL_ROWS_MIN: u16 = 13;

/// Paints the model.
pub fn paint(frame: &mut Frame, model: &Model, look: &Look) {
    let area = frame.area();
    let Some(places) = Places::of(area, model) else { return paint_too_small(frame, area) };
    paint_header(frame, places.header, model, look);
    board::paint(frame, &places.board, model, look);
    match places.beside {
        Beside::Panel(panel) if model.game.is_none() => {
            let down_to_status = Rect { height: places.status.y - panel.y, ..panel };
            status::paint_told(frame, down_to_status, model, look);
        }
        Beside::Panel(panel) => paint_panel(frame, panel, model, look),
        Beside::Rows { top, bottom } => {
            if let Some(game) = &model.game {
                player::paint_row(frame, top, game, !model.bottom(), model, look);
                player::paint_row(frame, bottom, game, model.bottom(), model, look);
            }
        }
    }
    status::paint(frame, places.status, model, look);
    match status::line_to_send(model) {
        Some(line) => status::paint_line_to_send(frame, places.notices, &line, look),
        // Without a panel, what people say has the room of what the player is told.
        None if matches!(places.beside, Beside::Rows { .. }) && model.notices.is_empty() => {
            chat::paint(frame, places.notices, model, look);
        }
        // Before the game the panel has room for it.
        None if matches!(places.beside, Beside::Panel(_)) && model.game.is_none() => {}
        None => status::paint_told(frame, places.notices, model, look),
    }
    paint_input(frame, places.input, model, look);
    if let Help::Open { page } = model.screen.help {
        help::paint(frame, area, page, look);
    }
}

/// The square that lies at a place of the screen.
pub fn square_at(area: Rect, model: &Model, column: u16, row: u16) -> Option<chatrang_rules::square::Square> {
    Places::of(area, model)?.board.square_at(column, row)
}

/// Where everything lies.
struct Places {
    header: Rect,
    board: BoardPlace,
    beside: Beside,
    status: Rect,
    notices: Rect,
    input: Rect,
}

/// Where the players, their clocks and the moves are.
enum Beside {
    /// To the right of the board.
    Panel(Rect),
    /// Where there is no room to the right: a row above the board and one below it.
    Rows { top: Rect, bottom: Rect },
}

impl Places {
    /// The largest board that leaves room for the rest; none if even the smallest does not.
    fn of(area: Rect, model: &Model) -> Option<Self> {
        if area.width < COLUMNS_MIN {
            return None;
        }
        let notice_rows = match area.height {
            0..20 => 1,
            20..30 => 2,
            _ => 3,
        };
        let notice_rows = status::rows_of_line_to_send(model, area.width).max(notice_rows);
        let places = Self::with(area, model, notice_rows)?;
        // A longer sentence takes the rows that the board leaves over, and makes no board smaller.
        let wanted = (notice_rows + 1..=status::rows_of_newest(model, area.width)).rev();
        let roomier = wanted.filter_map(|rows| Self::with(area, model, rows));
        Some(roomier.into_iter().find(|roomier| roomier.board.lies_like(&places.board)).unwrap_or(places))
    }

    /// The largest board that leaves so many rows for what the player is told, if there is one.
    fn with(area: Rect, model: &Model, notice_rows: u16) -> Option<Self> {
        let [header, body, status, notices, input] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(status::rows(model, area.width)),
            Constraint::Length(notice_rows),
            Constraint::Length(1),
        ])
        .areas(area);
        let (board, beside) = beside_panel(body, model).or_else(|| between_rows(body, model))?;
        Some(Self { header, board, beside, status, notices, input })
    }
}

fn beside_panel(body: Rect, model: &Model) -> Option<(BoardPlace, Beside)> {
    let fits = |size: &SquareSize| {
        size.board_columns() + 2 + PANEL_COLUMNS_MIN <= body.width && size.board_rows() <= body.height
    };
    let size = SquareSize::LARGEST_FIRST.into_iter().find(fits)?;
    let spare = body.height - size.board_rows();
    let origin = Rect { y: body.y + spare.min(1), ..body };
    let board = BoardPlace::new(origin, size, model.bottom());
    let left = body.x + size.board_columns() + 2;
    let panel = Rect { x: left, y: origin.y, width: body.right() - left, height: size.board_rows() - 1 };
    Some((board, Beside::Panel(panel)))
}

fn between_rows(body: Rect, model: &Model) -> Option<(BoardPlace, Beside)> {
    let fits = |size: &SquareSize| size.board_columns() <= body.width && size.board_rows() + 2 <= body.height;
    let size = SquareSize::LARGEST_FIRST.into_iter().find(fits)?;
    let board = BoardPlace::new(Rect { y: body.y + 1, ..body }, size, model.bottom());
    let top = Rect { height: 1, ..body };
    let bottom = Rect { y: body.y + 1 + size.board_rows(), height: 1, ..body };
    Some((board, Beside::Rows { top, bottom }))
}

fn paint_too_small(frame: &mut Frame, area: Rect) {
    let smallest = SquareSize::LARGEST_FIRST[SquareSize::LARGEST_FIRST.len() - 1];
    let rows = smallest.board_rows() + 6;
    let text = format!("too small: {COLUMNS_MIN}x{rows} at least");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

fn paint_header(frame: &mut Frame, place: Rect, model: &Model, look: &Look) {
    let mut spans = vec![Span::styled("Chatrang", look.strong)];
    match &model.game {
        Some(game) => {
            let GameModel { id, terms, players, .. } = game;
            let text = format!(
                "  game {id}  {}  {} - {}",
                agreed::of_game(terms),
                players.white.handle,
                players.black.handle
            );
            spans.push(Span::styled(text, look.text));
        }
        None => {
            if let Some(handle) = &model.handle {
                spans.push(Span::styled(format!("  {handle} on {}", model.server), look.text));
            }
        }
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), place);
}

fn paint_panel(frame: &mut Frame, panel: Rect, model: &Model, look: &Look) {
    let Some(game) = &model.game else { return };
    let bottom = model.bottom();
    if panel.height < ROOMY_PANEL_ROWS_MIN {
        let [top_row, list, bottom_row] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
                .areas(panel);
        player::paint_row(frame, top_row, game, !bottom, model, look);
        moves::paint(frame, list, game, look);
        player::paint_row(frame, bottom_row, game, bottom, model, look);
        return;
    }
    let [top, _, list, _, below] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(3),
    ])
    .areas(panel);
    let [list, talk] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(chat::rows(model, list))]).areas(list);
    player::paint_card(frame, top, game, !bottom, model, look);
    moves::paint(frame, list, game, look);
    chat::paint(frame, talk, model, look);
    player::paint_card(frame, below, game, bottom, model, look);
}

/// What may be typed as it stands.
fn hint(model: &Model) -> &'static str {
    let Some(game) = &model.game else {
        return if matches!(model.waiting, Waiting::Consent(_)) { "accept, or quit" } else { "" };
    };
    match (game.seat.is_some(), game.state.result.is_some()) {
        (true, false) => "a move such as Nf3, or help",
        (true, true) => "rematch, say TEXT, or help",
        (false, _) => "say TEXT, or help",
    }
}

fn paint_input(frame: &mut Frame, place: Rect, model: &Model, look: &Look) {
    let input = &model.screen.input;
    let room = place.width.saturating_sub(3);
    let scroll = input.visual_scroll(usize::from(room)) as u16;
    let [prompt, line] = Layout::horizontal([Constraint::Length(2), Constraint::Fill(1)]).areas(place);
    frame.render_widget(Paragraph::new(Span::styled("> ", look.strong)), prompt);
    if input.value().is_empty() {
        frame.render_widget(Paragraph::new(Span::styled(hint(model), look.faint)), line);
    } else {
        frame.render_widget(Paragraph::new(input.value()).style(look.text).scroll((0, scroll)), line);
    }
    let column = (input.visual_cursor() as u16).saturating_sub(scroll);
    frame.set_cursor_position((line.x + column.min(room), line.y));
}

#[cfg(test)]
mod tests;
