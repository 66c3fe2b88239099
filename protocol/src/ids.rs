//! Identifiers, each a type of its own: two bare integers never stand side by side.

mod handle;

pub use handle::{Handle, HandleError, Skeleton};

use crate::codec::{Decode, Encode};
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
