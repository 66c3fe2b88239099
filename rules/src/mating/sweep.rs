//! A sweep through all positions that can arise, the kings moved in whole sets.
//!
//! Where the other men are caged, it is the two kings who make positions many. So positions that differ in
//! nothing but the squares of the kings are kept together as a [`Scene`] with a set of pairs of squares, and
//! moved together: what one move leads to from thousands of positions is found at once. The pairs are exact:
//! every one of them is reached by a series of legal moves, and when nothing new is reached any more,
//! everything that can arise was. No mate among it is a proof; a mate among it is one too, and [`trace`]
//! finds moves that lead there.
//!
//! Left out is only what [`material`] or [`Scene::is_hopeless`] prove to lead to no mate.

use super::fill;
use super::material;
use super::mixer::BuildMixer;
use super::pairs::Pairs;
use super::scene::{Guard, Scene};
use super::trace::{self, Spot};
use super::{Answer, DEAR_PROOF_COST};
use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::moves::Move;
use crate::position::Position;
use std::collections::{BTreeMap, HashMap};

/// A scene that was reached, with all that was found of it so far.
pub(super) struct Node {
    pub(super) scene: Scene,
    /// Where the kings were found to stand, by whose move it is then; by the square of the king who waits.
    pub(super) met: ByColor<Pairs>,
    /// Those of them from which nothing was moved yet, if there are any.
    new: Option<Box<ByColor<Pairs>>>,
    /// Whether a move that is never taken back led here since it was moved on from here.
    is_changed: bool,
    /// Whether its men rule out a mate.
    is_hopeless: bool,
    /// How many moves that are never taken back led here first.
    lasting_moves: u32,
    /// From which nodes it was reached.
    pub(super) origins: Vec<u32>,
}

pub(super) struct Sweep {
    side: Color,
    pub(super) start: Spot,
    pub(super) nodes: Vec<Node>,
    index: HashMap<Scene, u32, BuildMixer>,
    /// The nodes with new pairs, by how many men there are and how many lasting moves led there.
    open: BTreeMap<(u32, u32), Vec<u32>>,
    mate: Option<Spot>,
    /// How many sets of pairs were moved, and what else counts as such.
    moved: u64,
    /// How often it was asked whether all is hopeless, and how often it was.
    asked: u64,
    hopeless: u64,
}

impl Sweep {
    /// Stands on `position`, which is no mate; none for a position with castling, or without two kings.
    pub(super) fn new(position: &Position, side: Color) -> Option<Self> {
        if !position.castling().is_empty() {
            return None;
        }
        let turn = position.turn();
        let (mover, waiter) = (position.board().king_of(turn)?, position.board().king_of(!turn)?);
        let mut sweep = Self {
            side,
            start: Spot { node: 0, turn, mover, waiter },
            nodes: Vec::new(),
            index: HashMap::default(),
            open: BTreeMap::new(),
            mate: None,
            moved: 0,
            asked: 0,
            hopeless: 0,
        };
        sweep.enter(0, Scene::of(position), turn, &Pairs::single(waiter, mover), false);
        Some(sweep)
    }

    /// As how many nodes of the budget it counts.
    pub(super) fn spent(&self) -> u64 {
        self.moved.div_ceil(SETS_PER_NODE)
    }

    /// Goes on until a mate is met, nothing is left, or `nodes_max` were looked at in all.
    pub(super) fn run(&mut self, nodes_max: u64) -> Answer {
        let moved_max = nodes_max.saturating_mul(SETS_PER_NODE);
        while let Some(node) = self.next() {
            self.expand(node);
            if self.mate.is_some() {
                return Answer::Yes;
            }
            if self.moved >= moved_max {
                return Answer::NotProven;
            }
        }
        Answer::No
    }

    /// Moves to the mate that was met.
    pub(super) fn line(&self) -> Option<Vec<Move>> {
        trace::line(self, self.mate?)
    }

    /// Where to go on: where fewest men are left, for there the most moves are open and a mate is met soonest
    /// if there is one; among those where fewest lasting moves led, and there deep before wide.
    fn next(&mut self) -> Option<u32> {
        let mut first = self.open.first_entry()?;
        let node = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        node
    }

    /// Moves on from all new pairs of a node.
    fn expand(&mut self, node: u32) {
        let scene = self.nodes[node as usize].scene;
        let guards = ByColor::from_fn(|color: Color| Guard::new(&scene.men, !color));
        let prey = !self.side;
        let here = &mut self.nodes[node as usize];
        let Some(mut new) = here.new.take() else { return };
        // The proof is about what follows: a mate on the board comes first.
        if std::mem::take(&mut here.is_changed)
            && (self.meets_mate(node, &new[prey], &guards[prey]) || self.is_hopeless(node, &mut new))
        {
            return;
        }
        let pairs = self.walk_kings(node, *new, &guards);
        for turn in Color::ALL.into_iter().filter(|&turn| !pairs[turn].is_empty()) {
            if turn == prey && self.meets_mate(node, &pairs[turn], &guards[turn]) {
                return;
            }
            self.take_by_king(node, turn, &pairs[turn]);
            self.move_men(node, turn, &pairs[turn]);
        }
    }

    /// Whether the king to be mated is, in one of these pairs.
    fn meets_mate(&mut self, node: u32, pairs: &Pairs, guard: &Guard) -> bool {
        let turn = !self.side;
        let mate = self.nodes[node as usize].scene.mate(turn, pairs, guard);
        self.mate = mate.map(|(mover, waiter)| Spot { node, turn, mover, waiter });
        self.mate.is_some()
    }

    /// Lets both kings step about, taking nobody, until they were everywhere; all new pairs.
    fn walk_kings(&mut self, node: u32, mut new: ByColor<Pairs>, guards: &ByColor<Guard>) -> ByColor<Pairs> {
        let scene = self.nodes[node as usize].scene;
        let free = !scene.men.occupied();
        let mut all = NOWHERE;
        while let Some(turn) = Color::ALL.into_iter().find(|&turn| !new[turn].is_empty()) {
            self.moved += 1;
            let pairs = std::mem::replace(&mut new[turn], Pairs::NONE);
            all[turn].add(&pairs);
            let step = |waiter, movers| fill::kings(movers) & guards[turn].safe(waiter) & free;
            let stepped = pairs.map(step).transposed();
            if scene.passed.is_some() {
                self.enter(node, Scene { passed: None, ..scene }, !turn, &stepped, false);
            } else {
                let arrived = self.nodes[node as usize].met[!turn].add(&stepped);
                new[!turn].add(&arrived);
            }
        }
        all
    }

    fn take_by_king(&mut self, node: u32, turn: Color, pairs: &Pairs) {
        let scene = self.nodes[node as usize].scene;
        for captured in fill::kings(pairs.others()) & scene.men.by_color(!turn) {
            let beside = fill::kings(captured.into());
            let after = scene.without(captured);
            let guard = Guard::new(&after.men, !turn);
            let waiters = pairs.rows().filter(|&(waiter, movers)| {
                movers.intersects(beside) && guard.safe(waiter).contains(captured)
            });
            let mut arrived = Pairs::NONE;
            arrived.0[captured.index()] = waiters.map(|(waiter, _)| waiter).collect();
            self.enter(node, after, !turn, &arrived, true);
        }
    }

    fn move_men(&mut self, node: u32, turn: Color, pairs: &Pairs) {
        let scene = self.nodes[node as usize].scene;
        for change in scene.changes(turn) {
            let guard = Guard::new(&change.after.men, !turn);
            let left = pairs.map(|waiter, movers| {
                if change.path.contains(waiter) {
                    Bitboard::EMPTY
                } else {
                    (movers & guard.safe(waiter)) - change.path
                }
            });
            self.enter(node, change.after, !turn, &left.transposed(), change.is_lasting);
        }
    }

    /// Adds pairs to a scene, reached from the node `origin`.
    fn enter(&mut self, origin: u32, scene: Scene, turn: Color, pairs: &Pairs, is_lasting: bool) {
        if pairs.is_empty() {
            return;
        }
        self.moved += 1;
        let led_here = self.nodes.get(origin as usize).map_or(0, |origin| origin.lasting_moves);
        let index = self.index_of(scene, led_here + u32::from(is_lasting));
        let node = &mut self.nodes[index as usize];
        if node.is_hopeless {
            return;
        }
        let new = node.met[turn].add(pairs);
        if new.is_empty() {
            return;
        }
        node.is_changed |= is_lasting;
        if node.origins.last() != Some(&origin) {
            node.origins.push(origin);
        }
        if node.new.is_none() {
            let rank = (scene.men.occupied().count(), node.lasting_moves);
            self.open.entry(rank).or_default().push(index);
        }
        node.new.get_or_insert_with(|| Box::new(NOWHERE))[turn].add(&new);
    }

    fn index_of(&mut self, scene: Scene, lasting_moves: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let index = *self.index.entry(scene).or_insert(next);
        if index == next {
            self.moved += SETS_PER_SCENE;
            self.nodes.push(Node {
                scene,
                met: NOWHERE,
                new: None,
                is_changed: false,
                is_hopeless: material::cannot_mate(&scene.men, self.side),
                lasting_moves,
                origins: Vec::new(),
            });
        }
        index
    }

    /// Asks for the dear proof, as long as it is given often enough to pay; drops what it rules out.
    fn is_hopeless(&mut self, node: u32, new: &mut ByColor<Pairs>) -> bool {
        if self.asked > ASKED_ANYWAY && self.hopeless < self.asked / PAYING_SHARE {
            return false;
        }
        let scene = self.nodes[node as usize].scene;
        for turn in Color::ALL {
            if new[turn].is_empty() {
                continue;
            }
            self.moved += DEAR_PROOF_COST * SETS_PER_NODE;
            self.asked += 1;
            if scene.is_hopeless(turn, &new[turn], self.side) {
                self.hopeless += 1;
                new[turn] = Pairs::NONE;
            }
        }
        new.white.is_empty() && new.black.is_empty()
    }
}

const NOWHERE: ByColor<Pairs> = ByColor { white: Pairs::NONE, black: Pairs::NONE };

/// As many sets of pairs, moved, cost as much as one node of the budget.
const SETS_PER_NODE: u64 = 2;
/// As many, moved, cost as much as to make room for one more scene.
const SETS_PER_SCENE: u64 = 8;
/// How often the dear proof is asked for before it must pay, and which share of the proofs must succeed.
const ASKED_ANYWAY: u64 = 64;
const PAYING_SHARE: u64 = 16;

#[cfg(test)]
mod tests;
