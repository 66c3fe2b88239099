//! Fallen flags (FIDE 6.8, 6.9, G.III.3): noticed by the server, or claimed.

use super::clock::ClockReading;
use super::command::Suspension;
use super::conduct::FlagFall;
use super::draft::Draft;
use super::ending;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::time::{Millis, Stamp};
use crate::color::Color;
use crate::outcome::{Detail, GameResult, Termination};

/// What comes of it that the flag of `color`, to move, is down at the server.
pub(super) fn fallen(state: &State, color: Color, stamp: Stamp) -> Draft {
    down(state, color, Action::TimeRanOut, stamp)
}

/// A flag is down: the game is lost, or waits for the ruling on a claim that was postponed, whose flag it
/// may be (G.III.5).
fn down(state: &State, loser: Color, action: Action, stamp: Stamp) -> Draft {
    if let Some((by, claim)) = state.postponed_claim() {
        return state.draft_stop(Action::Suspended(Suspension::Claim { by, claim }), stamp);
    }
    let result = ending::lost(state.position(), loser, Termination::FlagFall);
    state.draft(action, stamp).ending(result)
}

/// Whose flags a claim or the arbiter finds down.
enum Fallen {
    One(Color),
    Both,
}

/// A claim by `color` that the opponent's flag is down.
pub(super) fn claim(state: &State, color: Color, stamp: Stamp) -> Result<Draft, Refusal> {
    Ok(match may_claim(state, color, stamp)? {
        Fallen::One(loser) => down(state, loser, Action::FlagClaimed, stamp),
        Fallen::Both => both(state, Action::FlagClaimed, stamp),
    })
}

/// Whether such a claim would end the game; how, which may be long to work out, is left open.
pub(super) fn would_end(state: &State, color: Color, stamp: Stamp) -> bool {
    match may_claim(state, color, stamp) {
        Ok(Fallen::One(_)) => state.postponed_claim().is_none(),
        Ok(Fallen::Both) => next_period(state, stamp).is_none(),
        Err(_) => false,
    }
}

/// Which flags `color` may claim to be down: the opponent's, or that and his own.
fn may_claim(state: &State, color: Color, stamp: Stamp) -> Result<Fallen, Refusal> {
    if state.terms().conduct.flag_fall == FlagFall::Noticed {
        return Err(Refusal::FlagsAreNoticed);
    }
    if let Some(Suspension::Claim { .. }) = state.suspension() {
        return Err(Refusal::ClaimWaits);
    }
    match fallen_flags(state, stamp)? {
        Fallen::One(loser) if loser == color => Err(Refusal::FlagNotDown),
        fallen => Ok(fallen),
    }
}

/// The arbiter, or the house in his place, notes that a flag is down, or both.
pub(super) fn noted(state: &State, action: Action, stamp: Stamp) -> Result<Draft, Refusal> {
    Ok(match fallen_flags(state, stamp)? {
        Fallen::Both => both(state, action, stamp),
        Fallen::One(loser) => {
            let result = ending::lost(state.position(), loser, Termination::FlagFall);
            state.draft(action, stamp).ending(result)
        }
    })
}

/// Which flags are down.
fn fallen_flags(state: &State, stamp: Stamp) -> Result<Fallen, Refusal> {
    let left = state.clock().at(stamp.now, stamp.house).left;
    match Color::ALL.map(|color| left[color] == Millis::ZERO) {
        [false, false] => Err(Refusal::FlagNotDown),
        [true, false] => Ok(Fallen::One(Color::White)),
        [false, true] => Ok(Fallen::One(Color::Black)),
        [true, true] => Ok(Fallen::Both),
    }
}

/// Both flags are down and nobody knows which fell first: a draw in the last period, and else the next
/// move is the first of the next one (FIDE G.III.3).
fn both(state: &State, action: Action, stamp: Stamp) -> Draft {
    if let Some(clocks) = next_period(state, stamp) {
        let action = if let Action::Ruled(_) = action { action } else { Action::BothFlagsDown };
        return Draft { action, clocks, end: None };
    }
    let result = GameResult { detail: Detail::BothFlags, ..GameResult::draw(Termination::FlagFall) };
    state.draft(action, stamp).ending(result)
}

/// The clocks when both sides begin their next period; none when one of them is in his last.
fn next_period(state: &State, stamp: Stamp) -> Option<ClockReading> {
    state.clock().next_period_for_both(stamp.now, state.moves_completed())
}
