//! The two kings' walks, exactly, among men that may be wherever they could ever stand.
//!
//! [`Facts`] take each man alone. Here the squares of both kings and whose move it is are kept together:
//! the kings stay apart; a side without a step for its king and without another man to move is stalemated
//! or mated, and nothing comes of what led there; and when a mate is judged, the king of the mating side
//! stands on one square. Nothing that can arise is missed, for every legal move but castling moves one king
//! by one step or leaves both where they are.

use super::facts::Facts;
use super::fill;
use super::pairs::Pairs;
use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::position::Position;
use crate::square::Square;

#[derive(Clone)]
pub(super) struct Kings {
    /// Where both kings may ever stand, by whose move it is then; by the square of the white one.
    pairs: ByColor<Pairs>,
    /// Where a king may take a man, the game going on.
    pub(super) took: ByColor<Bitboard>,
}

impl Kings {
    /// Where the kings are; none for a position with castling, which is no step.
    pub(super) fn new(position: &Position) -> Option<Self> {
        let white = position.board().king_of(Color::White)?;
        let black = position.board().king_of(Color::Black)?;
        if !position.castling().is_empty() {
            return None;
        }
        Some(Self::from_pairs(position.turn(), &Pairs::single(white, black)))
    }

    /// Where the kings may be to begin with, `turn` being to move; by the square of the white one.
    pub(super) fn from_pairs(turn: Color, begin: &Pairs) -> Self {
        let mut pairs = ByColor { white: Pairs::NONE, black: Pairs::NONE };
        pairs[turn] = *begin;
        Self { pairs, took: ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY } }
    }

    /// Lets both kings go where the facts allow, until nothing more comes of it.
    pub(super) fn walk(&mut self, facts: &Facts) {
        let targets =
            ByColor { white: facts.kings_targets(Color::White), black: facts.kings_targets(Color::Black) };
        loop {
            let before = (self.pairs.white, self.pairs.black);
            for white in Square::all() {
                if !(self.pairs.white.0[white.index()] | self.pairs.black.0[white.index()]).is_empty() {
                    self.move_white(white, facts, targets);
                    self.move_black(white, facts, targets);
                }
            }
            if (self.pairs.white, self.pairs.black) == before {
                return;
            }
        }
    }

    fn move_white(&mut self, white: Square, facts: &Facts, targets: ByColor<Bitboard>) {
        let from = self.pairs.white.0[white.index()];
        if facts.is_loose(Color::White) {
            self.pairs.black.0[white.index()] |= from;
        }
        for to in fill::kings(white.into()) & targets.white {
            let arrived = from & apart(to);
            self.pairs.black.0[to.index()] |= arrived;
            let goes_on =
                facts.is_loose(Color::Black) || fill::kings(targets.black & apart(to)).intersects(arrived);
            if !arrived.is_empty() && goes_on {
                self.took.white |= facts.victims(Color::White) & to.into();
            }
        }
    }

    fn move_black(&mut self, white: Square, facts: &Facts, targets: ByColor<Bitboard>) {
        let from = self.pairs.black.0[white.index()];
        if facts.is_loose(Color::Black) {
            self.pairs.white.0[white.index()] |= from;
        }
        let arrived = fill::kings(from) & targets.black & apart(white);
        self.pairs.white.0[white.index()] |= arrived;
        let steps = fill::kings(white.into()) & targets.white;
        let goes_on = if facts.is_loose(Color::White) {
            arrived
        } else {
            steps.into_iter().fold(Bitboard::EMPTY, |set, to| set | arrived & apart(to))
        };
        self.took.black |= facts.victims(Color::Black) & goes_on;
    }

    /// Where the king of `color` may ever stand.
    pub(super) fn squares(&self, color: Color) -> Bitboard {
        let both = |white: Square| self.pairs.white.0[white.index()] | self.pairs.black.0[white.index()];
        match color {
            Color::White => Square::all().filter(|&white| !both(white).is_empty()).collect(),
            Color::Black => Square::all().fold(Bitboard::EMPTY, |set, white| set | both(white)),
        }
    }

    /// Where the king of `side` may stand with that side to move, the other king being on `prey`.
    pub(super) fn hunters(&self, side: Color, prey: Square) -> Bitboard {
        let pairs = &self.pairs[side];
        match side {
            Color::White => Square::all().filter(|&white| pairs.contains(white, prey)).collect(),
            Color::Black => pairs.0[prey.index()],
        }
    }
}

/// The squares that a king may stand on when the other is on `king`.
fn apart(king: Square) -> Bitboard {
    !(fill::kings(king.into()) | king.into())
}
