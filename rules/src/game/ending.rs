//! How a game ends: by a move, by the clock, by a player's word (FIDE 5, 6.9, 7.5.5, 9.6).

use super::draw::{HALFMOVES_END, REPETITIONS_END};
use super::state::State;
use crate::bitboard::Bitboard;
use crate::castling::home_rank;
use crate::color::Color;
use crate::mating::{self, Answer, Budget};
use crate::outcome::{Detail, GameResult, Termination};
use crate::piece::Role;
use crate::position::Position;

/// How the game ends with a legal move that gives `after`: mate before all draws.
///
/// While an irregular position waits to be mended nothing else is concluded from it (L43).
pub(super) fn by_move(state: &State, after: &Position) -> Option<GameResult> {
    if is_irregular(after) {
        return by_irregular_position(state, after);
    }
    if after.is_checkmate() {
        Some(GameResult::win(!after.turn(), Termination::Checkmate))
    } else if after.is_stalemate() {
        Some(GameResult::draw(Termination::Stalemate))
    } else if mating::is_dead(after, Budget::AFTER_MOVE) {
        Some(GameResult::draw(Termination::DeadPosition))
    } else if state.repetitions().count_after(after) >= REPETITIONS_END {
        let mut repetitions = state.repetitions().clone();
        repetitions.push(after);
        let detail =
            repetitions.perpetual_check().map_or(Detail::Plain, |side| Detail::PerpetualCheck { side });
        Some(GameResult { detail, ..GameResult::draw(Termination::FivefoldRepetition) })
    } else if after.halfmove_clock() >= HALFMOVES_END {
        Some(GameResult::draw(Termination::SeventyFiveMoves))
    } else {
        None
    }
}

/// A draw, when the position was irregular before the move and still is (L43).
pub(super) fn by_irregular_position(state: &State, after: &Position) -> Option<GameResult> {
    (is_irregular(state.position()) && is_irregular(after))
        .then(|| GameResult::draw(Termination::IllegalPosition))
}

/// Both kings in check, or an unpromoted pawn left on its last rank: what only an illegal move that stood
/// gives.
fn is_irregular(position: &Position) -> bool {
    let board = position.board();
    let is_unpromoted = |color: Color| {
        let last_rank = Bitboard::from_rank(home_rank(!color));
        board.by_piece(color, Role::Pawn).intersects(last_rank)
    };
    let in_check = |color| {
        board
            .king_of(color)
            .is_some_and(|king| !board.attackers_to(king, board.occupied(), !color).is_empty())
    };
    Color::ALL.into_iter().any(is_unpromoted) || Color::ALL.into_iter().all(in_check)
}

/// The result for a side that has lost otherwise than by mate or by the arbiter's word: a draw when the
/// opponent can no longer mate (FIDE 5.1.2, 6.9, 7.5.5).
pub(super) fn lost(position: &Position, side: Color, termination: Termination) -> GameResult {
    match mating::can_mate(position, !side, Budget::AT_END).answer {
        Answer::No => {
            GameResult { detail: Detail::OpponentCannotMate { side }, ..GameResult::draw(termination) }
        }
        Answer::Yes => GameResult::win(!side, termination),
        Answer::NotProven => {
            GameResult { detail: Detail::MateNotProven { side }, ..GameResult::win(!side, termination) }
        }
    }
}
