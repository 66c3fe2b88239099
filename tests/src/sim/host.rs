//! The machine that the server runs on: starts it, lets it die, starts it again on what its disk has kept.

use super::dice::Dice;
use super::disk::Disk;
use super::keeper::{Keeper, Orders, Power, Step};
use super::network::Network;
use super::notes::{Life, Notes};
use super::plan::Plan;
use super::timeline::SimTimeline;
use crate::house::ENDPOINT_KEYS;
use chatrang_protocol::key::SecretKey;
use chatrang_server::config::Config;
use chatrang_server::game::pondering::Pondering;
use chatrang_server::game::registry::Registry;
use chatrang_server::random::Random;
use chatrang_server::report::Reporter;
use chatrang_server::server::{Parts, RunError, Server};
use chatrang_server::store::{Store, StoreOptions};
use chatrang_server::timeline::Timeline;
use quinn::TokioRuntime;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// More pages than any world fills.
const PAGES_ENOUGH: u32 = 1_000_000;

/// How long a machine is down after its power has failed, in milliseconds.
const DOWN_MS: (u64, u64) = (50, 5_000);

/// The machine; cheap to clone.
#[derive(Clone, Debug)]
pub struct Host {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    plan: Plan,
    network: Network,
    notes: Notes,
    orders: Orders,
    identity: SecretKey,
    disk: Arc<Mutex<Disk>>,
    /// The present life, while there is one.
    life: Mutex<Option<Running>>,
}

/// What others may touch of the server's present life.
#[derive(Clone, Debug)]
struct Running {
    power: Power,
    store: Store,
    registry: Registry,
}

/// A server at the beginning of a life.
struct Started {
    server: Server,
    store: Store,
    power: Power,
    timeline: Arc<SimTimeline>,
}

/// How a life ended.
enum End {
    Died,
    Stopped,
}

impl Host {
    /// A machine that is off.
    pub fn new(plan: Plan, network: Network, notes: Notes, identity: SecretKey) -> Self {
        let shared = Shared {
            plan,
            network,
            notes,
            orders: Orders::default(),
            identity,
            disk: Arc::new(Mutex::new(Disk::empty())),
            life: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Runs the server, life after life, until it is told to stop and has. All tasks of all lives have ended
    /// when this returns.
    pub async fn run(self, mut stop: oneshot::Receiver<()>) {
        let mut remains = JoinSet::new();
        let mut dice = Dice::of(self.shared.plan.seed, "host", 0);
        for number in 0.. {
            if let End::Stopped = self.live(number, &mut stop, &mut remains).await {
                break;
            }
            let down = dice.ms(DOWN_MS.0, DOWN_MS.1);
            sleep(down).await;
        }
        while let Some(ended) = remains.join_next().await {
            if let Err(error) = ended {
                self.shared
                    .notes
                    .complain(format!("what was left of a server that had died panicked: {error}"));
            }
        }
    }

    /// The power fails at this moment, wherever the server is.
    pub fn fail(&self) {
        let Some(running) = self.shared.life.lock().unwrap().clone() else { return };
        self.shared.notes.fault(Step::Anywhere.name());
        self.shared.network.unplug_server();
        running.power.fail();
    }

    /// What is to befall the store.
    pub fn orders(&self) -> &Orders {
        &self.shared.orders
    }

    /// Lets the disk be full from now on.
    pub async fn fill_disk(&self) {
        // SQLite takes no less than there are.
        self.limit_pages(1).await;
    }

    /// Lets the disk have room again.
    pub async fn make_room(&self) {
        self.limit_pages(PAGES_ENOUGH).await;
    }

    async fn limit_pages(&self, pages_max: u32) {
        let Some(running) = self.shared.life.lock().unwrap().clone() else { return };
        // A server that dies meanwhile has room when it is back.
        let _ = running.store.set_page_count_max(pages_max).await;
    }

    /// How many games are in play; none while the server is down.
    pub fn games_in_play(&self) -> Option<usize> {
        self.shared.life.lock().unwrap().as_ref().map(|running| running.registry.count())
    }

    /// Where the database of the last life lies.
    pub fn database(&self) -> PathBuf {
        self.shared.disk.lock().unwrap().database()
    }

    /// One life, from the start to its end.
    async fn live(&self, number: usize, stop: &mut oneshot::Receiver<()>, remains: &mut JoinSet<()>) -> End {
        let Shared { notes, life, .. } = &*self.shared;
        let Started { server, store, power, timeline } = match self.start(number, remains).await {
            Ok(started) => started,
            Err(end) => return end,
        };
        notes.trace("host", format_args!("life {number} begins at {}", timeline.now()));
        *life.lock().unwrap() =
            Some(Running { power: power.clone(), store, registry: server.registry().clone() });
        let (tell_stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move {
            // A life that is given up is told as well.
            let _ = stopped.await;
        }));
        let end = tokio::select! {
            biased;
            () = power.failed() => End::Died,
            _ = &mut *stop => End::Stopped,
        };
        notes.trace("host", format_args!("life {number} ends at {}", timeline.now()));
        self.note_life(&timeline);
        *life.lock().unwrap() = None;
        match end {
            End::Died => {
                // A process without power does nothing any more; its tasks, which nobody hears, find their
                // store gone and end by themselves.
                let notes = notes.clone();
                remains.spawn(async move {
                    let ended = running.await;
                    drop(tell_stop);
                    if let Err(error) = ended {
                        notes.complain(format!("I6: a server that lost its store panicked: {error}"));
                    }
                });
                End::Died
            }
            End::Stopped => {
                drop(tell_stop);
                self.take_leave(running.await);
                End::Stopped
            }
        }
    }

    /// Starts the server on what the disk has kept, and somebody who keeps its store; how the life ended, if the
    /// server did not get so far.
    async fn start(&self, number: usize, remains: &mut JoinSet<()>) -> Result<Started, End> {
        let Shared { plan, network, notes, orders, identity, disk, .. } = &*self.shared;
        let dir = disk.lock().unwrap().dir();
        let (store, hand) = Store::by_hand(&dir, StoreOptions::default()).map_err(|error| {
            notes.complain(format!("I1: the store does not open after a crash: {error}"));
            End::Stopped
        })?;
        let power = Power::on();
        let keeper = Keeper {
            hand,
            disk: Arc::clone(disk),
            honesty: plan.honesty,
            power: power.clone(),
            network: network.clone(),
            orders: orders.clone(),
            dice: Dice::of(plan.seed, "keeper", number),
            notes: notes.clone(),
            commits: 0,
        };
        remains.spawn(keeper.run());
        let timeline = Arc::new(SimTimeline::new(notes.clone()));
        let parts = Parts {
            store: store.clone(),
            timeline: Arc::<SimTimeline>::clone(&timeline),
            random: Random::from_seed(Dice::of(plan.seed, "server", number).number()),
            socket: network.server_socket(),
            runtime: Arc::new(TokioRuntime),
            pondering: Pondering::InPlace,
            identity: identity.clone(),
            endpoint_keys: ENDPOINT_KEYS,
        };
        let mut config = Config::for_tests(&dir);
        config.profile = plan.conduct;
        match Server::bind(&config, parts, Reporter::silent()).await {
            Ok(server) => Ok(Started { server, store, power, timeline }),
            Err(error) => {
                let is_dead = tokio::time::timeout(Duration::ZERO, power.failed()).await.is_ok();
                notes.pages().lives.extend(timeline.life());
                if is_dead {
                    return Err(End::Died);
                }
                notes.complain(format!("I1: the server does not start after a crash: {error}"));
                Err(End::Stopped)
            }
        }
    }

    /// Writes down a life that has ended.
    fn note_life(&self, timeline: &SimTimeline) {
        let record = timeline.life();
        if let Some(Life { ended, .. }) = record {
            let mut pages = self.shared.notes.pages();
            pages.lives.extend(record);
            // Whatever was frozen is down from now on.
            for (_, end) in &mut pages.frozen {
                *end = ended.min(*end);
            }
        }
    }

    fn take_leave(&self, ended: Result<Result<(), RunError>, tokio::task::JoinError>) {
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.shared.notes.complain(format!("the server gave up: {error}")),
            Err(error) => self.shared.notes.complain(format!("I6: the server panicked: {error}")),
        }
    }
}
