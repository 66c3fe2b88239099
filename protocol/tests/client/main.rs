//! The client against a scripted server: what it does when connections, streams and answers are lost.

mod entering;
mod game;
mod leaving;
mod lobby;
mod loss;
mod scripted;

use chatrang_protocol::client::game::GameLink;
use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::lobby::{Proposal, Seat, Side};
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_rules::color::Color;
use scripted::{GAME, Guest, House, Table, handle};
use std::future::Future;
use std::time::Duration;

/// No conversation here takes a second; one that hangs fails.
pub(crate) async fn talk<T>(conversation: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), conversation).await.expect("the conversation hangs")
}

pub(crate) fn settings(house: &House) -> Settings {
    Settings::new(house.line(), SecretKey::generate().unwrap()).with_handle(handle("Shirin"))
}

/// A client that is in, and the server's end of it.
pub(crate) async fn enter(house: &House) -> (Client, Guest) {
    let (client, guest) = tokio::join!(Client::connect(settings(house)), house.guest());
    (client.unwrap(), guest)
}

/// An open game whose last event is `seq`, and the server's end of it.
pub(crate) async fn open(client: &Client, guest: &Guest, seq: u64) -> (GameLink, Table) {
    let (link, table) = tokio::join!(client.open_game(GAME), async {
        let mut table = guest.table().await;
        table.snapshot(seq).await;
        table
    });
    (link.unwrap(), table)
}

pub(crate) fn proposal() -> Proposal {
    Proposal::casual("5+3".parse().unwrap(), Side::Random)
}

pub(crate) fn seat() -> Seat {
    Seat { game: GAME, color: Color::White, opponent: handle("Khosrow") }
}

/// Answers the next request.
pub(crate) async fn reply(guest: &mut Guest, reply: Result<Reply, RequestError>) -> Request {
    let RequestFrame { id, request } = guest.request().await;
    guest.control.give(&ControlFrame::Reply { id, reply }).await;
    request
}
