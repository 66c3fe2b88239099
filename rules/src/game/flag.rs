//! Fallen flags (FIDE 6.8, 6.9, G.III.3): noticed by the server, or claimed.

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

/// A claim by `color` that the opponent's flag is down.
pub(super) fn claim(state: &State, color: Color, stamp: Stamp) -> Result<Draft, Refusal> {
    if state.terms().conduct.flag_fall == FlagFall::Noticed {
        return Err(Refusal::FlagsAreNoticed);
    }
    let left = state.clock().at(stamp.now, stamp.house).left;
    if left[!color] > Millis::ZERO {
        return Err(Refusal::FlagNotDown);
    }
    if left[color] == Millis::ZERO {
        return Ok(both(state, Action::FlagClaimed, stamp));
    }
    Ok(down(state, !color, Action::FlagClaimed, stamp))
}

/// The arbiter notes that a flag is down, or both.
pub(super) fn noted(state: &State, action: Action, stamp: Stamp) -> Result<Draft, Refusal> {
    let left = state.clock().at(stamp.now, stamp.house).left;
    let down = Color::ALL.map(|color| left[color] == Millis::ZERO);
    match down {
        [false, false] => Err(Refusal::FlagNotDown),
        [true, true] => Ok(both(state, action, stamp)),
        [white, _] => {
            let loser = if white { Color::White } else { Color::Black };
            let result = ending::lost(state.position(), loser, Termination::FlagFall);
            Ok(state.draft(action, stamp).ending(result))
        }
    }
}

/// Both flags are down and nobody knows which fell first: a draw in the last period, and else the next
/// move is the first of the next one (FIDE G.III.3).
fn both(state: &State, action: Action, stamp: Stamp) -> Draft {
    if let Some(clocks) = state.clock().next_period_for_both(stamp.now, state.moves_completed()) {
        let action = if let Action::Ruled(_) = action { action } else { Action::BothFlagsDown };
        return Draft { action, clocks, end: None };
    }
    let result = GameResult { detail: Detail::BothFlags, ..GameResult::draw(Termination::FlagFall) };
    state.draft(action, stamp).ending(result)
}
