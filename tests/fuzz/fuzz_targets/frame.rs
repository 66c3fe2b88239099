//! Any bytes, cut in any way, are the same frames: none is longer than allowed, none is empty, and after the
//! first fault there is no way back into step.
//!
//! The first byte chooses how the rest is cut.
#![no_main]

use chatrang_protocol::frame::{FrameError, FrameReader, frame};
use chatrang_protocol::limits;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&cut, stream)) = bytes.split_first() else { return };
    let (whole, fault) = read(&[stream]);
    let pieces: Vec<&[u8]> = stream.chunks(usize::from(cut) + 1).collect();
    assert_eq!(read(&pieces), (whole.clone(), fault));
    let mut written = Vec::new();
    for message in &whole {
        assert!((1..=limits::CLIENT_FRAME_BYTES_MAX).contains(&message.len()));
        written.extend(frame(message));
    }
    assert!(stream.starts_with(&written), "what was read is what came");
    if fault.is_none() {
        assert_eq!(written.len(), stream.len(), "nothing is left over");
    }
});

/// All whole frames, and how it ends when no more bytes come.
fn read(pieces: &[&[u8]]) -> (Vec<Vec<u8>>, Option<FrameError>) {
    let mut reader = FrameReader::new(limits::CLIENT_FRAME_BYTES_MAX);
    let mut messages = Vec::new();
    for mut piece in pieces.iter().copied() {
        loop {
            match reader.next(&mut piece) {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => break,
                Err(fault) => {
                    assert_eq!(reader.next(&mut piece), Err(fault), "it stays broken");
                    return (messages, Some(fault));
                }
            }
        }
        assert!(piece.is_empty(), "what arrives is taken");
    }
    (messages, reader.finish().err())
}
