//! Frames over one QUIC stream.

use crate::close::CloseCode;
use crate::codec::{self, CodecError, Encode};
use crate::frame::{self, FrameError, FrameReader, PREFIX_BYTES};
use crate::limits;
use bytes::Bytes;
use quinn::{ReadError, RecvStream, SendStream, StoppedError, WriteError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Room that most messages do with: an update of a game is the longest of them, with every legal move.
const MESSAGE_BYTES_USUAL: usize = 500;

/// Bytes taken from quinn at once.
const CHUNK_BYTES_MAX: usize = 64 * 1024;

/// A message as a frame in one buffer, whose clones share it: one encoding serves all listeners.
///
/// # Errors
/// [`CodecError`] when the message passes `bytes_max` or has no byte at all.
pub fn encode_frame<T: Encode>(message: &T, bytes_max: usize) -> Result<Bytes, CodecError> {
    let mut frame = frame::open(MESSAGE_BYTES_USUAL);
    codec::encode_onto(&mut frame, message, bytes_max)?;
    if frame.len() == PREFIX_BYTES {
        return Err(CodecError::Unwritable("it has no bytes, and no frame is empty".to_owned()));
    }
    frame::close(&mut frame);
    // It may wait long, in the queues of many who do not read.
    frame.shrink_to_fit();
    Ok(frame.into())
}

/// The receiving half of a stream, frame by frame.
#[derive(Debug)]
pub struct FrameReceiver {
    stream: RecvStream,
    reader: FrameReader,
    /// What has arrived and has not been looked at yet.
    chunk: Bytes,
    /// When the frame that has begun must be whole.
    deadline: Option<Instant>,
    frame_time_max: Duration,
}

/// Why no more frames come.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveError {
    /// The peer does not keep to the form of frames.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The peer began a frame and did not end it in time.
    #[error("a frame took more than {} s to arrive", limits::FRAME_SECONDS_MAX)]
    TooSlow,
    /// The stream or its connection is gone.
    #[error("the stream is gone: {0}")]
    Gone(#[from] ReadError),
}

impl ReceiveError {
    /// The code that tells the peer; `None` when there is nobody left to tell.
    pub fn close_code(&self) -> Option<CloseCode> {
        match self {
            Self::Frame(FrameError::TooLong { .. }) => Some(CloseCode::FrameTooLong),
            Self::Frame(FrameError::Empty | FrameError::Cut) => Some(CloseCode::Malformed),
            Self::TooSlow => Some(CloseCode::FrameTooSlow),
            Self::Gone(_) => None,
        }
    }
}

impl FrameReceiver {
    /// Receives messages of at most `bytes_max` bytes, each within
    /// [`FRAME_SECONDS_MAX`](limits::FRAME_SECONDS_MAX).
    pub fn new(stream: RecvStream, bytes_max: usize) -> Self {
        Self {
            stream,
            reader: FrameReader::new(bytes_max),
            chunk: Bytes::new(),
            deadline: None,
            frame_time_max: Duration::from_secs(limits::FRAME_SECONDS_MAX),
        }
    }

    /// The next message; `None` when the peer has finished its half after a whole frame.
    ///
    /// Cancel-safe: dropped at any point it loses nothing, so it may stand in a `select!`.
    ///
    /// # Errors
    /// [`ReceiveError`]; after a breach by the peer the stream cannot be read any further.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, ReceiveError> {
        loop {
            if let Some(message) = self.take_message()? {
                return Ok(Some(message));
            }
            // Nothing may be awaited between this and the assignment: that is what keeps it cancel-safe.
            let chunk = self.stream.read_chunk(CHUNK_BYTES_MAX, true);
            let chunk = match self.deadline {
                Some(deadline) => timeout_at(deadline, chunk).await.map_err(|_| ReceiveError::TooSlow)??,
                None => chunk.await?,
            };
            let Some(chunk) = chunk else {
                self.reader.finish()?;
                return Ok(None);
            };
            self.chunk = chunk.bytes;
        }
    }

    /// Tells the peer that nothing more will be read.
    pub fn stop(&mut self, code: CloseCode) {
        // An error means that the peer had finished, which is as well.
        let _ = self.stream.stop(code.into());
    }

    /// A message out of what has arrived. The clock of a frame starts when its first byte is seen
    /// here, so a peer is never blamed for the time in which we did not look.
    fn take_message(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let mut rest = &self.chunk[..];
        let message = self.reader.next(&mut rest);
        self.chunk = self.chunk.slice_ref(rest);
        if !self.reader.is_mid_frame() {
            self.deadline = None;
        } else if self.deadline.is_none() {
            self.deadline = Some(Instant::now() + self.frame_time_max);
        }
        message
    }
}

/// The sending half of a stream, frame by frame.
#[derive(Debug)]
pub struct FrameSender {
    stream: SendStream,
}

/// Why a frame was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The peer does not read this stream any more, or the connection is gone.
    #[error("the stream is gone: {0}")]
    Gone(#[from] WriteError),
}

impl FrameSender {
    /// Sends on `stream`.
    pub fn new(stream: SendStream) -> Self {
        Self { stream }
    }

    /// Sends a whole frame, prefix and all, as [`encode_frame`] makes it; waits while the peer's
    /// window is full.
    ///
    /// **Not** cancel-safe: dropped half-way it may leave half a frame on the stream. Give the stream
    /// a task of its own. That it returns does not mean that the peer has anything.
    ///
    /// # Errors
    /// [`SendError::Gone`] when the peer stopped the stream or the connection was lost.
    pub async fn send(&mut self, frame: Bytes) -> Result<(), SendError> {
        debug_assert!(frame.len() > PREFIX_BYTES, "an empty frame");
        Ok(self.stream.write_chunk(frame).await?)
    }

    /// Sends whole frames together: what fits into one packet travels in one, and the sender's peer is
    /// woken once. **Not** cancel-safe, as [`send`](Self::send).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_all(&mut self, frames: &mut [Bytes]) -> Result<(), SendError> {
        Ok(self.stream.write_all_chunks(frames).await?)
    }

    /// Ends this half after the last whole frame. What was sent still travels: close the connection
    /// only when the peer has answered, or [`FrameSender::stopped`] has returned.
    pub fn finish(&mut self) {
        // An error means that the peer does not read any more, which its reader has been told.
        let _ = self.stream.finish();
    }

    /// Gives this half up: what the peer has not read may be lost.
    pub fn reset(&mut self, code: CloseCode) {
        // An error means that it was given up before.
        let _ = self.stream.reset(code.into());
    }

    /// Waits until the peer stops reading (its number for why), or has everything up to the
    /// finish (`None`).
    ///
    /// Cancel-safe.
    ///
    /// # Errors
    /// When the connection is lost first.
    pub async fn stopped(&self) -> Result<Option<u64>, StoppedError> {
        Ok(self.stream.stopped().await?.map(quinn::VarInt::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::frame;
    use crate::net::loopback::Loopback;
    use quinn::{Connection, ConnectionError};
    use std::future::ready;

    /// A stream from its client to its server, with one frame already across.
    struct Stream {
        /// Kept, since quinn closes a connection that nobody holds.
        client: Connection,
        server: Connection,
        to_server: SendStream,
        from_server: FrameReceiver,
        to_client: FrameSender,
        from_client: FrameReceiver,
        _net: Loopback,
    }

    impl Stream {
        async fn open() -> Self {
            let net = Loopback::new();
            let (client, server) = net.connect().await;
            let (mut to_server, from_server) = client.open_bi().await.unwrap();
            to_server.write_all(&frame(b"hello")).await.unwrap();
            let (to_client, from_client) = server.accept_bi().await.unwrap();
            let mut from_client = FrameReceiver::new(from_client, limits::CLIENT_FRAME_BYTES_MAX);
            assert_eq!(from_client.next().await, Ok(Some(b"hello".to_vec())));
            let from_server = FrameReceiver::new(from_server, limits::SERVER_FRAME_BYTES_MAX);
            let to_client = FrameSender::new(to_client);
            Self { client, server, to_server, from_server, to_client, from_client, _net: net }
        }
    }

    #[test]
    fn a_frame_is_one_buffer_with_prefix_and_message() {
        assert_eq!(encode_frame(&7_u8, 1).unwrap(), frame(&[7]));
        assert_eq!(encode_frame(&300_u64, 2), Err(CodecError::TooLong { bytes: 3, bytes_max: 2 }));
        assert!(matches!(encode_frame(&(), 1), Err(CodecError::Unwritable(_))));
    }

    #[tokio::test]
    async fn frames_cross_until_the_stream_is_finished() {
        let mut stream = Stream::open().await;
        for message in ["e5", "Nf6"] {
            stream.to_client.send(frame(message.as_bytes()).into()).await.unwrap();
        }
        stream.to_client.finish();
        assert_eq!(stream.from_server.next().await, Ok(Some(b"e5".to_vec())));
        assert_eq!(stream.from_server.next().await, Ok(Some(b"Nf6".to_vec())));
        assert_eq!(stream.from_server.next().await, Ok(None));
        assert_eq!(stream.to_client.stopped().await, Ok(None));
    }

    #[tokio::test]
    async fn frames_that_are_sent_together_arrive_one_by_one() {
        let mut stream = Stream::open().await;
        let messages = [b"e5".to_vec(), vec![7; 40_000], b"Nf6".to_vec()];
        let mut frames = messages.each_ref().map(|message| Bytes::from(frame(message)));
        let (sent, received) = tokio::join!(stream.to_client.send_all(&mut frames), async {
            let mut received = Vec::new();
            for _ in 0..messages.len() {
                received.push(stream.from_server.next().await.unwrap().unwrap());
            }
            received
        });
        sent.unwrap();
        assert_eq!(received, messages);
    }

    #[tokio::test]
    async fn the_longest_frame_flows_through_the_small_window() {
        let mut stream = Stream::open().await;
        let snapshot = vec![7; limits::SERVER_FRAME_BYTES_MAX];
        let sending = stream.to_client.send(frame(&snapshot).into());
        let (sent, received) = tokio::join!(sending, stream.from_server.next());
        sent.unwrap();
        assert_eq!(received, Ok(Some(snapshot)));
    }

    #[tokio::test]
    async fn f19_an_oversized_length_closes_the_connection_with_its_code() {
        let mut stream = Stream::open().await;
        stream.to_server.write_all(&(1_u32 << 31).to_le_bytes()).await.unwrap();
        let error = stream.from_client.next().await.unwrap_err();
        let too_long = FrameError::TooLong { bytes: 1 << 31, bytes_max: limits::CLIENT_FRAME_BYTES_MAX };
        assert_eq!(error, ReceiveError::Frame(too_long));
        stream.server.close(error.close_code().unwrap().into(), b"");
        let closed = stream.client.closed().await;
        assert_eq!(CloseCode::of(&closed), Some(Ok(CloseCode::FrameTooLong)));
    }

    #[tokio::test]
    async fn a_finish_inside_a_frame_is_an_error() {
        for end in 1..frame(b"e4").len() {
            let mut stream = Stream::open().await;
            stream.to_server.write_all(&frame(b"e4")[..end]).await.unwrap();
            stream.to_server.finish().unwrap();
            assert_eq!(stream.from_client.next().await, Err(ReceiveError::Frame(FrameError::Cut)));
        }
    }

    #[tokio::test]
    async fn an_empty_frame_is_malformed() {
        let mut stream = Stream::open().await;
        stream.to_server.write_all(&frame(b"")).await.unwrap();
        let error = stream.from_client.next().await.unwrap_err();
        assert_eq!(error.close_code(), Some(CloseCode::Malformed));
    }

    #[tokio::test]
    async fn a_frame_that_is_not_whole_in_time_is_an_error() {
        let mut stream = Stream::open().await;
        stream.from_client.frame_time_max = Duration::ZERO;
        stream.to_server.write_all(&frame(b"e4")[..5]).await.unwrap();
        let error = stream.from_client.next().await.unwrap_err();
        assert_eq!(error, ReceiveError::TooSlow);
        assert_eq!(error.close_code(), Some(CloseCode::FrameTooSlow));
    }

    #[tokio::test]
    async fn between_frames_a_peer_may_think_as_long_as_it_likes() {
        let mut stream = Stream::open().await;
        stream.from_client.frame_time_max = Duration::ZERO;
        stream.to_server.write_all(&frame(b"e4")).await.unwrap();
        assert_eq!(stream.from_client.next().await, Ok(Some(b"e4".to_vec())));
        assert_eq!(stream.from_client.deadline, None);
        tokio::select! {
            biased;
            ended = stream.from_client.next() => panic!("{ended:?}"),
            () = ready(()) => {}
        }
        assert_eq!(stream.from_client.deadline, None);
    }

    #[tokio::test]
    async fn the_time_of_a_frame_is_counted_from_its_first_byte() {
        let mut stream = Stream::open().await;
        let mut deadlines = Vec::new();
        for byte in &frame(b"e4")[..5] {
            stream.to_server.write_all(&[*byte]).await.unwrap();
            let arrived = stream.from_client.stream.read_chunk(1, true).await.unwrap().unwrap();
            stream.from_client.chunk = arrived.bytes;
            assert_eq!(stream.from_client.take_message(), Ok(None));
            deadlines.push(stream.from_client.deadline.unwrap());
        }
        assert!(deadlines.iter().all(|deadline| *deadline == deadlines[0]));
    }

    #[tokio::test]
    async fn nothing_is_lost_when_waiting_is_given_up_at_any_point() {
        let Stream { to_server, from_client, .. } = &mut Stream::open().await;
        let messages: Vec<_> = (0..50_u8).map(|ply| vec![ply; usize::from(ply) + 1]).collect();
        let bytes: Vec<u8> = messages.iter().flat_map(|message| frame(message)).collect();
        let sending = async {
            for piece in bytes.chunks(3) {
                to_server.write_all(piece).await.unwrap();
                tokio::task::yield_now().await;
            }
            to_server.finish().unwrap();
        };
        let receiving = async {
            let mut received = Vec::new();
            loop {
                tokio::select! {
                    biased;
                    message = from_client.next() => match message.unwrap() {
                        Some(message) => received.push(message),
                        None => break received,
                    },
                    () = tokio::task::yield_now() => {}
                }
            }
        };
        let ((), received) = tokio::join!(sending, receiving);
        assert_eq!(received, messages);
    }

    #[tokio::test]
    async fn who_stops_reading_tells_the_sender_why() {
        let mut stream = Stream::open().await;
        stream.from_server.stop(CloseCode::Done);
        assert_eq!(stream.to_client.stopped().await, Ok(Some(CloseCode::Done.number().into())));
        let error = stream.to_client.send(frame(b"e5").into()).await.unwrap_err();
        assert_eq!(error, SendError::Gone(WriteError::Stopped(CloseCode::Done.into())));
    }

    #[tokio::test]
    async fn who_gives_up_sending_tells_the_reader_why() {
        let mut stream = Stream::open().await;
        stream.to_client.reset(CloseCode::NotReading);
        let gone = ReceiveError::Gone(ReadError::Reset(CloseCode::NotReading.into()));
        assert_eq!(stream.from_server.next().await, Err(gone));
    }

    #[tokio::test]
    async fn a_lost_connection_leaves_nobody_to_tell() {
        let mut stream = Stream::open().await;
        stream.client.close(CloseCode::Done.into(), b"");
        let error = stream.from_client.next().await.unwrap_err();
        let ReceiveError::Gone(ReadError::ConnectionLost(ConnectionError::ApplicationClosed(_))) = error
        else {
            panic!("{error:?}")
        };
        assert_eq!(error.close_code(), None);
    }
}
