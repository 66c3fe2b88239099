//! Can a side still mate by some series of legal moves, however foolish? (FIDE 5.1.2, 5.2.2, 6.9)
//!
//! `No` is said only of what is proven: by the material, or because every line of play has been followed
//! to its end. `Yes` is said only when a mate has been found. All else is [`Answer::NotProven`].

mod facts;
mod fill;
mod gate;
mod guide;
mod kings;
mod material;
mod picture;
mod plan;
mod reach;
mod seen;
mod walk;

use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use picture::Picture;
use plan::Plan;
use reach::Reach;
use walk::{Style, Walk};

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
    pub const AT_END: Self = Self { nodes: 40_000 };
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
    let mut solver = Solver::new(position, side, budget);
    let answer = solver.answer();
    Verdict { answer, nodes: solver.spent }
}

/// Legal moves from this position to a mate by `side`, if some are found: no moves when it is mate already.
pub fn mating_line(position: &Position, side: Color, budget: Budget) -> Option<Vec<Move>> {
    let mut solver = Solver::new(position, side, budget);
    (solver.answer() == Answer::Yes).then_some(solver.line)
}

/// Whether the position is dead: proven that neither side can mate any more (FIDE 5.2.2).
///
/// Cheap enough to ask after every move: what plainly has room on both sides is let through at a look.
pub fn is_dead(position: &Position, budget: Budget) -> bool {
    let by_material = |side| material::cannot_mate(position, side);
    if Color::ALL.into_iter().all(by_material) {
        return !position.is_checkmate();
    }
    !gate::is_plainly_alive(position)
        && Color::ALL.into_iter().all(|side| can_mate(position, side, budget).answer == Answer::No)
}

/// One question, and what has been spent on it.
struct Solver<'a> {
    position: &'a Position,
    side: Color,
    nodes_max: u64,
    spent: u64,
    /// To the mate, once it is found.
    line: Vec<Move>,
}

impl<'a> Solver<'a> {
    fn new(position: &'a Position, side: Color, budget: Budget) -> Self {
        Self { position, side, nodes_max: budget.nodes, spent: 0, line: Vec::new() }
    }

    /// The cheap proof where it may well hold, a short walk, the dear proof, and longer walks.
    fn answer(&mut self) -> Answer {
        // A setup may hold a mate that no move gives, by two bishops of one shade: neither the material
        // nor where men could go says anything of it.
        if self.position.is_checkmate() {
            self.spent = 1;
            return if self.position.turn() == self.side { Answer::No } else { Answer::Yes };
        }
        if material::cannot_mate(self.position, self.side) {
            return Answer::No;
        }
        let plainly_alive = gate::is_plainly_alive(self.position);
        if !plainly_alive && !Reach::new(self.position).may_mate(self.side) {
            return Answer::No;
        }
        let pictures = picture::list(self.position, self.side, PICTURES_MAX);
        for (number, (picture, style, nodes)) in walks(&pictures).enumerate() {
            if number == 1 && self.is_hopeless(plainly_alive) {
                return Answer::No;
            }
            let answer = self.walk(picture, style, nodes);
            if answer != Answer::NotProven || self.spent >= self.nodes_max {
                return answer;
            }
        }
        Answer::NotProven
    }

    /// What a short walk did not tell, the bound may, and then the bound with both kings taken together.
    fn is_hopeless(&self, plainly_alive: bool) -> bool {
        plainly_alive && !Reach::new(self.position).may_mate(self.side)
            || !Reach::with_kings(self.position).may_mate(self.side)
    }

    fn walk(&mut self, picture: &Picture, style: Style, nodes: u64) -> Answer {
        let plan = Plan::new(self.position, self.side, picture);
        let mut walk = Walk::new(self.position, self.side, plan, style);
        let answer = walk.run(nodes.min(self.nodes_max - self.spent));
        self.spent += walk.spent();
        if answer == Answer::Yes {
            self.line = walk.line();
        }
        answer
    }
}

/// How many pictures of a mate are tried.
const PICTURES_MAX: usize = 8;

/// The walks to take, one after the other, each with how many positions to look at: first in haste to
/// several pictures, then more thoroughly, then on and on.
fn walks(pictures: &[Picture]) -> impl Iterator<Item = (&Picture, Style, u64)> {
    let hasty = pictures.iter().take(4).map(|picture| (picture, Style { flight: 0, pruned: false }, 100));
    let thorough = pictures.iter().zip([2, 3, 4].into_iter().cycle());
    let thorough = thorough.map(|(picture, flight)| (picture, Style { flight, pruned: true }, 400));
    let long = pictures.iter().zip([4_000, 16_000, u64::MAX]);
    let long = long.map(|(picture, nodes)| (picture, Style { flight: 2, pruned: true }, nodes));
    hasty.chain(thorough).chain(long)
}
