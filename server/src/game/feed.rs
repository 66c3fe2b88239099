//! What listeners hear of a game, frame by frame: some of it not all of them.

use bytes::Bytes;
use chatrang_protocol::ids::Seq;
use chatrang_protocol::limits;
use chatrang_protocol::net::stream::encode_frame;
use chatrang_protocol::view::{EventView, GameFrame, PlayedView, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Event, Irregularity, Party};
use std::collections::VecDeque;
use tracing::error;

/// Missed events that a returning listener gets one by one; after more he gets a snapshot.
const TAIL_EVENTS_MAX: usize = 16;

/// An update, encoded once for all who may know all of it, and once for those who may not.
#[derive(Clone, Debug)]
pub(super) struct Telling {
    whole: Bytes,
    /// The only seat that is told the whole, and what everybody else is told.
    secret: Option<(Color, Bytes)>,
}

impl Telling {
    /// An update: a move that goes into the envelope is told to its sealer alone (FIDE G.I), and nobody is told
    /// that a move which stands is illegal (L43). None when it has no encoding, by a fault of this program.
    pub(super) fn update(mut update: Update) -> Option<Self> {
        keep_to_oneself(&mut update.event);
        let sealer = update.event.open().and_then(sealer);
        let Some(by) = sealer else {
            return Some(Self { whole: encode(&GameFrame::Update(update))?, secret: None });
        };
        let redacted = Update { event: EventView::Sealed { by }, ..update.clone() };
        let secret = Some((by, encode(&GameFrame::Update(redacted))?));
        Some(Self { whole: encode(&GameFrame::Update(update))?, secret })
    }

    /// The frame as a listener on this seat, or on none, is to have it.
    pub(super) fn to(&self, seat: Option<Color>) -> &Bytes {
        match &self.secret {
            Some((knows, redacted)) if seat != Some(*knows) => redacted,
            _ => &self.whole,
        }
    }
}

/// A frame as bytes; none by a fault of this program only.
pub(super) fn encode(frame: &GameFrame) -> Option<Bytes> {
    encode_frame(frame, limits::SERVER_FRAME_BYTES_MAX)
        .inspect_err(|error| error!(%error, "a frame has no encoding: this is a fault of the server"))
        .ok()
}

/// To notice that a move is illegal, where it stands until it is claimed, is the opponent's own affair (L43).
fn keep_to_oneself(event: &mut EventView) {
    if let EventView::Open(event) = event
        && let Action::Moved { irregularity: irregularity @ Some(Irregularity::Stands), .. } =
            &mut event.action
    {
        *irregularity = None;
    }
}

/// Whose secret an event is, if it is one.
fn sealer(event: &Event) -> Option<Color> {
    match (&event.action, event.by) {
        (Action::Sealed(_), Party::Player(by)) => Some(by),
        _ => None,
    }
}

/// The last updates as they were handed out, for listeners that have missed a few.
#[derive(Debug)]
pub(super) struct Feed(VecDeque<Told>);

/// An update as it was handed out.
#[derive(Debug)]
pub(super) struct Told {
    /// Its place in the journal.
    pub(super) seq: Seq,
    /// The move it made, if it made one.
    pub(super) played: Option<PlayedView>,
    /// The update itself.
    pub(super) telling: Telling,
}

impl Feed {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self(VecDeque::with_capacity(TAIL_EVENTS_MAX))
    }

    /// Keeps an update that follows those before.
    pub(super) fn push(&mut self, told: Told) {
        if self.0.len() == TAIL_EVENTS_MAX {
            self.0.pop_front();
        }
        self.0.push_back(told);
    }

    /// The updates after `seen` up to `last`, if all of them are still here.
    pub(super) fn after(&self, seen: Seq, last: Seq) -> Option<impl Iterator<Item = &Told>> {
        let missed = last.0.checked_sub(seen.0)?;
        let first = self.0.len().checked_sub(usize::try_from(missed).ok()?)?;
        debug_assert!(self.0.get(first).is_none_or(|told| told.seq == seen.next()));
        Some(self.0.iter().skip(first))
    }
}
