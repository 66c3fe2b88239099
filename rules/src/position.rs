//! A position that the Laws apply to, and what a move does to it.
//!
//! What may be played is for [`crate::movegen`] to list and for [`crate::legality`] to judge; both add
//! their methods to [`Position`].

use crate::bitboard::Bitboard;
use crate::board::{Board, Code};
use crate::castling::{CastlingRights, CastlingSide};
use crate::color::{Black, Color, Side, White};
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::reserves::{Captures, Reserves};
use crate::setup::{Grade, Setup, SetupError, Strictness};
use crate::square::{Rank, Square};
use crate::zobrist;

/// A setup without a fault that would make play impossible.
///
/// Two positions are equal when their counters agree too; whether they are *the same* in the sense of
/// FIDE 9.2.3 is for [`crate::repetition`] to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    setup: Setup,
    /// The men that a castling right rests on: while none of them moves or is captured, none is lost.
    castling_men: Bitboard,
    /// Of the men, the turn and the castling rights; [`Position::hash`] adds what seldom matters.
    hash: u64,
}

impl Position {
    /// The position that a game begins with (FIDE 2.3).
    pub fn standard() -> Self {
        Self::unchecked(Setup::standard())
    }

    /// A position from any setup.
    ///
    /// # Errors
    /// [`SetupError`] with every fault, when `strictness` does not bear one of them.
    pub fn new(setup: Setup, strictness: Strictness) -> Result<Self, SetupError> {
        let faults = setup.faults();
        let refused = faults.iter().any(|fault| match strictness {
            Strictness::Reachable => true,
            Strictness::Playable => fault.grade() == Grade::Unplayable,
        });
        if refused { Err(SetupError(faults)) } else { Ok(Self::unchecked(setup)) }
    }

    fn unchecked(setup: Setup) -> Self {
        let men = setup
            .board
            .men()
            .fold(0, |hash, (square, piece)| hash ^ zobrist::man(Code::new(piece.color, piece.role), square));
        let hash = men ^ zobrist::turn(setup.turn) ^ zobrist::castling(setup.castling);
        let castling_men = castling_men(&setup);
        Self { setup, castling_men, hash }
    }

    /// All that makes it up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Which man stands where.
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.setup.turn
    }

    /// Who may still castle with which rook.
    pub fn castling(&self) -> CastlingRights {
        self.setup.castling
    }

    /// The square that a pawn has just passed, whether or not it can be captured there:
    /// [`Position::legal_en_passant`] knows.
    pub fn en_passant(&self) -> Option<Square> {
        self.setup.en_passant
    }

    /// Plies since the last capture or pawn's move (FIDE 9.3).
    pub fn halfmove_clock(&self) -> u32 {
        self.setup.halfmove_clock
    }

    /// The number of the move to be played, from 1 in a game from the beginning.
    pub fn move_number(&self) -> u32 {
        self.setup.move_number
    }

    /// The men in hand, on a board where captured men come back.
    pub fn reserves(&self) -> Option<&Reserves> {
        self.setup.reserves.as_ref()
    }

    /// Gives a side a man that was captured at the other board (Siamese chess). Without reserves nothing
    /// happens.
    pub fn add_to_reserve(&mut self, color: Color, role: Role) {
        if let Some(reserves) = &mut self.setup.reserves {
            reserves.add(color, role);
        }
    }

    /// What a legal move captures for a reserve: a promoted man is a pawn again (L12). None without
    /// reserves or for a move that captures nothing.
    pub fn captured_for_reserve(&self, mv: Move) -> Option<Role> {
        let reserves = self.reserves()?;
        let square = captured_square(mv)?;
        let role = self.board().role_at(square)?;
        Some(if reserves.promoted().contains(square) { Role::Pawn } else { role })
    }

    /// A hash of all that makes two positions the same (FIDE 9.2.3): the same positions have the same one,
    /// and others hardly ever. An en-passant capture counts only where it is legal.
    pub fn hash(&self) -> u64 {
        let en_passant = self.legal_en_passant().map_or(0, |passed| zobrist::en_passant(passed.file()));
        let reserves = self.reserves().map_or(0, zobrist::reserves);
        self.hash ^ en_passant ^ reserves
    }

    /// The position after a move that must be legal; see [`Position::play_unchecked`].
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }

    /// Makes a move that must be legal.
    ///
    /// An illegal one moves the men just as mechanically, without a panic; what comes of it may be a
    /// position that [`Position::new`] would refuse. From an empty square nothing moves, nobody castles but
    /// the own king, and nobody is dropped who is not in hand.
    pub fn play_unchecked(&mut self, mv: Move) {
        match self.turn() {
            Color::White => self.play_as::<White>(mv),
            Color::Black => self.play_as::<Black>(mv),
        }
    }

    /// [`Position::play_unchecked`] for the side to move.
    #[inline]
    pub(crate) fn play_as<Us: Side>(&mut self, mv: Move) {
        if mv.is_normal() {
            let man = self.setup.board.code_at(mv.from());
            if man.is_nobody() {
                return;
            }
            self.step(mv.from(), mv.to(), man);
        } else if !self.play_special(Us::COLOR, mv) {
            return;
        }
        if Us::COLOR == Color::Black {
            self.setup.move_number = self.setup.move_number.saturating_add(1);
        }
        self.setup.turn = !Us::COLOR;
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// Whether anything moved.
    fn play_special(&mut self, us: Color, mv: Move) -> bool {
        let man = self.setup.board.code_at(mv.from());
        match mv.kind() {
            MoveKind::Drop(role) => return self.drop(us, role, mv.to()),
            _ if man.is_nobody() => return false,
            MoveKind::Castle if man != Code::new(us, Role::King) => return false,
            MoveKind::Castle => self.castle(us, mv),
            MoveKind::EnPassant => self.capture_en_passant(mv, man),
            MoveKind::Promotion(role) => {
                self.step(mv.from(), mv.to(), man);
                self.put(mv.to(), man.with_role(role));
                if let Some(reserves) = &mut self.setup.reserves {
                    reserves.mark_promoted(mv.to());
                }
            }
            MoveKind::Normal => self.step(mv.from(), mv.to(), man),
        }
        true
    }

    fn capture_en_passant(&mut self, mv: Move, man: Code) {
        let passed_by = Square::new(mv.to().file(), mv.from().rank());
        if passed_by != mv.from() {
            self.capture(passed_by);
            self.put(passed_by, Code::NOBODY);
            if self.castling_men.contains(passed_by) {
                self.lose_castling_rights(passed_by, passed_by, Code::NOBODY);
            }
        }
        self.step(mv.from(), mv.to(), man);
        self.setup.halfmove_clock = 0;
    }

    /// Moves one man, capturing what stands on his new square.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a leaf's time")]
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square, man: Code) {
        let captured = self.setup.board.code_at(to);
        self.hash ^= zobrist::man(man, from) ^ zobrist::man(man, to) ^ zobrist::man(captured, to);
        if self.setup.reserves.is_some() {
            self.capture(to);
            self.setup.reserves.iter_mut().for_each(|reserves| reserves.move_mark(from, to));
        }
        self.setup.board.move_code(from, to, man);

        // Worked out without branches: which move is a pawn's or a capture, no processor can guess.
        let irreversible = man.is_pawn() | !captured.is_nobody();
        let clock = self.setup.halfmove_clock.saturating_add(1);
        self.setup.halfmove_clock = clock * u32::from(!irreversible);
        self.setup.en_passant = passed_square(man, from, to);
        if self.castling_men.intersects(Bitboard::from(from) | to.into()) {
            self.lose_castling_rights(from, to, man);
        }
    }

    /// Puts the man who is about to be taken off a square into the captor's hand, where that is the rule.
    fn capture(&mut self, square: Square) {
        let Some(reserves) = &mut self.setup.reserves else { return };
        let captured = self.setup.board.piece_at(square);
        if let (Some(man), Captures::ToCaptor) = (captured, reserves.captures()) {
            let role = if reserves.promoted().contains(square) { Role::Pawn } else { man.role };
            reserves.add(!man.color, role);
        }
        reserves.clear_mark(square);
    }

    fn drop(&mut self, us: Color, role: Role, to: Square) -> bool {
        let in_hand = self.setup.reserves.as_mut().is_some_and(|reserves| reserves.take(us, role));
        if in_hand {
            self.put(to, Code::new(us, role));
            self.setup.en_passant = None;
            self.setup.halfmove_clock = self.setup.halfmove_clock.saturating_add(1);
        }
        in_hand
    }

    fn castle(&mut self, us: Color, mv: Move) {
        let side = if mv.to() > mv.from() { CastlingSide::King } else { CastlingSide::Queen };
        let (king, rook) = (self.setup.board.code_at(mv.from()), self.setup.board.code_at(mv.to()));
        for emptied in [mv.from(), mv.to()] {
            self.put(emptied, Code::NOBODY);
        }
        self.put(side.king_target(us), king);
        if !rook.is_nobody() {
            self.put(side.rook_target(us), rook);
        }
        self.lose_castling_rights(mv.from(), mv.to(), Code::new(us, Role::King));
        self.setup.en_passant = None;
        self.setup.halfmove_clock = self.setup.halfmove_clock.saturating_add(1);
    }

    /// Puts a man on a square, or nobody, in place of any that stood there.
    fn put(&mut self, square: Square, man: Code) {
        let before = self.setup.board.code_at(square);
        self.hash ^= zobrist::man(before, square) ^ zobrist::man(man, square);
        self.setup.board.put_code(square, man);
    }

    /// Takes away what rights rest on men that a move of `man` has moved or captured.
    fn lose_castling_rights(&mut self, from: Square, to: Square, man: Code) {
        self.hash ^= zobrist::castling(self.setup.castling);
        if man.is_king() {
            self.setup.castling.revoke_all(man.color());
        }
        self.setup.castling.revoke_rook(from);
        self.setup.castling.revoke_rook(to);
        self.hash ^= zobrist::castling(self.setup.castling);
        self.castling_men = castling_men(&self.setup);
    }
}

/// The square that a move empties of an enemy man, if there is one.
fn captured_square(mv: Move) -> Option<Square> {
    match mv.kind() {
        MoveKind::Castle | MoveKind::Drop(_) => None,
        MoveKind::EnPassant => Some(Square::new(mv.to().file(), mv.from().rank())),
        MoveKind::Normal | MoveKind::Promotion(_) => Some(mv.to()),
    }
}

/// The kings, and the rooks that castling rights rest on; nobody when there are no rights.
fn castling_men(setup: &Setup) -> Bitboard {
    match setup.castling.rooks() {
        Bitboard::EMPTY => Bitboard::EMPTY,
        rooks => rooks | setup.board.by_role(Role::King),
    }
}

/// The square that a man passes who is a pawn and makes a double step from his second rank.
fn passed_square(man: Code, from: Square, to: Square) -> Option<Square> {
    // Two ranks apart on one file: of the squares' numbers one bit differs.
    let double = from.index() ^ to.index() == 16;
    let at_home = from.index() >> 3 == pawn_rank(man.color()).index();
    let passed = Square::from_low_bits(u16::midpoint(from.index() as u16, to.index() as u16));
    (man.is_pawn() & double & at_home).then_some(passed)
}

/// The rank a side's pawns begin on.
pub(crate) const fn pawn_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}
