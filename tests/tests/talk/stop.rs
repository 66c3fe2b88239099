//! `chatrangd` as whoever starts and stops it sees it: its first line, its signals, its exit codes.

use chatrang_protocol::client::{News, Settings};
use chatrang_protocol::invite::ServerAddress;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::notice::Notice;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, Talker, command, object, signal};
use chatrang_tests::house::{enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{proposal, seat};
use chatrang_tests::scratch::Scratch;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};
use tokio::task::spawn_blocking;

/// How long a stop may take.
const STOP_TIME_MAX: Duration = Duration::from_secs(5);

/// More than a pipe holds.
const PIPE_BYTES_MAX: usize = 2 << 20;

/// A `chatrangd` that says what it is told to say with `arguments`.
fn chatrangd(home: &Scratch, arguments: &[&str]) -> Talker {
    Talker::start(command(&binaries().chatrangd, home.path()).args(["--log", "off"]).args(arguments))
}

#[tokio::test]
async fn its_first_line_says_how_to_reach_it() {
    let dir = Scratch::new();
    let arguments = ["--json", "--listen", "127.0.0.1:0"];
    let mut first = chatrangd(&dir, &arguments);
    let ready = first.object("ready").await;
    let invite: ServerAddress = ready["invite"].as_str().unwrap().parse().unwrap();
    assert_eq!(invite.addresses()[0].to_string(), ready["address"].as_str().unwrap());
    assert_eq!(invite.fingerprint().unwrap().to_string(), ready["fingerprint"].as_str().unwrap());
    assert!(invite.code().is_some(), "the owner's");
    first.signal("TERM").await;
    assert_eq!(first.ends().await.code(), Some(0));

    let mut closed = chatrangd(&dir, &[&arguments[..], &["--registration", "closed"]].concat());
    let again = closed.object("ready").await;
    assert_eq!(again["fingerprint"], ready["fingerprint"], "its key is kept");
    // Nobody has come yet: the owner can still come in.
    assert_eq!(again["invite"].as_str().unwrap().parse::<ServerAddress>().unwrap().code(), invite.code());
    let owner = Settings::new(again["invite"].as_str().unwrap().parse().unwrap(), new_key());
    enter(owner.with_handle(handle("Shirin"))).await.close().await;
    closed.signal("TERM").await;
    assert_eq!(closed.ends().await.code(), Some(0));
    let ready =
        chatrangd(&dir, &[&arguments[..], &["--registration", "closed"]].concat()).object("ready").await;
    assert!(ready["invite"].is_null(), "{ready}");
}

#[tokio::test]
async fn f32_a_signal_stops_it_in_time_and_its_players_know() {
    for signal in ["TERM", "INT"] {
        let dir = Scratch::new();
        let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
        let newcomer =
            |name| Settings::new(daemon.line().parse().unwrap(), new_key()).with_handle(handle(name));
        let (white, black) = (enter(newcomer("Shirin")).await, enter(newcomer("Khosrow")).await);
        let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
        let started = daemon.process.object("game_started").await;
        assert_eq!((&started["white"], &started["terms"]), (&"Shirin".into(), &"5+3".into()));
        table.play_all("e4 e5").await;
        let mut listener = table.black.client.clone();

        let asked = Instant::now();
        daemon.process.signal(signal).await;
        daemon.process.object("stopping").await;
        daemon.process.object("stopped").await;
        assert_eq!(daemon.process.ends().await.code(), Some(0));
        assert!(asked.elapsed() < STOP_TIME_MAX, "{:?}", asked.elapsed());
        while !matches!(
            listener.next_news().await.expect("the client lives"),
            News::Notice(Notice::ServerStopping { .. })
        ) {}
    }
}

/// Whoever started it may read its first line and nothing more: a standard output that takes nothing
/// any more holds up no game, and no stop.
#[tokio::test]
async fn what_nobody_reads_holds_up_nothing() {
    let dir = Scratch::new();
    let (output, mut own_end) = std::io::pipe().unwrap();
    let mut server = command(&binaries().chatrangd, dir.path())
        .args(["--json", "--log", "off", "--registration", "open", "--listen", "127.0.0.1:0"])
        .stdout(own_end.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(output);
    let (output, line) = spawn_blocking(move || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        (output, line)
    })
    .await
    .unwrap();
    // Fills the pipe; what does not fit waits there until the reader is gone.
    let filling = spawn_blocking(move || own_end.write_all(&vec![b'\n'; PIPE_BYTES_MAX]));
    let ready = object(&line);
    let line = format!("{}/{}", ready["address"].as_str().unwrap(), ready["fingerprint"].as_str().unwrap());
    let newcomer = |name| Settings::new(line.parse().unwrap(), new_key()).with_handle(handle(name));
    let (white, black) = (enter(newcomer("Shirin")).await, enter(newcomer("Khosrow")).await);
    let mut table = soon("a game", seat(white, black, proposal("5+3", Side::Random))).await;
    table.play_all("f3 e5 g4 Qh4#").await;
    table.white.result().await;

    let asked = Instant::now();
    signal(server.id().unwrap(), "TERM").await;
    assert_eq!(soon("the process to end", server.wait()).await.unwrap().code(), Some(0));
    assert!(asked.elapsed() < STOP_TIME_MAX, "{:?}", asked.elapsed());
    drop(output);
    assert!(filling.await.unwrap().is_err(), "the pipe was full");
}

#[tokio::test]
async fn it_stops_with_whoever_started_it() {
    let dir = Scratch::new();
    let mut process = chatrangd(&dir, &["--json", "--listen", "127.0.0.1:0", "--while-stdin"]);
    process.object("ready").await;
    process.say("anything").await;
    process.hang_up();
    assert_eq!(process.ends().await.code(), Some(0));
}

#[tokio::test]
async fn wrong_usage_ends_with_two() {
    let dir = Scratch::new();
    for arguments in [
        &["--listen", "nowhere"][..],
        &["--no-such-option"],
        &["--registration", "sometimes"],
        &["--config", "/nonexistent/chatrang.toml"],
        &["--first-move-seconds", "soon"],
    ] {
        assert_eq!(chatrangd(&dir, arguments).ends().await.code(), Some(2), "{arguments:?}");
    }
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert_eq!(chatrangd(&dir, &["--listen", &address]).ends().await.code(), Some(2), "a port that is taken");
}

#[tokio::test]
async fn a_data_directory_in_use_ends_with_eight() {
    let dir = Scratch::new();
    let mut first = chatrangd(&dir, &["--json", "--listen", "127.0.0.1:0"]);
    first.object("ready").await;
    let mut second = chatrangd(&dir, &["--json", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.ends().await.code(), Some(8));
    first.signal("TERM").await;
    assert_eq!(first.ends().await.code(), Some(0), "the first is none the worse for it");
}

#[tokio::test]
async fn a_damaged_database_ends_with_eight() {
    let dir = Scratch::new();
    let data = dir.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("chatrang.db"), "this is no database").unwrap();
    let mut process =
        chatrangd(&dir, &["--json", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
    assert_eq!(process.ends().await.code(), Some(8));
}
