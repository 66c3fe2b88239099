//! Who becomes a player, and under which name: nobody passes for another, and nobody fills the disk with accounts.

use chatrang_protocol::client::Client;
use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::{Denial, HelloReply};
use chatrang_protocol::ids::Handle;
use chatrang_server::gate::{GateLimits, OwnMachine};
use chatrang_tests::house::{House, Plan, enter, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::wire::{Wire, hello};

/// Why somebody does not get in under a name.
async fn denied(house: &House, name: &str) -> Denial {
    match soon("the denial", Client::connect(house.newcomer(name))).await {
        Err(ConnectError::Denied(denial)) => denial,
        other => panic!("{name} is in: {other:?}"),
    }
}

#[tokio::test]
async fn f24_nobody_comes_in_under_a_name_that_passes_for_anothers() {
    let house = House::open().await;
    house.guest("Rostam").await;
    for name in ["R0stam", "Rost-am", "ROSTARN", "Rostarn_"] {
        match denied(&house, name).await {
            Denial::HandleResembles { taken, suggestions } => {
                assert_eq!(taken.as_str(), "Rostam");
                assert_eq!(suggestions[0].as_str(), format!("{name}2"));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(matches!(denied(&house, "rOSTAM").await, Denial::HandleTaken { .. }));
    for name in ["Arbiter", "Own-er", "Chat-rang"] {
        assert!(denied(&house, name).await == Denial::HandleReserved, "{name}");
    }
    // A suggestion is good for something.
    let Denial::HandleTaken { suggestions } = denied(&house, "Rostam").await else { panic!() };
    let free: Handle = suggestions[0].clone();
    assert_eq!(enter(house.newcomer(free.as_str())).await.welcome().handle, free);
}

/// Keys cost nothing, so strangers are counted by where they come from, and all together.
#[tokio::test]
async fn f31_only_so_many_strangers_become_players_in_an_hour() {
    let address = GateLimits { newcomers_per_address_and_hour_max: 3, ..GateLimits::default() };
    let all = GateLimits { newcomers_per_hour_max: 3, ..GateLimits::default() };
    for limits in [address, all] {
        let gate = GateLimits { own_machine: OwnMachine::LikeOthers, ..limits };
        let house = House::open_as(Plan { gate, ..Plan::default() }).await;
        let known = new_key();
        Wire::enter(&house, &known, "Rostam").await;
        // Who does not become a player is not counted.
        for _ in 0..5 {
            assert!(matches!(denied(&house, "r0stam").await, Denial::HandleResembles { .. }));
        }
        house.guest("Zal").await;
        house.guest("Sam").await;
        let mut wire = Wire::dial(&house, &new_key()).await;
        wire.control.give(hello("Tahmineh")).await;
        match wire.control.take::<HelloReply>().await {
            HelloReply::Denied(Denial::TooManyNewcomers { retry_seconds }) => {
                assert!((1..=20 * 60).contains(&retry_seconds), "{retry_seconds}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(wire.closed().await, CloseCode::TooMany);
        // Whoever has an account comes in as ever.
        Wire::enter(&house, &known, "Rostam").await;
    }
}
