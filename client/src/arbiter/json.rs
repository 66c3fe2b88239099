//! An arbiter's JSON lines. `docs/json.md` describes them.

use super::news::DeskNews;
use crate::json::state::{quickplay, side};
use crate::json::{self, Line};
use crate::message::Refused;
use crate::model::Model;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::{CallMatter, CallView, GameSummary};
use chatrang_rules::color::ByColor;
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
        DeskNews::Ruled { game, input } => Some(DeskLine::Ruled { game: game.0, input }),
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
    Call { game: u64, from: &'a str, side: &'static str, matter: &'static str, reason: Option<&'a str> },
    Event { game: u64, event: Line<'a> },
    Ruled { game: u64, input: &'a str },
    Refused { game: Option<u64>, input: &'a str, law: &'a str, text: &'a str },
    Unwatched { game: u64, text: &'a str },
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
        CallMatter::Claim(claim) => (quickplay(*claim), None),
    };
    DeskLine::Call { game: game.0, from: by.as_str(), side: side(*color), matter, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::watch::tests::{called, listed, watch};
    use crate::message::News;
    use crate::model::tests::START;
    use crate::model::{AtEnd, ScreenModel};
    use chatrang_protocol::ids::GameId;
    use chatrang_rules::game::{QuickplayClaim, Reason};
    use serde_json::{Value, json};

    fn told(news: &DeskNews, model: &Model) -> Value {
        let lines = lines(news, model);
        assert_eq!(lines.len(), 1, "{news:?}");
        let mut line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(line.as_object_mut().unwrap().remove("v"), Some(json!(1)));
        line
    }

    #[test]
    fn every_line_of_the_desk_has_a_type() {
        let hall = Model::new(AtEnd::Stay, ScreenModel::default());
        let reason: Reason = "noise".parse().unwrap();
        let refused = Refused { input: "pawse".to_owned(), law: "input".to_owned(), text: "no".to_owned() };
        for (news, line) in [
            (
                listed(),
                json!({"type": "game_listed", "game": 7, "players": {"white": "alice", "black": "bob"},
                    "terms": "5+3", "ply": 3, "result": null}),
            ),
            (
                called(CallMatter::Call(reason)),
                json!({"type": "call", "game": 7, "from": "bob", "side": "black", "matter": "call", "reason": "noise"}),
            ),
            (
                called(CallMatter::Claim(QuickplayClaim::Increment)),
                json!({"type": "call", "game": 7, "from": "bob", "side": "black", "matter": "increment", "reason": null}),
            ),
            (
                called(CallMatter::Claim(QuickplayClaim::NoWinning)),
                json!({"type": "call", "game": 7, "from": "bob", "side": "black", "matter": "no_winning", "reason": null}),
            ),
            (
                DeskNews::Refused { game: None, refused },
                json!({"type": "refused", "game": null, "input": "pawse", "law": "input", "text": "no"}),
            ),
            (
                DeskNews::Ruled { game: GameId(7), input: "pause : noise".to_owned() },
                json!({"type": "ruled", "game": 7, "input": "pause : noise"}),
            ),
            (
                DeskNews::Unwatched { game: GameId(7), text: "so".to_owned() },
                json!({"type": "unwatched", "game": 7, "text": "so"}),
            ),
            (DeskNews::Hall(News::Remark("So.".to_owned())), json!({"type": "note", "text": "So."})),
        ] {
            assert_eq!(told(&news, &hall), line);
        }
    }

    #[test]
    fn an_event_is_the_players_line_within_one_that_names_the_game() {
        let event = DeskNews::Event { game: GameId(7), news: News::ConnectionLost };
        let line = told(&event, watch().model());
        assert_eq!(line, json!({"type": "event", "game": 7, "event": {"type": "connection_lost"}}));
        let opened = told(&DeskNews::Event { game: GameId(7), news: News::Game }, watch().model());
        assert_eq!((&opened["event"]["type"], &opened["event"]["fen"]), (&json!("game"), &json!(START)));
    }
}
