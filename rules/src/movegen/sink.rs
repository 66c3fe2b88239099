//! What becomes of the moves that the generator finds: listed, counted, or only asked after.

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::square::Square;

/// Who takes the moves.
pub(crate) trait Sink {
    /// A man that is no pawn may go from a square to each of these.
    fn steps(&mut self, from: Square, targets: Bitboard);
    /// Where pawns may go without a promotion.
    fn pawn_steps(&mut self, arrivals: &PawnArrivals);
    /// Where pawns arrive on the last rank and become one of four.
    fn promotions(&mut self, arrivals: &PawnArrivals);
    /// A man in hand may be put on each of these.
    fn drops(&mut self, role: Role, targets: Bitboard);
    /// A castling or a capture en passant.
    fn special(&mut self, mv: Move);
    /// Whether it has heard enough.
    fn is_content(&self) -> bool {
        false
    }
}

/// The squares that pawns arrive on, by how they come there.
pub(crate) struct PawnArrivals {
    pub(super) single: Bitboard,
    pub(super) double: Bitboard,
    pub(super) west: Bitboard,
    pub(super) east: Bitboard,
    /// By how much a single step changes a square's index.
    pub(super) ahead: i8,
}

impl PawnArrivals {
    /// Every arrival, with the square it comes from.
    fn each(&self, mut visit: impl FnMut(Square, Square)) {
        let ahead = self.ahead;
        let ways =
            [(self.single, ahead), (self.double, 2 * ahead), (self.west, ahead - 1), (self.east, ahead + 1)];
        for (arrivals, step) in ways {
            arrivals.into_iter().for_each(|to| visit(to.back(step), to));
        }
    }

    fn is_empty(&self) -> bool {
        (self.single | self.double | self.west | self.east).is_empty()
    }

    #[inline]
    pub(super) fn on(&self, squares: Bitboard) -> Self {
        Self {
            single: self.single & squares,
            double: self.double & squares,
            west: self.west & squares,
            east: self.east & squares,
            ..*self
        }
    }
}

impl Sink for MoveList {
    #[inline]
    fn steps(&mut self, from: Square, targets: Bitboard) {
        targets.into_iter().for_each(|to| self.push(Move::normal(from, to)));
    }

    #[inline]
    fn pawn_steps(&mut self, arrivals: &PawnArrivals) {
        arrivals.each(|from, to| self.push(Move::normal(from, to)));
    }

    fn promotions(&mut self, arrivals: &PawnArrivals) {
        arrivals.each(|from, to| {
            let promotions = Role::PROMOTIONS.into_iter();
            promotions.filter_map(|role| Move::promotion(from, to, role)).for_each(|mv| self.push(mv));
        });
    }

    fn drops(&mut self, role: Role, targets: Bitboard) {
        targets.into_iter().filter_map(|to| Move::drop(role, to)).for_each(|mv| self.push(mv));
    }

    fn special(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves.
///
/// Counting the squares of each set would be a quarter of all work where the processor has no instruction
/// for it. So all squares are counted side by side, as columns of binary digits: `ones` has the squares whose
/// count is odd, `twos` the next digit, and only at the end are the squares of these two sets counted.
#[derive(Default)]
pub(crate) struct Count {
    ones: Bitboard,
    twos: Bitboard,
    others: u32,
}

impl Count {
    #[inline]
    fn add(&mut self, targets: Bitboard) {
        let carry = self.ones & targets;
        self.ones ^= targets;
        let fours = self.twos & carry;
        self.twos ^= carry;
        if !fours.is_empty() {
            self.others += 4 * fours.count();
        }
    }

    pub(crate) fn total(&self) -> u32 {
        self.ones.count() + 2 * self.twos.count() + self.others
    }
}

impl Sink for Count {
    #[inline]
    fn steps(&mut self, _: Square, targets: Bitboard) {
        self.add(targets);
    }

    #[inline]
    fn pawn_steps(&mut self, arrivals: &PawnArrivals) {
        // Steps end on empty squares and captures on enemies, so that two ways are one set.
        self.add(arrivals.single | arrivals.west);
        self.add(arrivals.double | arrivals.east);
    }

    fn promotions(&mut self, arrivals: &PawnArrivals) {
        let count = (arrivals.single | arrivals.west).count() + arrivals.east.count();
        self.others += count * Role::PROMOTIONS.len() as u32;
    }

    fn drops(&mut self, _: Role, targets: Bitboard) {
        self.others += targets.count();
    }

    fn special(&mut self, _: Move) {
        self.others += 1;
    }
}

/// Asks whether there is any move.
#[derive(Default)]
pub(super) struct Any(bool);

impl Sink for Any {
    #[inline]
    fn steps(&mut self, _: Square, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    #[inline]
    fn pawn_steps(&mut self, arrivals: &PawnArrivals) {
        self.0 |= !arrivals.is_empty();
    }

    fn promotions(&mut self, arrivals: &PawnArrivals) {
        self.0 |= !arrivals.is_empty();
    }

    fn drops(&mut self, _: Role, targets: Bitboard) {
        self.0 |= !targets.is_empty();
    }

    fn special(&mut self, _: Move) {
        self.0 = true;
    }

    fn is_content(&self) -> bool {
        self.0
    }
}
