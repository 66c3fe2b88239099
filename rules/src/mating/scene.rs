//! All positions that differ in nothing but the squares of the kings.

use super::facts::{Facts, Kinds};
use super::fill;
use super::kings::Kings;
use super::pairs::Pairs;
use super::reach::Reach;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::color::{ByColor, Color};
use crate::piece::{Piece, Role};
use crate::position::{Position, pawn_rank};
use crate::setup::{Setup, Strictness};
use crate::square::{Rank, Square};

/// The men but the kings, and the square where a pawn may be captured in passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Scene {
    pub(super) men: Board,
    pub(super) passed: Option<Square>,
}

/// A move by a man other than a king.
pub(super) struct Change {
    pub(super) after: Scene,
    /// The squares it passes and the one it ends on: no king may be there.
    pub(super) path: Bitboard,
    /// Whether it can never be taken back: a capture, or a pawn's move.
    pub(super) is_lasting: bool,
}

/// Where the men of one side keep the other king from.
pub(super) struct Guard {
    by: Color,
    kinds: Kinds,
    free: Bitboard,
    /// What is attacked along lines, the kings being nowhere, and by steps.
    lines: Bitboard,
    steps: Bitboard,
}

impl Guard {
    /// Of the men of `by`.
    pub(super) fn new(men: &Board, by: Color) -> Self {
        let (kinds, free) = (Kinds::of_board(men, by), !men.occupied());
        let (diagonal, straight) = (kinds.bishop | kinds.queen, kinds.rook | kinds.queen);
        Self {
            by,
            kinds,
            free,
            lines: fill::bishops(diagonal, free) | fill::rooks(straight, free),
            steps: fill::pawns(by, kinds.pawn) | fill::knights(kinds.knight),
        }
    }

    /// Where a king is not in check while the king of these men is on `king`.
    pub(super) fn safe(&self, king: Square) -> Bitboard {
        let attacked = if self.lines.contains(king) {
            self.kinds.attacks(self.by, self.free - king.into())
        } else {
            self.lines | self.steps
        };
        !(attacked | fill::kings(king.into()) | king.into())
    }
}

impl Scene {
    pub(super) fn of(position: &Position) -> Self {
        let mut men = *position.board();
        for king in men.by_role(Role::King) {
            men.remove(king);
        }
        Self::with_passed(men, position.turn(), position.en_passant())
    }

    /// A square passed by a pawn that nobody of `turn` could capture there is nothing to remember.
    fn with_passed(men: Board, turn: Color, passed: Option<Square>) -> Self {
        let captors = men.by_piece(turn, Role::Pawn);
        Self { men, passed: passed.filter(|&passed| attacks::pawn(!turn, passed).intersects(captors)) }
    }

    /// The position with the kings on these squares; none where the rules allow none.
    pub(super) fn position(&self, turn: Color, mover: Square, waiter: Square) -> Option<Position> {
        let mut board = self.men;
        board.put(mover, Piece { color: turn, role: Role::King });
        board.put(waiter, Piece { color: !turn, role: Role::King });
        let castling = CastlingRights::NONE;
        let setup = Setup { board, turn, castling, en_passant: self.passed, ..Setup::standard() };
        Position::new(setup, Strictness::Playable).ok()
    }

    /// The same after a king took the man on `captured`.
    pub(super) fn without(&self, captured: Square) -> Self {
        let mut men = self.men;
        men.remove(captured);
        Self { men, passed: None }
    }

    /// Every move of a man of `turn` other than the king, whether or not he may leave his king.
    pub(super) fn changes(&self, turn: Color) -> Vec<Change> {
        let mut changes = Vec::with_capacity(32);
        let (occupied, own) = (self.men.occupied(), self.men.by_color(turn));
        for from in own {
            match self.men.role_at(from) {
                Some(Role::Pawn) => self.add_pawn_moves(turn, from, &mut changes),
                Some(role) => {
                    for to in attacks::of(turn, role, from, occupied) - own {
                        let after = self.moved(from, to, Piece { color: turn, role });
                        let path = attacks::between(from, to) | to.into();
                        let is_lasting = occupied.contains(to);
                        changes.push(Change { after: Self { men: after, passed: None }, path, is_lasting });
                    }
                }
                None => {}
            }
        }
        changes
    }

    fn moved(&self, from: Square, to: Square, piece: Piece) -> Board {
        let mut men = self.men;
        men.remove(from);
        men.put(to, piece);
        men
    }

    fn add_pawn_moves(&self, turn: Color, from: Square, changes: &mut Vec<Change>) {
        let free = !self.men.occupied();
        let single = fill::ahead(turn, from.into()) & free;
        let passed = single & fill::ahead(turn, Bitboard::from_rank(pawn_rank(turn)));
        let double = fill::ahead(turn, passed) & free;
        let captures = attacks::pawn(turn, from);
        for to in single | double | captures & self.men.by_color(!turn) {
            let path = attacks::between(from, to) | to.into();
            let roles: &[Role] = match to.rank() {
                Rank::First | Rank::Eighth => &Role::PROMOTIONS,
                _ => &[Role::Pawn],
            };
            let passed = if double.contains(to) { single.first() } else { None };
            for &role in roles {
                let men = self.moved(from, to, Piece { color: turn, role });
                let after = Self::with_passed(men, !turn, passed);
                changes.push(Change { after, path, is_lasting: true });
            }
        }
        if let Some(passed) = self.passed.filter(|&passed| captures.contains(passed)) {
            let mut men = self.moved(from, passed, Piece { color: turn, role: Role::Pawn });
            for captured in fill::ahead(!turn, passed.into()) {
                men.remove(captured);
            }
            let after = Self { men, passed: None };
            changes.push(Change { after, path: passed.into(), is_lasting: true });
        }
    }

    /// A pair with the king to move mated, if there is one: his square, and the other's.
    ///
    /// `pairs` are by the square of the king who waits.
    pub(super) fn mate(&self, turn: Color, pairs: &Pairs, guard: &Guard) -> Option<(Square, Square)> {
        let free = !self.men.occupied();
        for (waiter, movers) in pairs.rows() {
            let safe = guard.safe(waiter);
            let stuck = movers - safe - fill::kings(safe & free);
            let is_mated = |mover: &Square| {
                self.position(turn, *mover, waiter).is_some_and(|position| position.is_checkmate())
            };
            if let Some(mover) = stuck.into_iter().find(is_mated) {
                return Some((mover, waiter));
            }
        }
        None
    }

    /// Whether it is proven that no mate by `side` follows from any of these pairs, with `turn` to move.
    pub(super) fn is_hopeless(&self, turn: Color, pairs: &Pairs, side: Color) -> bool {
        let black_by_white = match turn {
            Color::White => pairs.transposed(),
            Color::Black => *pairs,
        };
        let kings = ByColor {
            white: black_by_white.rows().map(|(white, _)| white).collect(),
            black: black_by_white.others(),
        };
        let mut facts = Facts::with_king_sets(side, &self.men, kings);
        if let Some(passed) = self.passed {
            facts.add_en_passant(!turn, passed);
        }
        !Reach::from_parts(facts, Kings::from_pairs(turn, &black_by_white)).may_mate()
    }
}
