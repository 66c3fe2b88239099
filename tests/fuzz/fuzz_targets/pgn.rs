//! Any bytes are read to their end, however they are cut; what was read is written so that it reads back.
//!
//! The first byte says how the rest is cut.
#![no_main]

#[path = "../../../rules/tests/support/pgn_round_trip.rs"]
mod pgn_round_trip;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&length, text)) = bytes.split_first() else { return };
    pgn_round_trip::check(text, &[usize::from(length % 61) + 1, usize::from(length / 61) + 1]);
});
