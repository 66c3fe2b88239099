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
use super::pairs::Pairs;
use super::scene::{Guard, Scene};
use super::trace::{self, Spot};
use super::{Answer, DEAR_PROOF_COST};
use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::moves::Move;
use crate::position::Position;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

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
    /// From which nodes it was reached.
    pub(super) origins: Vec<u32>,
}

pub(super) struct Sweep {
    side: Color,
    pub(super) start: Spot,
    pub(super) nodes: Vec<Node>,
    index: HashMap<Scene, u32, BuildHasherDefault<Mixer>>,
    open: VecDeque<u32>,
    mate: Option<Spot>,
    spent: u64,
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
            open: VecDeque::new(),
            mate: None,
            spent: 0,
            asked: 0,
            hopeless: 0,
        };
        sweep.enter(0, Scene::of(position), turn, &Pairs::single(waiter, mover), false);
        Some(sweep)
    }

    /// How much was looked at: a set of pairs that was moved to another scene counts as one position.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Goes on until a mate is met, nothing is left, or `nodes_max` were looked at in all.
    pub(super) fn run(&mut self, nodes_max: u64) -> Answer {
        while let Some(node) = self.open.pop_front() {
            self.expand(node);
            if self.mate.is_some() {
                return Answer::Yes;
            }
            if self.spent >= nodes_max {
                return Answer::NotProven;
            }
        }
        Answer::No
    }

    /// Moves to the mate that was met.
    pub(super) fn line(&self) -> Option<Vec<Move>> {
        trace::line(self, self.mate?)
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
    fn enter(&mut self, origin: u32, scene: Scene, turn: Color, pairs: &Pairs, is_changed: bool) {
        if pairs.is_empty() {
            return;
        }
        self.spent += 1;
        let index = self.index_of(scene);
        let node = &self.nodes[index as usize];
        if node.is_hopeless {
            return;
        }
        let node = &mut self.nodes[index as usize];
        let new = node.met[turn].add(pairs);
        if new.is_empty() {
            return;
        }
        node.is_changed |= is_changed;
        if node.origins.last() != Some(&origin) {
            node.origins.push(origin);
        }
        if node.new.is_none() {
            self.open.push_back(index);
        }
        node.new.get_or_insert_with(|| Box::new(NOWHERE))[turn].add(&new);
    }

    fn index_of(&mut self, scene: Scene) -> u32 {
        let next = self.nodes.len() as u32;
        let index = *self.index.entry(scene).or_insert(next);
        if index == next {
            let is_hopeless = material::cannot_mate(&scene.men, self.side);
            let origins = Vec::new();
            self.nodes.push(Node { scene, met: NOWHERE, new: None, is_changed: false, is_hopeless, origins });
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
            self.spent += DEAR_PROOF_COST;
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

/// How often the dear proof is asked for before it must pay, and which share of the proofs must succeed.
const ASKED_ANYWAY: u64 = 64;
const PAYING_SHARE: u64 = 16;

/// Mixes words quickly; nobody can gain from making them collide.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::repetition::PositionKey;
    use crate::setup::Strictness;
    use std::collections::HashSet;

    const POSITIONS_MAX: usize = 1_500;

    /// All positions that can follow, one by one; none where they are too many.
    fn closure(start: &Position) -> Option<Vec<Position>> {
        let mut met = HashSet::from([PositionKey::new(start)]);
        let mut positions = vec![start.clone()];
        let mut next = 0;
        while let Some(position) = positions.get(next).cloned() {
            next += 1;
            let after = position.legal_moves().into_iter().map(|mv| position.after(mv));
            positions.extend(after.filter(|after| met.insert(PositionKey::new(after))));
            if positions.len() > POSITIONS_MAX {
                return None;
            }
        }
        Some(positions)
    }

    /// A sweep says of both sides what looking at every position says, and its line is one of legal moves;
    /// where nothing was left out, it met just as many positions.
    #[test]
    fn l16_a_sweep_meets_what_looking_at_every_position_does() {
        let (mut yes, mut no, mut same) = (0, 0, 0);
        for row in include_str!("../../tests/data/mating/hard.txt").lines() {
            let Some((_, text)) = row.split_once(' ').filter(|_| !row.starts_with('#')) else { continue };
            let start = fen::parse_position(text, Strictness::Playable).unwrap();
            let Some(positions) = closure(&start).filter(|_| !start.is_checkmate()) else { continue };
            for side in Color::ALL {
                let Some(mut sweep) = Sweep::new(&start, side) else { continue };
                let is_mate = |position: &Position| position.turn() != side && position.is_checkmate();
                let can = positions.iter().any(is_mate);
                let expected = if can { Answer::Yes } else { Answer::No };
                assert_eq!(sweep.run(u64::MAX), expected, "{side} in {row}");
                if can {
                    let mut here = start.clone();
                    for mv in sweep.line().unwrap() {
                        here.play(mv).unwrap();
                    }
                    assert!(is_mate(&here), "{side} in {row}");
                    yes += 1;
                } else if sweep.hopeless == 0 && sweep.nodes.iter().all(|node| !node.is_hopeless) {
                    let met = sweep.nodes.iter().flat_map(|node| [&node.met.white, &node.met.black]);
                    let met: u32 = met.flat_map(Pairs::rows).map(|(_, others)| others.count()).sum();
                    assert_eq!(met as usize, positions.len(), "{row}");
                    same += 1;
                }
                no += u32::from(!can);
            }
        }
        assert!(yes > 50 && no > 500 && same > 300, "{yes} yes, {no} no, {same} alike");
    }
}
