//! Every line with its fields.

use super::*;
use crate::fault::Exit;
use crate::message::{Effect, Friend, Message, Moment, Report};
use crate::model::tests::{START, line_of, snapshot_of, update_by, update_of};
use crate::model::{AtEnd, ScreenModel};
use crate::update::update;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::lobby::{InvitationView, Proposal, Side};
use chatrang_rules::color::Color;
use chatrang_rules::game::{
    Action, Conduct, Decision, Matter, Millis, Order, Profile, Proposal as Offer, SpeedClass, Stakes,
    Suspension, Terms,
};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::{GameResult, Termination};
use serde_json::{Value, json};

fn model(fen: &str, seat: Option<Color>) -> Model {
    let mut model = Model::new(AtEnd::Leave, ScreenModel::default());
    model.server = "a.example:7777".to_owned();
    model.handle = Handle::new("alice").ok();
    model.game = Some(GameModel::new(snapshot_of(fen, seat), Moment(0), Millis::ZERO));
    model
}

fn told(news: &News, model: &Model) -> Value {
    let lines = lines(news, model);
    assert_eq!(lines.len(), 1, "{news:?}");
    assert!(lines[0].starts_with(r#"{"v":1,"type":""#) && !lines[0].contains('\n'), "{}", lines[0]);
    serde_json::from_str(&lines[0]).unwrap()
}

#[test]
fn a_game_line_has_all_that_a_script_needs() {
    let line = told(&News::Game, &model("8/P6k/8/8/8/8/8/4K3 w - - 0 1", Some(Color::White)));
    assert_eq!(
        line,
        json!({
            "v": 1, "type": "game", "game": 7, "side": "white", "opponent": "bob",
            "players": {"white": "alice", "black": "bob"}, "terms": "5+3", "conduct": "online", "rated": false,
            "no_draw_before": null, "played": [], "offer_by": null,
            "fen": "8/P6k/8/8/8/8/8/4K3 w - - 0 1", "turn": "white", "check": false,
            "legal": ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"],
            "claimable": [], "claimable_with": [], "touched": [], "offers": [],
            "illegal_moves": {"white": 0, "black": 0}, "suspended": null, "envelope": null,
            "claim_waiting": null, "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "white"
        })
    );
    let line = told(&News::Game, &model(START, None));
    assert_eq!((&line["side"], &line["opponent"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_move_line_counts_its_ply_from_0_and_writes_castling_as_the_kings_move() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut model = model(fen, Some(Color::White));
    let game = model.game.as_mut().unwrap();
    let update = update_of(&game.state, "O-O");
    let mv = game.state.legal.iter().find(|legal| legal.san.as_str() == "O-O").unwrap().mv;
    game.evolve(update, Moment(0), Millis::ZERO);
    let line = told(
        &News::Moved { color: Color::White, ply: 0, mv, san: "O-O".to_owned(), credit: Millis::ZERO },
        &model,
    );
    assert_eq!(
        line,
        json!({
            "v": 1, "type": "move", "ply": 0, "by": "white", "san": "O-O", "uci": "e1g1",
            "fen": "4k3/8/8/8/8/8/8/5RK1 b - - 1 1", "turn": "black", "check": false,
            "legal": ["e8d7", "e8d8", "e8e7"],
            "claimable": [], "claimable_with": [], "touched": [], "offers": [],
            "illegal_moves": {"white": 0, "black": 0}, "suspended": null, "envelope": null,
            "claim_waiting": null, "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "black"
        })
    );
}

#[test]
fn no_clock_runs_while_the_store_is_full() {
    let mut model = model(START, Some(Color::White));
    model.game.as_mut().unwrap().stopped = Some(Moment(1000));
    model.now = Moment(90_000);
    let line = told(&News::Asked(Question::Clock), &model);
    assert_eq!((&line["running"], &line["clocks_ms"]["white"]), (&Value::Null, &json!(299_000)));
    assert_eq!(told(&News::Game, &model)["running"], Value::Null);
}

#[test]
fn every_other_line_has_its_fields() {
    let model = model(START, Some(Color::White));
    let result = GameResult::win(Color::Black, Termination::Resignation);
    let refused = Refused { input: "e5".to_owned(), law: "FIDE 3.7".to_owned(), text: "no".to_owned() };
    let (color, by) = (Color::Black, Color::White);
    let proposal = Proposal::casual("3+2".parse().unwrap(), Side::Random);
    let invitation = Box::new(InvitationView {
        by: Handle::new("bob").unwrap(),
        proposal: Proposal {
            conduct: Conduct::parse("classic touch-move=off", SpeedClass::Blitz).ok(),
            stakes: Stakes::Rated,
            agreement_from: 30,
            ..proposal
        },
    });
    for (news, expected) in [
        (News::Entered, json!({"type": "entered", "server": "a.example:7777", "handle": "alice"})),
        (
            News::Invite(Invitation { line: "h:1/f/c".to_owned(), friend: Friend::Joins(proposal) }),
            json!({"type": "invite", "line": "h:1/f/c", "command": "chatrang join h:1/f/c"}),
        ),
        (
            News::Seeking(proposal),
            json!({"type": "seeking", "terms": "3+2", "conduct": null, "rated": false, "no_draw_before": null}),
        ),
        (
            News::Proposed { invitation, consent: Consent::Needed },
            json!({"type": "terms", "from": "bob", "consent": "needed", "terms": "3+2",
                "conduct": "classic touch-move=off", "rated": true, "no_draw_before": 30}),
        ),
        (
            News::Offered { by, proposal: Offer::Draw },
            json!({"type": "offer", "offer": "draw", "by": "white"}),
        ),
        (
            News::Offered { by, proposal: Offer::Takeback { plies: 2 } },
            json!({"type": "offer", "offer": "takeback", "by": "white", "plies": 2}),
        ),
        (
            News::Declined { by, matter: Matter::Adjournment },
            json!({"type": "declined", "offer": "adjournment", "by": "white"}),
        ),
        (News::Sealed { by }, json!({"type": "sealed", "by": "white"})),
        (News::MayClaimAbsence, json!({"type": "may_claim", "claim": "absence"})),
        (News::Refused(refused), json!({"type": "refused", "input": "e5", "law": "FIDE 3.7", "text": "no"})),
        (
            News::Away { color, span: Millis(12_900) },
            json!({"type": "away", "side": "black", "seconds": 12, "claim_in_ms": null}),
        ),
        (News::Back { color }, json!({"type": "back", "side": "black"})),
        (
            News::ClocksStopped(Standstill::Suspended(Suspension::Restart)),
            json!({"type": "clocks_stopped", "reason": "restart", "clocks_ms": {"white": 300_000, "black": 300_000}}),
        ),
        (
            News::ClocksRun(Standstill::StoreFull),
            json!({"type": "clocks_run", "reason": "store_full", "clocks_ms": {"white": 300_000, "black": 300_000}}),
        ),
        (News::ConnectionLost, json!({"type": "connection_lost"})),
        (News::ConnectionBack, json!({"type": "connection_back"})),
        (News::LowTime { color, seconds: 20 }, json!({"type": "low_time", "side": "black", "seconds": 20})),
        (
            News::Asked(Question::Clock),
            json!({"type": "clock", "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "white"}),
        ),
        (
            News::Asked(Question::Last),
            json!({"type": "answer", "question": "last", "text": "No move has been made."}),
        ),
        (
            News::Chat(line_of("bob", "good luck")),
            json!({"type": "chat", "from": "bob", "room": "players", "text": "good luck"}),
        ),
        (News::RematchAsked { by }, json!({"type": "rematch", "by": "white"})),
        (News::RematchWithdrawn, json!({"type": "rematch_withdrawn"})),
        (News::RematchBegun { game: GameId(8) }, json!({"type": "rematch_begun", "game": 8})),
        (News::Remark("So.".to_owned()), json!({"type": "note", "text": "So."})),
        (
            News::End(result),
            json!({"type": "end", "result": "0-1", "termination": "resignation", "text": format!("{result}.")}),
        ),
    ] {
        let mut expected = expected;
        expected["v"] = json!(1);
        assert_eq!(told(&news, &model), expected);
    }
    let board = told(&News::Asked(Question::Board), &model);
    assert_eq!((&board["ranks"][0], &board["turn"]), (&json!("rnbqkbnr"), &json!("white")));
}

#[test]
fn an_error_line_has_a_code_a_text_and_a_hint() {
    let line = fault(&Fault::new(Exit::Unreachable, "no answer", "try again").caused_by("timed out"));
    assert_eq!(
        serde_json::from_str::<Value>(&line).unwrap(),
        json!({"v": 1, "type": "error", "code": "unreachable", "text": "no answer: timed out", "hint": "try again"})
    );
}

#[test]
fn a_happening_has_its_type_its_sentence_and_the_state() {
    let mv = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
    let put_back = Action::MovePutBack { mv, count: 1, penalty: Millis(60_000) };
    let decision = Decision {
        order: Order::AddTime { side: Color::Black, span: Millis(120_000) },
        reason: "A lamp fell.".parse().unwrap(),
    };
    for (action, fields) in [
        (Action::Touched("g1".parse().unwrap()), json!({"type": "touch", "square": "g1"})),
        (
            put_back,
            json!({"type": "illegal_move", "uci": "e2e5", "outcome": "put_back", "count": 1,
                "limit": 2, "penalty_ms": 60_000}),
        ),
        (
            Action::DrawClaimedWrongly { played: None, illegal: Some(mv), penalty: Millis(60_000) },
            json!({"type": "wrong_claim", "claim": "draw", "uci": "e2e5", "illegal": true, "penalty_ms": 60_000}),
        ),
        (Action::FlagClaimed, json!({"type": "claim", "claim": "flag", "uci": null})),
        (Action::Accepted(Offer::Takeback { plies: 2 }), json!({"type": "takeback", "plies": 2})),
        (Action::Accepted(Offer::Pause), json!({"type": "pause"})),
        (Action::Accepted(Offer::Adjournment), json!({"type": "adjourned"})),
        (Action::Sealed(mv), json!({"type": "sealed", "uci": "e2e5"})),
        (Action::Resumed { sealed: None }, json!({"type": "resumed", "uci": null})),
        (
            Action::Ruled(decision),
            json!({"type": "ruling", "order": "add", "side": "black", "time_ms": 120_000, "result": null, "ply": null, "reason": "A lamp fell."}),
        ),
    ] {
        let mut model = model(START, Some(Color::White));
        let game = model.game.as_mut().unwrap();
        game.terms = Terms::of(Profile::Tournament, "5+3".parse().unwrap());
        let news = update_by(&game.state, Color::White, action);
        let effects =
            update(&mut model, Message::Report(Report::Update { update: Box::new(news), lag: Millis::ZERO }));
        let Some(Effect::Tell(news)) = effects.first() else { panic!("{effects:?}") };
        let line = told(news, &model);
        for (name, value) in fields.as_object().unwrap() {
            assert_eq!(&line[name], value, "{name} of {line}");
        }
        assert_eq!((&line["by"], &line["turn"]), (&json!("white"), &json!("white")));
        assert!(!line["text"].as_str().unwrap().is_empty() && line["legal"].is_array());
    }
}
