//! Moves written by the book, which nearly all are: looked up from the target square backwards, without a
//! list of what is legal. What this does not know, [`super::parse_in`] reads at leisure.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingSide, home_rank};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::{Position, pawn_rank};
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
    let taken = taken - board.by_role(Role::King);
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
    let mut safe = men.into_iter().filter(|&from| is_safe(position, role, from, to));
    let from = safe.next()?;
    safe.next().is_none().then(|| Move::normal(from, to))
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
            let from = capture_from(position, file_of(from_file)?, to)?;
            if position.en_passant() == Some(to) {
                let mv = Move::en_passant(from, to);
                return (promoted.is_none() && position.is_legal(mv)).then_some(mv);
            }
            (from, to)
        }
        _ => return None,
    };
    let arrives = to.rank() == home_rank(!position.turn());
    if arrives != promoted.is_some() || !is_safe(position, Role::Pawn, from, to) {
        return None;
    }
    promoted.map_or(Some(Move::normal(from, to)), |role| Move::promotion(from, to, role))
}

/// The pawn that can step to `to`, if its king lets it.
fn step_from(position: &Position, to: Square) -> Option<Square> {
    let us = position.turn();
    let (pawns, occupied) = (position.board().by_piece(us, Role::Pawn), position.board().occupied());
    let single = to.offset(0, -us.pawn_step())?;
    if occupied.contains(to) {
        return None;
    }
    if occupied.contains(single) {
        return pawns.contains(single).then_some(single);
    }
    let double = single.offset(0, -us.pawn_step())?;
    (pawns.contains(double) && double.rank() == pawn_rank(us)).then_some(double)
}

/// The pawn that can capture from this file on `to`, if its king lets it: a man, or in passing.
fn capture_from(position: &Position, file: File, to: Square) -> Option<Square> {
    let (us, board) = (position.turn(), position.board());
    let taken = board.by_color(!us) - board.by_role(Role::King);
    if !taken.contains(to) && position.en_passant() != Some(to) {
        return None;
    }
    let pawns = attacks::pawn(!us, to) & board.by_piece(us, Role::Pawn);
    (pawns & Bitboard::from_file(file)).first()
}

/// Whether a step or a plain capture leaves the own king unattacked (FIDE 3.9.2).
fn is_safe(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let (us, board) = (position.turn(), position.board());
    let Some(king) = (if role == Role::King { Some(to) } else { board.king_of(us) }) else { return true };
    let after = (board.occupied() - from.into()) | to.into();
    // The mover makes its target count as held, so a man captured there has to be left out.
    (board.attackers_to(king, after, !us) - to.into()).is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::notation::san::{PieceLetters, parse_freely, write};
    use crate::setup::Strictness;

    /// Every text of this kind, with and without marks that nothing needs.
    fn every_text() -> Vec<String> {
        let files = ('a'..='h').map(String::from);
        let ranks = ('1'..='8').map(String::from);
        let origins: Vec<String> = [String::new()].into_iter().chain(files).chain(ranks).collect();
        let mut texts = vec!["O-O".to_owned(), "O-O-O+".to_owned()];
        for to in Square::all() {
            for origin in &origins {
                for capture in ["", "x"] {
                    texts.extend("NBRQK".chars().map(|role| format!("{role}{origin}{capture}{to}")));
                    texts.push(format!("{origin}{capture}{to}"));
                    texts.push(format!("{origin}{capture}{to}=Q#"));
                }
            }
        }
        texts
    }

    #[test]
    fn l70_what_is_looked_up_is_what_the_list_of_legal_moves_gives() {
        let texts = every_text();
        let rows = [
            include_str!("../../../tests/data/reference.epd"),
            include_str!("../../../tests/data/tricky.epd"),
        ];
        for row in rows.iter().flat_map(|file| file.lines()).filter(|row| !row.starts_with('#')) {
            let fen = row.split(';').next().unwrap();
            let mut position = fen::parse_position(fen, Strictness::Playable).unwrap();
            for ply in 0..4 {
                for text in &texts {
                    if let Some(mv) = parse(&position, text.as_bytes()) {
                        let freely = parse_freely(&position, text, &PieceLetters::ENGLISH);
                        assert_eq!(freely, Ok(mv), "{text} in {}", fen::write(&position));
                    }
                }
                let legal = position.legal_moves();
                for &mv in &legal {
                    assert_eq!(parse(&position, write(&position, mv).as_bytes()), Some(mv), "{mv:?}");
                }
                let Some(&mv) = legal.get((7 * ply + 3) % legal.len().max(1)) else { break };
                position.play_unchecked(mv);
            }
        }
    }
}
