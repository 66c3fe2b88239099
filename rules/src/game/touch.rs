//! Touch-move (FIDE 4): touching and adjusting, and which moves the men that were touched leave to a player.

use super::conduct::TouchMove;
use super::draft::Draft;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::time::Stamp;
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

/// Men adjusted on one move before it is enough.
const ADJUSTED_MAX: u8 = 8;

/// The side to move touches a man with intent (FIDE 4.3).
pub(super) fn touch(state: &State, color: Color, square: Square, stamp: Stamp) -> Result<Draft, Refusal> {
    may_touch(state, color, square)?;
    Ok(state.draft(Action::Touched(square), stamp))
}

/// The side to move adjusts a man, which binds to nothing (FIDE 4.2.1).
pub(super) fn adjust(state: &State, color: Color, square: Square, stamp: Stamp) -> Result<Draft, Refusal> {
    may_touch(state, color, square)?;
    if state.adjusted() >= ADJUSTED_MAX {
        return Err(Refusal::AdjustedEnough);
    }
    Ok(state.draft(Action::Adjusted(square), stamp))
}

fn may_touch(state: &State, color: Color, square: Square) -> Result<(), Refusal> {
    if state.terms().conduct.touch_move == TouchMove::Off {
        return Err(Refusal::TouchMoveOff);
    }
    state.may_act(color)?;
    if state.touched().contains(&square) {
        return Err(Refusal::TouchedAlready { square });
    }
    match state.position().board().color_at(square) {
        Some(_) => Ok(()),
        None => Err(Refusal::NobodyThere { square }),
    }
}

/// The legal moves that remain after these men were touched, in this order, by the side to move. Never
/// none while there is a legal move: men that can neither move nor be captured bind to nothing (FIDE 4.5).
pub(super) fn allowed(position: &Position, touched: &[Square]) -> Vec<Move> {
    let all: Vec<Move> = position.legal_moves().into_iter().collect();
    let may_be_made = |mv: &Move| mv.kind() != MoveKind::Castle || !is_rook_first(touched, *mv);
    let legal: Vec<Move> = all.iter().copied().filter(may_be_made).collect();
    let legal = if legal.is_empty() { all } else { legal };
    match *touched {
        [king, rook, ..] if is_king_and_rook(position, king, rook) => {
            after_king_and_rook(position, legal, touched, king, rook)
        }
        _ => bound(position, legal, touched),
    }
}

/// Refuses a legal move that the men touched forbid, naming the man that must move (FIDE 4.3).
pub(super) fn allows(position: &Position, touched: &[Square], mv: Move) -> Result<(), Refusal> {
    if touched.is_empty() {
        return Ok(());
    }
    let allowed = allowed(position, touched);
    if allowed.contains(&mv) {
        return Ok(());
    }
    let is_part = |mv: Move, square| {
        mv.from() == square || captures(mv, square) || mv.to() == square && !is_rook_first(touched, mv)
    };
    let binds = |square: &&Square| !is_part(mv, **square) && allowed.iter().all(|&mv| is_part(mv, **square));
    let man =
        touched.iter().find(binds).and_then(|&square| Some((square, position.board().piece_at(square)?)));
    Err(match man {
        Some((square, man)) => {
            Refusal::TouchBinds { square, role: man.role, own: man.color == position.turn() }
        }
        // Castling with a rook that was touched before the king (4.4.2).
        None => Refusal::TouchedAlready { square: mv.to() },
    })
}

/// The men that a move touches, in the order of FIDE 4.3.3: the own one first.
pub(super) fn men_of(position: &Position, mv: Move) -> Vec<Square> {
    let is_man = |square: &Square| position.board().color_at(*square).is_some();
    [mv.from(), mv.to()].into_iter().filter(is_man).collect()
}

/// Whether a castling's rook was touched without the king before it (FIDE 4.4.2).
fn is_rook_first(touched: &[Square], castling: Move) -> bool {
    let first = touched.iter().find(|&&square| square == castling.from() || square == castling.to());
    first == Some(&castling.to())
}

fn is_king_and_rook(position: &Position, king: Square, rook: Square) -> bool {
    let is_own = |square, role| position.board().by_piece(position.turn(), role).contains(square);
    is_own(king, Role::King) && is_own(rook, Role::Rook)
}

/// Castling with that rook if it is legal (4.4.1), else another king's move (4.4.3), else anything.
fn after_king_and_rook(
    position: &Position,
    legal: Vec<Move>,
    touched: &[Square],
    king: Square,
    rook: Square,
) -> Vec<Move> {
    let castling = Move::castle(king, rook);
    if legal.contains(&castling) {
        return vec![castling];
    }
    let kings: Vec<Move> = legal.iter().copied().filter(|mv| mv.from() == king).collect();
    if kings.is_empty() { legal } else { bound(position, kings, touched) }
}

/// FIDE 4.3 and 4.5.
fn bound(position: &Position, legal: Vec<Move>, touched: &[Square]) -> Vec<Move> {
    let first_of = |color| touched.iter().find(|&&square| position.board().color_at(square) == Some(color));
    if let (Some(&mover), Some(&victim)) = (first_of(position.turn()), first_of(!position.turn())) {
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
        let remaining = remain(text, "h1 a1 e1");
        assert!(remaining.split(' ').all(|mv| mv.starts_with("h1")), "{remaining}");
        // In Chess960 the rook may be unable to move, and castling is barred all the same.
        let caged = "4k3/8/8/8/8/8/3PPPPP/3N1KRN w G - 0 1";
        assert!(all(caged).contains("f1g1"));
        assert!(!remain(caged, "g1").contains("f1g1"));
    }

    #[test]
    fn l34_castling_there_illegal_another_kings_move_or_anything() {
        // The f-file is attacked: no castling on the king's side.
        let text = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(remain(text, "e1 h1"), "e1c1 e1d1 e1d2 e1e2");
        // A rook that never castles: any move of the king, castling with another rook included.
        let other_rook = "4k3/8/8/8/8/8/8/R3K2R w K - 0 1";
        assert_eq!(remain(other_rook, "e1 a1"), "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1");
        let caged = "3rkr2/8/8/8/8/8/4P3/R3K2R w KQ - 0 1";
        assert_eq!(remain(caged, "e1 h1"), all(caged));
    }

    #[test]
    fn l35_what_can_neither_move_nor_be_captured_binds_to_nothing() {
        assert_eq!(remain(START, "a1 e8"), all(START));
    }
}
