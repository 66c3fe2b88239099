//! Floods from somebody who is in: streams, windows, datagrams, chat, requests. Each has its bound, and a game
//! beside it goes on.

use crate::hostile::goes_on;
use bytes::Bytes;
use chatrang_protocol::client::CallError;
use chatrang_protocol::ids::TalkId;
use chatrang_protocol::intent::{Attach, Intent, IntentError};
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::talk::{Talk, TalkError, TalkFrame};
use chatrang_protocol::view::GameFrame;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::Terms;
use chatrang_server::config::RegistrationMode;
use chatrang_server::store::{Account, Registration};
use chatrang_tests::house::{House, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Table, proposal, seat};
use chatrang_tests::stroll::{Pawns, Stroll};
use chatrang_tests::wire::{Wire, hello};
use std::future::ready;

/// A client that watches as often as it may and reads nothing. What the house keeps for it is one backlog and what
/// quinn has under way, however many streams it has; reading again, it finds no more.
#[tokio::test]
async fn f20_who_reads_nothing_has_one_bounded_backlog() {
    const WINDOW_BYTES: usize = 2_048;
    let house = House::open().await;
    let mut tables = [house.table("5+3").await, second_table(&house).await];
    let mut wire = Wire::dial_narrow(&house, &new_key(), WINDOW_BYTES as u32).await;
    wire.welcome(&hello("Ahriman")).await;
    let mut streams = Vec::new();
    for table in &tables {
        for _ in 0..limits::STREAMS_PER_ACCOUNT_AND_GAME_MAX {
            let mut stream = wire.open().await;
            stream.give(Attach { game: table.game, seen: None }).await;
            streams.push(stream);
        }
    }
    for table in &mut tables {
        stroll(table, 2 * limits::LISTENER_FRAMES_MAX).await;
    }
    let mut kept = 0;
    for stream in &mut streams {
        while let Some(frame) = stream.try_take_bytes().await {
            kept += frame.len();
        }
    }
    let longest = limits::SERVER_FRAME_BYTES_MAX / 16;
    let bound = limits::BACKLOG_BYTES_MAX
        + limits::SERVER_SEND_WINDOW_BYTES as usize
        + streams.len() * WINDOW_BYTES
        + longest;
    assert!(kept <= bound, "{kept} bytes were kept");
    goes_on(&house, &mut tables[0], &mut Stroll::default()).await;
}

async fn second_table(house: &House) -> Table {
    let (zal, rudabeh) = (house.guest("Zal").await, house.guest("Rudabeh").await);
    seat(zal, rudabeh, proposal("5+3", Side::Random)).await
}

async fn stroll(table: &mut Table, plies: usize) {
    let mut stroll = Stroll::default();
    for _ in 0..plies {
        let san = stroll.next(table.white.state(), Pawns::MayMove);
        table.play(&san).await;
    }
}

/// A client that nudges faster than the players of all games that it may be in is answered no faster than they.
#[tokio::test]
async fn f31_nudges_are_answered_at_their_pace() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    let (mut stream, _) = wire.attach(table.game).await;
    let (mut sent, mut echoes, mut fence) = (0, 0, 0);
    let flood = async {
        while sent < echoes + 500 {
            for _ in 0..20 {
                wire.connection.send_datagram(Bytes::from_static(&[0])).unwrap();
                sent += 1;
            }
            fence += 1;
            assert_eq!(stream.ask(fence, Intent::Resign).await, Err(IntentError::NotSeated));
            while has_echo(&wire).await {
                echoes += 1;
            }
        }
    };
    soon("nudges to be passed over", flood).await;
    assert!(echoes > 0);
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

async fn has_echo(wire: &Wire) -> bool {
    tokio::select! {
        biased;
        echo = wire.connection.read_datagram() => echo.is_ok(),
        () = ready(()) => false,
    }
}

/// As much chat at once as a stream takes: a few lines are said, each of the others is refused by itself, and the
/// players hear none of it.
#[tokio::test]
async fn f31_who_talks_without_end_is_not_heard() {
    const LINES: u64 = 400;
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    let (mut stream, _) = wire.attach(table.game).await;
    for line in 0..LINES {
        let talk = Talk::Say("buy my book".parse().unwrap());
        stream.give(TalkFrame { id: TalkId(line), talk }).await;
    }
    let (mut said, mut refused) = (0, 0);
    while said + refused < LINES {
        match stream.take().await {
            GameFrame::Talked(answer) if answer.outcome.is_ok() => said += 1,
            GameFrame::Talked(answer) => {
                assert_eq!(answer.outcome, Err(TalkError::TooFast));
                refused += 1;
            }
            _ => {}
        }
    }
    assert!(said >= limits::CHAT_BURST_LINES, "{said}");
    let time_stands = limits::CHAT_BURST_LINES;
    assert_eq!(said, time_stands, "the house's time has not moved");
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

#[tokio::test]
async fn f31_an_account_has_only_so_many_seeks_however_it_asks() {
    let house = House::open().await;
    let spammer = house.guest("Ahriman").await;
    for minutes in 1..=limits::SEEKS_PER_ACCOUNT_MAX {
        spammer.seek(proposal(&format!("{minutes}+1"), Side::White)).await.unwrap();
    }
    let refused = spammer.seek(proposal("90+1", Side::White)).await;
    assert!(matches!(refused, Err(CallError::Refused(RequestError::TooManySeeks))), "{refused:?}");
    // Asked again in the same words, it is the same seek.
    spammer.seek(proposal("1+1", Side::White)).await.unwrap();
    let other = house.guest("Rostam").await;
    assert_eq!(other.seeks().await.unwrap().len(), limits::SEEKS_PER_ACCOUNT_MAX);
    other.seek(proposal("90+1", Side::White)).await.unwrap();
}

/// With more games in play than a list may have, a player still finds his own in it.
#[tokio::test]
async fn f31_a_list_of_games_is_as_long_as_it_may_be_and_has_ones_own() {
    let house = House::open().await;
    let mut accounts = Vec::new();
    for number in 0..21 {
        accounts.push(register(&house, &format!("Player{number}x")).await);
    }
    let last = house.table("5+3").await;
    let mut games = 1;
    'all: for white in 0..accounts.len() {
        for black in 0..white {
            let players = ByColor { white: accounts[white].clone(), black: accounts[black].clone() };
            house.registry.begin(Terms::online("5+3".parse().unwrap()), players).await.unwrap();
            games += 1;
            if games > limits::GAMES_LISTED_MAX {
                break 'all;
            }
        }
    }
    // The newest of all games, and so the one that would fall off the end.
    let newest = second_table(&house).await;
    for table in [&last, &newest] {
        let listed = table.white.client.games().await.unwrap();
        assert_eq!(listed.len(), limits::GAMES_LISTED_MAX);
        assert_eq!(listed[0].game, table.game);
        assert_eq!(listed[0].players[Color::White], table.white.client.welcome().handle);
    }
}

async fn register(house: &House, name: &str) -> Account {
    let registration = Registration {
        key: new_key().public_key(),
        handle: handle(name),
        invite: None,
        mode: RegistrationMode::Open,
        now_unix_ms: 0,
    };
    house.store.register(registration).await.unwrap()
}
