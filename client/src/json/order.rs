//! An arbiter's order in a JSON line, in the words he types for it.

use super::state::side;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Millis, Order};
use serde::Serialize;

/// An order, and what it names; null where it names nothing of the kind.
#[derive(Default, Serialize)]
pub(crate) struct OrderFields {
    order: &'static str,
    /// Whose clock, or who is warned.
    side: Option<&'static str>,
    /// Added, taken, set to, or given to the opponent of a postponed claim.
    time_ms: Option<u64>,
    /// What is declared.
    result: Option<String>,
}

impl OrderFields {
    /// The fields of an order.
    pub(crate) fn new(order: Order) -> Self {
        let plain = |order| Self { order, ..Self::default() };
        let about = |order, color: Color| Self { side: Some(side(color)), ..plain(order) };
        let timed = |fields: Self, span: Millis| Self { time_ms: Some(span.0), ..fields };
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
            Order::Declare { outcome } => Self { result: Some(outcome.to_string()), ..plain("declare") },
        }
    }
}
