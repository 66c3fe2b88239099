//! Accepts connections, and keeps strangers from costing more than they may.
//!
//! A client's first packet costs little while few handshakes are in flight; beyond a threshold a
//! client must first show that its address is its own (Retry, which costs us nothing to remember),
//! and beyond the limit it is refused.

use crate::hall::Hall;
use crate::log::Foreign;
use crate::metrics::Knock;
use crate::metrics::figure::Inside;
use crate::session;
use chatrang_protocol::limits;
use quinn::Incoming;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, debug, debug_span, field, info_span};

/// Accepts connections until the endpoint is closed or the server stops.
pub async fn accept(hall: Hall, endpoint: quinn::Endpoint, sessions: TaskTracker) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS_MAX));
    let metrics = hall.metrics.clone();
    let neighbours = Neighbours::default();
    loop {
        let incoming = tokio::select! {
            () = hall.stop.cancelled() => return,
            incoming = endpoint.accept() => match incoming {
                Some(incoming) => incoming,
                None => return,
            },
        };
        if must_prove_address(&incoming, metrics.handshakes.read()) {
            metrics.knocks.count(Knock::Retried);
            // Cannot fail: only an address that is not validated yet comes here.
            let _ = incoming.retry();
            continue;
        }
        let place = Arc::clone(&places).try_acquire_owned().ok();
        let (Some(place), Some(neighbour)) = (place, neighbours.admit(incoming.remote_address().ip())) else {
            metrics.knocks.count(Knock::Refused);
            incoming.refuse();
            continue;
        };
        let hall = hall.clone();
        let (connection, handshake) = (metrics.connections.enter(), metrics.handshakes.enter());
        let session = async move {
            let _held = (place, neighbour, connection);
            let client = incoming.remote_address();
            match shake_hands(incoming, handshake).await {
                Ok(connection) => {
                    hall.metrics.knocks.count(Knock::Accepted);
                    let span = info_span!("session", %client, player = field::Empty);
                    session::serve(hall, connection).instrument(span).await;
                }
                Err(error) => {
                    hall.metrics.knocks.count(Knock::Failed);
                    debug!(%client, error = %Foreign(&error), "no handshake");
                }
            }
        };
        sessions.spawn(session.instrument(debug_span!("connection")));
    }
}

fn must_prove_address(incoming: &Incoming, handshakes: u64) -> bool {
    handshakes >= limits::HANDSHAKES_BEFORE_RETRY as u64 && incoming.may_retry()
}

async fn shake_hands(
    incoming: Incoming,
    _counted: Inside,
) -> Result<quinn::Connection, quinn::ConnectionError> {
    incoming.accept()?.await
}

/// How many connections each address has.
#[derive(Clone, Debug, Default)]
struct Neighbours(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl Neighbours {
    /// Counts one more connection from an address, if it may have one. The server's own machine may
    /// have as many as there are.
    fn admit(&self, ip: IpAddr) -> Option<Neighbour> {
        let network = network(ip);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(network).or_default();
        if *count >= limits::CONNECTIONS_PER_ADDRESS_MAX && !network.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Neighbour { network, all: self.clone() })
    }
}

/// What counts as one address: whoever has one IPv6 address has a network of 64 bits.
fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) if !ip.is_loopback() => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip => ip,
    }
}

/// A connection, counted for its address until it is dropped.
struct Neighbour {
    network: IpAddr,
    all: Neighbours,
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_its_own_machine_any_number() {
        let neighbours = Neighbours::default();
        let far: IpAddr = "2001:db8::1".parse().unwrap();
        let same_network: IpAddr = "2001:db8::ffff:2".parse().unwrap();
        let mut held: Vec<_> =
            (0..limits::CONNECTIONS_PER_ADDRESS_MAX).map(|_| neighbours.admit(far).unwrap()).collect();
        assert!(neighbours.admit(same_network).is_none());
        assert!(neighbours.admit("2001:db8:0:1::1".parse().unwrap()).is_some());
        assert!(neighbours.admit("::ffff:192.0.2.1".parse().unwrap()).is_some());
        held.pop();
        assert!(neighbours.admit(same_network).is_some());
        let own: IpAddr = "127.0.0.1".parse().unwrap();
        held.extend((0..=limits::CONNECTIONS_PER_ADDRESS_MAX).map(|_| neighbours.admit(own).unwrap()));
        drop(held);
        assert!(neighbours.0.lock().unwrap().is_empty());
    }
}
