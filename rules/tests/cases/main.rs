//! Positions and texts that trip up chess programs, each with its one right answer.

mod board;
mod notation;
mod repetition;
mod san;
mod setup;

use chatrang_rules::notation::{fen, parse_move};
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;

pub(crate) fn position(text: &str) -> Position {
    fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves in SAN or UCI.
pub(crate) fn play(from: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(from.clone(), |mut position, text| {
        let mv = parse_move(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv).expect("what was read is legal");
        position
    })
}
