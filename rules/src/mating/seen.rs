//! Which positions a walk has met: an open-addressed table of indices into its nodes.
//!
//! The hash only says where to look; whether two positions are the same is decided by comparing them.

use super::walk::Node;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;

const SLOTS_AT_FIRST: usize = 256;

pub(super) struct Seen {
    /// The index of a node plus one; 0 for an empty slot. A power of two long, at most half full.
    slots: Vec<u32>,
    count: usize,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; SLOTS_AT_FIRST], count: 0 }
    }

    /// Enters the node at `index`; whether its position is new.
    pub(super) fn insert(&mut self, nodes: &[Node], index: u32) -> bool {
        if 2 * self.count >= self.slots.len() {
            self.grow(nodes);
        }
        let position = &nodes[index as usize].position;
        let mut slot = self.first_slot(position);
        while self.slots[slot] != 0 {
            if is_same(&nodes[self.slots[slot] as usize - 1].position, position) {
                return false;
            }
            slot = self.next_slot(slot);
        }
        self.slots[slot] = index + 1;
        self.count += 1;
        true
    }

    fn grow(&mut self, nodes: &[Node]) {
        let entries = std::mem::take(&mut self.slots);
        self.slots = vec![0; 4 * entries.len()];
        for entry in entries.into_iter().filter(|&entry| entry != 0) {
            let mut slot = self.first_slot(&nodes[entry as usize - 1].position);
            while self.slots[slot] != 0 {
                slot = self.next_slot(slot);
            }
            self.slots[slot] = entry;
        }
    }

    fn first_slot(&self, position: &Position) -> usize {
        hash(position) as usize & (self.slots.len() - 1)
    }

    fn next_slot(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

/// The same in all that decides what can follow; the counters do not.
fn is_same(a: &Position, b: &Position) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.en_passant() == b.en_passant()
        && a.castling() == b.castling()
}

fn hash(position: &Position) -> u64 {
    let board = position.board();
    let roles = Role::ALL.into_iter().map(|role| board.by_role(role).0);
    let start = position.turn() as u64 ^ board.by_color(Color::White).0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let hash =
        roles.fold(start, |hash, bits| (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    hash ^ hash >> 32
}
