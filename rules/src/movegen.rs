//! The legal moves of a position: found from checks and pins, without making any of them.
//!
//! [`crate::legality`] judges one move at a time by another road; a property test holds the two together.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingSide, home_rank};
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::position::{Position, pawn_rank};
use crate::square::Square;

/// More than nearly every position has: growing the list costs more than asking for it at once.
const USUAL_MOVES_MAX: usize = 48;

impl Position {
    /// Every legal move, each once, in no promised order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::with_capacity(USUAL_MOVES_MAX);
        if let Some(generator) = Generator::new(self) {
            generator.generate(&mut moves);
        }
        moves
    }

    /// The men that give check.
    pub fn checkers(&self) -> Bitboard {
        self.board().king_of(self.turn()).map_or(Bitboard::EMPTY, |king| {
            self.board().attackers_to(king, self.board().occupied(), !self.turn())
        })
    }

    /// Whether the side to move is in check (FIDE 3.9.1).
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Whether the side to move is in check and has no legal move (FIDE 5.1.1).
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.legal_moves().is_empty()
    }

    /// Whether the side to move is not in check and has no legal move (FIDE 5.2.1).
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.legal_moves().is_empty()
    }

    /// The square of [`Position::en_passant`], if some pawn may capture there.
    pub fn legal_en_passant(&self) -> Option<Square> {
        self.en_passant().filter(|&passed| {
            let pawns = attacks::pawn(!self.turn(), passed) & self.board().by_piece(self.turn(), Role::Pawn);
            pawns.into_iter().any(|from| self.en_passant_is_safe(from, passed))
        })
    }

    /// Whether the own king is unattacked once both pawns have left their squares. Nothing short of
    /// that will do: they leave one rank at once, and the captured one may open a diagonal.
    fn en_passant_is_safe(&self, from: Square, passed: Square) -> bool {
        let captured = Square::new(passed.file(), from.rank());
        let after = (self.board().occupied() - from.into() - captured.into()) | passed.into();
        self.board()
            .king_of(self.turn())
            .is_some_and(|king| self.board().attackers_to(king, after, !self.turn()).is_empty())
    }
}

/// What every piece's moves depend on, looked up once.
struct Generator<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    own: Bitboard,
    enemies: Bitboard,
    occupied: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Where a man other than the king may go: not onto his own, and against a check only to capture
    /// the checker or to stand between.
    targets: Bitboard,
}

impl<'a> Generator<'a> {
    fn new(position: &'a Position) -> Option<Self> {
        let board = position.board();
        let us = position.turn();
        let king = board.king_of(us)?;
        let (own, occupied) = (board.by_color(us), board.occupied());
        let enemies = board.by_color(!us) - board.by_role(Role::King);
        let checkers = board.attackers_to(king, occupied, !us);
        let answers = match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.is_several() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        let targets = answers - own - board.by_role(Role::King);
        let pinned = pinned(position, king);
        Some(Self { position, us, king, own, enemies, occupied, checkers, pinned, targets })
    }

    fn generate(&self, moves: &mut MoveList) {
        self.king_moves(moves);
        if self.checkers.is_several() {
            return;
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.position.board().by_piece(self.us, role) {
                let attacks = attacks::of(self.us, role, from, self.occupied);
                let targets = attacks & self.targets & self.line_kept_by(from);
                moves.extend(targets.into_iter().map(|to| Move::normal(from, to)));
            }
        }
        self.pawn_moves(moves);
        self.en_passant_moves(moves);
        if self.checkers.is_empty() {
            self.castling_moves(moves);
        }
    }

    /// Where the pins let a man go: along the line of the pin, or anywhere.
    fn line_kept_by(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::line(self.king, from) } else { Bitboard::ALL }
    }

    fn king_moves(&self, moves: &mut MoveList) {
        let board = self.position.board();
        let without_king = self.occupied - self.king.into();
        let targets = attacks::king(self.king) - self.own - board.by_role(Role::King);
        let safe =
            targets.into_iter().filter(|&to| board.attackers_to(to, without_king, !self.us).is_empty());
        moves.extend(safe.map(|to| Move::normal(self.king, to)));
    }

    fn castling_moves(&self, moves: &mut MoveList) {
        for side in CastlingSide::ALL {
            let Some(rook) = self.position.castling().rook(self.us, side) else { continue };
            if self.position.castling_is_free(self.king, rook, side) {
                moves.push(Move::castle(self.king, rook));
            }
        }
    }

    fn pawn_moves(&self, moves: &mut MoveList) {
        let step = self.us.pawn_step();
        for from in self.position.board().by_piece(self.us, Role::Pawn) {
            let allowed = self.targets & self.line_kept_by(from);
            let captures = attacks::pawn(self.us, from) & self.enemies & allowed;
            captures.into_iter().for_each(|to| self.pawn_arrives(from, to, moves));

            let free = |square: &Square| !self.occupied.contains(*square);
            let Some(single) = from.offset(0, step).filter(free) else { continue };
            if allowed.contains(single) {
                self.pawn_arrives(from, single, moves);
            }
            if from.rank() == pawn_rank(self.us)
                && let Some(double) = single.offset(0, step).filter(free)
                && allowed.contains(double)
            {
                moves.push(Move::normal(from, double));
            }
        }
    }

    fn pawn_arrives(&self, from: Square, to: Square, moves: &mut MoveList) {
        if to.rank() == home_rank(!self.us) {
            moves.extend(Role::PROMOTIONS.into_iter().filter_map(|role| Move::promotion(from, to, role)));
        } else {
            moves.push(Move::normal(from, to));
        }
    }

    fn en_passant_moves(&self, moves: &mut MoveList) {
        let Some(passed) = self.position.en_passant() else { return };
        let pawns = attacks::pawn(!self.us, passed) & self.position.board().by_piece(self.us, Role::Pawn);
        let safe = pawns.into_iter().filter(|&from| self.position.en_passant_is_safe(from, passed));
        moves.extend(safe.map(|from| Move::en_passant(from, passed)));
    }
}

/// The men of the side to move that alone stand between their king and an enemy line piece.
fn pinned(position: &Position, king: Square) -> Bitboard {
    let board = position.board();
    let us = position.turn();
    let enemies = board.by_color(!us);
    let queens = board.by_role(Role::Queen);
    let pinners = attacks::rook(king, enemies) & (board.by_role(Role::Rook) | queens)
        | attacks::bishop(king, enemies) & (board.by_role(Role::Bishop) | queens);
    (pinners & enemies)
        .into_iter()
        .map(|pinner| attacks::between(king, pinner) & board.by_color(us))
        .filter(|men| !men.is_several())
        .fold(Bitboard::EMPTY, |pinned, man| pinned | man)
}
