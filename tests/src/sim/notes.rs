//! What everybody in a world writes down: what was sent, answered and heard, and when.

use chatrang_protocol::ids::{GameId, IntentId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::view::{EventView, Snapshot, StateView, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::ClockReading;
use chatrang_rules::outcome::GameResult;
use chatrang_server::timeline::ServerInstant;
use std::collections::BTreeMap;
use std::fmt::{Arguments, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::Instant;

/// Everybody's notes; cheap to clone, the same behind all clones.
#[derive(Clone, Debug)]
pub struct Notes {
    began: Instant,
    tracing: Tracing,
    pages: Arc<Mutex<Pages>>,
}

/// Whether a world's trace is kept line by line, or only as a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// As a hash.
    Hash,
    /// Line by line, to be read.
    Lines,
}

/// All that was written down.
#[derive(Debug, Default)]
pub struct Pages {
    /// Intents, in the order of their sending.
    pub sent: Vec<Sent>,
    /// Answers, in the order of their coming.
    pub answered: Vec<Answered>,
    /// What listeners saw of games, in the order of their seeing.
    pub sights: Vec<Sight>,
    /// How games stood for listeners who had stayed to the end.
    pub finals: Vec<Final>,
    /// The lives of the server, one after the other.
    pub lives: Vec<Life>,
    /// When links to games lost their connection.
    pub lost: Vec<(Listener, Duration)>,
    /// When links to games had another connection.
    pub back: Vec<(Listener, Duration)>,
    /// From when to when server time stood still, the store being full.
    pub frozen: Vec<(Duration, Duration)>,
    /// What has befallen the world, by name.
    pub faults: BTreeMap<&'static str, u64>,
    /// What no checker has to look for, since whoever met with it knows that it must not be.
    pub complaints: Vec<String>,
    /// The longest that the store took from taking a request to its answer, in milliseconds.
    pub commit_ms_max: u64,
    /// The most changes in one transaction.
    pub batch_max: usize,
    /// The most tasks that were alive at once.
    pub tasks_max: usize,
    tracks: BTreeMap<String, Track>,
}

/// Somebody's link to a game: a number for each, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Listener(pub usize);

/// An intent that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// In which game.
    pub game: GameId,
    /// On whose link.
    pub by: Listener,
    /// As what.
    pub seat: Option<Color>,
    /// Under which id.
    pub id: IntentId,
    /// What was wanted.
    pub intent: Intent,
    /// When, since the world began.
    pub at: Duration,
}

/// An answer to an intent.
#[derive(Clone, Debug)]
pub struct Answered {
    /// In which game.
    pub game: GameId,
    /// On whose link.
    pub by: Listener,
    /// To which intent.
    pub id: IntentId,
    /// What came of it.
    pub outcome: Result<Seq, IntentError>,
    /// When.
    pub at: Duration,
}

/// What a listener saw of a game with one message.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Which game.
    pub game: GameId,
    /// Who.
    pub by: Listener,
    /// The seat of whoever saw it.
    pub seat: Option<Color>,
    /// The last event that it told of.
    pub seq: Seq,
    /// The event and the intent that caused it; none of a snapshot.
    pub event: Option<(EventView, Option<IntentId>)>,
    /// The position.
    pub fen: String,
    /// The clocks.
    pub clocks: ClockReading,
    /// The result.
    pub result: Option<GameResult>,
    /// When.
    pub at: Duration,
}

/// How a game stood for a listener who had stayed to the end.
#[derive(Clone, Debug)]
pub struct Final {
    /// Who.
    pub by: Listener,
    /// The whole view.
    pub view: Snapshot,
}

/// One life of the server.
#[derive(Clone, Copy, Debug)]
pub struct Life {
    /// When its clock began to run, since the world began.
    pub began: Duration,
    /// Server time then.
    pub base: ServerInstant,
    /// When it died or stopped.
    pub ended: Duration,
    /// Server time then.
    pub last: ServerInstant,
}

/// The trace of one part of the world.
#[derive(Debug, Default)]
struct Track {
    hash: u64,
    lines: Vec<(Duration, String)>,
}

impl Notes {
    /// Empty pages, of a world that begins now.
    pub fn new(tracing: Tracing) -> Self {
        Self { began: Instant::now(), tracing, pages: Arc::default() }
    }

    /// How long ago the world began.
    pub fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// All that was written down so far.
    pub fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap()
    }

    /// A line of the trace of `who`.
    pub fn trace(&self, who: &str, what: Arguments<'_>) {
        let now = self.now();
        let mut line = String::new();
        let _ = write!(line, "{} {what}", now.as_millis());
        let mut pages = self.pages();
        let track = match pages.tracks.get_mut(who) {
            Some(track) => track,
            None => pages.tracks.entry(who.to_owned()).or_default(),
        };
        track.hash = line.bytes().fold(track.hash ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        if self.tracing == Tracing::Lines {
            track.lines.push((now, format!("{who}: {what}")));
        }
    }

    /// Something has befallen the world.
    pub fn fault(&self, name: &'static str) {
        *self.pages().faults.entry(name).or_default() += 1;
        self.trace("faults", format_args!("{name}"));
    }

    /// Something that must not be.
    pub fn complain(&self, what: String) {
        self.trace("complaints", format_args!("{what}"));
        self.pages().complaints.push(what);
    }

    /// An update, as a listener hears it.
    pub fn saw_update(&self, by: Listener, game: GameId, seat: Option<Color>, update: &Update) {
        let event = Some((update.event.clone(), update.intent));
        self.saw(by, game, seat, update.seq, event, &update.state);
    }

    /// A snapshot, as a listener hears it.
    pub fn saw_snapshot(&self, by: Listener, snapshot: &Snapshot) {
        self.saw(by, snapshot.game, snapshot.seat, snapshot.seq, None, &snapshot.state);
    }

    fn saw(
        &self,
        by: Listener,
        game: GameId,
        seat: Option<Color>,
        seq: Seq,
        event: Option<(EventView, Option<IntentId>)>,
        state: &StateView,
    ) {
        let fen = state.fen.as_str().to_owned();
        let (clocks, result, at) = (state.clocks, state.result, self.now());
        self.pages().sights.push(Sight { game, by, seat, seq, event, fen, clocks, result, at });
    }
}

impl Pages {
    /// How much of a span server time stood still, the server being down or its store full.
    pub fn stood_still(&self, from: Duration, to: Duration) -> Duration {
        let down = self.lives.windows(2).map(|pair| (pair[0].ended, pair[1].began));
        let spans = down.chain(self.frozen.iter().copied());
        spans.map(|(start, end)| end.min(to).saturating_sub(start.max(from))).sum()
    }

    /// One number for all that was traced: the same for the same world.
    pub fn trace_hash(&self) -> u64 {
        self.tracks.iter().fold(0, |sum: u64, (who, track)| {
            let name = who.bytes().fold(7, |hash: u64, byte| hash.wrapping_mul(31) ^ u64::from(byte));
            sum.rotate_left(7) ^ track.hash ^ name
        })
    }

    /// The trace's lines in the order of time, if they were kept.
    pub fn trace_lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.tracks.values().flat_map(|track| &track.lines).collect();
        lines.sort_by_key(|(at, _)| *at);
        lines.iter().map(|(at, line)| format!("{:>9.3} {line}", at.as_secs_f64())).collect()
    }
}
