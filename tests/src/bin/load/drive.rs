//! The players of a measurement.

use crate::relay::ACKNOWLEDGED;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec;
use chatrang_protocol::ids::{GameId, IntentId, RequestId, Seq};
use chatrang_protocol::intent::{Attach, Intent, IntentFrame};
use chatrang_protocol::key::Fingerprint;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::reply::{ControlFrame, Reply};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::view::GameFrame;
use chatrang_rules::game::{Command, Game, Millis, Party, Stamp, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::san;
use chatrang_rules::position::Position;
use chatrang_tests::house::new_key;
use chatrang_tests::players::proposal;
use chatrang_tests::wire::{Wire, WireStream, hello};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// No clock runs out in a measurement.
const TIME: &str = "1440+0";

/// Moves at the beginning of each game that are played and not counted.
const WARM_UP_PLIES: usize = 4;

/// A move written so long after its time is late: it had to wait for the one before, or the load
/// generator itself did not keep up.
const LATE: Duration = Duration::from_millis(2);

/// Plies without a capture or a pawn's move after which one is made: before the rules end the game.
const QUIET_PLIES_MAX: u32 = 100;

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) games: u32,
    pub(crate) seconds: u32,
    /// Moves a second in each game.
    pub(crate) rate: u32,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Relay,
    Server,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    /// From a move's writing to its arrival, in microseconds, sorted.
    pub(crate) micros: Vec<u64>,
    /// Moves that were written more than [`LATE`] after their time.
    pub(crate) late: usize,
}

/// When each move of one game was written, in nanoseconds since the measurement's start.
type Written = Arc<Vec<AtomicU64>>;

/// One player's part.
struct Player {
    target: Target,
    /// Kept, since a connection that nobody holds is closed.
    _wire: Wire,
    stream: WireStream,
    game: GameId,
    /// 0 for White, 1 for Black.
    first_ply: usize,
    moves: Arc<Vec<Move>>,
    written: Written,
}

/// When the games move.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    start: Instant,
    interval: Duration,
    /// How far this game is out of step.
    offset: Duration,
}

/// Seats everybody, plays, and collects the times.
pub(crate) async fn run(
    target: Target,
    address: SocketAddr,
    fingerprint: Fingerprint,
    load: Load,
) -> Measured {
    let plies = WARM_UP_PLIES + (load.seconds * load.rate) as usize;
    let mut players = Vec::new();
    for number in 0..load.games {
        let moves = Arc::new(long_game(plies, u64::from(number)));
        let mut wires = [
            Wire::dial_at(address, fingerprint, &new_key()).await,
            Wire::dial_at(address, fingerprint, &new_key()).await,
        ];
        let game = match target {
            Target::Relay => GameId(u64::from(number)),
            Target::Server => seat(&mut wires, number).await,
        };
        let written: Written = Arc::new((0..plies).map(|_| AtomicU64::new(0)).collect());
        for (first_ply, wire) in wires.into_iter().enumerate() {
            let mut stream = wire.open().await;
            stream.give(Attach { game, seen: None }).await;
            // The snapshot, or the relay's word that it has a seat.
            stream.take_bytes().await;
            let (moves, written) = (Arc::clone(&moves), Arc::clone(&written));
            players.push(Player { target, _wire: wire, stream, game, first_ply, moves, written });
        }
    }
    play(players, load).await
}

async fn play(players: Vec<Player>, load: Load) -> Measured {
    let interval = Duration::from_secs(1) / load.rate;
    let start = Instant::now() + Duration::from_millis(200);
    let mut tasks = JoinSet::new();
    for (index, player) in (0..).zip(players) {
        let offset = interval * (index / 2) / load.games;
        tasks.spawn(player.play(Schedule { start, interval, offset }));
    }
    let mut all = Measured::default();
    // Nobody hangs up before all have heard everything: a close would overtake the last move.
    let mut done = Vec::new();
    while let Some(ended) = tasks.join_next().await {
        let (player, measured) = ended.expect("a player plays to the end");
        done.push(player);
        all.micros.extend(measured.micros);
        all.late += measured.late;
    }
    all.micros.sort_unstable();
    all
}

impl Player {
    async fn play(mut self, schedule: Schedule) -> (Self, Measured) {
        let mut measured = Measured::default();
        for ply in 0..self.moves.len() {
            if ply % 2 == self.first_ply {
                let due = schedule.start + schedule.offset + schedule.interval * ply as u32;
                sleep_until(due).await;
                let now = Instant::now();
                if ply >= WARM_UP_PLIES && now.duration_since(due) > LATE {
                    measured.late += 1;
                }
                self.written[ply].store(nanos_since(schedule.start, now), Ordering::Release);
                self.write(ply).await;
            } else {
                self.hear(ply).await;
                let arrived = nanos_since(schedule.start, Instant::now());
                if ply >= WARM_UP_PLIES {
                    let written = self.written[ply].load(Ordering::Acquire);
                    measured.micros.push(arrived.saturating_sub(written) / 1_000);
                }
            }
        }
        (self, measured)
    }

    async fn write(&mut self, ply: usize) {
        let intent = Intent::Move { ply: ply as u32, mv: self.moves[ply] };
        self.stream.give(IntentFrame { id: self.id(ply), seen: Seq(ply as u64), intent }).await;
    }

    /// Listens until the opponent's move has come; everything else is passed over.
    async fn hear(&mut self, ply: usize) {
        let wanted = self.id(ply);
        loop {
            let message = self.stream.take_bytes().await;
            if move_in(self.target, &message) == Some(wanted) {
                return;
            }
        }
    }

    fn id(&self, ply: usize) -> IntentId {
        IntentId(self.game.0 << 32 | ply as u64)
    }
}

/// The move that a message brings, if it does.
fn move_in(target: Target, message: &[u8]) -> Option<IntentId> {
    match target {
        Target::Relay if message == ACKNOWLEDGED => None,
        Target::Relay => match codec::decode(message).unwrap() {
            ClientFrame::Intent(intent) => Some(intent.id),
            other => panic!("no move: {other:?}"),
        },
        Target::Server => match codec::decode(message).unwrap() {
            GameFrame::Update(update) => update.intent,
            GameFrame::Answer(answer) => {
                answer.outcome.expect("the move is accepted");
                None
            }
            _ => None,
        },
    }
}

fn nanos_since(start: Instant, now: Instant) -> u64 {
    // The schedule starts a moment after the players do, and nobody writes before it.
    now.saturating_duration_since(start).as_nanos() as u64
}

/// Two new accounts at a new game, the first as White.
async fn seat(wires: &mut [Wire; 2], number: u32) -> GameId {
    let mut seats = None;
    for (wire, (name, side)) in wires.iter_mut().zip([("White", Side::White), ("Black", Side::Black)]) {
        wire.welcome(&hello(&format!("{name}-{number}"))).await;
        let request = Request::Seek(proposal(TIME, side));
        wire.control.give(RequestFrame { id: RequestId(1), request }).await;
        match wire.control.take().await {
            ControlFrame::Reply { reply: Ok(Reply::Seeking(_)), .. } => {}
            ControlFrame::Reply { reply: Ok(Reply::Paired(seat)), .. } => seats = Some(seat.game),
            other => panic!("no game: {other:?}"),
        }
    }
    seats.expect("the second was paired with the first")
}

/// Legal moves that no rule ends: random ones that take nothing, as long as there are any.
fn long_game(plies: usize, seed: u64) -> Vec<Move> {
    (0..u64::from(u16::MAX))
        .map(|attempt| random_game(plies, StdRng::seed_from_u64(seed << 16 | attempt)))
        .find(|moves| moves.len() == plies)
        .expect("one of them is long enough")
}

fn random_game(plies: usize, mut chance: StdRng) -> Vec<Move> {
    let terms = Terms { first_move: Millis::from_seconds(3_600), ..Terms::online(TIME.parse().unwrap()) };
    let mut game = Game::new(terms);
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies && game.result().is_none() {
        let position = game.position();
        let mv = choose(position, &mut chance);
        let by = Party::Player(position.turn());
        game.apply(by, Command::Move(mv), Stamp::at_ms(0)).answer.expect("a legal move");
        moves.push(mv);
    }
    if game.result().is_some() { Vec::new() } else { moves }
}

fn choose(position: &Position, chance: &mut StdRng) -> Move {
    let legal = position.legal_moves();
    let due = position.halfmove_clock() >= QUIET_PLIES_MAX;
    let quiet: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&mv| {
            let san = san::write(position, mv);
            !san.contains('x') && san.starts_with(|first: char| first.is_ascii_lowercase()) == due
        })
        .collect();
    *quiet.choose(chance).or_else(|| legal.choose(chance)).expect("the game is not over")
}
