//! A network between one client and its house, on which a connection can be lost.

use crate::house::{ENDPOINT_KEYS, House, any_port, new_key};
use chatrang_protocol::net::endpoint::{server_endpoint, udp_socket};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Longer than any datagram of ours.
const DATAGRAM_BYTES_MAX: usize = 2_048;

/// A relay of datagrams for one client.
///
/// While it is [cut](Lane::cut), the client's packets reach a server that has the house's keys and
/// knows nothing of the connection: it answers, as a server after a crash does, with a stateless
/// reset. The house itself hears nothing any more and believes that the client is still there.
#[derive(Debug)]
pub struct Lane {
    /// Where the client finds the house.
    pub address: SocketAddr,
    house: SocketAddr,
    stranger: quinn::Endpoint,
    /// Where packets go that are lost: nobody reads what arrives here.
    nowhere: std::net::UdpSocket,
    route: watch::Sender<SocketAddr>,
    relay: JoinHandle<()>,
}

impl Lane {
    /// A lane to a house.
    pub async fn to(house: &House) -> Self {
        let front = UdpSocket::bind(any_port()).await.unwrap();
        let address = front.local_addr().unwrap();
        let stranger = server_endpoint(udp_socket(any_port()).unwrap(), &new_key(), &ENDPOINT_KEYS).unwrap();
        let (route, routed) = watch::channel(house.address);
        let relay = tokio::spawn(relay(Arc::new(front), routed));
        let nowhere = std::net::UdpSocket::bind(any_port()).unwrap();
        Self { address, house: house.address, stranger, nowhere, route, relay }
    }

    /// Loses the connection: its next packet is answered with a reset.
    pub fn cut(&self) {
        self.route.send_replace(self.stranger.local_addr().unwrap());
    }

    /// Swallows whatever the client sends from now on: to the house it has vanished without a word.
    pub fn swallow(&self) {
        self.route.send_replace(self.nowhere.local_addr().unwrap());
    }

    /// Lets packets through again.
    pub fn mend(&self) {
        self.route.send_replace(self.house);
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.relay.abort();
    }
}

/// Carries datagrams both ways. Each of the client's sockets gets one of its own to the house, as
/// each of its connections has another address.
async fn relay(front: Arc<UdpSocket>, route: watch::Receiver<SocketAddr>) {
    let mut back: Option<(SocketAddr, Arc<UdpSocket>, JoinHandle<()>)> = None;
    let mut bytes = [0; DATAGRAM_BYTES_MAX];
    loop {
        let Ok((length, client)) = front.recv_from(&mut bytes).await else { continue };
        if back.as_ref().is_none_or(|(known, ..)| *known != client) {
            if let Some((.., answers)) = back.take() {
                answers.abort();
            }
            let socket = Arc::new(UdpSocket::bind(any_port()).await.unwrap());
            let answers = tokio::spawn(carry_back(Arc::clone(&socket), Arc::clone(&front), client));
            back = Some((client, socket, answers));
        }
        if let Some((_, socket, _)) = &back {
            let to = *route.borrow();
            // What cannot be sent is lost, as on any network.
            let _ = socket.send_to(&bytes[..length], to).await;
        }
    }
}

async fn carry_back(from: Arc<UdpSocket>, front: Arc<UdpSocket>, client: SocketAddr) {
    let mut bytes = [0; DATAGRAM_BYTES_MAX];
    loop {
        if let Ok((length, _)) = from.recv_from(&mut bytes).await {
            let _ = front.send_to(&bytes[..length], client).await;
        }
    }
}
