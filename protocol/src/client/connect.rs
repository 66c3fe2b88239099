//! Getting in: looking the server up, dialling it, checking its key, saying hello.

use crate::client::chance::Chance;
use crate::client::settings::Settings;
use crate::client_frame::ClientFrame;
use crate::close::{CloseCode, UnknownCloseCode};
use crate::codec::{self, Text};
use crate::hello::{Denial, Hello, HelloReply, Welcome};
use crate::invite::{Host, HostPort};
use crate::key::Fingerprint;
use crate::limits;
use crate::net::dial::{ClientEndpoint, DialError};
use crate::net::stream::{FrameReceiver, FrameSender, ReceiveError, encode_frame};
use crate::net::tls::{Pin, peer_key};
use crate::version;
use quinn::{Connection, ConnectionError, ReadError, TransportErrorCode};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// How long one address may take to answer.
const DIAL_SECONDS_MAX: u64 = 10;

/// How much later than the one before it each further address is tried.
const DIAL_STAGGER: Duration = Duration::from_millis(300);

/// Addresses taken of one host name.
const ADDRESSES_PER_NAME_MAX: usize = 4;

/// A server that has answered and has proved its key, and to which nothing has been said yet.
///
/// For trust on first use: with [`Pin::Learn`], compare or show the [fingerprint](Knock::fingerprint),
/// and [enter](Knock::enter) only when it is the right one.
#[derive(Debug)]
pub struct Knock {
    route: Route,
    dialed: Dialed,
    fingerprint: Fingerprint,
}

/// Why a client is not in, or not any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The host's name has no address.
    #[error("no address was found for {host} ({why}): check its spelling and your network")]
    UnknownHost {
        /// The name.
        host: String,
        /// What the system said.
        why: String,
    },
    /// Nobody answered, or the answers stopped coming.
    #[error(
        "no answer from {address} ({why}): check that the server runs there and that UDP is not blocked on the way, as some company and hotel networks do"
    )]
    Unreachable {
        /// Who was called.
        address: SocketAddr,
        /// What became of the attempt.
        why: String,
    },
    /// Another key answered than the pinned one.
    #[error(
        "the server's key has changed from {pinned} to {presented}: ask its operator, by another way than this one, whether that is right, and connect with the new invite line only then"
    )]
    ServerKeyChanged {
        /// The key that was expected.
        pinned: Fingerprint,
        /// The key that answered.
        presented: Fingerprint,
    },
    /// The server speaks another protocol, or a version of this one that cannot be understood.
    #[error(
        "the server does not speak this program's protocol: update chatrang, or ask its operator to update chatrangd"
    )]
    OtherProtocol,
    /// The server does not let the client in.
    #[error(transparent)]
    Denied(#[from] Denial),
    /// The server closed the connection.
    #[error("the server closed the connection: {0}")]
    Closed(CloseCode),
    /// The server closed the connection for a reason of a later version.
    #[error("the server closed the connection: {0}; update chatrang to learn what it means")]
    ClosedUnknown(#[from] UnknownCloseCode),
    /// The server said something that makes no sense.
    #[error(
        "the server said something that this program cannot read ({0}): update chatrang, or tell its operator"
    )]
    Unreadable(String),
    /// The system gives no socket.
    #[error("this machine gives no UDP socket ({0}): check its network settings and its limits")]
    NoSocket(String),
    /// The own key or settings cannot be used.
    #[error("{0}: choose another key")]
    BadKey(String),
}

impl ConnectError {
    /// Whether trying again is of no use before somebody has done something.
    pub fn is_final(&self) -> bool {
        match self {
            Self::UnknownHost { .. } | Self::Unreachable { .. } | Self::NoSocket(_) => false,
            Self::Denied(denial) => !may_pass(denial),
            Self::Closed(code) => !code.invites_return(),
            Self::ServerKeyChanged { .. }
            | Self::OtherProtocol
            | Self::ClosedUnknown(_)
            | Self::Unreadable(_)
            | Self::BadKey(_) => true,
        }
    }

    /// What the loss of a connection to `address` means.
    pub(super) fn lost(address: SocketAddr, error: &ConnectionError) -> Self {
        match (CloseCode::of(error), error) {
            (Some(Ok(code)), _) => Self::Closed(code),
            (Some(Err(unknown)), _) => Self::ClosedUnknown(unknown),
            (None, ConnectionError::VersionMismatch) => Self::OtherProtocol,
            (None, ConnectionError::ConnectionClosed(close))
                if close.error_code == TransportErrorCode::CONNECTION_REFUSED =>
            {
                Self::Closed(CloseCode::Full)
            }
            // A peer's own words may be among these: nothing of them may steer a terminal.
            (None, error) => {
                let why = error.to_string().chars().filter(|character| !character.is_control()).collect();
                Self::Unreachable { address, why }
            }
        }
    }

    /// What the end of a stream, or of the connection under it, means.
    pub(super) fn stream_ended(connection: &Connection, error: &ReceiveError) -> Self {
        match error {
            ReceiveError::Gone(ReadError::ConnectionLost(lost)) => {
                Self::lost(connection.remote_address(), lost)
            }
            ReceiveError::Gone(ReadError::Reset(code)) => match CloseCode::try_from(code.into_inner()) {
                Ok(code) => Self::Closed(code),
                Err(unknown) => Self::ClosedUnknown(unknown),
            },
            // A long frame on a bad road is the network's fault.
            ReceiveError::TooSlow => {
                Self::Unreachable { address: connection.remote_address(), why: error.to_string() }
            }
            other => Self::Unreadable(other.to_string()),
        }
    }

    /// Whether somebody answered, which says more about a server with several addresses.
    fn is_answer(&self) -> bool {
        !matches!(self, Self::UnknownHost { .. } | Self::Unreachable { .. } | Self::NoSocket(_))
    }
}

impl Knock {
    /// Dials the server; with several addresses each in turn, until one answers.
    ///
    /// # Errors
    /// [`ConnectError`]; [`ConnectError::ServerKeyChanged`] when the key is not the pinned one.
    pub async fn new(settings: Settings) -> Result<Self, ConnectError> {
        Self::through(Route { settings, network: Network::System }).await
    }

    /// Dials `address` from an endpoint made elsewhere, which a simulated network brings, and comes
    /// back the same way whenever the connection is lost.
    ///
    /// # Errors
    /// As [`Knock::new`].
    pub async fn over(
        settings: Settings,
        endpoint: quinn::Endpoint,
        address: SocketAddr,
    ) -> Result<Self, ConnectError> {
        Self::through(Route { settings, network: Network::Given { endpoint, address } }).await
    }

    /// The key that the server has proved to hold.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Says hello to the key that has answered and to no other.
    pub(super) async fn say_hello(self) -> Result<(Entered, Route), ConnectError> {
        let Self { mut route, dialed, fingerprint } = self;
        route.settings.pin = Pin::Fingerprint(fingerprint);
        let entered = if dialed.connection.close_reason().is_some() {
            route.enter().await?
        } else {
            match route.hello(dialed).await {
                // The server had given up on us just now.
                Err(ConnectError::Closed(CloseCode::HelloTimeout)) => route.enter().await?,
                entered => entered?,
            }
        };
        Ok((entered, route))
    }

    async fn through(route: Route) -> Result<Self, ConnectError> {
        let dialed = route.dial().await?;
        let key = peer_key(&dialed.connection)
            .ok_or_else(|| ConnectError::Unreadable("it showed no key".to_owned()))?;
        Ok(Self { route, dialed, fingerprint: key.fingerprint() })
    }
}

/// The way to the server, to be gone as often as needed.
#[derive(Clone, Debug)]
pub(super) struct Route {
    settings: Settings,
    network: Network,
}

/// Where sockets come from.
#[derive(Clone, Debug)]
enum Network {
    /// A new one of the system's for each attempt: the old one may belong to a network that is gone.
    System,
    /// This one.
    Given { endpoint: quinn::Endpoint, address: SocketAddr },
}

/// A connection on which nothing has been said.
#[derive(Debug)]
struct Dialed {
    endpoint: ClientEndpoint,
    connection: Connection,
}

/// A connection on which the client has been welcomed.
#[derive(Debug)]
pub(super) struct Entered {
    pub(super) endpoint: ClientEndpoint,
    pub(super) connection: Connection,
    pub(super) sender: FrameSender,
    pub(super) receiver: FrameReceiver,
    pub(super) welcome: Welcome,
}

impl Route {
    /// Where random numbers come from on this way.
    pub(super) fn chance(&self) -> &Chance {
        &self.settings.chance
    }

    /// Dials and says hello.
    pub(super) async fn enter(&self) -> Result<Entered, ConnectError> {
        self.hello(self.dial().await?).await
    }

    /// The first address that answers with the right key.
    async fn dial(&self) -> Result<Dialed, ConnectError> {
        let (targets, mut failure) = self.targets().await;
        let mut dials = JoinSet::new();
        let mut delay = Duration::ZERO;
        for target in targets {
            let route = self.clone();
            dials.spawn(async move {
                sleep(delay).await;
                route.dial_one(target).await
            });
            delay += DIAL_STAGGER;
        }
        while let Some(dialed) = dials.join_next().await {
            let error = match dialed {
                Ok(Ok(dialed)) => return Ok(dialed),
                Ok(Err(error)) => error,
                Err(stopped) => ConnectError::NoSocket(stopped.to_string()),
            };
            if !failure.as_ref().is_some_and(ConnectError::is_answer) {
                failure = Some(error);
            }
        }
        Err(failure.unwrap_or_else(|| ConnectError::NoSocket("no address to dial".to_owned())))
    }

    /// Where to dial, in order, and why some names gave no address.
    async fn targets(&self) -> (Vec<SocketAddr>, Option<ConnectError>) {
        if let Network::Given { address, .. } = self.network {
            return (vec![address], None);
        }
        let (mut targets, mut failure) = (Vec::new(), None);
        for place in self.settings.server.addresses() {
            match look_up(place).await {
                Ok(found) => targets.extend(found),
                Err(error) => failure = Some(error),
            }
        }
        (targets, failure)
    }

    async fn dial_one(&self, address: SocketAddr) -> Result<Dialed, ConnectError> {
        let endpoint = self.endpoint(address)?;
        let unreachable = |why: String| ConnectError::Unreachable { address, why };
        let dial = endpoint.connect(address, self.settings.pin);
        let dialed = timeout(Duration::from_secs(DIAL_SECONDS_MAX), dial).await;
        let connection = dialed
            .map_err(|_| unreachable(format!("nothing within {DIAL_SECONDS_MAX} s")))?
            .map_err(|error| match error {
                DialError::ServerKeyChanged { pinned, presented } => {
                    ConnectError::ServerKeyChanged { pinned, presented }
                }
                DialError::OtherProtocol => ConnectError::OtherProtocol,
                DialError::Tls(error) => ConnectError::BadKey(error.to_string()),
                DialError::Address(error) => unreachable(error.to_string()),
                DialError::Failed(error) => ConnectError::lost(address, &error),
            })?;
        Ok(Dialed { endpoint, connection })
    }

    fn endpoint(&self, address: SocketAddr) -> Result<ClientEndpoint, ConnectError> {
        let key = (*self.settings.key).clone();
        match &self.network {
            Network::System => {
                ClientEndpoint::bind(address, key).map_err(|error| ConnectError::NoSocket(error.to_string()))
            }
            Network::Given { endpoint, .. } => Ok(ClientEndpoint::over(endpoint.clone(), key)),
        }
    }

    async fn hello(&self, dialed: Dialed) -> Result<Entered, ConnectError> {
        let Dialed { endpoint, connection } = dialed;
        let lost = |error| ConnectError::lost(connection.remote_address(), &error);
        let (sender, receiver) = connection.open_bi().await.map_err(lost)?;
        let mut sender = FrameSender::new(sender);
        let mut receiver = FrameReceiver::new(receiver, limits::SERVER_FRAME_BYTES_MAX);
        let hello = encode_frame(&ClientFrame::from(self.hello_message()), limits::CLIENT_FRAME_BYTES_MAX)
            .map_err(|error| ConnectError::Unreadable(error.to_string()))?;
        // Should this fail, what is received next says why.
        let _ = sender.send(hello).await;
        match hello_reply(&connection, &mut receiver).await? {
            HelloReply::Welcome(welcome) => Ok(Entered { endpoint, connection, sender, receiver, welcome }),
            HelloReply::Denied(denial) => {
                connection.close(CloseCode::Done.into(), b"");
                Err(denial.into())
            }
        }
    }

    fn hello_message(&self) -> Hello {
        Hello {
            minor: version::MINOR,
            minor_min: version::MINOR_MIN,
            features: 0,
            agent: Text::cut(&self.settings.agent),
            handle: self.settings.handle.clone(),
            invite: self.settings.invite,
        }
    }
}

/// Whether a denial is about the server's present state and not about the client.
fn may_pass(denial: &Denial) -> bool {
    match denial {
        // The server may still count a connection that is lost.
        Denial::TooManyConnections
        | Denial::ServerFull
        | Denial::ServerStopping
        | Denial::StoreUnavailable => true,
        Denial::ClientTooOld { .. }
        | Denial::ServerTooOld { .. }
        | Denial::InviteNeeded
        | Denial::InviteUnknown
        | Denial::InviteExpired
        | Denial::InviteUsedUp
        | Denial::HandleNeeded
        | Denial::HandleTaken { .. }
        | Denial::HandleResembles { .. }
        | Denial::HandleReserved
        // Only a stranger hears it, and a person decides whether he waits so long.
        | Denial::TooManyNewcomers { .. }
        | Denial::RegistrationClosed => false,
    }
}

async fn look_up(place: &HostPort) -> Result<Vec<SocketAddr>, ConnectError> {
    let name = match place.host() {
        Host::Ip(ip) => return Ok(vec![(*ip, place.port()).into()]),
        Host::Name(name) => name.as_str(),
    };
    let unknown = |why| ConnectError::UnknownHost { host: name.to_owned(), why };
    let found = tokio::net::lookup_host((name, place.port())).await;
    let found: Vec<_> =
        found.map_err(|error| unknown(error.to_string()))?.take(ADDRESSES_PER_NAME_MAX).collect();
    if found.is_empty() { Err(unknown("the name has none".to_owned())) } else { Ok(found) }
}

async fn hello_reply(
    connection: &Connection,
    receiver: &mut FrameReceiver,
) -> Result<HelloReply, ConnectError> {
    let Ok(received) = timeout(Duration::from_secs(limits::HELLO_SECONDS_MAX), receiver.next()).await else {
        let why = format!("it did not answer the hello within {} s", limits::HELLO_SECONDS_MAX);
        return Err(ConnectError::Unreachable { address: connection.remote_address(), why });
    };
    match received {
        Ok(Some(message)) => {
            codec::decode(&message).map_err(|error| ConnectError::Unreadable(error.to_string()))
        }
        Ok(None) => Err(ConnectError::Unreadable("it ended the conversation at the hello".to_owned())),
        Err(error) => Err(ConnectError::stream_ended(connection, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameError;
    use crate::net::loopback::Loopback;

    #[tokio::test]
    async fn who_is_held_up_by_a_bad_network_comes_back_and_who_is_not_understood_does_not() {
        let (connection, _server) = Loopback::new().connect().await;
        assert!(!ConnectError::stream_ended(&connection, &ReceiveError::TooSlow).is_final());
        assert!(ConnectError::stream_ended(&connection, &FrameError::Empty.into()).is_final());
    }
}
