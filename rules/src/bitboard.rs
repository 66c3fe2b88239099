//! A set of squares in 64 bits.

use crate::square::{File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

/// A set of squares; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);

    /// One square.
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The eight squares of a file.
    pub const fn from_file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file.index())
    }

    /// The eight squares of a rank.
    pub const fn from_rank(rank: Rank) -> Self {
        Self(0xff << (8 * rank.index()))
    }

    /// Whether `square` is in it.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & 1 << square.index() != 0
    }

    /// Whether it has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has at least one square in common with `other`.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// How many squares it has.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has two squares or more.
    pub const fn is_several(self) -> bool {
        !self.without_first().is_empty()
    }

    /// Its first square, counted from a1.
    pub const fn first(self) -> Option<Square> {
        // Asked first, so that counting zeros need not care for a set without any.
        if self.0 == 0 { None } else { Square::from_index(self.0.trailing_zeros() as usize) }
    }

    /// All its squares but the first.
    #[must_use]
    pub(crate) const fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// Its last square, counted from a1.
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Square::from_index(63 - self.0.leading_zeros() as usize) }
    }

    /// Adds a square.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Takes a square out.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident $operator:tt) => {
        impl $trait for Bitboard {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }

        impl $assign_trait for Bitboard {
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0 $operator other.0;
            }
        }
    };
}
operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;

    /// The squares of `self` that are not in `other`.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::from_square(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = self.0.without_first();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_squares_in_order() {
        let squares: Vec<Square> = ["a1", "d4", "h8"].iter().map(|text| text.parse().unwrap()).collect();
        let set: Bitboard = squares.iter().rev().copied().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!((set.first(), set.last()), (Some(squares[0]), Some(squares[2])));
        assert!(set.is_several() && !Bitboard::from_square(squares[1]).is_several());
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.last(), None);
    }
}
