//! A server in this process on real time: for what the network itself does to a game.

use crate::house::{ENDPOINT_KEYS, any_port, new_key};
use chatrang_protocol::codec;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::invite::ServerAddress;
use chatrang_protocol::key::Fingerprint;
use chatrang_protocol::net::endpoint::udp_socket;
use chatrang_rules::game::Event;
use chatrang_server::config::Config;
use chatrang_server::game::entry::Entry;
use chatrang_server::game::pondering::Pondering;
use chatrang_server::random::Random;
use chatrang_server::report::Reporter;
use chatrang_server::server::{Parts, Server};
use chatrang_server::store::Store;
use chatrang_server::timeline::{ServerInstant, SystemTimeline};
use quinn::{Runtime, TokioRuntime};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A server that runs, and keeps everything in memory; it stops when dropped.
#[derive(Debug)]
pub struct LiveHouse {
    /// The time of its games, which a test may read and never moves.
    pub timeline: Arc<SystemTimeline>,
    /// Where it listens.
    pub address: SocketAddr,
    /// Its key's fingerprint.
    pub fingerprint: Fingerprint,
    store: Store,
    _stop: oneshot::Sender<()>,
}

impl LiveHouse {
    /// Opens a house in which anyone may register.
    pub async fn open() -> Self {
        let timeline = Arc::new(SystemTimeline::new());
        let store = Store::open_in_memory().unwrap();
        let runtime = Arc::new(TokioRuntime);
        let parts = Parts {
            store: store.clone(),
            timeline: Arc::<SystemTimeline>::clone(&timeline),
            random: Random::from_seed(64),
            socket: runtime.wrap_udp_socket(udp_socket(any_port()).unwrap()).unwrap(),
            runtime,
            pondering: Pondering::elsewhere(),
            identity: new_key(),
            endpoint_keys: ENDPOINT_KEYS,
        };
        let server =
            Server::bind(&Config::for_tests(Path::new("")), parts, Reporter::silent()).await.unwrap();
        let (address, fingerprint) = (server.local_address().unwrap(), server.fingerprint());
        let (stop, stopped) = oneshot::channel();
        tokio::spawn(server.run(async move {
            let _ = stopped.await;
        }));
        Self { timeline, address, fingerprint, store, _stop: stop }
    }

    /// What a client needs to find the house with somebody in between, and to know it again.
    pub fn line_at(&self, address: SocketAddr) -> ServerAddress {
        format!("{address}/{}", self.fingerprint).parse().unwrap()
    }

    /// When a game was created, and its events.
    pub async fn record(&self, game: GameId) -> (ServerInstant, Vec<Event>) {
        let rows = self.store.game_rows(game).await.unwrap().expect("the game is in the store");
        let events = rows.iter().map(|row| codec::decode::<Entry>(&row.payload).unwrap().event().clone());
        (rows[0].at, events.collect())
    }
}
