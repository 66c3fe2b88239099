//! `kill -9`: a server process dies in the middle of games, and starts again. No move that anybody
//! was told of is lost, and nobody pays for the time in between.
//!
//! `CHATRANG_CASES=200` for the full run.

use chatrang_protocol::client::game::PlayError;
use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::lobby::Side;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Refusal};
use chatrang_rules::moves::Move;
use chatrang_server::game::entry::Entry;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::Daemon;
use chatrang_tests::house::{enter, handle, new_key};
use chatrang_tests::journal::Journal;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Kills in a run of everyday.
const CASES_DEFAULT: usize = 6;

/// Games in play at the same time.
const GAMES: usize = 6;

/// Moves acknowledged between a start and the next kill: at most so many.
const MOVES_BETWEEN_KILLS_MAX: usize = 120;

/// After every so many kills the server stays down for longer than it had lived, so that it would show
/// if anybody paid for that time.
const KILLS_BETWEEN_LONG_STOPS: usize = 3;

/// No clock is to run out: this is about clocks that run while they should not.
pub(super) const TIME: &str = "1440+0";

pub(super) async fn newcomer(daemon: &Daemon, name: &str) -> Client {
    let settings = Settings::new(daemon.line().parse().unwrap(), new_key());
    enter(settings.with_handle(handle(name))).await
}

/// One game, one kill, both clients back by themselves, and on to mate.
#[tokio::test]
async fn f01_a_killed_server_goes_on_where_it_was() {
    let dir = Scratch::new();
    let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let address = daemon.address().to_owned();
    let (white, black) = (newcomer(&daemon, "Shirin").await, newcomer(&daemon, "Khosrow").await);
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play("f3").await;
    table.play("e5").await;
    let sent = Instant::now();
    table.play("g4").await;
    let before = table.white.left();
    daemon.process.kill().await;
    let ran = sent.elapsed();

    let journal = Journal::read(&dir.path().join("server/chatrang.db"));
    assert_eq!(journal.game(table.game).ply(), 3, "an acknowledged move is on disk");
    let _daemon = Daemon::start(&dir, &address).await;
    for player in [&mut table.white, &mut table.black] {
        // A question makes a packet, and the packet the news that the old server is gone.
        let _ = player.client.seats().await;
        player.until("the clocks to run again", |view| view.seq == Seq(5)).await;
        assert!(player.state().suspension.is_none());
        assert_eq!(player.link.view().played.len(), 3);
    }
    let after = table.black.left();
    assert_eq!(after[Color::White], before[Color::White], "his clock did not run");
    let charged = Duration::from_millis(before[Color::Black].minus(after[Color::Black]).0);
    assert!(charged <= ran, "charged {charged:?}, of which the server lived at most {ran:?}");
    table.play("Qh4#").await;
    assert!(table.black.result().await.outcome.is_some());
}

/// Many games, killed again and again at random moments, with moves at every stage of their way.
#[tokio::test]
async fn f01_no_kill_loses_an_acknowledged_move() {
    let kills = std::env::var("CHATRANG_CASES").map_or(CASES_DEFAULT, |cases| cases.parse().unwrap());
    let mut run = Run::begin().await;
    for kill in 0..kills {
        let stop = if kill % KILLS_BETWEEN_LONG_STOPS == 0 { Stop::Long } else { Stop::Short };
        run.play_and_kill(stop).await;
    }
    let tally = run.end().await;
    println!(
        "kills {kills}, games {}, acknowledged moves {}, acknowledged moves lost {}, ms charged for downtime {}",
        tally.games, tally.acknowledged, tally.lost, tally.downtime_charged_ms
    );
    assert!(tally.acknowledged >= kills);
    assert_eq!((tally.lost, tally.downtime_charged_ms), (0, 0));
}

/// How long a server stays down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// As long as it takes to look at the disk.
    Short,
    /// Longer than it had lived.
    Long,
}

/// What came of a run.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    acknowledged: usize,
    lost: usize,
    downtime_charged_ms: u64,
}

/// What the players have been told, by whichever of them was told first.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) moves: HashMap<GameId, HashMap<u32, Move>>,
}

/// Everything the players' tasks share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) told: Mutex<Told>,
    /// How many moves were acknowledged to their movers, counted up as they are.
    pub(super) acknowledged: watch::Sender<usize>,
}

impl Shared {
    /// Nobody has been told anything yet.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { told: Mutex::default(), acknowledged: watch::Sender::new(0) })
    }

    /// How many of the moves that anybody was told of are not in the journal.
    pub(super) fn lost(&self, journal: &Journal) -> usize {
        let told = self.told.lock().unwrap();
        let lost = told.moves.iter().flat_map(|(game, moves)| {
            let on_disk = journal.game(*game);
            moves.iter().filter(move |(ply, mv)| {
                on_disk.played().get(**ply as usize).is_none_or(|played| played.mv != **mv)
            })
        });
        lost.count()
    }

    /// A move that somebody was told of must be the one that everybody is told of.
    fn tell(&self, game: GameId, ply: u32, mv: Move) {
        let mut told = self.told.lock().unwrap();
        let first = *told.moves.entry(game).or_default().entry(ply).or_insert(mv);
        assert_eq!(first, mv, "game {game}, ply {ply}: told another move before");
    }
}

struct Run {
    dir: Scratch,
    daemon: Daemon,
    address: String,
    /// When the present process was started.
    started: Instant,
    /// How long the process before it lived: no clock can have run for longer since its last event.
    lived_before: Duration,
    /// How many events of each game were on disk when that process had died.
    events_before: HashMap<GameId, usize>,
    /// Server time as the journal had it when the present process started.
    base_ms: u64,
    clients: [Client; 2],
    shared: Arc<Shared>,
    players: JoinSet<()>,
    games: Vec<GameId>,
    chance: StdRng,
    tally: Tally,
}

impl Run {
    async fn begin() -> Self {
        let dir = Scratch::new();
        // Building them is no part of a server's life.
        binaries();
        let started = Instant::now();
        let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
        let clients = [newcomer(&daemon, "Shirin").await, newcomer(&daemon, "Khosrow").await];
        Self {
            address: daemon.address().to_owned(),
            dir,
            daemon,
            started,
            lived_before: Duration::ZERO,
            events_before: HashMap::new(),
            base_ms: 0,
            clients,
            shared: Shared::new(),
            players: JoinSet::new(),
            games: Vec::new(),
            chance: StdRng::seed_from_u64(64),
            tally: Tally::default(),
        }
    }

    /// Lets all games go on until a random number of moves is acknowledged, kills the server, looks at
    /// what is on disk, and starts it again.
    async fn play_and_kill(&mut self, stop: Stop) {
        self.fill_tables().await;
        let mut acknowledged = self.shared.acknowledged.subscribe();
        let goal = *acknowledged.borrow() + self.chance.random_range(1..=MOVES_BETWEEN_KILLS_MAX);
        soon("moves", acknowledged.wait_for(|count| *count >= goal)).await.unwrap();
        self.kill().await;
        if stop == Stop::Long {
            self.stay_down().await;
        }
        self.started = Instant::now();
        self.daemon = Daemon::start(&self.dir, &self.address).await;
        for client in &self.clients {
            // Whatever comes of the question, its packet brings the news that the old server is gone.
            let _ = client.seats().await;
        }
        self.everyone_is_back().await;
    }

    async fn everyone_is_back(&mut self) {
        for client in &self.clients {
            let back = async {
                let mut client = client.clone();
                while client.seats().await.is_err() {
                    client.next_news().await;
                }
            };
            soon("a client to come back", back).await;
        }
    }

    /// Nobody gets in while it is down.
    async fn stay_down(&self) {
        let settings = Settings::new(self.daemon.line().parse().unwrap(), new_key());
        let knocks = async { while Client::connect(settings.clone()).await.is_err() {} };
        let down = self.lived_before + Duration::from_millis(100);
        assert!(timeout(down, knocks).await.is_err(), "who let him in?");
    }

    async fn kill(&mut self) {
        self.daemon.process.kill().await;
        let lived = self.started.elapsed();
        let journal = self.look();
        let ran_ms = journal.server_time_ms.saturating_sub(self.base_ms);
        self.tally.downtime_charged_ms += ran_ms.saturating_sub(lived.as_millis() as u64);
        self.base_ms = journal.server_time_ms;
        for (game, events) in &self.events_before {
            let charged = charged_at_restart(&journal.entries[game], *events);
            self.tally.downtime_charged_ms += charged.saturating_sub(self.lived_before).as_millis() as u64;
        }
        self.events_before = journal.entries.iter().map(|(game, record)| (*game, record.len())).collect();
        self.lived_before = lived;
    }

    /// Compares what is on disk with what anybody was told.
    fn look(&mut self) -> Journal {
        let journal = Journal::read(&self.dir.path().join("server/chatrang.db"));
        self.tally.lost += self.shared.lost(&journal);
        journal
    }

    /// Begins games in place of those that have ended.
    async fn fill_tables(&mut self) {
        while let Some(ended) = self.players.try_join_next() {
            ended.expect("a player has nothing to complain of");
        }
        while self.players.len() < 2 * GAMES {
            let [one, two] = self.clients.clone();
            let (white, black) = if self.games.len().is_multiple_of(2) { (one, two) } else { (two, one) };
            let Table { game, white, black } = seat(white, black, proposal(TIME, Side::Random)).await;
            self.games.push(game);
            for player in [white, black] {
                let seed = self.chance.random();
                self.players.spawn(play(player, Arc::clone(&self.shared), StdRng::seed_from_u64(seed)));
            }
        }
    }

    async fn end(mut self) -> Tally {
        self.players.shutdown().await;
        self.daemon.process.kill().await;
        let journal = self.look();
        for game in &self.games {
            self.tally.downtime_charged_ms += overcharged_ms(&journal.entries[game]);
        }
        self.tally.games = self.games.len();
        self.tally.acknowledged = *self.shared.acknowledged.borrow();
        self.tally
    }
}

/// Plays random moves, each as soon as it may, and notes everything that it is told.
pub(super) async fn play(mut player: Player, shared: Arc<Shared>, mut chance: StdRng) {
    let game = player.link.view().game;
    loop {
        for (ply, played) in (0..).zip(player.link.view().played.iter()) {
            shared.tell(game, ply, played.mv);
        }
        let state = match player.link.your_turn().await {
            Ok(Some(state)) => state,
            Ok(None) => return,
            Err(end) => panic!("game {game} is lost to its player: {end}"),
        };
        let (ply, mv) = (state.ply, state.legal.choose(&mut chance).unwrap().mv);
        match player.link.play(mv).await {
            Ok(Some(_)) => {
                shared.tell(game, ply, mv);
                shared.acknowledged.send_modify(|count| *count += 1);
            }
            Ok(None) => return,
            // The server has started again and the opponent is not back yet.
            Err(PlayError::Refused(IntentError::Law(Refusal::Suspended { .. }))) => {}
            Err(error) => panic!("game {game}, ply {ply}: {error}"),
        }
    }
}

/// What a game's clocks lost from the last of its first `events` events, with which a server died, until
/// the next server let them run again.
fn charged_at_restart(record: &[Entry], events: usize) -> Duration {
    let left_ms = |entry: &Entry| {
        let left = entry.event().clocks.left;
        left.white.0 + left.black.0
    };
    let stopped = |entry: &&Entry| matches!(entry.event().action, Action::Suspended(_) | Action::Continued);
    let (before, after) = record.split_at(events);
    let before_ms = left_ms(before.last().expect("a game has begun"));
    let after_ms = after.iter().take_while(stopped).last().map_or(before_ms, left_ms);
    Duration::from_millis(before_ms.saturating_sub(after_ms))
}

/// What a game's clocks have lost beyond the game time that has passed.
fn overcharged_ms(record: &[Entry]) -> u64 {
    record
        .windows(2)
        .map(|pair| {
            let (before, after) = (pair[0].event(), pair[1].event());
            let passed = if before.clocks.running.is_some() { after.at.since(before.at).0 } else { 0 };
            let lost: u64 = Color::ALL
                .map(|color| before.clocks.left[color].minus(after.clocks.left[color]).0)
                .iter()
                .sum();
            lost.saturating_sub(passed)
        })
        .sum()
}
