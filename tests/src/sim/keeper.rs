//! The store's threads, done by hand on virtual time: slow when they are to be, and ended between any two steps.

use super::dice::Dice;
use super::disk::{Disk, Log};
use super::network::Network;
use super::notes::Notes;
use super::plan::Honesty;
use chatrang_server::store::{Hand, Taken};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// Commits after which the log is copied into the database.
const COMMITS_BETWEEN_CHECKPOINTS: u64 = 60;

/// How long a flush takes on a slow disk, in milliseconds.
pub const SLOW_FLUSH_MS: u64 = 500;

/// How long an idle writer waits for a request at the most: it has nothing to do, so any time is as good.
const PATIENCE_MAX: Duration = Duration::from_mins(1);

/// Where the server dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// At any moment, the network's or the disk's.
    Anywhere,
    /// A request was taken, and nothing has been written.
    BeforeTransaction,
    /// Written, and not flushed.
    Unflushed,
    /// Flushed, and nobody was told.
    Flushed,
    /// The game's task is told, and nobody else.
    Answered,
    /// Some packets are on their way.
    Telling,
}

impl Step {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Anywhere,
        Self::BeforeTransaction,
        Self::Unflushed,
        Self::Flushed,
        Self::Answered,
        Self::Telling,
    ];

    /// What it is counted as.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "killed anywhere",
            Self::BeforeTransaction => "killed before the transaction",
            Self::Unflushed => "killed before the flush",
            Self::Flushed => "killed before the answer",
            Self::Answered => "killed before the broadcast",
            Self::Telling => "killed while telling",
        }
    }
}

/// What is to befall the store; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Orders(Arc<Mutex<Order>>);

#[derive(Debug, Default)]
struct Order {
    /// The server dies here, at the next commit that gets so far.
    kill: Option<Step>,
    /// Each flush takes so long, until then.
    slow_until: Option<Instant>,
}

impl Orders {
    /// Lets the server die at the next commit that gets to a step.
    pub fn kill(&self, step: Step) {
        self.lock().kill = Some(step);
    }

    /// Makes each flush slow for so long.
    pub fn slow_down(&self, span: Duration) {
        self.lock().slow_until = Some(Instant::now() + span);
    }

    /// Takes back all that was ordered.
    pub fn clear(&self) {
        *self.lock() = Order::default();
    }

    fn is_slow(&self) -> bool {
        self.lock().slow_until.is_some_and(|end| Instant::now() < end)
    }

    /// Whether the server dies at this step; the order is carried out by that.
    fn kills_at(&self, step: Step) -> bool {
        self.lock().kill.take_if(|kill| *kill == step).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Order> {
        self.0.lock().unwrap()
    }
}

/// The machine's power, on until it fails once; cheap to clone.
#[derive(Clone, Debug)]
pub struct Power(watch::Sender<bool>);

impl Power {
    /// Power that is on.
    pub fn on() -> Self {
        Self(watch::Sender::new(true))
    }

    /// It fails.
    pub fn fail(&self) {
        self.0.send_replace(false);
    }

    /// Completes when it has failed.
    pub async fn failed(&self) {
        // It never closes: this is one of its ends.
        let _ = self.0.subscribe().wait_for(|is_on| !is_on).await;
    }
}

/// Whoever does the threads' work in one life of the server.
pub(super) struct Keeper {
    pub(super) hand: Hand,
    pub(super) disk: Arc<Mutex<Disk>>,
    pub(super) honesty: Honesty,
    pub(super) power: Power,
    pub(super) network: Network,
    pub(super) orders: Orders,
    pub(super) dice: Dice,
    pub(super) notes: Notes,
    pub(super) commits: u64,
}

/// Whether a life goes on.
enum Fate {
    LivesOn,
    /// The store is to be closed.
    Closes,
    /// The power has failed; the disk is as it was then.
    Dead,
}

impl Keeper {
    /// Keeps the store until it is closed or the power fails.
    pub(super) async fn run(mut self) {
        loop {
            let patience = self.hand.patience().min(PATIENCE_MAX);
            let fate = tokio::select! {
                biased;
                () = self.power.failed() => {
                    self.lose(None);
                    Fate::Dead
                }
                () = self.hand.asked() => self.serve().await,
                () = sleep(patience) => {
                    self.hand.tend();
                    Fate::LivesOn
                }
            };
            match fate {
                Fate::LivesOn => {}
                Fate::Closes => return self.hand.close(),
                Fate::Dead => return,
            }
        }
    }

    /// Serves all that waits, as the two threads would.
    async fn serve(&mut self) -> Fate {
        self.hand.read();
        loop {
            let taken = self.hand.take();
            if taken.is_empty() {
                return Fate::LivesOn;
            }
            let is_last = taken.is_last();
            if let Fate::Dead = self.commit(taken).await {
                return Fate::Dead;
            }
            if is_last {
                return Fate::Closes;
            }
            self.hand.tend_meanwhile();
        }
    }

    /// One transaction, from its taking to its answers, unless the server dies in between.
    async fn commit(&mut self, taken: Taken) -> Fate {
        let changes = taken.changes();
        let began = Instant::now();
        if changes > 0 && self.orders.kills_at(Step::BeforeTransaction) {
            return self.die(Step::BeforeTransaction, None);
        }
        if changes > 0 && !self.flush_time_passes().await {
            return self.die_writing(Step::Anywhere, taken);
        }
        if changes > 0 && self.orders.kills_at(Step::Unflushed) {
            return self.die_writing(Step::Unflushed, taken);
        }
        let before = (self.honesty == Honesty::LiesAboutFlush).then(|| self.disk.lock().unwrap().log());
        let made = self.hand.commit(taken);
        if changes > 0 && self.orders.kills_at(Step::Flushed) {
            return self.die(Step::Flushed, before);
        }
        self.hand.answer(made);
        self.note_commit(changes, began);
        if changes > 0 && self.orders.kills_at(Step::Answered) {
            return self.die(Step::Answered, before);
        }
        if changes > 0 && self.orders.kills_at(Step::Telling) {
            let packets = self.dice.between(1, 6);
            self.network.unplug_server_after(packets);
            self.notes.fault(Step::Telling.name());
            return self.tell_and_die(before).await;
        }
        Fate::LivesOn
    }

    /// The time that the flush takes, in which the reader's thread reads on. False when the power fails in it.
    async fn flush_time_passes(&mut self) -> bool {
        let flush_ms = if self.orders.is_slow() { SLOW_FLUSH_MS } else { self.dice.below(3) };
        let end = Instant::now() + Duration::from_millis(flush_ms);
        loop {
            tokio::select! {
                biased;
                () = self.power.failed() => return false,
                () = sleep_until(end) => return true,
                () = self.hand.asked() => self.hand.read(),
            }
        }
    }

    fn note_commit(&mut self, changes: usize, began: Instant) {
        self.commits += 1;
        if self.commits.is_multiple_of(COMMITS_BETWEEN_CHECKPOINTS) {
            self.hand.checkpoint();
        }
        let took_ms = began.elapsed().as_millis() as u64;
        self.notes.trace("store", format_args!("{changes} changes in {took_ms} ms"));
        let mut pages = self.notes.pages();
        pages.batch_max = pages.batch_max.max(changes);
        pages.commit_ms_max = pages.commit_ms_max.max(took_ms);
    }

    /// Some packets leave, and then the power fails; what else is written meanwhile finds no disk.
    async fn tell_and_die(&mut self, lied_about: Option<Log>) -> Fate {
        tokio::select! {
            biased;
            () = self.network.server_failed() => {}
            () = self.power.failed() => {}
            // Nobody is left to be told.
            () = sleep(Duration::from_secs(1)) => {}
        }
        self.network.unplug_server();
        self.lose(lied_about);
        self.power.fail();
        Fate::Dead
    }

    /// Writes without a flush, and dies.
    fn die_writing(&mut self, step: Step, taken: Taken) -> Fate {
        let before = self.disk.lock().unwrap().log();
        // Nobody will be told of it.
        drop(self.hand.commit(taken));
        let after = self.disk.lock().unwrap().log();
        let torn = before.torn(&after, &mut self.dice);
        let name = if torn == before {
            "unflushed write lost"
        } else if torn == after {
            "unflushed write kept"
        } else {
            "unflushed write torn"
        };
        self.notes.fault(name);
        self.die(step, Some(torn))
    }

    /// Dies at a step; the disk keeps `log`, or what is in its file.
    fn die(&mut self, step: Step, log: Option<Log>) -> Fate {
        if step != Step::Anywhere {
            self.notes.fault(step.name());
        }
        self.network.unplug_server();
        self.lose(log);
        self.power.fail();
        Fate::Dead
    }

    /// What a crash makes of the disk.
    fn lose(&mut self, log: Option<Log>) {
        let mut disk = self.disk.lock().unwrap();
        match log {
            Some(log) => disk.fail_with(&log),
            None => disk.fail(),
        }
    }
}
