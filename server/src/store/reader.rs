//! The reader: a thread with a connection of its own, so that whoever reads, however much and however
//! often, makes no move wait for its flush.
//!
//! It sees what is on disk and nothing else: in write-ahead mode a commit becomes visible to other
//! connections after its flush.

use super::connection::connect_to_read;
use super::fault::{Health, Obituary, Pulse};
use rusqlite::Connection;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Reads in the transaction that was begun for it, if one could be; tells the health what went wrong with
/// the store itself, and answers.
pub(super) type Read = Box<dyn FnOnce(rusqlite::Result<&Connection>, &Pulse) + Send>;

/// What the queue holds.
pub(super) enum ReadRequest {
    /// Done in a transaction of its own: it sees one moment.
    Read(Read),
    /// The last request.
    Close,
}

impl fmt::Debug for ReadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read(_) => "Read",
            Self::Close => "Close",
        })
    }
}

/// The thread; answers what is queued and ends when dropped.
#[derive(Debug)]
pub(super) struct Reader {
    requests: SyncSender<ReadRequest>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    pub(super) fn start(database: &Path, requests_max: usize, pulse: Arc<Pulse>) -> io::Result<Self> {
        let connection = connect_to_read(database).map_err(io::Error::other)?;
        let (requests, queue) = sync_channel(requests_max);
        let thread = std::thread::Builder::new()
            .name("store-reader".into())
            .spawn(move || run(&connection, &queue, &pulse))?;
        Ok(Self { requests, thread: Some(thread) })
    }

    /// Where to put requests.
    pub(super) fn requests(&self) -> SyncSender<ReadRequest> {
        self.requests.clone()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // Waits while the queue is full. A reader that is gone already has closed.
        let _ = self.requests.send(ReadRequest::Close);
        if let Some(thread) = self.thread.take() {
            // A reader that panicked has said so through the health.
            let _ = thread.join();
        }
    }
}

fn run(connection: &Connection, queue: &Receiver<ReadRequest>, pulse: &Arc<Pulse>) {
    let _obituary = Obituary::new(pulse.clone(), "its reader panicked");
    while let Ok(ReadRequest::Read(read)) = queue.recv() {
        answer(connection, read, pulse);
    }
}

/// Answers one request.
pub(super) fn answer(connection: &Connection, read: Read, pulse: &Pulse) {
    if matches!(pulse.health(), Health::Failed(_)) {
        // Whoever asked reads the reason from the health.
        return;
    }
    // Ends, with nothing to write, when it is dropped.
    match connection.unchecked_transaction() {
        Ok(transaction) => read(Ok(&transaction), pulse),
        Err(error) => read(Err(error), pulse),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn whoever_cannot_be_read_for_is_told_why() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("BEGIN").unwrap();
        let (told, why) = channel();
        let read = move |begun: rusqlite::Result<&Connection>, _: &Pulse| {
            told.send(begun.map(drop).map_err(|error| error.to_string())).unwrap();
        };
        answer(&connection, Box::new(read), &Pulse::new());
        let why = why.recv().expect("he is answered").unwrap_err();
        assert!(why.contains("within a transaction"), "{why}");
    }
}
