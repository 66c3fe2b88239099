//! What a listener is shown: the state of a game as its screen needs it.

use chatrang_protocol::codec::{List, Text};
use chatrang_protocol::view::{
    ClaimView, EnvelopeContent, EnvelopeView, LegalMove, PlayedView, ProposalView, SanText, StateView,
};
use chatrang_rules::color::ByColor;
use chatrang_rules::game::{Game, Matter, Played, Stamp};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::{fen, san};

/// The state of `game`, with clocks and claims as they are at the stamp's time.
pub fn state(game: &Game, stamp: Stamp) -> StateView {
    let position = game.position();
    let envelope = |(sealer, is_filled)| EnvelopeView {
        sealer,
        content: if is_filled { EnvelopeContent::Move } else { EnvelopeContent::Empty },
    };
    let absent_for =
        |color| game.absent_since(color).map(|since| stamp.now.max(game.last_event()).since(since));
    StateView {
        fen: Text::cut(&fen::write(position)),
        ply: game.ply(),
        turn: position.turn(),
        in_check: position.is_check(),
        legal: legal(game),
        touched: List::cut(game.touched().to_vec()),
        clocks: game.clocks(stamp),
        proposals: proposals(game),
        claims: ByColor::from_fn(|color| List::cut(game.claims(color, stamp))),
        illegal_moves: game.illegal_moves(),
        repetitions: game.repetitions(),
        halfmove_clock: position.halfmove_clock(),
        suspension: game.suspension(),
        envelope: game.envelope().map(envelope),
        claim_waiting: game.claim_that_waits().map(|(by, claim)| ClaimView { by, claim }),
        absent_for: ByColor::from_fn(absent_for),
        result: game.result(),
    }
}

/// The moves made so far.
pub fn played<const MAX: usize>(game: &Game) -> List<PlayedView, MAX> {
    List::cut(game.played().iter().map(played_view).collect())
}

/// A move that was made.
pub fn played_view(played: &Played) -> PlayedView {
    PlayedView { mv: played.mv, san: SanText::cut(&played.san), left: played.left }
}

/// So many that a position with more is rare.
const LEGAL_MOVES_USUAL: usize = 48;

/// The legal moves that the men touched leave, each with its SAN.
fn legal<const MAX: usize>(game: &Game) -> List<LegalMove, MAX> {
    if game.result().is_some() {
        return List::default();
    }
    let left: Option<Vec<Move>> = (!game.touched().is_empty()).then(|| game.moves());
    let is_left = |mv: &Move| left.as_ref().is_none_or(|left| left.contains(mv));
    let mut legal = Vec::with_capacity(LEGAL_MOVES_USUAL);
    san::visit_all(game.position(), |mv, san| {
        if is_left(&mv) {
            legal.push(LegalMove { mv, san: SanText::cut(san) });
        }
    });
    List::cut(legal)
}

fn proposals<const MAX: usize>(game: &Game) -> List<ProposalView, MAX> {
    let standing = |matter| game.proposal(matter).map(|(by, proposal)| ProposalView { by, proposal });
    List::cut(Matter::ALL.into_iter().filter_map(standing).collect())
}
