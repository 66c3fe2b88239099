//! Whole games as the frames that their players send, made before anything is measured.

use bytes::Bytes;
use chatrang_protocol::ids::{IntentId, Seq};
use chatrang_protocol::intent::{Intent, IntentFrame};
use chatrang_rules::game::{Command, Game, Millis, Party, Stamp, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::san;
use chatrang_tests::pgn::{REAL_GAMES, RecordedGame, games};
use chatrang_tests::wire::framed;
use std::cmp::Reverse;
use std::sync::Arc;

/// Different games that are played at the same time; further tables play the same ones again.
const GAMES: usize = 8;

/// Moves at which each of them is given up, so that no crowd of games ends and begins at one moment.
const ENDS: usize = 25;

/// Ids are random numbers of 64 bits in play, so here they have as many bytes.
const IDS_FROM: u64 = 1 << 63;

/// A game: its moves in order, and then whoever is to move resigns.
#[derive(Debug)]
pub(crate) struct Script {
    frames: Vec<Bytes>,
}

impl Script {
    /// The longest of the real games, as far as no rule ends them, given up at different moves of their second half.
    pub(crate) fn real_games() -> Vec<Arc<Self>> {
        let mut games = games(REAL_GAMES);
        games.sort_by_key(|game| Reverse(game.moves.len()));
        let games: Vec<_> = games.iter().take(GAMES).map(moves).collect();
        let given_up_at =
            |nth| games.iter().map(move |moves| &moves[..moves.len() * (2 * ENDS - nth) / (2 * ENDS)]);
        (0..ENDS).flat_map(given_up_at).map(|moves| Arc::new(Self::new(moves))).collect()
    }

    fn new(moves: &[Move]) -> Self {
        let moves = (0..).zip(moves).map(|(ply, &mv)| Intent::Move { ply, mv });
        let frames = (0..)
            .zip(moves.chain([Intent::Resign]))
            .map(|(ply, intent)| framed(IntentFrame { id: id(ply), seen: Seq(ply as u64), intent }).into());
        Self { frames: frames.collect() }
    }

    /// What is sent, ply by ply.
    pub(crate) fn frames(&self) -> &[Bytes] {
        &self.frames
    }
}

/// The id of the intent that makes a ply.
pub(crate) fn id(ply: usize) -> IntentId {
    IntentId(IDS_FROM | ply as u64)
}

/// The moves of a game up to the one that ends it by a rule, if one does.
fn moves(recorded: &RecordedGame) -> Vec<Move> {
    let terms = Terms { first_move: Millis::from_seconds(3_600), ..Terms::online(recorded.controls) };
    let mut game = Game::new(terms);
    let mut moves = Vec::with_capacity(recorded.moves.len());
    for recorded in &recorded.moves {
        let position = game.position();
        let mv = san::parse(position, &recorded.san).expect("a real game");
        let by = Party::Player(position.turn());
        game.apply(by, Command::Move(mv), Stamp::at_ms(0)).answer.expect("a legal move");
        if game.result().is_some() {
            break;
        }
        moves.push(mv);
    }
    moves
}
