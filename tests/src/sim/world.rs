//! A whole world: the server, its disk, the network, the people and the weather, in one thread on virtual time.

use super::checker::{self, Checked};
use super::host::Host;
use super::network::{Network, PacketCounts};
use super::notes::{Notes, Pages, Tracing};
use super::person::{self, World};
use super::plan::Plan;
use super::weather;
use crate::journal::Journal;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits;
use chatrang_server::game::entry::Entry;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// No world takes longer: whatever is not over by then never will be. Virtual time.
const WORLD_TIME_MAX: Duration = Duration::from_hours(1);

/// How long quinn keeps a connection that was closed: three probe timeouts, and on a path that loses a third of all
/// packets one of them may be half a minute.
const DRAIN_TIME: Duration = Duration::from_mins(3);

/// How long the server may take until nothing is left of those who have gone without a word: their idle limit,
/// which begins anew when it first sends something into the void, and then what quinn keeps.
const LEAVE_TIME: Duration = Duration::from_secs(2 * limits::IDLE_SECONDS_MAX).saturating_add(DRAIN_TIME);

/// Tasks of a world that everybody has left: the network's, the keeper's, the host's and the server's own.
const TASKS_OF_NOBODY: usize = 7;

/// Tasks that a person is, beside his devices and links; the weather and the gauge are persons too.
const TASKS_PER_PERSON: usize = 2;

/// Tasks that one connection costs both ends, and those that one link to a game does, at the most.
const TASKS_PER_DEVICE: usize = 24;
const TASKS_PER_LINK: usize = 8;
const LINKS_PER_DEVICE: usize = 4;

/// What came of a world.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What must not be, each with its invariant.
    pub violations: Vec<String>,
    /// Games that were begun.
    pub games: u64,
    /// Moves that were made.
    pub moves: u64,
    /// What became of packets.
    pub packets: PacketCounts,
    /// From a move's sending to its answer, in milliseconds.
    pub answer_ms: Vec<u64>,
    /// Virtual time that passed.
    pub lasted: Duration,
    /// The records of all games, as the server has left them.
    pub journal: BTreeMap<GameId, Vec<Entry>>,
    /// All that was noted.
    pub pages: Pages,
}

thread_local! {
    /// Panics of this thread, which runs all tasks of a world.
    static PANICS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Runs a world and checks it.
pub fn run(plan: Plan, tracing: Tracing) -> Outcome {
    note_panics();
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let lived = panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(live(plan, tracing))));
    let mut outcome = lived.unwrap_or_default();
    drop(runtime);
    let panics = PANICS.take();
    outcome.violations.extend(panics.into_iter().map(|panic| format!("I6: a panic: {panic}")));
    outcome
}

/// Lets each thread remember its own panics.
fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICS.with_borrow_mut(|panics| panics.push(info.to_string()));
            before(info);
        }));
    });
    PANICS.take();
}

async fn live(plan: Plan, tracing: Tracing) -> Outcome {
    let notes = Notes::new(tracing);
    let network = Network::new(plan.seed, notes.clone());
    let postman = tokio::spawn(network.clone().carry());
    let identity = SecretKey::generate().expect("the system has chance");
    let fingerprint = identity.public_key().fingerprint();
    let host = Host::new(plan, network.clone(), notes.clone(), identity);
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(host.clone().run(stopped));
    let world = World::new(plan, network.clone(), host.clone(), notes.clone(), fingerprint);

    if timeout(WORLD_TIME_MAX, everybody(&world)).await.is_err() {
        notes.complain(format!("I6: the world has not ended within {} s", WORLD_TIME_MAX.as_secs()));
    }
    world.forget_devices();
    sleep(LEAVE_TIME).await;
    check_tasks(&notes, "after all have gone", TASKS_OF_NOBODY);
    // The weather is over: nothing but the order to stop ends this life.
    let _ = stop.send(());
    if let Err(error) = server.await {
        notes.complain(format!("I6: the host: {error}"));
    }
    postman.abort();
    let _ = postman.await;
    sleep(DRAIN_TIME).await;
    check_tasks(&notes, "after the server has stopped", 0);
    sum_up(&notes, &network, &host)
}

/// Everybody's coming, playing and going, and the weather meanwhile.
async fn everybody(world: &World) {
    let mut people = JoinSet::new();
    for number in 0..world.plan.players {
        people.spawn(person::play(world.clone(), number));
    }
    for number in 0..world.plan.watchers {
        people.spawn(person::watch(world.clone(), number));
    }
    people.spawn(weather::blow(world.clone()));
    let gauge = tokio::spawn(gauge(world.clone()));
    while let Some(ended) = people.join_next().await {
        if let Err(error) = ended {
            world.notes.complain(format!("I6: somebody's task: {error}"));
        }
    }
    gauge.abort();
}

/// Counts, once a second, what is bounded.
async fn gauge(world: World) {
    loop {
        sleep(Duration::from_secs(1)).await;
        let tasks = Handle::current().metrics().num_alive_tasks();
        let devices = world.devices().len();
        let people = world.plan.players + world.plan.watchers + 2;
        let bound = TASKS_OF_NOBODY
            + people * TASKS_PER_PERSON
            + devices * (TASKS_PER_DEVICE + LINKS_PER_DEVICE * TASKS_PER_LINK);
        if tasks > bound {
            world
                .notes
                .complain(format!("I5: {tasks} tasks for {devices} devices, and {bound} are the most"));
        }
        let mut pages = world.notes.pages();
        pages.tasks_max = pages.tasks_max.max(tasks);
    }
}

fn check_tasks(notes: &Notes, when: &str, most: usize) {
    let tasks = Handle::current().metrics().num_alive_tasks();
    if tasks > most {
        notes.complain(format!("I6: {tasks} tasks are alive {when}, and {most} are the most"));
    }
}

fn sum_up(notes: &Notes, network: &Network, host: &Host) -> Outcome {
    let (lasted, database) = (notes.now(), host.database());
    let pages = std::mem::take(&mut *notes.pages());
    let journal = Journal::read(&database).entries;
    let Checked { games, moves, violations } = checker::check(&journal, &pages);
    Outcome {
        violations: [pages.complaints.clone(), violations].concat(),
        games,
        moves,
        packets: network.counts(),
        answer_ms: answer_ms(&pages),
        lasted,
        journal,
        pages,
    }
}

/// From the sending of each move to its answer.
fn answer_ms(pages: &Pages) -> Vec<u64> {
    let moves = pages.sent.iter().filter(|sent| matches!(sent.intent, Intent::Move { .. }));
    let sent: BTreeMap<_, _> = moves.map(|sent| ((sent.by, sent.id.0), sent.at)).collect();
    let answers = pages.answered.iter().filter_map(|answer| {
        let sent = sent.get(&(answer.by, answer.id.0))?;
        Some(answer.at.saturating_sub(*sent).as_millis() as u64)
    });
    answers.collect()
}
