//! Whatever a person pastes is an invite line or not; one that is can be written, and is read as the same.
#![no_main]

use chatrang_protocol::invite::{HostPort, InviteCode, ServerAddress};
use chatrang_protocol::key::Fingerprint;
use chatrang_protocol::limits;
use libfuzzer_sys::fuzz_target;
use std::fmt::{Debug, Display};
use std::str::FromStr;

fuzz_target!(|text: &str| {
    read::<HostPort>(text);
    read::<InviteCode>(text);
    read::<Fingerprint>(text);
    if let Some(line) = read::<ServerAddress>(text) {
        assert!(line.to_string().len() <= limits::INVITE_LINE_BYTES_MAX);
        assert!((1..=limits::INVITE_ADDRESSES_MAX).contains(&line.addresses().len()));
        assert!(line.fingerprint().is_some() || line.code().is_none(), "a code goes to a known key only");
    }
});

/// What the text says, if it says anything.
fn read<T: FromStr<Err: Display + Debug + PartialEq> + Display + Debug + PartialEq>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(read) => {
            assert_eq!(read.to_string().parse().as_ref(), Ok(&read), "{text:?}");
            Some(read)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}
