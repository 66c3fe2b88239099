//! The board on the screen.

use super::look::{self, Look, Mark};
use crate::model::Model;
use crate::model::game::{GameModel, seen_squares};
use chatrang_rules::board::Board;
use chatrang_rules::color::Color;
use chatrang_rules::square::{File, Rank, Square};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How many columns and rows of the screen a square takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SquareSize {
    columns: u16,
    rows: u16,
}

impl SquareSize {
    /// The sizes there are. A terminal's cell is about twice as high as it is wide.
    pub(super) const LARGEST_FIRST: [Self; 4] = [
        Self { columns: 8, rows: 4 },
        Self { columns: 6, rows: 3 },
        Self { columns: 4, rows: 2 },
        Self { columns: 3, rows: 1 },
    ];

    /// Columns of the board with the names of its ranks.
    pub(super) fn board_columns(self) -> u16 {
        LABEL_COLUMNS + 8 * self.columns
    }

    /// Rows of the board with the names of its files.
    pub(super) fn board_rows(self) -> u16 {
        8 * self.rows + 1
    }
}

/// Columns for the name of a rank.
const LABEL_COLUMNS: u16 = 2;

/// Where the board lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPlace {
    origin: Rect,
    size: SquareSize,
    bottom: Color,
}

impl BoardPlace {
    /// A board in the upper left corner of `origin`, with `bottom`'s side nearest.
    pub(super) fn new(origin: Rect, size: SquareSize, bottom: Color) -> Self {
        Self { origin, size, bottom }
    }

    /// Whether every square lies where it does on the other board.
    pub(super) fn lies_like(&self, other: &Self) -> bool {
        let corner = |place: &Self| (place.origin.x, place.origin.y, place.size.columns, place.size.rows);
        corner(self) == corner(other)
    }

    /// The square at a place of the screen.
    pub(super) fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        let column = column.checked_sub(self.origin.x + LABEL_COLUMNS)? / self.size.columns;
        let row = row.checked_sub(self.origin.y)? / self.size.rows;
        let (file, rank) = (File::ALL.get(usize::from(column))?, Rank::ALL.get(usize::from(row))?);
        Some(match self.bottom {
            Color::White => Square::new(*file, Rank::ALL[7 - rank.index()]),
            Color::Black => Square::new(File::ALL[7 - file.index()], *rank),
        })
    }

    fn square(&self, square: Square) -> Rect {
        let (file, rank) = (square.file().index() as u16, square.rank().index() as u16);
        let (from_left, from_top) = match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        Rect {
            x: self.origin.x + LABEL_COLUMNS + from_left * self.size.columns,
            y: self.origin.y + from_top * self.size.rows,
            width: self.size.columns,
            height: self.size.rows,
        }
    }

    /// Where the man on a square is painted: he has this column and the next, so that a symbol that a
    /// terminal makes wide moves nothing else.
    pub(super) fn man_at(&self, square: Square) -> (u16, u16) {
        let place = self.square(square);
        (place.x + (place.width - 1) / 2, place.y + (place.height - 1) / 2)
    }
}

/// Paints the board of the game, or of a game that has not begun.
pub(super) fn paint(frame: &mut Frame, place: &BoardPlace, model: &Model, look: &Look) {
    let start = Board::standard();
    let board = match &model.game {
        Some(game) => Some(&game.board),
        None => Some(&start),
    };
    let buffer = frame.buffer_mut();
    for square in Square::all() {
        paint_square(buffer, place, square, board, model, look);
    }
    paint_names(buffer, place, look);
}

fn paint_square(
    buffer: &mut Buffer,
    place: &BoardPlace,
    square: Square,
    board: Option<&Board>,
    model: &Model,
    look: &Look,
) {
    let rect = place.square(square);
    let mark = mark(square, model);
    let style = look.square(square.is_light(), mark);
    buffer.set_style(rect, style);
    let (x, y) = place.man_at(square);
    let piece = board.and_then(|board| board.piece_at(square));
    if let Some(piece) = piece {
        let character = look::character(piece, model.screen.pieces);
        buffer[(x, y)].set_char(character).set_style(style.patch(look.man(piece.color)));
    }
    if mark == Mark::Target {
        // A dot on an empty square; beside a man, so that he stays in sight.
        let dot = if piece.is_some() { x + 1 } else { x };
        buffer[(dot, y)]
            .set_char(look::dot(model.screen.pieces))
            .set_style(style.patch(look.man(Color::White)));
    }
    if let Some((left, right)) = look.brackets(mark) {
        buffer[(x - 1, y)].set_char(left);
        buffer[(x + 1 + u16::from(rect.width > 3), y)].set_char(right);
    }
}

fn mark(square: Square, model: &Model) -> Mark {
    let Some(game) = &model.game else { return Mark::Nothing };
    if model.screen.cursor == Some(square) {
        return Mark::Cursor;
    }
    if model.screen.selected == Some(square) {
        return Mark::Selected;
    }
    if model.screen.selected.is_some_and(|from| is_target(game, from, square)) {
        return Mark::Target;
    }
    if game.state.touched.contains(&square) {
        return Mark::Touched;
    }
    if game.checked_king() == Some(square) {
        return Mark::Check;
    }
    match game.last().map(|played| seen_squares(played.mv)) {
        Some((from, to)) if square == from || square == to => Mark::LastMove,
        _ => Mark::Nothing,
    }
}

fn is_target(game: &GameModel, from: Square, to: Square) -> bool {
    game.state.legal.iter().any(|legal| legal.mv.from() == from && seen_squares(legal.mv).1 == to)
}

fn paint_names(buffer: &mut Buffer, place: &BoardPlace, look: &Look) {
    for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
        let (_, y) = place.man_at(Square::new(File::A, rank));
        buffer[(place.origin.x, y)].set_char(rank.to_char()).set_style(look.faint);
        let (x, _) = place.man_at(Square::new(file, Rank::First));
        let below = place.origin.y + 8 * place.size.rows;
        buffer[(x, below)].set_char(file.to_char()).set_style(look.faint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_found_where_it_is_painted() {
        for size in SquareSize::LARGEST_FIRST {
            for bottom in Color::ALL {
                let place = BoardPlace::new(Rect::new(3, 2, 100, 50), size, bottom);
                for square in Square::all() {
                    let rect = place.square(square);
                    for (column, row) in [(rect.x, rect.y), (rect.right() - 1, rect.bottom() - 1)] {
                        assert_eq!(place.square_at(column, row), Some(square));
                    }
                }
                assert_eq!(place.square_at(4, 2), None);
                assert_eq!(place.square_at(3 + size.board_columns(), 2), None);
                assert_eq!(place.square_at(6, 1 + size.board_rows()), None);
            }
        }
    }

    #[test]
    fn the_own_side_is_nearest() {
        let size = SquareSize::LARGEST_FIRST[3];
        for (bottom, top_left, bottom_right) in [(Color::White, "a8", "h1"), (Color::Black, "h1", "a8")] {
            let place = BoardPlace::new(Rect::new(0, 0, 80, 24), size, bottom);
            assert_eq!(place.square_at(2, 0), top_left.parse().ok());
            assert_eq!(place.square_at(2 + 23, 7), bottom_right.parse().ok());
        }
    }
}
