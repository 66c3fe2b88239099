//! Back from a mate that a [`Sweep`] met to where it began.

use super::fill;
use super::mixer::BuildMixer;
use super::scene::Scene;
use super::sweep::Sweep;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::square::Square;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What follows each position on the way to a mate; nothing after the mate.
type Onward = HashMap<Spot, Option<Spot>, BuildMixer>;

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
    let mut onward = Onward::default();
    onward.insert(mate, None);
    let mut open = BinaryHeap::from([(Reverse((mate.node, 0)), 0)]);
    let mut spots = vec![mate];
    while let Some((_, index)) = open.pop() {
        let spot: Spot = spots[index];
        if spot == sweep.start {
            return moves_from(sweep, spot, &onward);
        }
        for origin in origins(sweep, spot) {
            onward.entry(origin).or_insert_with(|| {
                open.push((Reverse((origin.node, spots.len())), spots.len()));
                spots.push(origin);
                Some(spot)
            });
        }
    }
    None
}

fn moves_from(sweep: &Sweep, start: Spot, onward: &Onward) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut spot = start;
    while let Some(&Some(next)) = onward.get(&spot) {
        moves.push(move_between(sweep, spot, next)?);
        spot = next;
    }
    Some(moves)
}

/// The positions of the sweep from which a move leads to this one.
fn origins(sweep: &Sweep, spot: Spot) -> impl Iterator<Item = Spot> {
    let here = &sweep.nodes[spot.node as usize];
    let (turn, waiter) = (!spot.turn, spot.mover);
    let itself = std::iter::once(spot.node).filter(|_| here.scene.passed.is_none());
    itself.chain(here.origins.iter().copied()).flat_map(move |node| {
        let origin = &sweep.nodes[node as usize];
        let movers = movers_before(&origin.scene, &here.scene, spot) & origin.met[turn].0[waiter.index()];
        movers.into_iter().map(move |mover| Spot { node, turn, mover, waiter })
    })
}

/// Where the king who now waits may have stood before the move that led from one scene to the other.
fn movers_before(before: &Scene, after: &Scene, spot: Spot) -> Bitboard {
    let color = !spot.turn;
    let (own_before, own_after) = (before.men.by_color(color), after.men.by_color(color));
    if own_before == own_after {
        let he_moved = before.men == after.men || before.without(spot.waiter).men == after.men;
        return if he_moved { fill::kings(spot.waiter.into()) } else { Bitboard::EMPTY };
    }
    let kings = Bitboard::from(spot.mover) | spot.waiter.into();
    match ((own_before - own_after).first(), (own_after - own_before).first()) {
        (Some(from), Some(to)) if !attacks::between(from, to).intersects(kings) => spot.waiter.into(),
        _ => Bitboard::EMPTY,
    }
}

fn move_between(sweep: &Sweep, spot: Spot, next: Spot) -> Option<Move> {
    let scene = |spot: Spot| sweep.nodes[spot.node as usize].scene;
    let position = scene(spot).position(spot.turn, spot.mover, spot.waiter)?;
    position.legal_moves().into_iter().find(|&mv| {
        let after = position.after(mv);
        after.board().king_of(next.turn) == Some(next.mover)
            && after.board().king_of(spot.turn) == Some(next.waiter)
            && Scene::of(&after) == scene(next)
    })
}
