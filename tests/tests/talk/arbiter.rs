//! An arbiter at the desk of `chatrang arbiter`, driven by pipes, with players who call him.

use chatrang_protocol::client::Settings;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::role::Role;
use chatrang_protocol::view::Snapshot;
use chatrang_rules::game::Millis;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Talker, command, object};
use chatrang_tests::house::{House, enter, handle};
use chatrang_tests::players::{Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use serde_json::{Value, json};

/// The desk of Arash, by one of its two faces.
fn desk(home: &Scratch, house: &House, face: &str) -> Talker {
    let line = house.line().to_string();
    let arguments = ["arbiter", face, "--server", &line, "--name", "Arash"];
    Talker::start(command(&binaries().chatrang, home.path()).args(arguments))
}

/// A house in which Arash has been refused at the desk, and appointed then.
async fn appointed(home: &Scratch) -> House {
    let house = House::open().await;
    let owner = enter(Settings { invite: house.invite, ..house.newcomer("Ann") }).await;
    let mut stranger = desk(home, &house, "--json");
    let error = stranger.object("error").await;
    assert_eq!((&error["v"], &error["code"]), (&json!(1), &json!("not_now")), "{error}");
    assert!(error["hint"].as_str().unwrap().contains("chatrang role Arash arbiter"), "{error}");
    assert_eq!(stranger.ends().await.code(), Some(7));
    owner.set_role(handle("Arash"), Role::Arbiter).await.unwrap();
    house
}

/// What the next event of a type says.
async fn event(desk: &mut Talker, kind: &str) -> Value {
    loop {
        let event = desk.object("event").await;
        if event["event"]["type"] == kind {
            return event;
        }
    }
}

/// The ruling that an order has led to, once both that and the answer have come.
async fn ruled(desk: &mut Talker, order: &str) -> Value {
    let (mut ruling, mut answer) = (None, None);
    while ruling.is_none() || answer.is_none() {
        let line = desk.line().await.map(|line| object(&line)).expect("the desk stays");
        match line["type"].as_str() {
            Some("event") if line["event"]["type"] == "ruling" => ruling = Some(line["event"].clone()),
            Some("ruled") => answer = Some(line["input"].clone()),
            Some("refused") => panic!("{line}"),
            _ => {}
        }
    }
    assert_eq!(answer, Some(json!(order)));
    ruling.expect("it has come")
}

async fn calls(table: &mut Table, reason: &str) {
    let seq = table.black.ask(Intent::CallArbiter(reason.parse().unwrap())).await.unwrap();
    for player in [&mut table.white, &mut table.black] {
        player.until_seq(seq).await;
    }
}

async fn both_see(table: &mut Table, ply: u32, white_ms: u64) {
    for player in [&mut table.white, &mut table.black] {
        let seen =
            |view: &Snapshot| view.state.ply == ply && view.state.clocks.left.white == Millis(white_ms);
        player.until("the ruling", seen).await;
    }
}

#[tokio::test]
async fn l44_an_arbiter_is_called_and_rules_for_both_to_see() {
    let home = Scratch::new();
    let house = appointed(&home).await;
    let mut desk = desk(&home, &house, "--json");
    assert_eq!(desk.object("entered").await["handle"], "Arash");
    for nothing in ["No game is being played.", "No game waits for an arbiter."] {
        assert_eq!(desk.object("note").await["text"], nothing);
    }
    let mut table = house.table("5+0").await;
    table.play_all("e4 e5 Nf3").await;
    desk.say("games").await;
    let listed = desk.object("game_listed").await;
    assert_eq!((&listed["game"], &listed["ply"], &listed["terms"]), (&json!(1), &json!(3), &json!("5+0")));

    // The house's games are by the profile `online`: he rules when he has been called.
    desk.say("add white 2:00 : the round began late").await;
    assert_eq!(desk.object("refused").await["law"], "input", "he watches no game yet");
    desk.say("watch 1").await;
    let opened = event(&mut desk, "game").await;
    assert_eq!((&opened["game"], &opened["event"]["played"]), (&json!(1), &json!(["e4", "e5", "Nf3"])));
    desk.say("add white 2:00 : the round began late").await;
    let refused = desk.object("refused").await;
    assert_eq!((&refused["v"], &refused["game"], &refused["law"]), (&json!(1), &json!(1), &json!("FIDE 12")));

    calls(&mut table, "his clock began late").await;
    let call = desk.object("call").await;
    let told = json!({"v": 1, "type": "call", "game": 1, "from": "Khosrow", "side": "black", "matter": "call",
        "reason": "his clock began late"});
    assert_eq!(call, told);
    desk.say("calls").await;
    assert_eq!(desk.object("call").await, told, "as long as he has not come");

    let order = "1 add white 2:00 : the round began late";
    desk.say(order).await;
    let ruling = ruled(&mut desk, order).await;
    assert_eq!(
        (&ruling["order"], &ruling["side"], &ruling["time_ms"], &ruling["reason"]),
        (&json!("add"), &json!("white"), &json!(120_000), &json!("the round began late"))
    );
    assert_eq!(ruling["clocks_ms"]["white"], 420_000);
    both_see(&mut table, 3, 420_000).await;

    let order = "back 1w : the wrong opening was set up";
    desk.say(order).await;
    let ruling = ruled(&mut desk, order).await;
    assert_eq!(
        (&ruling["order"], &ruling["ply"], &ruling["turn"]),
        (&json!("back"), &json!(1), &json!("black"))
    );
    both_see(&mut table, 1, 420_000).await;
    desk.say("resume : play on").await;
    assert_eq!(ruled(&mut desk, "resume : play on").await["running"], "black");
    let to_go_on = |view: &Snapshot| view.state.suspension.is_none();
    table.black.until("the clocks to run", to_go_on).await;
    table.play("c5").await;
    let moved = event(&mut desk, "move").await;
    assert_eq!((&moved["game"], &moved["event"]["san"]), (&json!(1), &json!("c5")));

    desk.say("declare 1-1 : both are nice").await;
    assert_eq!(desk.object("refused").await["law"], "FIDE 10");
    // Who hangs up goes on looking, until he is interrupted.
    desk.say("declare 1/2-0 : White came late and Black left").await;
    desk.hang_up();
    assert_eq!(event(&mut desk, "ruling").await["event"]["result"], "1/2-0");
    let end = event(&mut desk, "end").await;
    assert_eq!(end["event"]["termination"], "arbiter_ruling");
    assert_eq!(table.result(&house).await.score_text(), "1/2-0");
    desk.signal("INT").await;
    assert_eq!(desk.ends().await.code(), Some(130));
}

#[tokio::test]
async fn l44_an_arbiter_watches_several_games_in_plain_lines() {
    let home = Scratch::new();
    let house = appointed(&home).await;
    let mut first = house.table("5+0").await;
    let (ann, bob) = (house.guest("Zal").await, house.guest("Rudabeh").await);
    let mut second = seat(ann, bob, proposal("3+0", Side::Random)).await;
    calls(&mut first, "a telephone rang").await;
    let mut desk = desk(&home, &house, "--plain");
    let next = async |desk: &mut Talker, line: &str| {
        desk.until(line, |heard| heard == line).await;
    };
    next(&mut desk, "LISTED Game 1: Shirin - Khosrow at 5+0, move 1.").await;
    next(&mut desk, "LISTED Game 2: Zal - Rudabeh at 3+0, move 1.").await;
    next(&mut desk, "CALL Game 1: Khosrow (Black) calls the arbiter: a telephone rang.").await;
    // One after the other: which of two games opens first is the network's affair.
    desk.say("watch 1").await;
    next(&mut desk, "1 GAME Game 1 at 5+0: Shirin plays White, Khosrow plays Black.").await;
    desk.say("watch 2").await;
    next(&mut desk, "2 GAME Game 2 at 3+0: Zal plays White, Rudabeh plays Black.").await;
    desk.say("pause : silence, please").await;
    desk.until("a refusal", |line| line.contains("several games are watched")).await;
    desk.say("1 warn white : her telephone rang").await;
    next(&mut desk, "1 RULING The arbiter warns White: her telephone rang (FIDE 12).").await;
    second.play("d4").await;
    next(&mut desk, "2 MOVE White plays d4 on move 1.").await;
    // Black's clock runs on at the desk, whatever the house's time does.
    let clocks = |line: &str| line.starts_with("2 CLOCK White has 3:00, Black has ");
    let clocks = desk.until("the clocks", clocks).await;
    assert!(clocks.ends_with("; Black's runs."), "{clocks}");
    desk.say("2 last").await;
    next(&mut desk, "2 White plays d4 on move 1.").await;
    desk.say("unwatch 2").await;
    next(&mut desk, "2 UNWATCHED Nothing more of this game: it is not watched any more.").await;
    desk.say("resume : play on").await;
    desk.until("a ruling", |line| line.starts_with("1 RULING The arbiter lets the game go on")).await;
    desk.say("quit").await;
    assert_eq!(desk.ends().await.code(), Some(0));
}
