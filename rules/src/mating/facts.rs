//! What could ever stand where, whatever is played: facts that only grow.
//!
//! Two kinds of facts are collected: which squares a kind of man may ever stand on, and which squares may
//! ever be empty. Both begin with the board as it is: a man may go wherever its way of moving leads over
//! squares that may be empty, onto one that may be empty or may hold an enemy; a square may become empty
//! when the man on it may go somewhere or may be captured. [`super::reach`] adds until nothing grows.
//!
//! Why that bounds all play from above: suppose a legal move led for the first time to a man on a square,
//! or to an empty square, that is not among the facts. Before the move all was among them, so the squares
//! it passed and the man it captured were, and the rule for that way of moving would have added what the
//! move brought.
//!
//! A man on a square that can never be empty is *fixed*: it stands there for ever. Only against kings and
//! facing pawns are the facts used the other way round: a king never steps where a fixed enemy guards, and
//! pawns that face each other on a file that none leaves or enters never pass each other. That is sound in
//! the same way: before the first move to break it, the guard and the facing pawn were still there.
//!
//! The facts are about a mate by one side: of moves after which that is over, `last` says more.

use super::fill;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::color::{ByColor, Color};
use crate::piece::Role;
use crate::position::{Position, pawn_rank};
use crate::square::{Rank, Square};

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
    pub(super) fn new(position: &Position, color: Color) -> Self {
        Self::of_board(position.board(), color)
    }

    pub(super) fn of_board(board: &Board, color: Color) -> Self {
        let of = |role| board.by_piece(color, role);
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
        self.pawn | self.officers()
    }

    /// Neither pawns nor the king.
    fn officers(self) -> Bitboard {
        self.knight | self.bishop | self.rook | self.queen
    }

    pub(super) fn within(self, squares: Bitboard) -> Self {
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

/// All that may ever be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    /// Whose mate it is about.
    pub(super) side: Color,
    /// The men as they stand now.
    pub(super) start: ByColor<Kinds>,
    /// Where they may ever stand.
    pub(super) ever: ByColor<Kinds>,
    /// The squares that may ever be empty.
    pub(super) emptied: Bitboard,
    /// Where a king may ever take a man.
    pub(super) kings_took: ByColor<Bitboard>,
}

impl Facts {
    pub(super) fn new(position: &Position, side: Color) -> Self {
        let start =
            ByColor { white: Kinds::new(position, Color::White), black: Kinds::new(position, Color::Black) };
        let mut facts = Self::from_men(side, start, !position.board().occupied());
        if let Some(passed) = position.legal_en_passant() {
            facts.add_en_passant(!position.turn(), passed);
        }
        facts
    }

    fn from_men(side: Color, start: ByColor<Kinds>, emptied: Bitboard) -> Self {
        let nowhere = ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
        Self { side, start, ever: start, emptied, kings_took: nowhere }
    }

    /// Of all positions with these men, and with the kings somewhere on these squares.
    pub(super) fn with_king_sets(side: Color, men: &Board, kings: ByColor<Bitboard>) -> Self {
        let of = |color| Kinds { king: kings[color], ..Kinds::of_board(men, color) };
        let start = ByColor { white: of(Color::White), black: of(Color::Black) };
        let known = |color| if kings[color].is_several() { Bitboard::EMPTY } else { kings[color] };
        Self::from_men(side, start, !(men.occupied() | known(Color::White) | known(Color::Black)))
    }

    /// The men of `color` that stand where they stand for ever.
    pub(super) fn fixed(&self, color: Color) -> Kinds {
        self.start[color].within(!self.emptied)
    }

    /// The men of `color` that may move, or be captured.
    pub(super) fn loose(&self, color: Color) -> Kinds {
        self.start[color].within(self.emptied)
    }

    /// Whether `color` may ever move a man other than its king.
    pub(super) fn is_loose(&self, color: Color) -> bool {
        !self.loose(color).capturable().is_empty()
    }

    /// Where the king of `color` may step from beside.
    pub(super) fn kings_targets(&self, color: Color) -> Bitboard {
        (self.emptied | self.victims(color)) - self.guarded_for_ever(!color)
    }

    /// The squares that fixed men of `color` guard, whatever is played.
    fn guarded_for_ever(&self, color: Color) -> Bitboard {
        let fixed = self.fixed(color);
        fixed.attacks(color, self.never_held()) | fill::kings(fixed.king)
    }

    /// The squares where no man ever stands.
    pub(super) fn never_held(&self) -> Bitboard {
        let held = |kinds: Kinds| kinds.capturable() | kinds.king;
        !(held(self.ever.white) | held(self.ever.black))
    }

    /// A pawn that has just passed a square may be captured as if it stood there. Of later double steps
    /// nothing need be said: where a pawn may pass it may also stop.
    pub(super) fn add_en_passant(&mut self, passer: Color, passed: Square) {
        self.ever[passer].pawn |= passed.into();
        self.emptied |= fill::ahead(passer, passed.into());
    }

    /// Castling, asking only for what it cannot do without.
    pub(super) fn add_castling(&mut self, castling: CastlingRights, color: Color) {
        for side in CastlingSide::ALL {
            let Some(rook) = castling.rook(color, side) else { continue };
            let both = self.start[color].king | rook.into();
            let targets = [side.king_target(color), side.rook_target(color)];
            if targets.into_iter().all(|target| (self.emptied | both).contains(target)) {
                self.ever[color].king |= targets[0].into();
                self.ever[color].rook |= targets[1].into();
                self.emptied |= both;
            }
        }
    }

    /// A king who walks alone, the other wherever he likes.
    pub(super) fn add_king(&mut self, color: Color) {
        let steps = fill::kings(self.ever[color].king) & self.kings_targets(color);
        self.set_king(color, self.ever[color].king | steps);
        let taken = steps & self.victims(color);
        self.kings_took[color] |= taken;
    }

    pub(super) fn set_king(&mut self, color: Color, squares: Bitboard) {
        self.ever[color].king |= squares;
        if self.ever[color].king != self.start[color].king {
            self.emptied |= self.start[color].king;
        }
    }

    pub(super) fn add_officers(&mut self, color: Color) {
        let free = self.emptied;
        let targets = free | self.victims(color);
        let last = self.last_squares(color);
        let fixed = self.fixed(color);
        let ever = &mut self.ever[color];
        ever.knight |= fill::knights(ever.knight - fixed.knight) & (targets - last.knight);
        ever.bishop |= fill::bishops(ever.bishop - fixed.bishop, free) & (targets - last.bishop);
        ever.rook |= fill::rooks(ever.rook - fixed.rook, free) & (targets - last.rook);
        ever.queen |=
            (fill::bishops(ever.queen, free) | fill::rooks(ever.queen, free)) & (targets - last.queen);
    }

    pub(super) fn add_pawns(&mut self, color: Color) {
        let enemies = self.victims(color);
        let steps = self.emptied - (self.start[!color].pawn & self.held_files(!color));
        let last = self.last_squares(color).pawn;
        let loose = self.ever[color].pawn - self.fixed(color).pawn;
        let ever = &mut self.ever[color];
        let single = fill::ahead(color, loose) & steps;
        let passed = fill::ahead(color, loose & Bitboard::from_rank(pawn_rank(color))) & steps;
        let double = fill::ahead(color, passed) & steps;
        let arrived = (single | double | fill::pawns(color, loose) & enemies) - last;
        let promoted = arrived & (Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth));
        ever.pawn |= arrived - promoted;
        ever.knight |= promoted;
        ever.queen |= promoted;
    }

    /// Where the bishop that stands on `from` now may ever stand.
    pub(super) fn walk_of_bishop(&self, color: Color, from: Square) -> Bitboard {
        let targets = self.emptied | self.victims(color);
        let mut walk = Bitboard::from_square(from);
        loop {
            let longer = walk | fill::bishops(walk, self.emptied) & targets;
            if longer == walk {
                return walk;
            }
            walk = longer;
        }
    }

    /// The files that pawns of `color` hold against those they face: none of them ever captures or is
    /// captured, and no enemy pawn ever comes onto the file by a capture. Two that face each other there
    /// do so for ever, so no enemy pawn steps onto the square where one of ours began: it would have had
    /// to pass that pawn, which is there or further on.
    fn held_files(&self, color: Color) -> Bitboard {
        let (pawns, enemies) = (self.ever[color].pawn, self.ever[!color]);
        let captured =
            pawns & (enemies.officers() | fill::pawns(!color, enemies.pawn) | self.kings_took[!color]);
        let capturing = fill::pawns(!color, enemies.capturable()) & pawns;
        let arrived = fill::pawns(!color, enemies.pawn) & self.ever[color].capturable();
        !fill::whole_files(captured | capturing | arrived)
    }

    /// The squares whose men of `color`, the king left out, may leave them or be captured.
    pub(super) fn add_emptied(&mut self, color: Color) {
        let fixed = self.fixed(color);
        let captured = self.victims(!color) & (self.ever[!color].capturable() | self.kings_took[!color]);
        self.emptied |= fixed.capturable() & captured;
        if color != self.side && !self.fixed(self.side).king.is_empty() {
            let men = [
                (Role::Pawn, fixed.pawn),
                (Role::Knight, fixed.knight),
                (Role::Bishop, fixed.bishop),
                (Role::Rook, fixed.rook),
                (Role::Queen, fixed.queen),
            ];
            for (role, squares) in men {
                let left = squares.into_iter().filter(|&from| self.may_leave(role, from));
                self.emptied |= left.collect();
            }
            return;
        }
        let victims = self.victims(color);
        let targets = self.emptied | victims;
        let beside = fill::orthogonal_neighbours(targets);
        let diagonally = fill::diagonal_neighbours(targets);
        let behind = fill::ahead(!color, self.emptied) | fill::pawns(!color, victims);
        self.emptied |= fixed.pawn & behind
            | fixed.knight & fill::knights(targets)
            | fixed.bishop & diagonally
            | fixed.rook & beside
            | fixed.queen & (beside | diagonally);
    }
}
