//! The Laws are asked: at once, or by pondering when the answer may take long.

use super::Actor;
use chatrang_protocol::intent::IntentError;
use chatrang_rules::game::{Command, Event, Game, Party, Ruling, Stamp};

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

    /// This game waits, so that the order of what happens in it stays what it was; the stamp was made before.
    async fn ponder<T: Send + 'static>(
        &mut self,
        question: impl FnOnce(&mut Game) -> T + Send + 'static,
    ) -> Result<T, IntentError> {
        let mut game = self.game.clone();
        let question = move || {
            let answer = question(&mut game);
            (game, answer)
        };
        let (game, answer) = self.house.pondering.ask(question).await.ok_or(IntentError::ServerStopping)?;
        self.game = game;
        Ok(answer)
    }
}
