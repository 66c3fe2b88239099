//! What strangers cost a server process in memory, as the system counts it.
//!
//! `CHATRANG_CASES=4000` for the full run.

use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::intent::Attach;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_tests::children::Daemon;
use chatrang_tests::house::{any_port, enter, handle, new_key};
use chatrang_tests::players::{Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use chatrang_tests::stranger::{first_packets, receive};
use chatrang_tests::stroll::{Pawns, Stroll};
use chatrang_tests::wire::{Wire, WireStream, hello};
use tokio::net::UdpSocket;

/// Silent first packets in a run of everyday.
const SILENT_DEFAULT: usize = 300;

/// Most clients that read nothing, however many cases there are.
const DEAF_MAX: usize = 64;

/// Games that each of those watches, as often as it may.
const GAMES: usize = 8;

/// How far the games go on: more than any queue takes.
const PLIES: usize = limits::LISTENER_FRAMES_MAX + 16;

/// What one that reads nothing may cost: what waits for it, and the tasks and queues of its 31 streams, which are
/// larger in a build that is not optimised.
const DEAF_KIB_MAX: usize = if cfg!(debug_assertions) { 512 } else { 384 };

/// What a handshake in flight may cost, of which there are no more than [`limits::HANDSHAKES_BEFORE_RETRY`].
const HANDSHAKE_KIB_MAX: usize = 64;

fn cases() -> usize {
    std::env::var("CHATRANG_CASES").map_or(SILENT_DEFAULT, |cases| cases.parse().unwrap())
}

#[tokio::test]
async fn f21_a_silent_first_packet_costs_a_kibibyte_at_most() {
    let packets = first_packets(cases()).await;
    let dir = Scratch::new();
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    newcomer(&daemon, "Shirin").await;
    let Some(before) = daemon.resident_kib() else { return };
    let silent = UdpSocket::bind(any_port()).await.unwrap();
    silent.connect(daemon.address()).await.unwrap();
    for packet in &packets {
        silent.send(packet).await.unwrap();
        receive(&silent).await;
    }
    let grown = daemon.resident_kib().unwrap().saturating_sub(before);
    println!("silent first packets {}: {grown} KiB in all", packets.len());
    let bound = limits::HANDSHAKES_BEFORE_RETRY * HANDSHAKE_KIB_MAX + packets.len();
    assert!(grown <= bound, "{grown} KiB, where {bound} are allowed");
    // An honest client shows its address and comes in.
    newcomer(&daemon, "Khosrow").await;
}

#[tokio::test]
async fn f20_a_client_that_reads_nothing_costs_so_much_and_no_more() {
    let dir = Scratch::new();
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let mut tables = Vec::new();
    for number in 0..GAMES {
        let white = newcomer(&daemon, &format!("White-{number}")).await;
        let black = newcomer(&daemon, &format!("Black-{number}")).await;
        tables.push(seat(white, black, proposal("60+3", Side::Random)).await);
    }
    let deaf = (cases() / 40).clamp(8, DEAF_MAX);
    let Some(empty) = daemon.resident_kib() else { return };
    // What the games themselves grow by.
    for table in &mut tables {
        stroll(table, PLIES).await;
    }
    let before = daemon.resident_kib().unwrap();
    let by_games = before.saturating_sub(empty);
    let mut held = Vec::new();
    for number in 0..deaf {
        held.push(watch_deaf(&daemon, &tables, &format!("Deaf-{number}")).await);
    }
    for table in &mut tables {
        stroll(table, PLIES).await;
    }
    let grown = daemon.resident_kib().unwrap().saturating_sub(before + by_games);
    println!("clients that read nothing {deaf}: {} KiB each", grown / deaf);
    assert!(grown <= deaf * DEAF_KIB_MAX, "{} KiB each", grown / deaf);
    drop(held);
}

/// Watches all games on as many streams as one connection has, and reads none of them.
async fn watch_deaf(daemon: &Daemon, tables: &[Table], name: &str) -> (Wire, Vec<WireStream>) {
    let address = daemon.address().parse().unwrap();
    let fingerprint = daemon.ready["fingerprint"].as_str().unwrap().parse().unwrap();
    let mut wire = Wire::dial_narrow_at(address, fingerprint, &new_key(), 512).await;
    wire.welcome(&hello(name)).await;
    let mut streams = Vec::new();
    for number in 1..limits::STREAMS_MAX as usize {
        let mut stream = wire.open().await;
        stream.give(Attach { game: tables[number % GAMES].game, seen: None }).await;
        streams.push(stream);
    }
    (wire, streams)
}

async fn newcomer(daemon: &Daemon, name: &str) -> Client {
    let settings = Settings::new(daemon.line().parse().unwrap(), new_key());
    enter(settings.with_handle(handle(name))).await
}

async fn stroll(table: &mut Table, plies: usize) {
    let mut stroll = Stroll::default();
    for _ in 0..plies {
        let san = stroll.next(table.white.state(), Pawns::MayMove);
        table.play(&san).await;
    }
}
