//! The whole server: put together from its parts, run until told to stop.

use crate::blocks::Blocks;
use crate::calls::Calls;
use crate::config::Config;
use crate::endpoint;
use crate::game::actor::House;
use crate::game::pondering::Pondering;
use crate::game::registry::{LoadError, Registry};
use crate::gate::GateLimits;
use crate::hall::Hall;
use crate::keys::{KeysError, ServerKeys};
use crate::lobby::{HouseTerms, Lobby};
use crate::metrics::{Metrics, port};
use crate::newcomers::Newcomers;
use crate::pace::{Pace, Rate};
use crate::random::Random;
use crate::report::{Report, Reporter};
use crate::store::{CreateInviteError, Health, RecoverError, RegistrationMode, Store, StoreFailure};
use crate::timeline::Timeline;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::limits;
use chatrang_protocol::net::endpoint::{EndpointError, EndpointKeys, server_endpoint_over, udp_socket};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::role::Role;
use chatrang_rules::game::Millis;
use quinn::{AsyncUdpSocket, Endpoint, Runtime, TokioRuntime};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};

/// How often the server notes that it lives while games are in play.
const HEARTBEAT_MS: u64 = 1_000;

/// How long a server takes to stop at the most.
const LEAVE_TIME: Duration = Duration::from_secs(4);

/// When clients of a stopping server are told to come back, in seconds.
const RETRY_SECONDS: u32 = 2;

/// What a server is made of besides its settings. A simulation brings its own.
#[derive(Debug)]
pub struct Parts {
    /// What is kept.
    pub store: Store,
    /// What time it is.
    pub timeline: Arc<dyn Timeline>,
    /// Lots and codes.
    pub random: Random,
    /// Where packets come and go.
    pub socket: Arc<dyn AsyncUdpSocket>,
    /// Where quinn's timers and tasks run.
    pub runtime: Arc<dyn Runtime>,
    /// Where long questions to the Laws are worked on.
    pub pondering: Pondering,
    /// Who the server is.
    pub identity: SecretKey,
    /// What its endpoint remembers over a restart.
    pub endpoint_keys: EndpointKeys,
}

impl Parts {
    /// The parts of a real server: files in the data directory, a UDP socket, chance.
    ///
    /// # Errors
    /// [`BindError`] when the keys or the socket cannot be had.
    pub fn real(config: &Config, store: Store, timeline: Arc<dyn Timeline>) -> Result<Self, BindError> {
        let keys = ServerKeys::load_or_make(&config.data_dir)?;
        let runtime = Arc::new(TokioRuntime);
        let listen = |source| BindError::Listen { address: config.listen, source };
        let socket = udp_socket(config.listen).map_err(listen)?;
        let socket = runtime.wrap_udp_socket(socket).map_err(listen)?;
        Ok(Self {
            store,
            timeline,
            random: Random::from_system(),
            socket,
            runtime,
            pondering: Pondering::elsewhere(),
            identity: keys.identity,
            endpoint_keys: keys.endpoint,
        })
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Its key files.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// Its address.
    #[error("cannot listen on UDP {address}: {source}; choose another with --listen ADDR:PORT")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The address of its metrics.
    #[error("cannot show metrics on TCP {address}: {source}; choose another port with --metrics ADDR:PORT")]
    Metrics {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// Its endpoint.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Its journal is damaged.
    #[error(transparent)]
    Recover(#[from] RecoverError),
    /// A game of its journal cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Its store cannot be written.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// Its store takes no invitation.
    #[error(transparent)]
    Invite(#[from] CreateInviteError),
}

impl BindError {
    /// Whether the store is at fault.
    pub fn is_store(&self) -> bool {
        matches!(self, Self::Recover(_) | Self::Load(_) | Self::Store(_) | Self::Invite(_))
    }
}

/// Why a server has stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What is on disk is unknown: nothing may be acknowledged any more.
    #[error("the store has failed, so the server stops before it forgets a move: {0}")]
    StoreFailed(String),
}

/// A server on its socket, with its games ready to go on.
#[derive(Debug)]
pub struct Server {
    endpoint: Endpoint,
    gate: GateLimits,
    hall: Hall,
    metrics: Option<TcpListener>,
    fingerprint: Fingerprint,
    invite: Option<(InviteCode, Role)>,
    reporter: Reporter,
}

impl Server {
    /// Binds the socket and takes up the games that a stop has interrupted.
    ///
    /// # Errors
    /// [`BindError`] says what is missing or damaged.
    pub async fn bind(config: &Config, parts: Parts, reporter: Reporter) -> Result<Self, BindError> {
        let Parts { store, timeline, random, socket, runtime, pondering, identity, endpoint_keys } = parts;
        let metrics_port = metrics_port(config.metrics).await?;
        let recovered = store.recover().await?;
        timeline.start_at(recovered.base);
        let stop = CancellationToken::new();
        // The games that are taken up below end again when something after them fails.
        let unless_bound = stop.clone().drop_guard();
        let blocks = Blocks::load(store.clone()).await?;
        let house = House {
            store: store.clone(),
            blocks,
            timeline: Arc::clone(&timeline),
            reporter: reporter.clone(),
            calls: Calls::default(),
            pondering,
            metrics: Metrics::new(reporter.dropped().clone()),
            restart_grace_ms: config.restart_grace.as_millis() as u64,
            stop: stop.clone(),
        };
        let registry = Registry::new(house.clone(), recovered.last_game);
        let unfinished = recovered.unfinished.len();
        registry.resume(recovered.unfinished, recovered.base).await?;
        if unfinished > 0 {
            info!(games = unfinished, "games wait for their players");
        }
        let house_terms = HouseTerms {
            first_move: Millis(config.first_move.as_millis() as u64),
            profile: config.profile,
            arbiters: config.arbiters,
        };
        let lobby = Lobby::new(registry.clone(), &house, random.clone(), house_terms);
        let invite = invitation(config, &store, &random, timeline.unix_ms()).await?;
        let endpoint = server_endpoint_over(socket, runtime, &identity, &endpoint_keys, random.bytes())?;
        let errands = TaskTracker::new();
        unless_bound.disarm();
        let hall = Hall {
            registration: config.registration,
            store,
            lobby,
            registry,
            newcomers: Newcomers::new(config.gate),
            told_of_strangers: Arc::new(Pace::new(Rate::per_second(limits::STRANGERS_LOGGED_PER_SECOND_MAX))),
            timeline,
            errands,
            metrics: house.metrics,
            stop,
        };
        Ok(Self {
            endpoint,
            gate: config.gate,
            hall,
            metrics: metrics_port,
            fingerprint: identity.public_key().fingerprint(),
            invite,
            reporter,
        })
    }

    /// The address it listens on.
    ///
    /// # Errors
    /// The system's, when the socket has none.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.endpoint.local_addr()
    }

    /// Where its metrics can be read, if it shows any.
    ///
    /// # Errors
    /// The system's, when the socket has no address.
    pub fn metrics_address(&self) -> io::Result<Option<SocketAddr>> {
        self.metrics.as_ref().map(TcpListener::local_addr).transpose()
    }

    /// What its players pin.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// A code that lets somebody in: the owner's while there is no owner, then a player's; none when
    /// registration is closed.
    pub fn invite(&self) -> Option<InviteCode> {
        self.invite.map(|(code, _)| code)
    }

    /// What that code makes of whoever comes with it.
    pub fn invites_as(&self) -> Option<Role> {
        self.invite.map(|(_, role)| role)
    }

    /// The games in play.
    pub fn registry(&self) -> &Registry {
        &self.hall.registry
    }

    /// Serves until `shutdown` completes, then tells everyone, lets each game write its last event,
    /// and leaves. The store is closed when this returns.
    ///
    /// # Errors
    /// [`RunError`] when the store fails: then nothing more is acknowledged, and the process must end.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), RunError> {
        let Self { endpoint, gate, hall, metrics, reporter, .. } = self;
        let sessions = TaskTracker::new();
        if let Some(listener) = metrics {
            sessions.spawn(port::serve(listener, hall.clone(), endpoint.local_addr().ok()));
        }
        sessions.spawn(endpoint::accept(hall.clone(), endpoint.clone(), sessions.clone(), gate));
        let outcome = tokio::select! {
            biased;
            () = shutdown => Ok(()),
            failure = watch_store(&hall, &reporter) => Err(failure),
            () = beat(&hall) => Ok(()),
        };
        if let Err(failure) = &outcome {
            error!(%failure, "stopping at once");
        }
        reporter.report(&Report::Stopping);
        leave(endpoint, hall, sessions).await;
        outcome
    }
}

/// The socket for the metrics, where they are wanted.
async fn metrics_port(address: Option<SocketAddr>) -> Result<Option<TcpListener>, BindError> {
    let Some(address) = address else { return Ok(None) };
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(source) => Err(BindError::Metrics { address, source }),
    }
}

/// The invitation that the server shows at its start.
async fn invitation(
    config: &Config,
    store: &Store,
    random: &Random,
    now_unix_ms: u64,
) -> Result<Option<(InviteCode, Role)>, BindError> {
    if let Some(owner) = store.owner_invite(InviteCode::from_random(random.bytes())).await? {
        return Ok(Some((owner, Role::Owner)));
    }
    if config.registration == RegistrationMode::Closed {
        return Ok(None);
    }
    let fresh = InviteCode::from_random(random.bytes());
    store.house_invite(fresh, now_unix_ms).await?;
    Ok(Some((fresh, Role::Player)))
}

/// Stops all clocks while the store is full, and returns when it has failed for good.
async fn watch_store(hall: &Hall, reporter: &Reporter) -> RunError {
    let mut health = hall.store.health();
    let mut full = false;
    loop {
        let present = health.borrow_and_update().clone();
        match present {
            Health::Healthy if full => {
                full = false;
                hall.timeline.thaw();
                hall.lobby.tell_all(&Notice::StoreRecovered);
                reporter.report(&Report::Resumed);
                info!("the store has room again: play goes on");
            }
            Health::Healthy => {}
            Health::Full if full => {}
            Health::Full => {
                full = true;
                hall.timeline.freeze();
                hall.lobby.tell_all(&Notice::StoreFull);
                reporter.report(&Report::Paused { reason: "the store is full" });
                error!("the store is full: all clocks stand still until it has room; make room on its disk");
            }
            Health::Failed(why) => return RunError::StoreFailed(why),
        }
        if health.changed().await.is_err() {
            return RunError::StoreFailed("its writer has ended".to_owned());
        }
    }
}

/// Notes once a second that the server lives, as long as any game is in play. Never returns.
async fn beat(hall: &Hall) {
    loop {
        let now = hall.timeline.now();
        if hall.registry.count() > 0 {
            hall.store.heartbeat(now);
        }
        hall.timeline.sleep_until(now.plus_ms(HEARTBEAT_MS)).await;
    }
}

/// Leaves in order, and in [`LEAVE_TIME`] at the latest: what has not been acknowledged by then is
/// not, and nothing else is at stake.
async fn leave(endpoint: Endpoint, hall: Hall, sessions: TaskTracker) {
    if tokio::time::timeout(LEAVE_TIME, take_leave(&endpoint, &hall, &sessions)).await.is_err() {
        warn!("some clients have not taken leave, or the store is slow");
    }
}

/// Tells everyone, lets the games write what they have accepted, and closes store and endpoint.
async fn take_leave(endpoint: &Endpoint, hall: &Hall, sessions: &TaskTracker) {
    hall.lobby.tell_all(&Notice::ServerStopping { retry_seconds: RETRY_SECONDS });
    hall.stop.cancel();
    hall.errands.close();
    hall.errands.wait().await;
    hall.registry.drained().await;
    hall.store.heartbeat(hall.timeline.now());
    hall.store.close().await;
    let code = CloseCode::ServerStopping;
    endpoint.close(code.into(), code.to_string().as_bytes());
    sessions.close();
    sessions.wait().await;
    endpoint.wait_idle().await;
}
