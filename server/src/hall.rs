//! What a session needs of the rest of the server.

use crate::game::registry::Registry;
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::newcomers::Newcomers;
use crate::pace::Pace;
use crate::store::{RegistrationMode, Store};
use crate::timeline::Timeline;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The rooms that are open to whoever has come in. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Hall {
    /// Who may come in.
    pub registration: RegistrationMode,
    /// Accounts and invites.
    pub store: Store,
    /// Seeks, invites, notices.
    pub lobby: Lobby,
    /// Games.
    pub registry: Registry,
    /// How many strangers have become players lately.
    pub newcomers: Newcomers,
    /// How often the log tells of strangers' faults.
    pub told_of_strangers: Arc<Pace>,
    /// What time it is.
    pub timeline: Arc<dyn Timeline>,
    /// Requests under way: each is carried to its end, even when its client hangs up meanwhile.
    pub errands: TaskTracker,
    /// What is counted for whoever watches over the server.
    pub metrics: Metrics,
    /// Told when the server stops.
    pub stop: CancellationToken,
}
