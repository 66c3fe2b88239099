//! Adjourned games and the sealed move (FIDE G.I, L62).

use super::command::Suspension;
use super::draft::Draft;
use super::ending;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::time::Stamp;
use super::touch;
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::Termination;

/// The envelope of a game about to be adjourned, and while it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    /// Whose move it holds.
    pub(super) sealer: Color,
    /// The move; until the clock stops it may be replaced.
    pub(super) mv: Option<Move>,
    /// How often one was put in.
    pub(super) seals: u8,
}

/// How often a move is put into one envelope before it is enough.
const SEALS_MAX: u8 = 8;

/// Puts a move into the envelope, whether or not it is legal: nobody looks. But the men touched bind here
/// as everywhere.
pub(super) fn seal(state: &State, color: Color, mv: Move, stamp: Stamp) -> Result<Draft, Refusal> {
    if open_envelope(state, color)?.seals >= SEALS_MAX {
        return Err(Refusal::NotRecorded);
    }
    if state.position().is_legal(mv) {
        touch::allows(state.position(), state.touched(), mv)?;
    }
    Ok(state.draft(Action::Sealed(mv), stamp))
}

/// Closes the envelope: the clock stops.
pub(super) fn close(state: &State, color: Color, stamp: Stamp) -> Result<Draft, Refusal> {
    let envelope = open_envelope(state, color)?;
    if envelope.mv.is_none() {
        return Err(Refusal::EnvelopeIsEmpty);
    }
    Ok(state.draft_stop(Action::EnvelopeClosed, stamp))
}

fn open_envelope(state: &State, color: Color) -> Result<Envelope, Refusal> {
    state.clocks_may_run()?;
    match state.envelope() {
        None => Err(Refusal::NothingToSeal),
        Some(envelope) if envelope.sealer != color => {
            Err(Refusal::NotYourEnvelope { sealer: envelope.sealer })
        }
        Some(envelope) => Ok(envelope),
    }
}

/// Plays on after a pause, an adjournment or a call.
pub(super) fn resume(state: &State, color: Color, stamp: Stamp) -> Result<Draft, Refusal> {
    match state.suspension() {
        None => Err(Refusal::NotSuspended),
        Some(Suspension::Pause) => Ok(state.draft_start(Action::Resumed { sealed: None }, stamp)),
        Some(Suspension::Call { by }) if by == color => {
            Ok(state.draft_start(Action::Resumed { sealed: None }, stamp))
        }
        Some(Suspension::Adjournment) => {
            if let Some(absent) = Color::ALL.into_iter().find(|&side| state.absent_since(side).is_some()) {
                return Err(Refusal::StillAway { side: absent });
            }
            Ok(open(state, stamp))
        }
        Some(why) => Err(Refusal::Suspended { why }),
    }
}

/// Opens the envelope, if there is one: its move is made, or loses the game by being illegal.
fn open(state: &State, stamp: Stamp) -> Draft {
    let Some((sealer, mv)) = state.envelope().and_then(|envelope| Some((envelope.sealer, envelope.mv?)))
    else {
        return state.draft_start(Action::Resumed { sealed: None }, stamp);
    };
    let action = Action::Resumed { sealed: Some(mv) };
    let mut after = state.position().clone();
    if after.play(mv).is_err() {
        let result = ending::lost(state.position(), sealer, Termination::SealedIllegalMove);
        return state.draft(action, stamp).ending(result);
    }
    state.draft_opened(action, stamp).perhaps_ending(ending::by_move(state, &after))
}
