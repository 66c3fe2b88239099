//! How fast one connection may ask for things.

use crate::pace::{Pace, Rate};
use chatrang_protocol::limits;

/// What one connection may ask for.
#[derive(Debug)]
pub(super) struct Paces {
    /// Requests on the control stream.
    pub(super) requests: Pace,
    /// Attaches: each may replay a game.
    pub(super) attaches: Pace,
    /// Intents in all its games.
    pub(super) intents: Pace,
    /// Nudges that are answered.
    pub(super) nudges: Pace,
}

impl Paces {
    /// Full buckets.
    pub(super) fn new() -> Self {
        let pace = |per_second_max| Pace::new(Rate::per_second(per_second_max));
        Self {
            requests: pace(limits::REQUESTS_PER_SECOND_MAX),
            attaches: pace(limits::ATTACHES_PER_SECOND_MAX),
            intents: pace(limits::INTENTS_PER_SECOND_MAX),
            nudges: pace(limits::NUDGES_PER_SECOND_MAX),
        }
    }
}
