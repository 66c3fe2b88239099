//! What strangers may send instead of messages: nothing of it panics, and nothing grows.

#[path = "wire/samples.rs"]
mod samples;

use chatrang_protocol::frame::{FrameError, FrameReader, PREFIX_BYTES, frame};
use proptest::prelude::*;
use proptest::sample::Index;
use samples::{Message, messages};
use std::sync::LazyLock;

static MESSAGES: LazyLock<Vec<Message>> = LazyLock::new(messages);

/// Reads `bytes` as a message of each type: whatever is understood can be said within the limit.
fn read_as_everything(bytes: &[u8]) {
    for message in MESSAGES.iter() {
        if let Some(again) = (message.read)(bytes) {
            assert!(again.len() <= message.bytes_max, "{} grew to {} bytes", message.name, again.len());
            assert!(again.len() <= bytes.len(), "{}: our own writing is the shortest", message.name);
            assert_eq!((message.read)(&again).as_ref(), Some(&again), "{}", message.name);
        }
    }
}

/// What may happen to a frame on its way.
#[derive(Clone, Debug)]
enum Damage {
    Flip {
        place: Index,
        bits: u8,
    },
    Cut(Index),
    Insert {
        place: Index,
        bytes: Vec<u8>,
    },
    Append(Vec<u8>),
    /// A number that announces eight bytes where there was a small one.
    Grow {
        place: Index,
        number: u64,
    },
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = proptest::collection::vec(any::<u8>(), 1..9);
    prop_oneof![
        (any::<Index>(), 1..=u8::MAX).prop_map(|(place, bits)| Damage::Flip { place, bits }),
        any::<Index>().prop_map(Damage::Cut),
        (any::<Index>(), bytes.clone()).prop_map(|(place, bytes)| Damage::Insert { place, bytes }),
        bytes.prop_map(Damage::Append),
        (any::<Index>(), any::<u64>()).prop_map(|(place, number)| Damage::Grow { place, number }),
    ]
}

fn damaged(bytes: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match damage {
        Damage::Flip { place, bits } => {
            let place = place.index(bytes.len());
            bytes[place] ^= bits;
        }
        Damage::Cut(place) => bytes.truncate(place.index(bytes.len())),
        Damage::Insert { place, bytes: more } => {
            let place = place.index(bytes.len());
            bytes.splice(place..place, more.iter().copied());
        }
        Damage::Append(more) => bytes.extend(more),
        Damage::Grow { place, number } => {
            let place = place.index(bytes.len());
            let long = [&[253][..], &number.to_le_bytes()].concat();
            bytes.splice(place..=place, long);
        }
    }
    bytes
}

proptest! {
    #[test]
    fn no_bytes_panic_or_grow(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn no_damage_panics_or_grows(
        which in any::<Index>(),
        sample in any::<Index>(),
        damages in proptest::collection::vec(damage(), 1..4),
    ) {
        let message = &MESSAGES[which.index(MESSAGES.len())];
        let mut bytes = message.samples[sample.index(message.samples.len())].bytes.clone();
        for damage in &damages {
            if !bytes.is_empty() {
                bytes = damaged(&bytes, damage);
            }
        }
        read_as_everything(&bytes);
    }

    #[test]
    fn a_huge_length_is_refused_before_anything_is_kept(length in 4 * 1024 + 1..=u32::MAX) {
        let bytes_max = 4 * 1024;
        let mut reader = FrameReader::new(bytes_max);
        let error = FrameError::TooLong { bytes: length as usize, bytes_max };
        prop_assert_eq!(reader.next(&mut &length.to_le_bytes()[..]), Err(error));
    }
}

#[test]
fn a_message_that_is_cut_anywhere_is_no_message() {
    for message in MESSAGES.iter() {
        for sample in &message.samples {
            for end in 0..sample.bytes.len() {
                assert_eq!((message.read)(&sample.bytes[..end]), None, "{} cut at {end}", sample.shown);
            }
        }
    }
}

#[test]
fn a_message_with_a_byte_too_many_is_no_message() {
    for message in MESSAGES.iter() {
        for sample in &message.samples {
            let longer = [&sample.bytes[..], &[0]].concat();
            assert_eq!((message.read)(&longer), None, "{} and a byte", sample.shown);
        }
    }
}

#[test]
fn every_sample_travels_in_a_frame() {
    for message in MESSAGES.iter() {
        for sample in &message.samples {
            let bytes = frame(&sample.bytes);
            assert_eq!(bytes.len(), PREFIX_BYTES + sample.bytes.len());
            let read = FrameReader::new(message.bytes_max).next(&mut &bytes[..]);
            assert_eq!(read.as_ref(), Ok(&Some(sample.bytes.clone())), "{}", sample.shown);
        }
    }
}

/// Where a message holds a list, a length that no memory has is an error and not an allocation: on
/// any machine this test runs on, an attempt to allocate 2^60 items would abort it.
#[test]
fn a_list_of_impossible_length_is_refused_unallocated() {
    let endless = [&[253][..], &(1_u64 << 60).to_le_bytes()].concat();
    for message in MESSAGES.iter() {
        for sample in &message.samples {
            for place in 0..sample.bytes.len() {
                let bytes = [&sample.bytes[..place], &endless, &sample.bytes[place + 1..]].concat();
                if let Some(again) = (message.read)(&bytes) {
                    assert!(again.len() <= bytes.len(), "{}", sample.shown);
                }
            }
        }
    }
}
