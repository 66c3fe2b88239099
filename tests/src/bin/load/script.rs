//! Whole games as the frames that their players send, made before anything is measured.

use bytes::Bytes;
use chatrang_protocol::ids::{IntentId, Seq};
use chatrang_protocol::intent::{Intent, IntentFrame};
use chatrang_rules::game::{Command, Game, Millis, Party, Stamp, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::san;
use chatrang_rules::position::Position;
use chatrang_tests::wire::framed;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use std::sync::Arc;

/// Different games that are played at the same time; further tables play the same ones again.
const SCRIPTS: u64 = 8;

/// Plies without a capture or a pawn's move after which one is made: before the rules end the game.
const QUIET_PLIES_MAX: u32 = 100;

/// Ids are random numbers of 64 bits in play, so here they have as many bytes.
const IDS_FROM: u64 = 1 << 63;

/// A game: its moves in order, and then whoever is to move resigns.
#[derive(Debug)]
pub(crate) struct Script {
    frames: Vec<Bytes>,
}

impl Script {
    /// Several games of so many plies.
    pub(crate) fn several(plies: usize) -> Vec<Arc<Self>> {
        (0..SCRIPTS).map(|seed| Arc::new(Self::new(&long_game(plies, seed)))).collect()
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

/// Legal moves that no rule ends: random ones that take nothing, as long as there are any.
pub(crate) fn long_game(plies: usize, seed: u64) -> Vec<Move> {
    (0..u64::from(u16::MAX))
        .map(|attempt| random_game(plies, StdRng::seed_from_u64(seed << 16 | attempt)))
        .find(|moves| moves.len() == plies)
        .expect("one of them is long enough")
}

fn random_game(plies: usize, mut chance: StdRng) -> Vec<Move> {
    let terms = Terms { first_move: Millis::from_seconds(3_600), ..Terms::online("1440+0".parse().unwrap()) };
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
