//! An arbiter's JSON lines. `docs/json.md` describes them.

use super::news::{DeskNews, Ruling};
use crate::json::{self, Line, StateFields, side, state_fields};
use crate::message::Refused;
use crate::model::Model;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::{CallMatter, CallView, GameSummary};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Decision, Millis, Order, QuickplayClaim};
use chatrang_rules::outcome::Outcome;
use serde::Serialize;

/// The lines that tell the news; `model` is that of the game, or of the hall when it is about none.
pub fn lines(news: &DeskNews, model: &Model) -> Vec<String> {
    let line = match news {
        DeskNews::Hall(news) => return json::lines(news, model),
        DeskNews::Listed(summary) => Some(listed(summary)),
        DeskNews::Called(call) => Some(called(call)),
        DeskNews::Event { game, news } => {
            json::line(news, model).map(|event| DeskLine::Event { game: game.0, event })
        }
        DeskNews::Ruled(ruling) => ruled(ruling, model),
        DeskNews::Refused { game, refused: Refused { input, law, text } } => {
            Some(DeskLine::Refused { game: game.map(|game| game.0), input, law, text })
        }
        DeskNews::Unwatched { game, text } => Some(DeskLine::Unwatched { game: game.0, text }),
    };
    line.map(|line| json::write(&line)).into_iter().collect()
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum DeskLine<'a> {
    GameListed { game: u64, players: ByColor<&'a str>, terms: String, ply: u32, result: Option<String> },
    Call { game: u64, by: &'a str, side: &'static str, matter: &'static str, reason: Option<&'a str> },
    Event { game: u64, event: Line<'a> },
    Ruled(Box<RuledLine<'a>>),
    Refused { game: Option<u64>, input: &'a str, law: &'a str, text: &'a str },
    Unwatched { game: u64, text: &'a str },
}

#[derive(Serialize)]
struct RuledLine<'a> {
    game: u64,
    #[serde(flatten)]
    order: OrderFields,
    reason: &'a str,
    /// Plies that stand now.
    ply: u32,
    #[serde(flatten)]
    state: StateFields,
}

#[derive(Default, Serialize)]
struct OrderFields {
    order: &'static str,
    /// Whose clock, or who is warned.
    side: Option<&'static str>,
    /// Added, taken, set to, or given to the opponent of a postponed claim.
    time_ms: Option<u64>,
    /// What is declared.
    result: Option<String>,
}

fn listed(GameSummary { game, players, controls, ply, result }: &GameSummary) -> DeskLine<'_> {
    DeskLine::GameListed {
        game: game.0,
        players: players.as_ref().map(Handle::as_str),
        terms: controls.to_string(),
        ply: *ply,
        result: result.map(|result| result.score_text()),
    }
}

fn called(CallView { game, by, color, matter }: &CallView) -> DeskLine<'_> {
    let (matter, reason) = match matter {
        CallMatter::Call(reason) => ("call", Some(reason.as_str())),
        CallMatter::Claim(QuickplayClaim::Increment) => ("increment", None),
        CallMatter::Claim(QuickplayClaim::NoWinning) => ("no_winning", None),
    };
    DeskLine::Call { game: game.0, by: by.as_str(), side: side(*color), matter, reason }
}

fn ruled<'a>(Ruling { game, decision }: &'a Ruling, model: &Model) -> Option<DeskLine<'a>> {
    let Decision { order, reason } = decision;
    let board = model.game.as_ref()?;
    Some(DeskLine::Ruled(Box::new(RuledLine {
        game: game.0,
        order: order_fields(*order),
        reason: reason.as_str(),
        ply: board.state.ply,
        state: state_fields(board, model),
    })))
}

/// An order begins with the word that an arbiter types for it.
fn order_fields(order: Order) -> OrderFields {
    let plain = |order| OrderFields { order, ..OrderFields::default() };
    let about = |order, color: Color| OrderFields { side: Some(side(color)), ..plain(order) };
    let timed = |fields: OrderFields, span: Millis| OrderFields { time_ms: Some(span.0), ..fields };
    let declared = |outcome: Outcome| OrderFields { result: Some(outcome.to_string()), ..plain("declare") };
    match order {
        Order::Pause => plain("pause"),
        Order::Resume => plain("resume"),
        Order::AddTime { side, span } => timed(about("add", side), span),
        Order::TakeTime { side, span } => timed(about("take", side), span),
        Order::SetClock { side, left } => timed(about("set", side), left),
        Order::Warn { side } => about("warn", side),
        Order::GoBack { .. } => plain("back"),
        Order::NoteFlag => plain("flag"),
        Order::Grant => plain("grant"),
        Order::Postpone { bonus } => timed(plain("postpone"), bonus),
        Order::Reject => plain("reject"),
        Order::Declare { outcome } => declared(outcome),
    }
}
