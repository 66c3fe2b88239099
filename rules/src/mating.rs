//! Can a side still mate by some series of legal moves, however foolish? (FIDE 5.1.2, 5.2.2, 6.9)
//!
//! `No` is said only of what is proven: by the material, or because every line of play has been followed
//! to its end. `Yes` is said only when a mate has been found. All else is [`Answer::NotProven`].

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;

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
    let mut search = Search { side, nodes_left: budget.nodes };
    let mut answer = Answer::NotProven;
    for depth in 0..=SEARCH_PLIES_MAX {
        answer = search.look(position, depth);
        if answer != Answer::NotProven || search.nodes_left == 0 {
            break;
        }
    }
    Verdict { answer, nodes: budget.nodes - search.nodes_left }
}

/// Whether the position is dead: proven that neither side can mate any more (FIDE 5.2.2).
///
/// Cheap enough to ask after every move: where the material leaves a mate open, lines of play are
/// followed only from a choice so narrow that they may all end soon.
pub fn is_dead(position: &Position, budget: Budget) -> bool {
    if Color::ALL.into_iter().all(|side| material_cannot_mate(position, side)) && !position.is_checkmate() {
        return true;
    }
    position.legal_moves().len() <= NARROW_MOVES_MAX
        && Color::ALL.into_iter().all(|side| can_mate(position, side, budget).answer == Answer::No)
}

/// From more moves than these not every line of play ends within [`Budget::AFTER_MOVE`], but for
/// positions that the material decides anyway.
const NARROW_MOVES_MAX: usize = 3;

/// How far ahead a line of play is followed.
const SEARCH_PLIES_MAX: u32 = 40;

struct Search {
    side: Color,
    nodes_left: u64,
}

impl Search {
    /// Follows every line of play for `depth` plies at most.
    fn look(&mut self, position: &Position, depth: u32) -> Answer {
        if material_cannot_mate(position, self.side) {
            return Answer::No;
        }
        let Some(nodes_left) = self.nodes_left.checked_sub(1) else { return Answer::NotProven };
        self.nodes_left = nodes_left;
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mated = position.is_check() && position.turn() != self.side;
            return if mated { Answer::Yes } else { Answer::No };
        }
        if depth == 0 {
            return Answer::NotProven;
        }
        let mut answer = Answer::No;
        for mv in moves {
            match self.look(&position.after(mv), depth - 1) {
                Answer::Yes => return Answer::Yes,
                Answer::NotProven => answer = Answer::NotProven,
                Answer::No => {}
            }
        }
        answer
    }
}

/// Whether no move can lead to a mate by `side` with the men there are, nor with those left after captures.
///
/// - A lone king attacks nobody.
/// - A single knight, the other side having queens only: the men that would have to hem in their own king
///   stand next to him, and each queen there reaches the knight or the man that screens it.
/// - Bishops of one colour, the other side having neither knights nor pawns nor bishops of the other
///   colour: of the square next to the king through which the check comes, two neighbours beside the king
///   have the other colour; the king of `side` cannot guard both, and a rook or queen on one of them
///   steps between or captures. (Their diagonals cross at the checked king only, so that no move gives
///   check with two of them.)
fn material_cannot_mate(position: &Position, side: Color) -> bool {
    let board = position.board();
    let (own, theirs) = (board.by_color(side), board.by_color(!side));
    let of_role = |role| board.by_role(role);
    if (own & (of_role(Role::Pawn) | of_role(Role::Rook) | of_role(Role::Queen))) != Bitboard::EMPTY {
        return false;
    }
    let (knights, bishops) = (own & of_role(Role::Knight), own & of_role(Role::Bishop));
    if bishops.is_empty() {
        let queens_only = (theirs - of_role(Role::Queen) - of_role(Role::King)).is_empty();
        return knights.is_empty() || (!knights.is_several() && queens_only);
    }
    let helpers = theirs & (of_role(Role::Knight) | of_role(Role::Pawn));
    knights.is_empty() && helpers.is_empty() && one_shade(of_role(Role::Bishop))
}

/// Whether all these squares are light, or all dark.
fn one_shade(squares: Bitboard) -> bool {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    (squares & LIGHT).is_empty() || (squares - LIGHT).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::board::Board;
    use crate::castling::CastlingRights;
    use crate::notation::fen;
    use crate::piece::Piece;
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
