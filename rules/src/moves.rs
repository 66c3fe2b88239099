//! A move, and the list of those that a position allows.
//!
//! A [`Move`] fits in 16 bits: six for each square, four for what is special about it. Castling is
//! held as the king taking his own rook, which is unambiguous in Chess960 too; how a move is *written*
//! is the business of [`crate::notation`].

use crate::castling::CastlingSide;
use crate::piece::Role;
use crate::square::Square;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// From one square to another, capturing what stands there.
    Normal,
    /// A pawn captures one that has just passed beside it (FIDE 3.7.3.1).
    EnPassant,
    /// King and rook move together (FIDE 3.8.2); the move goes from the king's square to the rook's.
    Castle,
    /// A pawn reaches the last rank and becomes this (FIDE 3.7.3.3); never a pawn or a king.
    Promotion(Role),
    /// A man from the reserve is put on an empty square (Siamese chess, crazyhouse); never a king. The move
    /// has one square only, from which it also "comes".
    Drop(Role),
}

/// A move as an intent: whether it is legal is for a position to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Bits that stand for no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:#06x} stands for no move")]
pub struct NoMove(pub u16);

impl Move {
    const EN_PASSANT: u16 = 1;
    const CASTLE: u16 = 2;
    const PROMOTION_KNIGHT: u16 = 4;
    const PROMOTION_QUEEN: u16 = 7;
    const DROP_PAWN: u16 = 8;
    const DROP_QUEEN: u16 = 12;

    const fn pack(from: Square, to: Square, kind: u16) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | kind << 12)
    }

    /// A move without anything special, a capture included.
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0)
    }

    /// A capture en passant, from the pawn's square to the one that was passed.
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, Self::EN_PASSANT)
    }

    /// Castling, from the king's square to his rook's.
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, Self::CASTLE)
    }

    /// A promotion, or none when a pawn cannot become `role`.
    pub const fn promotion(from: Square, to: Square, role: Role) -> Option<Self> {
        match role {
            Role::Pawn | Role::King => None,
            role => Some(Self::pack(from, to, Self::PROMOTION_KNIGHT + role as u16 - Role::Knight as u16)),
        }
    }

    /// A man from the reserve put on a square, or none for a king.
    pub const fn drop(role: Role, to: Square) -> Option<Self> {
        match role {
            Role::King => None,
            role => Some(Self::pack(to, to, Self::DROP_PAWN + role as u16)),
        }
    }

    /// The square it leaves; the king's when castling, the one a dropped man is put on.
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0)
    }

    /// The square it goes to; the castling rook's when castling.
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0 >> 6)
    }

    /// What is special about it.
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            Self::EN_PASSANT => MoveKind::EnPassant,
            Self::CASTLE => MoveKind::Castle,
            Self::PROMOTION_KNIGHT => MoveKind::Promotion(Role::Knight),
            5 => MoveKind::Promotion(Role::Bishop),
            6 => MoveKind::Promotion(Role::Rook),
            Self::PROMOTION_QUEEN => MoveKind::Promotion(Role::Queen),
            Self::DROP_PAWN => MoveKind::Drop(Role::Pawn),
            9 => MoveKind::Drop(Role::Knight),
            10 => MoveKind::Drop(Role::Bishop),
            11 => MoveKind::Drop(Role::Rook),
            Self::DROP_QUEEN => MoveKind::Drop(Role::Queen),
            _ => MoveKind::Normal,
        }
    }

    /// What a pawn becomes by it.
    pub const fn promoted(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// What is dropped by it.
    pub const fn dropped(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Drop(role) => Some(role),
            _ => None,
        }
    }

    /// Whether there is nothing special about it: the question asked of every move played.
    pub(crate) const fn is_normal(self) -> bool {
        self.0 >> 12 == 0
    }

    /// Towards which side it castles, if it does.
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.kind() == MoveKind::Castle)
            .then(|| if self.to() > self.from() { CastlingSide::King } else { CastlingSide::Queen })
    }

    /// All of it, as the wire and the journal hold it.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move that `bits` stand for.
    ///
    /// # Errors
    /// [`NoMove`] when the kind is unknown, or the move goes nowhere and is no drop.
    pub const fn from_bits(bits: u16) -> Result<Self, NoMove> {
        let goes_somewhere = (bits & 63) != (bits >> 6 & 63);
        match bits >> 12 {
            0..=Self::CASTLE | Self::PROMOTION_KNIGHT..=Self::PROMOTION_QUEEN if goes_somewhere => {
                Ok(Self(bits))
            }
            Self::DROP_PAWN..=Self::DROP_QUEEN if !goes_somewhere => Ok(Self(bits)),
            _ => Err(NoMove(bits)),
        }
    }
}

impl fmt::Debug for Move {
    /// For a log: both squares and what is special. No notation: that needs a position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let MoveKind::Drop(role) = self.kind() {
            return write!(f, "{}@{}", role.letter(), self.to());
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal | MoveKind::Drop(_) => Ok(()),
            MoveKind::EnPassant => f.write_str(" en passant"),
            MoveKind::Castle => f.write_str(" castling"),
            MoveKind::Promotion(role) => write!(f, " = {}", role.letter()),
        }
    }
}

#[cfg(feature = "bincode")]
impl bincode::Encode for Move {
    fn encode<E: bincode::enc::Encoder>(&self, encoder: &mut E) -> Result<(), bincode::error::EncodeError> {
        self.0.encode(encoder)
    }
}

#[cfg(feature = "bincode")]
impl<Context> bincode::Decode<Context> for Move {
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        Self::from_bits(u16::decode(decoder)?)
            .map_err(|error| bincode::error::DecodeError::OtherString(error.to_string()))
    }
}

#[cfg(feature = "bincode")]
bincode::impl_borrow_decode!(Move);

/// The legal moves of a position, in no promised order: a slice of moves that needs no allocation.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::MOVES_MAX],
    count: usize,
}

impl MoveList {
    /// As many as no position has.
    ///
    /// A side's men without drops are 16 at most: 15 of them with the 27 moves of a queen and a king with
    /// 10 have 415. With drops: `m` men have 27 moves each, but no square is reached from more than eight
    /// sides, so that (knights apart, who have eight moves each) `64 - m` squares are reached `8 (64 - m)`
    /// times, and each may have five drops. The two bounds meet below 650; that a pawn's arrival on a last
    /// rank counts four times adds 72.
    const MOVES_MAX: usize = 736;

    /// No move.
    pub const fn new() -> Self {
        Self { moves: [Move(0); Self::MOVES_MAX], count: 0 }
    }

    /// Adds a move. None is added to a full list, which no position fills.
    pub fn push(&mut self, mv: Move) {
        if let Some(free) = self.moves.get_mut(self.count) {
            *free = mv;
            self.count += 1;
        }
    }

    /// The moves.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count.min(Self::MOVES_MAX)]
    }

    /// Keeps the moves for which `keep` says so, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&Move) -> bool) {
        let all = std::mem::replace(&mut self.count, 0);
        for index in 0..all {
            let mv = self.moves[index];
            if keep(&mv) {
                self.push(mv);
            }
        }
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.count.min(Self::MOVES_MAX)]
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let mut list = Self::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, { Self::MOVES_MAX }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.count)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_gives_back_what_it_was_made_of() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let promotions = Role::PROMOTIONS.map(|role| Move::promotion(from, to, role).unwrap());
                let others = [Move::normal(from, to), Move::en_passant(from, to), Move::castle(from, to)];
                for mv in promotions.into_iter().chain(others) {
                    assert_eq!((mv.from(), mv.to()), (from, to));
                    assert_eq!(Move::from_bits(mv.bits()), Ok(mv));
                }
            }
        }
    }

    #[test]
    fn l12_a_drop_gives_back_what_it_was_made_of() {
        for to in Square::all() {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
                let mv = Move::drop(role, to).unwrap();
                assert_eq!((mv.to(), mv.kind(), mv.dropped()), (to, MoveKind::Drop(role), Some(role)));
                assert_eq!(Move::from_bits(mv.bits()), Ok(mv));
            }
            assert_eq!(Move::drop(Role::King, to), None);
        }
    }

    #[test]
    fn a_list_is_a_slice_and_takes_no_more_than_fit() {
        let mv = Move::normal("a1".parse().unwrap(), "a2".parse().unwrap());
        let other = Move::normal("a1".parse().unwrap(), "a3".parse().unwrap());
        let mut list: MoveList = [mv, other, mv].into_iter().collect();
        assert_eq!(list.as_slice(), [mv, other, mv]);
        list.retain(|&kept| kept == mv);
        assert_eq!((list.len(), list.contains(&other)), (2, false));
        (0..2 * MoveList::MOVES_MAX).for_each(|_| list.push(other));
        assert_eq!(list.into_iter().filter(|&mv| mv == other).count(), MoveList::MOVES_MAX - 2);
    }

    #[test]
    fn only_moves_have_bits() {
        let moves = (0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_ok()).count();
        assert_eq!(moves, 64 * 63 * 7 + 64 * 5);
        assert_eq!(Move::promotion("a7".parse().unwrap(), "a8".parse().unwrap(), Role::King), None);
    }
}
