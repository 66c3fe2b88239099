//! Reading a PGN, whole and in pieces, writing what was read, and reading that again.

use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen;
use chatrang_rules::notation::pgn::{Nag, PgnError, Reader, Text, Visitor, Writer};
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::outcome::Outcome;
use chatrang_rules::position::Position;

/// All that a visitor is shown but errors, a line each; the starts apart, for comments may stand on either side
/// of where the moves begin.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) shown: Vec<String>,
    pub(crate) starts: Vec<String>,
    pub(crate) errors: Vec<PgnError>,
}

impl Log {
    fn show(&mut self, line: impl Into<String>) {
        self.shown.push(line.into());
    }
}

/// The text as a writer writes it: control characters replaced, white space as lines break at it.
fn plain(text: Text<'_>) -> String {
    let is_odd = |c: char| c.is_control() && !c.is_ascii_whitespace();
    let text = text.decode().replace(is_odd, "\u{fffd}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Visitor for Log {
    fn begin_game(&mut self) {
        self.show("game");
    }

    fn tag(&mut self, name: Text<'_>, value: Text<'_>) {
        self.show(format!("{} = {}", name.decode(), plain(value)));
    }

    fn begin_moves(&mut self, start: &Position) {
        self.starts.push(fen::write(start));
    }

    fn played(&mut self, _before: &Position, mv: Move) {
        self.show(uci::write(mv, UciCastling::KingTakesRook));
    }

    fn passed(&mut self, _before: &Position) {
        self.show("pass");
    }

    fn comment(&mut self, text: Text<'_>) {
        self.show(format!("{{{}}}", plain(text)));
    }

    fn nag(&mut self, nag: Nag) {
        self.show(format!("{nag:?}"));
    }

    fn begin_variation(&mut self) {
        self.show("(");
    }

    fn end_variation(&mut self) {
        self.show(")");
    }

    fn end_game(&mut self, outcome: Option<Outcome>) {
        self.show(format!("{outcome:?}"));
    }

    fn error(&mut self, error: &PgnError) {
        self.errors.push(error.clone());
    }
}

fn read<V: Visitor>(pieces: &[&[u8]], mut visitor: V) -> V {
    let mut reader = Reader::new();
    for piece in pieces {
        reader.feed(piece, &mut visitor);
    }
    reader.finish(&mut visitor);
    visitor
}

/// Cuts bytes at some of their places.
fn cut<'a>(bytes: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let (mut pieces, mut rest) = (Vec::new(), bytes);
    for &length in lengths.iter().cycle().take(bytes.len()) {
        let (piece, behind) = rest.split_at(length.min(rest.len()));
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

/// Reads bytes whole and in pieces, writes what was read and reads that again.
pub(crate) fn check(bytes: &[u8], lengths: &[usize]) -> Log {
    let whole = read(&[bytes], Log::default());
    assert_eq!(read(&cut(bytes, lengths), Log::default()), whole, "in pieces of {lengths:?}");
    let written = read(&[bytes], Writer::new()).take();
    let again = read(&[written.as_bytes()], Log::default());
    assert_eq!((&again.shown, &again.starts), (&whole.shown, &whole.starts), "written as {written}");
    let only_starts = again.errors.iter().all(|error| error.to_string().contains("the tag FEN"));
    assert!(only_starts, "{:?} in {written}", again.errors);
    assert_eq!(read(&[written.as_bytes()], Writer::new()).take(), written);
    whole
}
