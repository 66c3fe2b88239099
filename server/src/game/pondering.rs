//! Where long questions to the Laws are worked on, and long records replayed: up to 190 ms on a thread that serves
//! would be 190 ms for every game.

use crate::limits::PONDERED_MAX;
use std::panic::resume_unwind;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Where they are worked on, for all games of a server.
#[derive(Clone, Debug)]
pub enum Pondering {
    /// On threads that serve nobody, one for each place.
    Elsewhere(Arc<Semaphore>),
    /// Where they are asked: for a simulation, in which nothing may depend on how quick a thread is.
    InPlace,
}

impl Pondering {
    /// On as many threads as may.
    pub fn elsewhere() -> Self {
        Self::Elsewhere(Arc::new(Semaphore::new(PONDERED_MAX)))
    }

    /// Another such place, whose questions and these do not wait for each other.
    pub(super) fn beside(&self) -> Self {
        match self {
            Self::Elsewhere(_) => Self::elsewhere(),
            Self::InPlace => Self::InPlace,
        }
    }

    /// Works on a question, as soon as there is a place; none when the server stops before.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Self::Elsewhere(places) = self else { return Some(question()) };
        // Nobody closes them.
        let _place = places.acquire().await.ok()?;
        match spawn_blocking(question).await {
            Ok(answer) => Some(answer),
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            Err(_) => None,
        }
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
        let places = Arc::new(Semaphore::new(1));
        let pondering = Pondering::Elsewhere(places.clone());
        let (let_go, is_let_go) = channel::<()>();
        let mut long = pin!(pondering.ask(move || is_let_go.recv().is_ok()));
        assert_eq!(long.as_mut().now_or_never(), None, "the runtime's only thread goes on");
        let mut next = pin!(pondering.ask(|| 7));
        assert_eq!(next.as_mut().now_or_never(), None);
        assert_eq!(places.available_permits(), 0);
        let_go.send(()).unwrap();
        assert_eq!(long.await, Some(true));
        assert_eq!(next.await, Some(7));
    }

    #[test]
    fn a_simulation_has_its_answer_at_once() {
        assert_eq!(Pondering::InPlace.ask(|| 7).now_or_never(), Some(Some(7)));
    }
}
