//! The servers this machine knows: which key each had when it was first met, and which was used last.

use crate::config;
use crate::fault::{Exit, Fault};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::invite::{HostPort, ServerAddress};
use chatrang_protocol::key::Fingerprint;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The known servers, and the file that keeps them.
#[derive(Debug)]
pub struct KnownServers {
    path: PathBuf,
    kept: Kept,
}

/// The file's content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// The address of the server used last.
    last: Option<String>,
    #[serde(default, rename = "server")]
    servers: Vec<KnownServer>,
}

/// A server that was met before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownServer {
    /// `HOST:PORT`.
    pub address: String,
    /// Its key's fingerprint.
    pub fingerprint: String,
    /// The day it was first met, as `2026-11-29`.
    pub first_seen: String,
    /// The player's name there, once he is in.
    pub handle: Option<String>,
}

impl KnownServer {
    /// Its key's fingerprint; none when somebody has damaged the file.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint.parse().ok()
    }
}

impl KnownServers {
    /// Reads the file; without one no server is known.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when it is there but cannot be read or understood.
    pub fn load(path: PathBuf) -> Result<Self, Fault> {
        let kept = Kept::read(&path)?;
        Ok(Self { path, kept })
    }

    /// All of them, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = &KnownServer> {
        self.kept.servers.iter()
    }

    /// The server at an address, if it is known.
    pub fn find(&self, address: &HostPort) -> Option<&KnownServer> {
        self.kept.find(&address.to_string())
    }

    /// The server used last.
    pub fn last(&self) -> Option<ServerAddress> {
        self.kept.last.as_ref()?.parse().ok()
    }

    /// Notes the key of a server that is met for the first time at this address.
    ///
    /// # Errors
    /// [`Exit::ServerKeyChanged`] when another key is known there, perhaps since another process has just
    /// met it; [`Exit::LocalFile`] when the file cannot be read or written.
    pub fn learn(
        &mut self,
        address: &HostPort,
        fingerprint: Fingerprint,
        now: SystemTime,
    ) -> Result<(), Fault> {
        self.change(|kept| {
            if let Some(known) = kept.find(&address.to_string()) {
                let is_same = known.fingerprint() == Some(fingerprint);
                return if is_same {
                    Ok(())
                } else {
                    Err(key_changed(address, known, &fingerprint.to_string()))
                };
            }
            kept.servers.push(KnownServer {
                address: address.to_string(),
                fingerprint: fingerprint.to_string(),
                first_seen: day(now),
                handle: None,
            });
            Ok(())
        })
    }

    /// Notes that the player is in, under which name, and that this server was used last.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when the file cannot be read or written.
    pub fn entered(&mut self, address: &HostPort, handle: &Handle) -> Result<(), Fault> {
        let address = address.to_string();
        self.change(|kept| {
            if let Some(server) = kept.servers.iter_mut().find(|server| server.address == address) {
                server.handle = Some(handle.to_string());
            }
            kept.last = Some(address);
            Ok(())
        })
    }

    /// Forgets a server; says whether it was known.
    ///
    /// # Errors
    /// [`Exit::LocalFile`] when the file cannot be read or written.
    pub fn forget(&mut self, address: &HostPort) -> Result<bool, Fault> {
        let address = address.to_string();
        self.change(|kept| {
            let before = kept.servers.len();
            kept.servers.retain(|server| server.address != address);
            kept.last.take_if(|last| *last == address);
            Ok(kept.servers.len() < before)
        })
    }

    /// Changes the file as it is now, one process after the other: another may have met a server since it was
    /// read here.
    fn change<T>(&mut self, change: impl FnOnce(&mut Kept) -> Result<T, Fault>) -> Result<T, Fault> {
        if let Some(dir) = self.path.parent() {
            config::make_private_dir(dir)?;
        }
        let fault = |error: &dyn std::fmt::Display| {
            let hint = format!("see to it that you may write to {}", self.path.display());
            Fault::new(Exit::LocalFile, "the list of known servers cannot be written", hint).caused_by(error)
        };
        // A file beside the list, which itself is replaced as a whole. Whoever ends lets go of it.
        let lock = File::create(self.path.with_extension("lock")).map_err(|error| fault(&error))?;
        lock.lock().map_err(|error| fault(&error))?;
        let mut kept = Kept::read(&self.path)?;
        let changed = change(&mut kept)?;
        let text = toml::to_string(&kept).map_err(|error| fault(&error))?;
        config::write_private_file(&self.path, text.as_bytes()).map_err(|error| fault(&error))?;
        self.kept = kept;
        Ok(changed)
    }
}

impl Kept {
    fn read(path: &Path) -> Result<Self, Fault> {
        let fault = |error: &dyn std::fmt::Display| {
            let hint = format!("correct {} or move it away, which forgets every server", path.display());
            Fault::new(Exit::LocalFile, "the list of known servers cannot be read", hint).caused_by(error)
        };
        let kept: Self = match fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).map_err(|error| fault(&error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(fault(&error)),
        };
        if let Some(damaged) = kept.servers.iter().find(|server| server.fingerprint().is_none()) {
            return Err(fault(&format!("{} is no fingerprint", damaged.fingerprint)));
        }
        Ok(kept)
    }

    fn find(&self, address: &str) -> Option<&KnownServer> {
        self.servers.iter().find(|server| server.address == address)
    }
}

/// The fault of a server that has another key than before.
pub fn key_changed(address: &HostPort, known: &KnownServer, shown: &str) -> Fault {
    let text = format!(
        "{address} has another key than on {first_seen}: somebody may be between you and it, or it was set up anew\n  \
         known since {first_seen}: {old}\n  shown now:             {shown}",
        first_seen = known.first_seen,
        old = known.fingerprint,
    );
    let hint = format!(
        "ask its operator for the fingerprint of the server's key; only if it is the one shown now, \
         run: chatrang trust forget {address}"
    );
    Fault::new(Exit::ServerKeyChanged, text, hint)
}

/// The day of an instant in UTC, as `2026-11-29`.
fn day(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let mut days = since.as_secs() / 86_400;
    let mut year = 1970_u64;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::Scratch;

    const ONE: &str = "0vhzv3yt56xp1atsanyyc7pv18";
    const OTHER: &str = "00000000000000000000000000";

    fn address(text: &str) -> HostPort {
        text.parse().unwrap()
    }

    #[test]
    fn a_server_is_known_after_it_was_learnt() {
        let scratch = Scratch::new();
        let path = scratch.0.join("deep").join("servers.toml");
        let mut known = KnownServers::load(path.clone()).unwrap();
        assert_eq!(known.last(), None);
        let now = UNIX_EPOCH + Duration::from_secs(1_795_900_000);
        known.learn(&address("a.example:7777"), ONE.parse().unwrap(), now).unwrap();
        known.learn(&address("[2001:db8::1]:7777"), OTHER.parse().unwrap(), now).unwrap();
        known.entered(&address("a.example:7777"), &Handle::new("bob").unwrap()).unwrap();

        let again = KnownServers::load(path).unwrap();
        let server = again.find(&address("a.example:7777")).unwrap();
        assert_eq!(server.fingerprint(), ONE.parse().ok());
        assert_eq!(server.first_seen, "2026-11-28");
        assert_eq!(server.handle.as_deref(), Some("bob"));
        assert_eq!(again.find(&address("[2001:db8::1]:7777")).unwrap().fingerprint(), OTHER.parse().ok());
        assert_eq!(again.find(&address("a.example:7778")), None);
        assert_eq!(again.last().unwrap().to_string(), "a.example:7777");
    }

    #[test]
    fn the_first_key_stays_until_it_is_forgotten() {
        let scratch = Scratch::new();
        let mut known = KnownServers::load(scratch.0.join("servers.toml")).unwrap();
        let server = address("a.example:7777");
        known.learn(&server, ONE.parse().unwrap(), UNIX_EPOCH).unwrap();
        let other = known.learn(&server, OTHER.parse().unwrap(), UNIX_EPOCH).unwrap_err();
        assert_eq!(other.exit, Exit::ServerKeyChanged);
        assert_eq!(known.find(&server).unwrap().fingerprint(), ONE.parse().ok());
        assert!(known.forget(&server).unwrap());
        assert!(!known.forget(&server).unwrap());
        known.learn(&server, OTHER.parse().unwrap(), UNIX_EPOCH).unwrap();
        assert_eq!(known.find(&server).unwrap().fingerprint(), OTHER.parse().ok());
    }

    /// Each has read the file before any of the others has written it.
    #[test]
    fn none_of_many_who_write_at_once_loses_anothers_pin() {
        let scratch = Scratch::new();
        let path = scratch.0.join("servers.toml");
        let readers: Vec<_> = (0..8).map(|_| KnownServers::load(path.clone()).unwrap()).collect();
        std::thread::scope(|scope| {
            for (number, mut known) in readers.into_iter().enumerate() {
                scope.spawn(move || {
                    let server = address(&format!("host{number}.example:7777"));
                    known.learn(&server, ONE.parse().unwrap(), UNIX_EPOCH).unwrap();
                    known.entered(&server, &Handle::new("bob").unwrap()).unwrap();
                });
            }
        });
        let known = KnownServers::load(path).unwrap();
        assert_eq!(known.iter().filter(|server| server.handle.is_some()).count(), 8);
    }

    /// Whoever has met another key meanwhile than this process sees now must not be talked over.
    #[test]
    fn two_who_meet_two_keys_at_one_address_are_not_both_right() {
        let scratch = Scratch::new();
        let path = scratch.0.join("servers.toml");
        let [mut first, mut second] = [(), ()].map(|()| KnownServers::load(path.clone()).unwrap());
        let server = address("a.example:7777");
        first.learn(&server, ONE.parse().unwrap(), UNIX_EPOCH).unwrap();
        let fault = second.learn(&server, OTHER.parse().unwrap(), UNIX_EPOCH).unwrap_err();
        assert!(fault.to_string().contains(ONE) && fault.to_string().contains(OTHER), "{fault}");
    }

    #[test]
    fn a_changed_key_names_both_the_day_and_the_two_ways_on() {
        let scratch = Scratch::new();
        let mut known = KnownServers::load(scratch.0.join("servers.toml")).unwrap();
        let server = address("a.example:7777");
        known.learn(&server, ONE.parse().unwrap(), UNIX_EPOCH).unwrap();
        let fault = key_changed(&server, known.find(&server).unwrap(), OTHER);
        assert_eq!(fault.exit, Exit::ServerKeyChanged);
        for part in [ONE, OTHER, "1970-01-01", "ask its operator", "chatrang trust forget a.example:7777"] {
            assert!(fault.to_string().contains(part), "{part} in {fault}");
        }
    }

    #[test]
    fn a_damaged_file_is_not_overwritten_in_silence() {
        let scratch = Scratch::new();
        let path = scratch.0.join("servers.toml");
        for damage in ["[[server]]\naddress = 'a'", "server", "last = 3"] {
            fs::write(&path, damage).unwrap();
            assert_eq!(KnownServers::load(path.clone()).unwrap_err().exit, Exit::LocalFile, "{damage}");
        }
    }

    #[test]
    fn days_are_the_calendars() {
        for (days, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_786, "2026-11-29"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(day(UNIX_EPOCH + Duration::from_secs(days * 86_400)), text);
        }
    }
}
