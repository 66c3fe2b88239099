//! A server and a client over real QUIC on this machine, for the tests of the modules beside it.

use crate::key::SecretKey;
use crate::net::dial::ClientEndpoint;
use crate::net::endpoint::{EndpointKeys, server_endpoint, udp_socket};
use crate::net::tls::Pin;
use quinn::{Connection, ConnectionError, Endpoint};
use std::net::{Ipv4Addr, SocketAddr};

pub(crate) struct Loopback {
    pub(crate) server: Endpoint,
    pub(crate) server_key: SecretKey,
    pub(crate) client: ClientEndpoint,
    pub(crate) client_key: SecretKey,
}

pub(crate) const KEYS: EndpointKeys =
    EndpointKeys { reset_key: [1; 64], connection_id_key: 2, token_key: [3; 64] };

pub(crate) fn any_port() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

impl Loopback {
    pub(crate) fn new() -> Self {
        let server_key = SecretKey::generate().unwrap();
        let server = server_endpoint(udp_socket(any_port()).unwrap(), &server_key, &KEYS).unwrap();
        Self::around(server, server_key)
    }

    /// A client beside a server that the test has made itself.
    pub(crate) fn around(server: Endpoint, server_key: SecretKey) -> Self {
        let client_key = SecretKey::generate().unwrap();
        let client = ClientEndpoint::bind(any_port(), client_key.clone()).unwrap();
        Self { server, server_key, client, client_key }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.local_addr().unwrap()
    }

    pub(crate) fn pin(&self) -> Pin {
        Pin::Fingerprint(self.server_key.public_key().fingerprint())
    }

    /// What the server makes of the next client.
    pub(crate) async fn accept(&self) -> Result<Connection, ConnectionError> {
        self.server.accept().await.unwrap().await
    }

    /// The client's end and the server's end of one connection.
    pub(crate) async fn connect(&self) -> (Connection, Connection) {
        let (client, server) = tokio::join!(self.client.connect(self.address(), self.pin()), self.accept());
        (client.unwrap(), server.unwrap())
    }
}
