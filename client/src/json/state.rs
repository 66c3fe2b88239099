//! The fields that many JSON lines share: the state of a game, what is agreed, what is proposed.

use crate::agreed;
use crate::model::Model;
use crate::model::game::GameModel;
use crate::words::matter_word;
use chatrang_protocol::lobby::Proposal;
use chatrang_protocol::view::EnvelopeContent;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Claim, Millis, Proposal as Offer, QuickplayClaim, Stakes, Suspension, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::uci::{self, UciCastling};
use serde::Serialize;

/// The state of a game, behind the fields of a line.
#[derive(Serialize)]
pub(crate) struct StateFields {
    fen: String,
    turn: Option<&'static str>,
    check: bool,
    /// In UCI, in the order of bytes.
    legal: Vec<String>,
    claimable: Vec<&'static str>,
    /// The moves in UCI that a claim of a draw may name.
    claimable_with: Vec<String>,
    touched: Vec<String>,
    offers: Vec<OfferFields>,
    illegal_moves: ByColor<u8>,
    suspended: Option<&'static str>,
    envelope: Option<EnvelopeFields>,
    claim_waiting: Option<WaitingFields>,
    clocks_ms: ByColor<Option<u64>>,
    /// Whose clock runs; none while the house has stopped them, and at the end.
    running: Option<&'static str>,
}

/// What is agreed before the first move.
#[derive(Serialize)]
pub(crate) struct AgreedFields {
    terms: String,
    /// As `--rules` reads it; none where it is left to the server.
    conduct: Option<String>,
    rated: bool,
    no_draw_before: Option<u16>,
}

/// Something that is proposed.
#[derive(Serialize)]
pub(crate) struct OfferFields {
    offer: &'static str,
    by: &'static str,
    /// For a takeback.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u8>,
}

/// An envelope, from outside.
#[derive(Serialize)]
pub(crate) struct EnvelopeFields {
    sealer: &'static str,
    filled: bool,
}

/// A claim that waits for an arbiter.
#[derive(Serialize)]
pub(crate) struct WaitingFields {
    by: &'static str,
    claim: &'static str,
}

/// What a script needs after each move.
pub(crate) fn state_fields(game: &GameModel, model: &Model) -> StateFields {
    let mut legal: Vec<String> = game.state.legal.iter().map(|legal| uci(legal.mv)).collect();
    legal.sort_unstable();
    StateFields {
        fen: game.state.fen.to_string(),
        turn: game.turn().map(side),
        check: game.state.in_check,
        legal,
        claimable: game.claims().iter().copied().filter_map(claimable).collect(),
        claimable_with: game.claims().iter().copied().filter_map(claimable_with).collect(),
        touched: game.state.touched.iter().map(ToString::to_string).collect(),
        offers: game.state.proposals.iter().map(|offer| OfferFields::new(offer.by, offer.proposal)).collect(),
        illegal_moves: game.state.illegal_moves,
        suspended: game.state.suspension.map(suspension),
        envelope: game.state.envelope.map(|envelope| EnvelopeFields {
            sealer: side(envelope.sealer),
            filled: envelope.content == EnvelopeContent::Move,
        }),
        claim_waiting: game
            .state
            .claim_waiting
            .map(|waiting| WaitingFields { by: side(waiting.by), claim: quickplay(waiting.claim) }),
        clocks_ms: clocks_ms(game, model),
        running: game.running().map(side),
    }
}

impl AgreedFields {
    /// The terms of a game.
    pub(super) fn of_game(terms: &Terms) -> Self {
        Self {
            terms: terms.controls.to_string(),
            conduct: Some(agreed::conduct(&terms.conduct, &terms.controls)),
            rated: terms.stakes == Stakes::Rated,
            no_draw_before: Some(terms.agreement_from).filter(|&from| from > 1),
        }
    }

    /// The terms that somebody proposes.
    pub(super) fn of_proposal(proposal: &Proposal) -> Self {
        Self {
            terms: proposal.controls.to_string(),
            conduct: proposal.conduct.map(|conduct| agreed::conduct(&conduct, &proposal.controls)),
            rated: proposal.stakes == Stakes::Rated,
            no_draw_before: Some(proposal.agreement_from).filter(|&from| from > 1),
        }
    }
}

impl OfferFields {
    /// What `by` proposes.
    pub(super) fn new(by: Color, proposal: Offer) -> Self {
        let plies = match proposal {
            Offer::Takeback { plies } => Some(plies),
            Offer::Draw | Offer::Pause | Offer::Adjournment => None,
        };
        Self { offer: matter_word(proposal.matter()), by: side(by), plies }
    }
}

const fn claimable(claim: Claim) -> Option<&'static str> {
    match claim {
        Claim::Threefold => Some("threefold"),
        Claim::FiftyMoves => Some("fifty"),
        Claim::ThreefoldWith(_) | Claim::FiftyMovesWith(_) => None,
        Claim::Flag => Some("flag"),
        Claim::Absence => Some("absence"),
        Claim::Increment => Some("increment"),
        Claim::NoWinning => Some("no_winning"),
    }
}

fn claimable_with(claim: Claim) -> Option<String> {
    match claim {
        Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => Some(uci(mv)),
        _ => None,
    }
}

pub(crate) const fn quickplay(claim: QuickplayClaim) -> &'static str {
    match claim {
        QuickplayClaim::Increment => "increment",
        QuickplayClaim::NoWinning => "no_winning",
    }
}

pub(super) const fn suspension(why: Suspension) -> &'static str {
    match why {
        Suspension::Restart => "restart",
        Suspension::Pause => "pause",
        Suspension::Adjournment => "adjournment",
        Suspension::Arbiter => "arbiter",
        Suspension::Call { .. } => "call",
        Suspension::Claim { .. } => "claim",
    }
}

/// What both clocks read; null for one without a limit.
pub(super) fn clocks_ms(game: &GameModel, model: &Model) -> ByColor<Option<u64>> {
    ByColor::from_fn(|color| {
        Some(game.left(color, model.now)).filter(|&left| left != Millis::MAX).map(|left| left.0)
    })
}

pub(super) fn uci(mv: Move) -> String {
    uci::write(mv, UciCastling::KingMoves)
}

/// A side as lines name it.
pub(crate) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
