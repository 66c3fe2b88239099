//! The legal moves of a position: found from checks and pins, without making any of them.
//!
//! One generator serves all who ask. It hands whole sets of targets to a `Sink`: one lists the moves,
//! one only counts them, one only asks whether there is any. It assumes one king a side and nothing else:
//! the enemy king may be attacked (he is never a target), and pawns may stand on the last ranks.
//!
//! [`crate::legality`] judges one move at a time by another road; a property test holds the two together.

pub(crate) mod sink;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingPath, CastlingSide, home_rank};
use crate::color::{Black, Color, Side, White};
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::position::{Position, pawn_rank};
use crate::reserves::{Captures, Reserves};
use crate::square::{File, Rank, Square};
use sink::{Any, Count, PawnArrivals, Sink};
use std::marker::PhantomData;

impl Position {
    /// Every legal move, each once, in no promised order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves
    }

    /// How many legal moves there are: quicker than listing them.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count::default();
        self.generate(&mut count);
        count.total() as usize
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        self.generate(&mut any);
        any.is_content()
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

    /// Whether the side to move is in check and has no legal move (FIDE 5.1.1), nor could have one by a man
    /// that the partner captures (L12).
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move() && !self.may_await_drop()
    }

    /// Whether the side to move is not in check and has no legal move (FIDE 5.2.1), nor could have one by a
    /// man that the partner captures (L12).
    pub fn is_stalemate(&self) -> bool {
        !self.has_legal_move() && !self.is_check() && !self.may_await_drop()
    }

    /// Whether a man that the partner may yet capture could be dropped now: anywhere, or to meet a check.
    fn may_await_drop(&self) -> bool {
        let from_partner = self.reserves().is_some_and(|reserves| reserves.captures() == Captures::ToPartner);
        if !from_partner {
            return false;
        }
        let (checkers, free) = (self.checkers(), !self.board().occupied());
        match (checkers.first(), self.board().king_of(self.turn())) {
            (None, _) => !free.is_empty(),
            (Some(checker), Some(king)) if !checkers.is_several() => {
                attacks::between(king, checker).intersects(free)
            }
            _ => false,
        }
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
    ///
    /// Never onto a man: a pawn can have passed over one by an illegal move only, which stands (L43).
    fn en_passant_is_safe(&self, from: Square, passed: Square) -> bool {
        if self.board().occupied().contains(passed) {
            return false;
        }
        let captured = Square::new(passed.file(), from.rank());
        let after = (self.board().occupied() - from.into() - captured.into()) | passed.into();
        self.board()
            .king_of(self.turn())
            .is_some_and(|king| self.board().attackers_to(king, after, !self.turn()).is_empty())
    }

    #[inline]
    fn generate(&self, sink: &mut impl Sink) {
        match self.turn() {
            Color::White => generate::<White>(self, sink),
            Color::Black => generate::<Black>(self, sink),
        }
    }
}

/// Hands every legal move of the side to move, which must be `Us`, to `sink`.
#[inline]
pub(crate) fn generate<Us: Side>(position: &Position, sink: &mut impl Sink) {
    if let Some(generator) = Generator::<Us>::new(position) {
        generator.generate(sink);
    }
}

/// What every piece's moves depend on, looked up once.
struct Generator<'a, Us> {
    position: &'a Position,
    king: Square,
    own: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    kings: Bitboard,
    checkers: Bitboard,
    pinned: Bitboard,
    us: PhantomData<Us>,
}

impl<'a, Us: Side> Generator<'a, Us> {
    #[inline]
    fn new(position: &'a Position) -> Option<Self> {
        let board = position.board();
        let occupied = board.occupied();
        let own = board.by_color(Us::COLOR);
        let theirs = occupied - own;
        let kings = board.by_role(Role::King);
        let king = (kings & own).first()?;

        let leapers = attacks::pawn(Us::COLOR, king) & board.by_role(Role::Pawn)
            | attacks::knight(king) & board.by_role(Role::Knight)
            | attacks::king(king) & kings;
        let mut checkers = leapers & theirs;
        let mut pinned = Bitboard::EMPTY;
        // A line piece that looks the king's way checks him when nothing stands between, and one man
        // that stands there alone is pinned.
        let sliders = attacks::bishop_lines(king) & board.diagonal_sliders()
            | attacks::rook_lines(king) & board.straight_sliders();
        for slider in sliders & theirs {
            let between = attacks::between(king, slider) & occupied;
            if between.is_empty() {
                checkers.insert(slider);
            } else if !between.is_several() {
                pinned |= between;
            }
        }
        let pinned = pinned & own;
        Some(Self { position, king, own, theirs, occupied, kings, checkers, pinned, us: PhantomData })
    }

    #[inline]
    fn generate(&self, sink: &mut impl Sink) {
        self.king_moves(sink);
        if self.checkers.is_several() || sink.is_content() {
            return;
        }
        let answers = match self.checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => attacks::between(self.king, checker) | self.checkers,
        };
        let targets = answers - self.own - self.kings;
        self.knight_steps(targets, sink);
        self.pawn_steps(targets, sink);
        self.slider_steps(targets, sink);
        if self.position.en_passant().is_some() {
            self.en_passant_captures(sink);
        }
        if let Some(reserves) = self.position.reserves() {
            Self::drops(reserves, answers - self.occupied, sink);
        }
    }

    /// The king's steps and castlings, whose squares are looked at together.
    #[inline]
    fn king_moves(&self, sink: &mut impl Sink) {
        let steps = attacks::king(self.king) - self.own - self.kings;
        let castlings = if self.checkers.is_empty() && self.position.castling().has_any(Us::COLOR) {
            CastlingSide::ALL.map(|side| self.unbarred_castling(side))
        } else {
            [None; 2]
        };
        let passed = castlings.map(|castling| castling.map_or(Bitboard::EMPTY, |(_, path)| path));
        let safe = self.unattacked(steps | passed[0] | passed[1]);
        sink.steps(self.king, steps & safe);
        for (rook, path) in castlings.into_iter().flatten() {
            if (path - safe).is_empty() {
                sink.special(Move::castle(self.king, rook));
            }
        }
    }

    /// The rook and the squares the king passes or reaches, where nothing but an attack on these can bar
    /// castling towards this side.
    ///
    /// That the castling rook counts as gone from its square (L11) needs no second look: all squares between
    /// king and rook have to be empty, so that whatever it shields the king from pins it.
    #[inline]
    fn unbarred_castling(&self, side: CastlingSide) -> Option<(Square, Bitboard)> {
        let rook = self.position.castling().rook(Us::COLOR, side)?;
        let path = CastlingPath::new(Us::COLOR, self.king, rook, side);
        let barred = path.to_be_empty.intersects(self.occupied) || self.pinned.contains(rook);
        (!barred).then_some((rook, path.to_be_safe - self.king.into()))
    }

    /// Those of some squares that no enemy attacks once the king has left his.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a leaf's time")]
    #[inline(always)]
    fn unattacked(&self, squares: Bitboard) -> Bitboard {
        let board = self.position.board();
        let pawns = board.by_role(Role::Pawn) & self.theirs;
        let mut attacked = forward_west::<Us::Opponent>(pawns) | forward_east::<Us::Opponent>(pawns);
        for knight in board.by_role(Role::Knight) & self.theirs {
            attacked |= attacks::knight(knight);
        }
        if let Some(king) = (self.kings & self.theirs).first() {
            attacked |= attacks::king(king);
        }
        self.out_of_sight(squares - attacked)
    }

    /// The squares that no enemy line piece attacks once the king has left his.
    #[inline]
    fn out_of_sight(&self, mut squares: Bitboard) -> Bitboard {
        let occupied = self.occupied - self.king.into();
        let diagonal = self.position.board().diagonal_sliders() & self.theirs;
        let straight = self.position.board().straight_sliders() & self.theirs;
        // Few line pieces look at all squares sooner than each square looks for them.
        if (diagonal | straight).without_first().without_first().is_empty() {
            for slider in diagonal {
                squares = squares - attacks::bishop(slider, occupied);
            }
            for slider in straight {
                squares = squares - attacks::rook(slider, occupied);
            }
            return squares;
        }
        for square in squares {
            let attackers =
                attacks::bishop(square, occupied) & diagonal | attacks::rook(square, occupied) & straight;
            if !attackers.is_empty() {
                squares.remove(square);
            }
        }
        squares
    }

    #[inline]
    fn knight_steps(&self, targets: Bitboard, sink: &mut impl Sink) {
        let knights = self.position.board().by_role(Role::Knight) & self.own;
        // A knight never stays on the line of a pin.
        for from in knights - self.pinned {
            sink.steps(from, attacks::knight(from) & targets);
        }
    }

    #[inline]
    fn slider_steps(&self, targets: Bitboard, sink: &mut impl Sink) {
        let diagonal = self.position.board().diagonal_sliders() & self.own;
        let straight = self.position.board().straight_sliders() & self.own;
        for from in diagonal - self.pinned {
            sink.steps(from, attacks::bishop(from, self.occupied) & targets);
        }
        for from in straight - self.pinned {
            sink.steps(from, attacks::rook(from, self.occupied) & targets);
        }
        // A pinned man keeps to the line of the pin; a queen has one way of going that does.
        for from in diagonal & self.pinned & attacks::bishop_lines(self.king) {
            let kept = attacks::line(self.king, from) & targets;
            sink.steps(from, attacks::bishop(from, self.occupied) & kept);
        }
        for from in straight & self.pinned & attacks::rook_lines(self.king) {
            let kept = attacks::line(self.king, from) & targets;
            sink.steps(from, attacks::rook(from, self.occupied) & kept);
        }
    }

    /// All pawns at once. A pinned one steps along the king's file, or captures along his diagonals.
    #[inline]
    fn pawn_steps(&self, targets: Bitboard, sink: &mut impl Sink) {
        let pawns = self.position.board().by_role(Role::Pawn) & self.own;
        let free = pawns - self.pinned;
        let enemies = self.theirs & targets;

        let steppers = free | pawns & Bitboard::from_file(self.king.file());
        let single = forward::<Us>(steppers) - self.occupied;
        let double = forward::<Us>(single & Bitboard::from_rank(passed_rank(Us::COLOR))) - self.occupied;
        let arrivals = PawnArrivals {
            single: single & targets,
            double: double & targets,
            west: forward_west::<Us>(free | pawns & attacks::lines_west::<Us>(self.king)) & enemies,
            east: forward_east::<Us>(free | pawns & attacks::lines_east::<Us>(self.king)) & enemies,
            ahead: Us::COLOR.pawn_step() * 8,
        };
        let last = Bitboard::from_rank(home_rank(!Us::COLOR));
        if (pawns & Bitboard::from_rank(pawn_rank(!Us::COLOR))).is_empty() {
            sink.pawn_steps(&arrivals);
        } else {
            sink.pawn_steps(&arrivals.on(!last));
            sink.promotions(&arrivals.on(last));
        }
    }

    fn en_passant_captures(&self, sink: &mut impl Sink) {
        let Some(passed) = self.position.en_passant() else { return };
        let pawns = attacks::pawn(!Us::COLOR, passed) & self.position.board().by_role(Role::Pawn) & self.own;
        for from in pawns {
            if self.position.en_passant_is_safe(from, passed) {
                sink.special(Move::en_passant(from, passed));
            }
        }
    }

    fn drops(reserves: &Reserves, targets: Bitboard, sink: &mut impl Sink) {
        let last_ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        for role in Reserves::ROLES {
            if reserves.count(Us::COLOR, role) > 0 {
                sink.drops(role, if role == Role::Pawn { targets - last_ranks } else { targets });
            }
        }
    }
}

/// The rank that a side's pawns pass by a double step.
const fn passed_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    }
}

/// The squares ahead of these, as `Us` looks at the board.
#[inline]
fn forward<Us: Side>(set: Bitboard) -> Bitboard {
    match Us::COLOR {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// The squares ahead of these and one file towards the a-file.
#[inline]
fn forward_west<Us: Side>(set: Bitboard) -> Bitboard {
    Bitboard((forward::<Us>(set) - Bitboard::from_file(File::A)).0 >> 1)
}

/// The squares ahead of these and one file towards the h-file.
#[inline]
fn forward_east<Us: Side>(set: Bitboard) -> Bitboard {
    Bitboard((forward::<Us>(set) - Bitboard::from_file(File::H)).0 << 1)
}
