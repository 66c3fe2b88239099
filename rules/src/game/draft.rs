//! What a command gives before it is an event: an action, the clocks after it, and perhaps the end.

use super::clock::{ClockReading, MoveCharge};
use super::event::{Action, Irregularity};
use super::quickplay::QUICKPLAY_INCREMENT;
use super::state::State;
use super::time::{Millis, Stamp};
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::GameResult;

/// What a command gives, before it is an event.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) action: Action,
    pub(super) clocks: ClockReading,
    pub(super) end: Option<GameResult>,
}

impl Draft {
    /// The same, the game ending with this result: no clock runs on.
    pub(super) fn ending(self, result: GameResult) -> Self {
        Self { clocks: self.clocks.stopped(), end: Some(result), ..self }
    }

    /// The same, the game ending if there is a result.
    pub(super) fn perhaps_ending(self, result: Option<GameResult>) -> Self {
        match result {
            Some(result) => self.ending(result),
            None => self,
        }
    }

    /// The same, `side` having so much more time.
    pub(super) fn giving(self, side: Color, span: Millis) -> Self {
        Self { clocks: self.clocks.added(side, span), ..self }
    }

    /// The same, `side` having so much less time.
    pub(super) fn taking(self, side: Color, span: Millis) -> Self {
        Self { clocks: self.clocks.taken(side, span), ..self }
    }

    /// The same, `side` having this time.
    pub(super) fn setting(self, side: Color, left: Millis) -> Self {
        Self { clocks: self.clocks.set_to(side, left), ..self }
    }
}

impl State {
    /// What both clocks read at the stamp's time, everything else as it is.
    pub(super) fn draft(&self, action: Action, stamp: Stamp) -> Draft {
        Draft { action, clocks: self.clock().at(stamp.now, stamp.house), end: None }
    }

    /// The same, and no clock runs on.
    pub(super) fn draft_stop(&self, action: Action, stamp: Stamp) -> Draft {
        let draft = self.draft(action, stamp);
        Draft { clocks: draft.clocks.stopped(), ..draft }
    }

    /// The same, and the clock of the side to move runs on.
    pub(super) fn draft_start(&self, action: Action, stamp: Stamp) -> Draft {
        let draft = self.draft(action, stamp);
        Draft { clocks: draft.clocks.resumed_for(self.position().turn()), ..draft }
    }

    /// The board goes back; a clock that runs is now that of the side to move there, with its move before it.
    pub(super) fn draft_back_to(&self, ply: u32, action: Action, stamp: Stamp) -> Draft {
        let mut draft = self.draft(action, stamp);
        let turn = if (self.ply() - ply).is_multiple_of(2) {
            self.position().turn()
        } else {
            !self.position().turn()
        };
        let is_running = draft.clocks.running.is_some();
        draft.clocks = draft.clocks.handed_to(turn);
        if !is_running {
            draft.clocks = draft.clocks.stopped();
        }
        draft
    }

    /// The side to move completes a move.
    pub(super) fn draft_move(&self, mv: Move, irregularity: Option<Irregularity>, stamp: Stamp) -> Draft {
        let MoveCharge { charged, credit, clocks } = self.complete_move(stamp);
        let action = Action::Moved { mv, charged, credit, house: stamp.house, irregularity };
        Draft { action, clocks, end: None }
    }

    /// The side to move completes a move that the action tells of.
    pub(super) fn draft_completed(&self, action: Action, stamp: Stamp) -> Draft {
        Draft { action, clocks: self.complete_move(stamp).clocks, end: None }
    }

    /// The sealed move is completed now; it was thought about until the envelope was closed (FIDE G.I).
    pub(super) fn draft_opened(&self, action: Action, stamp: Stamp) -> Draft {
        self.draft_completed(action, Stamp::at(stamp.now))
    }

    fn complete_move(&self, stamp: Stamp) -> MoveCharge {
        let mover = self.position().turn();
        let mut charge =
            self.clock().complete_move(stamp, mover, self.moves_completed()[mover].saturating_add(1));
        if self.has_extra_increment() && charge.clocks.left[mover] > Millis::ZERO {
            charge.clocks = charge.clocks.added(mover, QUICKPLAY_INCREMENT);
        }
        charge
    }
}
