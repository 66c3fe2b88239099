//! A server in this process: real QUIC on loopback, time that stands until the test moves it.

use crate::patience::soon;
use crate::scratch::Scratch;
use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::codec;
use chatrang_protocol::ids::{GameId, Handle};
use chatrang_protocol::invite::{InviteCode, ServerAddress};
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::net::endpoint::EndpointKeys;
use chatrang_rules::game::Profile;
use chatrang_server::config::{Arbiters, Config, RegistrationMode};
use chatrang_server::game::entry::Entry;
use chatrang_server::game::pondering::Pondering;
use chatrang_server::game::registry::Registry;
use chatrang_server::gate::GateLimits;
use chatrang_server::report::Reporter;
use chatrang_server::server::{Parts, RunError, Server};
use chatrang_server::store::{Store, StoreOptions};
use chatrang_server::timeline::{ManualTimeline, Timeline};
use quinn::{Runtime, TokioRuntime};
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// What every house's endpoint keeps over a restart; [`Lane`](crate::lane::Lane) uses it too.
pub const ENDPOINT_KEYS: EndpointKeys =
    EndpointKeys { reset_key: [1; 64], connection_id_key: 2, token_key: [3; 64] };

/// How a house is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who may register.
    pub registration: RegistrationMode,
    /// How games are conducted whose players leave it to the house.
    pub profile: Profile,
    /// Whose account gives games an arbiter to turn to.
    pub arbiters: Arbiters,
    /// Where metrics can be read, if anywhere.
    pub metrics: Option<SocketAddr>,
    /// How long a first move may take.
    pub first_move: Duration,
    /// How long clocks stand still after a restart.
    pub restart_grace: Duration,
    /// How many may come.
    pub gate: GateLimits,
}

impl Default for Plan {
    /// Open registration, and a server's own waits.
    fn default() -> Self {
        let config = Config::for_tests(Path::new(""));
        Self {
            registration: config.registration,
            profile: config.profile,
            arbiters: config.arbiters,
            metrics: config.metrics,
            first_move: config.first_move,
            restart_grace: config.restart_grace,
            gate: config.gate,
        }
    }
}

/// A server that runs.
#[derive(Debug)]
pub struct House {
    plan: Plan,
    /// The time of its games.
    pub timeline: Arc<ManualTimeline>,
    /// What it keeps.
    pub store: Store,
    /// Its games.
    pub registry: Registry,
    /// Where it listens.
    pub address: SocketAddr,
    /// Its key's fingerprint.
    pub fingerprint: Fingerprint,
    /// Where its metrics can be read.
    pub metrics: Option<SocketAddr>,
    /// The code it shows at its start.
    pub invite: Option<InviteCode>,
    identity: SecretKey,
    dir: Option<Arc<Scratch>>,
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<(), RunError>>,
}

/// A house that has stopped, and can be opened again.
#[derive(Debug)]
pub struct ClosedHouse {
    plan: Plan,
    address: SocketAddr,
    identity: SecretKey,
    dir: Arc<Scratch>,
}

impl House {
    /// Opens a house that keeps everything in memory.
    pub async fn open() -> Self {
        Self::open_as(Plan::default()).await
    }

    /// The same by a plan.
    pub async fn open_as(plan: Plan) -> Self {
        Self::start(plan, Store::open_in_memory().unwrap(), None, any_port(), new_key()).await
    }

    /// Opens a house on disk with something between its time and its games.
    pub async fn open_behind(wrap: impl FnOnce(Arc<ManualTimeline>) -> Arc<dyn Timeline>) -> Self {
        let time = Arc::new(ManualTimeline::new());
        let timeline = wrap(Arc::clone(&time));
        let dir = Arc::new(Scratch::new());
        let store = Store::open(dir.path(), StoreOptions::default()).unwrap();
        Self::start_on(Plan::default(), store, Some(dir), any_port(), new_key(), time, timeline).await
    }

    /// Opens a house that keeps everything in a directory of its own, and so can be opened again.
    pub async fn open_on_disk() -> Self {
        Self::open_on_disk_as(Plan::default()).await
    }

    /// The same by a plan.
    pub async fn open_on_disk_as(plan: Plan) -> Self {
        let dir = Arc::new(Scratch::new());
        let store = Store::open(dir.path(), StoreOptions::default()).unwrap();
        Self::start(plan, store, Some(dir), any_port(), new_key()).await
    }

    async fn start(
        plan: Plan,
        store: Store,
        dir: Option<Arc<Scratch>>,
        address: SocketAddr,
        identity: SecretKey,
    ) -> Self {
        let time = Arc::new(ManualTimeline::new());
        let timeline = Arc::<ManualTimeline>::clone(&time);
        Self::start_on(plan, store, dir, address, identity, time, timeline).await
    }

    async fn start_on(
        plan: Plan,
        store: Store,
        dir: Option<Arc<Scratch>>,
        address: SocketAddr,
        identity: SecretKey,
        time: Arc<ManualTimeline>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let mut config = Config::for_tests(dir.as_ref().map_or(Path::new(""), |dir| dir.path()));
        config.registration = plan.registration;
        config.profile = plan.profile;
        config.arbiters = plan.arbiters;
        config.metrics = plan.metrics;
        config.first_move = plan.first_move;
        config.restart_grace = plan.restart_grace;
        config.gate = plan.gate;
        let runtime = Arc::new(TokioRuntime);
        let parts = Parts {
            store: store.clone(),
            timeline,
            random: chatrang_server::random::Random::from_seed(64),
            socket: runtime.wrap_udp_socket(socket_at(address).await).unwrap(),
            runtime,
            pondering: Pondering::elsewhere(),
            identity: identity.clone(),
            endpoint_keys: ENDPOINT_KEYS,
        };
        let server = Server::bind(&config, parts, Reporter::silent()).await.unwrap();
        let address = server.local_address().unwrap();
        let (fingerprint, invite) = (server.fingerprint(), server.invite());
        let (registry, metrics) = (server.registry().clone(), server.metrics_address().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move {
            // A house that is dropped stops too.
            let _ = stopped.await;
        }));
        Self {
            plan,
            timeline: time,
            store,
            registry,
            address,
            fingerprint,
            metrics,
            invite,
            identity,
            dir,
            stop,
            running,
        }
    }

    /// Stops as an operator would, and returns when everything is on disk and the port is free.
    pub async fn close(self) -> ClosedHouse {
        let dir = self.dir.expect("a house in memory is gone when it is closed");
        let _ = self.stop.send(());
        soon("the server to stop", self.running).await.unwrap().unwrap();
        ClosedHouse { plan: self.plan, address: self.address, identity: self.identity, dir }
    }

    /// Waits until the server has stopped by itself.
    pub async fn fails(self) -> RunError {
        soon("the server to give up", self.running).await.unwrap().unwrap_err()
    }

    /// What a client needs to find the house and to know it again.
    pub fn line(&self) -> ServerAddress {
        self.line_at(self.address)
    }

    /// The same with somebody in between.
    pub fn line_at(&self, address: SocketAddr) -> ServerAddress {
        format!("{address}/{}", self.fingerprint).parse().unwrap()
    }

    /// Settings of a new player.
    pub fn newcomer(&self, name: &str) -> Settings {
        Settings::new(self.line(), new_key()).with_handle(handle(name))
    }

    /// A new player who is in.
    pub async fn guest(&self, name: &str) -> Client {
        enter(self.newcomer(name)).await
    }

    /// Lets time pass for all games.
    pub fn pass_ms(&self, ms: u64) {
        self.timeline.advance(ms);
    }

    /// The time that games are played in, in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.timeline.now().0
    }

    /// A game's record as it lies in the store.
    pub async fn journal(&self, game: GameId) -> Vec<Entry> {
        let rows = self.store.game_rows(game).await.unwrap().expect("the game is in the store");
        rows.iter().map(|row| codec::decode(&row.payload).unwrap()).collect()
    }

    /// Where the database lies.
    pub fn database(&self) -> PathBuf {
        self.dir.as_ref().expect("a house in memory has no file").path().join("chatrang.db")
    }

    /// Writes to the database as another program might, which nobody else can do until this is dropped.
    pub fn lock_database(&self) -> rusqlite::Connection {
        let intruder = rusqlite::Connection::open(self.database()).unwrap();
        intruder.execute_batch("BEGIN IMMEDIATE").unwrap();
        intruder
    }
}

impl ClosedHouse {
    /// Opens it again at the same address.
    pub async fn reopen(self) -> House {
        let store = Store::open(self.dir.path(), StoreOptions::default()).unwrap();
        House::start(self.plan, store, Some(self.dir), self.address, self.identity).await
    }
}

/// A client with these settings who is in.
pub async fn enter(settings: Settings) -> Client {
    soon("the welcome", Client::connect(settings)).await.unwrap()
}

/// A key that nobody has seen.
pub fn new_key() -> SecretKey {
    SecretKey::generate().unwrap()
}

/// A player's name.
pub fn handle(name: &str) -> Handle {
    Handle::new(name).unwrap()
}

/// Any port of this machine.
pub fn any_port() -> SocketAddr {
    (std::net::Ipv4Addr::LOCALHOST, 0).into()
}

/// A socket there, as soon as the last house has let go of the address.
async fn socket_at(address: SocketAddr) -> UdpSocket {
    let bound = async {
        loop {
            match UdpSocket::bind(address) {
                Ok(socket) => return socket,
                Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => tokio::task::yield_now().await,
                Err(error) => panic!("{address}: {error}"),
            }
        }
    };
    let socket = soon("the address to be free", bound).await;
    socket.set_nonblocking(true).unwrap();
    socket
}
