//! A search for a mate that goes deep along moves that bring it nearer, and a little aside.
//!
//! Both sides help. A line may have as many moves that bring the goal nearer as it likes, and a reply to each;
//! all others are counted, and only so many are allowed: first one, then one more, until there is a mate or
//! the search has cost enough. So it is as quick where the goal says what to do as it is patient where a few
//! moves to and fro must prepare it.
//!
//! It never says *no*: positions are told apart by a hash.

use super::Answer;
use super::goal::{Goal, Step};
use super::material;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;

/// As many moves cost as much as one node of the budget.
const MOVES_PER_NODE: u64 = 25;
/// No line is longer: so deep goes the recursion, and hardly a mate needs more.
const PLIES_MAX: usize = 128;
/// What the kinds of moves cost of those that may be made aside.
const ASIDE: u8 = 1;
const BACK: u8 = 4;

pub(super) struct Deepening {
    side: Color,
    goal: Goal,
    table: Table,
    /// The moves still to be made of all positions on the line, the next one last.
    open: Vec<(Step, Move)>,
    steps: Vec<(Step, Move)>,
    line: Vec<Move>,
    made: u64,
    made_max: u64,
    /// Whether something was left out that more moves aside would have shown.
    is_cut: bool,
}

impl Deepening {
    pub(super) fn new(side: Color, goal: Goal, nodes_max: u64) -> Self {
        let made_max = nodes_max.saturating_mul(MOVES_PER_NODE);
        Self {
            side,
            goal,
            table: Table::new(made_max),
            open: Vec::with_capacity(256),
            steps: Vec::with_capacity(128),
            line: Vec::with_capacity(PLIES_MAX),
            made: 0,
            made_max,
            is_cut: false,
        }
    }

    /// Looks for a mate from `position`.
    pub(super) fn run(&mut self, position: &Position) -> Answer {
        for aside in 1..u8::MAX {
            self.is_cut = false;
            if self.search(position, aside, false) {
                return Answer::Yes;
            }
            if !self.is_cut || self.made >= self.made_max {
                break;
            }
        }
        Answer::NotProven
    }

    /// As how many nodes of the budget it counts.
    pub(super) fn spent(&self) -> u64 {
        self.made.div_ceil(MOVES_PER_NODE)
    }

    /// The moves to the mate that was found.
    pub(super) fn into_line(self) -> Vec<Move> {
        self.line
    }

    /// Whether a mate follows with so many moves aside; `is_reply` after a move that brought it nearer.
    fn search(&mut self, position: &Position, aside: u8, is_reply: bool) -> bool {
        if aside == 0 || self.line.len() == PLIES_MAX {
            self.is_cut = true;
            return position.turn() != self.side && position.is_checkmate();
        }
        if !self.table.insert(position.hash(), aside) {
            return false;
        }
        let first = self.open.len();
        if self.open_moves(position) {
            return true;
        }
        while self.open.len() > first {
            let Some((step, mv)) = self.open.pop() else { break };
            if self.made == self.made_max {
                self.is_cut = true;
                self.open.truncate(first);
                return false;
            }
            self.made += 1;
            let left = match step {
                Step::Forth => aside,
                Step::Aside if is_reply => aside,
                Step::Aside => aside - ASIDE,
                Step::Back => aside.saturating_sub(BACK),
            };
            self.line.push(mv);
            if self.search(&position.after(mv), left, step == Step::Forth) {
                return true;
            }
            self.line.pop();
        }
        false
    }

    /// Opens all moves of a position, the best last; whether it is a mate by our side.
    #[inline(never)]
    fn open_moves(&mut self, position: &Position) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.turn() != self.side && position.is_check();
        }
        if material::cannot_mate(position.board(), self.side) {
            return false;
        }
        self.goal.judge(position, moves.as_slice(), &mut self.steps);
        for step in [Step::Back, Step::Aside, Step::Forth] {
            self.open.extend(self.steps.iter().filter(|entry| entry.0 == step));
        }
        false
    }
}

/// With how many moves aside a position was last searched: entries that collide replace each other.
struct Table {
    entries: Vec<u64>,
    shift: u32,
}

impl Table {
    const ENTRIES_MIN: u64 = 1 << 8;
    const ENTRIES_MAX: u64 = 1 << 18;

    fn new(moves_max: u64) -> Self {
        let count = (moves_max / 4).clamp(Self::ENTRIES_MIN, Self::ENTRIES_MAX).next_power_of_two();
        Self { entries: vec![0; count as usize], shift: 64 - count.ilog2() }
    }

    /// Enters a position; whether it is not there already, searched as far.
    fn insert(&mut self, hash: u64, aside: u8) -> bool {
        let entry = &mut self.entries[(hash >> self.shift) as usize];
        let key = hash << 8;
        if *entry & !0xff == key && (*entry & 0xff) as u8 >= aside {
            return false;
        }
        *entry = key | u64::from(aside);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_searched_again_only_with_more_moves_aside() {
        let mut table = Table::new(0);
        let (here, there) = (0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdee);
        assert!(table.insert(here, 2));
        assert!(!table.insert(here, 2) && !table.insert(here, 1));
        assert!(table.insert(here, 3));
        // another position in its place
        assert!(table.insert(there, 1));
        assert!(table.insert(here, 1));
    }
}
