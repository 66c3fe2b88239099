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
pub fn is_dead(position: &Position, budget: Budget) -> bool {
    Color::ALL.into_iter().all(|side| can_mate(position, side, budget).answer == Answer::No)
}

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

/// Whether no arrangement of the men there are, nor of those left after any captures, is a mate by `side`.
///
/// - A lone king attacks nobody.
/// - A single knight, the other side having queens only: the men that would have to hem in their own king
///   stand next to him, and each queen there reaches the knight or the man that screens it.
/// - Bishops of one colour, the other side having neither knights nor pawns nor bishops of the other
///   colour: of the square next to the king through which the check comes, two neighbours beside the king
///   have the other colour; the king of `side` cannot guard both, and a rook or queen on one of them
///   steps between or captures.
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
