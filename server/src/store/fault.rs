//! What can go wrong with a write, by what must happen then.

use rusqlite::ffi;
use std::sync::Arc;
use tokio::sync::watch;

/// Why a request to the store was not carried out; nothing of it is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// The disk is full, or another program holds the database. The store tries again by itself and
    /// tells through [`Health`].
    #[error("the server's disk is full, or another program holds its database")]
    Full,
    /// Too many requests wait for the disk; this one was not queued.
    #[error("the server's disk does not keep up")]
    Busy,
    /// The request contradicts what is stored: a fault in the server, which harms this request alone.
    #[error("the store refuses: {0}")]
    Refused(String),
    /// A flush failed, or the database is damaged: what is on disk is unknown, and nothing will be
    /// written any more. The process must stop.
    #[error("the store has failed: {0}")]
    Fatal(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Stopped,
}

impl StoreFailure {
    /// Sorts SQLite's error by what must happen now.
    pub(super) fn of(error: &rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(code, _) = error else {
            // Values that do not convert, rows that are missing: about one request.
            return Self::Refused(error.to_string());
        };
        match code.code {
            // Somebody else's lock leaves nothing half done, and goes.
            ffi::ErrorCode::DiskFull | ffi::ErrorCode::DatabaseBusy | ffi::ErrorCode::DatabaseLocked => {
                Self::Full
            }
            ffi::ErrorCode::ConstraintViolation => Self::Refused(error.to_string()),
            // The shared memory beside the log could not grow: the disk is full, nothing was written.
            _ if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
            // The number tells a failed flush (1034) from a failed write (778) or a failed read (266).
            _ => Self::Fatal(format!("{error} (SQLite {})", code.extended_code)),
        }
    }
}

/// Whether the store can write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It can.
    Healthy,
    /// The disk is full: everything that writes is refused, and a write is tried about twice a second.
    Full,
    /// It never will again in this process; why.
    Failed(String),
}

/// The writer's side of [`Health`].
#[derive(Debug)]
pub(super) struct Pulse(watch::Sender<Health>);

impl Pulse {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(Health::Healthy))
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Health> {
        self.0.subscribe()
    }

    pub(super) fn health(&self) -> Health {
        self.0.borrow().clone()
    }

    /// Publishes that the store has failed, if that is what a request has met with.
    pub(super) fn note(&self, failure: &StoreFailure) {
        if let StoreFailure::Fatal(why) = failure {
            self.set(Health::Failed(why.clone()));
        }
    }

    /// Publishes a change; a store that has failed stays so.
    pub(super) fn set(&self, health: Health) {
        self.0.send_if_modified(|present| {
            if matches!(present, Health::Failed(_)) || *present == health {
                return false;
            }
            match &health {
                Health::Healthy => tracing::warn!("the disk has room again: play goes on"),
                Health::Full => tracing::error!("the disk is full: all games pause until there is room"),
                Health::Failed(why) => tracing::error!(why, "the store has failed: the server must stop"),
            }
            *present = health;
            true
        });
    }
}

/// Tells the world when its thread panics, so that nobody plays on a store that is gone.
pub(super) struct Obituary {
    pulse: Arc<Pulse>,
    sentence: &'static str,
}

impl Obituary {
    pub(super) fn new(pulse: Arc<Pulse>, sentence: &'static str) -> Self {
        Self { pulse, sentence }
    }
}

impl Drop for Obituary {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.pulse.set(Health::Failed(self.sentence.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sorted_by_what_must_happen() {
        let of = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            StoreFailure::of(&error)
        };
        assert_eq!(of(ffi::SQLITE_FULL), StoreFailure::Full);
        assert_eq!(of(ffi::SQLITE_IOERR_SHMSIZE), StoreFailure::Full);
        assert!(matches!(of(ffi::SQLITE_CONSTRAINT_UNIQUE), StoreFailure::Refused(_)));
        for fatal in
            [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_CORRUPT, ffi::SQLITE_READONLY]
        {
            assert!(matches!(of(fatal), StoreFailure::Fatal(_)), "{fatal}");
        }
        let missing = StoreFailure::of(&rusqlite::Error::QueryReturnedNoRows);
        assert!(matches!(missing, StoreFailure::Refused(_)));
    }

    #[test]
    fn a_failed_store_never_recovers() {
        let pulse = Pulse::new();
        let health = pulse.subscribe();
        pulse.set(Health::Full);
        pulse.set(Health::Healthy);
        assert_eq!(*health.borrow(), Health::Healthy);
        pulse.set(Health::Failed("flush".into()));
        pulse.set(Health::Healthy);
        pulse.set(Health::Failed("later".into()));
        assert_eq!(*health.borrow(), Health::Failed("flush".into()));
    }
}
