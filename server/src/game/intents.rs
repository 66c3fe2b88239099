//! From what somebody wants to what the Laws are asked: is it meant for the position on the board, and
//! for the proposal that stands?

use super::entry::Entry;
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_rules::game::{Action, Command, Game, Matter, Refusal};

/// The command that an intent asks for, whose sender had last seen the event `seen` of `entries`.
///
/// # Errors
/// [`IntentError::WrongPly`] when it is meant for another position, [`Refusal::NoOffer`] when it answers a
/// proposal that its sender cannot have known.
pub(super) fn command_of(
    game: &Game,
    entries: &[Entry],
    intent: Intent,
    seen: Seq,
) -> Result<Command, IntentError> {
    if let Some(meant) = ply_of(&intent)
        && meant != game.ply()
        && game.result().is_none()
    {
        return Err(IntentError::WrongPly { meant, ply: game.ply() });
    }
    if let Intent::Accept(matter) | Intent::Decline(matter) = intent
        && last_proposed(entries, matter).is_some_and(|proposed| proposed > seen)
    {
        return Err(Refusal::NoOffer { matter }.into());
    }
    Ok(match intent {
        Intent::Move { mv, .. } => Command::Move(mv),
        Intent::Touch { square, .. } => Command::Touch(square),
        Intent::Adjust { square, .. } => Command::Adjust(square),
        Intent::Propose(proposal) => Command::Propose(proposal),
        Intent::Accept(matter) => Command::Accept(matter),
        Intent::Decline(matter) => Command::Decline(matter),
        Intent::ClaimDraw { intended, .. } => Command::ClaimDraw { intended },
        Intent::ClaimFlag => Command::ClaimFlag,
        Intent::ClaimIllegalMove { .. } => Command::ClaimIllegalMove,
        Intent::ClaimAbsence(claim) => Command::ClaimAbsence(claim),
        Intent::AskIncrement { .. } => Command::AskIncrement,
        Intent::ClaimNoWinning { .. } => Command::ClaimNoWinning,
        Intent::Seal { mv, .. } => Command::Seal(mv),
        Intent::CloseEnvelope => Command::CloseEnvelope,
        Intent::Resume => Command::Resume,
        Intent::CallArbiter(reason) => Command::CallArbiter(reason),
        Intent::Resign => Command::Resign,
        Intent::Abort => Command::Abort,
        Intent::Rule(decision) => Command::Rule(decision),
    })
}

/// The ply that an intent is meant for, if it is meant for one.
const fn ply_of(intent: &Intent) -> Option<u32> {
    match intent {
        Intent::Move { ply, .. }
        | Intent::Touch { ply, .. }
        | Intent::Adjust { ply, .. }
        | Intent::ClaimDraw { ply, .. }
        | Intent::ClaimIllegalMove { ply }
        | Intent::AskIncrement { ply }
        | Intent::ClaimNoWinning { ply }
        | Intent::Seal { ply, .. } => Some(*ply),
        Intent::Propose(_)
        | Intent::Accept(_)
        | Intent::Decline(_)
        | Intent::ClaimFlag
        | Intent::ClaimAbsence(_)
        | Intent::CloseEnvelope
        | Intent::Resume
        | Intent::CallArbiter(_)
        | Intent::Resign
        | Intent::Abort
        | Intent::Rule(_) => None,
    }
}

/// When something was last proposed in a matter; a claim that does not end the game offers a draw
/// (FIDE 9.1.2.3).
fn last_proposed(entries: &[Entry], matter: Matter) -> Option<Seq> {
    let proposes = |entry: &Entry| match &entry.event().action {
        Action::Proposed(proposal) => proposal.matter() == matter,
        Action::DrawClaimedWrongly { .. } | Action::QuickplayClaimed(_) => matter == Matter::Draw,
        _ => false,
    };
    entries.iter().rposition(proposes).map(|seq| Seq(seq as u64))
}
