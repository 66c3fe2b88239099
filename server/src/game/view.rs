//! What a listener is shown: the state of a game as its screen needs it.

use chatrang_protocol::codec::{List, Text};
use chatrang_protocol::view::{LegalMove, PlayedView, StateView};
use chatrang_rules::game::{Game, Stamp};
use chatrang_rules::notation::{fen, san};

/// The state of `game`, with clocks as they read at the stamp's time.
pub fn state(game: &Game, stamp: Stamp) -> StateView {
    let position = game.position();
    let legal = match game.result() {
        Some(_) => Vec::new(),
        None => san::write_all(position).map(|(mv, san)| LegalMove { mv, san: Text::cut(&san) }).collect(),
    };
    StateView {
        fen: Text::cut(&fen::write(position)),
        ply: game.ply(),
        turn: position.turn(),
        in_check: position.is_check(),
        legal: List::cut(legal),
        clocks: game.clocks(stamp),
        draw_offer: game.draw_offer(),
        claims: List::cut(game.claims()),
        repetitions: game.repetitions(),
        halfmove_clock: position.halfmove_clock(),
        suspension: game.suspension(),
        result: game.result(),
    }
}

/// The moves made so far.
pub fn played<const MAX: usize>(game: &Game) -> List<PlayedView, MAX> {
    let played = game
        .played()
        .iter()
        .map(|played| PlayedView { mv: played.mv, san: Text::cut(&played.san), left: played.left })
        .collect();
    List::cut(played)
}
