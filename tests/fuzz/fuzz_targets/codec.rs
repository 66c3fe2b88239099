//! Any bytes are a message of each type or not; one that is can be written again, is no longer then, and is read
//! as the same.
//!
//! The first byte chooses the type.
#![no_main]

use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec::{self, Decode, Encode};
use chatrang_protocol::hello::HelloReply;
use chatrang_protocol::limits;
use chatrang_protocol::reply::ControlFrame;
use chatrang_protocol::view::GameFrame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, message)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => read::<ClientFrame>(message, limits::CLIENT_FRAME_BYTES_MAX),
        1 => read::<HelloReply>(message, limits::SERVER_FRAME_BYTES_MAX),
        2 => read::<ControlFrame>(message, limits::SERVER_FRAME_BYTES_MAX),
        _ => read::<GameFrame>(message, limits::SERVER_FRAME_BYTES_MAX),
    }
});

fn read<T: Decode<()> + Encode + PartialEq + std::fmt::Debug>(bytes: &[u8], bytes_max: usize) {
    let Ok(message) = codec::decode::<T>(bytes) else { return };
    let again = codec::encode(&message, bytes_max.max(bytes.len())).expect("what was read can be written");
    assert!(again.len() <= bytes.len(), "our own writing is the shortest");
    assert_eq!(codec::decode(&again).as_ref(), Ok(&message));
}
