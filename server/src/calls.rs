//! The games that wait for an arbiter, and the arbiters who are here to be told.

use crate::line::Line;
use chatrang_protocol::ids::GameId;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::CallView;
use chatrang_protocol::notice::Notice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All open calls, at most one a game. Cheap to clone; the same calls behind all clones.
#[derive(Clone, Debug, Default)]
pub struct Calls(Arc<Mutex<CallList>>);

#[derive(Debug, Default)]
struct CallList {
    /// The longest wait first.
    open: Vec<CallView>,
    arbiters: Vec<(Attendance, Line)>,
    next: Attendance,
}

/// Names one connection of an arbiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Attendance(u64);

/// An arbiter is here; he is gone when this is dropped.
#[derive(Debug)]
pub struct Attending {
    calls: Calls,
    attendance: Attendance,
}

impl Calls {
    /// Tells an arbiter of each further call on his line.
    pub fn attend(&self, line: Line) -> Attending {
        let mut calls = self.list_locked();
        let attendance = calls.next;
        calls.next = Attendance(attendance.0 + 1);
        calls.arbiters.push((attendance, line));
        Attending { calls: self.clone(), attendance }
    }

    /// Lists a game that waits, and tells the arbiters who are here unless they have been told.
    pub fn open(&self, call: CallView) {
        let mut calls = self.list_locked();
        let has_room = calls.open.len() < limits::CALLS_MAX;
        match calls.open.iter_mut().find(|open| open.game == call.game) {
            Some(open) if *open == call => return,
            Some(open) => *open = call.clone(),
            None if has_room => calls.open.push(call.clone()),
            None => {}
        }
        let notice = Notice::Call(call);
        for (_, line) in &calls.arbiters {
            line.notice(&notice);
        }
    }

    /// A game does not wait any more, if it did.
    pub fn close(&self, game: GameId) {
        self.list_locked().open.retain(|open| open.game != game);
    }

    /// The games that wait, the longest wait first.
    pub fn list(&self) -> Vec<CallView> {
        self.list_locked().open.clone()
    }

    fn list_locked(&self) -> MutexGuard<'_, CallList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        self.calls.list_locked().arbiters.retain(|(attendance, _)| *attendance != self.attendance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_protocol::lobby::CallMatter;
    use chatrang_rules::color::Color;

    fn call(game: u64, reason: &str) -> CallView {
        CallView {
            game: GameId(game),
            by: "Shirin".parse().unwrap(),
            color: Color::White,
            matter: CallMatter::Call(reason.parse().unwrap()),
        }
    }

    #[test]
    fn a_game_waits_once_with_its_latest_word_and_until_it_is_closed() {
        let calls = Calls::default();
        calls.open(call(1, "noise"));
        calls.open(call(2, "a telephone"));
        calls.open(call(1, "more noise"));
        assert_eq!(calls.list(), [call(1, "more noise"), call(2, "a telephone")]);
        calls.close(GameId(1));
        assert_eq!(calls.list(), [call(2, "a telephone")]);
    }

    #[test]
    fn no_more_games_are_listed_than_a_reply_carries() {
        let calls = Calls::default();
        for game in 0..=limits::CALLS_MAX as u64 {
            calls.open(call(game, "noise"));
        }
        assert_eq!(calls.list().len(), limits::CALLS_MAX);
        calls.close(GameId(0));
        calls.open(call(9_999, "noise"));
        assert_eq!(calls.list().last().map(|call| call.game), Some(GameId(9_999)));
    }
}
