//! What whoever watches over a server reads on its metrics port: numbers that are right, and a port that
//! nobody can hold up.

use chatrang_protocol::ids::{AccountId, GameId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::Side;
use chatrang_server::limits::{METRICS_CONNECTIONS_MAX, METRICS_REQUEST_BYTES_MAX};
use chatrang_server::metrics::{Knock, RefusalKind};
use chatrang_server::store::{EventKind, JournalRow, NewGame, Phase, StoreFailure};
use chatrang_server::timeline::ServerInstant;
use chatrang_tests::house::{House, Plan, any_port};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{proposal, seat};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn house_with_metrics() -> (House, SocketAddr) {
    let house = House::open_on_disk_as(Plan { metrics: Some(any_port()), ..Plan::default() }).await;
    let metrics = house.metrics.expect("it shows metrics");
    (house, metrics)
}

/// The status and the body that a path has.
async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut said = String::new();
    soon("an answer", stream.read_to_string(&mut said)).await.unwrap();
    let (head, body) = said.split_once("\r\n\r\n").expect("a whole head");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

/// The first row of a game, larger than a page of the database.
fn large_row() -> JournalRow {
    let game = NewGame { created_unix_ms: 0, white: AccountId(1), black: AccountId(2), terms: String::new() };
    JournalRow {
        game: GameId(1),
        seq: Seq(0),
        ply: 0,
        kind: EventKind(0),
        phase: Phase::Begins(game),
        at: ServerInstant::ZERO,
        payload: vec![0; 1 << 16],
    }
}

/// The number behind a name, labels included.
fn figure(page: &str, name: &str) -> f64 {
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is missing in\n{page}")).parse().unwrap()
}

#[tokio::test]
async fn the_figures_are_those_of_the_game_that_was_played() {
    let (house, metrics) = house_with_metrics().await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play_all("f3 e5").await;
    // The other one's turn.
    let early = Intent::Move { ply: 2, mv: table.white.legal("g4") };
    let refused = table.black.ask(early).await;
    assert!(matches!(refused, Err(IntentError::Law(_))), "{refused:?}");

    let (status, page) = get(metrics, "/metrics").await;
    assert_eq!(status, 200);
    for (name, value) in [
        ("chatrang_ready", 1.0),
        ("chatrang_games_in_play", 1.0),
        ("chatrang_connections", 2.0),
        ("chatrang_sessions", 2.0),
        ("chatrang_handshakes_in_flight", 0.0),
        ("chatrang_handshakes_total{outcome=\"accepted\"}", 2.0),
        ("chatrang_handshakes_total{outcome=\"retried\"}", 0.0),
        ("chatrang_moves_total", 2.0),
        ("chatrang_refusals_total{kind=\"law\"}", 1.0),
        ("chatrang_closed_total{code=\"malformed\"}", 0.0),
        ("chatrang_accept_to_commit_seconds_count", 2.0),
        ("chatrang_listeners_let_go_total", 0.0),
        ("chatrang_store_queue", 0.0),
        ("chatrang_lines_dropped_total", 0.0),
    ] {
        assert!((figure(&page, name) - value).abs() < f64::EPSILON, "{name}: {page}");
    }
    assert!(figure(&page, "chatrang_commit_to_send_seconds_count") >= 2.0, "moves, and who came and went");
    // Two accounts, a game's begin and two moves.
    assert!(figure(&page, "chatrang_store_changes_total") >= 5.0);
    let commits = figure(&page, "chatrang_store_commit_seconds_count");
    assert!(commits > 0.0 && figure(&page, "chatrang_store_commit_seconds_sum") > 0.0);
    let same = figure(&page, "chatrang_store_batch_changes_count");
    assert!((commits - same).abs() < f64::EPSILON);
    drop(table);
    house.close().await;
}

#[tokio::test]
async fn it_says_whether_it_lives_and_whether_it_is_ready() {
    let (house, metrics) = house_with_metrics().await;
    assert_eq!(get(metrics, "/live").await, (200, "live\n".into()));
    assert_eq!(get(metrics, "/ready").await, (200, "ready\n".into()));
    assert_eq!(get(metrics, "/").await.0, 404);

    house.store.set_page_count_max(1).await.unwrap();
    // SQLite takes that as "not one page more", and this needs some.
    assert_eq!(house.store.append(vec![large_row()]).await, Err(StoreFailure::Full));
    assert_eq!(get(metrics, "/ready").await, (503, "the store is full\n".into()));
    let (_, page) = get(metrics, "/metrics").await;
    assert!(figure(&page, "chatrang_ready").abs() < f64::EPSILON, "{page}");
    assert_eq!(get(metrics, "/live").await.0, 200, "a full store is no reason to be killed");
}

/// Connections that say nothing, or never finish, neither keep a collector out nor stay for long; a request
/// without end is not read.
#[tokio::test]
async fn nobody_holds_the_port_up() {
    let (house, metrics) = house_with_metrics().await;
    let mut idlers = Vec::new();
    for _ in 0..METRICS_CONNECTIONS_MAX {
        let mut idler = TcpStream::connect(metrics).await.unwrap();
        idler.write_all(b"GET /metrics HTT").await.unwrap();
        idlers.push(idler);
    }
    assert_eq!(get(metrics, "/ready").await.0, 200);
    let mut said = Vec::new();
    // The oldest had to give way, without an answer.
    let ended = soon("the oldest to be cut off", idlers[0].read_to_end(&mut said)).await;
    assert!(said.is_empty() && ended.is_ok_and(|bytes| bytes == 0));

    let mut talker = TcpStream::connect(metrics).await.unwrap();
    talker.write_all(&vec![b'x'; METRICS_REQUEST_BYTES_MAX]).await.unwrap();
    let mut said = String::new();
    soon("an end", talker.read_to_string(&mut said)).await.unwrap();
    assert!(said.starts_with("HTTP/1.1 431 "), "{said}");
    assert_eq!(get(metrics, "/live").await.0, 200);
    house.close().await;
}

/// `docs/operations.md` explains every figure there is, and none that is not.
#[tokio::test]
async fn every_figure_is_explained() {
    let (house, metrics) = house_with_metrics().await;
    let (_, page) = get(metrics, "/metrics").await;
    let shown: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let text = include_str!("../../../docs/operations.md");
    let explained: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(['`', '{']).next())
        .filter(|name| name.starts_with("chatrang_") || name.starts_with("process_"))
        .collect();
    // What only Linux knows is explained everywhere.
    let missing: Vec<_> = shown.difference(&explained).collect();
    assert!(missing.is_empty(), "explain in docs/operations.md: {missing:?}");
    let gone: Vec<_> = explained.difference(&shown).collect();
    assert!(gone.is_empty() || !cfg!(target_os = "linux"), "there are none of these: {gone:?}");
    let words = Knock::ALL.map(Knock::word).into_iter().chain(RefusalKind::ALL.map(RefusalKind::word));
    for word in words {
        assert!(text.contains(&format!("`{word}`")), "explain {word} in docs/operations.md");
    }
    house.close().await;
}
