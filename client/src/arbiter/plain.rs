//! An arbiter's plain lines: those of a watched game behind its number.

use super::news::DeskNews;
use crate::message::News;
use crate::model::Model;
use crate::plain;
use crate::words::Question;
use chatrang_protocol::lobby::{CallMatter, CallView, GameSummary};
use chatrang_rules::game::{Action, QuickplayClaim};

/// The lines that tell the news; `model` is that of the game, or of the hall when it is about none.
pub fn lines(news: &DeskNews, model: &Model) -> Vec<String> {
    let lines = match news {
        DeskNews::Hall(news) => plain::lines(news, model),
        DeskNews::Listed(summary) => vec![format!("LISTED {}", listed(summary))],
        DeskNews::Called(call) => vec![format!("CALL {}", called(call))],
        DeskNews::Event { news, .. } => happened(news, model),
        // He sees what it has changed.
        DeskNews::Ruled { .. } => Vec::new(),
        DeskNews::Refused { refused, .. } => plain::lines(&News::Refused(refused.clone()), model),
        DeskNews::Unwatched { text, .. } => vec![format!("UNWATCHED Nothing more of this game: {text}.")],
    };
    match news.game() {
        Some(game) => lines.into_iter().map(|line| format!("{game} {line}")).collect(),
        None => lines,
    }
}

/// An arbiter looks at the clocks after every move and every ruling.
fn happened(news: &News, model: &Model) -> Vec<String> {
    let mut lines = plain::lines(news, model);
    match news {
        News::Game => {
            lines.extend(asked(Question::Moves, "MOVES", model));
            lines.extend(clocks(model));
        }
        News::Moved { .. } => lines.extend(clocks(model)),
        News::Happened(happening) if matches!(happening.event.action, Action::Ruled(_)) => {
            lines.extend(clocks(model));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::watch::tests::{called, listed, ruling, watch};
    use crate::message::Refused;
    use crate::model::{AtEnd, ScreenModel};
    use chatrang_protocol::ids::GameId;
    use chatrang_rules::color::Color;
    use chatrang_rules::game::{Millis, Order};

    #[test]
    fn what_is_about_no_watched_game_stands_without_a_number() {
        let hall = Model::new(AtEnd::Stay, ScreenModel::default());
        let refused = Refused { input: "pawse".to_owned(), law: "input".to_owned(), text: "no".to_owned() };
        for (news, line) in [
            (listed(), "LISTED Game 7: alice - bob at 5+3, move 2."),
            (
                called(CallMatter::Call("a telephone rang!".parse().unwrap())),
                "CALL Game 7: bob (Black) calls the arbiter: a telephone rang!",
            ),
            (
                called(CallMatter::Claim(QuickplayClaim::Increment)),
                "CALL Game 7: bob (Black) asks for five seconds a move for both (FIDE G.III.4): grant it or reject it.",
            ),
            (
                called(CallMatter::Claim(QuickplayClaim::NoWinning)),
                "CALL Game 7: bob (Black) claims a draw, not to be won by normal means (FIDE G.III.5): grant, postpone or reject it.",
            ),
            (DeskNews::Refused { game: None, refused }, "REFUSED pawse: no."),
        ] {
            assert_eq!(lines(&news, &hall), [line]);
        }
    }

    #[test]
    fn what_happens_in_a_game_stands_behind_its_number_with_the_clocks() {
        let mut watch = watch();
        let event = |news| DeskNews::Event { game: GameId(7), news };
        let clocks = "7 CLOCK White has 5:00, Black has 5:00; White's runs.";
        assert_eq!(
            lines(&event(News::Game), watch.model()),
            [
                "7 GAME Game 7 at 5+3: alice plays White, bob plays Black.",
                "7 MOVES No move has been made.",
                clocks
            ]
        );
        let order = Order::TakeTime { side: Color::Black, span: Millis(30_000) };
        let told = watch.heard(ruling(order, None), Millis::ZERO);
        let told: Vec<String> = told.iter().flat_map(|news| lines(news, watch.model())).collect();
        let ruled = "7 RULING The arbiter takes 0:30 from Black: a telephone rang (FIDE 12).";
        assert_eq!(told, [ruled, clocks]);
        let board = lines(&event(News::Asked(Question::Board)), watch.model());
        assert_eq!((board.len(), board[0].as_str()), (8, "7 rnbqkbnr"));
        let gone = DeskNews::Unwatched { game: GameId(7), text: "it is not watched any more".to_owned() };
        assert_eq!(
            lines(&gone, watch.model()),
            ["7 UNWATCHED Nothing more of this game: it is not watched any more."]
        );
    }
}
