//! Which positions a walk has met: an open-addressed table of indices into its nodes.

use super::search::Node;
use crate::position::Position;

pub(super) struct Seen {
    /// Index of a node plus one; 0 for an empty slot. A power of two long, at most half full.
    slots: Vec<u32>,
    count: usize,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; 128], count: 0 }
    }

    /// Enters the node at `index`; whether its position is new.
    pub(super) fn insert(&mut self, nodes: &[Node], index: u32) -> bool {
        if 2 * self.count >= self.slots.len() {
            self.grow(nodes);
        }
        let position = &nodes[index as usize].position;
        let mask = self.slots.len() - 1;
        let mut slot = hash(position) as usize & mask;
        while self.slots[slot] != 0 {
            if same(&nodes[self.slots[slot] as usize - 1].position, position) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index + 1;
        self.count += 1;
        true
    }

    fn grow(&mut self, nodes: &[Node]) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; 4 * old.len()];
        let mask = self.slots.len() - 1;
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let mut slot = hash(&nodes[entry as usize - 1].position) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = entry;
        }
    }
}

/// The same in all that decides what can follow; counters do not.
fn same(a: &Position, b: &Position) -> bool {
    a.board() == b.board() && a.turn() == b.turn() && a.en_passant() == b.en_passant() && a.castling() == b.castling()
}

fn hash(position: &Position) -> u64 {
    use crate::color::Color;
    use crate::piece::Role;
    let mut hash = position.turn() as u64;
    let mut mix = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for role in Role::ALL {
        mix(position.board().by_role(role).0);
    }
    mix(position.board().by_color(Color::White).0);
    hash ^ hash >> 32
}
