//! The quickplay finish (FIDE G.III; 2009: 10.2): what a player short of time may ask of the arbiter.

use super::command::QuickplayClaim;
use super::conduct::Quickplay;
use super::draft::Draft;
use super::event::Action;
use super::refusal::Refusal;
use super::speed::SpeedClass;
use super::state::State;
use super::terms::Arbiter;
use super::time::{GameInstant, Millis, Stamp};
use crate::color::Color;

/// A player with less than this may claim.
pub const SHORT_OF_TIME: Millis = Millis::from_seconds(120);

/// What the opponent gets when a claim is rejected, or the increment granted.
pub const QUICKPLAY_BONUS: Millis = Millis::from_seconds(120);

/// What both get for each move when the increment is granted (G.III.4).
pub const QUICKPLAY_INCREMENT: Millis = Millis::from_seconds(5);

/// A claim by `color`, or his asking for an increment: the clocks stop until the arbiter has decided.
pub(super) fn claim(
    state: &State,
    color: Color,
    claim: QuickplayClaim,
    stamp: Stamp,
) -> Result<Draft, Refusal> {
    may_claim(state, color, claim, stamp.now)?;
    Ok(state.draft_stop(Action::QuickplayClaimed(claim), stamp))
}

/// Whether `color` may make this claim now; the arbiter decides it.
pub(super) fn may_claim(
    state: &State,
    color: Color,
    claim: QuickplayClaim,
    now: GameInstant,
) -> Result<(), Refusal> {
    let terms = state.terms();
    match (terms.conduct.quickplay, claim) {
        (Quickplay::Off, _) => return Err(Refusal::QuickplayOff),
        (Quickplay::DrawOnly, QuickplayClaim::Increment) => return Err(Refusal::NoIncrementToAsk),
        (Quickplay::IncrementOrDraw, QuickplayClaim::NoWinning) if !state.increment_was_asked() => {
            return Err(Refusal::AskIncrementFirst);
        }
        (Quickplay::IncrementOrDraw, QuickplayClaim::Increment) if state.increment_was_asked() => {
            return Err(Refusal::IncrementWasAsked);
        }
        _ => {}
    }
    state.may_act(color)?;
    let is_blitz = matches!(terms.class(), SpeedClass::Bullet | SpeedClass::Blitz);
    if is_blitz || !state.clock().is_in_bare_last_period(color) || state.has_extra_increment() {
        return Err(Refusal::NoQuickplayFinish);
    }
    let left = state.clock().at(now, Millis::ZERO).left[color];
    if left >= SHORT_OF_TIME {
        return Err(Refusal::NotShortOfTime { left });
    }
    if left == Millis::ZERO {
        return Err(Refusal::OwnFlagDown);
    }
    if state.postponed_claim().is_some() {
        return Err(Refusal::ClaimWaits);
    }
    if terms.arbiter == Arbiter::Nobody { Err(Refusal::NoArbiter) } else { Ok(()) }
}
