//! Any arrangement of men, and every reason why the Laws could not give it (FIDE 3.10.3).

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingRights, CastlingSide, home_rank};
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::reserves::Reserves;
use crate::square::{File, Rank, Square};
use std::fmt;

/// A board with all else that a position needs, whether or not it makes sense.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// Whose move it is.
    pub turn: Color,
    /// Who may still castle with which rook.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed by a double step, whether or not it can be captured there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn's move (FIDE 9.3).
    pub halfmove_clock: u32,
    /// The number of the move to be played, from 1 when set by us.
    pub move_number: u32,
    /// The men in hand, on a board where captured men come back; none in chess.
    pub reserves: Option<Reserves>,
}

impl Setup {
    /// The position that a game begins with (FIDE 2.3).
    pub fn standard() -> Self {
        let mut castling = CastlingRights::NONE;
        for color in Color::ALL {
            castling.grant(color, CastlingSide::King, Square::new(File::H, home_rank(color)));
            castling.grant(color, CastlingSide::Queen, Square::new(File::A, home_rank(color)));
        }
        Self {
            board: Board::standard(),
            turn: Color::White,
            castling,
            en_passant: None,
            halfmove_clock: 0,
            move_number: 1,
            reserves: None,
        }
    }

    /// Every fault there is, of both grades. None found is no proof that a game can lead here.
    pub fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        self.find_fault_of_men(&mut faults);
        self.find_fault_of_castling(&mut faults);
        self.find_fault_of_en_passant(&mut faults);
        self.find_fault_of_checks(&mut faults);
        faults
    }

    /// Takes away every castling right without king and rook at home.
    pub fn strip_castling(&mut self) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if !self.castling_is_at_home(color, side) {
                    self.castling.revoke(color, side);
                }
            }
        }
    }

    fn find_fault_of_men(&self, faults: &mut Vec<SetupFault>) {
        for color in Color::ALL {
            match self.board.by_piece(color, Role::King).count() {
                0 => faults.push(SetupFault::NoKing { color }),
                1 => {}
                _ => faults.push(SetupFault::SeveralKings { color }),
            }
            // Two boards' men are twice as many; dropped ones say nothing of how many were promoted.
            let men_max = if self.reserves.is_some() { 32 } else { 16 };
            if self.board.by_color(color).count() > men_max {
                faults.push(SetupFault::TooManyMen { color, men_max });
            }
            let pawns = self.board.by_piece(color, Role::Pawn);
            let last_ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
            let misplaced = (pawns & last_ranks).into_iter();
            faults.extend(misplaced.map(|square| SetupFault::PawnOnLastRank { square }));
            if self.reserves.is_some() {
                continue;
            }
            if pawns.count() > 8 {
                faults.push(SetupFault::TooManyPawns { color });
            }
            if self.promoted(color) > 8_u32.saturating_sub(pawns.count()) {
                faults.push(SetupFault::TooManyPromoted { color });
            }
        }
    }

    /// How many of a side's men at least were pawns once.
    fn promoted(&self, color: Color) -> u32 {
        let bishops = self.board.by_piece(color, Role::Bishop);
        let light = bishops.into_iter().filter(|square| square.is_light()).count() as u32;
        let over = |role, at_first| self.board.by_piece(color, role).count().saturating_sub(at_first);
        over(Role::Queen, 1)
            + over(Role::Rook, 2)
            + over(Role::Knight, 2)
            + light.saturating_sub(1)
            + (bishops.count() - light).saturating_sub(1)
    }

    fn find_fault_of_castling(&self, faults: &mut Vec<SetupFault>) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if !self.castling_is_at_home(color, side) {
                    faults.push(SetupFault::CastlingNotAtHome { color, side });
                }
            }
        }
    }

    /// Whether a right is not there, or is with king and rook on their home rank, in their order.
    fn castling_is_at_home(&self, color: Color, side: CastlingSide) -> bool {
        let Some(rook) = self.castling.rook(color, side) else { return true };
        let Some(king) = self.board.king_of(color) else { return false };
        let in_order = match side {
            CastlingSide::King => king < rook,
            CastlingSide::Queen => rook < king,
        };
        self.board.piece_at(rook) == Some(Piece { color, role: Role::Rook })
            && rook.rank() == home_rank(color)
            && king.rank() == home_rank(color)
            && in_order
    }

    fn find_fault_of_en_passant(&self, faults: &mut Vec<SetupFault>) {
        let Some(passed) = self.en_passant else { return };
        let (Some(pawn), Some(start)) = self.double_step(passed) else {
            return faults.push(SetupFault::EnPassantRank { passed });
        };
        if self.board.piece_at(pawn) != Some(Piece { color: !self.turn, role: Role::Pawn }) {
            faults.push(SetupFault::EnPassantWithoutPawn { passed });
        }
        let in_the_way = [passed, start].into_iter().filter(|&square| self.board.piece_at(square).is_some());
        faults.extend(in_the_way.map(|square| SetupFault::EnPassantNotEmpty { square }));
    }

    /// Where the pawn stands that has passed this square, and where it came from.
    fn double_step(&self, passed: Square) -> (Option<Square>, Option<Square>) {
        if passed.rank() == passed_rank(!self.turn) {
            let step = (!self.turn).pawn_step();
            (passed.offset(0, step), passed.offset(0, -step))
        } else {
            (None, None)
        }
    }

    fn find_fault_of_checks(&self, faults: &mut Vec<SetupFault>) {
        let occupied = self.board.occupied();
        for king in self.board.by_piece(!self.turn, Role::King) {
            if !self.board.attackers_to(king, occupied, self.turn).is_empty() {
                faults.push(SetupFault::OpponentInCheck { color: !self.turn });
            }
        }
        let Some(king) = self.board.king_of(self.turn) else { return };
        let checkers = self.board.attackers_to(king, occupied, !self.turn);
        if checkers.count() > 2 {
            faults.push(SetupFault::TooManyCheckers);
        }
        let shares_line = |checker| (attacks::line(king, checker) & checkers).is_several();
        if checkers.into_iter().any(shares_line) {
            faults.push(SetupFault::CheckersOnOneLine);
        }
        if !self.en_passant_explains(king, checkers) {
            faults.push(SetupFault::CheckNotByDoubleStep);
        }
    }

    /// Whether the double step just made can have given these checks: with the pawn back where it came
    /// from nobody may attack the king.
    fn en_passant_explains(&self, king: Square, checkers: Bitboard) -> bool {
        let Some(passed) = self.en_passant else { return true };
        let (Some(pawn), Some(start)) = self.double_step(passed) else { return true };
        if checkers.is_empty() {
            return true;
        }
        let before = (self.board.occupied() - pawn.into()) | start.into();
        self.board.attackers_to(king, before, !self.turn).is_empty()
    }
}

/// The rank of the squares that a side's pawns pass by a double step.
const fn passed_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    }
}

/// How strictly a setup is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Every fault refuses it.
    Reachable,
    /// Only what makes play impossible refuses it.
    Playable,
}

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// No game can have led here, but play can go on from here.
    Unreachable,
    /// The Laws cannot be applied to it.
    Unplayable,
}

/// One reason why a setup is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// A side without a king.
    #[error("{color} has no king")]
    NoKing {
        /// Which side.
        color: Color,
    },
    /// A side with two kings or more.
    #[error("{color} has more than one king")]
    SeveralKings {
        /// Which side.
        color: Color,
    },
    /// More men than a side begins with.
    #[error("{color} has more than {men_max} men")]
    TooManyMen {
        /// Which side.
        color: Color,
        /// How many it begins with: 16, and on a board with reserves those of both boards.
        men_max: u32,
    },
    /// A pawn where none can stand.
    #[error("the pawn on {square} stands on a last rank")]
    PawnOnLastRank {
        /// Where the pawn stands.
        square: Square,
    },
    /// The king of the side that has just moved could be captured.
    #[error("{color} is in check, but it is the other side's move")]
    OpponentInCheck {
        /// The side in check.
        color: Color,
    },
    /// A castling right that nothing on the board bears out; [`Setup::strip_castling`] mends it.
    #[error("{color} has a right to castle on the {side}'s side without king and rook at home")]
    CastlingNotAtHome {
        /// Whose right.
        color: Color,
        /// Towards which side.
        side: CastlingSide,
    },
    /// An en-passant square that no pawn of the side that has just moved can have passed.
    #[error("{passed} lies on the wrong rank for an en-passant square")]
    EnPassantRank {
        /// The square.
        passed: Square,
    },
    /// An en-passant square without the pawn that has passed it.
    #[error("no pawn can have just passed {passed}")]
    EnPassantWithoutPawn {
        /// The square.
        passed: Square,
    },
    /// A man where the pawn that made the double step came from or passed.
    #[error("the man on {square} stands in the way of the double step just made")]
    EnPassantNotEmpty {
        /// Where the man stands.
        square: Square,
    },
    /// More pawns than a side begins with.
    #[error("{color} has more than eight pawns")]
    TooManyPawns {
        /// Which side.
        color: Color,
    },
    /// More promoted men than pawns are missing.
    #[error("{color} has more promoted men than missing pawns")]
    TooManyPromoted {
        /// Which side.
        color: Color,
    },
    /// Three men or more give check.
    #[error("no move can give check with more than two men")]
    TooManyCheckers,
    /// Two men give check along one line, the king between them.
    #[error("no move can give check from both sides of one line")]
    CheckersOnOneLine,
    /// A check that the double step just made has not given.
    #[error("the double step just made cannot have given this check")]
    CheckNotByDoubleStep,
}

impl SetupFault {
    /// Whether the fault makes play impossible.
    pub const fn grade(self) -> Grade {
        match self {
            Self::TooManyPawns { .. }
            | Self::TooManyPromoted { .. }
            | Self::TooManyCheckers
            | Self::CheckersOnOneLine
            | Self::CheckNotByDoubleStep => Grade::Unreachable,
            _ => Grade::Unplayable,
        }
    }
}

/// Why a setup was refused: every fault found, those waived included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<SetupFault>);

impl std::error::Error for SetupError {}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}
