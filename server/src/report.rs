//! What the server says on its standard output: for people a sentence, for scripts an object a line.

use crate::config::Face;
use crate::limits::REPORT_LINES_MAX;
use crate::metrics::figure::Counter;
use crate::outlet::Outlet;
use serde::Serialize;
use std::net::SocketAddr;

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
    /// What whoever comes with that line becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invites_as: Option<&'static str>,
    /// Where its metrics can be read, if it shows any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<SocketAddr>,
}

/// Says reports in the form that was asked for; a standard output that nobody reads holds up no game.
#[derive(Clone, Debug)]
pub struct Reporter {
    face: Face,
    outlet: Option<Outlet>,
    dropped: Counter,
}

impl Reporter {
    /// A reporter for people or for scripts.
    pub fn new(face: Face) -> Self {
        let dropped = Counter::default();
        let outlet = Outlet::open(std::io::stdout(), REPORT_LINES_MAX, dropped.clone());
        Self { face, outlet: Some(outlet), dropped }
    }

    /// A reporter that says nothing, for a server inside another program.
    pub fn silent() -> Self {
        Self { face: Face::Text, outlet: None, dropped: Counter::default() }
    }

    /// Says it, as soon as the standard output takes it.
    pub fn report(&self, report: &Report) {
        let Some(outlet) = &self.outlet else { return };
        let line = match self.face {
            Face::Text => sentence(report),
            Face::Json => serde_json::to_string(report).ok(),
        };
        if let Some(line) = line {
            outlet.send(format!("{line}\n").into_bytes());
        }
    }

    /// Counts the lines that nobody read; those of the log are counted here as well.
    pub fn dropped(&self) -> &Counter {
        &self.dropped
    }

    /// Waits until all that was reported is out, but not for a reader who does not read.
    pub fn finish(&self) {
        if let Some(outlet) = &self.outlet {
            outlet.finish();
        }
    }
}

/// What people are told; games are in the log already.
fn sentence(report: &Report) -> Option<String> {
    match report {
        Report::Ready(Ready { address, fingerprint, invite, invites_as, metrics }) => {
            let invite = invite.as_ref().map_or_else(
                || "Registration is closed: only players with an account come in.".to_owned(),
                |line| match *invites_as {
                    Some("owner") => format!(
                        "Whoever joins first with this line OWNS the server, so keep it to yourself:\n\n    chatrang \
                         join {line}\n"
                    ),
                    _ => format!("Invite somebody with this line:\n\n    chatrang join {line}\n"),
                },
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
