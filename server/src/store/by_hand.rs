//! A store without threads: whoever opened it does their work, a step at a time and when he likes.
//!
//! For simulations. The steps are the threads' own, so a world in which the server dies between two of them
//! dies where a real one can.

use super::fault::{Pulse, StoreFailure};
use super::reader::{self, ReadRequest};
use super::writer::{Batch, Leisure, Writer};
use rusqlite::Connection;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// The work of a store's threads, to be done by its owner. Dropped, it leaves the files as they are: whatever
/// still waits is answered as by a store that has stopped.
pub struct Hand {
    writer: Writer,
    reader: Connection,
    reads: Receiver<ReadRequest>,
    pulse: Arc<Pulse>,
    bell: Arc<Notify>,
    /// Dropped with the hand, so that whoever closes the store knows.
    _alive: oneshot::Sender<()>,
}

/// Requests that were taken together, and go into one transaction.
#[must_use]
pub struct Taken(Batch);

/// What became of their transaction. Nobody has been told yet.
#[must_use]
pub struct Made {
    batch: Batch,
    outcome: Result<(), StoreFailure>,
}

impl Hand {
    pub(super) fn new(
        writer: Writer,
        reader: Connection,
        reads: Receiver<ReadRequest>,
        bell: Arc<Notify>,
        alive: oneshot::Sender<()>,
    ) -> Self {
        let pulse = writer.pulse();
        Self { writer, reader, reads, pulse, bell, _alive: alive }
    }

    /// Completes when something may have been asked for since it last did.
    ///
    /// Cancel-safe.
    pub fn asked(&self) -> impl Future<Output = ()> + Send + use<> {
        let bell = self.bell.clone();
        async move { bell.notified().await }
    }

    /// How long the writer would wait for a request before it [tends](Self::tend) to something else.
    pub fn patience(&self) -> Duration {
        self.writer.patience()
    }

    /// Answers all that only reads, as the reader's thread does.
    pub fn read(&mut self) {
        while let Ok(ReadRequest::Read(read)) = self.reads.try_recv() {
            reader::answer(&self.reader, read, &self.pulse);
        }
    }

    /// Takes all that waits for the writer.
    pub fn take(&mut self) -> Taken {
        Taken(self.writer.gather(None))
    }

    /// Makes the changes that were taken, in one transaction, and commits it: they are on disk when this
    /// returns, unless they could not be.
    pub fn commit(&mut self, taken: Taken) -> Made {
        let mut batch = taken.0;
        let outcome = self.writer.commit(&mut batch);
        Made { batch, outcome }
    }

    /// Answers all who have asked.
    pub fn answer(&mut self, made: Made) {
        self.writer.settle(made.batch, &made.outcome);
    }

    /// What the writer does in an idle moment: packs a little, or tries a disk that was full.
    pub fn tend(&mut self) {
        self.writer.tend(Leisure::Idle);
    }

    /// What the writer does between two commits, when more waits: nothing, unless its upkeep is overdue.
    pub fn tend_meanwhile(&mut self) {
        self.writer.tend(Leisure::Busy);
    }

    /// What the checkpointer's thread does.
    pub fn checkpoint(&mut self) {
        self.writer.checkpoint();
    }

    /// Ends as a store does that is closed.
    pub fn close(self) {
        let Self { writer, reader, .. } = self;
        // The last connection must be one that can remove the log.
        drop(reader);
        writer.close();
    }
}

impl Taken {
    /// How many changes it carries.
    pub fn changes(&self) -> usize {
        self.0.changes()
    }

    /// Whether the store is to be [closed](Hand::close) once they are answered.
    pub fn is_last(&self) -> bool {
        self.0.is_last()
    }

    /// Whether nothing was waiting.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hand(..)")
    }
}
