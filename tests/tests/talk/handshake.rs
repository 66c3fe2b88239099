//! Strangers at the door: silent ones, too many, forged, replayed. Nobody is in who has not shown his own key,
//! and whoever is in does not notice.

use crate::hostile::goes_on;
use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_server::gate::{GateLimits, OwnMachine};
use chatrang_tests::house::{House, Plan, handle, new_key};
use chatrang_tests::other_protocol;
use chatrang_tests::patience::soon;
use chatrang_tests::players::proposal;
use chatrang_tests::stranger::{Eavesdropper, Stranger, first_packets, is_retry, receive};
use chatrang_tests::stroll::Stroll;
use chatrang_tests::wire::{Wire, hello};
use quinn::{Connection, ConnectionError, TransportErrorCode};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::timeout;

/// TLS's alert that a signature does not verify (RFC 8446).
const DECRYPT_ERROR: u8 = 51;

/// TLS's alert that a client has shown nothing (RFC 8446).
const CERTIFICATE_REQUIRED: u8 = 116;

/// TLS's alert that two sides have no kind of certificate in common (RFC 7250).
const UNSUPPORTED_CERTIFICATE: u8 = 43;

/// TLS's alert that a side cannot go on with what the other has offered.
const HANDSHAKE_FAILURE: u8 = 40;

fn gate(gate: GateLimits) -> Plan {
    Plan { gate, ..Plan::default() }
}

fn is_alert(error: &ConnectionError, alerts: &[u8]) -> bool {
    let code = match error {
        ConnectionError::ConnectionClosed(close) => close.error_code,
        ConnectionError::TransportError(error) => error.code,
        _ => return false,
    };
    alerts.iter().any(|&alert| code == TransportErrorCode::crypto(alert))
}

fn is_refused(error: &ConnectionError) -> bool {
    matches!(error, ConnectionError::ConnectionClosed(close) if close.error_code == TransportErrorCode::CONNECTION_REFUSED)
}

/// As many first packets as a test has patience for: beyond the threshold each is answered with a Retry, for which
/// the house remembers nothing, and an honest client still comes in.
#[tokio::test]
async fn f21_silent_first_packets_are_asked_for_their_address_and_cost_nothing_more() {
    const BEYOND: usize = 60;
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let packets = first_packets(limits::HANDSHAKES_BEFORE_RETRY + BEYOND).await;
    let silent = UdpSocket::bind(chatrang_tests::house::any_port()).await.unwrap();
    silent.connect(house.address).await.unwrap();
    let mut retries = 0;
    // Whatever is sent is answered; what was lost on the way is sent again.
    for packet in packets.iter().cycle() {
        silent.send(packet).await.unwrap();
        retries += usize::from(is_retry(&receive(&silent).await));
        if retries == BEYOND {
            break;
        }
    }
    // What is answered with more than a Retry is a handshake in flight: there are no more of them than may be.
    house.guest("Farhad").await;
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

/// Every handshake is whole and every key another: what bounds them is the pace of their address, and that of all.
#[tokio::test]
async fn f22_a_flood_of_whole_handshakes_is_paced_and_the_game_goes_on() {
    const PER_SECOND: u32 = 2;
    let burst = u64::from(PER_SECOND) * limits::BURST_SECONDS;
    let own_pace = GateLimits { handshakes_per_address_and_second_max: PER_SECOND, ..GateLimits::default() };
    let common_pace = GateLimits { handshakes_per_second_max: PER_SECOND, ..GateLimits::default() };
    for limits in [own_pace, common_pace] {
        let house = House::open_as(gate(GateLimits { own_machine: OwnMachine::LikeOthers, ..limits })).await;
        let mut table = house.table("5+3").await;
        let (mut inside, mut refused) = (Vec::new(), 0);
        // At the pace, more than a burst cannot have come back before as many again have been refused.
        while refused < 10 * burst {
            match soon("the handshake to end", Stranger::honest(&new_key()).dial(house.address)).await {
                Ok(connection) => inside.push(connection),
                Err(error) => {
                    assert!(is_refused(&error), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(inside.len() as u64 >= burst / 2, "{} came in", inside.len());
        goes_on(&house, &mut table, &mut Stroll::default()).await;
    }
}

#[tokio::test]
async fn f22_an_address_has_only_so_many_connections() {
    let limits = GateLimits {
        connections_per_address_max: 4,
        own_machine: OwnMachine::LikeOthers,
        ..GateLimits::default()
    };
    let house = House::open_as(gate(limits)).await;
    fill_up(&house, 4).await;
}

#[tokio::test]
async fn f22_a_house_has_only_so_many_connections() {
    let house = House::open_as(gate(GateLimits { connections_max: 4, ..GateLimits::default() })).await;
    fill_up(&house, 4).await;
}

/// One more than there may be is refused, and comes in when another has gone.
async fn fill_up(house: &House, connections_max: usize) {
    let mut inside: Vec<Connection> = Vec::new();
    for _ in 0..connections_max {
        inside.push(Stranger::honest(&new_key()).enter(house.address).await);
    }
    let error = Stranger::honest(&new_key()).turned_away(house).await;
    assert!(is_refused(&error), "{error}");
    inside.pop().unwrap().close(CloseCode::Done.into(), b"");
    let room = async { while Stranger::honest(&new_key()).dial(house.address).await.is_err() {} };
    soon("room for another", room).await;
}

/// Nothing is kept of a client that early keys could be made from, so there is nothing to replay.
#[tokio::test]
async fn f23_no_early_keys_are_offered() {
    let house = House::open().await;
    let eager = Stranger::eager(&new_key());
    for _ in 0..2 {
        let connection = eager.enter(house.address).await;
        // Whatever a server has to give for the next time comes with its first packets after the handshake.
        let (mut sender, mut receiver) = connection.open_bi().await.unwrap();
        sender.write_all(&[0; 4]).await.unwrap();
        assert!(soon("the house's answer", receiver.read_to_end(64)).await.is_err());
        assert!(eager.dial(house.address).into_0rtt().is_err(), "a server that remembers a client");
    }
}

/// Everything that a client has sent is sent again, from another socket: nobody comes in by it.
#[tokio::test]
async fn f23_a_replayed_conversation_does_nothing() {
    let house = House::open().await;
    let mut lane = Eavesdropper::before(house.address).await;
    let victim =
        Client::connect(Settings::new(house.line_at(lane.address), new_key()).with_handle(handle("Shirin")));
    let victim = soon("the welcome", victim).await.unwrap();
    victim.seek(proposal("9+9", Side::Random)).await.unwrap();
    let other = house.guest("Khosrow").await;
    assert_eq!(other.seeks().await.unwrap().len(), 1);
    let recorded = lane.all();
    assert!(recorded.len() >= 4, "a whole handshake and more: {}", recorded.len());
    soon("the farewell", victim.close()).await;
    soon("the seek to be gone with its player", async { while !other.seeks().await.unwrap().is_empty() {} })
        .await;
    let thief = UdpSocket::bind(chatrang_tests::house::any_port()).await.unwrap();
    thief.connect(house.address).await.unwrap();
    // Until the house begins a handshake, which only the key's owner could end: for a moment it still knows the
    // connection that has ended, and passes over what comes for it.
    let mut answer = [0; 1_500];
    let answered = async {
        loop {
            for packet in &recorded {
                thief.send(packet).await.unwrap();
            }
            if timeout(Duration::from_millis(100), thief.recv(&mut answer)).await.is_ok() {
                return;
            }
        }
    };
    soon("the house to begin a handshake", answered).await;
    for packet in &recorded {
        thief.send(packet).await.unwrap();
    }
    house.guest("Farhad").await;
    assert!(other.seeks().await.unwrap().is_empty(), "nobody seeks in Shirin's name");
}

#[tokio::test]
async fn f24_nobody_is_in_without_a_key_of_his_own() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let victim = new_key();
    Wire::enter(&house, &victim, "Rostam").await.hang_up().await;
    let own = new_key();
    for (stranger, alerts) in [
        (Stranger::forger(&victim.public_key(), &own), &[DECRYPT_ERROR][..]),
        (Stranger::without_key(), &[CERTIFICATE_REQUIRED, HANDSHAKE_FAILURE]),
        (
            Stranger::with_certificate(&own),
            &[UNSUPPORTED_CERTIFICATE, HANDSHAKE_FAILURE, CERTIFICATE_REQUIRED],
        ),
    ] {
        let error = stranger.turned_away(&house).await;
        assert!(is_alert(&error, alerts), "{error:?}");
    }
    for alpn in ["chatrang/2", "h3"] {
        let error = Stranger::honest(&own).speaking(alpn).turned_away(&house).await;
        assert!(other_protocol::is_no_application_protocol(&error), "{alpn}: {error}");
    }
    // The victim's key still opens his account.
    let mut wire = Wire::dial(&house, &victim).await;
    let welcome = wire.welcome(&hello("Somebody")).await;
    assert_eq!(welcome.handle.as_str(), "Rostam");
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

#[tokio::test]
async fn f25_another_key_than_the_pinned_one_is_refused_with_both_fingerprints() {
    let house = House::open().await;
    let impostor = House::open().await;
    let line = format!("{}/{}", impostor.address, house.fingerprint).parse().unwrap();
    let dialled = Client::connect(Settings::new(line, new_key()).with_handle(handle("Shirin")));
    let error = soon("the handshake to fail", dialled).await.unwrap_err();
    assert!(matches!(error, ConnectError::ServerKeyChanged { .. }), "{error:?}");
    let sentence = error.to_string();
    for fingerprint in [house.fingerprint, impostor.fingerprint] {
        assert!(sentence.contains(&fingerprint.to_string()), "{sentence}");
    }
}
