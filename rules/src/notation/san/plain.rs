//! Moves written by the book, which nearly all are: looked up from the target square backwards, without a
//! list of what is legal. What this does not know, [`super::parse_in`] reads at leisure.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingSide, home_rank};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// The legal move that `Nf3`, `R1xa3`, `exd8=Q+` or `O-O` means, with English letters.
///
/// None says only that the text is not of this kind, or not exactly one legal move fits it.
pub(super) fn parse(position: &Position, text: &[u8]) -> Option<Move> {
    let text = text.strip_suffix(b"+").or_else(|| text.strip_suffix(b"#")).unwrap_or(text);
    let (&first, rest) = text.split_first()?;
    match first {
        b'a'..=b'h' => pawn(position, text),
        b'N' => piece(position, Role::Knight, rest),
        b'B' => piece(position, Role::Bishop, rest),
        b'R' => piece(position, Role::Rook, rest),
        b'Q' => piece(position, Role::Queen, rest),
        b'K' => piece(position, Role::King, rest),
        b'O' => castling(position, text),
        _ => None,
    }
}

fn piece(position: &Position, role: Role, text: &[u8]) -> Option<Move> {
    let (before, &[file, rank]) = text.split_last_chunk()?;
    let to = square(file, rank)?;
    let (board, us) = (position.board(), position.turn());
    let (origin, taken) = match before.split_last() {
        Some((b'x', origin)) => (origin, board.by_color(!us)),
        _ => (before, !board.by_color(us)),
    };
    let wanted = match *origin {
        [] => Bitboard::ALL,
        [file @ b'a'..=b'h'] => Bitboard::from_file(file_of(file)?),
        [rank @ b'1'..=b'8'] => Bitboard::from_rank(rank_of(rank)?),
        [file, rank] => square(file, rank)?.into(),
        _ => return None,
    };
    if !taken.contains(to) {
        return None;
    }
    let men = attacks::of(us, role, to, board.occupied()) & board.by_piece(us, role) & wanted;
    let mut legal = men.into_iter().map(|from| Move::normal(from, to)).filter(|&mv| position.is_legal(mv));
    let mv = legal.next()?;
    legal.next().is_none().then_some(mv)
}

fn pawn(position: &Position, text: &[u8]) -> Option<Move> {
    let (text, promoted) = match *text {
        [ref text @ .., b'=', letter] => (text, Some(promoted(letter)?)),
        _ => (text, None),
    };
    let (from, to) = match *text {
        [file, rank] => {
            let to = square(file, rank)?;
            (step_from(position, to)?, to)
        }
        [from_file, b'x', file, rank] => {
            let to = square(file, rank)?;
            (capture_from(position, file_of(from_file)?, to)?, to)
        }
        _ => return None,
    };
    let passing = position.en_passant() == Some(to) && from.file() != to.file();
    let mv = match promoted {
        Some(role) => Move::promotion(from, to, role)?,
        None if passing => Move::en_passant(from, to),
        None => Move::normal(from, to),
    };
    position.is_legal(mv).then_some(mv)
}

/// The only pawn that can step to `to`, though it may not be allowed to.
fn step_from(position: &Position, to: Square) -> Option<Square> {
    let us = position.turn();
    let pawns = position.board().by_piece(us, Role::Pawn);
    let single = to.offset(0, -us.pawn_step())?;
    if pawns.contains(single) {
        return Some(single);
    }
    let double = single.offset(0, -us.pawn_step())?;
    pawns.contains(double).then_some(double)
}

/// The only pawn that can capture from this file on `to`, though it may not be allowed to.
fn capture_from(position: &Position, file: File, to: Square) -> Option<Square> {
    let us = position.turn();
    let pawns = attacks::pawn(!us, to) & position.board().by_piece(us, Role::Pawn);
    (pawns & Bitboard::from_file(file)).first()
}

fn castling(position: &Position, text: &[u8]) -> Option<Move> {
    let side = match text {
        b"O-O" => CastlingSide::King,
        b"O-O-O" => CastlingSide::Queen,
        _ => return None,
    };
    let us = position.turn();
    let rook = position.castling().rook(us, side)?;
    let king = position.board().king_of(us).filter(|king| king.rank() == home_rank(us))?;
    let mv = Move::castle(king, rook);
    position.is_legal(mv).then_some(mv)
}

fn promoted(letter: u8) -> Option<Role> {
    Role::PROMOTIONS.into_iter().find(|role| role.letter() == char::from(letter))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Some(Square::new(file_of(file)?, rank_of(rank)?))
}

fn file_of(byte: u8) -> Option<File> {
    File::from_char(char::from(byte))
}

fn rank_of(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}
