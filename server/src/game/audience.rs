//! Who listens to a game, and which player is away.
//!
//! A listener has a bounded queue. One that does not drain it is let go: its stream ends, and its
//! client attaches again and gets what it has missed. Nobody ever waits for it.

use super::feed::Told;
use crate::metrics::figure::Counter;
use crate::queue::{Queue, QueueError};
use crate::timeline::ServerInstant;
use bytes::Bytes;
use chatrang_protocol::ids::AccountId;
use chatrang_protocol::limits;
use chatrang_protocol::view::Presence;
use chatrang_rules::color::{ByColor, Color};

/// Names a listener within its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenerId(pub(super) u64);

/// As many listen as may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AudienceFull;

/// The listeners of one game.
#[derive(Debug)]
pub struct Audience {
    listeners: Vec<Listener>,
    next_id: u64,
    /// Since when each player has no stream here; none while he has one.
    away_since: ByColor<Option<ServerInstant>>,
    /// Counts those who are let go.
    let_go: Counter,
}

#[derive(Debug)]
struct Listener {
    id: ListenerId,
    account: AccountId,
    seat: Option<Color>,
    queue: Queue,
}

impl Listener {
    /// Puts a frame into the queue, if it is open and not full.
    fn takes(&self, frame: Bytes, let_go: &Counter) -> bool {
        let taken = self.queue.try_send(frame);
        if matches!(taken, Err(QueueError::Full)) {
            let_go.count();
        }
        taken.is_ok()
    }

    /// The same for updates, of each as much as he may know.
    fn takes_all(&self, told: &[Told], let_go: &Counter) -> bool {
        told.iter().all(|told| self.takes(told.telling.to(self.seat).clone(), let_go))
    }
}

/// An answer, and whose it is.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) to: ListenerId,
    pub(super) answer: Bytes,
}

impl Audience {
    /// Nobody yet: both players are away from `now` on.
    pub fn new(now: ServerInstant) -> Self {
        Self {
            listeners: Vec::new(),
            next_id: 0,
            away_since: ByColor { white: Some(now), black: Some(now) },
            let_go: Counter::default(),
        }
    }

    /// The same, with those who are let go counted in `let_go`.
    #[must_use]
    pub fn counting(self, let_go: Counter) -> Self {
        Self { let_go, ..self }
    }

    /// Lets somebody listen; a player's first stream brings him back. Of one account the oldest stream
    /// gives way when there are too many.
    ///
    /// # Errors
    /// [`AudienceFull`] for one too many. Players always find room.
    pub fn join(
        &mut self,
        account: AccountId,
        seat: Option<Color>,
        queue: Queue,
    ) -> Result<ListenerId, AudienceFull> {
        let own = self.listeners.iter().filter(|listener| listener.account == account).count();
        if own >= limits::STREAMS_PER_ACCOUNT_AND_GAME_MAX
            && let Some(oldest) = self.listeners.iter().position(|listener| listener.account == account)
        {
            self.listeners.remove(oldest);
        }
        if seat.is_none() && self.listeners.len() >= limits::LISTENERS_PER_GAME_MAX {
            return Err(AudienceFull);
        }
        let id = ListenerId(self.next_id);
        self.next_id += 1;
        self.listeners.push(Listener { id, account, seat, queue });
        if let Some(color) = seat {
            self.away_since[color] = None;
        }
        Ok(id)
    }

    /// Lets a listener go.
    pub fn leave(&mut self, id: ListenerId, now: ServerInstant) {
        self.listeners.retain(|listener| listener.id != id);
        self.mark_absent(now);
    }

    /// Gives a frame to everyone, and lets go of those whose queue is full or closed.
    pub fn tell_all(&mut self, frame: &Bytes, now: ServerInstant) {
        self.tell_those(frame, now, |_, _| true);
    }

    /// Gives updates to everyone, to each as much of them as he may know.
    ///
    /// Whoever has caused them gets his answer first, and all of it last: the others have been waiting for him.
    pub(super) fn tell_updates(&mut self, told: &[Told], answered: Option<&Answered>, now: ServerInstant) {
        let asked = |listener: &Listener| answered.is_some_and(|answered| answered.to == listener.id);
        self.listeners.retain(|listener| asked(listener) || listener.takes_all(told, &self.let_go));
        if let Some(Answered { to, answer }) = answered {
            self.listeners.retain(|listener| {
                listener.id != *to
                    || listener.takes(answer.clone(), &self.let_go) && listener.takes_all(told, &self.let_go)
            });
        }
        self.mark_absent(now);
    }

    /// The same as [`tell_all`](Self::tell_all) for those only whose account and seat are to hear it.
    pub fn tell_those(
        &mut self,
        frame: &Bytes,
        now: ServerInstant,
        is_to_hear: impl Fn(AccountId, Option<Color>) -> bool,
    ) {
        self.listeners.retain(|listener| {
            !is_to_hear(listener.account, listener.seat) || listener.takes(frame.clone(), &self.let_go)
        });
        self.mark_absent(now);
    }

    /// Gives a frame to one listener, and lets go of him if his queue is full or closed.
    pub fn tell(&mut self, id: ListenerId, frame: Bytes, now: ServerInstant) {
        let told = match self.listeners.iter().find(|listener| listener.id == id) {
            Some(listener) => listener.takes(frame, &self.let_go),
            None => true,
        };
        if !told {
            self.leave(id, now);
        }
    }

    /// Where both players are.
    pub fn presence(&self, now: ServerInstant) -> ByColor<Presence> {
        self.away_since.map(|since| match since {
            None => Presence::Here,
            Some(since) => Presence::Away { for_ms: now.since_ms(since) },
        })
    }

    /// Since when a player has no stream here; none while he has one.
    pub fn away_since(&self, color: Color) -> Option<ServerInstant> {
        self.away_since[color]
    }

    /// Whether both players are here.
    pub fn is_complete(&self) -> bool {
        self.absent().is_none()
    }

    /// A player who is not here, if one is not.
    pub fn absent(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.away_since[color].is_some())
    }

    /// Whether nobody listens.
    pub fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    fn mark_absent(&mut self, now: ServerInstant) {
        for color in Color::ALL {
            let here = self.listeners.iter().any(|listener| listener.seat == Some(color));
            if !here && self.away_since[color].is_none() {
                self.away_since[color] = Some(now);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{self, Backlog, Frames};

    fn queue(frames_max: usize) -> (Queue, Frames) {
        queue::queue(frames_max, &Backlog::default())
    }

    const WHITE: AccountId = AccountId(1);
    const BLACK: AccountId = AccountId(2);
    const GUEST: AccountId = AccountId(3);

    #[test]
    fn the_oldest_stream_of_an_account_gives_way() {
        let mut audience = Audience::new(ServerInstant(0));
        let (queue, _frames) = queue(1);
        let first = audience.join(GUEST, None, queue.clone()).unwrap();
        for _ in 0..limits::STREAMS_PER_ACCOUNT_AND_GAME_MAX {
            audience.join(GUEST, None, queue.clone()).unwrap();
        }
        assert_eq!(audience.listeners.len(), limits::STREAMS_PER_ACCOUNT_AND_GAME_MAX);
        assert!(audience.listeners.iter().all(|listener| listener.id != first));
    }

    #[test]
    fn a_player_is_away_while_he_has_no_stream() {
        let mut audience = Audience::new(ServerInstant(5));
        let (queue, _frames) = queue(4);
        let first = audience.join(WHITE, Some(Color::White), queue.clone()).unwrap();
        let second = audience.join(WHITE, Some(Color::White), queue).unwrap();
        audience.leave(first, ServerInstant(10));
        let away = |for_ms| Presence::Away { for_ms };
        assert_eq!(audience.presence(ServerInstant(20)), ByColor { white: Presence::Here, black: away(15) });
        audience.leave(second, ServerInstant(30));
        assert_eq!(audience.presence(ServerInstant(50)), ByColor { white: away(20), black: away(45) });
        assert!(audience.is_empty());
    }

    #[tokio::test]
    async fn a_listener_who_does_not_drain_his_queue_is_let_go() {
        let mut audience = Audience::new(ServerInstant(0));
        let (slow, mut slow_frames) = queue(1);
        let (quick, mut quick_frames) = queue(4);
        audience.join(WHITE, Some(Color::White), slow).unwrap();
        audience.join(GUEST, None, quick).unwrap();
        for byte in [1_u8, 2] {
            audience.tell_all(&Bytes::copy_from_slice(&[byte]), ServerInstant(7));
        }
        assert_eq!(slow_frames.next().await.unwrap(), [1_u8][..]);
        assert_eq!(slow_frames.next().await, None);
        assert_eq!(quick_frames.next().await.unwrap(), [1_u8][..]);
        assert_eq!(quick_frames.next().await.unwrap(), [2_u8][..]);
        assert_eq!(audience.presence(ServerInstant(8)).white, Presence::Away { for_ms: 1 });
        assert_eq!(audience.let_go.read(), 1);
    }

    #[test]
    fn spectators_are_bounded_and_players_are_not() {
        let mut audience = Audience::new(ServerInstant(0));
        let (queue, _frames) = queue(1);
        for number in 0..limits::LISTENERS_PER_GAME_MAX as u64 {
            audience.join(AccountId(100 + number), None, queue.clone()).unwrap();
        }
        assert_eq!(audience.join(GUEST, None, queue.clone()), Err(AudienceFull));
        assert!(audience.join(BLACK, Some(Color::Black), queue).is_ok());
    }
}
