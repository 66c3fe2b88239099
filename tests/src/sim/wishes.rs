//! What a player may want at a moment: a move most of the time, and now and then anything else.

use super::dice::Dice;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::view::StateView;
use chatrang_rules::color::Color;
use chatrang_rules::game::{AbsenceClaim, Claim, Matter, Proposal};
use chatrang_rules::moves::Move;

/// How somebody plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Temper {
    /// How long he thinks about a move, on the average.
    pub(super) thinking_ms: u64,
    /// The ply from which on he wants to go home.
    pub(super) tired_at: u32,
    /// How he goes home.
    pub(super) ending: Ending,
    /// How many of a thousand of his wishes are none for a move.
    pub(super) whims_per_mille: u64,
}

/// How somebody makes an end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Resigns,
    OffersDraws,
    /// Plays no more, and lets his flag fall where it falls by itself.
    FallsAsleep,
    PlaysOn,
}

impl Temper {
    /// One of many, for a game in which each side has so many milliseconds.
    pub(super) fn of(dice: &mut Dice, allowance_ms: u64) -> Self {
        let ending = match dice.below(10) {
            0..=3 => Ending::Resigns,
            4..=6 => Ending::OffersDraws,
            7 => Ending::FallsAsleep,
            _ => Ending::PlaysOn,
        };
        Self {
            thinking_ms: (allowance_ms.min(180_000) / dice.between(30, 90)).max(50),
            tired_at: dice.between(4, 70) as u32,
            ending,
            whims_per_mille: dice.between(0, 150),
        }
    }
}

/// Plies after which anybody resigns.
const LAST_PLY: u32 = 120;

/// What a player wants now; nothing most of the time when it is not his turn.
pub(super) fn wish(state: &StateView, seat: Color, temper: &Temper, dice: &mut Dice) -> Option<Intent> {
    if state.ply >= LAST_PLY {
        return Some(Intent::Resign);
    }
    if let Some(answer) = answer(state, seat, dice) {
        return Some(answer);
    }
    if let Some(claim) = claim(state, seat, dice) {
        return Some(claim);
    }
    let is_tired = state.ply >= temper.tired_at;
    match temper.ending {
        Ending::Resigns if is_tired => return Some(Intent::Resign),
        Ending::OffersDraws if is_tired && dice.per_mille(300) => {
            return Some(Intent::Propose(Proposal::Draw));
        }
        Ending::FallsAsleep if is_tired => return dice.per_mille(10).then_some(Intent::Resign),
        _ => {}
    }
    if dice.per_mille(temper.whims_per_mille) {
        return whim(state, dice);
    }
    (state.turn == seat)
        .then(|| choose_move(state, dice).map(|mv| Intent::Move { ply: state.ply, mv }))
        .flatten()
}

/// Consent to what the opponent has proposed, or the word that turns it down.
fn answer(state: &StateView, seat: Color, dice: &mut Dice) -> Option<Intent> {
    let standing = state.proposals.iter().find(|standing| standing.by != seat)?;
    let matter = standing.proposal.matter();
    match dice.below(10) {
        0..=3 if matter != Matter::Adjournment => Some(Intent::Accept(matter)),
        0..=6 => Some(Intent::Decline(matter)),
        _ => None,
    }
}

fn claim(state: &StateView, seat: Color, dice: &mut Dice) -> Option<Intent> {
    let claim = *dice.pick(&state.claims[seat])?;
    let ply = state.ply;
    if !dice.per_mille(500) {
        return None;
    }
    match claim {
        Claim::Threefold | Claim::FiftyMoves => Some(Intent::ClaimDraw { ply, intended: None }),
        Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => {
            Some(Intent::ClaimDraw { ply, intended: Some(mv) })
        }
        Claim::Flag => Some(Intent::ClaimFlag),
        Claim::Absence => Some(Intent::ClaimAbsence(*dice.pick(&[AbsenceClaim::Win, AbsenceClaim::Draw])?)),
        // What an arbiter would have to decide.
        Claim::Increment | Claim::NoWinning => None,
    }
}

/// Anything but a move that makes sense.
fn whim(state: &StateView, dice: &mut Dice) -> Option<Intent> {
    let ply = state.ply;
    Some(match dice.below(12) {
        0..=2 => Intent::Propose(Proposal::Draw),
        3 | 4 => Intent::Propose(Proposal::Takeback { plies: dice.between(1, 2) as u8 }),
        5 => Intent::Propose(Proposal::Pause),
        6 => Intent::Accept(*dice.pick(&[Matter::Draw, Matter::Takeback, Matter::Pause])?),
        7 => Intent::Decline(*dice.pick(&Matter::ALL)?),
        8 => Intent::ClaimDraw { ply, intended: None },
        9 => Intent::ClaimFlag,
        // Meant for another position, or made out of turn.
        10 => Intent::Move { ply: ply + dice.between(1, 2) as u32, mv: any_move(state, dice)? },
        _ if state.ply < 2 => Intent::Abort,
        _ => Intent::Move { ply, mv: any_move(state, dice)? },
    })
}

fn any_move(state: &StateView, dice: &mut Dice) -> Option<Move> {
    dice.pick(&state.legal).map(|legal| legal.mv)
}

/// Mate when there is one, and rather a capture than a quiet move, so that games end.
fn choose_move(state: &StateView, dice: &mut Dice) -> Option<Move> {
    let with = |mark: char| {
        state
            .legal
            .iter()
            .filter(|legal| legal.san.as_str().contains(mark))
            .map(|legal| legal.mv)
            .collect::<Vec<_>>()
    };
    if let Some(mate) = with('#').first() {
        return Some(*mate);
    }
    if dice.per_mille(400)
        && let Some(capture) = dice.pick(&with('x'))
    {
        return Some(*capture);
    }
    any_move(state, dice)
}
