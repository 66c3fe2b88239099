//! How things are painted: colours where the terminal has them, and marks where it has none.
//!
//! Without colours every colour stays the terminal's own and only bold, underline and reverse are used:
//! with `NO_COLOR` set, a reversed cell of any colour would lose its reverse on its way to the terminal.

use crate::cli::ColorWish;
use crate::config::PieceStyle;
use chatrang_rules::color::Color as Side;
use chatrang_rules::piece::{Piece, Role};
use ratatui::style::{Color, Modifier, Style};

/// How things are painted.
#[derive(Clone, Debug)]
pub struct Look {
    /// Whether colours are used; else marks tell what they would.
    pub tint: Tint,
    /// Ordinary text.
    pub text: Style,
    /// Text that stands out.
    pub strong: Style,
    /// Text that stands back.
    pub faint: Style,
    /// Something that was not done.
    pub refused: Style,
    /// Something that needs attention.
    pub warning: Style,
    /// The clock that runs.
    pub running: Style,
    /// The clock that runs out.
    pub low: Style,
}

/// Whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// They are.
    Colors,
    /// They are not.
    Mono,
}

/// What is to be seen of a square, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The cursor of the arrow keys.
    Cursor,
    /// The man on it was taken up.
    Selected,
    /// The man that was taken up may go there.
    Target,
    /// The man on it was touched with intent.
    Touched,
    /// The king on it is in check.
    Check,
    /// The last move left it or reached it.
    LastMove,
    /// Nothing.
    Nothing,
}

impl Look {
    /// The look that a wish and the environment ask for; `no_color` is whether `NO_COLOR` is set.
    pub fn new(wish: ColorWish, no_color: bool) -> Self {
        match wish {
            ColorWish::Never => Self::mono(),
            ColorWish::Auto if no_color => Self::mono(),
            ColorWish::Auto | ColorWish::Always => Self::colors(),
        }
    }

    /// The style of a square.
    pub fn square(&self, is_light: bool, mark: Mark) -> Style {
        if self.tint == Tint::Mono {
            return if is_light { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        }
        let (light, dark) = match mark {
            Mark::Cursor => (178, 178),
            Mark::Selected => (71, 71),
            Mark::Touched => (108, 65),
            Mark::Check => (160, 160),
            Mark::LastMove => (67, 31),
            Mark::Target | Mark::Nothing => (137, 94),
        };
        Style::new().bg(Color::Indexed(if is_light { light } else { dark }))
    }

    /// The style of a man on its square.
    pub fn man(&self, side: Side) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.tint, side) {
            (Tint::Mono, _) => style,
            (Tint::Colors, Side::White) => style.fg(Color::Indexed(231)),
            (Tint::Colors, Side::Black) => style.fg(Color::Indexed(16)),
        }
    }

    /// The characters to both sides of a square's middle that show a mark without colours.
    pub fn brackets(&self, mark: Mark) -> Option<(char, char)> {
        match (self.tint, mark) {
            (Tint::Colors, _) | (_, Mark::Nothing | Mark::Target) => None,
            (Tint::Mono, Mark::Cursor) => Some(('<', '>')),
            (Tint::Mono, Mark::Selected) => Some(('{', '}')),
            (Tint::Mono, Mark::Touched) => Some(('(', ')')),
            (Tint::Mono, Mark::Check) => Some(('!', '!')),
            (Tint::Mono, Mark::LastMove) => Some(('[', ']')),
        }
    }

    fn colors() -> Self {
        let text = Style::new();
        Self {
            tint: Tint::Colors,
            text,
            strong: text.add_modifier(Modifier::BOLD),
            faint: text.fg(Color::DarkGray),
            refused: text.fg(Color::LightRed),
            warning: text.fg(Color::LightYellow),
            running: text.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            low: text.fg(Color::Indexed(231)).bg(Color::Indexed(160)).add_modifier(Modifier::BOLD),
        }
    }

    fn mono() -> Self {
        let text = Style::new();
        let strong = text.add_modifier(Modifier::BOLD);
        Self {
            tint: Tint::Mono,
            text,
            strong,
            faint: text.add_modifier(Modifier::DIM),
            refused: strong,
            warning: strong,
            running: text.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            low: text.add_modifier(Modifier::BOLD | Modifier::REVERSED | Modifier::UNDERLINED),
        }
    }
}

/// A man as a character. White's symbols are outlines and Black's are filled, and White's letters are
/// upper case and Black's lower case: the side is seen without colours.
pub fn character(piece: Piece, style: PieceStyle) -> char {
    if style == PieceStyle::Letters {
        return piece.letter();
    }
    match (piece.color, piece.role) {
        (Side::White, Role::King) => '\u{2654}',
        (Side::White, Role::Queen) => '\u{2655}',
        (Side::White, Role::Rook) => '\u{2656}',
        (Side::White, Role::Bishop) => '\u{2657}',
        (Side::White, Role::Knight) => '\u{2658}',
        (Side::White, Role::Pawn) => '\u{2659}',
        (Side::Black, Role::King) => '\u{265a}',
        (Side::Black, Role::Queen) => '\u{265b}',
        (Side::Black, Role::Rook) => '\u{265c}',
        (Side::Black, Role::Bishop) => '\u{265d}',
        (Side::Black, Role::Knight) => '\u{265e}',
        (Side::Black, Role::Pawn) => '\u{265f}',
    }
}

/// What marks a square that the man taken up may go to.
pub const fn dot(style: PieceStyle) -> char {
    match style {
        PieceStyle::Glyphs => '•',
        PieceStyle::Letters => '*',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_counts_unless_the_option_says_otherwise() {
        for (wish, no_color, tint) in [
            (ColorWish::Auto, false, Tint::Colors),
            (ColorWish::Auto, true, Tint::Mono),
            (ColorWish::Always, true, Tint::Colors),
            (ColorWish::Never, false, Tint::Mono),
        ] {
            assert_eq!(Look::new(wish, no_color).tint, tint, "{wish:?} {no_color}");
        }
    }

    #[test]
    fn without_colours_nothing_has_a_colour() {
        let look = Look::new(ColorWish::Never, false);
        let marks = [
            Mark::Cursor,
            Mark::Selected,
            Mark::Target,
            Mark::Touched,
            Mark::Check,
            Mark::LastMove,
            Mark::Nothing,
        ];
        let squares = marks.into_iter().flat_map(|mark| [look.square(true, mark), look.square(false, mark)]);
        let men = Side::ALL.map(|side| look.man(side));
        let texts = [look.text, look.strong, look.faint, look.refused, look.warning, look.running, look.low];
        for style in squares.chain(men).chain(texts) {
            assert_eq!((style.fg, style.bg), (None, None), "{style:?}");
        }
        assert_ne!(look.square(true, Mark::Nothing), look.square(false, Mark::Nothing));
    }

    #[test]
    fn the_sides_differ_by_shape() {
        for style in [PieceStyle::Glyphs, PieceStyle::Letters] {
            let all = Side::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
            let shapes: std::collections::HashSet<char> = all.map(|piece| character(piece, style)).collect();
            assert_eq!(shapes.len(), 12);
        }
    }
}
