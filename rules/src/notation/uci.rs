//! Moves in the notation of the Universal Chess Interface: `e2e4`, `e7e8q`, `e1g1`, `N@f3` for a drop.

use crate::attacks;
use crate::castling::{CastlingSide, home_rank};
use crate::color::Color;
use crate::legality::IllegalMove;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Square};

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UciCastling {
    /// As the king's own move, `e1g1`: what standard chess uses. Where king and rook do not stand as in
    /// standard chess, that could be another move, and the king takes his rook all the same.
    KingMoves,
    /// As the king taking his rook, `e1h1`: what Chess960 uses.
    KingTakesRook,
}

/// Why a text is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UciError {
    /// It does not have the form of a move.
    #[error("a move is two squares and perhaps what a pawn becomes: e2e4, e7e8q")]
    NotAMove,
    /// It has, but the Laws forbid the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Writes a move.
pub fn write(mv: Move, castling: UciCastling) -> String {
    let (from, to) = (mv.from(), mv.to());
    if let (Some(side), UciCastling::KingMoves) = (mv.castling_side(), castling)
        && let Some(color) = Color::ALL.into_iter().find(|&color| home_rank(color) == from.rank())
        && from.file() == File::E
        && matches!(to.file(), File::A | File::H)
    {
        return format!("{from}{}", side.king_target(color));
    }
    match mv.kind() {
        MoveKind::Drop(role) => format!("{}@{to}", role.letter()),
        MoveKind::Promotion(role) => format!("{from}{to}{}", role.letter().to_ascii_lowercase()),
        _ => format!("{from}{to}"),
    }
}

/// Reads a legal move. Castling is understood in both ways.
///
/// # Errors
/// [`UciError`] when the text has not the form of a move, or the Laws forbid it.
pub fn parse(position: &Position, text: &str) -> Result<Move, UciError> {
    let mv = parse_unjudged(position, text).ok_or(UciError::NotAMove)?;
    position.judge(mv)?;
    Ok(mv)
}

/// Reads a move whether or not the Laws allow it; none when the text has not the form of one.
pub fn parse_unjudged(position: &Position, text: &str) -> Option<Move> {
    if let Some(mv) = drop(text) {
        return Some(mv);
    }
    let (from, to, promoted) = squares(text)?;
    Some(resolve(position, from, to, promoted))
}

/// `N@f3`; a pawn's letter may be missing.
pub(super) fn drop(text: &str) -> Option<Move> {
    let (role, to) = text.split_once('@')?;
    let mut letters = role.chars();
    let role = letters.next().map_or(Some(Role::Pawn), Role::from_letter)?;
    if letters.next().is_some() { None } else { Move::drop(role, to.parse().ok()?) }
}

/// The text's parts: two different squares and what a pawn becomes.
fn squares(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promoted = match text.get(4..)? {
        "" => None,
        "q" | "Q" => Some(Role::Queen),
        "r" | "R" => Some(Role::Rook),
        "b" | "B" => Some(Role::Bishop),
        "n" | "N" => Some(Role::Knight),
        "k" | "K" => Some(Role::King),
        _ => return None,
    };
    (from != to).then_some((from, to, promoted))
}

/// What kind of move the squares mean on this board.
fn resolve(position: &Position, from: Square, to: Square, promoted: Option<Role>) -> Move {
    if let Some(role) = promoted {
        // Nothing becomes a king: that is no promotion, and the judge says so.
        return Move::promotion(from, to, role).unwrap_or(Move::normal(from, to));
    }
    match position.board().role_at(from) {
        Some(Role::King) => castling(position, from, to).unwrap_or(Move::normal(from, to)),
        Some(Role::Pawn) if captures_en_passant(position, from, to) => Move::en_passant(from, to),
        _ => Move::normal(from, to),
    }
}

/// Whether a pawn's move is a capture in passing. A man on the square that was passed, which only an illegal
/// double step leaves there (L43), is captured himself.
fn captures_en_passant(position: &Position, from: Square, to: Square) -> bool {
    position.en_passant() == Some(to)
        && position.board().piece_at(to).is_none()
        && attacks::pawn(position.turn(), from).contains(to)
}

/// The castling that a king's move means: onto his own rook, or two squares or more to where castling
/// ends, which is never a step of his.
fn castling(position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let far = from.file().index().abs_diff(to.file().index()) > 1;
    CastlingSide::ALL.into_iter().find_map(|side| {
        let rook = position.castling().rook(us, side);
        let home = from.rank() == home_rank(us) && (from.file() == File::E || rook.is_some());
        let wanted = rook == Some(to) || (home && far && to == side.king_target(us));
        // Without the right the standard rook's square lets the judge say what is missing.
        let corner = Square::new(if to > from { File::H } else { File::A }, home_rank(us));
        wanted.then(|| Move::castle(from, rook.unwrap_or(corner)))
    })
}
