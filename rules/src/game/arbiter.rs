//! What an arbiter may order, and what comes of it (FIDE 11, 12, G.III.5; L44).

use super::command::{Decision, Order, QuickplayClaim, Suspension};
use super::conduct::ArbiterActs;
use super::draft::Draft;
use super::event::Action;
use super::flag;
use super::quickplay::QUICKPLAY_BONUS;
use super::reason::Reason;
use super::refusal::Refusal;
use super::state::State;
use super::terms::Arbiter;
use super::time::{GameInstant, Millis, Stamp};
use crate::color::Color;
use crate::outcome::{GameResult, Outcome, Score, Termination};

/// The most an arbiter adds to a clock, takes from it or sets it to.
pub const ARBITER_TIME_MAX: Millis = Millis::from_seconds(14 * 24 * 60 * 60);

/// Rulings between two moves after which the record takes only those by which the game goes on or ends.
pub const RULINGS_MAX: u8 = 100;

/// Plies before the same side may call the arbiter again.
const CALL_PLIES_MIN: u32 = 4;

/// Calls of one side that stop the clocks though no arbiter has answered the last ones: whoever could call
/// for ever could think for ever.
const CALLS_UNANSWERED_MAX: u8 = 2;

/// How long the clocks stand still for an arbiter who was called, or is to decide a claim, and does not come.
const CALL_WAIT: Millis = Millis::from_seconds(10 * 60);

/// How long a flag that is down waits for the ruling on a claim. Nobody's clock runs, and nothing but the
/// result is still open.
const RULING_WAIT: Millis = Millis::from_seconds(24 * 60 * 60);

/// A player stops the clocks to call the arbiter (FIDE 6.11.2).
pub(super) fn call(state: &State, color: Color, reason: Reason, stamp: Stamp) -> Result<Draft, Refusal> {
    state.clocks_may_run()?;
    if state.terms().arbiter == Arbiter::Nobody {
        return Err(Refusal::NoArbiter);
    }
    let again = state.called_at(color).map(|ply| ply + CALL_PLIES_MIN);
    if let Some(again) = again.filter(|&again| again > state.ply()) {
        return Err(Refusal::CalledAlready { plies: again - state.ply() });
    }
    if state.calls_unanswered(color) >= CALLS_UNANSWERED_MAX {
        return Err(Refusal::CalledInVain);
    }
    Ok(state.draft_stop(Action::ArbiterCalled(reason), stamp))
}

/// When nobody waits any longer for an arbiter who was called or is to decide a claim; what else happens
/// meanwhile, such as a connection that comes and goes, keeps nobody waiting.
pub(super) fn wait_ends(state: &State) -> Option<GameInstant> {
    let wait = match state.suspension()? {
        Suspension::Claim { .. } if state.postponed_claim().is_some() => RULING_WAIT,
        Suspension::Call { .. } | Suspension::Claim { .. } => CALL_WAIT,
        Suspension::Restart | Suspension::Pause | Suspension::Adjournment | Suspension::Arbiter => {
            return None;
        }
    };
    Some(state.waits_from().plus(wait).max(state.last_event()))
}

/// The arbiter has not come: play goes on, but a flag that has waited for his ruling counts now.
pub(super) fn waited_in_vain(state: &State, stamp: Stamp) -> Draft {
    let fallen = state.postponed_claim().and_then(|_| flag::noted(state, Action::TimeRanOut, stamp).ok());
    fallen.unwrap_or_else(|| state.draft_start(Action::Continued, stamp))
}

/// What an order gives.
pub(super) fn rule(state: &State, decision: Decision, stamp: Stamp) -> Result<Draft, Refusal> {
    if state.terms().conduct.arbiter == ArbiterActs::WhenCalled && !state.arbiter_was_called() {
        return Err(Refusal::NotCalled);
    }
    let order = decision.order;
    if state.rulings() >= RULINGS_MAX && !settles(order) {
        return Err(Refusal::NotRecorded);
    }
    let action = Action::Ruled(decision);
    match order {
        // Called to clocks that the players have stopped, he keeps them so until he says otherwise.
        Order::Pause => match state.suspension() {
            None | Some(Suspension::Call { .. } | Suspension::Pause) => Ok(state.draft_stop(action, stamp)),
            Some(why) => Err(Refusal::Suspended { why }),
        },
        Order::Resume => match state.suspension() {
            Some(Suspension::Arbiter | Suspension::Call { .. } | Suspension::Pause) => {
                Ok(state.draft_start(action, stamp))
            }
            Some(why) => Err(Refusal::Suspended { why }),
            None => Err(Refusal::NotSuspended),
        },
        Order::AddTime { side, span } => Ok(state.draft(action, stamp).giving(side, in_bounds(span)?)),
        Order::TakeTime { side, span } => Ok(state.draft(action, stamp).taking(side, in_bounds(span)?)),
        Order::SetClock { side, left } => Ok(state.draft(action, stamp).setting(side, in_bounds(left)?)),
        Order::Warn { .. } => Ok(state.draft(action, stamp)),
        Order::GoBack { ply } => {
            if ply >= state.ply() {
                return Err(Refusal::NoSuchPly { ply, played: state.ply() });
            }
            Ok(state.draft_back_to(ply, action, stamp))
        }
        Order::NoteFlag if state.postponed_claim().is_some() => Err(Refusal::ClaimWaits),
        Order::NoteFlag => flag::noted(state, action, stamp),
        Order::Grant | Order::Postpone { .. } | Order::Reject => on_claim(state, order, action, stamp),
        Order::Declare { outcome } => {
            if !is_a_score(outcome) {
                return Err(Refusal::NoSuchScore);
            }
            let result =
                GameResult { outcome: Some(outcome), ..GameResult::none(Termination::ArbiterRuling) };
            Ok(state.draft(action, stamp).ending(result))
        }
    }
}

/// Whether the game goes on or ends by an order.
const fn settles(order: Order) -> bool {
    matches!(order, Order::Resume | Order::Grant | Order::Reject | Order::NoteFlag | Order::Declare { .. })
}

fn in_bounds(span: Millis) -> Result<Millis, Refusal> {
    if span <= ARBITER_TIME_MAX { Ok(span) } else { Err(Refusal::TooMuchTime) }
}

/// Never more than one point for both together.
fn is_a_score(outcome: Outcome) -> bool {
    let (white, black) = (outcome.0.white, outcome.0.black);
    !(white == Score::One && black != Score::Zero || black == Score::One && white != Score::Zero)
}

/// The claim that waits, and whether the clocks wait with it.
fn on_claim(state: &State, order: Order, action: Action, stamp: Stamp) -> Result<Draft, Refusal> {
    let (by, claim) = state.claim_that_waits().ok_or(Refusal::NoClaimWaits)?;
    match (order, claim) {
        (Order::Grant, QuickplayClaim::NoWinning) => {
            Ok(state.draft(action, stamp).ending(GameResult::draw(Termination::NormalMeans)))
        }
        (Order::Grant, QuickplayClaim::Increment) => {
            Ok(state.draft_start(action, stamp).giving(!by, QUICKPLAY_BONUS))
        }
        (Order::Postpone { bonus }, QuickplayClaim::NoWinning) => {
            Ok(play_on(state, action, stamp).giving(!by, in_bounds(bonus)?))
        }
        (Order::Postpone { .. }, QuickplayClaim::Increment) => Err(Refusal::NotPostponed),
        (_, QuickplayClaim::NoWinning) => Ok(rejected(state, by, action, stamp)),
        // An increment that is not granted costs nothing (G.III.4).
        (_, QuickplayClaim::Increment) => Ok(play_on(state, action, stamp)),
    }
}

/// The game goes on, and the opponent gets two minutes; but if a flag has fallen meanwhile, it counts now.
fn rejected(state: &State, by: Color, action: Action, stamp: Stamp) -> Draft {
    match flag::noted(state, action.clone(), stamp) {
        Ok(draft) => draft,
        Err(_) => play_on(state, action, stamp).giving(!by, QUICKPLAY_BONUS),
    }
}

/// The clock of the side to move runs on, unless it stands still for another reason than the claim.
fn play_on(state: &State, action: Action, stamp: Stamp) -> Draft {
    match state.suspension() {
        Some(Suspension::Claim { .. }) => state.draft_start(action, stamp),
        _ => state.draft(action, stamp),
    }
}
