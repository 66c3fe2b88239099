//! Which moves look like leading to a mate soon. It only orders the walk: it may be wrong.

use super::plan::Plan;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

/// Every move costs this, so that of two ways the shorter is tried first.
const MOVE: i32 = 1;
/// What a check is worth: it may be the last.
const CHECK: i32 = 5;
/// What it costs to let the king to be mated, or his men, take one of ours.
const LOSS: i32 = 18;
/// What taking one of theirs is worth.
const GAIN: i32 = 2;
/// What it is worth while there is no queen or rook to mate with: it may open a pawn's way.
const BREAK: i32 = 12;
/// What a new line piece of the side to be mated costs.
const RIVAL: i32 = 6;

/// What every move of one position is judged by.
pub(super) struct Guide<'a> {
    plan: &'a Plan,
    board: &'a Board,
    turn: Color,
    ours: bool,
    /// From where a man of each role would attack the king to be mated.
    checks: [Bitboard; 6],
    check: i32,
}

impl<'a> Guide<'a> {
    pub(super) fn new(plan: &'a Plan, position: &'a Position, side: Color) -> Self {
        let board = position.board();
        let (turn, ours) = (position.turn(), position.turn() == side);
        let mut checks = [Bitboard::EMPTY; 6];
        let mut check = CHECK;
        if let (true, Some(prey)) = (ours, board.king_of(!side)) {
            let occupied = board.occupied();
            let (bishop, rook) = (attacks::bishop(prey, occupied), attacks::rook(prey, occupied));
            checks = [
                attacks::pawn(!side, prey),
                attacks::knight(prey),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ];
            if prey == plan.prey() {
                check *= 2;
            }
        }
        Self { plan, board, turn, ours, checks, check }
    }

    /// The man on a square, whose moves are to be judged.
    pub(super) fn mover(&self, from: Square) -> Option<Mover> {
        let piece = Piece { color: self.turn, role: self.board.role_at(from)? };
        Some(Mover { piece, from, base: MOVE - self.plan.cost(piece, from) })
    }

    /// What a move adds to the estimate of how far a mate is.
    pub(super) fn cost(&self, mover: Mover, mv: Move) -> i32 {
        let to = mv.to();
        let after = Piece { role: mv.promoted().unwrap_or(mover.piece.role), ..mover.piece };
        let mut cost = mover.base + self.plan.cost(after, to);
        let taken = self.board.by_color(!self.turn).contains(to);
        if self.ours {
            if self.checks[after.role.index()].contains(to) {
                cost -= self.check;
            }
            if taken {
                cost -= if self.plan.lacks_hunter() { BREAK } else { GAIN };
            }
        } else {
            if taken {
                cost += LOSS;
            }
            if matches!(mv.promoted(), Some(Role::Queen | Role::Rook)) {
                cost += RIVAL;
            }
        }
        cost
    }
}

/// A man about to move: generators list the moves of one man together, so that this is looked up once.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    piece: Piece,
    pub(super) from: Square,
    base: i32,
}
