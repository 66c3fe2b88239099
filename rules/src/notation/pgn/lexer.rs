//! The words of a PGN, cut out of bytes that come in pieces of any size.
//!
//! Knows no chess. It never looks back into an earlier piece: what a token needs of it is held, and no more
//! than the bounds allow. A token that lies whole within a piece is not copied.

use super::error::{FormFault, Place};
use super::{COMMENT_BYTES_MAX, TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX, WORD_BYTES_MAX};

/// One thing that a PGN is made of. Move numbers and `%` lines are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, the escapes resolved.
    Tag(&'a [u8], &'a [u8]),
    /// A move, a result or a mark; never empty.
    Word(&'a [u8]),
    /// What stands in braces, or from a semicolon to the end of its line.
    Comment(&'a [u8]),
    /// A line without anything, not even spaces.
    EmptyLine,
    /// `$` and a number.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// Something that no PGN is made of, or too much of it.
    Fault(FormFault),
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between two tokens.
    Gap,
    Word,
    /// A comment in braces.
    Brace,
    /// A comment to the end of the line.
    LineComment,
    /// A line that begins with `%`, meant for other programs.
    Escape,
    Nag,
    TagName,
    /// Behind a tag's name.
    TagGap,
    TagValue,
    /// Behind a backslash in a value.
    TagEscape,
    /// Behind a quote that ends the value if nothing but a bracket follows.
    TagQuote,
    /// The rest of a tag that was already found to be none.
    TagRest,
}

/// Cuts bytes into [`Token`]s.
#[derive(Clone, Debug)]
pub(super) struct Lexer {
    state: State,
    /// The token's bytes so far; a tag's name and value one behind the other.
    held: Vec<u8>,
    /// Whether the token had more bytes than may be held.
    overlong: bool,
    /// How many of the held bytes are a tag's name.
    name_bytes: usize,
    /// How many of the held bytes are a tag's name and value, if the last quote ended it.
    value_end: usize,
    token_at: Place,
    /// Bytes before the one at hand.
    offset: u64,
    line: u64,
    /// The offset that the line begins at.
    line_start: u64,
    /// The offset behind the last carriage return: a line feed there ends no further line.
    behind_return: u64,
}

impl Lexer {
    pub(super) fn new() -> Self {
        Self {
            state: State::Gap,
            held: Vec::new(),
            overlong: false,
            name_bytes: 0,
            value_end: 0,
            token_at: Place { line: 1, column: 1 },
            offset: 0,
            line: 1,
            line_start: 0,
            behind_return: u64::MAX,
        }
    }

    /// How many bytes are allotted for held ones.
    #[cfg(test)]
    pub(super) fn held_bytes(&self) -> usize {
        self.held.capacity()
    }

    /// Where the next byte stands.
    pub(super) fn here(&self) -> Place {
        self.place(self.offset)
    }

    /// Takes the next piece.
    pub(super) fn feed(&mut self, piece: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) {
        let mut rest = piece;
        while !rest.is_empty() {
            let used = match self.state {
                State::Gap => self.gap(rest, sink),
                State::Word => self.word(rest, sink),
                State::Brace => self.brace(rest, sink),
                State::LineComment | State::Escape => self.rest_of_line(rest, sink),
                State::Nag => self.nag(rest, sink),
                _ => self.tag(rest, sink),
            };
            self.offset += used as u64;
            rest = &rest[used..];
        }
    }

    /// Ends the token that the text ends with.
    pub(super) fn finish(&mut self, sink: &mut impl FnMut(Token<'_>, Place)) {
        match self.state {
            State::Gap | State::Escape | State::TagRest => {}
            State::Word => self.end_word(&[], sink),
            State::LineComment => self.end_comment(&[], sink),
            State::Nag => self.end_nag(sink),
            State::Brace => {
                let at = self.token_at;
                self.end_comment(&[], sink);
                sink(Token::Fault(FormFault::CommentNotClosed), at);
            }
            State::TagQuote => self.end_unclosed_tag(sink),
            _ => sink(Token::Fault(FormFault::TagNotClosed), self.token_at),
        }
        self.state = State::Gap;
    }

    fn place(&self, offset: u64) -> Place {
        Place { line: self.line, column: offset - self.line_start + 1 }
    }

    /// Counts a line break whose byte stands at `offset`.
    fn line_ends(&mut self, byte: u8, offset: u64) {
        self.line_start = offset + 1;
        if byte == b'\r' {
            self.behind_return = offset + 1;
        } else if self.behind_return == offset {
            return;
        }
        self.line += 1;
    }

    fn count_lines(&mut self, run: &[u8]) {
        for (offset, &byte) in (self.offset..).zip(run) {
            if is_line_break(byte) {
                self.line_ends(byte, offset);
            }
        }
    }

    /// Begins a token at `offset`.
    fn begin(&mut self, state: State, offset: u64) {
        self.state = state;
        self.token_at = self.place(offset);
        self.held.clear();
        self.overlong = false;
    }

    /// Keeps bytes of the token for later, as long as it has no more than `bytes_max`.
    fn hold(&mut self, run: &[u8], bytes_max: usize) {
        let room = bytes_max.saturating_sub(self.held.len());
        self.overlong |= run.len() > room;
        self.held.extend_from_slice(&run[..run.len().min(room)]);
    }

    /// Takes tokens as long as they lie whole within the piece.
    fn gap(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let mut index = 0;
        while let Some(&byte) = rest.get(index) {
            let offset = self.offset + index as u64;
            let here = &rest[index..];
            let (whole, cut) = match byte {
                // Periods stand behind move numbers, which nobody needs.
                b' ' | b'.' | b'\t' | 0x0b | 0x0c => (1, State::Gap),
                b'\n' | b'\r' => {
                    if offset == self.line_start && (byte == b'\r' || offset != self.behind_return) {
                        sink(Token::EmptyLine, self.place(offset));
                    }
                    self.line_ends(byte, offset);
                    (1, State::Gap)
                }
                b'{' => (self.whole_comment(here, offset, sink), State::Brace),
                b'[' => (self.whole_tag(here, offset, sink), State::TagName),
                b'(' | b')' | b'}' | b']' => {
                    let token = match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        _ => Token::Fault(FormFault::Stray(char::from(byte))),
                    };
                    sink(token, self.place(offset));
                    (1, State::Gap)
                }
                b';' => (0, State::LineComment),
                b'$' => (0, State::Nag),
                b'%' if offset == self.line_start => (0, State::Escape),
                _ => (self.whole_word(here, offset, sink), State::Word),
            };
            if whole == 0 {
                self.begin(cut, offset);
                return index + usize::from(cut != State::Word);
            }
            index += whole;
        }
        index
    }

    /// Takes a word that ends within the piece, or a move number; its length, or 0 for what needs a closer
    /// look.
    fn whole_word(&self, rest: &[u8], offset: u64, sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let Some(end) = rest.iter().position(|&byte| ENDS_WORD[usize::from(byte)]) else { return 0 };
        let word = &rest[..end];
        if word[0].is_ascii_digit() && is_move_number(word) {
            return end;
        }
        if rest[end] == b'.' || end > WORD_BYTES_MAX || word[0] == BYTE_ORDER_MARK[0] {
            return 0;
        }
        sink(Token::Word(word), self.place(offset));
        end
    }

    /// Takes a comment in braces that lies whole within the piece and on one line; its length, or 0.
    fn whole_comment(&self, rest: &[u8], offset: u64, sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        match find(&rest[1..], [b'}', b'\n', b'\r']) {
            Some(end @ 0..=COMMENT_BYTES_MAX) if rest[end + 1] == b'}' => {
                sink(Token::Comment(&rest[1..=end]), self.place(offset));
                end + 2
            }
            _ => 0,
        }
    }

    /// Takes a tag that lies whole within the piece and has nothing odd about it; its length, or 0.
    fn whole_tag(&self, rest: &[u8], offset: u64, sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let (Some((name, value)), place) = (usual_tag(rest), self.place(offset)) else { return 0 };
        sink(Token::Tag(name, value), place);
        name.len() + value.len() + r#"[ ""]"#.len()
    }

    fn word(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let Some(end) = rest.iter().position(|&byte| ENDS_WORD[usize::from(byte)]) else {
            self.hold(rest, WORD_BYTES_MAX);
            return rest.len();
        };
        let run = &rest[..end];
        if rest[end] == b'.' {
            // `1.e4` is a number and a move, but `e.p.` is one word.
            self.hold(run, WORD_BYTES_MAX);
            if is_move_number(without_mark(&self.held)) {
                self.state = State::Gap;
            } else {
                self.hold(b".", WORD_BYTES_MAX);
            }
            return end + 1;
        }
        self.end_word(run, sink);
        end
    }

    fn end_word(&mut self, run: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) {
        self.state = State::Gap;
        let word = if self.held.is_empty() && run.len() <= WORD_BYTES_MAX {
            run
        } else {
            self.hold(run, WORD_BYTES_MAX);
            &self.held
        };
        let word = without_mark(word);
        if !is_move_number(word) {
            sink(Token::Word(word), self.token_at);
        }
    }

    fn brace(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let end = rest.iter().position(|&byte| byte == b'}');
        let run = &rest[..end.unwrap_or(rest.len())];
        self.count_lines(run);
        if end.is_some() {
            self.end_comment(run, sink);
            run.len() + 1
        } else {
            self.hold(run, COMMENT_BYTES_MAX);
            run.len()
        }
    }

    fn rest_of_line(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let end = rest.iter().position(|&byte| is_line_break(byte));
        let run = &rest[..end.unwrap_or(rest.len())];
        match (self.state, end) {
            (State::LineComment, Some(_)) => self.end_comment(run, sink),
            (State::LineComment, None) => self.hold(run, COMMENT_BYTES_MAX),
            (_, Some(_)) => self.state = State::Gap,
            (_, None) => {}
        }
        run.len()
    }

    fn end_comment(&mut self, run: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) {
        self.state = State::Gap;
        if self.held.is_empty() && run.len() <= COMMENT_BYTES_MAX {
            return sink(Token::Comment(run), self.token_at);
        }
        self.hold(run, COMMENT_BYTES_MAX);
        if self.overlong
            && let Err(error) = std::str::from_utf8(&self.held)
            && error.error_len().is_none()
        {
            // The end is half a character.
            self.held.truncate(error.valid_up_to());
        }
        sink(Token::Comment(&self.held), self.token_at);
        if self.overlong {
            sink(Token::Fault(FormFault::CommentTooLong), self.token_at);
        }
    }

    fn nag(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let end = rest.iter().position(|byte| !byte.is_ascii_digit());
        self.hold(&rest[..end.unwrap_or(rest.len())], WORD_BYTES_MAX);
        if end.is_some() {
            self.end_nag(sink);
        }
        end.unwrap_or(rest.len())
    }

    fn end_nag(&mut self, sink: &mut impl FnMut(Token<'_>, Place)) {
        self.state = State::Gap;
        let digits = std::str::from_utf8(&self.held).unwrap_or_default();
        let token = digits.parse().map_or(Token::Fault(FormFault::Nag), Token::Nag);
        sink(token, self.token_at);
    }

    /// The bytes of a tag one by one: [`usual_tag`] has taken nearly all.
    fn tag(&mut self, rest: &[u8], sink: &mut impl FnMut(Token<'_>, Place)) -> usize {
        let Some(&byte) = rest.first() else { return 0 };
        if is_line_break(byte) {
            self.line_ends(byte, self.offset);
        }
        // One byte more than a value may have shows that it has too many.
        let value_max = self.name_bytes + TAG_VALUE_BYTES_MAX + 1;
        match (self.state, byte) {
            (State::TagRest, b']' | b'\n') => self.state = State::Gap,
            // A carriage return in a tag is dropped; a line feed ends what should have ended.
            (State::TagRest, _) | (_, b'\r') | (State::TagGap, b' ' | b'\t') => {}
            (State::TagQuote, b'\n') => self.end_unclosed_tag(sink),
            (_, b'\n') => self.fail_tag(FormFault::TagNotClosed, byte, sink),

            (State::TagName, b' ' | b'\t') if self.held.is_empty() => {}
            (State::TagName, b' ' | b'\t' | b'"') if !self.held.is_empty() => {
                self.name_bytes = self.held.len();
                self.state = if byte == b'"' { State::TagValue } else { State::TagGap };
                if self.overlong {
                    self.fail_tag(FormFault::TagTooLong, byte, sink);
                }
            }
            (State::TagName, b']' | b'"' | b'[' | 0..=b' ' | 0x7f..) => {
                self.fail_tag(FormFault::TagForm, byte, sink);
            }
            (State::TagName, _) => self.hold(&[byte], TAG_NAME_BYTES_MAX),
            (State::TagGap, b'"') => self.state = State::TagValue,
            (State::TagGap, _) => self.fail_tag(FormFault::TagForm, byte, sink),

            (State::TagEscape, _) => {
                let escaped = matches!(byte, b'"' | b'\\');
                self.hold(if escaped { &[] } else { b"\\" }, value_max);
                self.hold(&[byte], value_max);
                self.state = State::TagValue;
            }
            (_, b'\\') => self.state = State::TagEscape,
            (State::TagQuote, b']') => self.end_tag(sink),
            // Held in case that the quote was one within the value, where a backslash was forgotten.
            (State::TagQuote, b' ' | b'\t') => self.hold(&[byte], value_max),
            (_, b'"') => {
                self.value_end = self.held.len();
                self.hold(b"\"", value_max);
                self.state = State::TagQuote;
            }
            _ => {
                self.hold(&[byte], value_max);
                self.state = State::TagValue;
            }
        }
        1
    }

    fn fail_tag(&mut self, fault: FormFault, last: u8, sink: &mut impl FnMut(Token<'_>, Place)) {
        self.state = if matches!(last, b']' | b'\n') { State::Gap } else { State::TagRest };
        sink(Token::Fault(fault), self.token_at);
    }

    fn end_tag(&mut self, sink: &mut impl FnMut(Token<'_>, Place)) {
        self.state = State::Gap;
        let (name, value) = self.held[..self.value_end].split_at(self.name_bytes);
        let too_long = value.len() > TAG_VALUE_BYTES_MAX;
        sink(
            if too_long { Token::Fault(FormFault::TagTooLong) } else { Token::Tag(name, value) },
            self.token_at,
        );
    }

    /// The value is whole, only the bracket is missing at the end of the line.
    fn end_unclosed_tag(&mut self, sink: &mut impl FnMut(Token<'_>, Place)) {
        self.end_tag(sink);
        sink(Token::Fault(FormFault::TagNotClosed), self.token_at);
    }
}

/// The name and value of a tag without anything odd about it; whatever else there is, [`Lexer::tag`] reads.
fn usual_tag(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, text) = text.split_first()?;
    let (name, text) = text.split_at(text.iter().position(|byte| !byte.is_ascii_alphanumeric())?);
    let text = text.strip_prefix(b" \"")?;
    let (value, text) = text.split_at(find(text, *b"\"\\\r\n")?);
    let usual = (1..=TAG_NAME_BYTES_MAX).contains(&name.len())
        && text.starts_with(b"\"]")
        && value.len() <= TAG_VALUE_BYTES_MAX;
    usual.then_some((name, value))
}

/// Where the first of some bytes stands, looked for eight at a time.
fn find<const N: usize>(text: &[u8], wanted: [u8; N]) -> Option<usize> {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = LOW_BITS << 7;
    let (eights, rest) = text.as_chunks::<8>();
    for (index, eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        // A byte that is wanted becomes zero, and the lowest zero shows by its high bit.
        let zeros = |byte: u8| {
            let differing = eight ^ (LOW_BITS * u64::from(byte));
            differing.wrapping_sub(LOW_BITS) & !differing & HIGH_BITS
        };
        let found = wanted.into_iter().fold(0, |found, byte| found | zeros(byte));
        if found != 0 {
            return Some(8 * index + found.trailing_zeros() as usize / 8);
        }
    }
    let in_rest = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(text.len() - rest.len() + in_rest)
}

/// A move number without its period. Nothing at all is what a byte-order mark leaves.
fn is_move_number(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A byte-order mark stands before the first game, or before any where files were joined.
fn without_mark(word: &[u8]) -> &[u8] {
    word.strip_prefix(BYTE_ORDER_MARK).unwrap_or(word)
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let bytes = b" \t\n\r\x0b\x0c.{}()[];$";
    let mut index = 0;
    while index < bytes.len() {
        ends[bytes[index] as usize] = true;
        index += 1;
    }
    ends
};
