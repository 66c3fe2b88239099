//! Can a side still mate by some series of legal moves, however foolish? (FIDE 5.1.2, 5.2.2, 6.9)
//!
//! `Yes` is said only when a line of moves to a mate has been found. `No` is said only of what is proven,
//! in one of four ways: by the men there are (`material`); by what could ever stand where, each man taken
//! alone (`reach`, `facts`, `last`) or the two kings taken together (`kings`), here or wherever forced moves
//! lead; or because every position that can arise has been looked at, one by one (`walk`) or with the kings
//! in whole sets (`sweep`, of every `scene` the `pairs` of squares). All else is [`Answer::NotProven`]. The
//! rest steers: `picture` and `plan` say how far a mate looks, `guide` which moves bring it nearer, `gate`
//! where the question need not be asked; and `trace` finds the moves to a mate that a sweep met.

mod facts;
mod fill;
mod gate;
mod guide;
mod kings;
mod last;
mod material;
mod pairs;
mod picture;
mod plan;
mod reach;
mod scene;
mod seen;
mod sweep;
mod trace;
mod walk;

use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use picture::Picture;
use plan::Plan;
use reach::Reach;
use sweep::Sweep;
use walk::{Style, Walk};

/// How much may be spent on an answer: never time, so that it is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many positions may be looked at.
    pub nodes: u64,
}

impl Budget {
    /// After every move: about a millisecond a side at the worst.
    pub const AFTER_MOVE: Self = Self { nodes: 1_000 };
    /// When a flag falls, a player resigns or the arbiter rules: hardly ever more than 10 ms at the end of a
    /// game, and for compositions about 150 ms and 50 MB at the worst.
    pub const AT_END: Self = Self { nodes: 100_000 };
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
    let by_material = |side| material::cannot_mate(position.board(), side);
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

    /// The cheap proof where it may well hold, a short walk, the dear proof, more short walks, and then
    /// sweeps and long walks in turn.
    fn answer(&mut self) -> Answer {
        // A setup may hold a mate that no move gives, by two bishops of one shade: neither the material
        // nor where men could go says anything of it.
        if self.position.is_checkmate() {
            self.spent = 1;
            return if self.position.turn() == self.side { Answer::No } else { Answer::Yes };
        }
        if material::cannot_mate(self.position.board(), self.side) {
            return Answer::No;
        }
        let plainly_alive = gate::is_plainly_alive(self.position);
        if !plainly_alive && !Reach::new(self.position, self.side).may_mate() {
            return Answer::No;
        }
        let pictures = picture::list(self.position, self.side, PICTURES_MAX);
        let walks_before_proofs = pictures.len().min(if plainly_alive { HASTY_WALKS } else { 1 });
        for (number, (picture, style, nodes)) in short_walks(&pictures).enumerate() {
            if number == walks_before_proofs && self.is_hopeless(plainly_alive) {
                return Answer::No;
            }
            let answer = self.walk(picture, style, nodes);
            if answer != Answer::NotProven || self.spent >= self.nodes_max {
                return answer;
            }
        }
        let mut sweep = Sweep::new(self.position, self.side);
        for (picture, walk_nodes, sweep_nodes) in LONG {
            let answer = self.sweep(sweep.as_mut(), sweep_nodes);
            if answer != Answer::NotProven || self.spent >= self.nodes_max {
                return answer;
            }
            if let Some(picture) = pictures.get(picture) {
                let answer = self.walk(picture, Style { flight: 2, pruned: true }, walk_nodes);
                if answer != Answer::NotProven || self.spent >= self.nodes_max {
                    return answer;
                }
            }
        }
        Answer::NotProven
    }

    /// What a short walk did not tell, the bound may, and then the bound with both kings taken together,
    /// here or wherever forced moves lead.
    fn is_hopeless(&mut self, plainly_alive: bool) -> bool {
        plainly_alive && !Reach::new(self.position, self.side).may_mate()
            || self.leads_nowhere(self.position, FORCED_PLIES_MAX)
    }

    /// Whether all lines of play with little choice end where no mate can arise any more.
    fn leads_nowhere(&mut self, position: &Position, plies: u32) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return !position.is_check() || position.turn() == self.side;
        }
        if self.spent + DEAR_PROOF_COST > self.nodes_max {
            return false;
        }
        self.spent += DEAR_PROOF_COST;
        if material::cannot_mate(position.board(), self.side)
            || !Reach::with_kings(position, self.side).may_mate()
        {
            return true;
        }
        plies > 0
            && moves.len() <= FORCED_MOVES_MAX
            && moves.into_iter().all(|mv| self.leads_nowhere(&position.after(mv), plies - 1))
    }

    /// Sweeps on, by so many nodes.
    fn sweep(&mut self, sweep: Option<&mut Sweep>, nodes: u64) -> Answer {
        let Some(sweep) = sweep else { return Answer::NotProven };
        let before = sweep.spent();
        let answer = sweep.run(before + nodes.min(self.nodes_max.saturating_sub(self.spent)));
        self.spent += sweep.spent() - before;
        match (answer, sweep.line()) {
            (Answer::Yes, Some(line)) => self.line = line,
            (Answer::Yes, None) => return Answer::NotProven,
            _ => {}
        }
        answer
    }

    fn walk(&mut self, picture: &Picture, style: Style, nodes: u64) -> Answer {
        let plan = Plan::new(self.position, self.side, picture);
        let mut walk = Walk::new(self.position, self.side, plan, style);
        let answer = walk.run(nodes.min(self.nodes_max.saturating_sub(self.spent)));
        self.spent += walk.spent();
        if answer == Answer::Yes {
            self.line = walk.line();
        }
        answer
    }
}

/// The sweeps and walks after the short ones, in turn: which picture to walk to, and how many positions to look
/// at walking and sweeping.
const LONG: [(usize, u64, u64); 3] = [(0, 4_000, 8_000), (1, 16_000, 64_000), (2, u64::MAX, u64::MAX)];

/// What counts as little choice, and for how long it is followed.
const FORCED_MOVES_MAX: usize = 2;
const FORCED_PLIES_MAX: u32 = 5;
/// As how many positions the dear proof counts.
const DEAR_PROOF_COST: u64 = 16;

/// How many pictures of a mate are tried, and how many of them in haste.
const PICTURES_MAX: usize = 8;
const HASTY_WALKS: usize = 4;

/// The walks to take first, one after the other, each with how many positions to look at: in haste to several
/// pictures, then more thoroughly.
fn short_walks(pictures: &[Picture]) -> impl Iterator<Item = (&Picture, Style, u64)> {
    let hasty =
        pictures.iter().take(HASTY_WALKS).map(|picture| (picture, Style { flight: 0, pruned: false }, 100));
    let thorough = pictures.iter().zip([2, 3, 4].into_iter().cycle());
    let thorough = thorough.map(|(picture, flight)| (picture, Style { flight, pruned: true }, 400));
    hasty.chain(thorough)
}
