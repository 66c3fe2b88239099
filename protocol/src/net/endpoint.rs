//! quinn's settings on both sides, and the server's endpoint.
//!
//! quinn's own defaults suit friends who move files: one client could pin 128 MiB of the server's
//! memory. Here the same client gets 0.1 MiB.

use crate::key::SecretKey;
use crate::limits;
use crate::net::tls::{ClientTls, TlsError, server_tls};
use quinn::{
    AsyncUdpSocket, Endpoint, EndpointConfig, IdleTimeout, Runtime, TokioRuntime, TransportConfig, VarInt,
};
use quinn_proto::HashedConnectionIdGenerator;
use ring::{hkdf, hmac};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::fmt;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

/// Assumed before the first packet has come back; quinn's 333 ms makes a lost first packet costly.
const INITIAL_RTT: Duration = Duration::from_millis(100);

/// Asked of the system, which may give less: its default of 208 KiB overflows in a burst.
const UDP_BUFFER_BYTES: usize = 4 * 1024 * 1024;

const IDLE_MS: u32 = limits::IDLE_SECONDS_MAX as u32 * 1_000;

// A quiet client that is still there is heard even if two packets in a row are lost.
const _: () = assert!(3 * limits::KEEP_ALIVE_SECONDS < limits::IDLE_SECONDS_MAX);

/// What a server keeps on disk, beside its identity, so that its clients need not wait out a restart.
///
/// With the first two, a client hears at its next packet that the server has forgotten it; without
/// them it would wait for its idle limit. With the third, it may skip a Retry that was asked before.
#[derive(Clone)]
pub struct EndpointKeys {
    /// Signs stateless resets.
    pub reset_key: [u8; 64],
    /// Tells the server's own connection ids from others'.
    pub connection_id_key: u64,
    /// Seals address tokens.
    pub token_key: [u8; 64],
}

/// Shows nothing of them.
impl fmt::Debug for EndpointKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EndpointKeys(..)")
    }
}

/// Why a server does not listen.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// Its identity cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Its socket cannot be used.
    #[error("the UDP socket cannot be used: {0}")]
    Socket(#[from] io::Error),
}

/// A server on a bound socket, in the current tokio runtime.
///
/// One socket is all it may have: with two, half of the clients that change their address would
/// reach the wrong one.
///
/// # Errors
/// [`EndpointError`] when the identity or the socket cannot be used.
pub fn server_endpoint(
    socket: UdpSocket,
    identity: &SecretKey,
    keys: &EndpointKeys,
) -> Result<Endpoint, EndpointError> {
    let runtime = Arc::new(TokioRuntime);
    let socket = runtime.wrap_udp_socket(prepared(socket)?)?;
    server_endpoint_over(socket, runtime, identity, keys, rand::random())
}

/// A server on any socket and in any runtime, which a simulated network brings. `seed`, which nobody may
/// foresee outside a simulation, is all of its chance but for that of keys and connection ids.
///
/// # Errors
/// As [`server_endpoint`].
pub fn server_endpoint_over(
    socket: Arc<dyn AsyncUdpSocket>,
    runtime: Arc<dyn Runtime>,
    identity: &SecretKey,
    keys: &EndpointKeys,
    seed: [u8; 32],
) -> Result<Endpoint, EndpointError> {
    let config = server_config(identity, keys)?;
    let mut endpoint = endpoint_config(keys);
    endpoint.rng_seed(Some(seed));
    Ok(Endpoint::new_with_abstract_socket(endpoint, Some(config), socket, runtime)?)
}

/// A UDP socket with large buffers; `[::]` takes IPv4 too.
///
/// # Errors
/// The system's, when the address is taken or is not this machine's.
pub fn udp_socket(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, Some(Protocol::UDP))?;
    if address.is_ipv6() {
        socket.set_only_v6(false)?;
    }
    socket.bind(&address.into())?;
    prepared(socket.into())
}

/// Large buffers are a wish, so a refusal is no error.
fn prepared(socket: UdpSocket) -> io::Result<UdpSocket> {
    let options = SockRef::from(&socket);
    let _ = options.set_recv_buffer_size(UDP_BUFFER_BYTES);
    let _ = options.set_send_buffer_size(UDP_BUFFER_BYTES);
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// What a server's endpoint keeps over a restart.
pub fn endpoint_config(keys: &EndpointKeys) -> EndpointConfig {
    let mut config = EndpointConfig::new(Arc::new(hmac::Key::new(hmac::HMAC_SHA256, &keys.reset_key)));
    let key = keys.connection_id_key;
    config.cid_generator(move || Box::new(HashedConnectionIdGenerator::from_key(key)));
    // quinn's 20 ms between two resets would leave a quarter of 200 clients to their idle limit.
    config.min_reset_interval(Duration::ZERO);
    config
}

/// How a server meets each connection.
///
/// # Errors
/// [`TlsError`] when the identity cannot be used.
pub fn server_config(identity: &SecretKey, keys: &EndpointKeys) -> Result<quinn::ServerConfig, TlsError> {
    let token_key = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(&keys.token_key);
    let mut config = quinn::ServerConfig::new(server_tls(identity)?, Arc::new(token_key));
    config
        .transport_config(Arc::new(server_transport()))
        .migration(true)
        .max_incoming(limits::INCOMING_MAX)
        .incoming_buffer_size(limits::INCOMING_BYTES_MAX)
        .incoming_buffer_size_total(limits::INCOMING_TOTAL_BYTES_MAX);
    Ok(config)
}

/// How a client meets a server.
pub fn client_config(tls: &ClientTls) -> quinn::ClientConfig {
    let mut config =
        quinn::ClientConfig::new(Arc::<quinn::crypto::rustls::QuicClientConfig>::clone(&tls.config));
    config.transport_config(Arc::new(client_transport()));
    config
}

/// Small windows: they bound what one client can make the server hold. A snapshot, longer than the
/// send window, flows through it.
fn server_transport() -> TransportConfig {
    let mut transport = common_transport();
    transport
        .max_concurrent_bidi_streams(limits::STREAMS_MAX.into())
        .stream_receive_window(limits::SERVER_STREAM_WINDOW_BYTES.into())
        .receive_window(limits::SERVER_RECEIVE_WINDOW_BYTES.into())
        .send_window(limits::SERVER_SEND_WINDOW_BYTES);
    transport
}

/// Only clients open streams, and only clients keep a quiet connection alive.
fn client_transport() -> TransportConfig {
    let mut transport = common_transport();
    transport
        .max_concurrent_bidi_streams(VarInt::from_u32(0))
        .stream_receive_window(limits::CLIENT_STREAM_WINDOW_BYTES.into())
        .receive_window(limits::CLIENT_RECEIVE_WINDOW_BYTES.into())
        .send_window(limits::CLIENT_SEND_WINDOW_BYTES)
        .keep_alive_interval(Some(Duration::from_secs(limits::KEEP_ALIVE_SECONDS)));
    transport
}

/// Messages are small, so a search for larger packets would only cost probes and memory.
fn common_transport() -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(IDLE_MS))))
        .initial_rtt(INITIAL_RTT)
        .mtu_discovery_config(None)
        .datagram_receive_buffer_size(Some(limits::NUDGE_BUFFER_BYTES))
        .datagram_send_buffer_size(limits::NUDGE_BUFFER_BYTES);
    transport
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dial::ClientEndpoint;
    use crate::net::loopback::{KEYS, Loopback, any_port};
    use crate::net::tls::Pin;
    use bytes::Bytes;
    use quinn::{Connection, ConnectionError};
    use std::future::{Future, ready};
    use std::thread::JoinHandle;
    use tokio::sync::oneshot;

    /// Whether `future` is done when it is looked at once.
    async fn is_ready(future: impl Future) -> bool {
        tokio::select! {
            biased;
            _ = future => true,
            () = ready(()) => false,
        }
    }

    #[tokio::test]
    async fn a_client_may_open_so_many_streams_and_no_more() {
        let (client, _server) = Loopback::new().connect().await;
        for stream in 0..limits::STREAMS_MAX {
            assert!(is_ready(client.open_bi()).await, "{stream}");
        }
        assert!(!is_ready(client.open_bi()).await);
        assert!(!is_ready(client.open_uni()).await);
    }

    #[tokio::test]
    async fn a_server_opens_no_streams() {
        let (_client, server) = Loopback::new().connect().await;
        assert!(!is_ready(server.open_bi()).await);
        assert!(!is_ready(server.open_uni()).await);
    }

    #[tokio::test]
    async fn a_stream_that_nobody_reads_holds_its_window_and_no_more() {
        let (client, _server) = Loopback::new().connect().await;
        let (mut send, _receive) = client.open_bi().await.unwrap();
        let flood = vec![0; 1 << 20];
        let mut sent = 0;
        while sent < limits::SERVER_STREAM_WINDOW_BYTES as usize {
            sent += send.write(&flood).await.unwrap();
        }
        assert_eq!(sent, limits::SERVER_STREAM_WINDOW_BYTES as usize);
        assert!(!is_ready(send.write(&flood)).await);
    }

    #[tokio::test]
    async fn nudges_cross_both_ways() {
        let (client, server) = Loopback::new().connect().await;
        for (from, to) in [(&client, &server), (&server, &client)] {
            from.send_datagram(Bytes::from_static(&[0; limits::NUDGE_BYTES])).unwrap();
            assert_eq!(to.read_datagram().await.unwrap().len(), limits::NUDGE_BYTES);
        }
    }

    #[test]
    fn endpoint_keys_are_never_shown() {
        assert_eq!(format!("{KEYS:?}"), "EndpointKeys(..)");
    }

    /// A server whose process can be killed: a thread with a runtime of its own, which ends without
    /// another packet.
    fn mortal_server(socket: UdpSocket, identity: SecretKey) -> (oneshot::Sender<()>, JoinHandle<()>) {
        let (kill, killed) = oneshot::channel();
        let life = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let held: (Endpoint, Connection) = runtime.block_on(async {
                let endpoint = server_endpoint(socket, &identity, &KEYS).unwrap();
                let connection = endpoint.accept().await.unwrap().await.unwrap();
                let _ = killed.await;
                (endpoint, connection)
            });
            drop(runtime);
            drop(held);
        });
        (kill, life)
    }

    #[tokio::test]
    async fn a_client_hears_at_its_next_packet_that_the_server_was_restarted() {
        let socket = udp_socket(any_port()).unwrap();
        let address = socket.local_addr().unwrap();
        let identity = SecretKey::generate().unwrap();
        let (kill, life) = mortal_server(socket.try_clone().unwrap(), identity.clone());
        let client = ClientEndpoint::bind(address, SecretKey::generate().unwrap()).unwrap();
        let connection = client.connect(address, Pin::Learn).await.unwrap();
        kill.send(()).unwrap();
        life.join().unwrap();

        let _second_life = server_endpoint(socket, &identity, &KEYS).unwrap();
        connection.send_datagram(Bytes::from_static(&[0; limits::NUDGE_BYTES])).unwrap();
        assert_eq!(connection.closed().await, ConnectionError::Reset);
    }
}
