//! How long a move waits for its answer on a bad network, with the client that everybody uses.

use crate::host::{Kind, Programs};
use crate::player::proposal;
use crate::road::{Road, Weather};
use crate::times::Times;
use crate::verdict::{Verdict, millis};
use anyhow::Context;
use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::lobby::Side;
use chatrang_rules::color::Color;
use chatrang_rules::moves::Move;
use chatrang_tests::house::{handle, new_key};
use chatrang_tests::marathon::long_game;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How long two players may take to find each other on the worst road.
const SEATING_MAX: Duration = Duration::from_mins(2);

/// More moves than any table makes in a second: each takes a journey there and back.
const MOVES_PER_SECOND_MAX: usize = 10;

/// Datagrams of a hundred that come twice.
const DOUBLED_PERCENT: u32 = 5;

/// How much is played, on what road.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) games: u32,
    pub(crate) time: Duration,
    /// Datagrams of a hundred that are lost, each way.
    pub(crate) lost_percent: u32,
    /// How long a datagram is under way, at least and at most.
    pub(crate) one_way_ms: (u64, u64),
}

/// A player on the road, and where he notes how long his answers take.
struct Traveller {
    client: Client,
    number: u32,
    color: Color,
    moves: Arc<Vec<Move>>,
    answered: Arc<Mutex<Times>>,
}

/// Plays on a road, prints the times, and holds the slow ones against the goal.
pub(crate) async fn run(programs: &Programs, plan: Plan) -> anyhow::Result<Option<Verdict>> {
    let host = programs.start(Kind::Server).await?;
    let Plan { lost_percent, one_way_ms, .. } = plan;
    let weather = Weather { lost_percent, doubled_percent: DOUBLED_PERCENT, one_way_ms, seed: 1 };
    let road = Road::to(host.place.address, weather).await?;
    let line = format!("{}/{}", road.address, host.place.fingerprint);
    let moves = Arc::new(long_game(MOVES_PER_SECOND_MAX * plan.time.as_secs() as usize, 1));
    let answered = Arc::default();
    let mut seating = JoinSet::new();
    for number in 0..plan.games {
        for color in Color::ALL {
            let (moves, answered) = (Arc::clone(&moves), Arc::clone(&answered));
            let settings =
                Settings::new(line.parse()?, new_key()).with_handle(handle(&format!("{color:?}-{number}")));
            seating.spawn(async move {
                let client = enter(settings).await;
                Traveller { client, number, color, moves, answered }
            });
        }
    }
    let mut playing = JoinSet::new();
    for traveller in timeout(SEATING_MAX, seating.join_all()).await.context("nobody gets in")? {
        playing.spawn(traveller.play());
    }
    tokio::select! {
        () = tokio::time::sleep(plan.time) => {}
        Some(ended) = playing.join_next() => ended??,
    }
    drop(playing);
    let answered = answered.lock().unwrap_or_else(PoisonError::into_inner).clone();
    println!("{}", row(plan, &answered));
    let p99 = answered.percentile(99).as_secs_f64();
    let goal =
        |limit| Verdict::at_most(&format!("p99 at {lost_percent} % loss"), p99, limit, "s", "the goal");
    Ok(match lost_percent {
        10 => Some(goal(1.2)),
        30 => Some(goal(3.0)),
        _ => None,
    })
}

/// On the worst road some handshakes take longer than a client waits; its player tries again.
async fn enter(settings: Settings) -> Client {
    loop {
        if let Ok(client) = Client::connect(settings.clone()).await {
            return client;
        }
    }
}

/// The line over the table.
pub(crate) fn head() -> String {
    format!(
        "{:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "loss %", "games", "answers", "p50 ms", "p90 ms", "p99 ms", "max ms"
    )
}

fn row(plan: Plan, answered: &Times) -> String {
    let time = |percent| millis(answered.percentile(percent));
    format!(
        "{:>6} {:>6} {:>8} {:>8.0} {:>8.0} {:>8.0} {:>8.0}",
        plan.lost_percent,
        plan.games,
        answered.count(),
        time(50),
        time(90),
        time(99),
        time(100)
    )
}

impl Traveller {
    /// Finds his game and plays it; each move is timed until its answer is there.
    async fn play(self) -> anyhow::Result<()> {
        let side = if self.color == Color::White { Side::White } else { Side::Black };
        let seat = self.client.find_game(proposal(self.number, side)).await?;
        let mut game = self.client.open_game(seat.game).await?;
        while let Some(state) = game.your_turn().await? {
            let Some(&mv) = self.moves.get(state.ply as usize) else { break };
            let sent = Instant::now();
            game.play(mv).await?;
            self.answered.lock().unwrap_or_else(PoisonError::into_inner).add(sent.elapsed());
        }
        Ok(())
    }
}
