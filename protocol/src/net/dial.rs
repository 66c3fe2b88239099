//! A client's endpoint: dialling a server and making sure that it is the right one.

use crate::key::{Fingerprint, SecretKey};
use crate::net::endpoint::{client_config, udp_socket};
use crate::net::tls::{Pin, TlsError, client_tls};
use quinn::{Connection, ConnectionError, Endpoint, EndpointConfig, TokenMemoryCache, TokioRuntime};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// QUIC wants a name and nobody reads it: a server is known by its key.
const SERVER_NAME: &str = "chatrang";

/// TLS's alert `no_application_protocol` (RFC 7301).
const NO_APPLICATION_PROTOCOL: u8 = 120;

/// A socket to dial from, and the key to show.
pub struct ClientEndpoint {
    endpoint: Endpoint,
    key: SecretKey,
    /// What a server gave to skip its Retry with the next time.
    tokens: Arc<TokenMemoryCache>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// Another key answered than the pinned one: another server, or somebody in between.
    #[error("the server's key has changed: expected {pinned}, found {presented}")]
    ServerKeyChanged {
        /// The key that was expected.
        pinned: Fingerprint,
        /// The key that answered, without yet having proved that it is its own.
        presented: Fingerprint,
    },
    /// Something that speaks QUIC answered, but not this protocol or not this version of it.
    #[error("the server does not speak this version of the protocol")]
    OtherProtocol,
    /// Our own key or settings cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The address cannot be dialled from this socket.
    #[error("the address cannot be dialled: {0}")]
    Address(#[from] quinn::ConnectError),
    /// Nobody answered, or the handshake failed.
    #[error("no connection: {0}")]
    Failed(ConnectionError),
}

impl ClientEndpoint {
    /// A socket of the target's family, IPv4 or IPv6, in the current tokio runtime.
    ///
    /// # Errors
    /// The system's, when it gives no socket.
    pub fn bind(target: SocketAddr, key: SecretKey) -> io::Result<Self> {
        let any: SocketAddr = match target {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let endpoint =
            Endpoint::new(EndpointConfig::default(), None, udp_socket(any)?, Arc::new(TokioRuntime))?;
        Ok(Self::over(endpoint, key))
    }

    /// Dials from an endpoint made elsewhere, which a simulated network brings.
    pub fn over(endpoint: Endpoint, key: SecretKey) -> Self {
        Self { endpoint, key, tokens: Arc::default() }
    }

    /// Connects to the server that has the pinned key.
    ///
    /// The caller is not in yet: in TLS 1.3 a server that refuses the client does so after this
    /// returns, so only its first answer means that it did not. With [`Pin::Learn`], the caller first
    /// reads the server's key by [`peer_key`](crate::net::tls::peer_key) and decides.
    ///
    /// # Errors
    /// [`DialError`] says whose fault it was.
    pub async fn connect(&self, address: SocketAddr, pin: Pin) -> Result<Connection, DialError> {
        // One configuration for each handshake, so that two at once cannot mix up their refused keys.
        let tls = client_tls(&self.key, pin)?;
        let mut config = client_config(&tls);
        config.token_store(Arc::<TokenMemoryCache>::clone(&self.tokens));
        let connecting = self.endpoint.connect_with(config, address, SERVER_NAME)?;
        connecting.await.map_err(|error| match (pin, tls.refused()) {
            (Pin::Fingerprint(pinned), Some(presented)) => DialError::ServerKeyChanged { pinned, presented },
            _ if is_other_protocol(&error) => DialError::OtherProtocol,
            _ => DialError::Failed(error),
        })
    }

    /// quinn's endpoint: to move it to another socket, or to wait until its farewells are sent.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

impl fmt::Debug for ClientEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientEndpoint").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Either side may be the one to notice.
fn is_other_protocol(error: &ConnectionError) -> bool {
    let alert = quinn::TransportErrorCode::crypto(NO_APPLICATION_PROTOCOL);
    match error {
        ConnectionError::TransportError(error) => error.code == alert,
        ConnectionError::ConnectionClosed(close) => close.error_code == alert,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::endpoint::server_endpoint;
    use crate::net::loopback::{KEYS, Loopback};
    use crate::net::tls::peer_key;

    #[tokio::test]
    async fn both_sides_see_the_key_that_the_other_holds() {
        let net = Loopback::new();
        let (client, server) = net.connect().await;
        assert_eq!(peer_key(&client), Some(net.server_key.public_key()));
        assert_eq!(peer_key(&server), Some(net.client_key.public_key()));
    }

    #[tokio::test]
    async fn who_learns_a_key_reads_it_from_the_connection() {
        let net = Loopback::new();
        let (client, server) = tokio::join!(net.client.connect(net.address(), Pin::Learn), net.accept());
        assert_eq!(peer_key(&client.unwrap()), Some(net.server_key.public_key()));
        assert!(server.is_ok());
    }

    #[tokio::test]
    async fn a_changed_server_key_is_refused_with_both_fingerprints() {
        let net = Loopback::new();
        let old = SecretKey::generate().unwrap().public_key().fingerprint();
        let (client, server) =
            tokio::join!(net.client.connect(net.address(), Pin::Fingerprint(old)), net.accept());
        let new = net.server_key.public_key().fingerprint();
        let error = client.unwrap_err();
        assert!(
            matches!(error, DialError::ServerKeyChanged { pinned, presented } if (pinned, presented) == (old, new))
        );
        assert!(error.to_string().contains(&old.to_string()) && error.to_string().contains(&new.to_string()));
        assert!(matches!(server, Err(ConnectionError::ConnectionClosed(_))), "{server:?}");
    }

    #[tokio::test]
    async fn a_refused_key_is_not_remembered_for_the_next_connection() {
        let net = Loopback::new();
        let old = Pin::Fingerprint(net.client_key.public_key().fingerprint());
        let (client, _) = tokio::join!(net.client.connect(net.address(), old), net.accept());
        assert!(client.is_err());
        net.connect().await;
    }

    #[tokio::test]
    async fn ipv6_is_dialled_from_an_ipv6_socket() {
        // Some machines have no IPv6 at all: there is nothing to be tested on them.
        let Ok(socket) = udp_socket((Ipv6Addr::LOCALHOST, 0).into()) else { return };
        let server_key = SecretKey::generate().unwrap();
        let server = server_endpoint(socket, &server_key, &KEYS).unwrap();
        let address = server.local_addr().unwrap();
        let client = ClientEndpoint::bind(address, SecretKey::generate().unwrap()).unwrap();
        let accept = async { server.accept().await.unwrap().await };
        let (client, server) = tokio::join!(client.connect(address, Pin::Learn), accept);
        assert_eq!(peer_key(&client.unwrap()), Some(server_key.public_key()));
        assert!(server.is_ok());
    }

    #[tokio::test]
    async fn an_address_that_cannot_be_dialled_is_told_from_a_silent_one() {
        let net = Loopback::new();
        let nowhere = (Ipv4Addr::LOCALHOST, 0).into();
        let error = net.client.connect(nowhere, Pin::Learn).await.unwrap_err();
        assert!(matches!(error, DialError::Address(_)), "{error:?}");
    }
}
