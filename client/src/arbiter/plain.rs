//! An arbiter's plain lines: those of a watched game behind its number.

use super::news::{DeskNews, Ruling};
use crate::message::News;
use crate::model::Model;
use crate::plain;
use crate::words::Question;
use chatrang_protocol::lobby::{CallMatter, CallView, GameSummary};
use chatrang_rules::game::QuickplayClaim;
use chatrang_rules::record::story;

/// The lines that tell the news; `model` is that of the game, or of the hall when it is about none.
pub fn lines(news: &DeskNews, model: &Model) -> Vec<String> {
    let lines = match news {
        DeskNews::Hall(news) => plain::lines(news, model),
        DeskNews::Listed(summary) => vec![format!("LISTED {}", listed(summary))],
        DeskNews::Called(call) => vec![format!("CALL {}", called(call))],
        DeskNews::Event { news, .. } => happened(news, model),
        DeskNews::Ruled(Ruling { decision, .. }) => {
            let mut lines = vec![format!("RULED {}", story::ruling(decision))];
            lines.extend(clocks(model));
            lines
        }
        DeskNews::Refused { refused, .. } => plain::lines(&News::Refused(refused.clone()), model),
        DeskNews::Unwatched { text, .. } => vec![format!("UNWATCHED Nothing more of this game: {text}.")],
    };
    match news.game() {
        Some(game) => lines.into_iter().map(|line| format!("{game} {line}")).collect(),
        None => lines,
    }
}

/// An arbiter looks at the clocks after every move.
fn happened(news: &News, model: &Model) -> Vec<String> {
    let mut lines = plain::lines(news, model);
    match news {
        News::Game => {
            lines.extend(asked(Question::Moves, "MOVES", model));
            lines.extend(clocks(model));
        }
        News::Moved { .. } => lines.extend(clocks(model)),
        _ => {}
    }
    lines
}

fn clocks(model: &Model) -> Vec<String> {
    asked(Question::Clock, "CLOCK", model)
}

fn asked(question: Question, prefix: &str, model: &Model) -> Vec<String> {
    let answer = plain::lines(&News::Asked(question), model);
    answer.into_iter().map(|line| format!("{prefix} {line}")).collect()
}

/// `Game 7: alice - bob at 5+3, move 12.`
fn listed(summary: &GameSummary) -> String {
    let GameSummary { game, players, controls, ply, result } = summary;
    let stands = result.map_or_else(|| format!("move {}", ply / 2 + 1), |result| result.score_text());
    format!("Game {game}: {} - {} at {controls}, {stands}.", players.white, players.black)
}

/// `Game 7: bob (Black) calls the arbiter: his telephone rang.`
fn called(CallView { game, by, color, matter }: &CallView) -> String {
    let what = match matter {
        CallMatter::Call(reason) => format!("calls the arbiter: {reason}"),
        CallMatter::Claim(QuickplayClaim::Increment) => {
            "asks for five seconds a move for both (FIDE G.III.4): grant it or reject it".to_owned()
        }
        CallMatter::Claim(QuickplayClaim::NoWinning) => {
            "claims a draw, not to be won by normal means (FIDE G.III.5): grant, postpone or reject it"
                .to_owned()
        }
    };
    let stop = if what.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("Game {game}: {by} ({color}) {what}{stop}")
}
