//! A client that speaks something else over QUIC.

use crate::house::any_port;
use crate::patience::soon;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ConnectionError, Endpoint, EndpointConfig, TokioRuntime, TransportErrorCode};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;

/// TLS's alert `no_application_protocol` (RFC 7301).
const NO_APPLICATION_PROTOCOL: u8 = 120;

/// Shakes hands for another protocol.
///
/// # Errors
/// Why the server does not.
pub async fn dial(address: SocketAddr, alpn: &str) -> Result<quinn::Connection, ConnectionError> {
    let mut tls = rustls::ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyServer))
        .with_no_client_auth();
    tls.alpn_protocols = vec![alpn.as_bytes().to_vec()];
    let config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).unwrap()));
    let socket = UdpSocket::bind(any_port()).unwrap();
    let endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime)).unwrap();
    let connecting = endpoint.connect_with(config, address, "chatrang").unwrap();
    soon("the handshake to end", connecting).await
}

/// Whether the server has said that it does not speak it.
pub fn is_no_application_protocol(error: &ConnectionError) -> bool {
    let alert = TransportErrorCode::crypto(NO_APPLICATION_PROTOCOL);
    matches!(error, ConnectionError::ConnectionClosed(close) if close.error_code == alert)
}

pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Whatever the server's key: the handshake is not to fail for that.
#[derive(Debug)]
pub(crate) struct AnyServer;

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider().signature_verification_algorithms.supported_schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
