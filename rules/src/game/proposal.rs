//! What needs the opponent's consent: a draw, a takeback, a pause, an adjournment (FIDE 9.1, L61, L62).

use super::command::{Matter, Proposal};
use super::conduct::{Profile, SealedMove};
use super::draft::Draft;
use super::event::Action;
use super::refusal::Refusal;
use super::state::State;
use super::terms::Stakes;
use super::time::Stamp;
use crate::color::{ByColor, Color};
use crate::outcome::{GameResult, Termination};

/// How many plies pass before a side may propose the same again, unless the other side does first (L17).
pub const OFFER_PLIES_MIN: u32 = 20;

/// Most plies that are taken back at once.
pub const TAKEBACK_PLIES_MAX: u8 = 2;

/// How often moves are taken back in one game; the record takes no more.
pub const TAKEBACKS_MAX: u8 = 100;

/// What stands proposed, and when each side last proposed what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Proposals {
    standings: [Standing; 4],
    /// How often moves were taken back.
    takebacks: u8,
}

/// The proposals of one matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    /// What stands, and who proposed it.
    now: Option<(Color, Proposal)>,
    /// The ply at which each side last proposed it.
    last: ByColor<Option<u32>>,
    /// Whether the other side has proposed it since.
    outbid: ByColor<bool>,
}

impl Proposals {
    /// What stands of this matter, and who proposed it.
    pub(super) fn standing(&self, matter: Matter) -> Option<(Color, Proposal)> {
        self.standings[matter as usize].now
    }

    pub(super) fn propose(&mut self, by: Color, proposal: Proposal, ply: u32) {
        let standing = &mut self.standings[proposal.matter() as usize];
        standing.now = Some((by, proposal));
        standing.last[by] = Some(ply);
        standing.outbid = ByColor::from_fn(|side| side != by);
    }

    /// A claim counts as an offer, outside the limits on the claimant's offers (FIDE 9.1.2.3).
    pub(super) fn offer_by_claim(&mut self, by: Color) {
        let draw = &mut self.standings[Matter::Draw as usize];
        draw.now = Some((by, Proposal::Draw));
        draw.outbid[!by] = true;
    }

    pub(super) fn clear(&mut self, matter: Matter) {
        self.standings[matter as usize].now = None;
    }

    /// Moves were taken back by agreement: nothing that was refused stands in the way of the next time.
    pub(super) fn take_back(&mut self) {
        self.standings[Matter::Takeback as usize] = Standing::default();
        self.takebacks = self.takebacks.saturating_add(1);
    }

    /// A move of `mover` answers what the opponent proposed, and leaves no move to take back.
    pub(super) fn answer_by_move(&mut self, mover: Color) {
        for standing in &mut self.standings {
            standing.now = standing.now.filter(|&(by, _)| by == mover);
        }
        self.clear(Matter::Takeback);
    }

    /// A touch by `toucher` answers an offer of a draw (FIDE 9.1.2.1).
    pub(super) fn answer_by_touch(&mut self, toucher: Color) {
        let draw = &mut self.standings[Matter::Draw as usize];
        draw.now = draw.now.filter(|&(by, _)| by == toucher);
    }

    /// From which ply on a side may propose this again.
    fn again(&self, color: Color, matter: Matter) -> Option<u32> {
        let standing = &self.standings[matter as usize];
        // Never twice at one ply: two players who propose and decline in turn would fill the record.
        let is_soon = standing.outbid[color] || matter == Matter::Takeback;
        Some(standing.last[color]? + if is_soon { 1 } else { OFFER_PLIES_MIN })
    }
}

/// A proposal by `color`.
pub(super) fn propose(
    state: &State,
    color: Color,
    proposal: Proposal,
    stamp: Stamp,
) -> Result<Draft, Refusal> {
    may_propose(state, color, proposal)?;
    Ok(state.draft(Action::Proposed(proposal), stamp))
}

/// What the opponent has proposed is turned down.
pub(super) fn decline(state: &State, color: Color, matter: Matter, stamp: Stamp) -> Result<Draft, Refusal> {
    standing_for(state, color, matter)?;
    Ok(state.draft(Action::Declined(matter), stamp))
}

/// What the opponent has proposed is accepted.
pub(super) fn accept(state: &State, color: Color, matter: Matter, stamp: Stamp) -> Result<Draft, Refusal> {
    let proposal = standing_for(state, color, matter)?;
    let action = Action::Accepted(proposal);
    if proposal == Proposal::Draw {
        return Ok(state.draft(action, stamp).ending(GameResult::draw(Termination::Agreement)));
    }
    state.clocks_may_run()?;
    Ok(match proposal {
        Proposal::Takeback { plies } => {
            state.draft_back_to(state.ply().saturating_sub(plies.into()), action, stamp)
        }
        Proposal::Adjournment if state.terms().conduct.sealed_move == SealedMove::Yes => {
            state.draft(action, stamp)
        }
        Proposal::Draw | Proposal::Pause | Proposal::Adjournment => state.draft_stop(action, stamp),
    })
}

/// Whether `color` may propose this now.
fn may_propose(state: &State, color: Color, proposal: Proposal) -> Result<(), Refusal> {
    let matter = proposal.matter();
    match matter {
        Matter::Draw => may_agree(state)?,
        Matter::Takeback => may_take_back(state, proposal)?,
        Matter::Pause | Matter::Adjournment => state.clocks_may_run()?,
    }
    match state.proposals().standing(matter) {
        Some((by, _)) if by == color => return Err(Refusal::OfferStands { matter }),
        Some(_) => return Err(Refusal::OfferWaits { matter }),
        None => {}
    }
    match state.proposals().again(color, matter) {
        Some(again) if again > state.ply() => {
            Err(Refusal::OfferTooSoon { matter, plies: again - state.ply() })
        }
        _ => Ok(()),
    }
}

/// What the opponent of `color` has proposed in this matter.
fn standing_for(state: &State, color: Color, matter: Matter) -> Result<Proposal, Refusal> {
    match state.proposals().standing(matter) {
        Some((by, proposal)) if by == !color => Ok(proposal),
        _ => Err(Refusal::NoOffer { matter }),
    }
}

/// Whether a draw may be agreed now (FIDE 9.1.1).
fn may_agree(state: &State) -> Result<(), Refusal> {
    let from = state.terms().agreement_from;
    if state.position().move_number() < u32::from(from) {
        return Err(Refusal::AgreementTooEarly { from });
    }
    if state.ply() < 2 { Err(Refusal::OfferTooEarly) } else { Ok(()) }
}

/// Whether so many plies may be taken back (L61).
fn may_take_back(state: &State, proposal: Proposal) -> Result<(), Refusal> {
    let Proposal::Takeback { plies } = proposal else { return Ok(()) };
    let terms = state.terms();
    if terms.stakes == Stakes::Rated && terms.conduct.profile != Profile::Online {
        return Err(Refusal::TakebackForbidden);
    }
    if plies == 0 || plies > TAKEBACK_PLIES_MAX || u32::from(plies) > state.ply() {
        return Err(Refusal::TakebackTooFar { played: state.ply() });
    }
    if state.proposals().takebacks >= TAKEBACKS_MAX {
        return Err(Refusal::NotRecorded);
    }
    state.clocks_may_run()
}
