//! One game's stream, taken up again on each new connection.

use crate::client::backoff::Backoff;
use crate::client::board::Reader;
use crate::client::chance::Chance;
use crate::client::game_news::{GameNews, LinkEnd};
use crate::client::nudge::Nudges;
use crate::client::status::{Link, Status};
use crate::client::talking::Talking;
use crate::client::writer;
use crate::client_frame::ClientFrame;
use crate::close::CloseCode;
use crate::codec::{self, CodecError};
use crate::ids::{GameId, IntentId, Seq};
use crate::intent::{Attach, Intent, IntentError, IntentFrame};
use crate::limits;
use crate::net::stream::{FrameReceiver, FrameSender, ReceiveError, encode_frame};
use crate::talk::TalkFrame;
use crate::view::{Answer, AttachError, GameFrame, StateView};
use bytes::Bytes;
use chatrang_rules::game::{Refusal, Suspension};
use quinn::{Connection, ReadError};
use std::collections::VecDeque;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

/// News of one game that may wait for its listener; then nothing more is read, and the server sends a
/// snapshot when it is.
const NEWS_WAITING_MAX: usize = 64;

/// Intents that may wait to be sent, beside those that wait for their answer.
const INTENTS_WAITING_MAX: usize = 8;

/// Frames that may wait to be written: the attach, and everything without an answer.
const FRAMES_WAITING_MAX: usize = 1 + limits::INTENTS_IN_FLIGHT_MAX + limits::TALKS_IN_FLIGHT_MAX;

/// The task behind a [`GameLink`](crate::client::game::GameLink). It ends with the link, but not
/// before every intent has its answer.
#[derive(Debug)]
pub(super) struct Attachment {
    game: GameId,
    status: Reader<Status>,
    intents: mpsc::Receiver<IntentFrame>,
    news: mpsc::Sender<GameNews>,
    chance: Chance,
    /// The last event that was passed on.
    seen: Option<Seq>,
    /// In the order of their sending; sent again on each new stream.
    unanswered: VecDeque<Unanswered>,
    talking: Talking,
    nudges: Nudges,
    /// Whether the game has a result.
    is_over: bool,
    /// Whether the clocks are stopped.
    is_suspended: bool,
    /// Whether the link is gone, or the client closed, and nothing more is to be sent.
    is_left: bool,
}

/// An intent of which it is not known what came.
#[derive(Debug)]
struct Unanswered {
    frame: IntentFrame,
    fate: Fate,
}

/// What has become of an intent so far.
#[derive(Debug)]
enum Fate {
    /// On its way, for the first time.
    Sent,
    /// On its way again, since the stream before was lost.
    SentAgain,
    /// Back, with this answer: the server has been down meanwhile, and has stopped the clocks. It goes out again
    /// when they run, so that a move which a crash has met is made, and its player need not know of it; unless he
    /// has wanted something else by then, which must not come before it.
    Held(Answer),
}

/// The link's ends of an attachment.
#[derive(Debug)]
pub(super) struct AttachmentEnds {
    pub(super) intents: mpsc::Sender<IntentFrame>,
    pub(super) talks: mpsc::Sender<TalkFrame>,
    pub(super) news: mpsc::Receiver<GameNews>,
}

/// What the listener was told of the stream before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    /// That it was lost: he is to hear that another is there.
    Lost,
}

/// Why a stream is not served any more.
enum StreamEnd {
    /// It, or the connection under it, is gone.
    Lost,
    /// An event is missing: only a snapshot helps.
    Gap,
    Final(LinkEnd),
}

impl Attachment {
    /// The task, and the other ends of what it carries.
    pub(super) fn new(game: GameId, status: Reader<Status>, chance: Chance) -> (Self, AttachmentEnds) {
        let (give_intents, intents) = mpsc::channel(INTENTS_WAITING_MAX);
        let (talking, give_talks) = Talking::new();
        let (news, take_news) = mpsc::channel(NEWS_WAITING_MAX);
        let attachment = Self {
            game,
            status,
            intents,
            news,
            chance,
            seen: None,
            unanswered: VecDeque::new(),
            talking,
            nudges: Nudges::default(),
            is_over: false,
            is_suspended: false,
            is_left: false,
        };
        (attachment, AttachmentEnds { intents: give_intents, talks: give_talks, news: take_news })
    }

    /// Ends at once, because as many games are open as may be.
    pub(super) fn refuse(self) {
        // Its channel is new and empty; an error means that the caller has gone.
        let _ = self.news.try_send(GameNews::Ended(LinkEnd::TooManyGames));
    }

    /// Stays attached until the link is left or the game can be heard no more.
    pub(super) async fn run(mut self) {
        let end = self.stay_attached().await;
        self.tell(GameNews::Ended(end)).await;
    }

    async fn stay_attached(&mut self) -> LinkEnd {
        let mut last_stable_id = None;
        let mut backoff = Backoff::new(self.chance.clone());
        let mut told = Told::Nothing;
        loop {
            let connection = match self.connection().await {
                Ok(connection) => connection,
                Err(end) => return end,
            };
            // On a new connection the session has waited already.
            if last_stable_id.replace(connection.stable_id()) == Some(connection.stable_id()) {
                sleep(backoff.next_delay()).await;
            }
            let seen_before = self.seen;
            match self.attach(&connection, told).await {
                StreamEnd::Final(end) => return end,
                StreamEnd::Gap => {
                    self.seen = None;
                    told = Told::Nothing;
                }
                StreamEnd::Lost => {
                    told = Told::Lost;
                    self.tell(GameNews::ConnectionLost).await;
                }
            }
            if self.seen > seen_before {
                backoff.reset();
            }
        }
    }

    /// The connection to use, as soon as there is one that is not lost.
    async fn connection(&mut self) -> Result<Connection, LinkEnd> {
        loop {
            let present = self.status.read(|status| match &status.link {
                Link::Up if status.connection.close_reason().is_none() => Some(Ok(status.connection.clone())),
                Link::Up | Link::Down => None,
                Link::Left => Some(Err(LinkEnd::Left)),
                Link::Closed(error) => Some(Err(LinkEnd::Connection(error.clone()))),
            });
            if let Some(present) = present {
                return present;
            }
            if self.is_done() || self.status.changed().await.is_err() {
                return Err(LinkEnd::Left);
            }
        }
    }

    /// Opens a stream, attaches, sends again what has no answer, and serves the stream.
    async fn attach(&mut self, connection: &Connection, told: Told) -> StreamEnd {
        let Ok((sender, receiver)) = connection.open_bi().await else {
            return StreamEnd::Lost;
        };
        let frames = writer::start(FrameSender::new(sender), FRAMES_WAITING_MAX);
        let mut receiver = FrameReceiver::new(receiver, limits::SERVER_FRAME_BYTES_MAX);
        give(&frames, Attach { game: self.game, seen: self.seen });
        for Unanswered { frame, fate } in &mut self.unanswered {
            give(&frames, frame.clone());
            *fate = Fate::SentAgain;
        }
        for talk in self.talking.unanswered() {
            give(&frames, talk.clone());
        }
        if told == Told::Lost {
            self.tell(GameNews::ConnectionBack).await;
        }
        self.nudge_anew();
        self.serve(connection, &frames, &mut receiver).await
    }

    async fn serve(
        &mut self,
        connection: &Connection,
        frames: &mpsc::Sender<Bytes>,
        receiver: &mut FrameReceiver,
    ) -> StreamEnd {
        let news = self.news.clone();
        loop {
            if self.is_done() {
                return StreamEnd::Final(LinkEnd::Left);
            }
            let takes_intents = !self.is_left && self.unanswered.len() < limits::INTENTS_IN_FLIGHT_MAX;
            tokio::select! {
                // In the same order each time: what is bounded first, so that no flood of news keeps anything
                // else waiting, and all that has come is heard before the stream is given up.
                biased;
                intent = self.intents.recv(), if takes_intents => {
                    // The player goes on to something else, or leaves.
                    self.give_up_held().await;
                    if let Some(intent) = intent {
                        give(frames, intent.clone());
                        self.unanswered.push_back(Unanswered { frame: intent, fate: Fate::Sent });
                        self.nudges.begin(Instant::now());
                    } else {
                        self.is_left = true;
                    }
                }
                talk = self.talking.next() => give(frames, talk),
                changed = self.status.changed(), if !self.intents.is_closed() => {
                    if changed.is_err() || self.status.read(|status| matches!(status.link, Link::Left)) {
                        // What was sent before is still taken.
                        self.intents.close();
                        self.talking.close();
                    }
                }
                () = until(self.nudges.due()) => {
                    // A nudge that cannot be sent is one packet less that could be lost.
                    let _ = connection.send_datagram(Bytes::from_static(&[0; limits::NUDGE_BYTES]));
                    self.nudges.sent(Instant::now());
                }
                (room, received) = receive(&news, receiver) => match self.received(received) {
                    Ok(item) => {
                        if let (Some(item), Some(room)) = (item, room) {
                            room.send(item);
                        }
                        self.send_held(frames);
                    }
                    Err(end) => return end,
                },
                () = frames.closed() => return StreamEnd::Lost,
            }
        }
    }

    /// What a frame, or the end of the stream, means for the listener.
    fn received(
        &mut self,
        received: Result<Option<Vec<u8>>, ReceiveError>,
    ) -> Result<Option<GameNews>, StreamEnd> {
        let message = match received {
            Ok(Some(message)) => message,
            // What has no answer by now came after the end, or is in the record.
            Ok(None) if self.is_over => return Err(StreamEnd::Final(LinkEnd::Over)),
            Ok(None) => return Err(StreamEnd::Lost),
            Err(error) => return Err(stream_end(&error)),
        };
        let frame = match codec::decode(&message) {
            Ok(frame) => frame,
            // Of a kind that only later versions know, so nothing of what this one shows.
            Err(CodecError::UnknownVariant) if GameFrame::is_later(&message) => return Ok(None),
            Err(error) => return Err(StreamEnd::Final(LinkEnd::Unreadable(error.to_string()))),
        };
        let item = self.frame(frame)?;
        self.nudge_anew();
        Ok(item)
    }

    fn frame(&mut self, frame: GameFrame) -> Result<Option<GameNews>, StreamEnd> {
        match frame {
            GameFrame::Snapshot(snapshot) => {
                self.seen = Some(snapshot.seq);
                self.note(&snapshot.state);
                Ok(Some(GameNews::Snapshot(snapshot)))
            }
            GameFrame::Update(update) => match self.seen {
                Some(seen) if update.seq <= seen => Ok(None),
                Some(seen) if update.seq == seen.next() => {
                    self.seen = Some(update.seq);
                    self.note(&update.state);
                    Ok(Some(GameNews::Update(update)))
                }
                _ => Err(StreamEnd::Gap),
            },
            GameFrame::Answer(answer) if self.holds(&answer) => Ok(None),
            GameFrame::Answer(answer) => Ok(self.settle(answer.intent).then_some(GameNews::Answer(answer))),
            GameFrame::Presence { color, presence } => Ok(Some(GameNews::Presence { color, presence })),
            GameFrame::Chat(lines) => {
                let new = self.talking.hear(lines.into_vec());
                Ok((!new.is_empty()).then_some(GameNews::Chat(new)))
            }
            GameFrame::Talked(answer) => Ok(self.talking.settle(&answer).then_some(GameNews::Talked(answer))),
            GameFrame::Rematch(news) => Ok(Some(GameNews::Rematch(news))),
            // A game that was open a moment ago is there; only its being full or unreadable may pass.
            GameFrame::Refused(AttachError::TooManyListeners | AttachError::StoreUnavailable)
                if self.seen.is_some() =>
            {
                Err(StreamEnd::Lost)
            }
            GameFrame::Refused(error) => Err(StreamEnd::Final(LinkEnd::Refused(error))),
        }
    }

    fn note(&mut self, state: &StateView) {
        self.is_over = state.result.is_some();
        self.is_suspended = state.suspension.is_some() && !self.is_over;
    }

    /// Whether an answer only says that a restart has stopped the clocks, to a move that was under way when the
    /// server went down, and after which nothing was sent: then it is held until they run.
    fn holds(&mut self, answer: &Answer) -> bool {
        let restart = Refusal::Suspended { why: Suspension::Restart };
        match self.unanswered.back_mut() {
            Some(Unanswered { frame, fate: fate @ Fate::SentAgain })
                if frame.id == answer.intent
                    && matches!(frame.intent, Intent::Move { .. })
                    && answer.outcome == Err(IntentError::Law(restart)) =>
            {
                *fate = Fate::Held(answer.clone());
                true
            }
            _ => false,
        }
    }

    /// Sends the move that is held, if the clocks run.
    fn send_held(&mut self, frames: &mpsc::Sender<Bytes>) {
        if !self.is_suspended
            && let Some(Unanswered { frame, fate: fate @ Fate::Held(_) }) = self.unanswered.back_mut()
        {
            give(frames, frame.clone());
            *fate = Fate::SentAgain;
        }
    }

    /// Tells the player that the move which is held was refused.
    async fn give_up_held(&mut self) {
        if let Some(Unanswered { fate: Fate::Held(answer), .. }) = self.unanswered.back() {
            let answer = answer.clone();
            self.unanswered.pop_back();
            self.tell(GameNews::Answer(answer)).await;
        }
    }

    /// Whether `intent` had no answer until now.
    fn settle(&mut self, intent: IntentId) -> bool {
        let before = self.unanswered.len();
        self.unanswered.retain(|waiting| waiting.frame.id != intent);
        self.unanswered.len() < before
    }

    /// Whether the link is gone and everything has its answer.
    fn is_done(&self) -> bool {
        self.is_left && self.unanswered.is_empty() && self.talking.is_settled()
    }

    /// Whether the server owes something that a player waits for: an answer, or the first snapshot.
    fn is_waiting(&self) -> bool {
        self.unanswered.iter().any(|waiting| !matches!(waiting.fate, Fate::Held(_))) || self.seen.is_none()
    }

    /// Something was heard: nothing waits any more, or what does waits anew.
    fn nudge_anew(&mut self) {
        self.nudges.end();
        if self.is_waiting() {
            self.nudges.begin(Instant::now());
        }
    }

    /// Waits while the listener is behind. It may have gone, and then there is nobody to tell.
    async fn tell(&self, item: GameNews) {
        let _ = self.news.send(item).await;
    }
}

/// The next message, when there is room for the news it may be; no room when the listener has gone.
///
/// Cancel-safe, since both waits are.
async fn receive<'a>(
    news: &'a mpsc::Sender<GameNews>,
    receiver: &mut FrameReceiver,
) -> (Option<mpsc::Permit<'a, GameNews>>, Result<Option<Vec<u8>>, ReceiveError>) {
    let room = news.reserve().await.ok();
    (room, receiver.next().await)
}

/// Gives a frame to the writer, which has room for all that may be under way.
fn give(frames: &mpsc::Sender<Bytes>, message: impl Into<ClientFrame>) {
    if let Ok(frame) = encode_frame(&message.into(), limits::CLIENT_FRAME_BYTES_MAX) {
        // An error means that the stream is gone, which whoever serves it is about to see.
        let _ = frames.try_send(frame);
    }
}

fn stream_end(error: &ReceiveError) -> StreamEnd {
    match error {
        ReceiveError::Gone(ReadError::Reset(code)) => match CloseCode::try_from(code.into_inner()) {
            Ok(code) if !code.invites_return() => StreamEnd::Final(LinkEnd::Closed(code)),
            _ => StreamEnd::Lost,
        },
        // A long frame on a bad road: the network's fault, and the next attach may ask for less.
        ReceiveError::Gone(_) | ReceiveError::TooSlow => StreamEnd::Lost,
        ReceiveError::Frame(error) => StreamEnd::Final(LinkEnd::Unreadable(error.to_string())),
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameError;

    /// At 30 % loss a snapshot may take longer than a frame may: the game is attached to again, not given up.
    #[test]
    fn a_slow_frame_loses_the_stream_and_an_unreadable_one_the_game() {
        assert!(matches!(stream_end(&ReceiveError::TooSlow), StreamEnd::Lost));
        let unreadable = stream_end(&ReceiveError::Frame(FrameError::Empty));
        assert!(matches!(unreadable, StreamEnd::Final(LinkEnd::Unreadable(_))));
    }
}
