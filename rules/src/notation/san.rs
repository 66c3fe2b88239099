//! Moves in algebraic notation (FIDE appendix C): written with the fewest marks that legality needs, read
//! as people write them.

mod plain;

use super::DASHES;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::legality::IllegalMove;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// Longer than any move with all that people put behind one.
const SAN_BYTES_MAX: usize = 40;

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// It does not have the form of a move.
    #[error("that is not the form of a move: Nf3, exd5, e8=Q, O-O or e2e4 is")]
    NotAMove,
    /// It has, but no legal move fits; with the reason, where one man only can have been meant.
    #[error("no legal move fits{}", .0.map(|why| format!(": {why}")).unwrap_or_default())]
    Illegal(Option<IllegalMove>),
    /// Several legal moves fit.
    #[error("that could be {}", .candidates.join(" or "))]
    Ambiguous {
        /// The moves that fit, as they are written.
        candidates: Vec<String>,
    },
}

/// The letters that a language writes the men with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLetters {
    /// King, queen, rook, bishop, knight, pawn.
    letters: [char; 6],
}

impl PieceLetters {
    /// King, queen, rook, bishop, knight, pawn. Whichever language is named, figurines are read too.
    pub const ENGLISH: Self = Self::new(['K', 'Q', 'R', 'B', 'N', 'P']);
    /// Koning, dame, toren, loper, paard, pion; `P` is the paard.
    pub const DUTCH: Self = Self::new(['K', 'D', 'T', 'L', 'P', 'P']);
    /// Roi, dame, tour, fou, cavalier, pion.
    pub const FRENCH: Self = Self::new(['R', 'D', 'T', 'F', 'C', 'P']);
    /// König, Dame, Turm, Läufer, Springer, Bauer.
    pub const GERMAN: Self = Self::new(['K', 'D', 'T', 'L', 'S', 'B']);
    /// Re, donna, torre, alfiere, cavallo, pedone.
    pub const ITALIAN: Self = Self::new(['R', 'D', 'T', 'A', 'C', 'P']);
    /// Shah (ش), vazir (و), rokh (ر), fil (ف), asb (ا), sarbaz (س): FIDE C.2 leaves the abbreviation to the
    /// player's country, and these are the first letters of the men's Persian names. Squares are named with
    /// Latin letters and digits as everywhere (FIDE C.4-C.7).
    pub const PERSIAN: Self = Self::new(['ش', 'و', 'ر', 'ف', 'ا', 'س']);
    /// Rey, dama, torre, alfil, caballo, peón.
    pub const SPANISH: Self = Self::new(['R', 'D', 'T', 'A', 'C', 'P']);

    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    const FIGURINES: [&'static str; 6] = ["♔♚", "♕♛", "♖♜", "♗♝", "♘♞", "♙♟"];

    /// King, queen, rook, bishop, knight, pawn, in upper case.
    pub const fn new(letters: [char; 6]) -> Self {
        Self { letters }
    }

    fn role(&self, letter: char) -> Option<Role> {
        let figurine = Self::FIGURINES.iter().position(|pair| pair.contains(letter));
        let index = figurine.or_else(|| self.letters.iter().position(|&own| own == letter))?;
        Some(Self::ROLES[index])
    }

    fn role_in_any_case(&self, letter: char) -> Option<Role> {
        self.role(letter).or_else(|| self.role(letter.to_ascii_uppercase()))
    }
}

/// Writes a legal move. (An illegal one is written too, as if it were legal.)
pub fn write(position: &Position, mv: Move) -> String {
    write_with(position, mv, &position.after(mv))
}

/// [`write()`] for whoever has the position after the move anyway.
pub fn write_with(position: &Position, mv: Move, next: &Position) -> String {
    let mut text = String::with_capacity(SAN_BYTES_USUAL);
    push(&mut text, position, mv, next);
    text
}

/// Writes every legal move.
pub fn write_all(position: &Position) -> impl Iterator<Item = (Move, String)> {
    position.legal_moves().into_iter().map(|mv| (mv, write(position, mv)))
}

/// Shows `visit` every legal move and its text, which is written into the same few bytes as the one before:
/// a server does this once for every move that is made anywhere.
pub fn visit_all(position: &Position, mut visit: impl FnMut(Move, &str)) {
    let mut text = String::with_capacity(SAN_BYTES_USUAL);
    for mv in position.legal_moves() {
        text.clear();
        push(&mut text, position, mv, &position.after(mv));
        visit(mv, &text);
    }
}

/// Writes a move behind what is there already.
fn push(text: &mut String, position: &Position, mv: Move, next: &Position) {
    push_without_check(text, position, mv);
    if next.is_check() {
        text.push(if next.is_checkmate() { '#' } else { '+' });
    }
}

/// The same without the sign for check or mate.
fn push_without_check(text: &mut String, position: &Position, mv: Move) {
    // By hand and not by `format!`: every legal move of every position is written once.
    let (from, to) = (mv.from(), mv.to());
    let role = position.board().role_at(from).unwrap_or(Role::Pawn);
    match (mv.kind(), mv.castling_side()) {
        (_, Some(CastlingSide::King)) => text.push_str("O-O"),
        (_, Some(CastlingSide::Queen)) => text.push_str("O-O-O"),
        (MoveKind::Drop(role), _) => {
            text.extend([role.letter(), '@']);
            push_square(text, to);
        }
        _ => {
            let capture = is_capture(position, mv);
            if role != Role::Pawn {
                text.push(role.letter());
                push_origin(text, position, mv, role);
            } else if capture {
                text.push(from.file().to_char());
            }
            if capture {
                text.push('x');
            }
            push_square(text, to);
        }
    }
    if let Some(role) = mv.promoted() {
        text.extend(['=', role.letter()]);
    }
}

/// As long as most moves are, `Nbxd7+` with room to spare.
const SAN_BYTES_USUAL: usize = 8;

fn push_square(text: &mut String, square: Square) {
    text.push(square.file().to_char());
    text.push(square.rank().to_char());
}

/// As much of its square as tells a man from others of its role that can go there too (FIDE C.10).
fn push_origin(text: &mut String, position: &Position, mv: Move, role: Role) {
    let (board, from, to) = (position.board(), mv.from(), mv.to());
    // Who stands where this man could go from the target, can go there: pieces go both ways.
    let reach = attacks::of(position.turn(), role, to, board.occupied());
    let others = board.by_piece(position.turn(), role) - from.into();
    let may_go = |&twin: &Square| position.is_legal(Move::normal(twin, to));
    let twins: Bitboard = (reach & others).into_iter().filter(may_go).collect();
    if twins.is_empty() {
        return;
    }
    let on_file = twins.intersects(Bitboard::from_file(from.file()));
    let on_rank = twins.intersects(Bitboard::from_rank(from.rank()));
    if !on_file || on_rank {
        text.push(from.file().to_char());
    }
    if on_file {
        text.push(from.rank().to_char());
    }
}

fn is_capture(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::EnPassant => true,
        MoveKind::Castle | MoveKind::Drop(_) => false,
        MoveKind::Normal | MoveKind::Promotion(_) => position.board().piece_at(mv.to()).is_some(),
    }
}

/// Reads a legal move with English letters or figurines.
///
/// # Errors
/// [`SanError`] when the text has not the form of a move, or not exactly one legal move fits.
pub fn parse(position: &Position, text: &str) -> Result<Move, SanError> {
    parse_in(position, text, &PieceLetters::ENGLISH)
}

/// Reads a legal move with the letters of some language, or figurines.
///
/// # Errors
/// [`SanError`] when the text has not the form of a move, or not exactly one legal move fits.
pub fn parse_in(position: &Position, text: &str, letters: &PieceLetters) -> Result<Move, SanError> {
    match parse_plain(position, text.as_bytes(), letters) {
        Some(mv) => Ok(mv),
        None => parse_freely(position, text, letters),
    }
}

/// Reads a move by comparing the text with every legal one.
fn parse_freely(position: &Position, text: &str, letters: &PieceLetters) -> Result<Move, SanError> {
    if text.len() > SAN_BYTES_MAX {
        return Err(SanError::NotAMove);
    }
    let text = without_trimmings(text);
    if let Some((role, to)) = drop_squares(text, letters) {
        return resolve_drop(position, role, to);
    }
    let legal = position.legal_moves();
    if let Some(side) = castling_side(text) {
        let fitting = legal.into_iter().find(|mv| mv.castling_side() == Some(side));
        return fitting.ok_or_else(|| SanError::Illegal(why_no_castling(position, side)));
    }
    // What is written properly comes first: `bxc4` is the pawn's capture though a bishop could capture too.
    let proper: Vec<Pattern> = Pattern::proper(text, letters).into_iter().collect();
    let loose = Pattern::loose(text, letters);
    for patterns in [&proper, &loose] {
        let mut fitting: MoveList = legal.clone();
        fitting.retain(|&mv| patterns.iter().any(|pattern| pattern.fits(position, mv)));
        match fitting.as_slice() {
            [] => {}
            [mv] => return Ok(*mv),
            several => {
                let candidates = several.iter().map(|&mv| write(position, mv)).collect();
                return Err(SanError::Ambiguous { candidates });
            }
        }
    }
    match proper.first().or(loose.first()) {
        Some(pattern) => Err(SanError::Illegal(pattern.why_not(position))),
        None => Err(SanError::NotAMove),
    }
}

/// The move that a text means, if it is written by the book and legal: a fast way to read nearly all. None
/// says nothing: [`parse_in`] may still read it, or knows what is wrong.
pub(super) fn parse_plain(position: &Position, text: &[u8], letters: &PieceLetters) -> Option<Move> {
    if *letters == PieceLetters::ENGLISH { plain::parse(position, text) } else { None }
}

/// What a drop from the reserve says, the pawn's letter included or not: `N@f3`, `P@f7`, `@f7`.
fn drop_squares(text: &str, letters: &PieceLetters) -> Option<(Role, Square)> {
    let (man, to) = text.split_once('@')?;
    let mut man = man.chars();
    let role = man.next().map_or(Some(Role::Pawn), |letter| letters.role_in_any_case(letter))?;
    let to = to.to_ascii_lowercase().parse().ok()?;
    (man.next().is_none() && role != Role::King).then_some((role, to))
}

/// The drop of a man from the reserve, if the Laws allow it.
fn resolve_drop(position: &Position, role: Role, to: Square) -> Result<Move, SanError> {
    let mv = Move::drop(role, to).ok_or(SanError::NotAMove)?;
    position.judge(mv).map(|()| mv).map_err(|why| SanError::Illegal(Some(why)))
}

/// The move itself, without what people put behind it: check, mate, praise, `e.p.`, an offer `(=)`.
fn without_trimmings(text: &str) -> &str {
    const WORDS: [&str; 6] = ["(=)", "e.p.", "e.p", "ep", "mate", "ch"];
    let mut rest = text.trim();
    loop {
        let shorter = rest.trim_end_matches(['+', '#', '!', '?', '†', '‡', ' ']);
        let shorter = WORDS.iter().find_map(|word| shorter.strip_suffix(word)).unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// Towards which side a text castles: `O-O`, `0-0-0`, `o-o`, `OO`.
fn castling_side(text: &str) -> Option<CastlingSide> {
    let plain = text.replace(['0', 'o'], "O").replace(DASHES, "-");
    match plain.as_str() {
        "O-O" | "OO" => Some(CastlingSide::King),
        "O-O-O" | "OOO" => Some(CastlingSide::Queen),
        _ => None,
    }
}

fn why_no_castling(position: &Position, side: CastlingSide) -> Option<IllegalMove> {
    let us = position.turn();
    let Some(rook) = position.castling().rook(us, side) else {
        return Some(IllegalMove::CastlingLost { side });
    };
    position.judge(Move::castle(position.board().king_of(us)?, rook)).err()
}

/// What a text says about a move.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
    promoted: Option<Role>,
}

impl Pattern {
    /// The text as it is, with the man's letter in upper case or, for a pawn, without one.
    fn proper(text: &str, letters: &PieceLetters) -> Option<Self> {
        let first = text.chars().next()?;
        match letters.role(first) {
            Some(role) => Self::of_role(role, &text[first.len_utf8()..], letters),
            None => Self::of_role(Role::Pawn, text, letters)
                .filter(|pattern| pattern.capture || pattern.rank.is_some() || pattern.file.is_none()),
        }
    }

    /// The text in whatever case, a pawn's capture without its `x` included.
    fn loose(text: &str, letters: &PieceLetters) -> Vec<Self> {
        let lower = text.to_lowercase();
        let pawn = Self::of_role(Role::Pawn, &lower, letters);
        let piece = lower.chars().next().and_then(|first| {
            let role = letters.role_in_any_case(first)?;
            Self::of_role(role, &lower[first.len_utf8()..], letters)
        });
        pawn.into_iter().chain(piece).collect()
    }

    /// All that follows the man's letter: perhaps where it stands, perhaps `x` or `-`, the target, and
    /// perhaps what a pawn becomes.
    fn of_role(role: Role, text: &str, letters: &PieceLetters) -> Option<Self> {
        let (text, promoted) = split_promotion(text, letters)?;
        let target = text.get(text.len().checked_sub(2)?..)?;
        let to = target.parse().ok()?;
        let mut origin = &text[..text.len() - 2];
        let mut capture = false;
        if let Some(shorter) = origin.strip_suffix(['x', 'X', ':', '×']) {
            (origin, capture) = (shorter, true);
        } else if let Some(shorter) = origin.strip_suffix(DASHES) {
            origin = shorter;
        }
        let mut origin = origin.chars().peekable();
        let file = origin.next_if(|&c| File::from_char(c).is_some()).and_then(File::from_char);
        let rank = origin.next_if(|&c| Rank::from_char(c).is_some()).and_then(Rank::from_char);
        origin.next().is_none().then_some(Self { role, file, rank, capture, to, promoted })
    }

    fn fits(self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        let straight = from.file() == mv.to().file();
        position.board().role_at(from) == Some(self.role)
            && !matches!(mv.kind(), MoveKind::Castle | MoveKind::Drop(_))
            && mv.to() == self.to
            && mv.promoted() == self.promoted
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (!self.capture || is_capture(position, mv))
            // A pawn's capture names its file: without it `d5` is a step to d5.
            && (self.role != Role::Pawn || self.file.is_some() || self.capture || straight)
    }

    /// Why the one man that can have been meant may not make this move.
    fn why_not(self, position: &Position) -> Option<IllegalMove> {
        let men = position.board().by_piece(position.turn(), self.role);
        let reasons = men.into_iter().filter(|from| {
            self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank())
        });
        let mut reasons = reasons.filter(|&from| from != self.to).filter_map(|from| {
            let plain = Move::normal(from, self.to);
            let mv = self.promoted.and_then(|role| Move::promotion(from, self.to, role)).unwrap_or(plain);
            position.judge(mv).err().filter(|why| !matches!(why, IllegalMove::NotItsMove { .. }))
        });
        reasons.next().filter(|_| reasons.next().is_none())
    }
}

/// Takes what a pawn becomes off the end: `=Q`, `Q`, `/Q`, `(Q)`.
fn split_promotion<'a>(text: &'a str, letters: &PieceLetters) -> Option<(&'a str, Option<Role>)> {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let last = bare.chars().next_back()?;
    if Rank::from_char(last).is_some() {
        return (bare.len() == text.len()).then_some((text, None));
    }
    let role = letters.role_in_any_case(last)?;
    let before = &bare[..bare.len() - last.len_utf8()];
    let opened = before.strip_suffix('(');
    if opened.is_some() != (bare.len() != text.len()) {
        return None;
    }
    let before = opened.unwrap_or(before);
    Some((before.strip_suffix(['=', '/']).unwrap_or(before), Some(role)))
}
