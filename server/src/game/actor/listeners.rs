//! Who listens to a game: what a newcomer gets, what everyone hears of an event, who comes and goes.

use super::{Actor, Asker};
use crate::game::audience::{Answered, ListenerId};
use crate::game::entry::Entry;
use crate::game::feed::{self, Telling, Told};
use crate::game::rematch::Newcomer;
use crate::game::view;
use crate::queue::Queue;
use crate::timeline::ServerInstant;
use bytes::Bytes;
use chatrang_protocol::ids::{AccountId, Seq};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::lobby::GameSummary;
use chatrang_protocol::view::{
    Answer, AttachError, EventView, GameFrame, PlayedView, Presence, Snapshot, Update,
};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{GameInstant, Stamp};

/// How old what was made ready may be when it is told, in milliseconds: it says for how long who is away.
const READY_MS_MAX: u64 = 100;

/// What listeners will hear of entries that are on their way to the disk.
pub(super) struct Ready {
    at: ServerInstant,
    told: Vec<Told>,
}

impl Actor {
    /// Makes ready what is to be told of entries that follow those on disk, before which the game was at
    /// `ply`.
    pub(super) fn make_ready(&self, new: &[Entry], ply: u32) -> Ready {
        let at = self.house.timeline.now();
        // Told now, nobody's clock would have run since the event: nor will it have, told later.
        let now = GameInstant(at.since_ms(self.table.created));
        let stamp = Stamp { house: now.since(self.game.last_event()), ..Stamp::at(now) };
        let first = self.entries.len() as u64;
        let told = (first..).map(Seq).zip(new).filter_map(|(seq, entry)| {
            let is_last = seq.0 + 1 == first + new.len() as u64;
            let made = self.game.played().last().filter(|_| is_last && self.game.ply() > ply);
            let played = made.map(view::played_view);
            let telling = Telling::update(self.update(seq, entry, played.clone(), stamp))?;
            Some(Told { seq, played, telling })
        });
        Ready { at, told: told.collect() }
    }

    /// Whether what was made ready can still be told: a disk that is slow makes it old.
    pub(super) fn is_fresh(&self, ready: &Ready) -> bool {
        self.house.timeline.now().since_ms(ready.at) <= READY_MS_MAX
    }

    /// Answers whoever has asked for what happened, and tells the audience of it.
    pub(super) fn hand_out(&mut self, ready: Ready, asker: Option<Asker>) {
        let now = self.house.timeline.now();
        self.handed_out = now;
        let before = self.presence();
        let answered = asker.and_then(|asker| answer(asker, Ok(self.seq())));
        self.audience.tell_updates(&ready.told, answered.as_ref(), now);
        for told in ready.told {
            self.feed.push(told);
        }
        self.announce(before);
    }

    /// Answers whoever has asked for something of which nothing new comes. A listener who has been let go asks
    /// again when he is back.
    pub(super) fn answer_only(&mut self, asker: Asker, outcome: Result<Seq, IntentError>) {
        let before = self.presence();
        if let Some(Answered { to, answer }) = answer(asker, outcome) {
            self.audience.tell(to, answer, self.house.timeline.now());
        }
        self.announce(before);
    }

    /// What listeners hear of an entry, with the state as it is now and the clocks as the stamp has them.
    fn update(&self, seq: Seq, entry: &Entry, played: Option<PlayedView>, stamp: Stamp) -> Update {
        Update {
            seq,
            intent: entry.cause().map(|cause| cause.intent),
            event: EventView::Open(entry.event().clone()),
            played,
            state: view::state(&self.game, stamp),
        }
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
                let last = self.entries.last()?;
                let update = self.update(told.seq, last, told.played.clone(), self.stamp_at(now));
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

/// The answer as it goes to whoever has asked.
fn answer(asker: Asker, outcome: Result<Seq, IntentError>) -> Option<Answered> {
    let answer = GameFrame::Answer(Answer { intent: asker.cause.intent, outcome });
    Some(Answered { to: asker.from, answer: feed::encode(&answer)? })
}
