//! A player's path changes, or ends without a word.

use chatrang_protocol::hello::{Denial, HelloReply};
use chatrang_protocol::intent::Intent;
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::view::Presence;
use chatrang_tests::house::{House, enter, new_key};
use chatrang_tests::lane::Lane;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, agree, pair, proposal};
use chatrang_tests::stroll::{Pawns, Stroll};
use chatrang_tests::wire::{Wire, hello};
use std::time::{Duration, Instant};

/// Changes of address in a run of everyday.
const CASES_DEFAULT: usize = 20;

fn cases() -> usize {
    std::env::var("CHATRANG_CASES").map_or(CASES_DEFAULT, |cases| cases.parse().unwrap())
}

/// A game between White on a bare wire with this key, and Black.
async fn game_on_a_wire(house: &House, key: &SecretKey) -> Player {
    let white = chatrang_protocol::client::Settings::new(house.line(), key.clone());
    let white = enter(white.with_handle(chatrang_tests::house::handle("Shirin"))).await;
    let black = house.guest("Khosrow").await;
    let game = pair(&white, &black, proposal("5+3", Side::Random)).await.white.game;
    white.close().await;
    Player::open(black, game).await
}

/// Each move from another local address, without a new connection and without a new stream.
#[tokio::test]
async fn f11_a_game_goes_on_from_another_address() {
    let house = House::open().await;
    let key = new_key();
    let mut black = game_on_a_wire(&house, &key).await;
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let (mut stream, _) = wire.attach(black.link.view().game).await;
    let mut stroll = Stroll::default();
    for change in 0..cases() as u64 {
        wire.move_to_another_socket();
        let ply = black.state().ply;
        let mv = black.legal(&stroll.next(black.state(), Pawns::MayMove));
        let seq = stream.ask(change, Intent::Move { ply, mv }).await.unwrap();
        black.until_seq(seq).await;
        let reply = stroll.next(black.state(), Pawns::MayMove);
        black.play(&reply).await;
    }
    assert_eq!(wire.connection.close_reason(), None);
    assert_eq!(black.link.view().presence.white, Presence::Here);
    let record = house.journal(black.link.view().game).await;
    assert_eq!(record.len(), 1 + 2 * cases(), "each move once, and nobody was away");
    agree(&record, &[&black]);
}

/// As many connections as an account may have, all of which vanish: the opponent is told when their patience
/// has ended, nothing of them is left, and as many come in again.
#[tokio::test]
async fn f12_who_vanishes_is_noticed_and_leaves_nothing_behind() {
    const IDLE: Duration = Duration::from_secs(2);
    let house = House::open().await;
    let key = new_key();
    let mut black = game_on_a_wire(&house, &key).await;
    let game = black.link.view().game;
    let mut gone = Vec::new();
    for _ in 0..limits::CONNECTIONS_PER_ACCOUNT_MAX {
        let lane = Lane::to(&house).await;
        let mut wire = Wire::dial_impatient(&house, lane.address, &key, IDLE).await;
        wire.welcome(&hello("Shirin")).await;
        let stream = wire.attach(game).await;
        gone.push((lane, wire, stream));
    }
    black.until("White to be here", |view| view.presence.white == Presence::Here).await;
    assert!(is_full(&house, &key).await, "as many as there may be");
    for (lane, ..) in &gone {
        lane.swallow();
    }
    let vanished = Instant::now();
    black.until("White to be away", |view| view.presence.white != Presence::Here).await;
    println!("told {:?} after White had vanished, with an idle limit of {IDLE:?}", vanished.elapsed());
    let free = async { while is_full(&house, &key).await {} };
    soon("the places to be free", free).await;
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let (mut stream, snapshot) = wire.attach(game).await;
    assert_eq!(snapshot.presence.white, Presence::Here);
    let e4 = Intent::Move { ply: 0, mv: black.legal("e4") };
    black.until_seq(stream.ask(1, e4).await.unwrap()).await;
    agree(&house.journal(game).await, &[&black]);
}

/// Whether an account has as many connections as it may have.
async fn is_full(house: &House, key: &SecretKey) -> bool {
    let mut wire = Wire::dial(house, key).await;
    wire.control.give(hello("Shirin")).await;
    match wire.control.take::<HelloReply>().await {
        HelloReply::Denied(Denial::TooManyConnections) => true,
        HelloReply::Denied(denial) => panic!("{denial}"),
        HelloReply::Welcome(_) => {
            wire.hang_up().await;
            false
        }
    }
}
