//! Which moves look like leading to a mate soon. It only orders the walk: it may be wrong.

use super::plan::Plan;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;

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

    /// What a move adds to the estimate of how far a mate is.
    pub(super) fn cost(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let Some(role) = self.board.role_at(from) else { return 0 };
        let before = Piece { color: self.turn, role };
        let after = Piece { role: mv.promoted().unwrap_or(role), ..before };
        let mut cost = MOVE + self.plan.cost(after, to) - self.plan.cost(before, from);
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
