//! What becomes of a game whose task panics: it goes on from its journal, and one that panics again and
//! again is set aside, so that the others play on undisturbed.

use crate::limits::{LOG_FOREIGN_CHARS_MAX, PANIC_WINDOW_MS, PANICS_PER_GAME_MAX};
use crate::timeline::ServerInstant;
use std::any::Any;
use std::collections::VecDeque;

/// What happens to a game after a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is replayed from its journal, and goes on when its players are back.
    GoesOn,
    /// Its clocks are stopped, and nobody plays it until the server starts again.
    SetAside,
}

/// The recent panics of one game.
#[derive(Debug, Default)]
pub(super) struct Panics(VecDeque<ServerInstant>);

impl Panics {
    /// Counts one more, and says what it means.
    pub(super) fn count(&mut self, now: ServerInstant) -> Fate {
        self.0.retain(|&earlier| now.since_ms(earlier) < PANIC_WINDOW_MS);
        self.0.push_back(now);
        if self.0.len() > PANICS_PER_GAME_MAX { Fate::SetAside } else { Fate::GoesOn }
    }
}

/// What a panic said of itself, cut to what a log line takes.
pub(super) fn words(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    words.unwrap_or("without a word").chars().take(LOG_FOREIGN_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_set_aside_at_one_panic_too_many_in_a_minute() {
        let mut panics = Panics::default();
        for n in 0..PANICS_PER_GAME_MAX as u64 {
            assert_eq!(panics.count(ServerInstant(n)), Fate::GoesOn);
        }
        assert_eq!(panics.count(ServerInstant(PANIC_WINDOW_MS - 1)), Fate::SetAside);
    }

    #[test]
    fn panics_that_are_far_apart_are_survived_for_ever() {
        let mut panics = Panics::default();
        for n in 0..100 {
            assert_eq!(
                panics.count(ServerInstant(n * PANIC_WINDOW_MS / PANICS_PER_GAME_MAX as u64)),
                Fate::GoesOn
            );
        }
        assert!(panics.0.len() <= PANICS_PER_GAME_MAX, "old ones are forgotten");
    }

    #[test]
    fn a_panics_words_are_cut() {
        assert_eq!(words(&"a plain word"), "a plain word");
        assert_eq!(words(&"x".repeat(1_000)).len(), LOG_FOREIGN_CHARS_MAX);
        assert_eq!(words(&7), "without a word");
    }
}
