//! How far a mate looks, as a sum over the men: what each adds by standing where it does.
//!
//! A plan has a [`Picture`] of the mate in mind. Its tables hold how many moves each man is away from his
//! place there, so that what a move brings is two look-ups. It only steers a walk: it may be wrong. The
//! weights are those that needed the fewest positions on the ends of many real games.

use super::fill;
use super::picture::{self, Picture};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

/// What one move nearer to the picture is worth, by who makes it.
const PREY_STEP: i16 = 4;
const KING_STEP: i16 = 18;
const HUNTER_STEP: i16 = 2;
const PAWN_STEP: i16 = 6;
const HELPER_STEP: i16 = 3;
const BREAKER_STEP: i16 = 3;
/// What a man adds that is neither a queen nor a rook while there is none.
const NO_HUNTER: i16 = 32;
/// More moves than any king's way takes.
const FAR: u8 = 12;

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

type Table = [i16; 64];

pub(super) struct Plan {
    /// By whether it is a man of the side to be mated, and by role.
    tables: [[Table; 6]; 2],
    side: Color,
    prey: Square,
    lacks_hunter: bool,
}

impl Plan {
    /// The plan for the nearest picture.
    pub(super) fn nearest(position: &Position, side: Color) -> Option<Self> {
        picture::list(position, side, 1).first().map(|picture| Self::new(position, side, picture))
    }

    pub(super) fn new(position: &Position, side: Color, picture: &Picture) -> Self {
        let board = position.board();
        let men = |role| board.by_piece(side, role);
        let lacks_hunter = (men(Role::Queen) | men(Role::Rook)).is_empty();
        let mut plan = Self { tables: [[[0; 64]; 6]; 2], side, prey: picture.prey, lacks_hunter };
        let mut king_goal = picture.post;
        if lacks_hunter && !men(Role::Pawn).is_empty() {
            plan.set_pawns();
            let walls = walls(board, side);
            if !walls.is_empty() {
                king_goal = walls;
                plan.set_breakers(board);
            }
        }
        plan.set_kings(board, picture.prey, king_goal);
        plan.set_hunters(board, picture);
        for block in picture.blocks {
            plan.set_block(block, board);
        }
        plan
    }

    /// Whether it is to get a queen or rook first, or to mate without.
    pub(super) fn lacks_hunter(&self) -> bool {
        self.lacks_hunter
    }

    /// Where the king is to be mated.
    pub(super) fn prey(&self) -> Square {
        self.prey
    }

    /// What a man adds by standing on a square.
    pub(super) fn cost(&self, piece: Piece, square: Square) -> i32 {
        let of_prey = usize::from(piece.color != self.side);
        i32::from(self.tables[of_prey][piece.role.index()][square.index()])
    }

    /// What all men add: lower is nearer.
    pub(super) fn estimate(&self, position: &Position) -> i32 {
        position.board().men().map(|(square, piece)| self.cost(piece, square)).sum()
    }

    fn set_kings(&mut self, board: &Board, prey: Square, king_goal: Bitboard) {
        let (prey_free, king_free) = walkable(board, self.side);
        self.set(true, Role::King, &distances(prey.into(), fill::kings, prey_free, FAR), PREY_STEP);
        if !king_goal.is_empty() {
            self.set(false, Role::King, &distances(king_goal, fill::kings, king_free, FAR), KING_STEP);
        }
    }

    /// The last move, which gives check, is not to be made before the rest: one move away is near enough.
    fn set_hunters(&mut self, board: &Board, picture: &Picture) {
        let free = !board.occupied() | board.by_role(Role::King);
        let bishops = |from| fill::bishops(from, free);
        let rooks = |from| fill::rooks(from, free);
        let queens = |from| fill::rooks(from, free) | fill::bishops(from, free);
        let maps = [
            (Role::Rook, distances(picture.rook, rooks, free, 4)),
            (Role::Queen, distances(picture.queen, queens, free, 4)),
            (Role::Knight, distances(picture.knight, fill::knights, Bitboard::ALL, 5)),
            (Role::Bishop, distances(picture.bishop, bishops, free, 4)),
        ];
        for (role, map) in maps {
            self.set(false, role, &map.map(|moves| moves.max(1) - 1), HUNTER_STEP);
        }
        let Some((role, posts)) = picture.helper else { return };
        match role {
            Role::Knight if picture.knight.is_empty() => {
                self.set(false, role, &distances(posts, fill::knights, Bitboard::ALL, 5), HELPER_STEP);
            }
            Role::Bishop => self.set_helping_bishop(picture.bishop, posts, free),
            // Two knights share one table: the one that gives check has it.
            _ => {}
        }
    }

    /// Bishops of two shades share one table without disturbing each other.
    fn set_helping_bishop(&mut self, hunters: Bitboard, posts: Bitboard, free: Bitboard) {
        let shade = if posts.intersects(LIGHT) { LIGHT } else { !LIGHT };
        if hunters.intersects(shade) {
            return;
        }
        let map = distances(posts, |from| fill::bishops(from, free), free, 4);
        let table = &mut self.tables[0][Role::Bishop.index()];
        for square in shade {
            table[square.index()] = i16::from(map[square.index()]) * HELPER_STEP;
        }
    }

    /// Without a queen or a rook one is to be made: pawns run.
    fn set_pawns(&mut self) {
        let side = self.side;
        for role in [Role::Knight, Role::Bishop, Role::Pawn] {
            self.tables[0][role.index()] = [NO_HUNTER; 64];
        }
        for square in Square::all() {
            self.tables[0][Role::Pawn.index()][square.index()] += steps_left(side, square) * PAWN_STEP;
        }
    }

    /// Draws pieces to where a wall of pawns can be broken: ours to enemy pawns, theirs to where our pawns
    /// can take them.
    fn set_breakers(&mut self, board: &Board) {
        let side = self.side;
        let free = !board.occupied();
        let bishops = |from| fill::bishops(from, free);
        let enemies = board.by_piece(!side, Role::Pawn);
        let offers = fill::pawns(side, board.by_piece(side, Role::Pawn)) - enemies;
        for (of_prey, goal) in [(false, enemies), (true, offers)] {
            let knights = distances(goal, fill::knights, Bitboard::ALL, 5);
            self.set(of_prey, Role::Knight, &knights, BREAKER_STEP);
            self.set(of_prey, Role::Bishop, &distances(goal, bishops, free, 4), BREAKER_STEP);
        }
        let rooks = distances(offers, |from| fill::rooks(from, free), free, 3);
        self.set(true, Role::Rook, &rooks, BREAKER_STEP);
    }

    /// Draws the men of the side to be mated to a square beside their king.
    fn set_block(&mut self, block: Square, board: &Board) {
        let side = self.side;
        let free = !board.occupied() | board.by_role(Role::King);
        let goal = block.into();
        self.set(true, Role::Knight, &distances(goal, fill::knights, Bitboard::ALL, 5), HELPER_STEP);
        if board.by_piece(!side, Role::Knight).is_empty() {
            let bishops = |from| fill::bishops(from, free);
            let rooks = |from| fill::rooks(from, free);
            self.set(true, Role::Bishop, &distances(goal, bishops, free, 3), HELPER_STEP);
            self.set(true, Role::Rook, &distances(goal, rooks, free, 3), HELPER_STEP);
        }
        for square in Square::all() {
            let ranks = block.rank() as i16 - square.rank() as i16;
            let ahead = ranks * i16::from((!side).pawn_step());
            let goes_there = square.file() == block.file() && ahead >= 0;
            // A pawn that never gets there becomes a man that may.
            let moves = if goes_there { ahead } else { steps_left(!side, square) + 2 };
            self.tables[1][Role::Pawn.index()][square.index()] = moves * HELPER_STEP;
        }
    }

    fn set(&mut self, of_prey: bool, role: Role, map: &[u8; 64], step: i16) {
        for (value, &moves) in self.tables[usize::from(of_prey)][role.index()].iter_mut().zip(map) {
            *value += i16::from(moves) * step;
        }
    }
}

/// The enemy pawns that stand before pawns of `side`, if one stands before each of them.
fn walls(board: &Board, side: Color) -> Bitboard {
    let pawns = board.by_piece(side, Role::Pawn);
    let walls = fill::all_ahead(side, pawns) & board.by_piece(!side, Role::Pawn);
    if (pawns - fill::whole_files(walls)).is_empty() { walls } else { Bitboard::EMPTY }
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
        front = (step(front) & free) - seen;
        seen |= front;
    }
    map
}

/// How many single steps a pawn on `square` is from its last rank.
fn steps_left(color: Color, square: Square) -> i16 {
    match color {
        Color::White => 7 - square.rank() as i16,
        Color::Black => square.rank() as i16,
    }
}
