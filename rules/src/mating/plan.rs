//! How far a mate looks, as a sum over the men: what each adds by standing where it does.
//!
//! A plan has a picture of the mate in mind: where the king is mated, where the other king stands then,
//! who gives check from where. Its tables hold how many moves each man is away from his place there, so
//! that what a move brings is two look-ups. It only steers the walk: it may be wrong.

use super::fill;
use super::picture::{self, Picture};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

/// What one move towards the picture is worth, by who makes it.
const PREY_STEP: i16 = 4;
const KING_STEP: i16 = 18;
const HUNTER_STEP: i16 = 2;
const PAWN_STEP: i16 = 6;
const HELPER_STEP: i16 = 5;
/// Where there is no man yet that could mate alone with his king.
const NO_HUNTER: i16 = 46;
/// Farther away than any way on the board.
const FAR: u8 = 12;

type Table = [i16; 64];

pub(super) struct Plan {
    /// By whether it is a man of the side to be mated, and by role.
    tables: [[Table; 6]; 2],
    side: Color,
    pub(super) prey: Square,
    pub(super) hungry: bool,
}

impl Plan {
    /// The plans that look shortest, the best first; at least one.
    pub(super) fn list(position: &Position, side: Color, count: usize) -> Vec<Self> {
        let pictures = picture::list(position, side, count);
        pictures.iter().map(|picture| Self::new(position, side, picture)).collect()
    }

    fn new(position: &Position, side: Color, picture: &Picture) -> Self {
        let board = position.board();
        let men = |role| board.by_piece(side, role);
        let mut plan = Self { tables: [[[0; 64]; 6]; 2], side, prey: picture.prey, hungry: false };
        let (prey_free, king_free) = walkable(board, side);
        plan.set(true, Role::King, &distances(picture.prey.into(), fill::kings, prey_free, FAR), PREY_STEP);
        let mut king_goal = picture.post;
        if (men(Role::Queen) | men(Role::Rook)).is_empty() {
            plan.set_pawns(&mut king_goal, board);
            plan.hungry = true;
        }
        if !king_goal.is_empty() {
            plan.set(false, Role::King, &distances(king_goal, fill::kings, king_free, FAR), KING_STEP);
        }
        let free = !board.occupied() | board.by_role(Role::King);
        let rooks = |from| fill::rooks(from, free);
        let bishops = |from| fill::bishops(from, free);
        let queens = |from| fill::rooks(from, free) | fill::bishops(from, free);
        plan.set_hunter(Role::Rook, &distances(picture.rook, rooks, free, 4));
        plan.set_hunter(Role::Queen, &distances(picture.queen, queens, free, 4));
        plan.set_hunter(Role::Knight, &distances(picture.knight, fill::knights, Bitboard::ALL, 5));
        plan.set_hunter(Role::Bishop, &distances(picture.bishop, bishops, free, 4));
        if let Some(block) = picture.block {
            let goal = block.into();
            plan.set(true, Role::Knight, &distances(goal, fill::knights, Bitboard::ALL, 5), HELPER_STEP);
            plan.set(true, Role::Bishop, &distances(goal, bishops, free, 3), HELPER_STEP);
            plan.set(true, Role::Rook, &distances(goal, rooks, free, 3), HELPER_STEP);
            for square in Square::all() {
                let left = steps_left(!side, square);
                let ahead = (block.rank() as i16 - square.rank() as i16) * i16::from((!side).pawn_step());
                let way = if square.file() == block.file() && ahead >= 0 { ahead } else { left + 2 };
                plan.tables[1][Role::Pawn.index()][square.index()] = way * HELPER_STEP;
            }
        }
        plan
    }

    /// Without a queen or a rook one must first be made: pawns run, and where an enemy pawn stands before
    /// every one of them the king goes to take it.
    fn set_pawns(&mut self, king_goal: &mut Bitboard, board: &Board) {
        let side = self.side;
        let pawns = board.by_piece(side, Role::Pawn);
        if pawns.is_empty() {
            return;
        }
        let enemies = board.by_piece(!side, Role::Pawn);
        let mut before = Bitboard::EMPTY;
        let mut way = pawns;
        for _ in 0..6 {
            way = fill::ahead(side, way);
            before |= way;
        }
        let blockers = before & enemies;
        if !blockers.is_empty() && (pawns - fill::whole_files(blockers)).is_empty() {
            *king_goal = blockers;
        }
        for square in Square::all() {
            self.tables[0][Role::Pawn.index()][square.index()] = steps_left(side, square) * PAWN_STEP;
        }
        for role in [Role::Knight, Role::Bishop] {
            for value in &mut self.tables[0][role.index()] {
                *value += NO_HUNTER;
            }
        }
        for value in &mut self.tables[0][Role::Pawn.index()] {
            *value += NO_HUNTER;
        }
    }

    fn set(&mut self, of_prey: bool, role: Role, map: &[u8; 64], step: i16) {
        for (value, &moves) in self.tables[usize::from(of_prey)][role.index()].iter_mut().zip(map) {
            *value += i16::from(moves) * step;
        }
    }

    /// The last move, which gives check, is not to be made before the rest.
    fn set_hunter(&mut self, role: Role, map: &[u8; 64]) {
        for (value, &moves) in self.tables[0][role.index()].iter_mut().zip(map) {
            *value += i16::from(moves.max(1) - 1) * HUNTER_STEP;
        }
    }

    /// What a man adds by standing on a square.
    pub(super) fn cost(&self, piece: Piece, square: Square) -> i32 {
        i32::from(self.tables[usize::from(piece.color != self.side)][piece.role.index()][square.index()])
    }

    /// What all men add: lower is nearer.
    pub(super) fn estimate(&self, position: &Position) -> i32 {
        position.board().men().map(|(square, piece)| self.cost(piece, square)).sum()
    }
}

/// Where the king to be mated and the king of `side` may walk, as far as pawns have a say.
pub(super) fn walkable(board: &Board, side: Color) -> (Bitboard, Bitboard) {
    let (own, theirs) = (board.by_piece(side, Role::Pawn), board.by_piece(!side, Role::Pawn));
    (!(theirs | fill::pawns(side, own)), !(own | fill::pawns(!side, theirs)))
}

/// How many moves each square is away from `goal`, none over `far`.
pub(super) fn distances(
    goal: Bitboard,
    step: impl Fn(Bitboard) -> Bitboard,
    free: Bitboard,
    far: u8,
) -> [u8; 64] {
    let mut map = [far; 64];
    let (mut seen, mut front) = (goal, goal);
    for moves in 0..far {
        if front.is_empty() {
            break;
        }
        for square in front {
            map[square.index()] = moves;
        }
        front = step(front) & free - seen;
        seen |= front;
    }
    map
}

fn steps_left(color: Color, square: Square) -> i16 {
    match color {
        Color::White => 7 - square.rank() as i16,
        Color::Black => square.rank() as i16,
    }
}
