//! What the server says on its standard output: for people a sentence, for scripts an object a line.

use crate::config::Face;
use crate::metrics::figure::Counter;
use serde::Serialize;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// Something that whoever started the server may want to know.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Report {
    /// It listens.
    Ready(Ready),
    /// A game has begun.
    GameStarted {
        /// Its number.
        game: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The time control.
        terms: String,
    },
    /// A game has ended.
    GameOver {
        /// Its number.
        game: u64,
        /// `1-0`, `0-1`, `1/2-1/2`, or `*` without a result.
        result: String,
        /// By what.
        termination: &'static str,
    },
    /// All clocks stand still.
    Paused {
        /// Why.
        reason: &'static str,
    },
    /// The clocks run on.
    Resumed,
    /// It stops.
    Stopping,
    /// It has stopped.
    Stopped,
}

/// Where and how to reach a server.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// The UDP address it listens on.
    pub address: SocketAddr,
    /// What players pin.
    pub fingerprint: String,
    /// An invite line: the owner's on a fresh data directory, later a player's; none when
    /// registration is closed.
    pub invite: Option<String>,
    /// Where its metrics can be read, if it shows any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<SocketAddr>,
}

/// Lines that may wait for the standard output; when nobody reads it, further ones are dropped.
const LINES_WAITING_MAX: usize = 1_024;

/// Says reports in the form that was asked for, on a thread of its own: a standard output that nobody
/// reads must not hold up a game.
#[derive(Clone, Debug)]
pub struct Reporter {
    face: Face,
    lines: Option<SyncSender<Item>>,
    dropped: Counter,
}

impl Reporter {
    /// A reporter for people or for scripts.
    pub fn new(face: Face) -> Self {
        let (lines, waiting) = sync_channel(LINES_WAITING_MAX);
        std::thread::spawn(move || print(&waiting));
        Self { face, lines: Some(lines), dropped: Counter::default() }
    }

    /// A reporter that says nothing, for a server inside another program.
    pub fn silent() -> Self {
        Self { face: Face::Text, lines: None, dropped: Counter::default() }
    }

    /// Says it, as soon as the standard output takes it.
    pub fn report(&self, report: &Report) {
        let Some(lines) = &self.lines else { return };
        let line = match self.face {
            Face::Text => sentence(report),
            Face::Json => serde_json::to_string(report).ok(),
        };
        if let Some(line) = line {
            // Full: nobody reads, and the metrics alone tell of it.
            if lines.try_send(Item::Line(line)).is_err() {
                self.dropped.count();
            }
        }
    }

    /// Counts the lines that nobody read, those of the log as well.
    pub fn dropped(&self) -> &Counter {
        &self.dropped
    }

    /// Waits until all that was reported is out, but not for a reader who does not read.
    pub fn finish(&self) {
        let Some(lines) = &self.lines else { return };
        let (printed, wait) = sync_channel(1);
        if lines.try_send(Item::Mark(printed)).is_ok() {
            let _ = wait.recv_timeout(FINISH_TIME);
        }
    }
}

/// How long the last lines may take.
const FINISH_TIME: Duration = Duration::from_secs(1);

/// What waits for the standard output.
#[derive(Debug)]
enum Item {
    Line(String),
    /// Everything before it is out when this is answered.
    Mark(SyncSender<()>),
}

fn print(items: &Receiver<Item>) {
    while let Ok(item) = items.recv() {
        match item {
            Item::Line(line) => {
                let mut stdout = std::io::stdout().lock();
                // That nobody reads any more is no reason to stop.
                let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
            }
            // Whoever waited may have lost patience.
            Item::Mark(printed) => drop(printed.send(())),
        }
    }
}

/// What people are told; games are in the log already.
fn sentence(report: &Report) -> Option<String> {
    match report {
        Report::Ready(Ready { address, fingerprint, invite, metrics }) => {
            let invite = invite.as_ref().map_or_else(
                || "Registration is closed: only players with an account come in.".to_owned(),
                |line| format!("Invite somebody with this line:\n\n    chatrang join {line}\n"),
            );
            let metrics = metrics.map_or_else(String::new, |address| {
                format!("Its metrics are at http://{address}/metrics.\n")
            });
            Some(format!("chatrangd listens on UDP {address}, fingerprint {fingerprint}.\n{metrics}{invite}"))
        }
        Report::Paused { reason } => Some(format!("All clocks stand still: {reason}.")),
        Report::Resumed => Some("The clocks run on.".to_owned()),
        Report::Stopping => Some("chatrangd stops; its games are kept.".to_owned()),
        Report::GameStarted { .. } | Report::GameOver { .. } | Report::Stopped => None,
    }
}
