//! The client's two line faces, driven by pipes as a script or a screen reader would.

use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, Talker, command};
use chatrang_tests::scratch::Scratch;
use serde_json::Value;

/// White is mated on the second move.
const MATE: [[&str; 2]; 2] = [["f3", "e5"], ["g4", "Qh4"]];

const MATED: &str = "Black wins: White is checkmated (FIDE 5.1.1)";

/// A `chatrang` at home in a directory of its own.
fn chatrang(home: &Scratch, arguments: &[&str]) -> Talker {
    Talker::start(command(&binaries().chatrang, home.path()).args(arguments))
}

#[tokio::test]
async fn two_plain_clients_play_to_mate() {
    let (dir, shirin, khosrow) = (Scratch::new(), Scratch::new(), Scratch::new());
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let line = daemon.line();
    let mut white = chatrang(
        &shirin,
        &["play", "5+3", "--plain", "--server", &line, "--name", "Shirin", "--side", "white"],
    );
    white.until("a seek", |line| line.starts_with("WAIT ")).await;
    let mut black = chatrang(
        &khosrow,
        &["--plain", "--server", &line, "--name", "Khosrow", "--side", "black", "play", "5+3"],
    );
    let to_move = |line: &str| line.contains("It is your move");
    for [hers, his] in MATE {
        white.until("White's turn", to_move).await;
        white.say("Qxh9").await;
        white.until("a refusal", |line| line.starts_with("REFUSED Qxh9")).await;
        white.say(hers).await;
        black.until("Black's turn", to_move).await;
        black.say(his).await;
    }
    for client in [&mut white, &mut black] {
        let end = client.until("the end", |line| line.starts_with("END ")).await;
        assert_eq!(end, format!("END {MATED}."));
        assert_eq!(client.ends().await.code(), Some(0), "whoever won");
    }
}

/// Whoever joins a club has come in, and is told so: there is no game in such a line, the first time and ever after.
#[tokio::test]
async fn a_line_of_the_house_lets_its_newcomer_in_and_says_so() {
    let (dir, olga, minna) = (Scratch::new(), Scratch::new(), Scratch::new());
    let chatrangd = |arguments: &[&str]| {
        let mut command = command(&binaries().chatrangd, dir.path());
        Talker::start(command.arg("--data").arg(dir.path().join("server")).arg("--json").args(arguments))
    };
    let mut server = chatrangd(&["--log", "error", "--listen", "127.0.0.1:0"]);
    let ready = server.object("ready").await;
    let owners = ready["invite"].as_str().expect("the owner's line").to_owned();
    let address = ready["address"].as_str().unwrap().to_owned();
    let mut made = chatrangd(&["invite", "--address", &address]);
    let members = made.object("invite").await["line"].as_str().unwrap().to_owned();
    for (home, line, name, role) in [(&olga, owners, "Olga", "owner"), (&minna, members, "Minna", "player")] {
        for _ in 0..2 {
            let mut client = chatrang(home, &["join", &line, "--plain", "--name", name]);
            let said = client.until("that he is in", |line| line.contains("You are in")).await;
            assert!(said.contains(&format!("as {name} ({role});")), "{said}");
            assert_eq!(client.ends().await.code(), Some(0));
        }
    }
}

#[tokio::test]
async fn two_json_clients_play_to_mate() {
    let (dir, shirin, khosrow) = (Scratch::new(), Scratch::new(), Scratch::new());
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let line = daemon.line();
    let mut white =
        chatrang(&shirin, &["play", "--json", "--server", &line, "--name", "Shirin", "--side", "white"]);
    white.object("seeking").await;
    let mut black =
        chatrang(&khosrow, &["play", "--json", "--server", &line, "--name", "Khosrow", "--side", "black"]);
    for (client, side, opponent) in [(&mut white, "white", "Khosrow"), (&mut black, "black", "Shirin")] {
        let game = client.object("game").await;
        assert_eq!(
            (&game["v"], &game["side"], &game["opponent"]),
            (&1.into(), &side.into(), &opponent.into())
        );
        assert_eq!((&game["game"], &game["terms"]), (&1.into(), &"5+3".into()));
        assert_eq!(game["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(game["legal"].as_array().unwrap().len(), 20);
        assert_eq!(game["clocks_ms"]["black"], 300_000);
        assert!(game["clocks_ms"]["white"].as_u64().unwrap() <= 300_000);
    }
    black.say("e5").await;
    let refused = black.object("refused").await;
    assert_eq!(
        (&refused["v"], &refused["input"], &refused["law"]),
        (&1.into(), &"e5".into(), &"FIDE 1.2".into())
    );
    assert!(!refused["text"].as_str().unwrap().is_empty());

    let moves = [("f2f3", "f3"), ("e7e5", "e5"), ("g2g4", "g4"), ("Qh4", "Qh4#")];
    for (ply, (typed, san)) in moves.into_iter().enumerate() {
        let mover = if ply.is_multiple_of(2) { &mut white } else { &mut black };
        mover.say(typed).await;
        for client in [&mut white, &mut black] {
            is_move(&client.object("move").await, ply, san);
        }
    }
    for client in [&mut white, &mut black] {
        let end = client.object("end").await;
        assert_eq!(
            (&end["v"], &end["result"], &end["termination"]),
            (&1.into(), &"0-1".into(), &"checkmate".into())
        );
        assert!(end["text"].as_str().unwrap().contains(MATED));
        assert_eq!(client.ends().await.code(), Some(0));
    }
}

fn is_move(line: &Value, ply: usize, san: &str) {
    assert_eq!((&line["v"], &line["san"]), (&1.into(), &san.into()));
    assert_eq!(line["ply"], ply, "{line}");
    assert_eq!(line["uci"].as_str().unwrap().len(), 4);
    assert_eq!(line["fen"].as_str().unwrap().split(' ').count(), 6);
    assert_eq!(line["legal"].as_array().unwrap().is_empty(), san.ends_with('#'));
    for side in ["white", "black"] {
        assert!(line["clocks_ms"][side].as_u64().unwrap() > 290_000, "{line}");
    }
}

/// Shirin hosts a game of 5+3 on a server of her own, on loopback.
fn host(data: &Scratch, options: &[&str]) -> Talker {
    let address = ["host", "5+3", "--listen", "127.0.0.1:0", "--advertise", "127.0.0.1", "--name", "Shirin"];
    chatrang(data, &[&address[..], options].concat())
}

/// One line from the host's screen to the friend's, and the host's own server goes with the host.
#[tokio::test]
async fn a_host_and_a_friend_play_with_one_line() {
    let (shirin, khosrow) = (Scratch::new(), Scratch::new());
    let mut host = host(&shirin, &["--json", "--side", "white"]);
    let line = host.object("invite").await["line"].as_str().unwrap().to_owned();
    let mut friend = chatrang(&khosrow, &["join", &line, "--json", "--name", "Khosrow"]);
    assert_eq!(host.object("game").await["side"], "white");
    assert_eq!(friend.object("game").await["side"], "black");
    for [hers, his] in MATE {
        host.say(hers).await;
        for client in [&mut host, &mut friend] {
            client.object("move").await;
        }
        friend.say(his).await;
        for client in [&mut host, &mut friend] {
            client.object("move").await;
        }
    }
    for client in [&mut host, &mut friend] {
        assert_eq!(client.object("end").await["termination"], "checkmate");
        assert_eq!(client.ends().await.code(), Some(0));
    }
}

/// Two people with screen readers at a tournament game: the terms are shown and accepted, a touch binds, an
/// illegal move is put back and counted, a wrong claim costs time, and the third of them all ends the game.
#[tokio::test]
async fn two_plain_clients_play_by_the_rules_of_a_tournament() {
    let (shirin, khosrow) = (Scratch::new(), Scratch::new());
    let rules = ["--plain", "--side", "white", "--rules", "tournament sealed-move=no"];
    let mut white = host(&shirin, &rules);
    let line = white.until("an invitation", |line| line.starts_with("chatrang join ")).await;
    let line = line.trim_start_matches("chatrang join ").to_owned();
    let mut black = chatrang(&khosrow, &["join", &line, "--plain", "--name", "Khosrow"]);
    let terms = black.until("the terms", |line| line.starts_with("TERMS ")).await;
    assert!(terms.contains("5+3, tournament, sealed-move no") && terms.contains("type accept"), "{terms}");
    black.say("accept").await;
    for client in [&mut white, &mut black] {
        let game = client.until("the game", |line| line.starts_with("GAME ")).await;
        assert!(game.contains("at 5+3, tournament, sealed-move no"), "{game}");
    }

    white.say("touch g1").await;
    for client in [&mut white, &mut black] {
        client.until("a touch", |line| line == "TOUCH White touches g1 (FIDE 4.3).").await;
    }
    white.say("e4").await;
    let refused = white.until("a refusal", |line| line.starts_with("REFUSED e4")).await;
    assert!(refused.contains("you have touched the knight on g1: it must move (FIDE 4.3)"), "{refused}");
    white.say("nf3").await;
    black.until("White's move", |line| line.contains("Nf3") && line.contains("It is your move")).await;

    black.say("e7e4").await;
    let asked = black.until("a question", |line| line.starts_with("REFUSED e7e4")).await;
    assert!(asked.contains("illegal move 1 of 2, and give your opponent 1:00"), "{asked}");
    black.say("illegal e7e4").await;
    for client in [&mut white, &mut black] {
        let told = client.until("an illegal move", |line| line.starts_with("ILLEGAL ")).await;
        assert!(told.contains("e7-e4, which is put back: illegal move 1 of 2. White gets 1:00"), "{told}");
    }
    black.say("e5").await;
    white.until("Black's move", |line| line.contains("e5") && line.contains("It is your move")).await;

    white.say("claim Nxe5").await;
    black
        .until("a claim", |line| line.starts_with("CLAIM White claims a draw wrongly. Black gets 1:00"))
        .await;
    black.until("the move it names", |line| line.starts_with("MOVE White plays Nxe5")).await;
    black.say("illegal a7a4").await;
    for client in [&mut white, &mut black] {
        let end = client.until("the end", |line| line.starts_with("END ")).await;
        assert_eq!(end, "END White wins: Black has lost by illegal moves (FIDE 7.5.5).");
        assert_eq!(client.ends().await.code(), Some(0));
    }
}

/// A script that has not accepted unusual terms is told how.
#[tokio::test]
async fn unusual_terms_are_not_accepted_in_silence() {
    let (shirin, khosrow) = (Scratch::new(), Scratch::new());
    let mut host = host(&shirin, &["--json", "--rules", "classic"]);
    let line = host.object("invite").await["line"].as_str().unwrap().to_owned();
    let mut silent = chatrang(&khosrow, &["join", &line, "--json", "--name", "Khosrow"]);
    let terms = silent.object("terms").await;
    assert_eq!((&terms["conduct"], &terms["consent"]), (&"classic".into(), &"needed".into()));
    silent.hang_up();
    let error = silent.object("error").await;
    assert!(error["hint"].as_str().unwrap().contains("--accept-terms"), "{error}");
    assert_eq!(silent.ends().await.code(), Some(2));

    let mut friend = chatrang(&khosrow, &["join", &line, "--json", "--accept-terms"]);
    assert_eq!(friend.object("terms").await["consent"], "given");
    assert_eq!(friend.object("game").await["conduct"], "classic");
    assert_eq!(host.object("game").await["opponent"], "Khosrow");
}

/// A faulty start is one object that says what to do, and its exit code.
#[tokio::test]
async fn a_client_without_a_server_says_what_to_do() {
    let home = Scratch::new();
    let damaged = "127.0.0.1:7777/notafingerprint/code";
    for (arguments, code) in [(&["play", "--json"][..], 2), (&["join", damaged, "--json"], 2)] {
        let mut client = chatrang(&home, arguments);
        let error = client.object("error").await;
        assert_eq!((&error["v"], &error["code"]), (&1.into(), &"usage".into()), "{error}");
        assert!(!error["hint"].as_str().unwrap().is_empty());
        assert_eq!(client.ends().await.code(), Some(code));
    }
}
