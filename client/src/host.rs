//! An own server: starts the `chatrangd` that lies beside this program, keeps it running, stops it.

use crate::cli::Advertised;
use crate::config::{self, Paths};
use crate::fault::{Exit, Fault};
use crate::message::Report;
use chatrang_protocol::invite::{Host, HostPort, InviteCode, ServerAddress};
use chatrang_protocol::key::Fingerprint;
use chatrang_protocol::net::route::default_route;
use serde::Deserialize;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// The port of a server that nobody has told another.
const PORT: u16 = chatrang_protocol::invite::DEFAULT_PORT;

/// How long a server may take to be ready.
const READY_SECONDS_MAX: u64 = 20;

/// How long a server may take to stop; it is asked once more, and harder, after that.
const STOP_SECONDS_MAX: u64 = 8;

/// A server that dies so soon after its start has not served anybody.
const SHORT_LIFE: Duration = Duration::from_secs(5);

/// How often a server is started again that dies so soon.
const SHORT_LIVES_MAX: u32 = 3;

/// A running server of this player's own.
pub struct OwnServer {
    launch: Launch,
    running: Running,
}

impl OwnServer {
    /// Starts the server at `listen`, or at the usual port of every address; when that port is busy, at
    /// another, which is remarked upon.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when there is no `chatrangd` or it cannot run.
    pub async fn start(
        paths: &Paths,
        listen: Option<SocketAddr>,
        remarks: &mut Vec<String>,
    ) -> Result<Self, Fault> {
        let wanted = listen.unwrap_or_else(|| SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), PORT));
        let listen = free_address(wanted)?;
        if listen.port() != wanted.port() && wanted.port() != 0 {
            remarks.push(format!(
                "Port {} is busy: the server listens on port {}.",
                wanted.port(),
                listen.port()
            ));
        }
        config::make_private_dir(&paths.own_server())?;
        config::make_private_dir(&paths.state)?;
        let launch = Launch {
            program: beside_this_program()?,
            data: paths.own_server(),
            log: paths.own_server_log(),
            listen,
        };
        let running = launch.start().await?;
        Ok(Self { launch, running })
    }

    /// The server's own invitation, for the first player who comes.
    pub fn invite(&self) -> Option<InviteCode> {
        self.running.ready.invite.as_deref().and_then(|line| line.parse::<ServerAddress>().ok()?.code())
    }

    /// The UDP port it listens on.
    pub fn port(&self) -> u16 {
        self.running.ready.address.port()
    }

    /// Where this machine reaches it, with its key.
    ///
    /// # Errors
    /// [`Exit::VersionMismatch`] when the server said something unreadable about itself.
    pub fn address(&self) -> Result<ServerAddress, Fault> {
        let Ready { address, fingerprint, .. } = &self.running.ready;
        let unreadable = || unreadable(&self.launch, "its address or fingerprint makes no sense");
        let ip = match address.ip() {
            ip if !ip.is_unspecified() => ip,
            _ => Ipv4Addr::LOCALHOST.into(),
        };
        let fingerprint: Fingerprint = fingerprint.parse().map_err(|_| unreadable())?;
        let local = HostPort::new(Host::Ip(ip), address.port()).map_err(|_| unreadable())?;
        ServerAddress::invite(vec![local], fingerprint, None).map_err(|_| unreadable())
    }

    /// Starts the server again whenever it dies, until told to stop it.
    pub async fn keep(mut self, reports: mpsc::Sender<Report>, mut stop: oneshot::Receiver<()>) {
        let mut short_lives = 0;
        loop {
            let started = Instant::now();
            tokio::select! {
                // Also when whoever could have said it has gone.
                _ = &mut stop => return self.running.stop().await,
                _ = self.running.child.wait() => {}
            }
            short_lives = if started.elapsed() < SHORT_LIFE { short_lives + 1 } else { 0 };
            let again = match short_lives {
                SHORT_LIVES_MAX.. => Err(died(&self.launch, "the server has died again and again")),
                _ => self.launch.start().await,
            };
            let report = match again {
                Ok(running) => {
                    self.running = running;
                    Report::Remark("Your server had died and was started again; the game goes on.".to_owned())
                }
                Err(fault) => Report::Failed(fault),
            };
            let failed = matches!(report, Report::Failed(_));
            if reports.send(report).await.is_err() || failed {
                return;
            }
        }
    }
}

/// The address to send to a friend, and what he should know about it.
///
/// # Errors
/// [`Exit::Usage`] when the given one is no address.
pub fn advertised(
    given: Option<&Advertised>,
    port: u16,
    remarks: &mut Vec<String>,
) -> Result<HostPort, Fault> {
    let no_address = |error| {
        Fault::new(Exit::Usage, "that is no address to advertise", "write --advertise HOST or HOST:PORT")
            .caused_by(error)
    };
    if let Some(given) = given {
        return given.with_port(port).map_err(no_address);
    }
    let ip = default_route().unwrap_or(Ipv4Addr::LOCALHOST.into());
    if ip.is_loopback() {
        remarks.push(
            "This machine has no route to the outside: the line works on this machine only. \
             Use --advertise HOST if that is wrong."
                .to_owned(),
        );
    } else if is_private(ip) {
        remarks.push(format!(
            "{ip} reaches this machine from your own network; for friends elsewhere forward UDP port {port} \
             on your router and use --advertise with its public address."
        ));
    }
    HostPort::new(Host::Ip(ip), port).map_err(no_address)
}

fn is_private(ip: IpAddr) -> bool {
    match ip {
        // The middle one is carrier-grade NAT (RFC 6598).
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            ip.is_private() || (first == 100 && second & 0xc0 == 64) || ip.is_link_local()
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

/// The wanted address, if it can be had: else on IPv4 where there is no IPv6, else on another port.
fn free_address(wanted: SocketAddr) -> Result<SocketAddr, Fault> {
    let bind = |address: SocketAddr| UdpSocket::bind(address).and_then(|socket| socket.local_addr());
    let on_ipv4 = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), wanted.port());
    let same_port =
        if wanted.ip().is_unspecified() && wanted.is_ipv6() { vec![wanted, on_ipv4] } else { vec![wanted] };
    let mut error = None;
    for address in same_port {
        match bind(address) {
            Ok(free) => return Ok(free),
            Err(busy) if busy.kind() == io::ErrorKind::AddrInUse => {
                return bind(SocketAddr::new(address.ip(), 0)).map_err(|error| cannot_listen(wanted, &error));
            }
            Err(other) => error = Some(other),
        }
    }
    Err(cannot_listen(wanted, &error.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into())))
}

fn cannot_listen(wanted: SocketAddr, error: &io::Error) -> Fault {
    Fault::new(Exit::Other, format!("no server can listen on {wanted}"), "give another address with --listen")
        .caused_by(error)
}

fn beside_this_program() -> Result<PathBuf, Fault> {
    let hint = "put chatrangd beside chatrang: cargo build --release builds both";
    let this = std::env::current_exe().map_err(|error| {
        Fault::new(Exit::LocalFile, "this program does not know where it lies", hint).caused_by(error)
    })?;
    let program = this.with_file_name(format!("chatrangd{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    Err(Fault::new(Exit::LocalFile, format!("there is no server at {}", program.display()), hint))
}

/// How the server is started, the first time and again.
struct Launch {
    program: PathBuf,
    data: PathBuf,
    log: PathBuf,
    listen: SocketAddr,
}

/// A server process.
struct Running {
    child: Child,
    /// The server stops when this closes, even if this program is killed.
    lifeline: ChildStdin,
    ready: Ready,
}

/// What a server says when it is ready.
#[derive(Debug, Deserialize)]
struct Ready {
    address: SocketAddr,
    fingerprint: String,
    invite: Option<String>,
}

/// The lines of a server that matter here.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ServerLine {
    Ready(Ready),
    #[serde(other)]
    Other,
}

impl Launch {
    async fn start(&self) -> Result<Running, Fault> {
        let cannot_start = |error: io::Error| {
            Fault::new(
                Exit::LocalFile,
                format!("the server {} cannot be started", self.program.display()),
                "see to it that it may be run and that its log may be written",
            )
            .caused_by(error)
        };
        let log = open_log(&self.log).map_err(cannot_start)?;
        let mut command = Command::new(&self.program);
        command
            .arg("--data")
            .arg(&self.data)
            .arg("--listen")
            .arg(self.listen.to_string())
            .args(["--json", "--while-stdin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log);
        // Ctrl-C asks the player; it must not stop the server meanwhile.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(cannot_start)?;
        let (Some(lifeline), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(died(self, "the server has no pipes"));
        };
        let mut lines = BufReader::new(stdout).lines();
        let ready = async {
            while let Ok(Some(line)) = lines.next_line().await {
                if let Ok(ServerLine::Ready(ready)) = serde_json::from_str(&line) {
                    return Some(ready);
                }
            }
            None
        };
        let ready = timeout(Duration::from_secs(READY_SECONDS_MAX), ready).await;
        let Ok(Some(ready)) = ready else { return Err(died(self, "the server did not start")) };
        // Nobody reads on, but a full pipe would make the server wait.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Running { child, lifeline, ready })
    }
}

/// The server's log, which names players and their addresses: for its owner only, also where an earlier
/// version has made it.
fn open_log(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let log = options.open(path)?;
    #[cfg(unix)]
    log.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(log)
}

impl Running {
    async fn stop(mut self) {
        drop(self.lifeline);
        if timeout(Duration::from_secs(STOP_SECONDS_MAX), self.child.wait()).await.is_err() {
            // Its games are on disk; there is nobody to tell if it is gone already.
            let _ = self.child.kill().await;
        }
    }
}

/// The server is not there; its log says why.
fn died(launch: &Launch, text: &str) -> Fault {
    let fault = Fault::new(Exit::LocalFile, text, format!("read its log: {}", launch.log.display()));
    let log = fs::read_to_string(&launch.log).unwrap_or_default();
    match log.lines().rfind(|line| !line.trim().is_empty()) {
        Some(last) => fault.caused_by(last),
        None => fault,
    }
}

fn unreadable(launch: &Launch, why: &str) -> Fault {
    let hint = format!("see to it that {} has the version of this program", launch.program.display());
    Fault::new(Exit::VersionMismatch, format!("the own server cannot be understood: {why}"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_gives_way_to_another() {
        let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
        let wanted = taken.local_addr().unwrap();
        let free = free_address(wanted).unwrap();
        assert_eq!(free.ip(), wanted.ip());
        assert_ne!(free.port(), wanted.port());
    }

    #[cfg(unix)]
    #[test]
    fn the_log_is_private_even_if_it_was_not() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("chatrang-host-log-{}", std::process::id()));
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        open_log(&path).unwrap();
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        open_log(&path).unwrap();
        assert_eq!(mode(), 0o600);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_ready_line_is_found_among_others() {
        let fingerprint = "0vhzv3yt56xp1atsanyyc7pv18";
        let line = format!(
            r#"{{"v":1,"type":"ready","address":"[::]:7777","fingerprint":"{fingerprint}","invite":null}}"#
        );
        let ServerLine::Ready(ready) = serde_json::from_str(&line).unwrap() else { panic!("{line}") };
        assert_eq!(
            (ready.address.port(), ready.fingerprint.as_str(), ready.invite),
            (7777, fingerprint, None)
        );
        let other = serde_json::from_str(r#"{"v":1,"type":"game_started","game":1}"#).unwrap();
        assert!(matches!(other, ServerLine::Other));
    }

    #[test]
    fn a_given_address_is_advertised_as_it_is() {
        let mut remarks = Vec::new();
        let given: Advertised = "chess.example.net".parse().unwrap();
        assert_eq!(
            advertised(Some(&given), 7790, &mut remarks).unwrap().to_string(),
            "chess.example.net:7790"
        );
        assert!(remarks.is_empty());
    }

    #[test]
    fn private_addresses_are_known() {
        for (ip, private) in [
            ("192.168.1.5", true),
            ("10.0.0.1", true),
            ("172.31.0.1", true),
            ("100.64.0.1", true),
            ("100.128.0.1", false),
            ("198.51.100.7", false),
            ("fd00::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(is_private(ip.parse().unwrap()), private, "{ip}");
        }
    }
}
