//! Claims of a draw by repetition and by fifty moves (FIDE 9.2-9.5).

use super::conduct::WrongClaim;
use super::draft::Draft;
use super::ending;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::time::Stamp;
use crate::color::Color;
use crate::legality::IllegalMove;
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
    state.may_act(color)?;
    if state.touched().is_empty() { Ok(()) } else { Err(Refusal::ClaimAfterTouch) }
}

/// A claim by `color`, in the position on the board or with the move it names: right, or wrong and paid for.
pub(super) fn claim(
    state: &State,
    color: Color,
    intended: Option<Move>,
    stamp: Stamp,
) -> Result<Draft, Refusal> {
    may_claim(state, color)?;
    let why = match judge(state, intended) {
        Ok(result) => return Ok(state.draft(Action::DrawClaimed { intended }, stamp).ending(result)),
        Err(why) => why,
    };
    let names_nobody = matches!(why, Refusal::IllegalMove(IllegalMove::NoMan { .. }));
    match state.terms().conduct.wrong_claim {
        WrongClaim::Penalty(_) if state.wrong_claims() >= WRONG_CLAIMS_MAX => Err(Refusal::NotRecorded),
        WrongClaim::Penalty(penalty) if !names_nobody => {
            let (played, illegal) = match why {
                Refusal::IllegalMove(_) => (None, intended),
                _ => (intended, None),
            };
            let action = Action::DrawClaimedWrongly { played, illegal, penalty };
            Ok(wrong(state, action, played, stamp).giving(!color, penalty))
        }
        _ => Err(why),
    }
}

/// The move that a wrong claim names is played (FIDE 9.5.3).
fn wrong(state: &State, action: Action, played: Option<Move>, stamp: Stamp) -> Draft {
    let Some(mv) = played else { return state.draft(action, stamp) };
    let end = ending::by_move(state, &state.position().after(mv));
    state.draft_completed(action, stamp).perhaps_ending(end)
}

/// What a claim gives that is right.
fn judge(state: &State, intended: Option<Move>) -> Result<GameResult, Refusal> {
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
