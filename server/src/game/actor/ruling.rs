//! The Laws are asked: at once, or elsewhere when the answer may take long.

use super::Actor;
use chatrang_protocol::intent::IntentError;
use chatrang_rules::game::{Command, Event, Game, Party, Ruling, Stamp};
use std::panic::resume_unwind;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

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
        let (game, answer) =
            elsewhere(&self.house.pondering, question).await.ok_or(IntentError::ServerStopping)?;
        self.game = game;
        Ok(answer)
    }
}

/// Works on a question on a thread that serves nobody, as soon as there is a place: up to 190 ms on one that
/// serves would be 190 ms for every game. None when the server stops before.
async fn elsewhere<T: Send + 'static>(
    places: &Semaphore,
    question: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    // Nobody closes them.
    let _place = places.acquire().await.ok()?;
    match spawn_blocking(question).await {
        Ok(answer) => Some(answer),
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::pin::pin;
    use std::sync::mpsc::channel;

    #[tokio::test]
    async fn one_question_too_many_waits_for_a_place_and_holds_nobody_up() {
        let places = Semaphore::new(1);
        let (let_go, is_let_go) = channel::<()>();
        let mut long = pin!(elsewhere(&places, move || is_let_go.recv().is_ok()));
        assert_eq!(long.as_mut().now_or_never(), None, "the runtime's only thread goes on");
        let mut next = pin!(elsewhere(&places, || 7));
        assert_eq!(next.as_mut().now_or_never(), None);
        assert_eq!(places.available_permits(), 0);
        let_go.send(()).unwrap();
        assert_eq!(long.await, Some(true));
        assert_eq!(next.await, Some(7));
    }
}
