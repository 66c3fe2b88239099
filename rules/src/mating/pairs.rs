//! Sets of pairs of squares: where both kings may stand at once.

use crate::bitboard::Bitboard;
use crate::square::Square;

/// For every square of the one king, the squares of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pairs(pub(super) [Bitboard; 64]);

impl Pairs {
    pub(super) const NONE: Self = Self([Bitboard::EMPTY; 64]);

    pub(super) fn single(one: Square, other: Square) -> Self {
        let mut pairs = Self::NONE;
        pairs.0[one.index()] = other.into();
        pairs
    }

    pub(super) fn is_empty(&self) -> bool {
        self.others().is_empty()
    }

    pub(super) fn contains(&self, one: Square, other: Square) -> bool {
        self.0[one.index()].contains(other)
    }

    /// All squares of the other king, wherever the one is.
    pub(super) fn others(&self) -> Bitboard {
        self.0.iter().fold(Bitboard::EMPTY, |set, &others| set | others)
    }

    /// Every square of the one king that has squares of the other, with those.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Square, Bitboard)> {
        Square::all().zip(self.0.iter().copied()).filter(|(_, others)| !others.is_empty())
    }

    /// The same with other squares for each square of the one king.
    pub(super) fn map(&self, mut change: impl FnMut(Square, Bitboard) -> Bitboard) -> Self {
        let mut changed = Self::NONE;
        for (one, others) in self.rows() {
            changed.0[one.index()] = change(one, others);
        }
        changed
    }

    /// Adds what is not among these yet, and returns that.
    pub(super) fn add(&mut self, more: &Self) -> Self {
        let mut new = Self::NONE;
        for ((had, more), new) in self.0.iter_mut().zip(more.0).zip(&mut new.0) {
            *new = more - *had;
            *had |= more;
        }
        new
    }

    /// The same pairs with the kings in the other order: a 64 by 64 matrix of bits transposed, by swapping
    /// quarters, then quarters of quarters.
    pub(super) fn transposed(&self) -> Self {
        let mut rows = *self;
        let (mut width, mut low) = (32, 0x0000_0000_ffff_ffff_u64);
        while width > 0 {
            for block in rows.0.chunks_exact_mut(2 * width) {
                let (upper, lower) = block.split_at_mut(width);
                for (upper, lower) in upper.iter_mut().zip(lower) {
                    let swapped = (upper.0 >> width ^ lower.0) & low;
                    upper.0 ^= swapped << width;
                    lower.0 ^= swapped;
                }
            }
            width /= 2;
            low ^= low << width;
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_pairs_are_the_same_pairs_in_the_other_order() {
        let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
        let pairs = Pairs::NONE.0.map(|_| {
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            Bitboard(noise)
        });
        let pairs = Pairs(pairs);
        let transposed = pairs.transposed();
        for one in Square::all() {
            for other in Square::all() {
                assert_eq!(pairs.contains(one, other), transposed.contains(other, one));
            }
        }
    }
}
