//! A position that the Laws apply to, and what a move does to it.
//!
//! What may be played is for [`crate::movegen`] to list and for [`crate::legality`] to judge; both add
//! their methods to [`Position`].

use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide};
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::setup::{Grade, Setup, SetupError, Strictness};
use crate::square::{Rank, Square};

/// A setup without a fault that would make play impossible.
///
/// Two positions are equal when their counters agree too; whether they are *the same* in the sense of
/// FIDE 9.2.3 is for [`crate::repetition`] to say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    setup: Setup,
}

impl Position {
    /// The position that a game begins with (FIDE 2.3).
    pub fn standard() -> Self {
        Self { setup: Setup::standard() }
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
        if refused { Err(SetupError(faults)) } else { Ok(Self { setup }) }
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
    /// position that [`Position::new`] would refuse. From an empty square nothing moves.
    pub fn play_unchecked(&mut self, mv: Move) {
        let us = self.setup.turn;
        let Some(piece) = self.setup.board.piece_at(mv.from()) else { return };
        self.setup.en_passant = None;
        let irreversible = match mv.castling_side() {
            Some(side) => {
                self.castle(us, side, mv);
                false
            }
            None => self.step(piece, mv),
        };
        self.setup.halfmove_clock =
            if irreversible { 0 } else { self.setup.halfmove_clock.saturating_add(1) };
        if us == Color::Black {
            self.setup.move_number = self.setup.move_number.saturating_add(1);
        }
        self.setup.turn = !us;
    }

    fn castle(&mut self, us: Color, side: CastlingSide, mv: Move) {
        let board = &mut self.setup.board;
        let (king, rook) = (board.remove(mv.from()), board.remove(mv.to()));
        for (man, target) in [(king, side.king_target(us)), (rook, side.rook_target(us))] {
            if let Some(man) = man {
                board.put(target, man);
            }
        }
        self.setup.castling.revoke_all(us);
    }

    /// Moves one man; whether a pawn moved or anything was captured.
    fn step(&mut self, piece: Piece, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let board = &mut self.setup.board;
        board.remove(from);
        let mut captured = board.remove(to);
        if mv.kind() == MoveKind::EnPassant {
            captured = board.remove(Square::new(to.file(), from.rank()));
        }
        board.put(to, Piece { role: mv.promoted().unwrap_or(piece.role), ..piece });

        if piece.role == Role::King {
            self.setup.castling.revoke_all(piece.color);
        }
        self.setup.castling.revoke_rook(from);
        self.setup.castling.revoke_rook(to);
        if piece.role == Role::Pawn {
            self.setup.en_passant = passed_square(piece.color, mv);
        }
        piece.role == Role::Pawn || captured.is_some()
    }
}

/// The square that a pawn's double step from its second rank passes.
fn passed_square(color: Color, mv: Move) -> Option<Square> {
    let passed = mv.from().offset(0, color.pawn_step())?;
    let lands = passed.offset(0, color.pawn_step())?;
    (mv.from().rank() == pawn_rank(color) && lands == mv.to()).then_some(passed)
}

/// The rank a side's pawns begin on.
pub(crate) const fn pawn_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}
