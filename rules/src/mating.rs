//! Can a side still mate by some series of legal moves, however foolish? (FIDE 5.1.2, 5.2.2, 6.9)
//!
//! `Yes` is said only when a line of moves to a mate has been found. `No` is said only of what is proven.
//! All else is [`Answer::NotProven`]. In this order:
//!
//! 1. Proof: by the men there are (`material`); by what could ever stand where, each man taken alone
//!    (`reach`, `facts`, `last`), unless `gate` sees that it will not tell.
//! 2. Search: `deepen` looks for a mate, shortly, by the moves of which `goal` says that they bring it nearer.
//! 3. Proof: the same with the two kings taken together (`kings`), here or wherever forced moves lead.
//! 4. Search, longer, and in turn with it proof and search at once: `sweep` looks at every position that can
//!    arise, the kings moved in whole sets (of every `scene` the `pairs` of squares). It proves that there is
//!    no mate, or meets one, and `trace` finds the moves to it.

mod deepen;
mod facts;
mod fill;
mod gate;
mod goal;
mod kings;
mod last;
mod material;
mod mixer;
mod pairs;
mod reach;
mod scene;
mod sweep;
mod trace;

use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;
use deepen::Deepening;
use goal::{Goal, Pawns};
use reach::Reach;
use sweep::Sweep;

/// How much may be spent on an answer: never time, so that it is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many positions may be looked at; the last step is finished, which may take a few hundred more.
    pub nodes: u64,
}

impl Budget {
    /// After every move: 1 to 2 ms a side at the worst, 5 in compositions.
    pub const AFTER_MOVE: Self = Self { nodes: 1_000 };
    /// When a flag falls, a player resigns or the arbiter rules: at the end of a game less than 10 ms, and for
    /// a composition up to 190 ms and 70 MB at the worst.
    pub const AT_END: Self = Self { nodes: 120_000 };
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
    /// Begun where nothing quicker told, and gone on with later.
    sweep: Option<Sweep>,
}

impl<'a> Solver<'a> {
    fn new(position: &'a Position, side: Color, budget: Budget) -> Self {
        Self { position, side, nodes_max: budget.nodes, spent: 0, line: Vec::new(), sweep: None }
    }

    /// The cheap proof where it may well hold, and then one effort after the other.
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
        let corners = goal::corners(self.position, self.side);
        for (effort, nodes) in EFFORTS {
            let nodes = nodes.min(self.nodes_max.saturating_sub(self.spent));
            let answer = match effort {
                Effort::Search(nth, pawns) => self.search(corners[nth], pawns, nodes),
                Effort::Proof => self.prove(plainly_alive),
                Effort::Sweep => self.sweep(nodes),
            };
            if answer != Answer::NotProven || self.spent >= self.nodes_max {
                return answer;
            }
        }
        Answer::NotProven
    }

    /// What a short search did not tell, the bound may, and then the bound with both kings taken together,
    /// here or wherever forced moves lead.
    fn prove(&mut self, plainly_alive: bool) -> Answer {
        let is_hopeless = plainly_alive && !Reach::new(self.position, self.side).may_mate()
            || self.leads_nowhere(self.position, FORCED_PLIES_MAX);
        if is_hopeless { Answer::No } else { Answer::NotProven }
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

    fn search(&mut self, corner: Square, pawns: Pawns, nodes: u64) -> Answer {
        let goal = Goal::new(self.position, self.side, corner, pawns);
        let mut search = Deepening::new(self.side, goal, nodes);
        let answer = search.run(self.position);
        self.spent += search.spent();
        self.line = search.into_line();
        answer
    }

    /// Begins a sweep, or goes on with it.
    fn sweep(&mut self, nodes: u64) -> Answer {
        let begun = self.sweep.take().or_else(|| Sweep::new(self.position, self.side));
        let Some(mut sweep) = begun else { return Answer::NotProven };
        let before = sweep.spent();
        let answer = sweep.run(before + nodes);
        self.spent += sweep.spent() - before;
        match (answer, sweep.line()) {
            (Answer::Yes, Some(line)) => self.line = line,
            (Answer::Yes, None) => return Answer::NotProven,
            _ => {}
        }
        self.sweep = Some(sweep);
        answer
    }
}

/// What counts as little choice, and for how long it is followed.
const FORCED_MOVES_MAX: usize = 2;
const FORCED_PLIES_MAX: u32 = 5;
/// As how many positions the dear proof counts.
const DEAR_PROOF_COST: u64 = 16;

/// One of the ways to an answer.
#[derive(Clone, Copy)]
enum Effort {
    /// To search for a mate in one of the two corners.
    Search(usize, Pawns),
    /// To prove that there is none.
    Proof,
    /// To look at every position that can arise, where the last sweep stopped.
    Sweep,
}

/// What is tried, one after the other, each with how many positions it may take: nearly every question is
/// answered by the first two.
const EFFORTS: [(Effort, u64); 9] = [
    (Effort::Search(0, Pawns::Still), 40),
    (Effort::Search(1, Pawns::Still), 40),
    (Effort::Proof, u64::MAX),
    (Effort::Search(0, Pawns::Helping), 200),
    (Effort::Search(1, Pawns::Helping), 200),
    (Effort::Sweep, 500),
    (Effort::Search(0, Pawns::Helping), 2_000),
    (Effort::Search(1, Pawns::Helping), 2_000),
    (Effort::Sweep, u64::MAX),
];
