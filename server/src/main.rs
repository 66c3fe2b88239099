//! `chatrangd`: flags, logs, signals and the exit code around the server's library.

use anyhow::Context;
use chatrang_protocol::invite::{Host, HostPort, ServerAddress};
use chatrang_protocol::role::Role;
use chatrang_server::config::{Command, Config, Flags, StopWhen};
use chatrang_server::log;
use chatrang_server::operator;
use chatrang_server::report::{Ready, Report, Reporter};
use chatrang_server::server::{Parts, Server};
use chatrang_server::store::{LOG_BYTES_READY, OpenError, Store, StoreOptions};
use chatrang_server::supervisor::Supervisor;
use chatrang_server::timeline::{SystemTimeline, Timeline};
use clap::Parser;
use std::io::{BufWriter, Read};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tracing::error;

/// Wrong usage or configuration.
const EXIT_CONFIGURATION: u8 = 2;

/// The store cannot be used, or has failed.
const EXIT_STORE: u8 = 8;

/// Threads that serve at the least.
const SERVING_THREADS_MIN: usize = 2;

/// How long tasks that still run may take when all is said and done.
const LAST_TASKS_TIME: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let flags = Flags::parse();
    let command = flags.command.clone();
    let config = match Config::load(flags, |name| std::env::var(name).ok()) {
        Ok(config) => config,
        Err(error) => return fail(&error.into(), EXIT_CONFIGURATION),
    };
    let done =
        if let Some(command) = command { carry_out(&command, &config) } else { speak_and_serve(&config) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { error, code }) => fail(&error, code),
    }
}

/// An error on its way to the exit code.
struct Failure {
    error: anyhow::Error,
    code: u8,
}

impl Failure {
    fn configuration(error: impl Into<anyhow::Error>) -> Self {
        Self { error: error.into(), code: EXIT_CONFIGURATION }
    }

    fn store(error: impl Into<anyhow::Error>) -> Self {
        Self { error: error.into(), code: EXIT_STORE }
    }
}

fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    // Each error says its cause itself.
    eprintln!("chatrangd: {error}");
    ExitCode::from(code)
}

/// Does what the operator asks, and prints what there is to say.
fn carry_out(command: &Command, config: &Config) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match operator::carry_out(command, config, &mut out) {
        Err(error) if error.is_hang_up() => Ok(()),
        Err(error) if error.is_store() => Err(Failure::store(error)),
        Err(error) => Err(Failure::configuration(error)),
        Ok(()) => Ok(()),
    }
}

/// Begins to speak, serves, and lets the last that there is to say out.
fn speak_and_serve(config: &Config) -> Result<(), Failure> {
    let reporter = Reporter::new(config.face);
    let log = log::start(&config.log, config.face, reporter.dropped().clone());
    log_panics();
    let served = run(config, &reporter);
    reporter.finish();
    log.finish();
    served
}

/// How many threads serve: half of the machine's, since the store and the system's own part of the network need
/// some as well, and to wake one costs more than it does; but never one alone, which a game's task that does not
/// come back from a step would take from all others.
fn threads() -> usize {
    (std::thread::available_parallelism().map_or(1, NonZero::get) / 2).max(SERVING_THREADS_MIN)
}

/// Puts a panic into the log, with the span of the game or session in which it happened, and its place.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let words = panic.payload_as_str().unwrap_or("without a word");
        error!(place, panic = ?words, "a fault of the server: please tell its authors");
    }));
}

/// Serves, and does not wait for a task that never comes back: what was acknowledged is on disk.
fn run(config: &Config, reporter: &Reporter) -> Result<(), Failure> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(threads())
        .enable_all()
        .build()
        .map_err(Failure::configuration)?;
    let ended = runtime.block_on(serve(config, reporter));
    runtime.shutdown_timeout(LAST_TASKS_TIME);
    ended
}

async fn serve(config: &Config, reporter: &Reporter) -> Result<(), Failure> {
    let options = StoreOptions { log_bytes_ready: LOG_BYTES_READY, ..StoreOptions::default() };
    let store = Store::open(&config.data_dir, options).map_err(|error| match error {
        OpenError::Directory { .. } => Failure::configuration(error),
        _ => Failure::store(error),
    })?;
    let timeline: Arc<dyn Timeline> = Arc::new(SystemTimeline::new());
    let parts = Parts::real(config, store, timeline).map_err(Failure::configuration)?;
    let server = Server::bind(config, parts, reporter.clone()).await.map_err(|error| {
        if error.is_store() { Failure::store(error) } else { Failure::configuration(error) }
    })?;
    // Before anybody is told that it is ready, and may tell it to stop.
    let shutdown = shutdown(config.stop_when).map_err(Failure::configuration)?;
    reporter.report(&Report::Ready(ready(&server).map_err(Failure::configuration)?));
    let supervisor = Supervisor::of_environment(|name| std::env::var(name).ok());
    supervisor.ready();
    let told = async {
        shutdown.await;
        supervisor.stopping();
    };
    let ended = tokio::select! {
        ended = server.run(told) => ended,
        never = supervisor.show_life() => match never {},
    };
    reporter.report(&Report::Stopped);
    ended.map_err(Failure::store)
}

/// What whoever started the server must know to send somebody here.
fn ready(server: &Server) -> anyhow::Result<Ready> {
    let address = server.local_address().context("the socket has no address")?;
    let fingerprint = server.fingerprint();
    let invite = match server.invite() {
        Some(code) => {
            let reachable = chatrang_server::reach::address(address);
            let reachable = HostPort::new(Host::Ip(reachable.ip()), reachable.port())?;
            Some(ServerAddress::invite(vec![reachable], fingerprint, Some(code))?.to_string())
        }
        None => None,
    };
    let metrics = server.metrics_address().context("the metrics' socket has no address")?;
    let invites_as = server.invites_as().map(Role::as_str);
    Ok(Ready { address, fingerprint: fingerprint.to_string(), invite, invites_as, metrics })
}

/// Completes when the server is to stop: at SIGINT or SIGTERM, or when its standard input closes. The
/// signals count from this call on.
fn shutdown(when: StopWhen) -> anyhow::Result<impl Future<Output = ()>> {
    let mut terminated = signal(SignalKind::terminate()).context("SIGTERM cannot be heard")?;
    let mut interrupted = signal(SignalKind::interrupt()).context("SIGINT cannot be heard")?;
    let orphaned = async move {
        match when {
            StopWhen::Signalled => std::future::pending().await,
            StopWhen::StdinCloses => drop(stdin_closes().await),
        }
    };
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
            () = orphaned => {}
        }
    })
}

/// Waits on a thread of its own: a blocking read must not hold the runtime up when it ends.
fn stdin_closes() -> oneshot::Receiver<()> {
    let (closed, wait) = oneshot::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 1024];
        let mut stdin = std::io::stdin().lock();
        while matches!(stdin.read(&mut bytes), Ok(1..)) {}
        // The server may have stopped for another reason already.
        let _ = closed.send(());
    });
    wait
}
