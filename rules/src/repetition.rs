//! Which positions are the same, and how often the one on the board has stood there (FIDE 9.2.3).

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::position::Position;
use crate::reserves::Reserves;
use crate::square::Square;

/// All that makes two positions the same: equal keys, same position. Nothing is hashed away, so that no
/// draw is ever given by a collision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    board: Board,
    turn: Color,
    castling: CastlingRights,
    /// Only where the capture is legal: FIDE 9.2.3.1 asks for what *could* be played.
    en_passant: Option<Square>,
    /// On a board where captured men come back, those in hand count too (L12).
    reserves: Option<Reserves>,
}

impl PositionKey {
    /// What a position is compared by.
    pub fn new(position: &Position) -> Self {
        Self {
            board: *position.board(),
            turn: position.turn(),
            castling: position.castling(),
            en_passant: position.legal_en_passant(),
            reserves: position.reserves().copied(),
        }
    }
}

/// The positions since the last capture or pawn's move, none of which can come back after one. (Where
/// captured men come back, positions can too: there it is all positions.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetitions {
    /// Never empty; the last is the position on the board.
    seen: Vec<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    /// Compared first: other positions hardly ever have the same.
    hash: u64,
    key: PositionKey,
    /// How often the position had appeared by then, that time included.
    count: u32,
    /// Whether the move that led here gave check.
    check: bool,
}

impl Repetitions {
    /// Begins with a position that no move has led to.
    pub fn new(position: &Position) -> Self {
        Self {
            seen: vec![Seen {
                hash: position.hash(),
                key: PositionKey::new(position),
                count: 1,
                check: false,
            }],
        }
    }

    /// Adds the position that a move has just led to.
    pub fn push(&mut self, position: &Position) {
        if never_comes_back(position) {
            self.seen.clear();
        }
        let (hash, key) = (position.hash(), PositionKey::new(position));
        let count = self.appearances(hash, &key) + 1;
        self.seen.push(Seen { hash, key, count, check: position.is_check() });
    }

    /// How often the position on the board has appeared, this time included.
    pub fn count(&self) -> u32 {
        self.seen.last().map_or(0, |current| current.count)
    }

    /// How often a position that an intended move leads to would then have appeared (FIDE 9.2.1).
    pub fn count_after(&self, next: &Position) -> u32 {
        if never_comes_back(next) {
            return 1;
        }
        self.appearances(next.hash(), &PositionKey::new(next)) + 1
    }

    /// Whether a next move could bring some position for the `times`-th time: only then need one look which.
    pub fn may_repeat(&self, times: u32) -> bool {
        self.seen.iter().any(|seen| seen.count + 1 >= times)
    }

    /// Which side gave check with each of its moves since the position on the board last appeared.
    /// None when it has appeared once only, or when both sides did.
    pub fn perpetual_check(&self) -> Option<Color> {
        let (current, before) = self.seen.split_last()?;
        let last = before.iter().rposition(|seen| seen.key == current.key)?;
        let cycle = &self.seen[last + 1..];
        let checked = |checker: Color| {
            // The side to move afterwards is the one that was given check.
            cycle.iter().filter(|seen| seen.key.turn == !checker).all(|seen| seen.check)
        };
        match Color::ALL.map(checked) {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }

    /// How often a position that the next move leads to has appeared so far.
    fn appearances(&self, hash: u64, key: &PositionKey) -> u32 {
        // The side to move is the same in every second position only.
        let mut before = self.seen.iter().rev().skip(1).step_by(2);
        before.find(|seen| seen.hash == hash && seen.key == *key).map_or(0, |seen| seen.count)
    }
}

/// Whether the last move has made sure that no position before it comes back.
fn never_comes_back(position: &Position) -> bool {
    position.halfmove_clock() == 0 && position.reserves().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, uci};
    use crate::setup::Strictness;

    #[test]
    fn l18_equal_hashes_of_other_positions_are_no_repetition() {
        let position = Position::standard();
        let mut other = position.clone();
        for text in ["g1f3", "g8f6", "b1c3", "b8c6"] {
            other.play(uci::parse(&other, text).unwrap()).unwrap();
        }
        let repetitions = Repetitions::new(&position);
        // The next position but one could be the first; with its hash another one still is not.
        let moved = position.after(uci::parse(&position, "g1f3").unwrap());
        let mut both = repetitions.clone();
        both.push(&moved);
        assert_eq!(both.appearances(position.hash(), &PositionKey::new(&position)), 1);
        assert_eq!(both.appearances(position.hash(), &PositionKey::new(&other)), 0);
    }

    #[test]
    fn l12_l18_on_a_board_with_reserves_these_count_and_captures_end_nothing() {
        let start = "rk6/8/8/8/8/8/8/R3K3[] w - - 0 1";
        let mut position = fen::parse_position(start, Strictness::Playable).unwrap();
        let mut repetitions = Repetitions::new(&position);
        let mut play = |text: &str| {
            position.play(uci::parse(&position, text).unwrap()).unwrap();
            repetitions.push(&position);
            repetitions.count()
        };
        // The rooks are exchanged and dropped again, and White's king loses a move: all is as it was.
        let back = ["a1a8", "b8a8", "R@a1", "a8b8", "e1d2", "R@a8", "d2e2", "b8c8", "e2e1", "c8b8"];
        assert_eq!(back.map(&mut play), [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
        // Before White drops his, the same men stand on the same squares, but one is in hand.
        let in_hand = ["a1a8", "b8a8", "e1d1", "a8b8", "d1e1"];
        assert_eq!(in_hand.map(&mut play), [2, 2, 1, 1, 1]);
    }
}
