//! A house's time with a trap in it: one game's task fails when it asks what time it is, or until when to sleep,
//! as a fault of the server's own would make it fail.
//!
//! The server takes its timeline as an argument, so nothing in it knows of this. The game is told from all
//! others by its clock: who sleeps until later than a mark is the task of the long game.

use chatrang_server::timeline::{ManualTimeline, ServerInstant, Timeline};
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::task::block_in_place;

/// Sleeps until later are the long game's.
const MARK: ServerInstant = ServerInstant(60 * 60 * 1_000);

/// What happens to the task of the long game, once.
#[derive(Debug)]
pub enum Trap {
    /// It panics when it next goes to sleep: after what it did before is done and told.
    PanicAtRest,
    /// It panics when it next asks for the time after it has been at rest: in the middle of its work.
    PanicAtWork,
    /// It never comes back from going to sleep until the other end of this is dropped.
    Freeze(Receiver<()>),
}

/// The other end of [`Trap::Freeze`].
#[derive(Debug)]
pub struct Frozen {
    _held: Sender<()>,
}

/// Time that a test moves by hand, with a trap.
#[derive(Debug)]
pub struct Tripwire {
    time: Arc<ManualTimeline>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    traps: Vec<Trap>,
    /// The long game's task, as soon as it has slept.
    task: Option<tokio::task::Id>,
}

impl Tripwire {
    /// A wire around a house's time.
    pub fn around(time: Arc<ManualTimeline>) -> Arc<Self> {
        Arc::new(Self { time, state: Mutex::default() })
    }

    /// Sets as many traps as there are, one after the other.
    pub fn set(&self, traps: impl IntoIterator<Item = Trap>) {
        self.lock().traps.extend(traps);
    }

    /// Sets a trap in which the task freezes until the value returned is dropped.
    pub fn freeze_at_rest(&self) -> Frozen {
        let (held, gate) = channel();
        self.set([Trap::Freeze(gate)]);
        Frozen { _held: held }
    }

    /// How many traps nobody has gone into yet.
    pub fn left(&self) -> usize {
        self.lock().traps.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Takes the first trap if it is of a kind.
    fn take(&self, is_wanted: impl Fn(&Trap) -> bool) -> Option<Trap> {
        let mut state = self.lock();
        let is_first = state.traps.first().is_some_and(is_wanted);
        is_first.then(|| state.traps.remove(0))
    }
}

impl Timeline for Tripwire {
    fn start_at(&self, base: ServerInstant) {
        self.time.start_at(base);
    }

    fn now(&self) -> ServerInstant {
        let is_long_game = self.lock().task.is_some_and(|task| tokio::task::try_id() == Some(task));
        let is_trapped = is_long_game && self.take(|trap| matches!(trap, Trap::PanicAtWork)).is_some();
        assert!(!is_trapped, "a trap at work");
        self.time.now()
    }

    fn sleep_until(&self, at: ServerInstant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        if at < MARK {
            return self.time.sleep_until(at);
        }
        self.lock().task = tokio::task::try_id();
        match self.take(|trap| !matches!(trap, Trap::PanicAtWork)) {
            Some(Trap::Freeze(gate)) => Box::pin(Freeze(gate)),
            Some(_) => panic!("a trap at rest"),
            None => self.time.sleep_until(at),
        }
    }

    fn freeze(&self) {
        self.time.freeze();
    }

    fn thaw(&self) {
        self.time.thaw();
    }

    fn network_ms(&self, span: Duration) -> u64 {
        self.time.network_ms(span)
    }

    fn unix_ms(&self) -> u64 {
        self.time.unix_ms()
    }
}

/// Never comes back from its first poll until the gate is opened.
struct Freeze(Receiver<()>);

impl Future for Freeze {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // The thread is lost to the runtime, as in an endless loop; it gets another one for the other tasks.
        let _ = block_in_place(|| self.0.recv());
        std::pin::pin!(pending()).poll(cx)
    }
}
