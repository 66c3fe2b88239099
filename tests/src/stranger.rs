//! Clients that show something else than a key of their own, or send packets that no client sends.

use crate::house::{House, any_port, new_key};
use crate::other_protocol::{AnyServer, provider};
use crate::patience::soon;
use chatrang_protocol::key::{PublicKey, SecretKey};
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{Connection, ConnectionError, Endpoint, EndpointConfig, TokioRuntime};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, ResolvesClientCert, WantsClientCert};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, ConfigBuilder, SignatureScheme};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::UdpSocket;

/// Longer than any datagram of ours.
const DATAGRAM_BYTES_MAX: usize = 2_048;

/// What a client's first packet has where the connection's id stands: behind its first byte and the version.
const ID_LENGTH_AT: usize = 5;

/// A client with TLS settings of its own, which takes any server.
#[derive(Clone, Debug)]
pub struct Stranger {
    tls: ClientConfig,
    endpoint: Endpoint,
}

impl Stranger {
    /// One that does everything right.
    pub fn honest(key: &SecretKey) -> Self {
        Self::showing(&key.public_key(), key)
    }

    /// One that shows somebody's public key, and cannot sign with it.
    pub fn forger(victim: &PublicKey, own: &SecretKey) -> Self {
        Self::showing(victim, own)
    }

    /// One that shows no key.
    pub fn without_key() -> Self {
        Self::new(builder().with_no_client_auth())
    }

    /// One that wants to show a certificate, as everywhere else on the Internet.
    pub fn with_certificate(key: &SecretKey) -> Self {
        let shown = certified(&key.public_key(), key);
        Self::new(builder().with_client_cert_resolver(Arc::new(Certificate(shown))))
    }

    /// One that does everything right, remembers its servers, and would say something before it has heard them.
    pub fn eager(key: &SecretKey) -> Self {
        let mut stranger = Self::honest(key);
        stranger.tls.enable_early_data = true;
        stranger
    }

    /// The same for another protocol.
    #[must_use]
    pub fn speaking(mut self, alpn: &str) -> Self {
        self.tls.alpn_protocols = vec![alpn.as_bytes().to_vec()];
        self
    }

    /// Begins to shake hands.
    pub fn dial(&self, address: SocketAddr) -> quinn::Connecting {
        let config = QuicClientConfig::try_from(self.tls.clone()).unwrap();
        let config = quinn::ClientConfig::new(Arc::new(config));
        self.endpoint.connect_with(config, address, "chatrang").unwrap()
    }

    /// Shakes hands.
    pub async fn enter(&self, address: SocketAddr) -> Connection {
        soon("the handshake", self.dial(address)).await.unwrap()
    }

    /// How a house turns it away; in TLS 1.3 a client may learn that only when it believes to be in.
    pub async fn turned_away(&self, house: &House) -> ConnectionError {
        match soon("the handshake to end", self.dial(house.address)).await {
            Ok(connection) => soon("the house to turn it away", connection.closed()).await,
            Err(error) => error,
        }
    }

    fn showing(public: &PublicKey, signer: &SecretKey) -> Self {
        let shown = AlwaysResolvesClientRawPublicKeys::new(certified(public, signer));
        Self::new(builder().with_client_cert_resolver(Arc::new(shown)))
    }

    fn new(tls: ClientConfig) -> Self {
        let socket = std::net::UdpSocket::bind(any_port()).unwrap();
        let endpoint =
            Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime)).unwrap();
        Self { tls, endpoint }.speaking("chatrang/1")
    }
}

fn builder() -> ConfigBuilder<ClientConfig, WantsClientCert> {
    ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyServer))
}

fn certified(public: &PublicKey, signer: &SecretKey) -> Arc<CertifiedKey> {
    let pkcs8 = PrivatePkcs8KeyDer::from(signer.to_pkcs8().to_vec());
    let signing = rustls::crypto::ring::sign::any_eddsa_type(&pkcs8).unwrap();
    let spki = CertificateDer::from(public.to_spki().to_vec());
    Arc::new(CertifiedKey::new(vec![spki], signing))
}

/// Shows what it has as a certificate.
#[derive(Debug)]
struct Certificate(Arc<CertifiedKey>);

impl ResolvesClientCert for Certificate {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// The first packets of so many clients, none of which will ever say more.
pub async fn first_packets(count: usize) -> Vec<Vec<u8>> {
    let nowhere = UdpSocket::bind(any_port()).await.unwrap();
    let stranger = Stranger::honest(&new_key());
    let address = nowhere.local_addr().unwrap();
    let mut seen = HashSet::new();
    let mut packets = Vec::new();
    while packets.len() < count {
        let dialled = stranger.dial(address);
        let id = loop {
            let packet = receive(&nowhere).await;
            // What came late from an earlier one is no new client's.
            let id = connection_id(&packet).to_vec();
            if seen.insert(id.clone()) {
                packets.push(packet);
                break id;
            }
        };
        assert!(!id.is_empty());
        drop(dialled);
    }
    packets
}

/// The next datagram that a socket receives.
pub async fn receive(socket: &UdpSocket) -> Vec<u8> {
    let mut bytes = vec![0; DATAGRAM_BYTES_MAX];
    let length = soon("a datagram", socket.recv(&mut bytes)).await.unwrap();
    bytes.truncate(length);
    bytes
}

/// Whether a packet asks its receiver to prove his address (RFC 9000, 17.2.5).
pub fn is_retry(packet: &[u8]) -> bool {
    packet.first().is_some_and(|first| first & 0xf0 == 0xf0)
}

fn connection_id(packet: &[u8]) -> &[u8] {
    let length = usize::from(packet[ID_LENGTH_AT]);
    &packet[ID_LENGTH_AT + 1..ID_LENGTH_AT + 1 + length]
}

/// A way to a server on which everything that the client sends is written down.
#[derive(Debug)]
pub struct Eavesdropper {
    /// Where the client finds the server.
    pub address: SocketAddr,
    heard: tokio::sync::mpsc::UnboundedReceiver<Vec<u8>>,
    _carriers: tokio::task::JoinSet<()>,
}

impl Eavesdropper {
    /// One before a server.
    pub async fn before(server: SocketAddr) -> Self {
        let front = Arc::new(UdpSocket::bind(any_port()).await.unwrap());
        let back = Arc::new(UdpSocket::bind(any_port()).await.unwrap());
        back.connect(server).await.unwrap();
        let address = front.local_addr().unwrap();
        let (tell, heard) = tokio::sync::mpsc::unbounded_channel();
        let (client_is, client) = tokio::sync::watch::channel(address);
        let mut carriers = tokio::task::JoinSet::new();
        let (inner, outer) = (Arc::clone(&front), Arc::clone(&back));
        carriers.spawn(async move {
            let mut bytes = [0; DATAGRAM_BYTES_MAX];
            while let Ok((length, from)) = inner.recv_from(&mut bytes).await {
                client_is.send_replace(from);
                let _ = tell.send(bytes[..length].to_vec());
                let _ = outer.send(&bytes[..length]).await;
            }
        });
        carriers.spawn(async move {
            let mut bytes = [0; DATAGRAM_BYTES_MAX];
            while let Ok(length) = back.recv(&mut bytes).await {
                let to = *client.borrow();
                let _ = front.send_to(&bytes[..length], to).await;
            }
        });
        Self { address, heard, _carriers: carriers }
    }

    /// All that was heard so far.
    pub fn all(&mut self) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| self.heard.try_recv().ok()).collect()
    }
}
