//! Whole sets of squares moved at once: where men of one kind get to from *any* square of a set.

use crate::bitboard::Bitboard;
use crate::color::Color;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// What bishops on all squares of `from` attack, lines running on over the squares of `free` only.
pub(super) fn bishops(from: Bitboard, free: Bitboard) -> Bitboard {
    Bitboard(
        up(from.0, free.0, 9, NOT_A)
            | up(from.0, free.0, 7, NOT_H)
            | down(from.0, free.0, 9, NOT_H)
            | down(from.0, free.0, 7, NOT_A),
    )
}

/// What rooks on all squares of `from` attack, lines running on over the squares of `free` only.
pub(super) fn rooks(from: Bitboard, free: Bitboard) -> Bitboard {
    Bitboard(
        up(from.0, free.0, 8, !0)
            | up(from.0, free.0, 1, NOT_A)
            | down(from.0, free.0, 8, !0)
            | down(from.0, free.0, 1, NOT_H),
    )
}

/// What knights on all squares of `from` attack.
pub(super) fn knights(from: Bitboard) -> Bitboard {
    let from = from.0;
    let beside = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let two_beside = (from << 2 & NOT_A & NOT_A << 1) | (from >> 2 & NOT_H & NOT_H >> 1);
    let (up, down) = (beside << 16 | two_beside << 8, beside >> 16 | two_beside >> 8);
    Bitboard(up | down)
}

/// What kings on all squares of `from` attack.
pub(super) fn kings(from: Bitboard) -> Bitboard {
    orthogonal_neighbours(from) | diagonal_neighbours(from)
}

/// The squares beside those of `from` on their files and ranks.
pub(super) fn orthogonal_neighbours(from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard(from << 8 | from >> 8 | (from << 1 & NOT_A) | (from >> 1 & NOT_H))
}

/// The squares beside those of `from` on their diagonals.
pub(super) fn diagonal_neighbours(from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard((from << 9 & NOT_A) | (from << 7 & NOT_H) | (from >> 9 & NOT_H) | (from >> 7 & NOT_A))
}

/// What pawns of `color` on all squares of `from` attack.
pub(super) fn pawns(color: Color, from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard(match color {
        Color::White => (from << 9 & NOT_A) | (from << 7 & NOT_H),
        Color::Black => (from >> 9 & NOT_H) | (from >> 7 & NOT_A),
    })
}

/// The squares one step before pawns of `color` on all squares of `from`.
pub(super) fn ahead(color: Color, from: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(from.0 << 8),
        Color::Black => Bitboard(from.0 >> 8),
    }
}

/// All squares before pawns of `color` on all squares of `from`, to the end of the board.
pub(super) fn all_ahead(color: Color, from: Bitboard) -> Bitboard {
    let mut squares = ahead(color, from);
    for _ in 0..6 {
        squares |= ahead(color, squares);
    }
    squares
}

/// Every file that has a square of `from`.
pub(super) fn whole_files(from: Bitboard) -> Bitboard {
    let mut files = from.0;
    files |= files >> 8 | files << 8;
    files |= files >> 16 | files << 16;
    files |= files.rotate_left(32);
    Bitboard(files)
}

/// Slides in a direction of rising indices, doubling the stride each time; `on_board` are the squares
/// that a single step can arrive at without wrapping round the edge.
const fn up(from: u64, free: u64, step: u32, on_board: u64) -> u64 {
    let mut free = free & on_board;
    let mut reached = from;
    reached |= free & (reached << step);
    free &= free << step;
    reached |= free & (reached << (2 * step));
    free &= free << (2 * step);
    reached |= free & (reached << (4 * step));
    (reached << step) & on_board
}

/// The same in a direction of falling indices.
const fn down(from: u64, free: u64, step: u32, on_board: u64) -> u64 {
    let mut free = free & on_board;
    let mut reached = from;
    reached |= free & (reached >> step);
    free &= free >> step;
    reached |= free & (reached >> (2 * step));
    free &= free >> (2 * step);
    reached |= free & (reached >> (4 * step));
    (reached >> step) & on_board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::square::Square;

    #[test]
    fn a_set_moves_as_each_of_its_squares_does() {
        let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            Bitboard(noise & noise.rotate_left(23))
        };
        for _ in 0..300 {
            let (from, free) = (next(), next());
            let each = |attacks: &dyn Fn(Square) -> Bitboard| {
                from.into_iter().fold(Bitboard::EMPTY, |set, square| set | attacks(square))
            };
            assert_eq!(bishops(from, free), each(&|square| attacks::bishop(square, !free)));
            assert_eq!(rooks(from, free), each(&|square| attacks::rook(square, !free)));
            assert_eq!(knights(from), each(&attacks::knight));
            assert_eq!(kings(from), each(&attacks::king));
            for color in Color::ALL {
                assert_eq!(pawns(color, from), each(&|square| attacks::pawn(color, square)));
                let step = |square: Square| square.offset(0, color.pawn_step()).into_iter().collect();
                assert_eq!(ahead(color, from), each(&step));
            }
        }
    }
}
