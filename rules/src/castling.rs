//! Who may still castle with which rook (FIDE 3.8.2): the *right*, whatever bars it at the moment.

use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    rooks: ByColor<[Option<Square>; 2]>,
}

impl CastlingRights {
    /// No right on either side.
    pub const NONE: Self = Self { rooks: ByColor { white: [None; 2], black: [None; 2] } };

    /// The rook a side may castle with, if the right is there.
    pub fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rooks[color][side as usize]
    }

    /// Grants the right with the rook on `rook`.
    pub fn grant(&mut self, color: Color, side: CastlingSide, rook: Square) {
        self.rooks[color][side as usize] = Some(rook);
    }

    /// Takes one right away.
    pub fn revoke(&mut self, color: Color, side: CastlingSide) {
        self.rooks[color][side as usize] = None;
    }

    /// Takes both rights of a side away: its king has moved.
    pub fn revoke_all(&mut self, color: Color) {
        self.rooks[color] = [None; 2];
    }

    /// Takes away the right that rests on the rook of `square`: it has moved or was captured.
    pub fn revoke_rook(&mut self, square: Square) {
        for color in Color::ALL {
            for right in &mut self.rooks[color] {
                if *right == Some(square) {
                    *right = None;
                }
            }
        }
    }

    /// The squares of all rooks that a right rests on.
    pub fn rooks(self) -> Bitboard {
        Color::ALL.into_iter().flat_map(|color| self.rooks[color]).flatten().collect()
    }

    /// Whether a side has any right.
    pub fn has_any(self, color: Color) -> bool {
        self.rooks[color] != [None; 2]
    }

    /// Whether nobody may castle.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }
}
