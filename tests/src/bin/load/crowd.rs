//! All players of a measurement, and what is measured while they play.

use crate::doors::Doors;
use crate::host::{Host, Kind};
use crate::machine::Process;
use crate::pace::Pace;
use crate::player::{Player, Table};
use crate::script::Script;
use crate::tally::{Seen, Tally};
use crate::verdict::figure;
use anyhow::ensure;
use chatrang_protocol::lobby::Side;
use chatrang_tests::wire::Wire;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How long a moment is from the last player's sitting down to the first move.
const MOMENT: Duration = Duration::from_millis(200);

/// Players at their boards.
#[derive(Debug)]
pub(crate) struct Crowd {
    players: Vec<Player>,
    tables: u32,
}

impl Crowd {
    /// Seats two players at each of so many tables.
    pub(crate) async fn seat(host: &Host, tables: u32, scripts: &[Arc<Script>]) -> anyhow::Result<Self> {
        let wires = Doors::to(host.place)?.enter_all(0..2 * tables).await;
        Ok(Self::sit_down(host.place.kind, wires, scripts).await)
    }

    /// Seats those who are in, two at each table.
    pub(crate) async fn sit_down(kind: Kind, wires: Vec<Wire>, scripts: &[Arc<Script>]) -> Self {
        let tables = wires.len() as u32 / 2;
        let mut wires = wires.into_iter();
        let mut seating = JoinSet::new();
        for (number, script) in (0..tables).zip(scripts.iter().cycle()) {
            let table = Table::new(kind, number, Arc::clone(script));
            for (side, wire) in [Side::White, Side::Black].into_iter().zip(wires.by_ref()) {
                let table = table.clone();
                seating
                    .spawn(async move { ((number, side as u8), Player::sit_down(table, side, wire).await) });
            }
        }
        let mut players = seating.join_all().await;
        players.sort_by_key(|(place, _)| *place);
        Self { players: players.into_iter().map(|(_, player)| player).collect(), tables }
    }

    /// Lets all of them play, as fast as they can or each table at `rate` moves a second.
    pub(crate) fn play(self, rate: Option<f64>) -> Playing {
        let start = tokio::time::Instant::now() + MOMENT;
        let tally = Tally::default();
        let connections = self.players.iter().map(|player| player.connection().clone()).collect();
        let mut tasks = JoinSet::new();
        for (index, player) in (0..).zip(self.players) {
            let pace = rate.map_or(Pace::Closed, |rate| Pace::open(start, rate, index / 2, self.tables));
            tasks.spawn(player.play(pace, tally.clone()));
        }
        Playing { tasks, tally, connections }
    }
}

/// A crowd that plays, until this is dropped.
#[derive(Debug)]
pub(crate) struct Playing {
    tasks: JoinSet<()>,
    tally: Tally,
    connections: Vec<quinn::Connection>,
}

impl Playing {
    /// Lets some time pass without looking, and then looks for some time.
    pub(crate) async fn measure(
        &mut self,
        host: &Host,
        warm_up: Duration,
        time: Duration,
    ) -> anyhow::Result<Measured> {
        self.wait(warm_up).await;
        self.tally.take();
        let (started, before) = (Instant::now(), Expense::of(host, &self.connections)?);
        self.wait(time).await;
        let (seen, after) = (self.tally.take(), Expense::of(host, &self.connections)?);
        ensure!(seen.to_opponent.count() > 0, "no move came through the {}", host.place.kind.name());
        Ok(Measured { seen, spent: after.since(&before), time: started.elapsed() })
    }

    async fn wait(&mut self, time: Duration) {
        let over = tokio::time::sleep(time);
        tokio::select! {
            () = over => {}
            Some(ended) = self.tasks.join_next() => {
                ended.expect("a player plays on");
            }
        }
    }
}

/// What has been spent since the processes began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expense {
    /// CPU time of the server or relay.
    pub(crate) host_cpu: Duration,
    /// CPU time of the players.
    pub(crate) own_cpu: Duration,
    /// From the players.
    pub(crate) up: Datagrams,
    /// To them.
    pub(crate) down: Datagrams,
}

/// What went over UDP.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Datagrams {
    pub(crate) datagrams: u64,
    pub(crate) bytes: u64,
}

impl Datagrams {
    fn add(&mut self, stats: quinn::UdpStats) {
        self.datagrams += stats.datagrams;
        self.bytes += stats.bytes;
    }

    fn since(self, before: Self) -> Self {
        Self { datagrams: self.datagrams - before.datagrams, bytes: self.bytes - before.bytes }
    }
}

impl Expense {
    fn of(host: &Host, connections: &[quinn::Connection]) -> anyhow::Result<Self> {
        let mut expense =
            Self { host_cpu: host.process.cpu()?, own_cpu: Process::own().cpu()?, ..Self::default() };
        for connection in connections {
            let stats = connection.stats();
            expense.up.add(stats.udp_tx);
            expense.down.add(stats.udp_rx);
        }
        Ok(expense)
    }

    fn since(&self, before: &Self) -> Self {
        Self {
            host_cpu: self.host_cpu.saturating_sub(before.host_cpu),
            own_cpu: self.own_cpu.saturating_sub(before.own_cpu),
            up: self.up.since(before.up),
            down: self.down.since(before.down),
        }
    }
}

/// What came of a measurement.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) seen: Seen,
    pub(crate) spent: Expense,
    pub(crate) time: Duration,
}

impl Measured {
    /// Moves that came to their opponents.
    pub(crate) fn moves(&self) -> u64 {
        self.seen.to_opponent.count()
    }

    /// The same by the second.
    pub(crate) fn moves_per_second(&self) -> f64 {
        figure(self.moves()) / self.time.as_secs_f64()
    }

    /// Something that was spent, by the move.
    pub(crate) fn per_move(&self, spent: f64) -> f64 {
        spent / figure(self.moves().max(1))
    }

    /// CPU time of the server or relay for a move.
    pub(crate) fn host_micros_per_move(&self) -> f64 {
        self.per_move(self.spent.host_cpu.as_secs_f64() * 1e6)
    }

    /// How many cores it has kept busy.
    pub(crate) fn host_cores(&self) -> f64 {
        self.spent.host_cpu.as_secs_f64() / self.time.as_secs_f64()
    }
}
