//! Identifiers, each a type of its own: two bare integers never stand side by side.

use crate::codec::{Decode, Encode};
use crate::limits;
use std::fmt;
use std::str::FromStr;

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

number_id! {
    /// A game, counted from 1 by its server.
    GameId
}
number_id! {
    /// An account, counted from 1 by its server.
    AccountId
}
number_id! {
    /// A request on the control stream: chosen by the client, returned in the reply.
    RequestId
}
number_id! {
    /// An intent on a game's stream: 64 random bits chosen by the client. The event that the
    /// intent causes carries the id into the journal, so sending it again does nothing twice.
    IntentId
}
number_id! {
    /// Something said at a game: 64 random bits chosen by the client.
    TalkId
}
number_id! {
    /// An open seek, counted from 1 since the server started.
    SeekId
}
number_id! {
    /// The place of an event in its game's journal, from 0 without a gap.
    Seq
}

impl Seq {
    /// The place after this one. No journal reaches the last number, but a peer may name it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A player's name: 3 to 20 of `A-Z a-z 0-9 _ -`, starting with a letter.
///
/// Two handles that differ only in case name the same player: compare [`Handle::folded`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct Handle(String);

/// Why a text is no handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandleError {
    /// Too short or too long.
    #[error("a name has {} to {} characters", limits::HANDLE_BYTES_MIN, limits::HANDLE_BYTES_MAX)]
    Length,
    /// A character that names do not have.
    #[error("a name is made of the letters a-z, digits, '-' and '_', and starts with a letter")]
    Character,
}

impl Handle {
    /// Takes a text that is a handle.
    ///
    /// # Errors
    /// [`HandleError`] names what is wrong with it.
    pub fn new(text: &str) -> Result<Self, HandleError> {
        if !(limits::HANDLE_BYTES_MIN..=limits::HANDLE_BYTES_MAX).contains(&text.len()) {
            return Err(HandleError::Length);
        }
        let inner = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !inner || !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(HandleError::Character);
        }
        Ok(Self(text.to_owned()))
    }

    /// As its player writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// In lower case: what must be unique on a server.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Handle {
    type Err = HandleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

crate::codec::decode_through!(Handle, String, |text: String| Handle::new(&text)
    .map_err(|error| error.to_string()));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_short_plain_and_start_with_a_letter() {
        for good in ["Bob", "a-1", "under_score", "abcdefghijklmnopqrst"] {
            assert_eq!(Handle::new(good).unwrap().as_str(), good);
        }
        for (bad, error) in [
            ("", HandleError::Length),
            ("ab", HandleError::Length),
            ("abcdefghijklmnopqrstu", HandleError::Length),
            ("1abc", HandleError::Character),
            ("-abc", HandleError::Character),
            ("zoë", HandleError::Character),
            ("a b", HandleError::Character),
            ("аdmin", HandleError::Character),
        ] {
            assert_eq!(Handle::new(bad), Err(error), "{bad:?}");
        }
    }

    #[test]
    fn handles_that_differ_in_case_fold_to_the_same() {
        assert_eq!(Handle::new("Magnus").unwrap().folded(), Handle::new("mAGNUS").unwrap().folded());
    }
}
