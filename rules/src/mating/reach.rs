//! What could ever stand where, whatever is played: a bound from above that proves *no*.
//!
//! Two kinds of facts are collected: which squares a kind of man may ever stand on, and which squares may
//! ever be empty. Both begin with the board as it is and only ever grow: a man may go wherever its way of
//! moving leads over squares that may be empty, onto one that may be empty or may hold an enemy; a square
//! may become empty when the man on it may go somewhere or may be captured. It ends when nothing grows.
//!
//! Why that is a bound: suppose a legal move led for the first time to a man on a square, or to an empty
//! square, that is not among the facts. Before the move all was among them, so the men it passed and the
//! man it captured were, and the rule for that way of moving would have added what the move brought.
//!
//! A man on a square that can never be empty is *fixed*: it stands there for ever. Only against kings are
//! the facts used the other way round: a king never steps where a fixed enemy guards.

use super::fill;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::{ByColor, Color};
use crate::piece::Role;
use crate::position::{Position, pawn_rank};
use crate::square::Rank;

/// Where each kind of man may ever stand.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kinds {
    pub(super) pawn: Bitboard,
    pub(super) knight: Bitboard,
    pub(super) bishop: Bitboard,
    pub(super) rook: Bitboard,
    /// Queens, and whatever a pawn may become but a knight: a queen goes wherever those go.
    pub(super) queen: Bitboard,
    pub(super) king: Bitboard,
}

impl Kinds {
    fn new(position: &Position, color: Color) -> Self {
        let of = |role| position.board().by_piece(color, role);
        Self {
            pawn: of(Role::Pawn),
            knight: of(Role::Knight),
            bishop: of(Role::Bishop),
            rook: of(Role::Rook),
            queen: of(Role::Queen),
            king: of(Role::King),
        }
    }

    /// All but the king, who is never captured.
    pub(super) fn capturable(self) -> Bitboard {
        self.pawn | self.knight | self.bishop | self.rook | self.queen
    }

    fn all(self) -> Bitboard {
        self.pawn | self.pieces()
    }

    fn pieces(self) -> Bitboard {
        self.knight | self.bishop | self.rook | self.queen | self.king
    }

    fn within(self, squares: Bitboard) -> Self {
        Self {
            pawn: self.pawn & squares,
            knight: self.knight & squares,
            bishop: self.bishop & squares,
            rook: self.rook & squares,
            queen: self.queen & squares,
            king: self.king & squares,
        }
    }

    /// What all of these but the king attack, lines running on over `free`.
    pub(super) fn attacks(self, color: Color, free: Bitboard) -> Bitboard {
        fill::pawns(color, self.pawn)
            | fill::knights(self.knight)
            | fill::bishops(self.bishop | self.queen, free)
            | fill::rooks(self.rook | self.queen, free)
    }
}

/// The bound for one position.
pub(super) struct Reach {
    start: ByColor<Kinds>,
    ever: ByColor<Kinds>,
    /// The squares that may ever be empty.
    emptied: Bitboard,
}

impl Reach {
    pub(super) fn new(position: &Position) -> Self {
        let start = ByColor {
            white: Kinds::new(position, Color::White),
            black: Kinds::new(position, Color::Black),
        };
        let mut reach = Self { start, ever: start, emptied: !position.board().occupied() };
        reach.add_en_passant(position);
        loop {
            let before = (reach.ever, reach.emptied);
            for color in Color::ALL {
                reach.add_castling(position, color);
                reach.add_moves(color);
                reach.add_emptied(color);
            }
            if (reach.ever, reach.emptied) == before {
                return reach;
            }
        }
    }

    /// A pawn that has just passed a square may be captured as if it stood there. Of later double steps
    /// nothing need be said: where a pawn may pass it may also stop.
    fn add_en_passant(&mut self, position: &Position) {
        if let Some(passed) = position.legal_en_passant() {
            let pawn = fill::ahead(!position.turn(), passed.into());
            self.ever[!position.turn()].pawn |= passed.into();
            self.emptied |= pawn;
        }
    }

    /// Castling, asking only for what it cannot do without.
    fn add_castling(&mut self, position: &Position, color: Color) {
        for side in CastlingSide::ALL {
            let Some(rook) = position.castling().rook(color, side) else { continue };
            let both = self.start[color].king | rook.into();
            let targets = [side.king_target(color), side.rook_target(color)];
            if targets.into_iter().all(|target| (self.emptied | both).contains(target)) {
                self.ever[color].king |= targets[0].into();
                self.ever[color].rook |= targets[1].into();
                self.emptied |= both;
            }
        }
    }

    fn add_moves(&mut self, color: Color) {
        let free = self.emptied;
        let enemies = self.ever[!color].capturable();
        let targets = free | enemies;
        let guarded = self.guarded_for_ever(!color);
        let barred = self.start[!color].pawn & self.held_files(!color);
        let ever = &mut self.ever[color];

        ever.king |= fill::kings(ever.king) & targets - guarded;
        ever.knight |= fill::knights(ever.knight) & targets;
        ever.bishop |= fill::bishops(ever.bishop, free) & targets;
        ever.rook |= fill::rooks(ever.rook, free) & targets;
        ever.queen |= (fill::bishops(ever.queen, free) | fill::rooks(ever.queen, free)) & targets;

        let steps = free - barred;
        let single = fill::ahead(color, ever.pawn) & steps;
        let passed = fill::ahead(color, ever.pawn & Bitboard::from_rank(pawn_rank(color))) & steps;
        let double = fill::ahead(color, passed) & steps;
        let arrived = single | double | fill::pawns(color, ever.pawn) & enemies;
        let promoted = arrived & (Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth));
        ever.pawn |= arrived - promoted;
        ever.knight |= promoted;
        ever.queen |= promoted;
    }

    /// The files that pawns of `color` hold against those they face: none of them ever captures or is
    /// captured, and no enemy pawn ever comes onto the file by a capture. Two that face each other there
    /// do so for ever, so no enemy pawn steps onto the square where one of ours began: it would have had
    /// to pass that pawn, which is there or further on.
    fn held_files(&self, color: Color) -> Bitboard {
        let (pawns, enemies) = (self.ever[color].pawn, self.ever[!color]);
        let captured = pawns & (enemies.pieces() | fill::pawns(!color, enemies.pawn));
        let capturing = fill::pawns(!color, enemies.capturable()) & pawns;
        let arrived = fill::pawns(!color, enemies.pawn) & self.ever[color].capturable();
        !fill::whole_files(captured | capturing | arrived)
    }

    /// The squares whose men of `color` may leave them or be captured.
    fn add_emptied(&mut self, color: Color) {
        let fixed = self.start[color].within(!self.emptied);
        let enemies = self.ever[!color].capturable();
        let targets = self.emptied | enemies;
        let kings_targets = targets - self.guarded_for_ever(!color);
        let beside = fill::orthogonal_neighbours(targets);
        let diagonally = fill::diagonal_neighbours(targets);
        let behind = fill::ahead(!color, self.emptied) | fill::pawns(!color, enemies);
        self.emptied |= fixed.pawn & behind
            | fixed.knight & fill::knights(targets)
            | fixed.bishop & diagonally
            | fixed.rook & beside
            | fixed.queen & (beside | diagonally)
            | fixed.king & fill::kings(kings_targets)
            | fixed.capturable() & self.ever[!color].all();
    }

    /// The squares that fixed men of `color` guard, whatever is played.
    fn guarded_for_ever(&self, color: Color) -> Bitboard {
        let fixed = self.start[color].within(!self.emptied);
        let never_held = !(self.ever.white.all() | self.ever.black.all());
        fixed.attacks(color, never_held) | fill::kings(fixed.king)
    }

    /// The squares where the king of the other side might be mated by `side`.
    ///
    /// In a mate a man other than a king gives check, and every square beside the king is held by his own
    /// man, guarded by such a man, or guarded by the king of `side`: one king, on one square. Where that
    /// cannot be, even taking every man to be wherever it may ever be, no mate can be.
    pub(super) fn mating_squares(&self, side: Color) -> Bitboard {
        let (own, theirs) = (self.ever[side], self.ever[!side]);
        // A line goes on behind the king it attacks.
        let guarded = own.attacks(side, self.emptied | self.start[!side].king);
        let covered = guarded | theirs.capturable();
        let possible = (theirs.king & guarded).into_iter().filter(|&king| {
            let left = fill::kings(king.into()) - covered;
            let posts = own.king - fill::kings(king.into()) - king.into();
            left.into_iter().fold(posts, |posts, square| posts & fill::kings(square.into())) != Bitboard::EMPTY
        });
        possible.collect()
    }
}
