//! Who may still castle with which rook (FIDE 3.8.2): the *right*, whatever bars it at the moment.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::square::{File, Rank, Square};
use std::fmt;

/// Towards which side of the board a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum CastlingSide {
    /// Towards the h-file: the king ends on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both, the king's side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::King => Self::Queen,
            Self::Queen => Self::King,
        }
    }

    /// Where the king ends.
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::new(File::G, home_rank(color)),
            Self::Queen => Square::new(File::C, home_rank(color)),
        }
    }

    /// Where the rook ends.
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::new(File::F, home_rank(color)),
            Self::Queen => Square::new(File::D, home_rank(color)),
        }
    }
}

impl fmt::Display for CastlingSide {
    /// `king` or `queen`, as in a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::King => "king",
            Self::Queen => "queen",
        })
    }
}

/// The rank a side's men begin on.
pub const fn home_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    }
}

/// The rooks that each king may still castle with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// The index of each rook's square, White's king's side first; [`NO_ROOK`] without the right.
    rooks: [u8; 4],
}

const NO_ROOK: u8 = 64;

impl CastlingRights {
    /// No right on either side.
    pub const NONE: Self = Self { rooks: [NO_ROOK; 4] };

    /// The rook a side may castle with, if the right is there.
    pub fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        Square::from_index(self.rooks[slot(color, side)].into())
    }

    /// Grants the right with the rook on `rook`.
    pub fn grant(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.rooks[slot(color, side)] = rook.index() as u8;
    }

    /// Takes one right away.
    pub fn revoke(&mut self, color: Color, side: CastlingSide) {
        self.rooks[slot(color, side)] = NO_ROOK;
    }

    /// Takes both rights of a side away: its king has moved.
    pub fn revoke_all(&mut self, color: Color) {
        for side in CastlingSide::ALL {
            self.revoke(color, side);
        }
    }

    /// Takes away the right that rests on the rook of `square`: it has moved or was captured.
    pub fn revoke_rook(&mut self, square: Square) {
        self.rooks = self.rooks.map(|rook| if rook == square.index() as u8 { NO_ROOK } else { rook });
    }

    /// The squares of all rooks that a right rests on.
    pub fn rooks(self) -> Bitboard {
        self.rooks.into_iter().filter_map(|rook| Square::from_index(rook.into())).collect()
    }

    /// Whether a side has any right.
    pub fn has_any(self, color: Color) -> bool {
        CastlingSide::ALL.into_iter().any(|side| self.rooks[slot(color, side)] != NO_ROOK)
    }

    /// Whether nobody may castle.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// For each right the index of its rook's square, 64 for one that is not there.
    pub(crate) const fn indices(self) -> [u8; 4] {
        self.rooks
    }
}

impl Default for CastlingRights {
    fn default() -> Self {
        Self::NONE
    }
}

const fn slot(color: Color, side: CastlingSide) -> usize {
    2 * color as usize + side as usize
}

/// The squares that matter to a castling (FIDE 3.8.2.2, G.II.3.2).
pub(crate) struct CastlingPath {
    /// Passed or reached by the king or the rook, but for the squares these two stand on.
    pub(crate) to_be_empty: Bitboard,
    /// Passed or reached by the king.
    pub(crate) to_be_safe: Bitboard,
}

impl CastlingPath {
    pub(crate) fn new(color: Color, king: Square, rook: Square, side: CastlingSide) -> Self {
        let (king_target, rook_target) = (side.king_target(color), side.rook_target(color));
        let king_path = attacks::between(king, king_target) | king_target.into();
        let rook_path = attacks::between(rook, rook_target) | rook_target.into();
        Self {
            to_be_empty: (king_path | rook_path) - king.into() - rook.into(),
            to_be_safe: king_path | king.into(),
        }
    }
}
