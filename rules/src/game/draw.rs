//! Claims of a draw by repetition and by fifty moves (FIDE 9.2-9.5).

use super::refusal::Refusal;
use super::state::State;
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::{Detail, GameResult, Termination};
use crate::position::Position;

/// Occurrences of a position that let the side to move claim a draw (FIDE 9.2).
pub const REPETITIONS_CLAIM: u32 = 3;

/// Occurrences of a position that end the game (FIDE 9.6.1).
pub const REPETITIONS_END: u32 = 5;

/// Plies without a pawn's move or a capture that let the side to move claim a draw (FIDE 9.3).
pub const HALFMOVES_CLAIM: u32 = 100;

/// Plies without a pawn's move or a capture that end the game (FIDE 9.6.2).
pub const HALFMOVES_END: u32 = 150;

/// Wrong claims that one move takes; they cost their penalty, and then the record takes no more.
pub const WRONG_CLAIMS_MAX: u8 = 3;

/// Whether `color` may claim at all, right or wrong: on its turn, before it has touched a man (FIDE 9.4).
pub(super) fn may_claim(state: &State, color: Color) -> Result<(), Refusal> {
    let to_move = state.position().turn();
    if to_move != color {
        return Err(Refusal::NotYourTurn { to_move });
    }
    state.clocks_may_run()?;
    if state.touched().is_empty() { Ok(()) } else { Err(Refusal::ClaimAfterTouch) }
}

/// What a claim gives, in the position on the board or after the move it names.
pub(super) fn claim(state: &State, intended: Option<Move>) -> Result<GameResult, Refusal> {
    let mut position = state.position().clone();
    let mut repetitions = state.repetitions().clone();
    if let Some(mv) = intended {
        position.play(mv)?;
        repetitions.push(&position);
    }
    match (repetitions.count(), position.halfmove_clock()) {
        (REPETITIONS_CLAIM.., _) => {
            let mut result = GameResult::draw(Termination::ThreefoldRepetition);
            if let Some(side) = repetitions.perpetual_check() {
                result.detail = Detail::PerpetualCheck { side };
            }
            Ok(result)
        }
        (_, HALFMOVES_CLAIM..) => Ok(GameResult::draw(Termination::FiftyMoves)),
        (repetitions, halfmoves) => Err(Refusal::ClaimWrong { repetitions, halfmoves }),
    }
}

/// The moves which the side to move could name for a claim that succeeds, with what it would be by; none
/// where the position on the board itself can be claimed.
pub(super) fn moves_to_name(state: &State) -> Vec<(Move, Termination)> {
    let position = state.position();
    let may_be_fifty = position.halfmove_clock() + 1 >= HALFMOVES_CLAIM;
    if !may_be_fifty && !state.repetitions().may_repeat(REPETITIONS_CLAIM) {
        return Vec::new();
    }
    let by = |after: &Position| {
        if state.repetitions().count_after(after) >= REPETITIONS_CLAIM {
            Some(Termination::ThreefoldRepetition)
        } else if after.halfmove_clock() >= HALFMOVES_CLAIM {
            Some(Termination::FiftyMoves)
        } else {
            None
        }
    };
    position.legal_moves().into_iter().filter_map(|mv| Some((mv, by(&position.after(mv))?))).collect()
}
