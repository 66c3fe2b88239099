//! Back from a mate that a [`Sweep`] met to where it began.

use super::fill;
use super::scene::Scene;
use super::sweep::Sweep;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// One position of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) node: u32,
    pub(super) turn: Color,
    /// Where the kings stand.
    pub(super) mover: Square,
    pub(super) waiter: Square,
}

/// Legal moves from where the sweep began to `mate`.
///
/// Goes back from position to position, to scenes reached early first. Every position of a sweep was
/// reached from another one of it, so the beginning is found.
pub(super) fn line(sweep: &Sweep, mate: Spot) -> Option<Vec<Move>> {
    let mut onward: HashMap<Spot, Option<(Move, Spot)>> = HashMap::from([(mate, None)]);
    let mut open = BinaryHeap::from([(Reverse((mate.node, 0)), 0)]);
    let mut spots = vec![mate];
    while let Some((_, index)) = open.pop() {
        let spot: Spot = spots[index];
        if spot == sweep.start {
            return Some(moves_from(spot, &onward));
        }
        for (origin, mv) in origins(sweep, spot) {
            onward.entry(origin).or_insert_with(|| {
                open.push((Reverse((origin.node, spots.len())), spots.len()));
                spots.push(origin);
                Some((mv, spot))
            });
        }
    }
    None
}

fn moves_from(start: Spot, onward: &HashMap<Spot, Option<(Move, Spot)>>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut spot = start;
    while let Some(&Some((mv, next))) = onward.get(&spot) {
        moves.push(mv);
        spot = next;
    }
    moves
}

/// The positions of the sweep from which a legal move leads to this one, with that move.
fn origins(sweep: &Sweep, spot: Spot) -> Vec<(Spot, Move)> {
    let here = &sweep.nodes[spot.node as usize];
    let mut found = Vec::new();
    let itself = std::iter::once(spot.node).filter(|_| here.scene.passed.is_none());
    for node in itself.chain(here.origins.iter().copied()) {
        let origin = &sweep.nodes[node as usize];
        let movers = fill::kings(spot.waiter.into()) | spot.waiter.into();
        let waiter = spot.mover;
        for mover in movers & origin.met[!spot.turn].0[waiter.index()] {
            let from = Spot { node, turn: !spot.turn, mover, waiter };
            let Some(position) = origin.scene.position(from.turn, mover, waiter) else { continue };
            found.extend(move_to(&position, here.scene, spot).map(|mv| (from, mv)));
        }
    }
    found
}

/// The legal move that leads to this scene with the kings on these squares.
fn move_to(position: &Position, scene: Scene, spot: Spot) -> Option<Move> {
    let kings = Bitboard::from(spot.mover) | spot.waiter.into();
    position.legal_moves().into_iter().find(|&mv| {
        let after = position.after(mv);
        after.board().occupied() == scene.men.occupied() | kings
            && after.board().king_of(spot.turn) == Some(spot.mover)
            && Scene::of(&after) == scene
    })
}
