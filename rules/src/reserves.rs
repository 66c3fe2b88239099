//! The men in hand on a board where captured men come back (Siamese chess, crazyhouse).

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::square::Square;
use std::fmt;

/// Whom the men captured on a board go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Captures {
    /// To the partner at the other board: this one knows nothing more of them
    /// ([`crate::position::Position::captured_for_reserve`] tells what he gets).
    ToPartner,
    /// To the captor himself, as in crazyhouse.
    ToCaptor,
}

/// The men in hand, and which men on the board are promoted pawns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reserves {
    /// Ten numbers of six bits: White's pawns, knights, bishops, rooks, queens, then Black's.
    men: u64,
    promoted: Bitboard,
    captures: Captures,
}

impl Reserves {
    /// The roles that can be in hand.
    pub const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// The most men of one role that a reserve holds; two sets of chessmen have fewer.
    pub const COUNT_MAX: u32 = 63;

    /// Nobody in hand, nobody promoted.
    pub const fn empty(captures: Captures) -> Self {
        Self { men: 0, promoted: Bitboard::EMPTY, captures }
    }

    /// The same men, captured ones going elsewhere.
    #[must_use]
    pub const fn with_captures(self, captures: Captures) -> Self {
        Self { captures, ..self }
    }

    /// Whom captured men go to.
    pub const fn captures(&self) -> Captures {
        self.captures
    }

    /// How many men of a role a side has in hand; of kings none.
    pub const fn count(&self, color: Color, role: Role) -> u32 {
        match Self::shift(color, role) {
            Some(shift) => (self.men >> shift & Self::COUNT_MAX as u64) as u32,
            None => 0,
        }
    }

    /// Gives a side a man. A king, or more than [`Self::COUNT_MAX`] of a role, are not taken in.
    pub const fn add(&mut self, color: Color, role: Role) {
        if let Some(shift) = Self::shift(color, role)
            && self.count(color, role) < Self::COUNT_MAX
        {
            self.men += 1 << shift;
        }
    }

    /// Takes a man out of a side's hand; whether there was one.
    pub const fn take(&mut self, color: Color, role: Role) -> bool {
        match Self::shift(color, role) {
            Some(shift) if self.count(color, role) > 0 => {
                self.men -= 1 << shift;
                true
            }
            _ => false,
        }
    }

    /// Whether nobody is in any hand.
    pub const fn is_empty(&self) -> bool {
        self.men == 0
    }

    /// Every man in a side's hand, pawns first.
    pub fn men(&self, color: Color) -> impl Iterator<Item = Role> {
        Self::ROLES
            .into_iter()
            .flat_map(move |role| std::iter::repeat_n(role, self.count(color, role) as usize))
    }

    /// The squares of the men that are promoted pawns: captured, they are pawns again.
    pub const fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Marks the man on a square as a promoted pawn.
    pub const fn mark_promoted(&mut self, square: Square) {
        self.promoted.insert(square);
    }

    /// The mark goes with the man from one square to the next; a captured man's is gone.
    pub(crate) const fn move_mark(&mut self, from: Square, to: Square) {
        let moved = self.promoted.contains(from);
        self.promoted.remove(from);
        self.promoted.remove(to);
        if moved {
            self.promoted.insert(to);
        }
    }

    /// Takes the mark off a square.
    pub(crate) const fn clear_mark(&mut self, square: Square) {
        self.promoted.remove(square);
    }

    /// All that two reserves of one board can differ by.
    pub(crate) const fn fingerprint(&self) -> (u64, u64) {
        (self.men, self.promoted.0)
    }

    const fn shift(color: Color, role: Role) -> Option<u32> {
        match role {
            Role::King => None,
            role => Some(6 * (5 * color as u32 + role as u32)),
        }
    }
}

impl fmt::Debug for Reserves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_hand = |color| self.men(color).map(Role::letter).collect::<String>();
        f.debug_struct("Reserves")
            .field("white", &in_hand(Color::White))
            .field("black", &in_hand(Color::Black))
            .field("promoted", &self.promoted)
            .field("captures", &self.captures)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l12_each_side_has_its_own_men_of_each_role() {
        let mut reserves = Reserves::empty(Captures::ToCaptor);
        for (index, role) in Reserves::ROLES.into_iter().enumerate() {
            (0..=index).for_each(|_| reserves.add(Color::White, role));
            reserves.add(Color::Black, role);
        }
        reserves.add(Color::White, Role::King);
        let counts = |color| Reserves::ROLES.map(|role| reserves.count(color, role));
        assert_eq!((counts(Color::White), counts(Color::Black)), ([1, 2, 3, 4, 5], [1; 5]));
        assert_eq!(reserves.count(Color::White, Role::King), 0);
        assert!(reserves.take(Color::Black, Role::Queen) && !reserves.take(Color::Black, Role::Queen));
        assert!(!reserves.take(Color::White, Role::King));
        assert_eq!(reserves.men(Color::Black).collect::<Vec<_>>(), Reserves::ROLES[..4]);
    }

    #[test]
    fn a_reserve_holds_so_many_men_and_no_more() {
        let mut reserves = Reserves::empty(Captures::ToPartner);
        (0..100).for_each(|_| reserves.add(Color::Black, Role::Pawn));
        assert_eq!(reserves.count(Color::Black, Role::Pawn), Reserves::COUNT_MAX);
        assert_eq!(reserves.count(Color::Black, Role::Knight), 0);
    }
}
