//! What the server counts of itself while it runs, for whoever watches over it.
//!
//! One value, given to whoever has something to count; nothing in the server decides by it. Shown by
//! [`page`], on a port of this machine alone ([`port`]).

pub mod figure;
pub mod page;
pub mod port;
mod system;

use chatrang_protocol::close::CloseCode;
use chatrang_protocol::intent::IntentError;
use figure::{Counter, Gauge, Histogram};
use std::ops::Deref;
use std::sync::Arc;

/// The figures. Cheap to clone; the same figures behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Metrics(Arc<Figures>);

/// What is counted beside what the store counts.
#[derive(Debug)]
pub struct Figures {
    /// Connections, handshakes included.
    pub connections: Gauge,
    /// Connections whose player is in.
    pub sessions: Gauge,
    /// Handshakes under way.
    pub handshakes: Gauge,
    /// What became of those who knocked.
    pub knocks: Tally<Knock, { Knock::ALL.len() }>,
    /// Connections that the server closed, by code.
    pub closed: Tally<CloseCode, { CloseCode::ALL.len() }>,
    /// What was asked for and not done.
    pub refusals: Tally<RefusalKind, { RefusalKind::ALL.len() }>,
    /// Moves that are on disk.
    pub moves: Counter,
    /// From the moment at which an intent's frame is whole until what came of it is on disk.
    pub accept_to_commit: Histogram,
    /// From then until every listener's stream has it in its queue.
    pub commit_to_send: Histogram,
    /// From a frame's turn in its stream's queue until the transport has taken it: long when the listener
    /// reads slowly.
    pub stream_write: Histogram,
    /// Listeners whose queue was full.
    pub listeners_let_go: Counter,
    /// Lines for the standard output and the log that nobody read.
    pub lines_dropped: Counter,
}

impl Metrics {
    /// Nothing counted yet; `lines_dropped` counts elsewhere.
    pub fn new(lines_dropped: Counter) -> Self {
        Self(Arc::new(Figures { lines_dropped, ..Figures::default() }))
    }
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            connections: Gauge::default(),
            sessions: Gauge::default(),
            handshakes: Gauge::default(),
            knocks: Tally::new(Knock::ALL),
            closed: Tally::new(CloseCode::ALL),
            refusals: Tally::new(RefusalKind::ALL),
            moves: Counter::default(),
            accept_to_commit: Histogram::of_seconds(),
            commit_to_send: Histogram::of_seconds(),
            stream_write: Histogram::of_seconds(),
            listeners_let_go: Counter::default(),
            lines_dropped: Counter::default(),
        }
    }
}

impl Deref for Metrics {
    type Target = Figures;

    fn deref(&self) -> &Figures {
        &self.0
    }
}

/// A counter for each of a few kinds.
#[derive(Debug)]
pub struct Tally<Kind, const KINDS: usize>([(Kind, Counter); KINDS]);

impl<Kind: Copy + PartialEq, const KINDS: usize> Tally<Kind, KINDS> {
    fn new(kinds: [Kind; KINDS]) -> Self {
        Self(kinds.map(|kind| (kind, Counter::default())))
    }

    /// Counts one more of a kind.
    pub fn count(&self, kind: Kind) {
        if let Some((_, counter)) = self.0.iter().find(|(known, _)| *known == kind) {
            counter.count();
        }
    }

    /// How many there have been of each kind.
    pub fn read(&self) -> impl Iterator<Item = (Kind, u64)> {
        self.0.iter().map(|(kind, counter)| (*kind, counter.read()))
    }
}

/// What becomes of a connection attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knock {
    /// Its handshake is done.
    Accepted,
    /// It must show first that its address is its own.
    Retried,
    /// There are as many connections as may be, or they come too fast, in all or from its address.
    Refused,
    /// Its handshake has failed.
    Failed,
}

impl Knock {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Retried, Self::Refused, Self::Failed];

    /// Its word on the page.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Retried => "retried",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// Why something that was asked for is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The Laws forbid the intent.
    Law,
    /// It was meant for another position.
    WrongPly,
    /// It was for a game of others.
    NotSeated,
    /// The game's mailbox, or the store's queue, was full.
    Busy,
    /// The store was full.
    StoreFull,
    /// The server was about to stop.
    Stopping,
    /// A later version of the protocol knows what it was.
    Unsupported,
    /// A game was not opened.
    Attach,
    /// Something was not said.
    Talk,
    /// A request to the lobby was refused.
    Request,
}

impl RefusalKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Law,
        Self::WrongPly,
        Self::NotSeated,
        Self::Busy,
        Self::StoreFull,
        Self::Stopping,
        Self::Unsupported,
        Self::Attach,
        Self::Talk,
        Self::Request,
    ];

    /// The kind of an intent's refusal.
    pub const fn of(error: &IntentError) -> Self {
        match error {
            IntentError::Law(_) => Self::Law,
            IntentError::WrongPly { .. } => Self::WrongPly,
            IntentError::NotSeated => Self::NotSeated,
            IntentError::Busy => Self::Busy,
            IntentError::StoreFull => Self::StoreFull,
            IntentError::ServerStopping => Self::Stopping,
            IntentError::Unsupported => Self::Unsupported,
        }
    }

    /// Its word on the page.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::WrongPly => "wrong_ply",
            Self::NotSeated => "not_seated",
            Self::Busy => "busy",
            Self::StoreFull => "store_full",
            Self::Stopping => "stopping",
            Self::Unsupported => "unsupported",
            Self::Attach => "attach",
            Self::Talk => "talk",
            Self::Request => "request",
        }
    }
}
