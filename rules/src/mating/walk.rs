//! A walk through every position that can arise, the nearest first.
//!
//! Both sides help. Every position is looked at once; positions are told apart by all that they are, never
//! by a hash. So a walk that meets a mate has a line of moves that leads to it, and a walk that has nothing
//! left to look at has seen everything that can arise: no mate among it is a proof. What leaves a position
//! out ([`material`], [`Reach`]) must be proven.

use super::Answer;
use super::material;
use super::reach::Reach;
use super::seen::Seen;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;

/// A position met on the walk.
pub(super) struct Node {
    pub(super) position: Position,
    /// The node it came from, and by which move; none for the first.
    origin: Option<(u32, Move)>,
}

pub(super) struct Walk {
    side: Color,
    /// In the order they were met, which is the order they are looked at.
    nodes: Vec<Node>,
    seen: Seen,
    spent: u64,
}

impl Walk {
    /// Stands on `position`, to find a mate by `side`.
    pub(super) fn new(position: &Position, side: Color) -> Self {
        let root = Node { position: position.clone(), origin: None };
        let mut walk = Self { side, nodes: vec![root], seen: Seen::new(), spent: 0 };
        walk.seen.insert(&walk.nodes, 0);
        walk
    }

    /// How many positions were looked at.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Goes on until a mate is met, nothing is left, or `nodes_max` positions were looked at.
    pub(super) fn run(&mut self, nodes_max: u64) -> Answer {
        let mut index = 0;
        while index < self.nodes.len() {
            if self.spent >= nodes_max {
                return Answer::NotProven;
            }
            if self.look_at(index) {
                self.nodes.truncate(index + 1);
                return Answer::Yes;
            }
            index += 1;
        }
        Answer::No
    }

    /// Meets what follows from a node; whether it is a mate by our side.
    fn look_at(&mut self, index: usize) -> bool {
        self.spent += 1;
        let position = self.nodes[index].position.clone();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.turn() != self.side && position.is_check();
        }
        if !self.is_hopeless(&position) {
            for mv in moves {
                self.nodes.push(Node { position: position.after(mv), origin: Some((index as u32, mv)) });
                if !self.seen.insert(&self.nodes, self.nodes.len() as u32 - 1) {
                    self.nodes.pop();
                }
            }
        }
        false
    }

    /// Whether it is proven that no mate can follow. Asked where a man was captured or a pawn moved: no
    /// other move changes what the proofs rest on for good.
    fn is_hopeless(&mut self, position: &Position) -> bool {
        if position.halfmove_clock() != 0 {
            return false;
        }
        if material::cannot_mate(position.board(), self.side) {
            return true;
        }
        self.spent += 1;
        !Reach::new(position, self.side).may_mate()
    }

    /// The moves to the position looked at last.
    pub(super) fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut node = self.nodes.last();
        while let Some((from, mv)) = node.and_then(|node| node.origin) {
            line.push(mv);
            node = self.nodes.get(from as usize);
        }
        line.reverse();
        line
    }
}
