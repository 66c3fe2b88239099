//! The store's handle: how anybody asks the two threads for anything, and waits for the answer.

use super::backup::{BackupError, copy_database};
use super::by_hand::Hand;
use super::connection::{connect_to_read, limit_pages};
use super::counters::{Counters, StoreCounters};
use super::data_dir::DataDir;
use super::fault::{Health, Pulse, StoreFailure};
use super::heads::Heads;
use super::journal::JournalRow;
use super::reader::ReadRequest;
use super::writer::{Append, Beat, Job, Request, Writer};
use crate::timeline::ServerInstant;
use rusqlite::Connection;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{Notify, oneshot, watch};

/// Requests that may wait for the writer, and as many for the reader. A game has at most one batch
/// uncommitted, so this is also about how many games may write at the same moment; the next request
/// is answered `Busy`.
pub const REQUESTS_MAX: usize = 16 * 1024;

/// A handle to the store: cheap to clone, the same store behind all clones.
///
/// [`Store::close`] it before its data directory is opened again.
#[derive(Clone, Debug)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    requests: SyncSender<Request>,
    /// `None` in memory, where the writer reads as well.
    reads: Option<SyncSender<ReadRequest>>,
    health: watch::Receiver<Health>,
    counters: Arc<Counters>,
    /// Where the database lies; `None` in memory.
    path: Option<PathBuf>,
    /// Rung after each request, when the store is kept by hand.
    bell: Option<Arc<Notify>>,
    /// Taken by whoever closes the store.
    writer: Mutex<Option<Keeper>>,
}

/// Who does the writer's work, and how its end is seen.
#[derive(Debug)]
enum Keeper {
    /// A thread, to be joined.
    Thread(JoinHandle<()>),
    /// Somebody's hand, which lets go of the other end.
    Hand(oneshot::Receiver<()>),
}

impl Store {
    /// Starts the threads.
    pub(super) fn start(
        connection: Connection,
        heads: Heads,
        held: Option<(DataDir, PathBuf)>,
    ) -> io::Result<Self> {
        let (requests, queue) = sync_channel(REQUESTS_MAX);
        let path = held.as_ref().map(|(_, path)| path.clone());
        let writer = Writer::new(connection, heads, held, queue, REQUESTS_MAX)?;
        let (health, counters, reads) = (writer.health(), writer.counters(), writer.reads());
        let thread = std::thread::Builder::new().name("store-writer".into()).spawn(|| writer.run())?;
        let writer = Mutex::new(Some(Keeper::Thread(thread)));
        Ok(Self { shared: Arc::new(Shared { requests, reads, health, counters, path, bell: None, writer }) })
    }

    /// Starts nothing: all work waits for the hand.
    pub(super) fn start_by_hand(
        connection: Connection,
        heads: Heads,
        held: DataDir,
        path: PathBuf,
    ) -> rusqlite::Result<(Self, Hand)> {
        let (requests, queue) = sync_channel(REQUESTS_MAX);
        let (reads, reading) = sync_channel(REQUESTS_MAX);
        let (alive, ended) = oneshot::channel();
        let bell = Arc::new(Notify::new());
        let reader = connect_to_read(&path)?;
        let writer = Writer::alone(connection, heads, held, queue);
        let shared = Shared {
            requests,
            reads: Some(reads),
            health: writer.health(),
            counters: writer.counters(),
            path: Some(path),
            bell: Some(bell.clone()),
            writer: Mutex::new(Some(Keeper::Hand(ended))),
        };
        Ok((Self { shared: Arc::new(shared) }, Hand::new(writer, reader, reading, bell, alive)))
    }

    /// Appends events to the journal, all of them or none.
    ///
    /// They are queued by the call itself (the order of calls is the journal's order); the future
    /// resolves when they are on disk. Dropping it does not take them back.
    ///
    /// # Errors
    /// [`StoreFailure`]; none of the rows is kept then.
    pub fn append(
        &self,
        rows: Vec<JournalRow>,
    ) -> impl Future<Output = Result<(), StoreFailure>> + Send + use<> {
        let (answer, committed) = oneshot::channel();
        let queued = self.send(Request::Change(Box::new(Append::new(rows, answer))));
        self.outcome(queued, committed)
    }

    /// Notes that the server lived at `at`, with the next commit; nobody waits for it.
    ///
    /// To be called once a second while any clock runs, and at a clean stop.
    pub fn heartbeat(&self, at: ServerInstant) {
        // A queue that is full, or a store that has stopped, tells so to whoever waits for an answer.
        let _ = self.send(Request::Change(Box::new(Beat::new(at))));
    }

    /// Whether the store can write, and every change of that.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.shared.health.clone()
    }

    /// All that the store counts of itself, for the metrics.
    pub fn figures(&self) -> &Counters {
        &self.shared.counters
    }

    /// What the writer has done since the store was opened.
    pub fn counters(&self) -> StoreCounters {
        self.shared.counters.read()
    }

    /// Changes [`StoreOptions::page_count_max`](super::StoreOptions) while the store is open.
    ///
    /// # Errors
    /// [`StoreFailure`] when the store has stopped.
    pub async fn set_page_count_max(&self, pages: u32) -> Result<(), StoreFailure> {
        self.ask_writer(move |connection, _| limit_pages(connection, pages)).await
    }

    /// Copies the whole database as it is now into the new file `to`, while play goes on; returns the copy's
    /// length in bytes.
    ///
    /// The server's keys are files of their own and not part of it.
    ///
    /// # Errors
    /// [`BackupError`]; an existing file is never overwritten.
    pub async fn backup(&self, to: &Path) -> Result<u64, BackupError> {
        let from = self.shared.path.clone().ok_or(BackupError::InMemory)?;
        let to = to.to_owned();
        match tokio::task::spawn_blocking(move || copy_database(&from, &to)).await {
            Ok(outcome) => outcome,
            Err(stopped) => std::panic::resume_unwind(stopped.into_panic()),
        }
    }

    /// Writes what is queued, ends the threads and lets go of the data directory.
    ///
    /// Later calls on any handle are answered [`StoreFailure::Stopped`].
    pub async fn close(&self) {
        let keeper = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = match keeper {
            Some(Keeper::Thread(thread)) => thread,
            Some(Keeper::Hand(ended)) => {
                // Without room for it nobody serves the queue, and the hand's end is near.
                let _ = self.send(Request::Close);
                // An error is what the hand's end looks like.
                let _ = ended.await;
                return;
            }
            None => return,
        };
        let requests = self.shared.requests.clone();
        // The queue may be full, so this send may have to wait, and joining does.
        let closing = tokio::task::spawn_blocking(move || {
            // A writer that is gone already has closed.
            let _ = requests.send(Request::Close);
            // A writer that panicked has said so through its health.
            let _ = thread.join();
        });
        let _ = closing.await;
    }

    /// Runs `work` in the next commit's transaction and answers after the commit.
    ///
    /// `work` should look before it writes: what it has written stays when it returns `Ok`. An error
    /// in the data undoes this change alone.
    pub(super) fn change<T, F>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, committed) = oneshot::channel();
        let queued = self.send(Request::Change(Box::new(Job::new(work, answer))));
        self.outcome(queued, committed)
    }

    /// Runs `work`, which only reads, on what is on disk. Waits for no commit, and makes none wait:
    /// what is only queued is not seen.
    pub(super) fn read<T, F>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, done) = oneshot::channel();
        let queued = match &self.shared.reads {
            Some(reads) => {
                let waiting = self.shared.counters.reads_waiting.enter();
                let read = |begun: rusqlite::Result<&Connection>, pulse: &Pulse| {
                    drop(waiting);
                    settle(begun.and_then(work), answer, pulse);
                };
                self.queued(reads.try_send(ReadRequest::Read(Box::new(read))))
            }
            None => self.send(Request::Query(Box::new(|connection, _, pulse| {
                settle(work(connection), answer, pulse);
            }))),
        };
        self.outcome(queued, done)
    }

    /// Runs `work`, which only reads, on the writer after the next commit: for what the writer alone
    /// knows, and for nothing that takes long.
    pub(super) fn ask_writer<T, F>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &Heads) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, done) = oneshot::channel();
        let query = |connection: &Connection, heads: &Heads, pulse: &Pulse| {
            settle(work(connection, heads), answer, pulse);
        };
        let queued = self.send(Request::Query(Box::new(query)));
        self.outcome(queued, done)
    }

    fn send(&self, request: Request) -> Result<(), StoreFailure> {
        let queued = self.queued(self.shared.requests.try_send(request));
        if queued.is_ok() {
            self.shared.counters.ask();
        }
        queued
    }

    fn queued<R>(&self, sent: Result<(), TrySendError<R>>) -> Result<(), StoreFailure> {
        if let Some(bell) = &self.shared.bell {
            bell.notify_one();
        }
        sent.map_err(|error| match error {
            TrySendError::Full(_) => StoreFailure::Busy,
            TrySendError::Disconnected(_) => self.gone(),
        })
    }

    /// Waits for the answer to a request, if it was queued.
    fn outcome<T: Send + 'static>(
        &self,
        queued: Result<(), StoreFailure>,
        answer: oneshot::Receiver<Result<T, StoreFailure>>,
    ) -> impl Future<Output = Result<T, StoreFailure>> + Send + use<T> {
        let store = self.clone();
        async move {
            queued?;
            answer.await.unwrap_or_else(|_| Err(store.gone()))
        }
    }

    /// Why nobody answers.
    fn gone(&self) -> StoreFailure {
        match &*self.shared.health.borrow() {
            Health::Failed(why) => StoreFailure::Fatal(why.clone()),
            Health::Healthy | Health::Full => StoreFailure::Stopped,
        }
    }
}

/// Answers whoever asked, who may have gone meanwhile. A store that has failed is known to have failed
/// before anyone hears it: nobody who has heard it finds it writing on.
fn settle<T>(found: rusqlite::Result<T>, answer: oneshot::Sender<Result<T, StoreFailure>>, pulse: &Pulse) {
    let found = found.map_err(|error| StoreFailure::of(&error)).inspect_err(|failure| pulse.note(failure));
    let _ = answer.send(found);
}
