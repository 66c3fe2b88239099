//! Accepts connections, and turns away what comes too fast or too often; the [`gate`](crate::gate) decides.

use crate::gate::{Gate, GateLimits, Place, Proof, Verdict};
use crate::hall::Hall;
use crate::log::Foreign;
use crate::metrics::Knock;
use crate::network::Network;
use crate::session;
use chatrang_protocol::limits;
use quinn::Incoming;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;
use tracing::{Instrument, debug, debug_span, field, info_span};

/// How long a handshake may take.
const HANDSHAKE_TIME: Duration = Duration::from_secs(limits::HANDSHAKE_SECONDS_MAX);

/// Accepts connections until the endpoint is closed or the server stops.
pub async fn accept(hall: Hall, endpoint: quinn::Endpoint, sessions: TaskTracker, limits: GateLimits) {
    let gate = Gate::new(limits);
    loop {
        let incoming = tokio::select! {
            biased;
            () = hall.stop.cancelled() => return,
            incoming = endpoint.accept() => match incoming {
                Some(incoming) => incoming,
                None => return,
            },
        };
        let proof = if incoming.may_retry() { Proof::Missing } else { Proof::Given };
        let network = Network::of(incoming.remote_address().ip());
        match gate.judge(network, proof, Instant::now()) {
            Verdict::Admit(place) => {
                let visit = receive(hall.clone(), incoming, place);
                sessions.spawn(visit.instrument(debug_span!("connection")));
            }
            Verdict::Prove => {
                hall.metrics.knocks.count(Knock::Retried);
                // Cannot fail: only who may be asked to prove his address is.
                let _ = incoming.retry();
            }
            Verdict::Refuse => {
                hall.metrics.knocks.count(Knock::Refused);
                debug!(client = %incoming.remote_address(), "no room, or too many handshakes: refused");
                incoming.refuse();
            }
        }
    }
}

/// Shakes hands, and serves whoever has come.
async fn receive(hall: Hall, incoming: Incoming, mut place: Place) {
    let _counted = hall.metrics.connections.enter();
    let handshake = hall.metrics.handshakes.enter();
    let client = incoming.remote_address();
    let shaken = timeout(HANDSHAKE_TIME, shake_hands(incoming)).await;
    drop(handshake);
    match shaken {
        Ok(Ok(connection)) => {
            place.go_inside();
            hall.metrics.knocks.count(Knock::Accepted);
            let span = info_span!("session", %client, player = field::Empty);
            session::serve(hall, connection).instrument(span).await;
        }
        Ok(Err(error)) => {
            hall.metrics.knocks.count(Knock::Failed);
            debug!(%client, error = %Foreign(&error), "no handshake");
        }
        Err(_) => {
            hall.metrics.knocks.count(Knock::Failed);
            debug!(%client, "no handshake in time");
        }
    }
}

async fn shake_hands(incoming: Incoming) -> Result<quinn::Connection, quinn::ConnectionError> {
    incoming.accept()?.await
}
