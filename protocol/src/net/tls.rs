//! TLS 1.3 with raw public keys (RFC 7250) on both sides: a key is all there is to show and to check.
//!
//! Ed25519 only, *ring* only, no tickets, no early data, no names. A server takes every key that
//! signs its handshake (whether it has an account is asked later); a client takes only the key it
//! has pinned, or learns the one it sees.

use crate::key::{Fingerprint, KeyError, PublicKey, SecretKey};
use quinn::crypto::rustls::{NoInitialCipherSuite, QuicClientConfig, QuicServerConfig};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, Resumption, WantsClientCert};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::sign::CertifiedKey;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, DistinguishedName, Error,
    PeerIncompatible, ServerConfig, SignatureScheme,
};
use std::sync::{Arc, OnceLock};

/// The protocol and its incompatible step, agreed on in the handshake.
pub const ALPN: &[u8] = b"chatrang/1";

/// Which key a client takes for the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// The one with this fingerprint, and no other.
    Fingerprint(Fingerprint),
    /// Any that signs: the caller reads it by [`peer_key`] and decides before it says anything.
    Learn,
}

/// Why there is no TLS configuration: a fault of this program's own.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// rustls takes the key or the settings for impossible.
    #[error("TLS cannot be set up: {0}")]
    Rustls(#[from] Error),
    /// quinn misses the cipher suite of its first packets.
    #[error("TLS cannot be set up for QUIC: {0}")]
    Quic(#[from] NoInitialCipherSuite),
}

/// A server's side: shows `key`, takes every client key that signs.
///
/// # Errors
/// [`TlsError`], which no peer can cause.
pub fn server_tls(key: &SecretKey) -> Result<Arc<QuicServerConfig>, TlsError> {
    Ok(Arc::new(server_rustls(shown(key)?, ALPN)?.try_into()?))
}

/// A client's side of one handshake, which remembers the key that it refused.
pub struct ClientTls {
    pub(super) config: Arc<QuicClientConfig>,
    refused: Arc<OnceLock<Fingerprint>>,
}

impl ClientTls {
    /// The key that the server presented in place of the pinned one.
    ///
    /// The server had not yet proved that the key is its own.
    pub fn refused(&self) -> Option<Fingerprint> {
        self.refused.get().copied()
    }
}

/// A client's side, for one handshake: shows `key`, takes the server that `pin` allows.
///
/// # Errors
/// [`TlsError`], which no peer can cause.
pub fn client_tls(key: &SecretKey, pin: Pin) -> Result<ClientTls, TlsError> {
    let refused = Arc::default();
    let builder = client_builder(pin, Arc::clone(&refused))?;
    let resolver = AlwaysResolvesClientRawPublicKeys::new(shown(key)?);
    let config = finish_client(builder.with_client_cert_resolver(Arc::new(resolver)));
    Ok(ClientTls { config: Arc::new(config.try_into()?), refused })
}

/// The key that the peer has proved to hold.
///
/// `None` only for a connection that was not made with this module's settings.
pub fn peer_key(connection: &quinn::Connection) -> Option<PublicKey> {
    let identity = connection.peer_identity()?.downcast::<Vec<CertificateDer<'static>>>().ok()?;
    match &identity[..] {
        [spki] => PublicKey::from_spki(spki).ok(),
        _ => None,
    }
}

/// Chosen here and nowhere else: a process-wide default could be another's.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// A key as TLS shows it: where a certificate would be, 44 bytes of public key.
fn shown(key: &SecretKey) -> Result<Arc<CertifiedKey>, Error> {
    let signing = ring::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(key.to_pkcs8()))?;
    let spki = CertificateDer::from(key.public_key().to_spki().to_vec());
    Ok(Arc::new(CertifiedKey::new(vec![spki], signing)))
}

fn server_rustls(key: Arc<CertifiedKey>, alpn: &[u8]) -> Result<ServerConfig, Error> {
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_client_cert_verifier(Arc::new(AnyClient(provider())))
        .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(key)));
    config.alpn_protocols = vec![alpn.to_vec()];
    // A key is proved afresh each time. A resumed handshake would be only 4 % cheaper, and early
    // data could be replayed.
    config.send_tls13_tickets = 0;
    config.max_early_data_size = 0;
    Ok(config)
}

fn client_builder(
    pin: Pin,
    refused: Arc<OnceLock<Fingerprint>>,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, Error> {
    let provider = provider();
    Ok(ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinnedServer { pin, refused, provider })))
}

fn finish_client(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![ALPN.to_vec()];
    config.resumption = Resumption::disabled();
    config.enable_early_data = false;
    config.enable_sni = false;
    config
}

/// Takes every client: to hold a key is to be somebody, not yet to be welcome.
#[derive(Debug)]
struct AnyClient(Arc<CryptoProvider>);

/// Takes the server with the pinned key.
#[derive(Debug)]
struct PinnedServer {
    pin: Pin,
    /// Where the client finds out which key it was that did not fit.
    refused: Arc<OnceLock<Fingerprint>>,
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for AnyClient {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        key: &CertificateDer<'_>,
        more: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        only_key(key, more).map(|_| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _key: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_signature(&self.0, message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ServerCertVerifier for PinnedServer {
    fn verify_server_cert(
        &self,
        key: &CertificateDer<'_>,
        more: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let presented = only_key(key, more)?.fingerprint();
        match self.pin {
            Pin::Fingerprint(pinned) if pinned != presented => {
                self.refused.get_or_init(|| presented);
                Err(CertificateError::ApplicationVerificationFailure.into())
            }
            Pin::Fingerprint(_) | Pin::Learn => Ok(ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _key: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_signature(&self.provider, message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

/// One Ed25519 key and nothing beside it.
fn only_key(key: &CertificateDer<'_>, more: &[CertificateDer<'_>]) -> Result<PublicKey, Error> {
    if !more.is_empty() {
        return Err(CertificateError::BadEncoding.into());
    }
    PublicKey::from_spki(key).map_err(|KeyError::NotEd25519 { .. }| CertificateError::BadEncoding.into())
}

/// What makes a key more than a claim. Whoever left this out would let anybody in as anybody.
///
/// The key is Ed25519 by now, and under such a key no signature of another scheme verifies.
fn verify_signature(
    provider: &CryptoProvider,
    message: &[u8],
    key: &CertificateDer<'_>,
    signature: &DigitallySignedStruct,
) -> Result<HandshakeSignatureValid, Error> {
    let spki = SubjectPublicKeyInfoDer::from(key.as_ref());
    verify_tls13_signature_with_raw_key(
        message,
        &spki,
        signature,
        &provider.signature_verification_algorithms,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dial::DialError;
    use crate::net::endpoint::udp_socket;
    use crate::net::loopback::{Loopback, any_port};
    use ::ring::rand::SystemRandom;
    use ::ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
    use quinn::{Connection, ConnectionError, Endpoint, EndpointConfig, TokioRuntime};
    use rustls::pki_types::PrivateKeyDer;

    fn client(pin: Pin) -> ConfigBuilder<ClientConfig, WantsClientCert> {
        client_builder(pin, Arc::default()).unwrap()
    }

    fn showing(
        builder: ConfigBuilder<ClientConfig, WantsClientCert>,
        key: Arc<CertifiedKey>,
    ) -> ClientConfig {
        finish_client(
            builder.with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(key))),
        )
    }

    /// Somebody's public key, and a signer that does not belong to it.
    fn forged(victim: &SecretKey) -> Arc<CertifiedKey> {
        let own = shown(&SecretKey::generate().unwrap()).unwrap();
        let spki = CertificateDer::from(victim.public_key().to_spki().to_vec());
        Arc::new(CertifiedKey::new(vec![spki], Arc::clone(&own.key)))
    }

    /// How both sides end when a client comes with `config`; the client may learn only afterwards.
    async fn attempt(net: &Loopback, config: ClientConfig) -> (ConnectionError, ConnectionError) {
        let crypto = QuicClientConfig::try_from(config).unwrap();
        let config = quinn::ClientConfig::new(Arc::new(crypto));
        let connecting = net.client.endpoint().connect_with(config, net.address(), "chatrang").unwrap();
        let refused = async {
            match connecting.await {
                Ok(connection) => connection.closed().await,
                Err(error) => error,
            }
        };
        let (client, server) = tokio::join!(refused, net.accept());
        (client, server.map(|_: Connection| ()).expect_err("the server let it in"))
    }

    /// A server with TLS settings of the test's own.
    fn server_with(config: ServerConfig, key: SecretKey) -> Loopback {
        let crypto = QuicServerConfig::try_from(config).unwrap();
        let config = quinn::ServerConfig::with_crypto(Arc::new(crypto));
        let socket = udp_socket(any_port()).unwrap();
        let runtime = Arc::new(TokioRuntime);
        let server = Endpoint::new(EndpointConfig::default(), Some(config), socket, runtime).unwrap();
        Loopback::around(server, key)
    }

    fn alert(error: &ConnectionError) -> Option<u64> {
        match error {
            ConnectionError::TransportError(error) => Some(error.code.into()),
            ConnectionError::ConnectionClosed(close) => Some(close.error_code.into()),
            _ => None,
        }
    }

    #[tokio::test]
    async fn what_is_refused_below_is_let_in_with_a_key_of_its_own() {
        let net = Loopback::new();
        let crypto = showing(client(net.pin()), shown(&net.client_key).unwrap());
        let config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(crypto).unwrap()));
        let connecting = net.client.endpoint().connect_with(config, net.address(), "chatrang").unwrap();
        let (client, server) = tokio::join!(connecting, net.accept());
        assert!(client.is_ok());
        assert_eq!(peer_key(&server.unwrap()), Some(net.client_key.public_key()));
    }

    #[tokio::test]
    async fn a_client_without_a_key_is_refused() {
        let net = Loopback::new();
        let (client, server) = attempt(&net, finish_client(client(net.pin()).with_no_client_auth())).await;
        assert!(alert(&client).is_some() && alert(&server).is_some(), "{client:?}, {server:?}");
    }

    #[tokio::test]
    async fn a_client_with_anothers_public_key_is_refused() {
        let net = Loopback::new();
        let victim = SecretKey::generate().unwrap();
        let (client, server) = attempt(&net, showing(client(net.pin()), forged(&victim))).await;
        // decrypt_error (RFC 8446): a signature that does not verify.
        assert_eq!((alert(&client), alert(&server)), (Some(0x133), Some(0x133)));
    }

    #[tokio::test]
    async fn a_server_with_anothers_public_key_is_refused() {
        let victim = SecretKey::generate().unwrap();
        let net = server_with(server_rustls(forged(&victim), ALPN).unwrap(), victim);
        for pin in [net.pin(), Pin::Learn] {
            let (client, server) = tokio::join!(net.client.connect(net.address(), pin), net.accept());
            let Err(DialError::Failed(error)) = client else { panic!("{client:?}") };
            assert_eq!(alert(&error), Some(0x133));
            assert!(server.is_err());
        }
    }

    #[tokio::test]
    async fn only_ed25519_keys_are_taken() {
        let net = Loopback::new();
        let pkcs8 =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &SystemRandom::new()).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8.as_ref().to_vec()));
        let signing = ring::sign::any_supported_type(&key).unwrap();
        let spki = CertificateDer::from(signing.public_key().unwrap().as_ref().to_vec());
        let shown = Arc::new(CertifiedKey::new(vec![spki], signing));
        let (_, server) = attempt(&net, showing(client(net.pin()), shown)).await;
        assert!(alert(&server).is_some(), "{server:?}");
    }

    #[tokio::test]
    async fn a_client_of_another_protocol_is_refused() {
        let net = Loopback::new();
        let mut config = showing(client(net.pin()), shown(&net.client_key).unwrap());
        for alpn in [vec![b"chatrang/2".to_vec()], vec![b"h3".to_vec()], vec![]] {
            config.alpn_protocols = alpn;
            let (client, server) = attempt(&net, config.clone()).await;
            // no_application_protocol (RFC 7301)
            assert_eq!((alert(&client), alert(&server)), (Some(0x178), Some(0x178)));
        }
    }

    #[tokio::test]
    async fn a_server_of_another_protocol_is_told_as_such() {
        let key = SecretKey::generate().unwrap();
        let net = server_with(server_rustls(shown(&key).unwrap(), b"chatrang/2").unwrap(), key);
        let (client, server) = tokio::join!(net.client.connect(net.address(), net.pin()), net.accept());
        assert!(matches!(client, Err(DialError::OtherProtocol)), "{client:?}");
        assert!(server.is_err());
    }

    #[test]
    fn one_key_and_nothing_beside_it_is_read() {
        let public = SecretKey::generate().unwrap().public_key();
        let key = CertificateDer::from(public.to_spki().to_vec());
        let junk = CertificateDer::from(vec![0x30, 0x82, 0xff, 0xff]);
        let refused = || Err(Error::InvalidCertificate(CertificateError::BadEncoding));
        assert_eq!(only_key(&key, &[]), Ok(public));
        assert_eq!(only_key(&key, std::slice::from_ref(&key)), refused());
        assert_eq!(only_key(&junk, &[]), refused());
    }

    #[test]
    fn neither_side_offers_tickets_early_data_or_a_name() {
        let key = SecretKey::generate().unwrap();
        let client = showing(client(Pin::Learn), shown(&key).unwrap());
        assert!(!client.enable_early_data && !client.enable_sni);
        let server = server_rustls(shown(&key).unwrap(), ALPN).unwrap();
        assert_eq!((server.send_tls13_tickets, server.max_early_data_size), (0, 0));
    }
}
