//! What `systemd`, or whoever else speaks its protocol, is told of the server: that it serves, that it
//! stops, and now and then that it lives (sd_notify(3)).
//!
//! The protocol is a datagram with a word in it. Nobody is asked to be there: without a socket in the
//! environment nothing is told to anyone.

use std::convert::Infallible;
use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// Whoever started the server and watches over it.
#[derive(Debug, Default)]
pub struct Supervisor {
    /// Where to tell it.
    line: Option<(UnixDatagram, SocketAddr)>,
    /// How long it waits for a sign of life before it ends the server.
    patience: Option<Duration>,
}

impl Supervisor {
    /// The supervisor that the environment names, if it names one.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let line = variable("NOTIFY_SOCKET").and_then(|name| open(&name).ok());
        let meant_for_us = variable("WATCHDOG_PID").is_none_or(|id| id == std::process::id().to_string());
        let patience = variable("WATCHDOG_USEC").filter(|_| meant_for_us).and_then(|us| us.parse().ok());
        Self { line, patience: patience.filter(|&us| us > 0).map(Duration::from_micros) }
    }

    /// Tells it that the server serves.
    pub fn ready(&self) {
        self.tell("READY=1");
    }

    /// Tells it that the server stops.
    pub fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// Shows it signs of life, as often as it wants them.
    pub async fn show_life(&self) -> Infallible {
        let Some(patience) = self.patience else { return std::future::pending().await };
        let mut signs = tokio::time::interval(patience / 2);
        loop {
            signs.tick().await;
            self.tell("WATCHDOG=1");
        }
    }

    fn tell(&self, word: &str) {
        if let Some((socket, address)) = &self.line {
            // A supervisor that has gone, or does not read, is not worth a game.
            let _ = socket.send_to_addr(word.as_bytes(), address);
        }
    }
}

fn open(name: &str) -> io::Result<(UnixDatagram, SocketAddr)> {
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    Ok((socket, address(name)?))
}

/// A path, or on Linux a name that is no file's, written with an `@`.
fn address(name: &str) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = name.strip_prefix('@') {
        return <SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn heard(socket: &UnixDatagram) -> String {
        let mut word = [0; 64];
        let bytes = socket.recv(&mut word).unwrap();
        String::from_utf8(word[..bytes].to_vec()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn it_hears_what_it_wants_to_hear() {
        let scratch = Scratch::new();
        let path = scratch.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let supervisor = Supervisor::of_environment(|name| match name {
            "NOTIFY_SOCKET" => Some(path.to_str().unwrap().to_owned()),
            "WATCHDOG_USEC" => Some("30000000".to_owned()),
            _ => None,
        });
        supervisor.ready();
        assert_eq!(heard(&socket), "READY=1");
        let began = tokio::time::Instant::now();
        let watched = tokio::time::timeout(Duration::from_secs(31), supervisor.show_life()).await;
        assert!(watched.is_err() && began.elapsed() == Duration::from_secs(31));
        for _ in 0..3 {
            assert_eq!(heard(&socket), "WATCHDOG=1", "at once, and every half of its patience");
        }
        supervisor.stopping();
        assert_eq!(heard(&socket), "STOPPING=1");
    }

    #[test]
    fn what_is_meant_for_another_process_or_makes_no_sense_is_left_alone() {
        for (name, value) in [("WATCHDOG_PID", "1"), ("WATCHDOG_USEC", "often"), ("WATCHDOG_USEC", "0")] {
            let supervisor = Supervisor::of_environment(|asked| match asked {
                _ if asked == name => Some(value.to_owned()),
                "WATCHDOG_USEC" => Some("1000000".to_owned()),
                _ => None,
            });
            assert_eq!(supervisor.patience, None, "{name}={value}");
            supervisor.ready();
        }
    }
}
