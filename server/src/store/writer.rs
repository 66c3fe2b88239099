//! The writer: one thread, one connection, one transaction for all that waits.

use super::checkpoint::{Checkpointer, copy_log, empty_log};
use super::counters::Counters;
use super::data_dir::DataDir;
use super::fault::{Health, Obituary, Pulse, StoreFailure};
use super::heads::Heads;
use super::journal::{self, JournalRow};
use super::reader::{ReadRequest, Reader};
use crate::timeline::ServerInstant;
use rusqlite::Connection;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// Requests that one transaction carries: bounds how long the first of them waits for the last.
const BATCH_MAX: usize = 4_096;

/// How long nobody must have asked for anything before the writer tidies up: a flush begun now
/// should make no move wait.
const IDLE: Duration = Duration::from_millis(20);

/// How often a full disk is tried.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);

/// What a probe writes: enough for play to go on for a while, so that the store does not flicker
/// between full and healthy for the sake of one page.
const PROBE_BYTES: u32 = 64 * 1024;

/// What the queue holds.
pub(super) enum Request {
    /// Part of the next transaction; answered when that is on disk.
    Change(Box<dyn Change>),
    /// Answered after the transaction.
    Query(Query),
    /// The last request.
    Close,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Change(_) => "Change",
            Self::Query(_) => "Query",
            Self::Close => "Close",
        })
    }
}

/// Reads, tells the health what went wrong with the store itself, and answers.
pub(super) type Query = Box<dyn FnOnce(&Connection, &Heads, &Pulse) + Send>;

/// A change, first made and then, when its transaction's fate is known, answered.
pub(super) trait Change: Send {
    /// Makes it; an error takes the whole transaction back.
    fn make(&mut self, connection: &Connection, heads: &mut Heads) -> rusqlite::Result<()>;

    /// Tells whoever asked, who may have gone meanwhile.
    fn answer(self: Box<Self>, outcome: Result<(), StoreFailure>);
}

/// Rows for the journal.
pub(super) struct Append {
    rows: Vec<JournalRow>,
    refusal: Option<String>,
    answer: oneshot::Sender<Result<(), StoreFailure>>,
}

impl Append {
    pub(super) fn new(rows: Vec<JournalRow>, answer: oneshot::Sender<Result<(), StoreFailure>>) -> Self {
        Self { rows, refusal: None, answer }
    }
}

impl Change for Append {
    fn make(&mut self, connection: &Connection, heads: &mut Heads) -> rusqlite::Result<()> {
        match heads.consider(connection, &self.rows)? {
            Ok(()) => heads.append(connection, &self.rows),
            Err(refusal) => {
                tracing::error!(refusal, "a game and its journal disagree");
                self.refusal = Some(refusal);
                Ok(())
            }
        }
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreFailure>) {
        let refused = self.refusal.map_or(Ok(()), |refusal| Err(StoreFailure::Refused(refusal)));
        let _ = self.answer.send(outcome.and(refused));
    }
}

/// A heartbeat.
pub(super) struct Beat(ServerInstant);

impl Beat {
    pub(super) fn new(at: ServerInstant) -> Self {
        Self(at)
    }
}

impl Change for Beat {
    fn make(&mut self, connection: &Connection, _: &mut Heads) -> rusqlite::Result<()> {
        journal::beat(connection, self.0)
    }

    fn answer(self: Box<Self>, _: Result<(), StoreFailure>) {}
}

/// Any other change, undone alone when it contradicts the data.
pub(super) struct Job<T, F> {
    work: Option<F>,
    made: Result<T, StoreFailure>,
    answer: oneshot::Sender<Result<T, StoreFailure>>,
}

impl<T, F> Job<T, F> {
    pub(super) fn new(work: F, answer: oneshot::Sender<Result<T, StoreFailure>>) -> Self {
        Self { work: Some(work), made: Err(StoreFailure::Stopped), answer }
    }
}

impl<T: Send, F: FnOnce(&Connection) -> rusqlite::Result<T> + Send> Change for Job<T, F> {
    fn make(&mut self, connection: &Connection, _: &mut Heads) -> rusqlite::Result<()> {
        let Some(work) = self.work.take() else { return Ok(()) };
        connection.execute_batch("SAVEPOINT job")?;
        self.made = match work(connection) {
            Ok(made) => Ok(made),
            Err(error) => match StoreFailure::of(&error) {
                refused @ StoreFailure::Refused(_) => {
                    tracing::error!(%error, "a change contradicts the stored data");
                    connection.execute_batch("ROLLBACK TO job")?;
                    Err(refused)
                }
                _ => return Err(error),
            },
        };
        connection.execute_batch("RELEASE job")
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreFailure>) {
        let _ = self.answer.send(outcome.and(self.made));
    }
}

/// All that the thread owns. The order of the fields is the order of their end: the directory is let
/// go of last.
pub(super) struct Writer {
    queue: Receiver<Request>,
    heads: Heads,
    pulse: Arc<Pulse>,
    counters: Arc<Counters>,
    /// When a full disk is tried next.
    probe_at: Instant,
    /// `None` in memory.
    checkpointer: Option<Checkpointer>,
    /// `None` in memory. Ended here, since the last connection must be one that can remove the
    /// write-ahead log.
    reader: Option<Reader>,
    connection: Connection,
    _held: Option<DataDir>,
}

/// All that one turn of the writer serves.
#[derive(Default)]
pub(super) struct Batch {
    changes: Vec<Box<dyn Change>>,
    queries: Vec<Query>,
    is_last: bool,
}

impl Batch {
    /// How many changes it carries.
    pub(super) fn changes(&self) -> usize {
        self.changes.len()
    }

    /// Whether nothing was waiting.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.queries.is_empty() && !self.is_last
    }

    /// Whether closing was among the requests.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }
}

/// Whether the queue was empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leisure {
    Busy,
    Idle,
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        heads: Heads,
        held: Option<(DataDir, PathBuf)>,
        queue: Receiver<Request>,
        requests_max: usize,
    ) -> io::Result<Self> {
        let (pulse, counters) = (Arc::new(Pulse::new()), Arc::new(Counters::default()));
        let (held, checkpointer, reader) = match held {
            Some((dir, path)) => {
                let checkpointer = Checkpointer::start(&path, counters.clone(), pulse.clone())?;
                let reader = Reader::start(&path, requests_max, pulse.clone())?;
                (Some(dir), Some(checkpointer), Some(reader))
            }
            None => (None, None, None),
        };
        let probe_at = Instant::now();
        Ok(Self { queue, heads, pulse, counters, probe_at, checkpointer, reader, connection, _held: held })
    }

    /// A writer without threads beside it.
    pub(super) fn alone(
        connection: Connection,
        heads: Heads,
        held: DataDir,
        queue: Receiver<Request>,
    ) -> Self {
        Self {
            queue,
            heads,
            pulse: Arc::new(Pulse::new()),
            counters: Arc::default(),
            probe_at: Instant::now(),
            checkpointer: None,
            reader: None,
            connection,
            _held: Some(held),
        }
    }

    pub(super) fn pulse(&self) -> Arc<Pulse> {
        self.pulse.clone()
    }

    pub(super) fn health(&self) -> watch::Receiver<Health> {
        self.pulse.subscribe()
    }

    pub(super) fn counters(&self) -> Arc<Counters> {
        self.counters.clone()
    }

    /// Where to put what only reads.
    pub(super) fn reads(&self) -> Option<SyncSender<ReadRequest>> {
        self.reader.as_ref().map(Reader::requests)
    }

    /// The thread: until it is told to close, or nobody is left who could tell it.
    pub(super) fn run(mut self) {
        let _obituary = Obituary::new(self.pulse.clone(), "its writer panicked");
        loop {
            match self.queue.recv_timeout(self.patience()) {
                Ok(Request::Close) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(first) => {
                    if self.serve(first) {
                        break;
                    }
                    self.tend(Leisure::Busy);
                }
                Err(RecvTimeoutError::Timeout) => self.tend(Leisure::Idle),
            }
        }
        self.close();
    }

    /// How long to wait for a request before there is something else to do.
    pub(super) fn patience(&self) -> Duration {
        match self.pulse.health() {
            Health::Full => self.probe_at.saturating_duration_since(Instant::now()),
            Health::Healthy if self.heads.is_untidy() => IDLE,
            Health::Healthy | Health::Failed(_) => Duration::from_hours(1),
        }
    }

    /// Serves all that waits; `true` when closing was among it.
    fn serve(&mut self, first: Request) -> bool {
        let mut batch = self.gather(Some(first));
        let is_last = batch.is_last();
        let outcome = self.commit(&mut batch);
        self.settle(batch, &outcome);
        is_last
    }

    /// Takes all that waits, up to a closing or the most that one turn serves.
    pub(super) fn gather(&mut self, first: Option<Request>) -> Batch {
        let mut batch = Batch::default();
        let mut next = first.or_else(|| self.queue.try_recv().ok());
        while let Some(request) = next {
            match request {
                Request::Change(change) => batch.changes.push(change),
                Request::Query(query) => batch.queries.push(query),
                Request::Close => {
                    batch.is_last = true;
                    break;
                }
            }
            let room = batch.changes.len() + batch.queries.len() < BATCH_MAX;
            next = if room { self.queue.try_recv().ok() } else { None };
        }
        self.counters.take(batch.changes.len() + batch.queries.len());
        batch
    }

    /// One transaction and one flush for all changes of a batch.
    pub(super) fn commit(&mut self, batch: &mut Batch) -> Result<(), StoreFailure> {
        if batch.changes.is_empty() {
            return Ok(());
        }
        let changes = &mut batch.changes;
        match self.pulse.health() {
            Health::Failed(why) => Err(StoreFailure::Fatal(why)),
            Health::Full => Err(StoreFailure::Full),
            Health::Healthy => self.transact(changes.len() as u64, |transaction, heads| {
                changes.iter_mut().try_for_each(|change| change.make(transaction, heads))
            }),
        }
    }

    /// Every answer, the changes' first.
    pub(super) fn settle(&self, batch: Batch, outcome: &Result<(), StoreFailure>) {
        for change in batch.changes {
            change.answer(outcome.clone());
        }
        for query in batch.queries {
            self.answer(query);
        }
    }

    /// Runs `work` in a transaction and commits it; on any error nothing of it is kept, and the
    /// store's health says why.
    fn transact(
        &mut self,
        changes: u64,
        work: impl FnOnce(&Connection, &mut Heads) -> rusqlite::Result<()>,
    ) -> Result<(), StoreFailure> {
        self.counters.begin();
        match self.in_transaction(work) {
            Ok(()) => {
                self.counters.count(changes);
                Ok(())
            }
            Err(error) => {
                self.counters.take_back();
                Err(self.take_back(&error))
            }
        }
    }

    /// By statements that SQLite has read once, and not at every commit as with [`rusqlite::Transaction`].
    fn in_transaction(
        &mut self,
        work: impl FnOnce(&Connection, &mut Heads) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let run = |connection: &Connection, sql| connection.prepare_cached(sql)?.execute([]).map(|_| ());
        run(&self.connection, "BEGIN IMMEDIATE")?;
        let outcome = work(&self.connection, &mut self.heads).and_then(|()| run(&self.connection, "COMMIT"));
        // Some errors have ended the transaction by themselves.
        if outcome.is_err() && !self.connection.is_autocommit() {
            // If this fails as well, so does the next transaction: the first error is the one to tell.
            let _ = run(&self.connection, "ROLLBACK");
        }
        outcome
    }

    /// After a rollback: memory says again what the disk says, and everybody learns what it was.
    fn take_back(&mut self, error: &rusqlite::Error) -> StoreFailure {
        let mut failure = StoreFailure::of(error);
        match Heads::load(&self.connection) {
            Ok(heads) => self.heads = heads,
            Err(unread) => failure = StoreFailure::Fatal(format!("{error}, and then {unread}")),
        }
        match &failure {
            StoreFailure::Full => {
                self.probe_at = Instant::now() + PROBE_INTERVAL;
                self.pulse.set(Health::Full);
            }
            StoreFailure::Fatal(why) => self.pulse.set(Health::Failed(why.clone())),
            StoreFailure::Refused(_) | StoreFailure::Busy | StoreFailure::Stopped => {
                tracing::error!(%error, "a transaction contradicts the stored data");
            }
        }
        failure
    }

    fn answer(&self, query: Query) {
        if matches!(self.pulse.health(), Health::Failed(_)) {
            // Whoever asked reads the reason from the health.
            return;
        }
        query(&self.connection, &self.heads, &self.pulse);
    }

    /// Copies what is committed from the log into the database.
    pub(super) fn checkpoint(&self) {
        copy_log(&self.connection, &self.pulse);
    }

    /// What is done between requests.
    pub(super) fn tend(&mut self, leisure: Leisure) {
        match self.pulse.health() {
            Health::Full if Instant::now() >= self.probe_at => self.probe(),
            Health::Healthy if self.checkpointer.as_ref().is_some_and(Checkpointer::leaves_the_rest) => {
                // After this the log is written from its start again.
                copy_log(&self.connection, &self.pulse);
            }
            Health::Healthy if leisure == Leisure::Idle || self.heads.is_overdue() => {
                if self.heads.is_untidy() {
                    // A failure has told the health; the next step begins anew.
                    let _ = self.transact(0, |transaction, heads| heads.tidy_up(transaction));
                }
            }
            Health::Full | Health::Healthy | Health::Failed(_) => {}
        }
    }

    /// Finds out whether the disk has room again by using some: two commits, since what is deleted
    /// in the transaction that wrote it may never reach the disk.
    fn probe(&mut self) {
        self.probe_at = Instant::now() + PROBE_INTERVAL;
        // What has been copied from the write-ahead log is room in the log, perhaps all that is needed.
        copy_log(&self.connection, &self.pulse);
        if matches!(self.pulse.health(), Health::Failed(_)) {
            return;
        }
        let write = self.transact(0, |transaction, _| {
            transaction.execute("INSERT INTO probe VALUES (zeroblob(?))", [PROBE_BYTES]).map(|_| ())
        });
        let written = write
            .and_then(|()| self.transact(0, |transaction, _| transaction.execute_batch("DELETE FROM probe")));
        if written.is_ok() {
            self.pulse.set(Health::Healthy);
        }
    }

    /// Leaves one file behind, the database.
    pub(super) fn close(mut self) {
        self.checkpointer = None;
        self.reader = None;
        if matches!(self.pulse.health(), Health::Failed(_)) {
            return;
        }
        if let Err(error) = empty_log(&self.connection) {
            tracing::warn!(%error, "the write-ahead log stays: it is read at the next start");
        }
    }
}
