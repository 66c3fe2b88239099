//! PGN in the export format: the seven tags first, lines of at most 80 columns, the fewest marks.

use super::reader::Visitor;
use super::text::{Nag, Text};
use super::{COMMENT_BYTES_MAX, TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX};
use crate::castling::CastlingSide;
use crate::chess960::StartNumber;
use crate::color::Color;
use crate::moves::Move;
use crate::notation::{fen, san};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::square::{File, Square};
use std::fmt::Write as _;

/// No line of moves is longer, unless one word is.
const LINE_COLUMNS_MAX: usize = 80;

/// The seven tags that every game has, in their order. Unknown values are question marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster {
    /// The tournament or match.
    pub event: String,
    /// Where it was played.
    pub site: String,
    /// When the game began: `2026.11.29`.
    pub date: String,
    /// The round, `-` where there is none.
    pub round: String,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

impl Default for Roster {
    fn default() -> Self {
        let unknown = || "?".to_owned();
        Self {
            event: unknown(),
            site: unknown(),
            date: "????.??.??".to_owned(),
            round: unknown(),
            white: unknown(),
            black: unknown(),
            result: "*".to_owned(),
        }
    }
}

/// Writes games one behind another.
///
/// What it writes, a [`super::Reader`] reads back as it was told, but for white space and control characters
/// in comments and tags: lines are broken at the one, and the other, which belongs into no text for people, is
/// replaced.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    text: String,
    /// Columns of the last line that are taken.
    column: usize,
    /// Whether the last word ended with an opening parenthesis: no space comes behind it.
    glued: bool,
    /// Whether White's move stands right before: Black's need not say its number again.
    number_known: bool,
    /// Whether tags were written, and not yet the empty line behind them.
    tags_open: bool,
}

impl Writer {
    /// A writer that has written nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the seven tags; others come behind them.
    pub fn roster(&mut self, roster: &Roster) {
        let Roster { event, site, date, round, white, black, result } = roster;
        for (name, value) in [
            ("Event", event),
            ("Site", site),
            ("Date", date),
            ("Round", round),
            ("White", white),
            ("Black", black),
            ("Result", result),
        ] {
            self.tag(name, value);
        }
    }

    /// Writes a tag. What no tag can hold is left out: of a name all but visible ASCII without quotes and
    /// brackets, and of both what is too long. A tag without a name is none.
    pub fn tag(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|c| c.is_ascii_graphic() && !"\"[]".contains(*c)).collect();
        if name.is_empty() {
            return;
        }
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
        let _ = write!(self.text, "[{} \"", cut(&name, TAG_NAME_BYTES_MAX));
        for character in cut(value, TAG_VALUE_BYTES_MAX).chars().map(printable) {
            if matches!(character, '"' | '\\') {
                self.text.push('\\');
            }
            self.text.push(character);
        }
        self.text.push_str("\"]\n");
        self.tags_open = true;
    }

    /// Writes the tags that a game from this position needs: none from the start of standard chess.
    pub fn start(&mut self, start: &Position) {
        if *start == Position::standard() {
            return;
        }
        if is_chess960(start) {
            self.tag("Variant", "Chess960");
        }
        self.tag("SetUp", "1");
        self.tag("FEN", &fen::write(start));
    }

    /// Writes a legal move, with its number where one is due.
    pub fn mv(&mut self, before: &Position, mv: Move) {
        self.numbered(before, &san::write(before, mv));
    }

    /// Writes that the side to move passes.
    pub fn pass(&mut self, before: &Position) {
        self.numbered(before, "--");
    }

    /// Writes a mark of the last move.
    pub fn mark(&mut self, nag: Nag) {
        self.word(&format!("${}", nag.0));
    }

    /// Writes a comment, cut to [`COMMENT_BYTES_MAX`].
    pub fn remark(&mut self, comment: &str) {
        let comment: String = comment.chars().map(printable).collect();
        let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        let comment = cut(&comment, COMMENT_BYTES_MAX);
        self.number_known = false;
        if comment.contains('}') {
            // Only a comment to the end of its line can hold a closing brace.
            self.word(";");
            let _ = writeln!(self.text, " {comment}");
            self.column = 0;
            return;
        }
        let mut words = Unbroken(comment).peekable();
        let mut opening = "{";
        loop {
            let word = words.next().unwrap_or_default();
            let closing = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{opening}{word}{closing}"));
            if !closing.is_empty() {
                return;
            }
            opening = "";
        }
    }

    /// Opens a variation in place of the last move.
    pub fn open(&mut self) {
        self.word("(");
        self.glued = true;
        self.number_known = false;
    }

    /// Closes the innermost variation.
    pub fn close(&mut self) {
        self.glued = true;
        self.word(")");
        self.number_known = false;
    }

    /// Ends the game with its result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn end(&mut self, result: &str) {
        self.word(result);
        self.text.push_str("\n\n");
        self.column = 0;
        self.number_known = false;
    }

    /// What has been written since it was last taken.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn numbered(&mut self, before: &Position, text: &str) {
        let number = before.move_number();
        match before.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if !self.number_known => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.word(text);
        self.number_known = before.turn() == Color::White;
    }

    /// Writes one word, on a new line if this one has no room for it.
    pub(in crate::notation) fn word(&mut self, word: &str) {
        if std::mem::take(&mut self.tags_open) {
            self.text.push('\n');
        }
        let columns = word.chars().count();
        let space = usize::from(self.column > 0 && !self.glued);
        if self.column > 0 && self.column + space + columns > LINE_COLUMNS_MAX {
            self.text.push('\n');
            self.column = columns;
        } else {
            self.text.push_str(&" "[..space]);
            self.column += space + columns;
        }
        self.text.push_str(word);
        self.glued = false;
    }
}

impl Visitor for Writer {
    fn tag(&mut self, name: Text<'_>, value: Text<'_>) {
        self.tag(&name.decode(), &value.decode());
    }

    fn played(&mut self, before: &Position, mv: Move) {
        self.mv(before, mv);
    }

    fn passed(&mut self, before: &Position) {
        self.pass(before);
    }

    fn comment(&mut self, text: Text<'_>) {
        self.remark(&text.decode());
    }

    fn nag(&mut self, nag: Nag) {
        self.mark(nag);
    }

    fn begin_variation(&mut self) {
        self.open();
    }

    fn end_variation(&mut self) {
        self.close();
    }

    fn end_game(&mut self, outcome: Option<Outcome>) {
        self.end(&outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()));
    }
}

/// Whether it is a start of Chess960, or castles from squares that standard chess does not castle from.
fn is_chess960(start: &Position) -> bool {
    let odd = |color| {
        let rooks = CastlingSide::ALL.map(|side| start.castling().rook(color, side));
        let king = start.board().king_of(color).map(Square::file);
        rooks.iter().flatten().any(|rook| king != Some(File::E) || !matches!(rook.file(), File::A | File::H))
    };
    Color::ALL.into_iter().any(odd) || StartNumber::of(start.setup()).is_some()
}

/// A space in place of what breaks lines, and a replacement character in place of other controls.
fn printable(character: char) -> char {
    match character {
        _ if character.is_ascii_whitespace() => ' ',
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// As much of a text as has no more bytes than that.
fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// The words of a comment between which a line may break: not within a command (`[%clk 0:05:00]`), nor where
/// the next line would look like a tag or like one meant for other programs.
///
/// The words of the text itself are parted by single spaces.
struct Unbroken<'a>(&'a str);

impl<'a> Iterator for Unbroken<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        let mut end = 0;
        while end < text.len() {
            let command = text[end..].starts_with("[%").then(|| text[end..].find(']')).flatten();
            let from = end + command.unwrap_or(0);
            end = text[from..].find(' ').map_or(text.len(), |space| from + space);
            let glued = text[end..].get(1..2).is_some_and(|next| "[%;".contains(next));
            if !glued {
                break;
            }
            end += 1;
        }
        self.0 = text[end..].trim_start_matches(' ');
        (end > 0).then(|| &text[..end])
    }
}
