//! Many at the same time: idle sessions, games at full speed, moves by the clock, a journal of a year.
//!
//! Small here, and as large as `CHATRANG_CASES` says; how quick it all is, the load generator measures
//! (`cargo run --release -p chatrang-tests --bin load`).

use chatrang_protocol::client::Settings;
use chatrang_protocol::codec::List;
use chatrang_protocol::ids::{GameId, RequestId, Seq};
use chatrang_protocol::lobby::Side;
use chatrang_protocol::net::endpoint::udp_socket;
use chatrang_protocol::reply::{ControlFrame, Reply};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, GameInstant, Stamp, Suspension};
use chatrang_rules::moves::Move;
use chatrang_server::game::entry::Entry;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, command};
use chatrang_tests::house::{House, any_port, enter, handle, new_key};
use chatrang_tests::journal::Journal;
use chatrang_tests::marathon::long_game;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, agree, proposal, seat};
use chatrang_tests::scratch::Scratch;
use chatrang_tests::stock::Stock;
use chatrang_tests::wire::{Wire, hello};
use quinn::{Endpoint, EndpointConfig, TokioRuntime};
use std::path::Path;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many there are of whatever a test has many of.
fn cases(by_default: u32) -> u32 {
    std::env::var("CHATRANG_CASES").map_or(by_default, |cases| cases.parse().unwrap())
}

/// Everybody comes in at once, does nothing, and is heard when he says something at last.
#[tokio::test]
async fn f15_idle_sessions_are_held_and_heard() {
    let house = House::open().await;
    let socket = udp_socket(any_port()).unwrap();
    let endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime)).unwrap();
    let mut entering = JoinSet::new();
    for number in 0..cases(200) {
        let (endpoint, address, fingerprint) = (endpoint.clone(), house.address, house.fingerprint);
        entering.spawn(async move {
            let mut wire = Wire::dial_from(endpoint, address, fingerprint, &new_key()).await;
            wire.welcome(&hello(&format!("Idler-{number}"))).await;
            wire
        });
    }
    let mut sessions = soon("all to come in", entering.join_all()).await;
    for wire in &mut sessions {
        wire.control.give(RequestFrame { id: RequestId(7), request: Request::ListSeats }).await;
    }
    for wire in &mut sessions {
        let reply: ControlFrame = wire.control.take().await;
        assert_eq!(reply, ControlFrame::Reply { id: RequestId(7), reply: Ok(Reply::Seats(List::default())) });
    }
}

/// Each move is sent as soon as the one before is there. Every acknowledged move is in the journal once
/// and in its place (I1), the journal replays (I2), and both players have seen what it tells (I3).
#[tokio::test]
async fn f16_games_at_full_speed_are_on_disk_as_they_were_seen() {
    const PLIES: usize = 60;
    let house = House::open_on_disk().await;
    let mut playing = JoinSet::new();
    for number in 0..cases(8) {
        let players =
            (house.guest(&format!("White-{number}")).await, house.guest(&format!("Black-{number}")).await);
        let table = seat(players.0, players.1, proposal("180+0", Side::Random)).await;
        let moves = Arc::new(long_game(PLIES, number.into()));
        playing.spawn(async move {
            let white = tokio::spawn(play_out(table.white, Color::White, Arc::clone(&moves)));
            let black = tokio::spawn(play_out(table.black, Color::Black, moves));
            (table.game, white.await.unwrap(), black.await.unwrap())
        });
    }
    for (game, (white, mut acknowledged), (black, of_black)) in soon("all games", playing.join_all()).await {
        acknowledged.extend(of_black);
        let record = house.journal(game).await;
        assert_eq!(acknowledged.len(), PLIES);
        for (seq, mv) in acknowledged {
            assert_eq!(moved(&record[seq.0 as usize]), Some(mv), "game {game}, event {seq}");
        }
        assert_eq!(record.iter().filter_map(moved).count(), PLIES);
        agree(&record, &[&white, &black]);
    }
}

/// Plays one side's moves as they come; returns when the last move of all is seen, with the place that
/// each own one was acknowledged at.
async fn play_out(mut player: Player, color: Color, moves: Arc<Vec<Move>>) -> (Player, Vec<(Seq, Move)>) {
    let mut acknowledged = Vec::new();
    for (ply, &mv) in moves.iter().enumerate() {
        if ply % 2 == usize::from(color == Color::Black) {
            player.until("his turn", |view| view.state.ply as usize == ply).await;
            let seq = soon("a move", player.link.play(mv)).await.unwrap().expect("the game goes on");
            acknowledged.push((seq, mv));
        }
    }
    player.until("the last move", |view| view.state.ply as usize == moves.len()).await;
    (player, acknowledged)
}

fn moved(entry: &Entry) -> Option<Move> {
    match entry.event().action {
        Action::Moved { mv, .. } => Some(mv),
        _ => None,
    }
}

/// The load generator itself, at a walking pace: it plays by the clock through its relay and through
/// `chatrangd`, and judges what it has seen.
#[tokio::test]
async fn f17_moves_by_the_clock_all_arrive() {
    let dir = Scratch::new();
    let games = cases(4).to_string();
    let mut load = command(Path::new(env!("CARGO_BIN_EXE_load")), dir.path());
    load.args(["open", "--rate", "20", "--seconds", "1", "--games", &games, "--server"])
        .arg(&binaries().chatrangd);
    let output = soon("the load generator", load.output()).await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for through in ["relay", "chatrangd"] {
        let line = said.lines().find(|line| line.starts_with(through)).unwrap_or_else(|| panic!("{said}"));
        let moves_per_second: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(moves_per_second > 0.0, "{said}");
    }
    assert_eq!(
        said.lines().filter(|line| line.starts_with("PASS") || line.starts_with("NOT REACHED")).count(),
        5
    );
}

/// A server starts on a journal that it has not written: games in play wait with the clocks that their
/// players had, games that are over are told as they ended.
#[tokio::test]
async fn f34_a_long_journal_is_taken_up_with_right_clocks() {
    let dir = Scratch::new();
    let games = cases(60);
    let stock = Stock { finished: games, unfinished: games / 3, plies: 40 };
    stock.lay_in(&dir.path().join("server")).await.unwrap();
    let journal = Journal::read(&dir.path().join("server/chatrang.db"));
    assert_eq!(journal.entries.len() as u32, stock.finished + stock.unfinished);

    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let settings = Settings::new(daemon.line().parse().unwrap(), new_key());
    let spectator = enter(settings.with_handle(handle("Spectator"))).await;
    let listed = soon("the games", spectator.games()).await.unwrap();
    assert_eq!(listed.len() as u32, stock.unfinished.min(200));
    for number in [1, stock.finished, stock.finished + 1, stock.finished + stock.unfinished] {
        let game = GameId(number.into());
        let player = Player::open(spectator.clone(), game).await;
        let (view, record) = (player.link.view(), journal.game(game));
        assert_eq!(view.state.result, record.result());
        assert_eq!(view.played.len(), 40);
        let over = number <= stock.finished;
        assert_eq!(view.state.result.is_some(), over);
        assert_eq!(view.state.suspension, (!over).then_some(Suspension::Restart));
        // The clock that ran has stopped at the last instant that the journal knows; games are created a
        // millisecond after each other, from the first one's number on.
        let lived = GameInstant(journal.server_time_ms - u64::from(number));
        assert_eq!(view.state.clocks.left, record.clocks(Stamp::at(lived)).left);
    }
}
