//! Which moves bring a mate in a corner nearer. It only steers a search: it may be wrong.
//!
//! Nearly every mate that both sides help with can be given in a corner of the mated king's own first rank:
//! that is where promoted men arrive. So that king goes there, the other comes beside it, knights and bishops
//! go where they check or block; pawns of the mating side run, and its men capture what they can.

use super::fill;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Rank, Square};

/// What a move does for the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Brings it nearer.
    Forth,
    /// Nothing, but it may be needed.
    Aside,
    /// Takes a man that could have helped.
    Back,
}

/// What the mated side's pawns are good for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pawns {
    /// Nothing: they stay where they are.
    Still,
    /// To become men that block their king, and to open walls: they run, and a capture by a pawn or of a
    /// pawn is no loss.
    Helping,
}

/// How many moves each square is away from where a man should be: on an empty board, but for bishops, who
/// walk round the pawns.
type Map = [u8; 64];

const FAR: u8 = 64;
const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

pub(super) struct Goal {
    side: Color,
    pawns: Pawns,
    /// By whether it is a man of the side to be mated, and by role.
    maps: [[Map; 6]; 2],
}

impl Goal {
    /// A mate by `side` in a corner.
    pub(super) fn new(position: &Position, side: Color, corner: Square, pawns: Pawns) -> Self {
        let at = |files, ranks| Bitboard::from(inwards(corner, files, ranks));
        let free = !position.board().by_role(Role::Pawn);
        let kings = |goal| distances(goal, fill::kings, Bitboard::ALL);
        let knights = |goal| distances(goal, fill::knights, Bitboard::ALL);
        let bishops = distances(at(0, 0) | at(0, 1) | at(1, 0), |from| fill::bishops(from, free), free);
        let nowhere = [0; 64];
        Self {
            side,
            pawns,
            maps: [
                // A knight in the middle has two squares to check from. A bishop's check, the last move, is not
                // to come before the rest: two moves away is near enough.
                [
                    nowhere,
                    knights(at(3, 3)),
                    bishops.map(|moves| moves.max(2)),
                    nowhere,
                    nowhere,
                    kings(at(1, 1)),
                ],
                [nowhere, knights(at(1, 0)), bishops, nowhere, nowhere, kings(at(0, 0))],
            ],
        }
    }

    /// Says of each legal move what it does, the last first.
    pub(super) fn judge(&self, position: &Position, moves: &[Move], steps: &mut Vec<(Step, Move)>) {
        steps.clear();
        let Some(last) = moves.last() else { return };
        // The moves of one man are listed together.
        let mut man = self.man(position, last.from());
        for &mv in moves.iter().rev() {
            if man.from != mv.from() {
                man = self.man(position, mv.from());
            }
            steps.push((man.step(mv), mv));
        }
    }

    fn man(&self, position: &Position, from: Square) -> Man<'_> {
        let (board, turn) = (position.board(), position.turn());
        let (enemies, pawns) = (board.by_color(!turn), board.by_role(Role::Pawn));
        let (is_ours, is_pawn) = (turn == self.side, pawns.contains(from));
        let gains = match (is_ours, is_pawn, self.pawns) {
            (true, true, _) | (false, true, Pawns::Helping) => Bitboard::ALL,
            (true, false, _) => enemies,
            (false, false, Pawns::Helping) => enemies & pawns,
            (false, _, Pawns::Still) => Bitboard::EMPTY,
        };
        let losses = if is_ours { Bitboard::EMPTY } else { enemies };
        let role = board.role_at(from).unwrap_or(Role::Queen);
        let map = &self.maps[usize::from(!is_ours)][role.index()];
        Man { from, is_ours, map, here: map[from.index()], gains, losses }
    }
}

/// A man about to move.
struct Man<'a> {
    from: Square,
    is_ours: bool,
    map: &'a Map,
    here: u8,
    /// Where it helps that he goes, wherever he should be in the end.
    gains: Bitboard,
    /// Where he captures a man that could have helped.
    losses: Bitboard,
}

impl Man<'_> {
    fn step(&self, mv: Move) -> Step {
        let to = mv.to();
        if self.gains.contains(to) {
            // A knight or bishop is seldom what it takes.
            let is_minor = matches!(mv.promoted(), Some(Role::Knight | Role::Bishop));
            if is_minor && self.is_ours { Step::Aside } else { Step::Forth }
        } else if self.map[to.index()] < self.here {
            Step::Forth
        } else if self.losses.contains(to) {
            Step::Back
        } else {
            Step::Aside
        }
    }
}

/// The corners of the mated king's first rank, the likelier first: a bishop of ours checks on his own shade,
/// and one of theirs blocks beside a corner of the other; else the nearer to both kings.
pub(super) fn corners(position: &Position, side: Color) -> [Square; 2] {
    let board = position.board();
    let rank = match side {
        Color::White => Rank::Eighth,
        Color::Black => Rank::First,
    };
    let (bishops, theirs) = (board.by_piece(side, Role::Bishop), board.by_piece(!side, Role::Bishop));
    let helpers = if bishops.is_empty() { theirs } else { bishops };
    let cost = |corner: Square| {
        let shade = if corner.is_light() == bishops.is_empty() { !LIGHT } else { LIGHT };
        let (right, wrong) = (helpers & shade, helpers - shade);
        let way = |color| board.king_of(color).map_or(0, |king| king_moves(king, corner));
        (right.is_empty() && !wrong.is_empty(), way(side) + way(!side))
    };
    let [a, h] = [File::A, File::H].map(|file| Square::new(file, rank));
    if cost(h) < cost(a) { [h, a] } else { [a, h] }
}

/// The square so many files and ranks from a corner.
fn inwards(corner: Square, files: usize, ranks: usize) -> Square {
    let from = |edge: usize, steps| if edge == 0 { steps } else { edge - steps };
    let file = File::from_index(from(corner.file().index(), files));
    Square::new(file, Rank::from_index(from(corner.rank().index(), ranks)))
}

fn king_moves(from: Square, to: Square) -> u32 {
    let files = (from.file() as i32).abs_diff(to.file() as i32);
    files.max((from.rank() as i32).abs_diff(to.rank() as i32))
}

/// How many moves each square is away from `goal`.
fn distances(goal: Bitboard, step: impl Fn(Bitboard) -> Bitboard, free: Bitboard) -> Map {
    let mut map = [FAR; 64];
    let (mut seen, mut front) = (goal, goal);
    for moves in 0..FAR {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::setup::Strictness;

    #[test]
    fn a_bishop_mates_on_his_shade_and_blocks_beside_the_other() {
        for (text, side, corner) in [
            ("8/8/8/4k3/8/8/8/2B1K3 w - - 0 1", Color::White, "h8"),
            ("8/8/8/4k3/8/8/8/4KB2 w - - 0 1", Color::White, "a8"),
            ("8/8/8/4kb2/8/8/8/4KN2 w - - 0 1", Color::White, "h8"),
            ("8/8/8/4k1b1/8/8/8/4KN2 w - - 0 1", Color::White, "a8"),
            ("8/8/8/4k1b1/8/8/8/4KN2 w - - 0 1", Color::Black, "a1"),
            // no bishop has a say: where both kings are
            ("8/8/8/4k3/8/4K3/8/R7 w - - 0 1", Color::White, "h8"),
            ("8/8/8/3k4/8/3K4/8/R7 w - - 0 1", Color::White, "a8"),
        ] {
            let position = fen::parse_position(text, Strictness::Playable).unwrap();
            assert_eq!(corners(&position, side)[0].to_string(), corner, "{text}");
        }
    }
}
