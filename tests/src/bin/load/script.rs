//! Whole games as the frames that their players send, made before anything is measured.

use bytes::Bytes;
use chatrang_protocol::ids::{IntentId, Seq};
use chatrang_protocol::intent::{Intent, IntentFrame};
use chatrang_rules::moves::Move;
use chatrang_tests::marathon::long_game;
use chatrang_tests::wire::framed;
use std::sync::Arc;

/// Different games that are played at the same time; further tables play the same ones again.
const SCRIPTS: u64 = 8;

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
