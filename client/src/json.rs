//! The face of JSON lines: one object a line, each with `"v":1` and a `type`. `docs/json.md` describes
//! them for those who write scripts; types and fields may be added, none is taken away.

mod happened;
pub(crate) mod order;
pub(crate) mod state;

use crate::fault::Fault;
use crate::message::{Consent, Invitation, News, Refused, Standstill};
use crate::model::Model;
use crate::model::game::GameModel;
use crate::words::{Question, matter_word};
use crate::{answers, sentence};
use chatrang_protocol::chat::ChatLine;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::role::Role;
use chatrang_rules::color::ByColor;
use happened::Happened;
use serde::Serialize;
use state::{AgreedFields, OfferFields, StateFields, clocks_ms, side, state_fields, suspension, uci};

/// The version of the lines.
const VERSION: u8 = 1;

/// The lines that tell the news, most often one.
pub fn lines(news: &News, model: &Model) -> Vec<String> {
    line(news, model).map(|line| write(&line)).into_iter().collect()
}

/// The line of a fault that ends the program.
pub fn fault(fault: &Fault) -> String {
    let cause = fault.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
    write(&Line::Error { code: fault.exit.name(), text: format!("{}{cause}", fault.text), hint: &fault.hint })
}

/// The line of a game in a list.
pub fn listed(summary: &GameSummary) -> String {
    write(&Line::Listed {
        game: summary.game.0,
        players: summary.players.as_ref().map(ToString::to_string),
        terms: summary.controls.to_string(),
        ply: summary.ply,
        result: summary.result.map(|result| result.score_text()),
    })
}

/// The line of who this machine is.
pub fn identity(fingerprint: &str, path: &str) -> String {
    write(&Line::Identity { fingerprint, path })
}

/// The line of a known server.
pub fn known_server(address: &str, fingerprint: &str, first_seen: &str, handle: Option<&str>) -> String {
    write(&Line::Server { address, fingerprint, first_seen, handle })
}

/// The line of an account that the player blocks.
pub fn blocked(handle: &Handle) -> String {
    write(&Line::Blocked { handle: handle.as_str() })
}

/// The line of an account that the player blocks no more.
pub fn unblocked(handle: &Handle) -> String {
    write(&Line::Unblocked { handle: handle.as_str() })
}

/// The line of an account that has got a role.
pub fn role_given(handle: &Handle, role: Role) -> String {
    write(&Line::Role { handle: handle.as_str(), role: role.as_str() })
}

#[derive(Serialize)]
struct Versioned<'a, L> {
    v: u8,
    #[serde(flatten)]
    line: &'a L,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Line<'a> {
    Entered {
        server: &'a str,
        handle: Option<String>,
    },
    Invite {
        line: &'a str,
        command: String,
    },
    Seeking(AgreedFields),
    Terms(TermsLine<'a>),
    Game(Box<GameLine>),
    Move(Box<MoveLine>),
    Offer(OfferFields),
    Declined {
        offer: &'static str,
        by: &'static str,
    },
    Sealed {
        by: &'static str,
    },
    MayClaim {
        claim: &'static str,
    },
    Chat {
        from: &'a str,
        room: &'static str,
        text: &'a str,
    },
    Rematch {
        by: &'static str,
    },
    RematchWithdrawn,
    RematchBegun {
        game: u64,
    },
    Refused {
        input: &'a str,
        law: &'a str,
        text: &'a str,
    },
    Away {
        side: &'static str,
        seconds: u64,
        claim_in_ms: Option<u64>,
    },
    Back {
        side: &'static str,
    },
    ClocksStopped {
        reason: &'static str,
        clocks_ms: ByColor<Option<u64>>,
    },
    ClocksRun {
        reason: &'static str,
        clocks_ms: ByColor<Option<u64>>,
    },
    ConnectionLost,
    ConnectionBack,
    LowTime {
        side: &'static str,
        seconds: u64,
    },
    Board {
        fen: String,
        ranks: Vec<String>,
        turn: Option<&'static str>,
    },
    Clock {
        clocks_ms: ByColor<Option<u64>>,
        running: Option<&'static str>,
    },
    Answer {
        question: &'static str,
        text: String,
    },
    Note {
        text: &'a str,
    },
    End {
        result: String,
        termination: &'static str,
        text: String,
    },
    Error {
        code: &'static str,
        text: String,
        hint: &'a str,
    },
    Listed {
        game: u64,
        players: ByColor<String>,
        terms: String,
        ply: u32,
        result: Option<String>,
    },
    Identity {
        fingerprint: &'a str,
        path: &'a str,
    },
    Blocked {
        handle: &'a str,
    },
    Unblocked {
        handle: &'a str,
    },
    Role {
        handle: &'a str,
        role: &'static str,
    },
    Server {
        address: &'a str,
        fingerprint: &'a str,
        first_seen: &'a str,
        handle: Option<&'a str>,
    },
    /// It has a type of its own.
    #[serde(untagged)]
    Happened(Box<Happened<'a>>),
}

#[derive(Serialize)]
pub(crate) struct TermsLine<'a> {
    from: &'a str,
    consent: &'static str,
    #[serde(flatten)]
    agreed: AgreedFields,
}

#[derive(Serialize)]
pub(crate) struct GameLine {
    game: u64,
    /// None for a spectator.
    side: Option<&'static str>,
    /// None for a spectator.
    opponent: Option<String>,
    players: ByColor<String>,
    #[serde(flatten)]
    agreed: AgreedFields,
    /// The moves made so far, in SAN.
    played: Vec<String>,
    offer_by: Option<&'static str>,
    #[serde(flatten)]
    state: StateFields,
}

#[derive(Serialize)]
pub(crate) struct MoveLine {
    ply: u32,
    by: &'static str,
    san: String,
    uci: String,
    /// What the mover was not charged because the network took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    credit_ms: Option<u64>,
    #[serde(flatten)]
    state: StateFields,
}

/// What a line says of the news.
pub(crate) fn line<'a>(news: &'a News, model: &'a Model) -> Option<Line<'a>> {
    let game = model.game.as_ref();
    let clocks_ms = || game.map(|game| clocks_ms(game, model)).unwrap_or_default();
    Some(match news {
        News::Entered => {
            Line::Entered { server: &model.server, handle: model.handle.as_ref().map(ToString::to_string) }
        }
        News::Invite(Invitation { line, .. }) => {
            Line::Invite { line, command: format!("chatrang join {line}") }
        }
        News::Seeking(proposal) => Line::Seeking(AgreedFields::of_proposal(proposal)),
        News::Proposed { invitation, consent } => Line::Terms(TermsLine {
            from: invitation.by.as_str(),
            consent: match consent {
                Consent::Needed => "needed",
                Consent::Given => "given",
            },
            agreed: AgreedFields::of_proposal(&invitation.proposal),
        }),
        News::Game => Line::Game(Box::new(game_line(game?, model))),
        News::Moved { color, ply, mv, san, credit } => Line::Move(Box::new(MoveLine {
            ply: *ply,
            by: side(*color),
            san: san.clone(),
            uci: uci(*mv),
            credit_ms: Some(credit.0).filter(|&credit| credit > 0),
            state: state_fields(game?, model),
        })),
        News::Offered { by, proposal } => Line::Offer(OfferFields::new(*by, *proposal)),
        News::Declined { by, matter } => Line::Declined { offer: matter_word(*matter), by: side(*by) },
        News::Happened(happening) => {
            Line::Happened(Box::new(happened::line(happening, game?, state_fields(game?, model))))
        }
        News::Sealed { by } => Line::Sealed { by: side(*by) },
        News::MayClaimAbsence => Line::MayClaim { claim: "absence" },
        News::Chat(ChatLine { from, room, text, .. }) => {
            Line::Chat { from: from.as_str(), room: room.as_str(), text: text.as_str() }
        }
        News::RematchAsked { by } => Line::Rematch { by: side(*by) },
        News::RematchWithdrawn => Line::RematchWithdrawn,
        News::RematchBegun { game } => Line::RematchBegun { game: game.0 },
        News::Refused(Refused { input, law, text }) => Line::Refused { input, law, text },
        News::Away { color, span } => Line::Away {
            side: side(*color),
            seconds: span.0 / 1000,
            claim_in_ms: game
                .filter(|game| game.seat == Some(!*color))
                .and_then(|game| game.absence_wait(model.now))
                .map(|wait| wait.0),
        },
        News::Back { color } => Line::Back { side: side(*color) },
        News::ClocksStopped(why) => Line::ClocksStopped { reason: reason(*why), clocks_ms: clocks_ms() },
        News::ClocksRun(why) => Line::ClocksRun { reason: reason(*why), clocks_ms: clocks_ms() },
        News::ConnectionLost => Line::ConnectionLost,
        News::ConnectionBack => Line::ConnectionBack,
        News::LowTime { color, seconds } => Line::LowTime { side: side(*color), seconds: *seconds },
        News::Asked(question) => answer(*question, game?, model),
        News::Remark(text) => Line::Note { text },
        News::End(result) => Line::End {
            result: result.score_text(),
            termination: result.termination.name(),
            text: sentence::of(news, model),
        },
    })
}

fn game_line(game: &GameModel, model: &Model) -> GameLine {
    GameLine {
        game: game.id.0,
        side: game.seat.map(side),
        opponent: game.seat.map(|seat| game.players[!seat].handle.to_string()),
        players: game.players.as_ref().map(|player| player.handle.to_string()),
        agreed: AgreedFields::of_game(&game.terms),
        played: game.played.iter().map(|played| played.san.to_string()).collect(),
        offer_by: game.state.draw_offer().map(side),
        state: state_fields(game, model),
    }
}

fn answer(question: Question, game: &GameModel, model: &Model) -> Line<'static> {
    match question {
        Question::Board => Line::Board {
            fen: game.state.fen.to_string(),
            ranks: answers::board(game),
            turn: game.turn().map(side),
        },
        Question::Clock => {
            Line::Clock { clocks_ms: clocks_ms(game, model), running: game.running().map(side) }
        }
        question => Line::Answer {
            question: question.name(),
            text: answers::answer(question, game, model.now).join("\n"),
        },
    }
}

const fn reason(why: Standstill) -> &'static str {
    match why {
        Standstill::Suspended(why) => suspension(why),
        Standstill::StoreFull => "store_full",
    }
}

/// One object a line, with its version before its type.
pub(crate) fn write(line: &impl Serialize) -> String {
    let versioned = Versioned { v: VERSION, line };
    serde_json::to_string(&versioned).expect("a line has only text keys and finite numbers")
}

#[cfg(test)]
mod tests;
