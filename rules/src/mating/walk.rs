//! A walk through the positions that can arise, the most promising first.
//!
//! Both sides help. Every position is looked at once; positions are told apart by all that they are, never
//! by a hash. So a walk that meets a mate has a line of moves that leads to it, and a walk that has nothing
//! left to look at has seen everything that can arise: no mate among it is a proof.
//!
//! What only steers the walk ([`Guide`], [`Plan`]) may be as rough as it likes; what leaves a position out
//! ([`material`], [`Reach`]) must be proven.

use super::Answer;
use super::fill;
use super::guide::{Guide, Mover};
use super::material;
use super::plan::Plan;
use super::reach::Reach;
use super::seen::Seen;
use crate::color::Color;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use std::collections::BinaryHeap;

/// What besides the plan a walk goes by.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// What each square that the king to be mated could flee to adds to the estimate.
    pub(super) flight: i32,
    /// Whether positions are left out that [`Reach`] proves hopeless: dear, and the only way to an end
    /// where kings or bishops can wander about for ever.
    pub(super) pruned: bool,
}

/// A position met on the walk.
pub(super) struct Node {
    pub(super) position: Position,
    /// The node it came from, and by which move; none for the first.
    origin: Option<(u32, Move)>,
    /// By the plan, lower is nearer.
    estimate: i32,
    /// What the squares to flee to add to the estimate of all that follows.
    flights: i32,
    /// Which of the plans it goes by.
    plan: u32,
    /// Whether a man was captured or promoted to get here.
    changed: bool,
}

/// A move still to be made: ordered by lowest cost, then by latest node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open(u64);

impl Open {
    const COST_MAX: i32 = 0xffff;

    fn new(cost: i32, from: u32, mv: Move) -> Self {
        let rank = Self::COST_MAX - cost.clamp(0, Self::COST_MAX);
        Self(u64::from(rank.cast_unsigned()) << 48 | u64::from(from) << 16 | u64::from(mv.bits()))
    }

    fn cost(self) -> i32 {
        Self::COST_MAX - (self.0 >> 48) as i32
    }

    fn from(self) -> u32 {
        (self.0 >> 16) as u32
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16).ok()
    }
}

pub(super) struct Walk {
    side: Color,
    style: Style,
    nodes: Vec<Node>,
    plans: Vec<Plan>,
    open: BinaryHeap<Open>,
    seen: Seen,
    spent: u64,
}

impl Walk {
    /// Stands on `position`, to find a mate by `side`.
    pub(super) fn new(position: &Position, side: Color, plan: Plan, style: Style) -> Self {
        let estimate = plan.estimate(position);
        let root =
            Node { position: position.clone(), origin: None, estimate, flights: 0, plan: 0, changed: false };
        let mut walk = Self {
            side,
            style,
            nodes: Vec::with_capacity(64),
            plans: vec![plan],
            open: BinaryHeap::with_capacity(512),
            seen: Seen::new(),
            spent: 0,
        };
        walk.nodes.push(root);
        walk.seen.insert(&walk.nodes, 0);
        walk
    }

    /// How many positions were looked at.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Goes on until a mate is met, nothing is left, or `nodes_max` positions were looked at.
    pub(super) fn run(&mut self, nodes_max: u64) -> Answer {
        if nodes_max == 0 {
            return Answer::NotProven;
        }
        if self.expand(0) {
            return Answer::Yes;
        }
        while let Some(next) = self.open.pop() {
            if self.spent >= nodes_max {
                return Answer::NotProven;
            }
            let Some(index) = self.step(next) else { continue };
            if self.is_hopeless(index) {
                continue;
            }
            if self.expand(index) {
                return Answer::Yes;
            }
        }
        Answer::No
    }

    /// Makes a move; the node it leads to, if its position is new.
    fn step(&mut self, next: Open) -> Option<u32> {
        let mv = next.mv()?;
        let from = &self.nodes[next.from() as usize];
        let captured = from.position.board().color_at(mv.to()).is_some();
        let node = Node {
            position: from.position.after(mv),
            origin: Some((next.from(), mv)),
            estimate: next.cost() - from.flights,
            flights: 0,
            plan: from.plan,
            changed: captured || mv.promoted().is_some(),
        };
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        if self.seen.insert(&self.nodes, index) {
            return Some(index);
        }
        self.nodes.pop();
        None
    }

    /// Whether it is proven that no mate can follow. Asked where a man was captured or a pawn moved: no
    /// other move changes what the proofs rest on for good.
    fn is_hopeless(&mut self, index: u32) -> bool {
        let position = &self.nodes[index as usize].position;
        if position.halfmove_clock() != 0 {
            return false;
        }
        if material::cannot_mate(position.board(), self.side) {
            return true;
        }
        if !self.style.pruned {
            return false;
        }
        self.spent += 1;
        !Reach::new(position, self.side).may_mate()
    }

    /// Opens all moves from a node; whether it is a mate by our side.
    fn expand(&mut self, index: u32) -> bool {
        self.spent += 1;
        let node = &self.nodes[index as usize];
        let moves = node.position.legal_moves();
        if moves.is_empty() {
            return node.position.turn() != self.side && node.position.is_check();
        }
        self.look_again(index);
        if self.style.flight > 0 {
            let node = &mut self.nodes[index as usize];
            node.flights = self.style.flight * flights(&node.position, self.side);
        }
        let node = &self.nodes[index as usize];
        let guide = Guide::new(&self.plans[node.plan as usize], &node.position, self.side);
        let mut mover = None;
        for mv in moves {
            if mover.is_none_or(|mover: Mover| mover.from != mv.from()) {
                mover = guide.mover(mv.from());
            }
            let Some(mover) = mover else { continue };
            let estimate = (node.estimate + guide.cost(mover, mv)).max(0);
            self.open.push(Open::new(estimate + node.flights, index, mv));
        }
        false
    }

    /// Makes a new plan where the old one was to get a man to mate with, and the men have changed. The
    /// estimate stays: what was won is not to look like a step back.
    fn look_again(&mut self, index: u32) {
        let node = &mut self.nodes[index as usize];
        if node.changed
            && self.plans[node.plan as usize].lacks_hunter()
            && let Some(plan) = Plan::nearest(&node.position, self.side)
        {
            node.plan = self.plans.len() as u32;
            self.plans.push(plan);
        }
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

/// How many squares the king to be mated could flee to.
fn flights(position: &Position, side: Color) -> i32 {
    let board = position.board();
    let kings = board.by_role(Role::King);
    let of = |role| board.by_piece(side, role);
    let free = !board.occupied() | kings & board.by_color(!side);
    let guarded = fill::pawns(side, of(Role::Pawn))
        | fill::knights(of(Role::Knight))
        | fill::bishops(of(Role::Bishop) | of(Role::Queen), free)
        | fill::rooks(of(Role::Rook) | of(Role::Queen), free)
        | fill::kings(of(Role::King));
    (fill::kings(kings & board.by_color(!side)) - board.by_color(!side) - guarded).count().cast_signed()
}
