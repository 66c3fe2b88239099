//! A game that goes on for as long as a test needs: men walk about and nothing is taken.

use chatrang_protocol::view::StateView;
use chatrang_rules::notation::{fen, san};
use chatrang_rules::setup::Strictness;
use std::collections::HashMap;

/// Plies without a pawn's move after which one is due, where pawns may move: well before the
/// seventy-five-move rule.
const PAWN_PLIES: u32 = 100;

/// Whether pawns take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pawns {
    /// They stay where they are, so that the fifty moves come.
    Stay,
    /// Now and then one moves, so that no rule ends the game.
    MayMove,
}

/// Where the men have been. They go to wherever they have been least often, so that no position comes
/// three times.
#[derive(Clone, Debug, Default)]
pub struct Stroll {
    visits: HashMap<String, u32>,
}

impl Stroll {
    /// The next move in SAN, neither a capture nor a check.
    pub fn next(&mut self, state: &StateView, pawns: Pawns) -> String {
        let position = fen::parse_position(state.fen.as_str(), Strictness::Playable).unwrap();
        let pawn_is_due = pawns == Pawns::MayMove && state.halfmove_clock >= PAWN_PLIES;
        let (count, place, san) = position
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, san::write(&position, mv)))
            .filter(|(_, san)| !san.contains(['x', '+', '#', '=']))
            .filter(|(_, san)| san.starts_with(['N', 'R']) != pawn_is_due)
            .map(|(mv, san)| {
                let mut after = position.clone();
                after.play(mv).unwrap();
                let place = fen::write(&after).split(' ').take(2).collect::<String>();
                (self.visits.get(&place).copied().unwrap_or(0), place, san)
            })
            .min()
            .expect("somebody can walk");
        self.visits.insert(place, count + 1);
        san
    }
}
