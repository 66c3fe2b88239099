//! Who listens to a game: what a newcomer gets, what everyone hears of an event, who comes and goes.

use super::Actor;
use crate::game::audience::ListenerId;
use crate::game::feed::{self, Telling, Told};
use crate::game::rematch::Newcomer;
use crate::game::view;
use crate::queue::Queue;
use crate::timeline::ServerInstant;
use bytes::Bytes;
use chatrang_protocol::ids::{AccountId, Seq};
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::view::{AttachError, EventView, GameFrame, PlayedView, Presence, Snapshot, Update};
use chatrang_rules::color::{ByColor, Color};

impl Actor {
    /// Tells the audience of the entries from `first` on, before which the game was at `ply`.
    pub(super) fn hand_out(&mut self, first: usize, ply: u32) {
        let now = self.house.timeline.now();
        self.handed_out = now;
        let before = self.presence();
        for index in first..self.entries.len() {
            let is_last = index + 1 == self.entries.len();
            let made = self.game.played().last().filter(|_| is_last && self.game.ply() > ply);
            let played = made.map(view::played_view);
            let seq = Seq(index as u64);
            let update = self.update(seq, played.clone(), now);
            if let Some(telling) = update.and_then(Telling::update) {
                self.audience.tell_update(&telling, now);
                self.feed.push(Told { seq, played, telling });
            }
        }
        self.announce(before);
    }

    /// What listeners hear of an entry, with the state and the clocks as they are now.
    fn update(&self, seq: Seq, played: Option<PlayedView>, now: ServerInstant) -> Option<Update> {
        let entry = self.entries.get(usize::try_from(seq.0).ok()?)?;
        Some(Update {
            seq,
            intent: entry.cause().map(|cause| cause.intent),
            event: EventView::Open(entry.event().clone()),
            played,
            state: view::state(&self.game, self.stamp_at(now)),
        })
    }

    pub(super) fn attach(
        &mut self,
        account: AccountId,
        seat: Option<Color>,
        seen: Option<Seq>,
        queue: Queue,
    ) -> Result<ListenerId, AttachError> {
        let before = self.presence();
        let listener = self.audience.join(account, seat, queue).map_err(|_| AttachError::TooManyListeners)?;
        let now = self.house.timeline.now();
        let newcomer = if seen.is_some() { Newcomer::ComesBack } else { Newcomer::Opens };
        let talk = self.talk_so_far(account, seat, newcomer);
        for frame in self.first_frames(seat, seen, now).into_iter().chain(talk) {
            self.audience.tell(listener, frame, now);
        }
        self.announce(before);
        Ok(listener)
    }

    /// What a new listener gets: the events after `seen`, or everything.
    fn first_frames(&self, seat: Option<Color>, seen: Option<Seq>, now: ServerInstant) -> Vec<Bytes> {
        if let Some(tail) = seen.and_then(|seen| self.tail(seat, seen, now)) {
            return tail;
        }
        feed::encode(&GameFrame::Snapshot(self.snapshot(seat, now))).into_iter().collect()
    }

    /// The updates after `seen`, the last one with the clocks as they read now; none when they are too
    /// many, or when `seen` is no event of this game.
    fn tail(&self, seat: Option<Color>, seen: Seq, now: ServerInstant) -> Option<Vec<Bytes>> {
        let mut frames = Vec::new();
        for told in self.feed.after(seen, self.seq())? {
            if told.seq == self.seq() {
                let update = self.update(told.seq, told.played.clone(), now)?;
                frames.push(Telling::update(update)?.to(seat).clone());
            } else {
                frames.push(told.telling.to(seat).clone());
            }
        }
        let presence = self.audience.presence(now);
        let presences = Color::ALL.map(|color| GameFrame::Presence { color, presence: presence[color] });
        frames.extend(presences.iter().filter_map(feed::encode));
        Some(frames)
    }

    fn snapshot(&self, seat: Option<Color>, now: ServerInstant) -> Snapshot {
        Snapshot {
            game: self.table.game,
            seq: self.seq(),
            seat,
            players: self.table.players.clone(),
            presence: self.audience.presence(now),
            terms: self.game.terms(),
            played: view::played(&self.game),
            state: view::state(&self.game, self.stamp_at(now)),
        }
    }

    pub(super) fn summary(&self) -> GameSummary {
        GameSummary {
            game: self.table.game,
            players: self.table.players.as_ref().map(|player| player.handle.clone()),
            controls: self.game.terms().controls,
            ply: self.game.ply(),
            result: self.game.result(),
        }
    }

    pub(super) fn presence(&self) -> ByColor<bool> {
        let presence = self.audience.presence(self.house.timeline.now());
        presence.map(|presence| presence == Presence::Here)
    }

    /// Tells everyone whose presence is not what it was; telling may find further listeners gone.
    pub(super) fn announce(&mut self, mut before: ByColor<bool>) {
        loop {
            let after = self.presence();
            if after == before {
                if self.withdraw_rematch() {
                    continue;
                }
                return;
            }
            let now = self.house.timeline.now();
            let presence = self.audience.presence(now);
            for color in Color::ALL.into_iter().filter(|&color| after[color] != before[color]) {
                let frame = GameFrame::Presence { color, presence: presence[color] };
                if let Some(frame) = feed::encode(&frame) {
                    self.audience.tell_all(&frame, now);
                }
            }
            before = after;
        }
    }
}
