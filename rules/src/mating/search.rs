//! A walk through the positions that can arise, the most promising first.
//!
//! Both sides help. Every position is looked at once; positions are told apart by all that they are, never
//! by a hash. So a walk that meets a mate has a line of moves that leads to it, and a walk that has nothing
//! left to look at has seen everything that can arise: no mate among it is a proof.
//!
//! What only steers the walk may be as rough as it likes; what leaves a position out must be proven.

use super::guide::Guide;
use super::plan::Plan;
use super::material;
use super::reach::Reach;
use super::seen::Seen;
use super::{Answer, Verdict};
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use std::collections::BinaryHeap;

/// A position met on the walk.
pub(super) struct Node {
    pub(super) position: Position,
    /// Where it came from; the first node is its own parent.
    parent: u32,
    mv: Option<Move>,
    cost: i32,
    plies: u32,
    plan: u32,
    replan: bool,
    paid: i32,
}

/// What is still to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open(u64);

impl Open {
    /// Sorts by lowest cost, then by latest parent.
    fn new(cost: i32, parent: u32, mv: Move) -> Self {
        let cost = u64::from(0xffff - cost.clamp(0, 0xffff) as u16);
        Self(cost << 48 | u64::from(parent) << 16 | u64::from(mv.bits()))
    }

    fn parent(self) -> u32 {
        (self.0 >> 16) as u32
    }

    fn mv(self) -> Move {
        Move::from_bits(self.0 as u16).expect("it was made of a move")
    }
}

pub(super) struct Search {
    side: Color,
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    seen: Seen,
    plans: Vec<Plan>,
    pub(super) spent: u64,
}

impl Search {
    pub(super) fn new(position: &Position, side: Color, plan: Plan) -> Self {
        let root = Node { position: position.clone(), parent: 0, mv: None, cost: plan.estimate(position), plies: 0, plan: 0, replan: false, paid: 0 };
        let mut nodes = Vec::with_capacity(64);
        nodes.push(root);
        let mut seen = Seen::new();
        seen.insert(&nodes, 0);
        Self { side, nodes, open: BinaryHeap::with_capacity(256), seen, plans: vec![plan], spent: 0 }
    }

    pub(super) fn run(&mut self, nodes_max: u64, pruned: bool) -> Answer {
        if self.spent == 0 {
            self.spent += 1;
            if self.expand(0) {
                return Answer::Yes;
            }
        }
        while let Some(next) = self.open.pop() {
            if self.spent >= nodes_max {
                self.open.push(next);
                return Answer::NotProven;
            }
            let parent = &self.nodes[next.parent() as usize];
            let mv = next.mv();
            let position = parent.position.after(mv);
            let cost = 0xffff - (next.0 >> 48) as i32;
            let irreversible = position.halfmove_clock() == 0;
            let replan = self.plans[parent.plan as usize].hungry && (mv.promoted().is_some() || parent.position.board().color_at(mv.to()).is_some());
            let node = Node { position, parent: next.parent(), mv: Some(mv), cost, plies: parent.plies + 1, plan: parent.plan, replan, paid: 0 };
            let index = self.nodes.len() as u32;
            self.nodes.push(node);
            if !self.seen.insert(&self.nodes, index) {
                self.nodes.pop();
                continue;
            }
            let position = &self.nodes[index as usize].position;
            if irreversible {
                if material::cannot_mate(position, self.side) {
                    continue;
                }
                if pruned {
                    self.spent += 1;
                    if Reach::new(position).mating_squares(self.side).is_empty() {
                        continue;
                    }
                }
            }
            self.spent += 1;
            if self.expand(index) {
                return Answer::Yes;
            }
        }
        Answer::No
    }

    /// Queues all that can follow; whether the position is a mate by our side.
    fn expand(&mut self, index: u32) -> bool {
        let node = &self.nodes[index as usize];
        let position = &node.position;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.turn() != self.side && position.is_check();
        }
        if node.replan {
            if let Some(plan) = Plan::list(position, self.side, 1).pop() {
                let cost = plan.estimate(position) + node.paid;
                self.plans.push(plan);
                let node = &mut self.nodes[index as usize];
                node.plan = self.plans.len() as u32 - 1;
                node.cost = cost;
            }
        }
        let node = &self.nodes[index as usize];
        let position = &node.position;
        let guide = Guide::new(&self.plans[node.plan as usize], position, self.side);
        for mv in moves {
            let cost = node.cost + guide.cost(mv);
            self.open.push(Open::new(cost, index, mv));
        }
        false
    }

    /// The moves to the node looked at last.
    pub(super) fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut index = self.nodes.len() - 1;
        while let Some(mv) = self.nodes[index].mv {
            line.push(mv);
            index = self.nodes[index].parent as usize;
        }
        line.reverse();
        line
    }
}

pub(super) fn verdict(answer: Answer, search: &Search) -> Verdict {
    Verdict { answer, nodes: search.spent }
}
