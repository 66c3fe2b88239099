//! What is measured: a process of its own, `chatrangd` or the bare relay.

use crate::machine::Process;
use anyhow::Context;
use chatrang_protocol::key::Fingerprint;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Talker, command, object};
use chatrang_tests::scratch::Scratch;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The bare relay.
    Relay,
    /// The server.
    Server,
}

impl Kind {
    /// As it stands in a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Relay => "relay",
            Self::Server => "chatrangd",
        }
    }
}

/// Where the programs lie.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    relay: PathBuf,
    server: PathBuf,
}

impl Programs {
    /// This program, which is the relay too, and `server` or else the `chatrangd` of this tree.
    pub(crate) fn new(server: Option<PathBuf>) -> anyhow::Result<Self> {
        let server = server.unwrap_or_else(|| binaries().chatrangd.clone());
        Ok(Self { relay: std::env::current_exe()?, server })
    }

    /// Starts one with nothing in its data directory.
    pub(crate) async fn start(&self, kind: Kind) -> anyhow::Result<Host> {
        self.start_in(kind, Scratch::new()).await
    }

    /// Starts one on a directory, in which a server finds its data under [`data_dir`].
    pub(crate) async fn start_in(&self, kind: Kind, dir: Scratch) -> anyhow::Result<Host> {
        let mut command = match kind {
            Kind::Relay => command(&self.relay, dir.path()),
            Kind::Server => command(&self.server, dir.path()),
        };
        match kind {
            Kind::Relay => command.arg("relay"),
            Kind::Server => command
                .args(["--json", "--registration", "open", "--log", "error", "--listen", "127.0.0.1:0"])
                // Nobody is hurried to his first move.
                .args(["--first-move-seconds", "3600", "--data"])
                .arg(data_dir(dir.path())),
        };
        Host::start(kind, &mut command, dir).await
    }
}

/// A process that is ready; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) place: Whereabouts,
    pub(crate) process: Process,
    /// How long it took from its start until it was ready.
    pub(crate) start_time: Duration,
    talker: Talker,
    dir: Scratch,
}

/// Where to find a host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whereabouts {
    pub(crate) kind: Kind,
    pub(crate) address: SocketAddr,
    pub(crate) fingerprint: Fingerprint,
}

impl Host {
    async fn start(kind: Kind, command: &mut Command, dir: Scratch) -> anyhow::Result<Self> {
        let started = Instant::now();
        let mut talker = Talker::start(command);
        let line = talker.line().await.with_context(|| format!("the {} did not start", kind.name()))?;
        let start_time = started.elapsed();
        let ready = object(&line);
        let text = |name: &str| ready[name].as_str().with_context(|| format!("no {name} in {ready}"));
        let (address, fingerprint) = (text("address")?.parse()?, text("fingerprint")?.parse()?);
        Ok(Self {
            place: Whereabouts { kind, address, fingerprint },
            process: Process(talker.id()),
            start_time,
            talker,
            dir,
        })
    }

    /// Kills it as a crash would, and leaves its directory.
    pub(crate) async fn kill(mut self) -> Scratch {
        self.talker.kill().await;
        self.dir
    }

    /// A directory in the file system of its data.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }
}

/// Where a server started on `dir` has its data.
pub(crate) fn data_dir(dir: &Path) -> PathBuf {
    dir.join("server")
}

/// And among it, its database.
pub(crate) fn database(dir: &Path) -> PathBuf {
    data_dir(dir).join("chatrang.db")
}
