//! Accepts connections, and keeps strangers from costing more than they may.
//!
//! A client's first packet costs little while few handshakes are in flight; beyond a threshold a
//! client must first show that its address is its own (Retry, which costs us nothing to remember),
//! and beyond the limit it is refused.

use crate::session::{self, Hall};
use chatrang_protocol::limits;
use quinn::Incoming;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, debug, debug_span, field, info_span};

/// Accepts connections until the endpoint is closed or the server stops.
pub async fn accept(hall: Hall, endpoint: quinn::Endpoint, sessions: TaskTracker) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS_MAX));
    let handshakes = Arc::new(AtomicUsize::new(0));
    loop {
        let incoming = tokio::select! {
            () = hall.stop.cancelled() => return,
            incoming = endpoint.accept() => match incoming {
                Some(incoming) => incoming,
                None => return,
            },
        };
        if must_prove_address(&incoming, handshakes.load(Ordering::Relaxed)) {
            // It may_retry: an address that is not validated always may.
            let _ = incoming.retry();
            continue;
        }
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            incoming.refuse();
            continue;
        };
        let hall = hall.clone();
        let handshake = Handshake::begin(&handshakes);
        let session = async move {
            let _place = place;
            let client = incoming.remote_address();
            match shake_hands(incoming, handshake).await {
                Ok(connection) => {
                    let span = info_span!("session", player = field::Empty);
                    session::serve(hall, connection).instrument(span).await;
                }
                Err(error) => debug!(%client, %error, "no handshake"),
            }
        };
        sessions.spawn(session.instrument(debug_span!("connection")));
    }
}

fn must_prove_address(incoming: &Incoming, handshakes: usize) -> bool {
    handshakes >= limits::HANDSHAKES_BEFORE_RETRY && incoming.may_retry()
}

async fn shake_hands(
    incoming: Incoming,
    _counted: Handshake,
) -> Result<quinn::Connection, quinn::ConnectionError> {
    incoming.accept()?.await
}

/// A handshake in flight, counted until it is dropped.
struct Handshake(Arc<AtomicUsize>);

impl Handshake {
    fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Handshake {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
