//! Which positions are the same, and how often the one on the board has stood there (FIDE 9.2.3).

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::position::Position;
use crate::square::Square;

/// All that makes two positions the same: equal keys, same position. Nothing is hashed away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    board: Board,
    turn: Color,
    castling: CastlingRights,
    /// Only where the capture is legal: FIDE 9.2.3.1 asks for what *could* be played.
    en_passant: Option<Square>,
}

impl PositionKey {
    /// What a position is compared by.
    pub fn new(position: &Position) -> Self {
        Self {
            board: *position.board(),
            turn: position.turn(),
            castling: position.castling(),
            en_passant: position.legal_en_passant(),
        }
    }
}

/// The positions since the last capture or pawn's move, none of which can come back after one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetitions {
    /// Never empty; the last is the position on the board.
    seen: Vec<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    key: PositionKey,
    /// Whether the move that led here gave check.
    check: bool,
}

impl Repetitions {
    /// Begins with a position that no move has led to.
    pub fn new(position: &Position) -> Self {
        Self { seen: vec![Seen { key: PositionKey::new(position), check: false }] }
    }

    /// Adds the position that a move has just led to.
    pub fn push(&mut self, position: &Position) {
        if position.halfmove_clock() == 0 {
            self.seen.clear();
        }
        self.seen.push(Seen { key: PositionKey::new(position), check: position.is_check() });
    }

    /// How often the position on the board has appeared, this time included.
    pub fn count(&self) -> u32 {
        self.current().map_or(0, |current| self.occurrences(&current.key))
    }

    /// How often a position that an intended move leads to would then have appeared (FIDE 9.2.1).
    pub fn count_after(&self, next: &Position) -> u32 {
        if next.halfmove_clock() == 0 { 1 } else { self.occurrences(&PositionKey::new(next)) + 1 }
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

    fn current(&self) -> Option<&Seen> {
        self.seen.last()
    }

    fn occurrences(&self, key: &PositionKey) -> u32 {
        self.seen.iter().filter(|seen| seen.key == *key).count() as u32
    }
}
