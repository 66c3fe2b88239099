//! The moves of a PGN followed on the board.

use super::error::{PgnError, PgnFault, Place};
use super::lexer::{Lexer, Token};
use super::text::{Nag, Text};
use super::words::{is_chess, is_idle, result, without_number};
use super::{VARIATION_DEPTH_MAX, WORD_BYTES_MAX};
use crate::color::Color;
use crate::moves::Move;
use crate::notation::san::{self, PieceLetters, SanError};
use crate::notation::{fen, uci};
use crate::outcome::Outcome;
use crate::position::Position;
use crate::setup::{Setup, Strictness};

/// Who is shown what a PGN holds, in its order. Every method has an empty default.
///
/// A game is `begin_game`, its tags, `begin_moves`, what its moves are made of, and `end_game`. Comments may
/// also come before the tags; `error` at any time.
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag, its value without escapes.
    fn tag(&mut self, _name: Text<'_>, _value: Text<'_>) {}

    /// The tags are over; the moves begin from this position.
    fn begin_moves(&mut self, _start: &Position) {}

    /// A legal move.
    fn played(&mut self, _before: &Position, _mv: Move) {}

    /// The side to move passes: `--`, as analyses have it.
    fn passed(&mut self, _before: &Position) {}

    /// A comment.
    fn comment(&mut self, _text: Text<'_>) {}

    /// A mark of the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// A variation begins: other moves in place of the last one.
    fn begin_variation(&mut self) {}

    /// The innermost variation ends; the moves go on from where it began.
    fn end_variation(&mut self) {}

    /// The game ends; without an outcome where its end is `*` or missing.
    fn end_game(&mut self, _outcome: Option<Outcome>) {}

    /// Something that could not be read.
    fn error(&mut self, _error: &PgnError) {}
}

/// Reads PGN out of bytes that come in pieces.
#[derive(Clone, Debug)]
pub struct Reader {
    lexer: Lexer,
    score: Score,
}

impl Reader {
    /// A reader at the beginning of a text, with English letters for the men, or figurines.
    pub fn new() -> Self {
        Self::with_letters(PieceLetters::ENGLISH)
    }

    /// A reader at the beginning of a text in another language.
    pub fn with_letters(letters: PieceLetters) -> Self {
        Self { lexer: Lexer::new(), score: Score::new(letters) }
    }

    /// Takes the next piece of the text, of any length.
    pub fn feed(&mut self, piece: &[u8], visitor: &mut impl Visitor) {
        let Self { lexer, score } = self;
        lexer.feed(piece, &mut |token, at| score.take(token, at, visitor));
    }

    /// Ends the text, and with it the last game.
    pub fn finish(mut self, visitor: &mut impl Visitor) {
        let Self { lexer, score } = &mut self;
        lexer.finish(&mut |token, at| score.take(token, at, visitor));
        score.end_game(visitor);
    }

    /// Where the next byte stands.
    pub fn place(&self) -> Place {
        self.lexer.here()
    }

    /// How many bytes are allotted beside the reader itself.
    #[cfg(test)]
    pub(super) fn allotted_bytes(&self) -> usize {
        let lines = self.score.outer.capacity() * size_of::<Line>();
        lines + self.lexer.held_bytes() + self.score.variant.capacity()
    }
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing of it was seen yet.
    Before,
    /// Comments only.
    Preface,
    Tags,
    Moves,
    /// Its result was seen; a comment may still follow before an empty line.
    Over,
}

/// The score sheet of the game being read.
#[derive(Clone, Debug)]
struct Score {
    letters: PieceLetters,
    phase: Phase,
    /// What the tag `FEN` gives, and where it stands.
    start: Option<(Result<Setup, fen::FenError>, Place)>,
    /// The tag `Variant`, if it names a game that is not read, and where it stands.
    variant: String,
    variant_at: Place,
    outcome: Option<Outcome>,
    line: Line,
    /// The lines that the one being read is a variation of, the main line first.
    outer: Vec<Line>,
    /// Variations opened within one that is not read.
    unread_depth: u64,
    /// A parenthesis that may turn out to begin `(=)`, an offered draw.
    opened: Option<Place>,
    /// Whether `(=` was seen.
    offered: bool,
}

/// One line of play, the main line or a variation.
#[derive(Clone, Debug)]
struct Line {
    now: Position,
    /// Before the last move: what a variation begins with.
    before: Position,
    /// Whether there was a last move.
    moved: bool,
    /// Whether its moves are followed: not after one that could not be read.
    followed: bool,
    /// Where the variation begins.
    at: Place,
}

impl Line {
    fn new(start: Position, at: Place) -> Self {
        Self { before: start.clone(), now: start, moved: false, followed: true, at }
    }
}

impl Score {
    fn new(letters: PieceLetters) -> Self {
        let nowhere = Place { line: 1, column: 1 };
        Self {
            letters,
            phase: Phase::Before,
            start: None,
            variant: String::new(),
            variant_at: nowhere,
            outcome: None,
            line: Line::new(Position::standard(), nowhere),
            outer: Vec::new(),
            unread_depth: 0,
            opened: None,
            offered: false,
        }
    }

    fn take(&mut self, token: Token<'_>, at: Place, visitor: &mut impl Visitor) {
        if self.opened.is_some() && token != Token::EmptyLine && self.offer(token, visitor) {
            return;
        }
        match token {
            Token::Word(word) => self.word(word, at, visitor),
            Token::Comment(text) => self.comment(Text(text), visitor),
            Token::Tag(name, value) => self.tag(name, value, at, visitor),
            // A comment behind the result belongs to the game, but not beyond an empty line.
            Token::EmptyLine if self.phase == Phase::Over => self.end_game(visitor),
            Token::EmptyLine => {}
            Token::Nag(nag) => {
                if self.phase != Phase::Over {
                    self.begin_moves(visitor);
                }
                self.mark(Nag(nag), visitor);
            }
            Token::Open => {
                self.begin_moves(visitor);
                self.opened = Some(at);
            }
            Token::Close => self.close(at, visitor),
            Token::Fault(fault) => visitor.error(&PgnError { at, fault: fault.into() }),
        }
    }

    fn begin_game(&mut self, phase: Phase, visitor: &mut impl Visitor) {
        if self.phase == Phase::Before {
            visitor.begin_game();
            self.phase = phase;
        }
    }

    fn comment(&mut self, text: Text<'_>, visitor: &mut impl Visitor) {
        match self.phase {
            Phase::Before => self.begin_game(Phase::Preface, visitor),
            Phase::Tags => self.begin_moves(visitor),
            _ => {}
        }
        if self.unread_depth == 0 {
            visitor.comment(text);
        }
    }

    /// Whether the moves at hand are followed on the board.
    fn is_followed(&self) -> bool {
        self.line.followed && self.unread_depth == 0
    }

    fn mark(&self, nag: Nag, visitor: &mut impl Visitor) {
        if self.is_followed() {
            visitor.nag(nag);
        }
    }

    fn tag(&mut self, name: &[u8], value: &[u8], at: Place, visitor: &mut impl Visitor) {
        if matches!(self.phase, Phase::Moves | Phase::Over) || (self.phase == Phase::Tags && name == b"Event")
        {
            self.end_game(visitor);
        }
        self.begin_game(Phase::Tags, visitor);
        self.phase = Phase::Tags;
        match name {
            b"FEN" => self.start = Some((fen::parse(&Text(value).decode()), at)),
            b"Variant" if !is_chess(value) => {
                self.variant =
                    String::from_utf8_lossy(&value[..value.len().min(WORD_BYTES_MAX)]).into_owned();
                self.variant_at = at;
            }
            _ => {}
        }
        visitor.tag(Text(name), Text(value));
    }

    /// Ends the tags, if that has not happened yet.
    fn begin_moves(&mut self, visitor: &mut impl Visitor) {
        match self.phase {
            Phase::Moves => return,
            Phase::Over => self.end_game(visitor),
            _ => {}
        }
        self.begin_game(Phase::Tags, visitor);
        self.phase = Phase::Moves;
        let at = self.start.as_ref().map_or(self.variant_at, |(_, at)| *at);
        let start = if self.variant.is_empty() {
            self.start()
        } else {
            Err(PgnFault::Variant(std::mem::take(&mut self.variant)))
        };
        match start {
            Ok(start) => {
                visitor.begin_moves(&start);
                self.line = Line::new(start, at);
            }
            Err(fault) => {
                self.line = Line { followed: false, ..Line::new(Position::standard(), at) };
                let at = if matches!(fault, PgnFault::Variant(_)) { self.variant_at } else { at };
                visitor.error(&PgnError { at, fault });
            }
        }
    }

    fn start(&mut self) -> Result<Position, PgnFault> {
        let Some((setup, _)) = self.start.take() else { return Ok(Position::standard()) };
        let setup = setup.map_err(|error| PgnFault::Fen(error.into()))?;
        Position::new(setup, Strictness::Playable).map_err(|error| PgnFault::Fen(error.into()))
    }

    fn end_game(&mut self, visitor: &mut impl Visitor) {
        if let Some(at) = self.opened.take() {
            self.open(at, visitor);
        }
        if !matches!(self.phase, Phase::Before | Phase::Over) {
            self.begin_moves(visitor);
            if let Some(main) = self.outer.first().cloned() {
                let at = self.line.at;
                visitor.error(&PgnError { at, fault: PgnFault::VariationNotClosed });
                // The visitor sees every variation closed that it saw begin.
                self.outer.iter().for_each(|_| visitor.end_variation());
                self.line = main;
            }
        }
        if self.phase != Phase::Before {
            visitor.end_game(self.outcome);
        }
        self.phase = Phase::Before;
        self.start = None;
        self.variant.clear();
        self.outcome = None;
        self.outer.clear();
        self.line.followed = true;
        self.unread_depth = 0;
        self.offered = false;
    }

    /// Looks whether an open parenthesis is that of `(=)`; otherwise opens a variation and gives the token
    /// back.
    fn offer(&mut self, token: Token<'_>, visitor: &mut impl Visitor) -> bool {
        match (token, self.offered) {
            (Token::Word(b"="), false) => {
                self.offered = true;
                return true;
            }
            (Token::Close, true) => {
                (self.opened, self.offered) = (None, false);
                return true;
            }
            _ => {}
        }
        if let Some(at) = self.opened.take() {
            self.open(at, visitor);
        }
        if std::mem::take(&mut self.offered) {
            self.mark(Nag(10), visitor);
        }
        false
    }

    fn open(&mut self, at: Place, visitor: &mut impl Visitor) {
        let fault = if !self.line.followed {
            None
        } else if !self.line.moved {
            Some(PgnFault::VariationOfNothing)
        } else if self.outer.len() == VARIATION_DEPTH_MAX {
            Some(PgnFault::VariationTooDeep)
        } else {
            let variation = Line::new(self.line.before.clone(), at);
            self.outer.push(std::mem::replace(&mut self.line, variation));
            return visitor.begin_variation();
        };
        self.unread_depth += 1;
        if let Some(fault) = fault.filter(|_| self.unread_depth == 1) {
            visitor.error(&PgnError { at, fault });
        }
    }

    fn close(&mut self, at: Place, visitor: &mut impl Visitor) {
        if self.unread_depth > 0 {
            self.unread_depth -= 1;
        } else if let Some(outer) = self.outer.pop() {
            self.line = outer;
            visitor.end_variation();
        } else if self.line.followed {
            visitor.error(&PgnError { at, fault: PgnFault::VariationNotOpened });
        }
    }

    fn word(&mut self, word: &[u8], at: Place, visitor: &mut impl Visitor) {
        if self.phase != Phase::Moves {
            self.begin_moves(visitor);
        }
        if self.is_followed()
            && let Some(mv) = san::parse_plain(&self.line.now, word, &self.letters)
        {
            return self.play(mv, visitor);
        }
        self.odd_word(word, at, visitor);
    }

    fn play(&mut self, mv: Move, visitor: &mut impl Visitor) {
        let line = &mut self.line;
        line.before.clone_from(&line.now);
        line.moved = true;
        line.now.play_unchecked(mv);
        visitor.played(&line.before, mv);
    }

    /// A word that is no move written by the book.
    #[cold]
    fn odd_word(&mut self, word: &[u8], at: Place, visitor: &mut impl Visitor) {
        let word = Text(word).decode();
        let word = without_number(&word);
        if let Some((_, outcome)) = result(word) {
            // Some give variations a result too; the game's is the one behind its main line.
            if self.outer.is_empty() && self.unread_depth == 0 {
                self.outcome = outcome;
                self.phase = Phase::Over;
            }
            return;
        }
        if !self.is_followed() || is_idle(word) {
            return;
        }
        if let Some(nag) = Nag::from_sign(word) {
            return self.mark(nag, visitor);
        }
        if matches!(word, "--" | "Z0" | "@@@@") {
            return self.pass(at, visitor);
        }
        if let Err(fault) = self.moves(word, visitor) {
            self.line.followed = false;
            visitor.error(&PgnError { at, fault });
        }
    }

    fn pass(&mut self, at: Place, visitor: &mut impl Visitor) {
        let now = &self.line.now;
        let setup = now.setup();
        let mut after = Setup { turn: !setup.turn, en_passant: None, ..setup.clone() };
        after.halfmove_clock = after.halfmove_clock.saturating_add(1);
        if after.turn == Color::White {
            after.move_number = after.move_number.saturating_add(1);
        }
        let Ok(after) = Position::new(after, Strictness::Playable) else {
            self.line.followed = false;
            return visitor.error(&PgnError { at, fault: PgnFault::PassInCheck });
        };
        self.line.before = std::mem::replace(&mut self.line.now, after);
        self.line.moved = true;
        visitor.passed(&self.line.before);
    }

    /// One move in any spelling, or several written together: `Nf3Nc6`, `5.Nf3`.
    fn moves(&mut self, word: &str, visitor: &mut impl Visitor) -> Result<(), PgnFault> {
        let mut rest = word;
        while !rest.is_empty() {
            match self.move_with_mark(rest) {
                Ok((mv, nag)) => {
                    self.play(mv, visitor);
                    if let Some(nag) = nag {
                        self.mark(nag, visitor);
                    }
                    return Ok(());
                }
                Err(why) => match self.split_move(rest) {
                    Some((mv, behind)) => {
                        self.play(mv, visitor);
                        rest = behind;
                    }
                    None => return Err(PgnFault::Move { word: rest.to_owned(), why }),
                },
            }
        }
        Ok(())
    }

    fn move_with_mark(&self, word: &str) -> Result<(Move, Option<Nag>), SanError> {
        let (text, nag) = Nag::split_off(word);
        let now = &self.line.now;
        // Programs write both squares and no man: `g1f3`.
        let mv = san::parse_in(now, text, &self.letters).or_else(|why| uci::parse(now, text).or(Err(why)))?;
        Ok((mv, nag))
    }

    /// A first move by the book, and the rest without a move number, which ends with a period where nothing
    /// follows it.
    fn split_move<'a>(&self, word: &'a str) -> Option<(Move, &'a str)> {
        word.char_indices().skip(2).find_map(|(end, next)| {
            if !next.is_alphanumeric() {
                return None;
            }
            let mv = san::parse_plain(&self.line.now, &word.as_bytes()[..end], &self.letters)?;
            let rest = word[end..].trim_start_matches(|c: char| c.is_ascii_digit() || ".…".contains(c));
            (!rest.is_empty() || word.ends_with(['.', '…'])).then_some((mv, rest))
        })
    }
}
