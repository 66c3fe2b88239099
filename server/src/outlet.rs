//! Lines on their way out of the process: they wait for a thread of their own, so that whoever does not read
//! them holds up nobody.

use crate::metrics::figure::Counter;
use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// How long the last lines may take.
const FINISH_TIME: Duration = Duration::from_secs(1);

/// Where lines go out. Cheap to clone; the same outlet behind all clones.
#[derive(Clone, Debug)]
pub struct Outlet {
    waiting: SyncSender<Item>,
    dropped: Counter,
}

/// What waits to go out.
#[derive(Debug)]
enum Item {
    Line(Vec<u8>),
    /// Everything before it is out when this is answered.
    Mark(SyncSender<()>),
}

impl Outlet {
    /// Opens one to `out`, in which so many lines may wait; those beyond are dropped, and counted.
    pub fn open(out: impl Write + Send + 'static, lines_max: usize, dropped: Counter) -> Self {
        let (waiting, items) = sync_channel(lines_max);
        std::thread::spawn(move || write(out, &items));
        Self { waiting, dropped }
    }

    /// Sends a line, with its end, on its way.
    pub fn send(&self, line: Vec<u8>) {
        if self.waiting.try_send(Item::Line(line)).is_err() {
            self.dropped.count();
        }
    }

    /// Waits until all that was sent is out, but not for a reader who does not read.
    pub fn finish(&self) {
        let (written, wait) = sync_channel(1);
        let waiting = self.waiting.clone();
        // On a thread of its own: in a full queue the mark has to wait for its place, perhaps for ever.
        std::thread::spawn(move || waiting.send(Item::Mark(written)));
        // Whoever does not read is not waited for.
        let _ = wait.recv_timeout(FINISH_TIME);
    }
}

fn write(mut out: impl Write, items: &Receiver<Item>) {
    while let Ok(item) = items.recv() {
        match item {
            // That nobody reads any more is no reason to stop.
            Item::Line(line) => drop(out.write_all(&line).and_then(|()| out.flush())),
            // Whoever waited may have lost patience.
            Item::Mark(written) => drop(written.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// Takes nothing while somebody else has it locked.
    struct Shutter(Arc<Mutex<Vec<u8>>>);

    impl Write for Shutter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_beyond_the_bound_are_dropped_and_counted_and_nobody_waits() {
        const LINES_MAX: usize = 4;
        let written = Arc::new(Mutex::new(Vec::new()));
        let dropped = Counter::default();
        let outlet = Outlet::open(Shutter(Arc::clone(&written)), LINES_MAX, dropped.clone());
        let shut = written.lock().unwrap();
        for _ in 0..100 {
            outlet.send(b"x\n".to_vec());
        }
        // One more may be on its way through the shutter.
        let out = 100 - dropped.read();
        assert!((4..=5).contains(&out), "{out}");
        drop(shut);
        outlet.finish();
        assert_eq!(written.lock().unwrap().len() as u64, 2 * out);
    }
}
