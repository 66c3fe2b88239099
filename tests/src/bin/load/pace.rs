//! When moves are written.

use crate::verdict::figure;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// A move written so long after its time is late: it had to wait for the one before, or the players'
/// program itself did not keep up.
pub(crate) const LATE: Duration = Duration::from_millis(2);

/// When a table's moves are written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// As soon as the one before has arrived.
    Closed,
    /// At given times, whatever becomes of the moves before.
    Open {
        /// When the table's first move is due.
        first: Instant,
        /// How long it is from one move to the next.
        interval: Duration,
    },
}

impl Pace {
    /// `rate` moves a second at table `number` of `tables`, which are evenly out of step.
    pub(crate) fn open(start: Instant, rate: f64, number: u32, tables: u32) -> Self {
        let interval = Duration::from_secs_f64(1.0 / rate);
        Self::Open { first: start + interval * number / tables, interval }
    }

    /// Waits until a move is due; returns by how much it is late.
    pub(crate) async fn wait(self, moves_before: u64) -> Duration {
        match self {
            Self::Closed => Duration::ZERO,
            Self::Open { first, interval } => {
                let due = first + interval.mul_f64(figure(moves_before));
                sleep_until(due).await;
                Instant::now().duration_since(due)
            }
        }
    }
}
