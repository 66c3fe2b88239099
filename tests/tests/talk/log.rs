//! What the log says, to whom it is of use, and that nobody has to read it; what a supervisor is told.

use chatrang_protocol::client::Settings;
use chatrang_protocol::lobby::Side;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{command, object, signal};
use chatrang_tests::house::{enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{proposal, seat};
use chatrang_tests::scratch::Scratch;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::spawn_blocking;

/// More than a pipe holds.
const PIPE_BYTES_MAX: usize = 2 << 20;

/// A server that anybody may join and that logs what `filter` lets through.
fn server(dir: &Scratch, filter: &str) -> Command {
    let mut server = command(&binaries().chatrangd, dir.path());
    server.args(["--json", "--registration", "open", "--listen", "127.0.0.1:0", "--log", filter]);
    server
}

/// A player's way to a server that has just been started.
async fn way_to(server: &mut Child) -> impl Fn(&str) -> Settings {
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    soon("the first line", output.read_line(&mut line)).await.unwrap();
    let ready = object(&line);
    let line = format!("{}/{}", ready["address"].as_str().unwrap(), ready["fingerprint"].as_str().unwrap());
    move |name| Settings::new(line.parse().unwrap(), new_key()).with_handle(handle(name))
}

async fn play_a_game(newcomer: impl Fn(&str) -> Settings) {
    let (white, black) = (enter(newcomer("Shirin")).await, enter(newcomer("Khosrow")).await);
    let mut table = soon("a game", seat(white, black, proposal("5+3", Side::Random))).await;
    table.play_all("f3 e5 g4 Qh4#").await;
    table.white.result().await;
}

async fn stop(server: &mut Child) {
    signal(server.id().unwrap(), "TERM").await;
    assert_eq!(soon("the process to end", server.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn lines_say_of_which_session_and_game_they_are() {
    let dir = Scratch::new();
    let mut server = server(&dir, "debug,quinn=off,quinn_proto=off,rustls=off").spawn().unwrap();
    play_a_game(way_to(&mut server).await).await;
    stop(&mut server).await;
    let mut log = String::new();
    server.stderr.take().unwrap().read_to_string(&mut log).await.unwrap();
    let lines: Vec<_> = log.lines().map(object).collect();
    let line = |message: &str| {
        let found = lines.iter().find(|line| line["fields"]["message"] == message);
        found.unwrap_or_else(|| panic!("{message:?} is missing in {log}"))
    };
    let spans = |message: &str| line(message)["spans"].as_array().unwrap().clone();
    let session = spans("player connected").into_iter().find(|span| span["name"] == "session").unwrap();
    assert_eq!(session["player"], "Shirin");
    assert!(session["client"].as_str().unwrap().starts_with("127.0.0.1:"), "{session}");
    let game = spans("game over").into_iter().find(|span| span["name"] == "game").unwrap();
    assert_eq!(game["game"], "1");
    assert_eq!(line("game begins")["fields"]["white"], "Shirin");
}

/// A standard error that takes nothing any more holds up no game, and no stop.
#[tokio::test]
async fn a_log_that_nobody_reads_holds_up_nothing() {
    let dir = Scratch::new();
    let (unread, mut own_end) = std::io::pipe().unwrap();
    let mut server = server(&dir, "trace").stderr(Stdio::from(own_end.try_clone().unwrap())).spawn().unwrap();
    // Fills the pipe; what does not fit waits there until the reader is gone.
    let filling = spawn_blocking(move || own_end.write_all(&vec![b'\n'; PIPE_BYTES_MAX]));
    play_a_game(way_to(&mut server).await).await;
    stop(&mut server).await;
    drop(unread);
    assert!(filling.await.unwrap().is_err(), "the pipe was full");
}

#[tokio::test]
async fn a_supervisor_is_told_when_it_serves_and_when_it_stops() {
    let dir = Scratch::new();
    let path = dir.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_nonblocking(true).unwrap();
    let socket = tokio::net::UnixDatagram::from_std(socket).unwrap();
    let mut server =
        server(&dir, "off").env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "1000000").spawn().unwrap();
    let mut told = Vec::new();
    while told.last().is_none_or(|word| word != "WATCHDOG=1") {
        told.push(word(&socket).await);
    }
    assert_eq!(told, ["READY=1", "WATCHDOG=1"]);
    stop(&mut server).await;
    while told.last().is_none_or(|word| word != "STOPPING=1") {
        told.push(word(&socket).await);
    }
}

async fn word(socket: &tokio::net::UnixDatagram) -> String {
    let mut word = [0; 64];
    let bytes = soon("a word", socket.recv(&mut word)).await.unwrap();
    String::from_utf8(word[..bytes].to_vec()).unwrap()
}
