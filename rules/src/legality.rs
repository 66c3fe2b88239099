//! Whether one move is legal, and which law it breaks if not (FIDE 3.10).

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingPath, CastlingSide, home_rank};
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::position::{Position, pawn_rank};
use crate::square::Square;

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum IllegalMove {
    /// It leaves an empty square.
    #[error("there is no man on {from}")]
    NoMan {
        /// The empty square.
        from: Square,
    },
    /// It moves a man of the side that is not to move.
    #[error("the {} on {from} is not {turn}'s", .role.name())]
    OpponentsMan {
        /// Where the man stands.
        from: Square,
        /// What it is.
        role: Role,
        /// Whose move it is.
        turn: Color,
    },
    /// The man does not move like that on any board.
    #[error("a {} does not move from {from} to {to}", .role.name())]
    NotItsMove {
        /// What it is.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// It ends on a man of its own colour.
    #[error("{to} is held by a man of the same colour")]
    OwnMan {
        /// The square.
        to: Square,
    },
    /// It passes over a man, or a pawn runs into one.
    #[error("the man on {by} stands in the way")]
    Blocked {
        /// Where that man stands.
        by: Square,
    },
    /// It would capture a king.
    #[error("the king on {to} is never captured")]
    CapturesKing {
        /// Where that king stands.
        to: Square,
    },
    /// A pawn moves diagonally to a square with nothing to capture.
    #[error("the pawn has nothing to capture on {to}")]
    NothingToCapture {
        /// The empty square.
        to: Square,
    },
    /// No pawn has just passed this square by a double step.
    #[error("no pawn has just passed {to}")]
    NoEnPassant {
        /// The square.
        to: Square,
    },
    /// A pawn reaches the last rank without becoming anything.
    #[error("the pawn must become a queen, rook, bishop or knight on {to}")]
    PromotionMissing {
        /// The square it reaches.
        to: Square,
    },
    /// A man that is no pawn on its last rank becomes another.
    #[error("nothing is promoted on {to}")]
    PromotionElsewhere {
        /// Where it was to go.
        to: Square,
    },
    /// A king goes to an attacked square.
    #[error("{to} is attacked by the man on {by}")]
    KingIntoAttack {
        /// Where the king was to go.
        to: Square,
        /// One attacker.
        by: Square,
    },
    /// The king stays in check.
    #[error("the check by the man on {by} is not met")]
    CheckNotMet {
        /// One checker.
        by: Square,
    },
    /// It uncovers an attack on the own king.
    #[error("the move uncovers an attack on the own king by the man on {by}")]
    Pinned {
        /// One attacker.
        by: Square,
    },
    /// The king or that rook has moved, or the rook was captured.
    #[error("the right to castle on the {side}'s side is lost")]
    CastlingLost {
        /// Towards which side.
        side: CastlingSide,
    },
    /// A man stands where the king or the rook has to pass or to end.
    #[error("the man on {by} bars castling")]
    CastlingBlocked {
        /// Where that man stands.
        by: Square,
    },
    /// The king is in check.
    #[error("the king is in check by the man on {by} and cannot castle")]
    CastlingInCheck {
        /// One checker.
        by: Square,
    },
    /// The king passes or reaches an attacked square.
    #[error("the king cannot castle: {square} is attacked by the man on {by}")]
    CastlingThroughAttack {
        /// The attacked square.
        square: Square,
        /// One attacker.
        by: Square,
    },
    /// A man is dropped whom the side has not in hand.
    #[error("no {} is in hand to be dropped", .role.name())]
    NotInHand {
        /// What was to be dropped.
        role: Role,
    },
    /// A man is dropped onto another.
    #[error("a man is dropped on an empty square only, and {to} is not")]
    DropOntoMan {
        /// The square.
        to: Square,
    },
    /// A pawn is dropped on the first or the last rank.
    #[error("no pawn is dropped on {to}, on a last rank")]
    DropOntoLastRank {
        /// The square.
        to: Square,
    },
}

impl IllegalMove {
    /// The article of the FIDE Laws (2023) that the move breaks.
    pub const fn article(self) -> &'static str {
        self.law().1
    }

    /// The row of our table of laws that the move breaks: `L05`.
    pub const fn row(self) -> &'static str {
        self.law().0
    }

    const fn law(self) -> (&'static str, &'static str) {
        match self {
            Self::NoMan { .. } | Self::OpponentsMan { .. } => ("L02", "1.2"),
            Self::OwnMan { .. } => ("L03", "3.1.1"),
            Self::CapturesKing { .. } => ("L03", "1.4.1"),
            Self::NotItsMove { role, .. } => match role {
                Role::Pawn => ("L04", "3.7"),
                Role::Knight => ("L03", "3.6"),
                Role::Bishop => ("L03", "3.2"),
                Role::Rook => ("L03", "3.3"),
                Role::Queen => ("L03", "3.4"),
                Role::King => ("L07", "3.8"),
            },
            Self::Blocked { .. } => ("L03", "3.5"),
            Self::NothingToCapture { .. } => ("L04", "3.7.3"),
            Self::NoEnPassant { .. } => ("L05", "3.7.3.1"),
            Self::PromotionMissing { .. } | Self::PromotionElsewhere { .. } => ("L06", "3.7.3.3"),
            Self::KingIntoAttack { .. } => ("L07", "3.9.2"),
            Self::CheckNotMet { .. } | Self::Pinned { .. } => ("L09", "3.9.2"),
            Self::NotInHand { .. } | Self::DropOntoMan { .. } | Self::DropOntoLastRank { .. } => {
                ("L12", "bughouse")
            }
            Self::CastlingLost { .. } => ("L08", "3.8.2.1"),
            Self::CastlingInCheck { .. } | Self::CastlingThroughAttack { .. } => ("L08", "3.8.2.2.1"),
            Self::CastlingBlocked { .. } => ("L08", "3.8.2.2.2"),
        }
    }
}

impl Position {
    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`IllegalMove`] says which law it breaks; the position is then as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.judge(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.judge(mv).is_ok()
    }

    /// Judges a move without playing it.
    ///
    /// # Errors
    /// [`IllegalMove`] says which law it breaks.
    pub fn judge(&self, mv: Move) -> Result<(), IllegalMove> {
        if let MoveKind::Drop(role) = mv.kind() {
            return self.judge_drop(role, mv.to());
        }
        let (from, to) = (mv.from(), mv.to());
        let Some(Piece { color, role }) = self.board().piece_at(from) else {
            return Err(IllegalMove::NoMan { from });
        };
        if color != self.turn() {
            return Err(IllegalMove::OpponentsMan { from, role, turn: self.turn() });
        }
        if let Some(side) = mv.castling_side() {
            return self.judge_castling(role, mv, side);
        }
        match self.board().piece_at(to) {
            Some(piece) if piece.color == color => return Err(IllegalMove::OwnMan { to }),
            Some(piece) if piece.role == Role::King => return Err(IllegalMove::CapturesKing { to }),
            _ => {}
        }
        match (role, mv.kind()) {
            (Role::Pawn, _) => self.judge_pawn(mv)?,
            (_, MoveKind::Normal) => self.judge_piece(role, mv)?,
            (_, MoveKind::Promotion(_)) => return Err(IllegalMove::PromotionElsewhere { to }),
            _ => return Err(IllegalMove::NotItsMove { role, from, to }),
        }
        self.judge_safety(role, mv)
    }

    fn judge_piece(&self, role: Role, mv: Move) -> Result<(), IllegalMove> {
        let (from, to) = (mv.from(), mv.to());
        if !attacks::of(self.turn(), role, from, Bitboard::EMPTY).contains(to) {
            return Err(IllegalMove::NotItsMove { role, from, to });
        }
        match (attacks::between(from, to) & self.board().occupied()).first() {
            Some(by) if role != Role::Knight => Err(IllegalMove::Blocked { by }),
            _ => Ok(()),
        }
    }

    fn judge_pawn(&self, mv: Move) -> Result<(), IllegalMove> {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        if attacks::pawn(us, from).contains(to) {
            self.judge_pawn_capture(mv)?;
        } else {
            self.judge_pawn_advance(mv)?;
        }
        match (mv.kind(), to.rank() == home_rank(!us)) {
            (MoveKind::Promotion(_), false) => Err(IllegalMove::PromotionElsewhere { to }),
            (MoveKind::Normal | MoveKind::EnPassant, true) => Err(IllegalMove::PromotionMissing { to }),
            _ => Ok(()),
        }
    }

    fn judge_pawn_capture(&self, mv: Move) -> Result<(), IllegalMove> {
        let to = mv.to();
        if mv.kind() == MoveKind::EnPassant {
            let is_passed = self.en_passant() == Some(to) && self.board().piece_at(to).is_none();
            return if is_passed { Ok(()) } else { Err(IllegalMove::NoEnPassant { to }) };
        }
        if self.board().piece_at(to).is_some() { Ok(()) } else { Err(IllegalMove::NothingToCapture { to }) }
    }

    fn judge_pawn_advance(&self, mv: Move) -> Result<(), IllegalMove> {
        let (us, from, to) = (self.turn(), mv.from(), mv.to());
        let not_its_move = IllegalMove::NotItsMove { role: Role::Pawn, from, to };
        let single = from.offset(0, us.pawn_step()).ok_or(not_its_move)?;
        let double = single.offset(0, us.pawn_step()).filter(|_| from.rank() == pawn_rank(us));
        if mv.kind() == MoveKind::EnPassant || (to != single && Some(to) != double) {
            return Err(not_its_move);
        }
        match [single, to].into_iter().find(|&square| self.board().piece_at(square).is_some()) {
            Some(by) => Err(IllegalMove::Blocked { by }),
            None => Ok(()),
        }
    }

    /// Whether the own king is unattacked once the men stand as after the move (FIDE 3.9.2).
    fn judge_safety(&self, role: Role, mv: Move) -> Result<(), IllegalMove> {
        let (from, to) = (mv.from(), mv.to());
        let captured = match mv.kind() {
            MoveKind::EnPassant => Square::new(to.file(), from.rank()),
            _ => to,
        };
        let after = (self.board().occupied() - from.into() - captured.into()) | to.into();
        let Some(king) = (if role == Role::King { Some(to) } else { self.board().king_of(self.turn()) })
        else {
            return Ok(());
        };
        // The mover makes its target count as held, so a man captured there has to be left out.
        let attackers = self.board().attackers_to(king, after, !self.turn()) - to.into();
        match attackers.first() {
            None => Ok(()),
            Some(by) if role == Role::King => Err(IllegalMove::KingIntoAttack { to, by }),
            Some(by) if self.checkers().contains(by) => Err(IllegalMove::CheckNotMet { by }),
            Some(by) => Err(IllegalMove::Pinned { by }),
        }
    }

    /// Whether a man in hand may be put on a square (L12).
    fn judge_drop(&self, role: Role, to: Square) -> Result<(), IllegalMove> {
        if self.reserves().is_none_or(|reserves| reserves.count(self.turn(), role) == 0) {
            return Err(IllegalMove::NotInHand { role });
        }
        if self.board().piece_at(to).is_some() {
            return Err(IllegalMove::DropOntoMan { to });
        }
        if role == Role::Pawn
            && (to.rank() == home_rank(Color::White) || to.rank() == home_rank(Color::Black))
        {
            return Err(IllegalMove::DropOntoLastRank { to });
        }
        let Some(king) = self.board().king_of(self.turn()) else { return Ok(()) };
        let after = self.board().occupied() | to.into();
        match self.board().attackers_to(king, after, !self.turn()).first() {
            Some(by) => Err(IllegalMove::CheckNotMet { by }),
            None => Ok(()),
        }
    }

    fn judge_castling(&self, role: Role, mv: Move, side: CastlingSide) -> Result<(), IllegalMove> {
        let (king, rook) = (mv.from(), mv.to());
        if role != Role::King {
            return Err(IllegalMove::NotItsMove { role, from: king, to: rook });
        }
        if self.castling().rook(self.turn(), side) != Some(rook) {
            return Err(IllegalMove::CastlingLost { side });
        }
        let path = CastlingPath::new(self.turn(), king, rook, side);
        if let Some(by) = (path.to_be_empty & self.board().occupied()).first() {
            return Err(IllegalMove::CastlingBlocked { by });
        }
        if let Some(by) = self.checkers().first() {
            return Err(IllegalMove::CastlingInCheck { by });
        }
        for square in path.to_be_safe {
            if let Some(by) = self.attackers_on_castling_path(square, king, rook).first() {
                return Err(IllegalMove::CastlingThroughAttack { square, by });
            }
        }
        Ok(())
    }

    /// The rook is judged as gone from its square: in Chess960 it may have been what shielded the king.
    fn attackers_on_castling_path(&self, square: Square, king: Square, rook: Square) -> Bitboard {
        let without_both = self.board().occupied() - king.into() - rook.into();
        self.board().attackers_to(square, without_both, !self.turn())
    }
}
