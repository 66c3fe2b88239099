//! The exact bytes of every message: a change of the wire is a change of a file that is reviewed.
//!
//! `CHATRANG_BLESS=1 cargo test -p chatrang-protocol --test golden` writes the files anew.

#[path = "wire/samples.rs"]
mod samples;

use data_encoding::HEXLOWER;
use samples::{Message, Sample, messages};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn path(message: &Message) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(message.name).with_extension("txt")
}

/// A line a sample: its bytes, and what they mean.
fn text(message: &Message) -> String {
    message.samples.iter().fold(String::new(), |mut text, Sample { shown, bytes }| {
        let _ = writeln!(text, "{} {shown}", HEXLOWER.encode(bytes));
        text
    })
}

#[test]
fn every_message_has_its_golden_bytes() {
    let bless = std::env::var_os("CHATRANG_BLESS").is_some();
    for message in messages() {
        if bless {
            std::fs::write(path(&message), text(&message)).unwrap();
        }
        let golden = std::fs::read_to_string(path(&message)).unwrap();
        for (place, (golden, text)) in golden.lines().zip(text(&message).lines()).enumerate() {
            assert_eq!(text, golden, "{} line {}: the wire has changed", message.name, place + 1);
        }
        assert_eq!(golden.lines().count(), message.samples.len(), "{}: samples came or went", message.name);
    }
}

#[test]
fn golden_bytes_are_still_read() {
    for message in messages() {
        for line in std::fs::read_to_string(path(&message)).unwrap().lines() {
            let (hex, shown) = line.split_once(' ').unwrap();
            let bytes = HEXLOWER.decode(hex.as_bytes()).unwrap();
            assert!(bytes.len() <= message.bytes_max, "{}: {shown}", message.name);
            assert_eq!((message.read)(&bytes), Some(bytes), "{}: {shown}", message.name);
        }
    }
}

#[test]
fn different_messages_have_different_bytes() {
    for message in messages() {
        let mut seen = HashMap::new();
        for Sample { shown, bytes } in &message.samples {
            let same = seen.insert(bytes, shown);
            assert!(same.is_none_or(|same| same == shown), "{shown} and {same:?} have the same bytes");
        }
    }
}
