//! One player, who plays one game after the other.

use crate::heard::{self, Heard};
use crate::host::Kind;
use crate::pace::{LATE, Pace};
use crate::script::{self, Script};
use crate::tally::{Tally, Written};
use chatrang_protocol::frame::PREFIX_BYTES;
use chatrang_protocol::ids::{GameId, RequestId};
use chatrang_protocol::intent::Attach;
use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_protocol::net::stream::FrameReceiver;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, Reply};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_rules::game::{Controls, Millis, TimeControl};
use chatrang_tests::patience::soon;
use chatrang_tests::wire::Wire;
use quinn::SendStream;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Barrier;

/// Between two games of a table that plays at given times there is time for as many moves.
const INTERMISSION_MOVES: u64 = 1;

/// A table: its two players meet at it again and again.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    kind: Kind,
    number: u32,
    script: Arc<Script>,
    written: Written,
    /// Both are at the board: the first move finds its opponent listening.
    together: Arc<Barrier>,
}

/// A player at his table.
#[derive(Debug)]
pub(crate) struct Player {
    table: Table,
    side: Side,
    /// Also keeps the connection: one that nobody holds is closed.
    wire: Wire,
    board: Board,
    games: u64,
}

/// The stream of a game.
#[derive(Debug)]
struct Board {
    sender: SendStream,
    receiver: FrameReceiver,
}

impl Table {
    pub(crate) fn new(kind: Kind, number: u32, script: Arc<Script>) -> Self {
        Self { kind, number, script, written: Written::new(), together: Arc::new(Barrier::new(2)) }
    }
}

impl Player {
    /// Sits down at the board of a first game.
    pub(crate) async fn sit_down(table: Table, side: Side, mut wire: Wire) -> Self {
        let board = Board::open(&table, side, &mut wire, 0).await;
        Self { table, side, wire, board, games: 0 }
    }

    /// quinn's connection.
    pub(crate) fn connection(&self) -> &quinn::Connection {
        &self.wire.connection
    }

    /// Plays for as long as nobody takes him away.
    pub(crate) async fn play(mut self, pace: Pace, tally: Tally) {
        loop {
            self.play_game(pace, &tally).await;
            self.games += 1;
            self.board = Board::open(&self.table, self.side, &mut self.wire, self.games).await;
        }
    }

    async fn play_game(&mut self, pace: Pace, tally: &Tally) {
        let script = Arc::clone(&self.table.script);
        let first_ply = usize::from(self.side == Side::Black);
        let before = self.games * (script.frames().len() as u64 + INTERMISSION_MOVES);
        let mut written = None;
        for (ply, frame) in script.frames().iter().enumerate() {
            if ply % 2 == first_ply {
                let late = pace.wait(before + ply as u64).await > LATE;
                self.table.written.stamp();
                written = Some(Instant::now());
                tally.note(|seen| {
                    seen.late += u64::from(late);
                    seen.intents.add(frame.len());
                });
                self.board.sender.write_chunk(frame.clone()).await.expect("the other end reads");
            } else {
                self.hear(ply, &mut written, tally).await;
            }
        }
        tally.note(|seen| seen.games += 1);
    }

    /// Listens until the opponent's `ply` has come. On the way comes the answer to the own one before it,
    /// which was `written` then.
    async fn hear(&mut self, ply: usize, written: &mut Option<Instant>, tally: &Tally) {
        let wanted = Heard::Done(script::id(ply));
        loop {
            let message = self.board.receiver.next().await;
            let message = message.expect("the stream goes on").expect("the game goes on");
            let heard = match self.table.kind {
                Kind::Relay => heard::from_relay(&message),
                Kind::Server => heard::from_server(&message),
            };
            let to_opponent = self.table.written.elapsed();
            let bytes = PREFIX_BYTES + message.len();
            tally.note(|seen| match heard {
                Heard::Done(_) => {
                    seen.updates.add(bytes);
                    if heard == wanted {
                        seen.to_opponent.add(to_opponent);
                    }
                }
                Heard::Accepted => {
                    seen.answers.add(bytes);
                    seen.answered.extend(written.take().map(|written| written.elapsed()));
                }
                Heard::Refused | Heard::Else => {}
            });
            assert_ne!(heard, Heard::Refused, "all moves are legal, and come in their turn");
            if heard == wanted {
                return;
            }
        }
    }
}

impl Board {
    /// Opens the game that both players of a table have come to, and returns when both are at it.
    async fn open(table: &Table, side: Side, wire: &mut Wire, games: u64) -> Self {
        let game = match table.kind {
            Kind::Relay => GameId(u64::from(table.number) << 32 | games),
            Kind::Server => seek(wire, proposal(table.number, side), games).await,
        };
        let mut stream = wire.open().await;
        stream.give(Attach { game, seen: None }).await;
        // The snapshot, or the relay's word that it has a seat.
        stream.take_bytes().await;
        let (sender, receiver) = stream.into_halves();
        soon("the opponent to sit down", table.together.wait()).await;
        Self { sender, receiver }
    }
}

/// Terms that nobody at another table seeks, so that the players of one find each other; no clock runs
/// out.
pub(crate) fn proposal(table: u32, side: Side) -> Proposal {
    let increment = Millis(u64::from(table));
    let time = TimeControl::new(Millis::from_minutes(24 * 60), increment).expect("within the bounds");
    Proposal::casual(Controls::equal(time), side)
}

/// Seeks a game, and returns with its number when it has begun.
async fn seek(wire: &mut Wire, proposal: Proposal, games: u64) -> GameId {
    let request = Request::Seek(proposal);
    wire.control.give(RequestFrame { id: RequestId(games), request }).await;
    loop {
        match wire.control.take().await {
            ControlFrame::Reply { reply: Ok(Reply::Seeking(_)), .. } => {}
            ControlFrame::Reply { reply: Ok(Reply::Paired(seat)), .. }
            | ControlFrame::Notice(Notice::GameStarted(seat)) => return seat.game,
            other => panic!("no game: {other:?}"),
        }
    }
}
