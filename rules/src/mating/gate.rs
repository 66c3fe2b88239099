//! A look that tells ordinary positions from those that might be dead.
//!
//! It proves nothing and need not: a position let through as alive is only *not proven* dead. Positions are
//! dead by cages, walls and forced lines, and each of these shows: a side in check or short of moves, pawns
//! that cannot move. So what has room on both sides is let through unasked; the tests hold the gate
//! against every dead position known to us.

use super::fill;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;

/// So many pawns that can step on at once are no wall.
const FREE_PAWNS_MIN: u32 = 3;
/// A king with fewer squares to go to may soon be without a move.
const FLIGHTS_MIN: u32 = 2;
/// Pieces that reach fewer squares may be caged.
const REACHED_MIN: u32 = 4;
/// With fewer answers to a check a side may be forced into what is dead.
const ANSWERS_MIN: usize = 4;
/// So many checks, one after the other, are followed.
const ANSWERED_CHECKS_MAX: u32 = 2;

/// Whether nothing about the position hints at its being dead.
///
/// The forced lines that end in a dead position begin with a check that leaves next to no choice: these
/// are followed for a few plies, until an answer leads to where nothing hints at it.
pub(super) fn is_plainly_alive(position: &Position) -> bool {
    goes_on(position, ANSWERED_CHECKS_MAX)
}

/// The same, following so many checks.
fn goes_on(position: &Position, checks: u32) -> bool {
    if !position.is_check() {
        return has_room_to_play(position.board());
    }
    let answers = position.legal_moves();
    if answers.len() >= ANSWERS_MIN {
        return has_room_to_play(position.board());
    }
    checks > 0 && answers.into_iter().any(|answer| goes_on(&position.after(answer), checks - 1))
}

/// Whether no cage and no wall is to be seen.
fn has_room_to_play(board: &Board) -> bool {
    let busy = Color::ALL.map(|color| is_busy(board, color));
    busy == [true; 2]
        || Color::ALL.into_iter().zip(busy.into_iter().rev()).any(|(side, opponent_is_busy)| {
            has_free_hunter(board, side) && (opponent_is_busy || has_room(board, !side))
        })
}

/// Whether a side will not soon be without a move: pawns can step on, and pieces go about.
fn is_busy(board: &Board, color: Color) -> bool {
    let men = |role| board.by_piece(color, role);
    let free = !board.occupied();
    let officers = || {
        fill::knights(men(Role::Knight))
            | fill::bishops(men(Role::Bishop) | men(Role::Queen), free)
            | fill::rooks(men(Role::Rook) | men(Role::Queen), free)
    };
    let has_pawns_only = || (board.by_color(color) - men(Role::Pawn) - men(Role::King)).is_empty();
    free_pawns(board, color).count() >= FREE_PAWNS_MIN
        && ((officers() - board.by_color(color)).count() >= REACHED_MIN
            || has_pawns_only() && has_room(board, color) && pawns_may_meet(board))
}

/// The pawns with an empty square before them.
fn free_pawns(board: &Board, color: Color) -> Bitboard {
    board.by_piece(color, Role::Pawn) - fill::ahead(!color, board.occupied())
}

/// Whether some pawn has an enemy pawn beside its file, so that one may capture the other.
fn pawns_may_meet(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| board.by_piece(color, Role::Pawn));
    fill::whole_files(fill::pawns(Color::White, white)).intersects(black)
}

/// Whether a side has a queen or rook that goes about freely, or a pawn that no enemy pawn can stop.
fn has_free_hunter(board: &Board, side: Color) -> bool {
    let own = board.by_color(side);
    let (rooks, queens) = (board.by_piece(side, Role::Rook), board.by_piece(side, Role::Queen));
    let free = !board.occupied();
    let reached = fill::rooks(rooks | queens, free) | fill::bishops(queens, free);
    (reached - own).count() >= REACHED_MIN || !passed_pawns(board, side).is_empty()
}

/// The pawns that can step on, with no enemy pawn before them on their file or beside it.
fn passed_pawns(board: &Board, side: Color) -> Bitboard {
    let enemies = board.by_piece(!side, Role::Pawn);
    let guarded = enemies | fill::pawns(!side, enemies);
    free_pawns(board, side) - fill::all_ahead(!side, guarded)
}

/// Whether a king has squares to go to.
fn has_room(board: &Board, color: Color) -> bool {
    let enemy = |role| board.by_piece(!color, role);
    let free = !board.occupied();
    let king = board.by_piece(color, Role::King);
    let guarded = fill::pawns(!color, enemy(Role::Pawn))
        | fill::knights(enemy(Role::Knight))
        | fill::bishops(enemy(Role::Bishop) | enemy(Role::Queen), free | king)
        | fill::rooks(enemy(Role::Rook) | enemy(Role::Queen), free | king)
        | fill::kings(enemy(Role::King));
    (fill::kings(king) - board.by_color(color) - guarded).count() >= FLIGHTS_MIN
}
