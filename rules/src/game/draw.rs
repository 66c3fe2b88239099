//! Offers and claims of a draw (FIDE 9).

use super::refusal::Refusal;
use super::state::State;
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::{Detail, GameResult, Termination};

/// How many plies pass before a side may offer again, unless the other side offers first (L17).
pub const OFFER_PLIES_MIN: u32 = 20;

/// Occurrences of a position that let the side to move claim a draw (FIDE 9.2).
pub const REPETITIONS_CLAIM: u32 = 3;

/// Occurrences of a position that end the game (FIDE 9.6.1).
pub const REPETITIONS_END: u32 = 5;

/// Plies without a pawn's move or a capture that let the side to move claim a draw (FIDE 9.3).
pub const HALFMOVES_CLAIM: u32 = 100;

/// Plies without a pawn's move or a capture that end the game (FIDE 9.6.2).
pub const HALFMOVES_END: u32 = 150;

/// Whether `color` may offer a draw now (FIDE 9.1, 11.5).
pub(super) fn may_offer(state: &State, color: Color) -> Result<(), Refusal> {
    if state.ply() < 2 {
        return Err(Refusal::OfferTooEarly);
    }
    match state.offer() {
        Some(by) if by == color => return Err(Refusal::OfferStands),
        Some(_) => return Err(Refusal::OfferWaits),
        None => {}
    }
    // Never twice at one ply: two players who offer and decline in turn would fill the record.
    let wait = if state.outbid(color) { 1 } else { OFFER_PLIES_MIN };
    match state.offered_at(color).map(|ply| ply + wait) {
        Some(again) if again > state.ply() => Err(Refusal::OfferTooSoon { plies: again - state.ply() }),
        _ => Ok(()),
    }
}

/// Whether `color` has an offer to answer.
pub(super) fn may_answer(state: &State, color: Color) -> Result<(), Refusal> {
    if state.offer() == Some(!color) { Ok(()) } else { Err(Refusal::NoOffer) }
}

/// What a claim by `color` gives, in the position on the board or after the move it names.
pub(super) fn claim(state: &State, color: Color, intended: Option<Move>) -> Result<GameResult, Refusal> {
    let to_move = state.position().turn();
    if to_move != color {
        return Err(Refusal::NotYourTurn { to_move });
    }
    let mut position = state.position().clone();
    let mut repetitions = state.repetitions().clone();
    if let Some(mv) = intended {
        position.play(mv)?;
        repetitions.push(&position);
    }
    let counted = (repetitions.count(), position.halfmove_clock());
    match counted {
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
