//! What a player could do now with success, whether or not he knows it.

use super::command::QuickplayClaim;
use super::draw::{self, HALFMOVES_CLAIM, REPETITIONS_CLAIM};
use super::state::State;
use super::time::Stamp;
use super::{absence, flag, quickplay};
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::Termination;

/// Something a player could do now with success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Claim {
    /// A draw: the position has occurred three times (FIDE 9.2).
    Threefold,
    /// A draw: fifty moves each without a pawn's move or a capture (FIDE 9.3).
    FiftyMoves,
    /// A draw by naming this move, after which the position will have occurred three times (FIDE 9.2.1).
    ThreefoldWith(Move),
    /// A draw by naming this move, after which there will have been fifty moves (FIDE 9.3.1).
    FiftyMovesWith(Move),
    /// The opponent's flag is down (FIDE 6.8).
    Flag,
    /// The opponent has been away too long (L60).
    Absence,
    /// An increment may be asked for (FIDE G.III.4).
    Increment,
    /// It may be claimed that the opponent does not win by normal means (FIDE G.III.5).
    NoWinning,
}

/// The claims of `color` that would succeed at the stamp's time.
pub(super) fn of(state: &State, color: Color, stamp: Stamp) -> Vec<Claim> {
    let mut claims = if draw::may_claim(state, color).is_ok() { draws(state) } else { Vec::new() };
    let quickplay = |claim| quickplay::may_claim(state, color, claim, stamp.now).is_ok();
    let others = [
        (flag::would_end(state, color, stamp), Claim::Flag),
        (absence::may_claim(state, color, stamp.now).is_ok(), Claim::Absence),
        (quickplay(QuickplayClaim::Increment), Claim::Increment),
        (quickplay(QuickplayClaim::NoWinning), Claim::NoWinning),
    ];
    claims.extend(others.into_iter().filter_map(|(holds, claim)| holds.then_some(claim)));
    claims
}

/// Draws in the position on the board; only where there are none, those that a move would bring.
fn draws(state: &State) -> Vec<Claim> {
    let threefold = state.repetitions().count() >= REPETITIONS_CLAIM;
    let fifty = state.position().halfmove_clock() >= HALFMOVES_CLAIM;
    let here: Vec<Claim> = [(threefold, Claim::Threefold), (fifty, Claim::FiftyMoves)]
        .into_iter()
        .filter_map(|(holds, claim)| holds.then_some(claim))
        .collect();
    if !here.is_empty() {
        return here;
    }
    let named = |(mv, by)| match by {
        Termination::ThreefoldRepetition => Claim::ThreefoldWith(mv),
        _ => Claim::FiftyMovesWith(mv),
    };
    draw::moves_to_name(state).into_iter().map(named).collect()
}
