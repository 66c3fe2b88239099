//! What a lost connection allows the opponent (L60).

use super::command::AbsenceClaim;
use super::conduct::Absence;
use super::draft::Draft;
use super::ending;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::terms::Terms;
use super::time::{GameInstant, Millis, Stamp};
use crate::color::Color;
use crate::outcome::{GameResult, Termination};

/// Absences of one side that a game's record takes; a connection that flaps on after them is not
/// written down any more.
pub const ABSENCES_MAX: u8 = 100;

/// The shortest and the longest absence after which a claim is heard.
const ABSENCE_MIN: Millis = Millis::from_seconds(30);
const ABSENCE_MAX: Millis = Millis::from_seconds(180);

/// The moves that a game is estimated to have.
const LENGTH_MOVES: u16 = 40;

impl Terms {
    /// After how long an absence of `absent`, to move, his opponent may claim (L60): a tenth of the game's
    /// estimated length. None in games without a clock that could make anyone wait.
    pub fn patience(&self, absent: Color) -> Option<Millis> {
        let control = self.controls[absent];
        let counts = !control.is_unlimited() && !control.is_by_days();
        counts.then(|| Millis(control.time_for(LENGTH_MOVES).0 / 10).clamp(ABSENCE_MIN, ABSENCE_MAX))
    }
}

/// After how long an absence of the side to move its opponent may claim.
pub(super) fn patience(state: &State) -> Option<Millis> {
    state.terms().patience(state.position().turn())
}

/// When the opponent of the absent side to move may claim, if nothing changes; at once when he was away for
/// as long before it was his turn.
pub(super) fn claimable_from(state: &State) -> Option<GameInstant> {
    let absent = state.position().turn();
    if state.suspension().is_some() {
        return None;
    }
    Some(state.absent_since(absent)?.plus(patience(state)?).max(state.last_event()))
}

/// When an absence ends the game by itself.
pub(super) fn ends_by_itself(state: &State) -> Option<GameInstant> {
    (state.terms().conduct.absence == Absence::Automatic).then(|| claimable_from(state))?
}

/// A claim by `color` that the opponent has been away too long.
pub(super) fn claim(
    state: &State,
    color: Color,
    claim: AbsenceClaim,
    stamp: Stamp,
) -> Result<Draft, Refusal> {
    may_claim(state, color, stamp.now)?;
    let result = match claim {
        AbsenceClaim::Win => ending::lost(state.position(), !color, Termination::Absence),
        AbsenceClaim::Draw => GameResult::draw(Termination::Absence),
    };
    Ok(state.draft(Action::AbsenceClaimed(claim), stamp).ending(result))
}

/// Whether `color` may claim now that the opponent has been away too long.
pub(super) fn may_claim(state: &State, color: Color, now: GameInstant) -> Result<(), Refusal> {
    if state.terms().conduct.absence == Absence::Borne || patience(state).is_none() {
        return Err(Refusal::AbsenceIsBorne);
    }
    // Who does not come at all is a matter of the first move (L29).
    if !state.has_begun() {
        return Err(Refusal::NotAway);
    }
    state.clocks_may_run()?;
    if state.position().turn() == color || state.absent_since(!color).is_none() {
        return Err(Refusal::NotAway);
    }
    match claimable_from(state) {
        Some(from) if from > now => Err(Refusal::AwayNotLongEnough { wait: from.since(now) }),
        _ => Ok(()),
    }
}
