//! Touch-move (FIDE 4): which moves the men that were touched leave to a player.

use crate::castling::CastlingSide;
use crate::moves::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

/// The legal moves that remain after these men were touched, in this order, by the side to move. Never
/// none while there is a legal move: men that can neither move nor be captured bind to nothing (FIDE 4.5).
pub(super) fn allowed(position: &Position, touched: &[Square]) -> Vec<Move> {
    let legal: Vec<Move> = position.legal_moves().into_iter().collect();
    let turn = position.turn();
    let (own, enemy): (Vec<Square>, Vec<Square>) =
        touched.iter().partition(|&&square| position.board().color_at(square) == Some(turn));
    match castling_touched(position, &own) {
        Some(Touch::KingThenRook(side)) => after_king_and_rook(legal, own[0], side),
        Some(Touch::RookThenKing(side)) => {
            let others = legal.into_iter().filter(|mv| mv.castling_side() != Some(side)).collect();
            bound(others, touched, &own, &enemy)
        }
        None => bound(legal, touched, &own, &enemy),
    }
}

/// The men that a move touches, in the order of FIDE 4.3.3: the own one first.
pub(super) fn men_of(position: &Position, mv: Move) -> Vec<Square> {
    let is_man = |square: &Square| position.board().color_at(*square).is_some();
    [mv.from(), mv.to()].into_iter().filter(is_man).collect()
}

/// King and rook touched, with castling in mind or not.
enum Touch {
    KingThenRook(CastlingSide),
    RookThenKing(CastlingSide),
}

fn castling_touched(position: &Position, own: &[Square]) -> Option<Touch> {
    let (&first, &second) = (own.first()?, own.get(1)?);
    let role = |square| position.board().role_at(square);
    let towards =
        |king: Square, rook: Square| if rook > king { CastlingSide::King } else { CastlingSide::Queen };
    match (role(first)?, role(second)?) {
        (Role::King, Role::Rook) => Some(Touch::KingThenRook(towards(first, second))),
        (Role::Rook, Role::King) => Some(Touch::RookThenKing(towards(second, first))),
        _ => None,
    }
}

/// Castling there if it is legal (4.4.1), else another king's move (4.4.3), else anything.
fn after_king_and_rook(legal: Vec<Move>, king: Square, side: CastlingSide) -> Vec<Move> {
    let only = |keep: &dyn Fn(&Move) -> bool| legal.iter().copied().filter(keep).collect::<Vec<_>>();
    let castlings = only(&|mv| mv.castling_side() == Some(side));
    if !castlings.is_empty() {
        return castlings;
    }
    let kings = only(&|mv| mv.from() == king);
    if kings.is_empty() { legal } else { kings }
}

/// FIDE 4.3 and 4.5.
fn bound(legal: Vec<Move>, touched: &[Square], own: &[Square], enemy: &[Square]) -> Vec<Move> {
    if let (Some(&mover), Some(&victim)) = (own.first(), enemy.first()) {
        let both: Vec<Move> =
            legal.iter().copied().filter(|&mv| mv.from() == mover && captures(mv, victim)).collect();
        if !both.is_empty() {
            return both;
        }
    }
    let binding = touched.iter().find_map(|&square| {
        let moves: Vec<Move> =
            legal.iter().copied().filter(|&mv| mv.from() == square || captures(mv, square)).collect();
        (!moves.is_empty()).then_some(moves)
    });
    binding.unwrap_or(legal)
}

/// Whether a move takes the man on this square. The rook that castles stands on the square the move goes
/// to; no other own man does.
fn captures(mv: Move, square: Square) -> bool {
    match mv.kind() {
        MoveKind::Castle | MoveKind::Drop(_) => false,
        MoveKind::EnPassant => Square::new(mv.to().file(), mv.from().rank()) == square,
        MoveKind::Normal | MoveKind::Promotion(_) => mv.to() == square,
    }
}

/// The man that a touch binds, for the sentence that refuses another move.
pub(super) fn binding_man(position: &Position, touched: &[Square]) -> Option<(Square, Piece)> {
    let allowed = allowed(position, touched);
    let square = touched.iter().find(|&&square| {
        allowed.iter().all(|&mv| mv.from() == square || captures(mv, square) || mv.to() == square)
    })?;
    Some((*square, position.board().piece_at(*square)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, uci};
    use crate::setup::Strictness;

    /// The moves that remain, in UCI and in order.
    fn remain(text: &str, touched: &str) -> String {
        let position = fen::parse_position(text, Strictness::Playable).unwrap();
        let touched: Vec<Square> = touched.split_whitespace().map(|square| square.parse().unwrap()).collect();
        let mut moves: Vec<String> = allowed(&position, &touched)
            .into_iter()
            .map(|mv| uci::write(mv, uci::UciCastling::KingMoves))
            .collect();
        moves.sort();
        moves.join(" ")
    }

    fn all(text: &str) -> String {
        remain(text, "")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn l31_the_first_own_man_that_can_move_must() {
        assert_eq!(remain(START, "g1"), "g1f3 g1h3");
        assert_eq!(remain(START, "f1 g1 e2"), "g1f3 g1h3");
    }

    #[test]
    fn l31_the_first_enemy_man_that_can_be_captured_must_be() {
        let text = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(remain(text, "e8 f5"), "e4f5");
        assert_eq!(remain(text, "d5 f5"), "e4d5");
    }

    #[test]
    fn l31_men_of_both_colours_bind_to_the_capture_and_else_to_the_first() {
        let text = "4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1";
        assert_eq!(remain(text, "d5 c3"), "c3d5");
        assert_eq!(remain(text, "e1 d5"), "e1d1 e1d2 e1e2 e1f1 e1f2");
        assert_eq!(remain(text, "d5 e1"), "c3d5 e4d5");
    }

    #[test]
    fn l31_en_passant_captures_the_pawn_that_was_touched() {
        assert_eq!(remain("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5"), "e5d6");
    }

    #[test]
    fn l32_king_then_rook_must_castle_there() {
        assert_eq!(remain("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 h1"), "e1g1");
    }

    #[test]
    fn l33_rook_then_king_must_not_castle_there() {
        let text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert!(remain(text, "h1 e1").split(' ').all(|mv| mv.starts_with("h1")));
        // The rook cannot move: the king must, and may castle on the other side.
        let blocked = "4k3/8/8/8/8/6pn/6PP/R3K2R w KQ - 0 1";
        assert!(!remain(blocked, "h1 e1").is_empty());
    }

    #[test]
    fn l34_castling_there_illegal_another_kings_move_or_anything() {
        // The f-file is attacked: no castling on the king's side.
        let text = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(remain(text, "e1 h1"), "e1c1 e1d1 e1d2 e1e2");
        let caged = "3rkr2/8/8/8/8/8/4P3/R3K2R w KQ - 0 1";
        assert_eq!(remain(caged, "e1 h1"), all(caged));
    }

    #[test]
    fn l35_what_can_neither_move_nor_be_captured_binds_to_nothing() {
        assert_eq!(remain(START, "a1 e8"), all(START));
    }
}
