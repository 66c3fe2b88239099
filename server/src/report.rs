//! What the server says on its standard output: for people a sentence, for scripts an object a line.

use crate::config::Face;
use serde::Serialize;
use std::io::Write;
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
}

/// Writes reports in the form that was asked for.
#[derive(Clone, Debug)]
pub struct Reporter {
    face: Option<Face>,
}

impl Reporter {
    /// A reporter for people or for scripts.
    pub fn new(face: Face) -> Self {
        Self { face: Some(face) }
    }

    /// A reporter that says nothing, for a server inside another program.
    pub fn silent() -> Self {
        Self { face: None }
    }

    /// Says it, at once. That nobody reads the standard output is no reason to stop.
    pub fn report(&self, report: &Report) {
        let line = match self.face {
            None => None,
            Some(Face::Text) => sentence(report),
            Some(Face::Json) => serde_json::to_string(report).ok(),
        };
        if let Some(line) = line {
            let mut stdout = std::io::stdout().lock();
            let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        }
    }
}

/// What people are told; games are in the log already.
fn sentence(report: &Report) -> Option<String> {
    match report {
        Report::Ready(Ready { address, fingerprint, invite }) => {
            let invite = invite.as_ref().map_or_else(
                || "Registration is closed: only players with an account come in.".to_owned(),
                |line| format!("Invite somebody with this line:\n\n    chatrang join {line}\n"),
            );
            Some(format!("chatrangd listens on UDP {address}, fingerprint {fingerprint}.\n{invite}"))
        }
        Report::Paused { reason } => Some(format!("All clocks stand still: {reason}.")),
        Report::Resumed => Some("The clocks run on.".to_owned()),
        Report::Stopping => Some("chatrangd stops; its games are kept.".to_owned()),
        Report::GameStarted { .. } | Report::GameOver { .. } | Report::Stopped => None,
    }
}
