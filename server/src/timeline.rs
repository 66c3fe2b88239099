//! Server time: the one clock behind every game, which runs only while the server serves.
//!
//! A timeline continues at start from the last instant that the store knows, so a time in which the
//! server was down is charged to nobody; it stands still while the store is full, so then all clocks of
//! all games stop; and it leaves out a time in which the whole process stood still. All three by
//! construction, no game does anything about it.
//!
//! ```text
//! system    the real one, on the machine's own clock
//! manual    for tests on real sockets, moved by hand
//! ```

mod manual;
mod system;

pub use manual::ManualTimeline;
pub(crate) use system::unix_ms;
pub use system::{STALL_MS_MIN, SystemTimeline, TICK_MS};

use futures_util::future::BoxFuture;
use std::fmt;
use std::time::Duration;

/// An instant of server time: milliseconds since this server's data directory was made, counting
/// only the time in which the server ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerInstant(pub u64);

impl ServerInstant {
    /// The first instant of a fresh data directory.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` later.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds from `earlier` to here; 0 when `earlier` is later.
    pub fn since_ms(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for ServerInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// Tells server time and wakes sleepers; never runs back.
///
/// A new timeline stands at [`ServerInstant::ZERO`] until [`Timeline::start_at`].
pub trait Timeline: Send + Sync + fmt::Debug {
    /// Sets time going at `base`, or where it stands if that is later.
    fn start_at(&self, base: ServerInstant);

    /// The present instant.
    fn now(&self) -> ServerInstant;

    /// Completes once `now() >= at`; never while frozen before `at`. Whoever wakes compares again
    /// with his own stamp: waking is a hint, not a verdict.
    fn sleep_until(&self, at: ServerInstant) -> BoxFuture<'static, ()>;

    /// Time stands still: `now()` stays, nobody wakes.
    fn freeze(&self);

    /// Time goes on from where it stood; nothing on a timeline that runs.
    fn thaw(&self);

    /// How long a span that the network measured is on this timeline, in milliseconds.
    fn network_ms(&self, span: Duration) -> u64;

    /// The wall clock in milliseconds since 1970, for dates only: no clock of a game reads it.
    fn unix_ms(&self) -> u64;
}
