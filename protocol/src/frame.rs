//! Frames: a message's length in four bytes, little-endian, and then the message. No I/O.

/// Bytes of the length that stands before a message.
pub const PREFIX_BYTES: usize = 4;

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A length that passes the limit; nothing was allocated for it.
    #[error("a frame of {bytes} bytes is announced where {bytes_max} are allowed")]
    TooLong {
        /// The announced length.
        bytes: usize,
        /// The limit that it passes.
        bytes_max: usize,
    },
    /// A length of 0: every message has at least one byte.
    #[error("an empty frame is announced")]
    Empty,
    /// The stream ended inside a frame.
    #[error("the stream ended inside a frame")]
    Cut,
}

/// A frame around a message.
///
/// The message's length must be within the limit of whoever reads it, as [`codec::encode`] checks.
///
/// [`codec::encode`]: crate::codec::encode
pub fn frame(message: &[u8]) -> Vec<u8> {
    let mut frame = open(message.len());
    frame.extend_from_slice(message);
    close(&mut frame);
    frame
}

/// Room for a frame, to be [closed](close) when the message stands behind the prefix: so it is written where
/// it stays, and not copied.
pub(crate) fn open(bytes_usual: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(PREFIX_BYTES + bytes_usual);
    frame.extend_from_slice(&[0; PREFIX_BYTES]);
    frame
}

/// Writes the length of the message before it.
pub(crate) fn close(frame: &mut [u8]) {
    let length = frame.len().saturating_sub(PREFIX_BYTES) as u32;
    if let Some(prefix) = frame.first_chunk_mut() {
        *prefix = length.to_le_bytes();
    }
}

/// Takes a stream of bytes apart, however they were cut on their way.
///
/// It holds no more than has arrived of one frame, so never more than the longest frame allowed:
/// what follows stays with the caller until the frame before it has been taken.
#[derive(Debug)]
pub struct FrameReader {
    bytes_max: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Prefix { bytes: [u8; PREFIX_BYTES], filled: usize },
    Message { bytes: Vec<u8>, length: usize },
    Broken(FrameError),
}

const BETWEEN_FRAMES: State = State::Prefix { bytes: [0; PREFIX_BYTES], filled: 0 };

impl FrameReader {
    /// Reads messages of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self { bytes_max, state: BETWEEN_FRAMES }
    }

    /// Takes bytes from the front of `input` until a message is whole, or `input` is empty (`None`).
    ///
    /// # Errors
    /// [`FrameError`], and from then on always the same: there is no way back into step.
    pub fn next(&mut self, input: &mut &[u8]) -> Result<Option<Vec<u8>>, FrameError> {
        if let State::Prefix { bytes, filled } = &mut self.state {
            for (place, &byte) in bytes.iter_mut().skip(*filled).zip(take(input, PREFIX_BYTES - *filled)) {
                *place = byte;
                *filled += 1;
            }
            if *filled < PREFIX_BYTES {
                return Ok(None);
            }
            self.state = after_prefix(u32::from_le_bytes(*bytes) as usize, self.bytes_max);
        }
        match &mut self.state {
            State::Message { bytes, length } => {
                bytes.extend_from_slice(take(input, *length - bytes.len()));
                if bytes.len() < *length {
                    return Ok(None);
                }
                let message = std::mem::take(bytes);
                self.state = BETWEEN_FRAMES;
                Ok(Some(message))
            }
            State::Broken(error) => Err(*error),
            State::Prefix { .. } => Ok(None),
        }
    }

    /// Whether a frame has begun and is not whole yet: its sender is being waited for.
    pub fn is_mid_frame(&self) -> bool {
        !matches!(self.state, State::Prefix { filled: 0, .. })
    }

    /// What it means that no more bytes come.
    ///
    /// # Errors
    /// [`FrameError::Cut`] unless the last frame was whole.
    pub fn finish(&self) -> Result<(), FrameError> {
        match &self.state {
            State::Broken(error) => Err(*error),
            _ if self.is_mid_frame() => Err(FrameError::Cut),
            _ => Ok(()),
        }
    }
}

/// The length is judged before anything is allocated for it, and what is allocated later grows with
/// what arrives: to announce costs the peer as much as to send.
fn after_prefix(length: usize, bytes_max: usize) -> State {
    match length {
        0 => State::Broken(FrameError::Empty),
        _ if length > bytes_max => State::Broken(FrameError::TooLong { bytes: length, bytes_max }),
        _ => State::Message { bytes: Vec::new(), length },
    }
}

fn take<'a>(input: &mut &'a [u8], bytes_max: usize) -> &'a [u8] {
    let (taken, rest) = input.split_at(bytes_max.min(input.len()));
    *input = rest;
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All messages in `chunks`, and how the reading ended.
    fn read(bytes_max: usize, chunks: &[&[u8]]) -> (Vec<Vec<u8>>, Result<(), FrameError>) {
        let mut reader = FrameReader::new(bytes_max);
        let mut messages = Vec::new();
        for mut chunk in chunks.iter().copied() {
            loop {
                match reader.next(&mut chunk) {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => break assert!(chunk.is_empty()),
                    Err(error) => return (messages, Err(error)),
                }
            }
        }
        (messages, reader.finish())
    }

    #[test]
    fn frames_are_taken_one_by_one() {
        let bytes = [frame(b"e4"), frame(b"e5"), frame(b"Ke2")].concat();
        assert_eq!(bytes[..6], [2, 0, 0, 0, b'e', b'4']);
        let (messages, end) = read(3, &[&bytes]);
        assert_eq!(messages, [&b"e4"[..], b"e5", b"Ke2"]);
        assert_eq!(end, Ok(()));
    }

    #[test]
    fn f19_a_length_is_judged_before_anything_is_allocated() {
        for length in [5_u32, 4_097, 1 << 31, u32::MAX] {
            let mut reader = FrameReader::new(4);
            let prefix = length.to_le_bytes();
            let error = FrameError::TooLong { bytes: length as usize, bytes_max: 4 };
            assert_eq!(reader.next(&mut &prefix[..]), Err(error));
            assert!(matches!(reader.state, State::Broken(_)));
        }
    }

    #[test]
    fn f19_an_announced_length_costs_nothing_until_its_bytes_arrive() {
        let mut reader = FrameReader::new(1 << 20);
        assert_eq!(reader.next(&mut &(1_u32 << 20).to_le_bytes()[..]), Ok(None));
        assert!(matches!(&reader.state, State::Message { bytes, .. } if bytes.capacity() == 0));
        assert_eq!(reader.next(&mut &[7; 100][..]), Ok(None));
        assert!(matches!(&reader.state, State::Message { bytes, .. } if bytes.capacity() <= 200));
    }

    #[test]
    fn what_follows_a_frame_is_left_with_the_caller() {
        let mut reader = FrameReader::new(10);
        let bytes = [frame(b"a"), frame(b"b")].concat();
        let mut input = &bytes[..];
        assert_eq!(reader.next(&mut input), Ok(Some(b"a".to_vec())));
        assert_eq!(input, frame(b"b"));
    }

    #[test]
    fn the_longest_frame_is_read_and_one_byte_more_is_not() {
        assert_eq!(read(3, &[&frame(b"123")]), (vec![b"123".to_vec()], Ok(())));
        let too_long = FrameError::TooLong { bytes: 4, bytes_max: 3 };
        assert_eq!(read(3, &[&frame(b"1234")]), (vec![], Err(too_long)));
    }

    #[test]
    fn an_empty_frame_is_an_error() {
        assert_eq!(read(3, &[&frame(b"1"), &frame(b"")]), (vec![b"1".to_vec()], Err(FrameError::Empty)));
    }

    #[test]
    fn an_end_inside_a_frame_is_an_error() {
        let bytes = frame(b"123");
        assert_eq!(read(3, &[]).1, Ok(()));
        for end in 1..bytes.len() {
            assert_eq!(read(3, &[&bytes[..end]]).1, Err(FrameError::Cut), "{end}");
        }
    }

    #[test]
    fn it_knows_whether_a_sender_is_being_waited_for() {
        let mut reader = FrameReader::new(3);
        let mut mid = Vec::new();
        for byte in frame(b"12") {
            mid.push(reader.is_mid_frame());
            reader.next(&mut &[byte][..]).unwrap();
        }
        assert_eq!(mid, [false, true, true, true, true, true]);
        assert!(!reader.is_mid_frame());
    }

    #[test]
    fn there_is_no_way_back_from_an_error() {
        let mut reader = FrameReader::new(3);
        assert_eq!(reader.next(&mut &frame(b"")[..]), Err(FrameError::Empty));
        assert_eq!(reader.next(&mut &frame(b"1")[..]), Err(FrameError::Empty));
        assert_eq!(reader.finish(), Err(FrameError::Empty));
    }

    proptest! {
        #[test]
        fn messages_survive_any_cut(
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..10),
            step in 1_usize..60,
        ) {
            let bytes: Vec<u8> = messages.iter().flat_map(|message| frame(message)).collect();
            let chunks: Vec<_> = bytes.chunks(step).collect();
            prop_assert_eq!(read(40, &chunks), (messages, Ok(())));
        }

        #[test]
        fn no_bytes_panic_and_no_message_passes_the_limit(bytes: Vec<u8>, bytes_max in 0_usize..300) {
            let (messages, _) = read(bytes_max, &[&bytes]);
            prop_assert!(messages.iter().all(|message| (1..=bytes_max).contains(&message.len())));
        }
    }
}
