//! What a game wants of an arbiter.

use super::Actor;
use crate::game::entry::Entry;
use chatrang_protocol::lobby::{CallMatter, CallView};
use chatrang_rules::game::{Action, Suspension};

impl Actor {
    /// Lists this game for the arbiters as long as it waits for one.
    pub(super) fn show_call(&self) {
        match self.call() {
            Some(call) => self.house.calls.open(call),
            None => self.house.calls.close(self.table.game),
        }
    }

    /// What this game wants of an arbiter, and who does.
    fn call(&self) -> Option<CallView> {
        if self.game.result().is_some() {
            return None;
        }
        let (by, matter) = match (self.game.suspension(), self.game.claim_that_waits()) {
            (Some(Suspension::Call { by }), _) => {
                let reason = |entry: &Entry| match &entry.event().action {
                    Action::ArbiterCalled(reason) => Some(reason.clone()),
                    _ => None,
                };
                (by, CallMatter::Call(self.entries.iter().rev().find_map(reason)?))
            }
            (_, Some((by, claim))) => (by, CallMatter::Claim(claim)),
            _ => return None,
        };
        let player = self.table.players[by].handle.clone();
        Some(CallView { game: self.table.game, by: player, color: by, matter })
    }
}
