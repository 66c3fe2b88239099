//! The JSON lines of what happens in a game besides moves and offers: a type for each kind.

use super::order::OrderFields;
use super::state::{StateFields, quickplay, side, uci};
use crate::message::Happening;
use crate::model::game::GameModel;
use chatrang_rules::game::{
    AbsenceClaim, Action, Decision, IllegalMoves, Irregularity, Order, Party, Proposal,
};
use chatrang_rules::moves::Move;
use serde::Serialize;

/// A line of its own type, in a sentence too, with the state afterwards.
#[derive(Serialize)]
pub(crate) struct Happened<'a> {
    #[serde(flatten)]
    kind: Kind<'a>,
    /// Whose doing it was: a side, `arbiter` or `house`.
    by: &'static str,
    text: &'a str,
    #[serde(flatten)]
    state: StateFields,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind<'a> {
    Touch {
        square: String,
    },
    Adjust {
        square: String,
    },
    IllegalMove {
        uci: Option<String>,
        outcome: &'static str,
        count: u8,
        limit: Option<u8>,
        penalty_ms: u64,
    },
    WrongClaim {
        claim: &'static str,
        uci: Option<String>,
        illegal: bool,
        penalty_ms: u64,
    },
    Claim {
        claim: &'static str,
        uci: Option<String>,
    },
    BothFlags,
    Takeback {
        plies: u8,
    },
    Pause,
    Adjourning,
    Adjourned,
    Sealed {
        uci: String,
    },
    Resumed {
        uci: Option<String>,
    },
    Call {
        reason: &'a str,
    },
    Ruling(Ruling<'a>),
    /// What has no line of its own.
    Event,
}

/// An arbiter's order, and his reason.
#[derive(Serialize)]
struct Ruling<'a> {
    #[serde(flatten)]
    order: OrderFields,
    /// The plies that stay, where it goes back.
    ply: Option<u32>,
    reason: &'a str,
}

/// The line of a happening, with the state afterwards.
pub(super) fn line<'a>(happening: &'a Happening, game: &GameModel, state: StateFields) -> Happened<'a> {
    let by = match happening.event.by {
        Party::Player(color) => side(color),
        Party::Arbiter => "arbiter",
        Party::House => "house",
    };
    Happened { kind: kind(&happening.event.action, game), by, text: &happening.text, state }
}

fn kind<'a>(action: &'a Action, game: &GameModel) -> Kind<'a> {
    let limit = match game.terms.conduct.illegal_moves {
        IllegalMoves::PutBack { lost_at, .. } => Some(lost_at),
        IllegalMoves::Refused | IllegalMoves::Stand => None,
    };
    match action {
        Action::Touched(square) => Kind::Touch { square: square.to_string() },
        Action::Adjusted(square) => Kind::Adjust { square: square.to_string() },
        Action::MovePutBack { mv, count, penalty } => Kind::IllegalMove {
            uci: Some(uci(*mv)),
            outcome: "put_back",
            count: *count,
            limit,
            penalty_ms: penalty.0,
        },
        Action::Moved { mv, irregularity, .. } => irregular(*mv, *irregularity, limit),
        Action::DrawClaimedWrongly { played, illegal, penalty } => Kind::WrongClaim {
            claim: "draw",
            uci: played.or(*illegal).map(uci),
            illegal: illegal.is_some(),
            penalty_ms: penalty.0,
        },
        Action::IllegalMoveClaimedWrongly { penalty } => {
            Kind::WrongClaim { claim: "illegal", uci: None, illegal: false, penalty_ms: penalty.0 }
        }
        Action::DrawClaimed { intended } => Kind::Claim { claim: "draw", uci: intended.map(uci) },
        Action::FlagClaimed => claim("flag"),
        Action::IllegalMoveClaimed => claim("illegal"),
        Action::AbsenceClaimed(AbsenceClaim::Win) => claim("absence_win"),
        Action::AbsenceClaimed(AbsenceClaim::Draw) => claim("absence_draw"),
        Action::QuickplayClaimed(claimed) => claim(quickplay(*claimed)),
        Action::BothFlagsDown => Kind::BothFlags,
        Action::Accepted(Proposal::Takeback { plies }) => Kind::Takeback { plies: *plies },
        Action::Accepted(Proposal::Pause) => Kind::Pause,
        Action::Accepted(Proposal::Adjournment) if game.state.envelope.is_some() => Kind::Adjourning,
        Action::Accepted(Proposal::Adjournment) | Action::EnvelopeClosed => Kind::Adjourned,
        Action::Sealed(mv) => Kind::Sealed { uci: uci(*mv) },
        Action::Resumed { sealed } => Kind::Resumed { uci: sealed.map(uci) },
        Action::ArbiterCalled(reason) => Kind::Call { reason: reason.as_str() },
        Action::Ruled(decision) => Kind::Ruling(ruling(decision)),
        _ => Kind::Event,
    }
}

const fn claim(claim: &'static str) -> Kind<'static> {
    Kind::Claim { claim, uci: None }
}

fn irregular(mv: Move, irregularity: Option<Irregularity>, limit: Option<u8>) -> Kind<'static> {
    match irregularity {
        Some(Irregularity::Unpromoted { count, penalty }) => {
            Kind::IllegalMove { uci: Some(uci(mv)), outcome: "queened", count, limit, penalty_ms: penalty.0 }
        }
        _ => Kind::IllegalMove { uci: Some(uci(mv)), outcome: "stands", count: 0, limit, penalty_ms: 0 },
    }
}

fn ruling(Decision { order, reason }: &Decision) -> Ruling<'_> {
    let ply = match order {
        Order::GoBack { ply } => Some(*ply),
        _ => None,
    };
    Ruling { order: OrderFields::new(*order), ply, reason: reason.as_str() }
}
