//! Can a side still mate by some series of legal moves, however foolish? (FIDE 5.1.2, 5.2.2, 6.9)
//!
//! `No` is said only of what is proven: by the material, or because every line of play has been followed
//! to its end. `Yes` is said only when a mate has been found. All else is [`Answer::NotProven`].

mod fill;
mod guide;
mod picture;
mod plan;
mod material;
mod reach;
mod search;
mod seen;

use crate::color::Color;
use crate::position::Position;
use reach::Reach;
use search::Search;

/// How much may be spent on an answer: never time, so that it is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many positions may be looked at.
    pub nodes: u64,
}

impl Budget {
    /// After every move.
    pub const AFTER_MOVE: Self = Self { nodes: 1_000 };
    /// When a flag falls, a player resigns or the arbiter rules.
    pub const AT_END: Self = Self { nodes: 25_000 };
}

/// Whether a side can still mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// The budget did not suffice to tell; counts as if it could.
    NotProven,
}

/// An answer, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// Whether `side` can still mate the other king from this position, with this side to move.
pub fn can_mate(position: &Position, side: Color, budget: Budget) -> Verdict {
    // A setup may hold a mate that no move gives, by two bishops of one shade: the material says nothing of it.
    if position.is_checkmate() {
        let answer = if position.turn() == side { Answer::No } else { Answer::Yes };
        return Verdict { answer, nodes: 1 };
    }
    if material::cannot_mate(position, side) {
        return Verdict { answer: Answer::No, nodes: 0 };
    }
    let mut spent = 0;
    for (i, plan) in plan::Plan::list(position, side, 4).into_iter().enumerate() {
        let mut search = Search::new(position, side, plan);
        let answer = search.run(60, false);
        spent += search.spent;
        if answer != Answer::NotProven {
            return Verdict { answer, nodes: spent };
        }
        if i == 0 && Reach::new(position).mating_squares(side).is_empty() {
            return Verdict { answer: Answer::No, nodes: spent };
        }
    }
    let mut search = Search::new(position, side, plan::Plan::list(position, side, 1).pop().unwrap());
    let answer = search.run(budget.nodes.saturating_sub(spent), true);
    Verdict { answer, nodes: spent + search.spent }
}

/// Whether the position is dead: proven that neither side can mate any more (FIDE 5.2.2).
pub fn is_dead(position: &Position, budget: Budget) -> bool {
    Color::ALL.into_iter().all(|side| can_mate(position, side, budget).answer == Answer::No)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::bitboard::Bitboard;
    use crate::board::Board;
    use crate::castling::CastlingRights;
    use crate::notation::fen;
    use crate::piece::{Piece, Role};
    use crate::setup::{Setup, Strictness};
    use crate::square::Square;

    fn answers(text: &str) -> [Answer; 2] {
        let position = fen::parse_position(text, Strictness::Playable).unwrap();
        Color::ALL.map(|side| can_mate(&position, side, Budget::AFTER_MOVE).answer)
    }

    #[test]
    fn l16_l24_material_alone_is_no_only_where_no_mate_can_arise() {
        use Answer::{No, NotProven};
        for (text, expected) in [
            ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", [No, No]),
            ("8/8/8/4k3/8/8/8/4KN2 w - - 0 1", [No, No]),
            ("8/8/8/4k3/8/8/8/3NKN2 w - - 0 1", [NotProven, No]),
            ("8/8/8/4kq2/8/8/8/4KN2 w - - 0 1", [No, NotProven]),
            ("8/8/8/4kr2/8/8/8/4KN2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4kn2/8/8/8/4KN2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4kp2/8/8/8/4KN2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4kb2/8/8/8/4KN2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4kr2/8/8/8/4KB2 w - - 0 1", [No, NotProven]),
            ("8/8/8/4kqr1/8/8/8/4KB2 w - - 0 1", [No, NotProven]),
            ("8/8/8/4kn2/8/8/8/4KB2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4kb2/8/8/8/4KB2 w - - 0 1", [No, No]),
            ("8/8/8/4k1b1/8/8/8/4KB2 w - - 0 1", [NotProven, NotProven]),
            ("8/8/8/4k1b1/8/8/8/4KBB1 w - - 0 1", [NotProven, NotProven]),
            // dead for all that books print, but not so
            ("7B/8/8/8/6b1/6k1/8/5K2 w - - 0 1", [NotProven, NotProven]),
        ] {
            assert_eq!(answers(text), expected, "{text}");
        }
    }

    #[test]
    fn l16_a_mate_within_reach_is_found_and_a_forced_end_is_followed() {
        use Answer::{No, Yes};
        for (text, expected) in [
            // mate in one; mated already, by two bishops that no move can have brought there
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", [Yes, No]),
            ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", [No, Yes]),
            // stalemate
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [No, No]),
            // White must capture the queen and only then has a bare king before him
            ("8/8/8/8/8/8/1q5k/K7 w - - 0 1", [No, No]),
        ] {
            assert_eq!(answers(text), expected, "{text}");
        }
        let dead = fen::parse_position("8/8/8/8/8/8/1q5k/K7 w - - 0 1", Strictness::Reachable).unwrap();
        assert!(is_dead(&dead, Budget::AFTER_MOVE));
        assert!(!is_dead(&Position::standard(), Budget::AFTER_MOVE));
    }

    #[test]
    fn the_budget_bounds_what_is_looked_at() {
        for nodes in [0, 1, 17] {
            let verdict = can_mate(&Position::standard(), Color::White, Budget { nodes });
            assert_eq!(verdict, Verdict { answer: Answer::NotProven, nodes });
        }
    }

    /// Every check by a knight, each square the king could flee to held by a queen of his own: more queens
    /// would only attack the knight as well, fewer would leave the king a square.
    #[test]
    fn l24_a_knight_never_mates_a_king_with_queens_only() {
        let mut tried = 0;
        for king in Square::all() {
            for (knight, mater) in
                attacks::knight(king).into_iter().flat_map(|n| Square::all().map(move |mater| (n, mater)))
            {
                let mut board = Board::EMPTY;
                board.put(king, Piece { color: Color::Black, role: Role::King });
                board.put(mater, Piece { color: Color::White, role: Role::King });
                board.put(knight, Piece { color: Color::White, role: Role::Knight });
                for flight in attacks::king(king) {
                    if board.piece_at(flight).is_none()
                        && board.attackers_to(flight, board.occupied(), Color::White).is_empty()
                    {
                        board.put(flight, Piece { color: Color::Black, role: Role::Queen });
                    }
                }
                let setup =
                    Setup { board, turn: Color::Black, castling: CastlingRights::NONE, ..Setup::standard() };
                if let Ok(position) = Position::new(setup, Strictness::Playable) {
                    assert!(!position.is_checkmate(), "{position:?}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 6_000);
    }

    /// The geometry that the rule for bishops of one shade rests on.
    #[test]
    fn l24_no_king_guards_both_squares_beside_a_bishops_check() {
        for king in Square::all() {
            for next in attacks::bishop(king, Bitboard::ALL) {
                let beside = attacks::rook(king, Bitboard::ALL) & attacks::rook(next, Bitboard::ALL);
                assert_eq!(beside.count(), 2);
                for mater in
                    Square::all().filter(|&mater| mater != king && !attacks::king(king).contains(mater))
                {
                    assert!(!(beside - attacks::king(mater)).is_empty());
                }
            }
        }
    }
}
