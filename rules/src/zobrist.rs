//! Random numbers that positions are hashed by: one for each man on each square, and for all else that
//! makes two positions differ (FIDE 9.2.3).
//!
//! Zobrist's method: a position's hash is the exclusive or of the numbers of all that is true of it, so a
//! move changes it by the few numbers of what the move changes. Equal hashes prove nothing: whoever decides
//! by one compares the positions too ([`crate::repetition`]).

use crate::board::Code;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::reserves::Reserves;
use crate::square::{File, Square};

/// The number of a man on a square; nobody's is 0.
pub(crate) fn man(code: Code, square: Square) -> u64 {
    NUMBERS.men[code.index()][square.index()]
}

/// The number of the side to move.
pub(crate) const fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => BLACK_TO_MOVE,
    }
}

/// What a move always changes: the side to move.
pub(crate) const BLACK_TO_MOVE: u64 = mixed(1);

/// The numbers of all rights to castle.
pub(crate) fn castling(rights: CastlingRights) -> u64 {
    rights.indices().into_iter().fold(0, |hash, rook| hash ^ NUMBERS.castling[usize::from(rook & 127)])
}

/// The number of a pawn that can be captured en passant.
pub(crate) fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant[file as usize]
}

/// The number of all that a board with drops has besides.
pub(crate) fn reserves(reserves: &Reserves) -> u64 {
    let (men, promoted) = reserves.fingerprint();
    mixed(mixed(men).wrapping_add(promoted))
}

struct Numbers {
    men: [[u64; 64]; 16],
    /// By the rook's square; 0 for a right that is not there.
    castling: [u64; 128],
    en_passant: [u64; 8],
}

static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut numbers = Numbers { men: [[0; 64]; 16], castling: [0; 128], en_passant: [0; 8] };
    let mut code = 0;
    while code < 16 {
        let mut square = 0;
        // The codes 0 and 8 are nobody's, and moving nobody must change nothing.
        while square < 64 && code % 8 != 0 {
            numbers.men[code][square] = mixed((code << 8 | square) as u64);
            square += 1;
        }
        code += 1;
    }
    let mut square = 0;
    while square < 64 {
        numbers.castling[square] = mixed((1 << 16 | square) as u64);
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.en_passant[file] = mixed((2 << 16 | file) as u64);
        file += 1;
    }
    numbers
}

/// A number that looks random for each input: the finisher of the generator `SplitMix64`.
const fn mixed(input: u64) -> u64 {
    let mut bits = input.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_number_is_the_exclusive_or_of_two_others() {
        let men = NUMBERS.men.iter().flatten().filter(|&&number| number != 0);
        let all: BTreeSet<u64> = men
            .chain(&NUMBERS.castling[..64])
            .chain(&NUMBERS.en_passant)
            .chain([&BLACK_TO_MOVE])
            .copied()
            .collect();
        assert_eq!(all.len(), 14 * 64 + 64 + 8 + 1);
        for one in &all {
            assert!(all.range(one + 1..).all(|other| !all.contains(&(one ^ other))));
        }
    }
}
