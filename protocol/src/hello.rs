//! The first two messages of a connection: who the client is, and whether it may come in.
//!
//! The client's key is proven by TLS before; these messages say which version it speaks and, when its
//! key has no account yet, by what name and invitation it asks for one.

use crate::codec::{Decode, Encode, List, Text};
use crate::ids::{AccountId, Handle};
use crate::invite::InviteCode;
use crate::limits;
use crate::role::Role;

/// The first frame of the control stream, from the client.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Hello {
    /// The newest minor version the client speaks.
    pub minor: u16,
    /// The oldest minor version of a server it still speaks with.
    pub minor_min: u16,
    /// Optional abilities, a bit each; unknown bits are ignored.
    pub features: u64,
    /// The client program's name and version.
    pub agent: Text<{ limits::AGENT_BYTES_MAX }>,
    /// The name the player would like if the key has no account here yet.
    pub handle: Option<Handle>,
    /// The invitation that lets a new key in.
    pub invite: Option<InviteCode>,
}

/// The server's answer; nothing else is heard before it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum HelloReply {
    /// The client is in.
    Welcome(Welcome),
    /// The client is not in, and the connection closes.
    Denied(Denial),
}

/// What a client learns when it is let in.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Welcome {
    /// The minor version both speak from here on: the smaller of the two.
    pub minor: u16,
    /// The abilities both have.
    pub features: u64,
    /// The server program's name and version.
    pub agent: Text<{ limits::AGENT_BYTES_MAX }>,
    /// The account of the client's key.
    pub account: AccountId,
    /// Its player's name.
    pub handle: Handle,
    /// What it may do here.
    pub role: Role,
}

/// Why a client is not let in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Encode, Decode)]
pub enum Denial {
    /// The client is too old for this server.
    #[error(
        "your program is too old for this server, which speaks protocol 1.{server_minor_min} and newer: update chatrang"
    )]
    ClientTooOld {
        /// The oldest minor version the server speaks.
        server_minor_min: u16,
    },
    /// The server is too old for this client.
    #[error(
        "the server is too old for your program: it speaks protocol 1.{server_minor}; ask its operator to update chatrangd"
    )]
    ServerTooOld {
        /// The newest minor version the server speaks.
        server_minor: u16,
    },
    /// The key has no account and the server takes only invited players.
    #[error("this server takes only invited players: ask for an invite line and join with it")]
    InviteNeeded,
    /// No such invitation, or not any more.
    #[error("the server does not know this invitation: ask for a new one")]
    InviteUnknown,
    /// The invitation is too old.
    #[error("this invitation has expired: ask for a new one")]
    InviteExpired,
    /// The invitation has been used.
    #[error("this invitation has been used already: ask for a new one")]
    InviteUsedUp,
    /// The key has no account, and no name was given.
    #[error("the server does not know your key yet: choose a name with --name")]
    HandleNeeded,
    /// Somebody has this name.
    #[error("the name is taken on this server: choose another with --name{}", free(suggestions))]
    HandleTaken {
        /// Free ones that resemble it.
        suggestions: List<Handle, { limits::HANDLE_SUGGESTIONS_MAX }>,
    },
    /// The server takes no new players.
    #[error("this server takes no new players: ask its operator")]
    RegistrationClosed,
    /// The server has as many connections as it may have.
    #[error("the server is full: try again in a minute")]
    ServerFull,
    /// The account has as many connections as it may have.
    #[error("you are connected as often as an account may be: close another program of yours")]
    TooManyConnections,
    /// The server is about to stop.
    #[error("the server is restarting: try again in a few seconds")]
    ServerStopping,
    /// The server could not read or write its store.
    #[error("the server cannot use its store at the moment: try again later")]
    StoreUnavailable,
    /// The name is easily mistaken for another player's.
    #[error(
        "the name looks like that of {taken}, who plays on this server: choose another with --name{}",
        free(suggestions)
    )]
    HandleResembles {
        /// The name that is there already.
        taken: Handle,
        /// Free ones that resemble the wished one, and nobody's.
        suggestions: List<Handle, { limits::HANDLE_SUGGESTIONS_MAX }>,
    },
    /// The name speaks for the house.
    #[error("the name is kept for those who speak for this server: choose another with --name")]
    HandleReserved,
    /// As many have registered lately as may, from this address or in all.
    #[error("the server takes no more new players for now: try again in {}", minutes(*retry_seconds))]
    TooManyNewcomers {
        /// When there is room for another, in seconds from now.
        retry_seconds: u32,
    },
}

/// What follows a taken name: the free ones, if there are any.
fn free(suggestions: &[Handle]) -> String {
    match suggestions {
        [] => String::new(),
        names => format!(", such as {}", names.iter().map(Handle::as_str).collect::<Vec<_>>().join(" or ")),
    }
}

/// A wait as people say it.
fn minutes(seconds: u32) -> String {
    match seconds.div_ceil(60) {
        0 | 1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_is_told_with_free_ones_only_if_there_are_any() {
        for (free, sentence) in [
            (&[][..], "the name is taken on this server: choose another with --name"),
            (&["Bob2"], "the name is taken on this server: choose another with --name, such as Bob2"),
            (
                &["Bob2", "Bob3"],
                "the name is taken on this server: choose another with --name, such as Bob2 or Bob3",
            ),
        ] {
            let suggestions = List::cut(free.iter().map(|name| Handle::new(name).unwrap()).collect());
            assert_eq!(Denial::HandleTaken { suggestions }.to_string(), sentence);
        }
    }

    #[test]
    fn a_wait_is_told_in_minutes_and_never_too_short() {
        for (retry_seconds, wait) in
            [(0, "in a minute"), (60, "in a minute"), (61, "in 2 minutes"), (u32::MAX, "in 71582789 minutes")]
        {
            let sentence = Denial::TooManyNewcomers { retry_seconds }.to_string();
            assert!(sentence.ends_with(wait), "{sentence}");
        }
    }
}
