//! Which squares a man attacks, and the straight lines of the board (FIDE 3.2-3.8.1).
//!
//! Everything is read from tables made at compile time.

mod sliders;

use crate::bitboard::Bitboard;
use crate::color::{Color, Side};
use crate::piece::Role;
use crate::square::Square;
use sliders::{BISHOPS, ROOKS};

/// What a pawn of `color` on `square` attacks: the two squares diagonally before it.
pub fn pawn(color: Color, square: Square) -> Bitboard {
    match color {
        Color::White => WHITE_PAWN[square.index()],
        Color::Black => BLACK_PAWN[square.index()],
    }
}

/// What a knight on `square` attacks.
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// What a king on `square` attacks.
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a bishop on `square` attacks, up to and including the first man on each line.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOPS[square.index()].sees(occupied)
}

/// What a rook on `square` attacks, up to and including the first man on each line.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOKS[square.index()].sees(occupied)
}

/// What a queen on `square` attacks, up to and including the first man on each line.
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// What a man of `role` and `color` on `square` attacks.
pub fn of(color: Color, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares strictly between two squares of one file, rank or diagonal; none for any other two.
pub fn between(a: Square, b: Square) -> Bitboard {
    PAIRS.between[a.index()][b.index()]
}

/// The whole file, rank or diagonal that two squares share, both included; none for any other two.
pub fn line(a: Square, b: Square) -> Bitboard {
    PAIRS.line[a.index()][b.index()]
}

/// What a bishop on `square` would attack on an empty board.
pub(crate) fn bishop_lines(square: Square) -> Bitboard {
    BISHOPS[square.index()].lines
}

/// What a rook on `square` would attack on an empty board.
pub(crate) fn rook_lines(square: Square) -> Bitboard {
    ROOKS[square.index()].lines
}

/// The diagonal through `square` along which a pawn of `Us` captures towards the a-file.
pub(crate) fn lines_west<Us: Side>(square: Square) -> Bitboard {
    match Us::COLOR {
        Color::White => ANTIDIAGONAL[square.index()],
        Color::Black => DIAGONAL[square.index()],
    }
}

/// The diagonal through `square` along which a pawn of `Us` captures towards the h-file.
pub(crate) fn lines_east<Us: Side>(square: Square) -> Bitboard {
    lines_west::<Us::Opponent>(square)
}

static WHITE_PAWN: [Bitboard; 64] = leaps(&[(-1, 1), (1, 1)]);
static BLACK_PAWN: [Bitboard; 64] = leaps(&[(-1, -1), (1, -1)]);
static KNIGHT: [Bitboard; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaps(&DIRECTIONS);
static DIAGONAL: [Bitboard; 64] = lines((1, 1));
static ANTIDIAGONAL: [Bitboard; 64] = lines((1, -1));
static PAIRS: Pairs = pairs();

const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

struct Pairs {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = square.offset(steps[step].0, steps[step].1) {
                table[index].insert(target);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The squares from `square` to the edge, without `square`.
const fn ray(square: Square, (files, ranks): (i8, i8)) -> Bitboard {
    let mut ray = Bitboard::EMPTY;
    let mut here = square;
    while let Some(next) = here.offset(files, ranks) {
        ray.insert(next);
        here = next;
    }
    ray
}

const fn through(square: Square, (files, ranks): (i8, i8)) -> u64 {
    ray(square, (files, ranks)).0 | ray(square, (-files, -ranks)).0
}

const fn lines(direction: (i8, i8)) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        table[index] = Bitboard(through(square, direction));
        index += 1;
    }
    table
}

#[expect(clippy::large_stack_arrays, reason = "built at compile time, on no stack")]
const fn pairs() -> Pairs {
    let mut pairs = Pairs { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
    let mut index = 0;
    while let Some(from) = Square::from_index(index) {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let (files, ranks) = DIRECTIONS[direction];
            let mut whole = Bitboard(through(from, (files, ranks)));
            whole.insert(from);
            let mut passed = Bitboard::EMPTY;
            let mut here = from;
            while let Some(to) = here.offset(files, ranks) {
                pairs.between[index][to.index()] = passed;
                pairs.line[index][to.index()] = whole;
                passed.insert(to);
                here = to;
            }
            direction += 1;
        }
        index += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn set(text: &str) -> Bitboard {
        text.split_whitespace().map(square).collect()
    }

    /// The same answer step by step, to judge the subtraction by.
    fn walked(from: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for &(files, ranks) in directions {
            let mut here = from;
            while let Some(next) = here.offset(files, ranks) {
                attacks.insert(next);
                if occupied.contains(next) {
                    break;
                }
                here = next;
            }
        }
        attacks
    }

    #[test]
    fn l03_line_pieces_stop_at_the_first_man_on_any_board() {
        let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..500 {
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            let occupied = Bitboard(noise & noise.rotate_left(21));
            for from in Square::all() {
                let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
                let oblique = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
                assert_eq!(rook(from, occupied), walked(from, occupied, &straight));
                assert_eq!(bishop(from, occupied), walked(from, occupied, &oblique));
            }
        }
    }

    #[test]
    fn l03_leapers_stay_on_the_board() {
        assert_eq!(knight(square("a1")), set("b3 c2"));
        assert_eq!(knight(square("g7")), set("e8 e6 f5 h5"));
        assert_eq!(king(square("h4")), set("h5 g5 g4 g3 h3"));
        assert_eq!(pawn(Color::White, square("a2")), set("b3"));
        assert_eq!(pawn(Color::Black, square("h7")), set("g6"));
        assert_eq!(pawn(Color::White, square("e8")), Bitboard::EMPTY);
    }

    #[test]
    fn lines_join_squares_of_one_file_rank_or_diagonal() {
        assert_eq!(between(square("a1"), square("d4")), set("b2 c3"));
        assert_eq!(between(square("h5"), square("e5")), set("f5 g5"));
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(line(square("g2"), square("f1")), set("f1 g2 h3"));
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
    }
}
