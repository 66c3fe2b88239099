//! The Laws are asked: at once, or elsewhere when the answer may take long.

use super::Actor;
use chatrang_protocol::intent::IntentError;
use chatrang_rules::game::{Command, Event, Game, Party, Ruling, Stamp};
use std::panic::resume_unwind;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// How many long questions are worked on at the same time, in all games: each may take 70 MB.
const PONDERED_MAX: usize = 2;

/// A place for each of them.
static PONDERED: Semaphore = Semaphore::const_new(PONDERED_MAX);

impl Actor {
    /// What the Laws say to a command.
    ///
    /// # Errors
    /// [`IntentError::ServerStopping`] when the server stops before they have said it.
    pub(super) async fn rule(
        &mut self,
        by: Party,
        command: Command,
        stamp: Stamp,
    ) -> Result<Ruling, IntentError> {
        if self.game.may_ponder(Some(&command), stamp.now) {
            self.ponder(move |game| game.apply(by, command, stamp)).await
        } else {
            Ok(self.game.apply(by, command, stamp))
        }
    }

    /// What has become due.
    ///
    /// # Errors
    /// As [`rule`](Self::rule).
    pub(super) async fn tick(&mut self, stamp: Stamp) -> Result<Option<Event>, IntentError> {
        if self.game.may_ponder(None, stamp.now) {
            self.ponder(move |game| game.tick(stamp)).await
        } else {
            Ok(self.game.tick(stamp))
        }
    }

    /// Asks on a thread that serves no other game: up to 190 ms here would be 190 ms for all of them. This one
    /// waits, so that the order of what happens in it stays what it was, and the stamp was made before.
    async fn ponder<T: Send + 'static>(
        &mut self,
        question: impl FnOnce(&mut Game) -> T + Send + 'static,
    ) -> Result<T, IntentError> {
        // Nobody closes it.
        let _place = PONDERED.acquire().await.map_err(|_| IntentError::ServerStopping)?;
        let mut game = self.game.clone();
        let asked = spawn_blocking(move || {
            let answer = question(&mut game);
            (game, answer)
        });
        match asked.await {
            Ok((game, answer)) => {
                self.game = game;
                Ok(answer)
            }
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => Err(IntentError::ServerStopping),
        }
    }
}
