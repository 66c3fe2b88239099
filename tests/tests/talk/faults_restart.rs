//! A server that stops, or is killed, under many games: no move that anybody was told of is lost, all games
//! go on, and their players are back by themselves.
//!
//! `CHATRANG_CASES=500` for the full hall.

use super::crash::{Shared, TIME, newcomer, play};
use chatrang_protocol::client::{Client, News};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::notice::Notice;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::Daemon;
use chatrang_tests::journal::Journal;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Games in a run of everyday.
const CASES_DEFAULT: usize = 20;

/// Games of two players: fewer than an account may have.
const GAMES_PER_PAIR: usize = 25;

/// Moves a game, on average, before the server goes.
const MOVES_BEFORE: usize = 4;

/// How long a stop may take.
const STOP_TIME_MAX: Duration = Duration::from_secs(5);

/// Many games on a process.
struct Crowded {
    dir: Scratch,
    daemon: Daemon,
    address: String,
    clients: Vec<Client>,
    games: Vec<GameId>,
    shared: Arc<Shared>,
    players: JoinSet<()>,
}

impl Crowded {
    async fn hall() -> Self {
        let games = std::env::var("CHATRANG_CASES").map_or(CASES_DEFAULT, |cases| cases.parse().unwrap());
        binaries();
        let dir = Scratch::new();
        let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
        let address = daemon.address().to_owned();
        let mut hall = Self {
            dir,
            daemon,
            address,
            clients: Vec::new(),
            games: Vec::new(),
            shared: Shared::new(),
            players: JoinSet::new(),
        };
        let mut chance = StdRng::seed_from_u64(32);
        while hall.games.len() < games {
            let pair = hall.clients.len() / 2;
            let white = newcomer(&hall.daemon, &format!("White{pair}")).await;
            let black = newcomer(&hall.daemon, &format!("Black{pair}")).await;
            for _ in 0..GAMES_PER_PAIR.min(games - hall.games.len()) {
                let table = seat(white.clone(), black.clone(), proposal(TIME, Side::Random)).await;
                let Table { game, white, black } = table;
                hall.games.push(game);
                for player in [white, black] {
                    hall.players.spawn(play(player, Arc::clone(&hall.shared), StdRng::from_rng(&mut chance)));
                }
            }
            hall.clients.extend([white, black]);
        }
        hall
    }

    /// Waits until so many moves a game have been acknowledged since.
    async fn plays(&self, moves: usize) {
        let mut acknowledged = self.shared.acknowledged.subscribe();
        let goal = *acknowledged.borrow() + moves * self.games.len();
        soon("moves", acknowledged.wait_for(|count| *count >= goal)).await.unwrap();
    }

    /// The journal, in which nothing is missing that anybody was told of.
    fn journal(&self) -> Journal {
        let journal = Journal::read(&self.dir.path().join("server/chatrang.db"));
        assert_eq!(self.shared.lost(&journal), 0, "moves that somebody was told of");
        journal
    }

    /// Starts the server again, and waits until every game that was not over has gone on: nobody but the
    /// clients themselves does anything about it.
    async fn goes_on(&mut self, before: &Journal) {
        let started = Instant::now();
        self.daemon = Daemon::start(&self.dir, &self.address).await;
        let ready = started.elapsed();
        let mut waiting: HashMap<GameId, u32> = self
            .games
            .iter()
            .map(|game| (*game, before.game(*game)))
            .filter(|(_, game)| game.result().is_none())
            .map(|(number, game)| (number, game.ply()))
            .collect();
        let resumed = waiting.len();
        let mut acknowledged = self.shared.acknowledged.subscribe();
        let all = async {
            loop {
                let told = self.shared.told.lock().unwrap().moves.clone();
                let has_gone_on =
                    |game: &GameId, ply: u32| told.get(game).is_some_and(|moves| moves.contains_key(&ply));
                waiting.retain(|game, ply| !has_gone_on(game, *ply));
                if waiting.is_empty() {
                    return;
                }
                acknowledged.changed().await.unwrap();
            }
        };
        soon("all games to go on", all).await;
        println!("{resumed} games: ready after {ready:?}, all gone on after {:?}", started.elapsed());
    }

    async fn ends(mut self) {
        while let Some(ended) = self.players.try_join_next() {
            ended.expect("a player has nothing to complain of");
        }
        self.players.shutdown().await;
        self.daemon.process.kill().await;
        self.journal();
    }
}

#[tokio::test]
async fn f32_a_stop_under_many_games_loses_nothing_and_is_over_in_time() {
    let mut hall = Crowded::hall().await;
    hall.plays(MOVES_BEFORE).await;
    let mut told = JoinSet::new();
    for client in &hall.clients {
        let mut client = client.clone();
        told.spawn(async move {
            loop {
                let news = client.next_news().await.expect("the client lives");
                if let News::Notice(Notice::ServerStopping { retry_seconds }) = news {
                    return retry_seconds;
                }
            }
        });
    }
    let asked = Instant::now();
    hall.daemon.process.signal("TERM").await;
    assert_eq!(hall.daemon.process.ends().await.code(), Some(0));
    let took = asked.elapsed();
    println!("{} games: stopped after {took:?}", hall.games.len());
    assert!(took < STOP_TIME_MAX, "{took:?}");
    let retry = soon("everyone to be told", told.join_all()).await;
    assert!(retry.iter().all(|seconds| *seconds > 0), "when to come back: {retry:?}");
    let journal = hall.journal();
    hall.goes_on(&journal).await;
    hall.plays(1).await;
    hall.ends().await;
}

#[tokio::test]
async fn f01_a_kill_under_many_games_loses_nothing_and_all_go_on() {
    let mut hall = Crowded::hall().await;
    hall.plays(MOVES_BEFORE).await;
    hall.daemon.process.kill().await;
    let journal = hall.journal();
    hall.goes_on(&journal).await;
    hall.plays(1).await;
    hall.ends().await;
}
