//! Why a connection or a stream was closed: the codes, each with a sentence for people.
//!
//! A server closes a connection with one of these codes; a game's stream alone is reset with one
//! when only that stream is at fault. The numbers are part of the protocol and never change.

use std::fmt;

/// Why one end closed a connection or a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CloseCode {
    // How things end when nobody is at fault.
    /// Nothing more to say.
    Done = 0,
    /// The server stops or restarts; games are kept.
    ServerStopping = 1,
    /// A newer connection of the same key took this one's place.
    Replaced = 2,
    /// The key was removed from its account, or the account was blocked, while it was connected.
    Revoked = 3,

    // Why a connection was not let in.
    /// No whole hello within [`HELLO_SECONDS_MAX`](crate::limits::HELLO_SECONDS_MAX).
    HelloTimeout = 0x10,
    /// The client is older than the server still understands.
    ClientTooOld = 0x11,
    /// The client needs a newer server.
    ClientTooNew = 0x12,
    /// The key has no account here, and no invite that is still good came with it.
    NotWelcome = 0x13,
    /// As many are connected as the server allows, in all or from this address or account.
    Full = 0x14,

    // What the peer did against the protocol.
    /// A frame longer than its sender may send.
    FrameTooLong = 0x20,
    /// A frame that took longer than [`FRAME_SECONDS_MAX`](crate::limits::FRAME_SECONDS_MAX).
    FrameTooSlow = 0x21,
    /// A frame that is empty, cut off, or no message.
    Malformed = 0x22,
    /// A message that may not be sent at this point, like a request before the hello.
    WrongPhase = 0x23,
    /// More requests, intents or streams than are allowed at once, or in a time.
    TooMany = 0x24,
    /// What was sent to the peer stayed unread for too long.
    NotReading = 0x25,

    // What happened on our side.
    /// A fault of the server's own.
    Internal = 0x30,
}

/// A number that this version knows no reason for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("closed for a reason that this version does not know (code {0})")]
pub struct UnknownCloseCode(pub u64);

impl CloseCode {
    /// Every code, in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::Done,
        Self::ServerStopping,
        Self::Replaced,
        Self::Revoked,
        Self::HelloTimeout,
        Self::ClientTooOld,
        Self::ClientTooNew,
        Self::NotWelcome,
        Self::Full,
        Self::FrameTooLong,
        Self::FrameTooSlow,
        Self::Malformed,
        Self::WrongPhase,
        Self::TooMany,
        Self::NotReading,
        Self::Internal,
    ];

    /// The number on the wire.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Whether the same client may hope to be let in again without a person's doing.
    pub fn invites_return(self) -> bool {
        match self {
            Self::ServerStopping
            | Self::HelloTimeout
            | Self::Full
            | Self::FrameTooSlow
            | Self::TooMany
            | Self::NotReading
            | Self::Internal => true,
            Self::Done
            | Self::Replaced
            | Self::Revoked
            | Self::ClientTooOld
            | Self::ClientTooNew
            | Self::NotWelcome
            | Self::FrameTooLong
            | Self::Malformed
            | Self::WrongPhase => false,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Done => "the conversation is over",
            Self::ServerStopping => "the server is stopping; games are kept until it is back",
            Self::Replaced => "another connection with the same key took over",
            Self::Revoked => "this key may no longer use its account",
            Self::HelloTimeout => "the client did not introduce itself in time",
            Self::ClientTooOld => "this client is too old for the server",
            Self::ClientTooNew => "this client is too new for the server",
            Self::NotWelcome => "the server does not know this key; an invite is needed",
            Self::Full => "the server takes no more connections at the moment",
            Self::FrameTooLong => "a message was longer than allowed",
            Self::FrameTooSlow => "a message took too long to arrive",
            Self::Malformed => "a message could not be read",
            Self::WrongPhase => "a message came at a moment when it may not be sent",
            Self::TooMany => "too many requests at once",
            Self::NotReading => "messages stayed unread for too long",
            Self::Internal => "the server ran into a fault of its own",
        }
    }
}

impl fmt::Display for CloseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl TryFrom<u64> for CloseCode {
    type Error = UnknownCloseCode;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        Self::ALL.into_iter().find(|code| u64::from(code.number()) == number).ok_or(UnknownCloseCode(number))
    }
}

#[cfg(feature = "net")]
impl From<CloseCode> for quinn::VarInt {
    fn from(code: CloseCode) -> Self {
        Self::from_u32(code.number())
    }
}

#[cfg(feature = "net")]
impl CloseCode {
    /// The code the peer closed a connection with; `None` when it was lost or closed otherwise.
    pub fn of(error: &quinn::ConnectionError) -> Option<Result<Self, UnknownCloseCode>> {
        match error {
            quinn::ConnectionError::ApplicationClosed(close) => {
                Some(Self::try_from(close.error_code.into_inner()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_comes_back_from_its_number() {
        for code in CloseCode::ALL {
            assert_eq!(CloseCode::try_from(u64::from(code.number())), Ok(code));
        }
        assert!(CloseCode::ALL.is_sorted_by_key(|code| code.number()));
    }

    #[test]
    fn a_number_from_a_later_version_is_no_known_code() {
        for number in [4, 0x31, 1 << 32, u64::MAX] {
            assert_eq!(CloseCode::try_from(number), Err(UnknownCloseCode(number)));
        }
    }

    #[test]
    fn the_numbers_stay_as_they_are() {
        let numbers = CloseCode::ALL.map(CloseCode::number);
        let wire = [0, 1, 2, 3, 16, 17, 18, 19, 20, 32, 33, 34, 35, 36, 37, 48];
        assert_eq!(numbers, wire);
    }

    #[test]
    fn each_says_something_of_its_own() {
        let sentences: HashSet<_> = CloseCode::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(sentences.len(), CloseCode::ALL.len());
    }

    #[test]
    fn only_what_can_pass_by_itself_invites_a_return() {
        assert!(CloseCode::ServerStopping.invites_return());
        assert!(!CloseCode::Malformed.invites_return());
        assert!(!CloseCode::NotWelcome.invites_return());
    }

    #[cfg(feature = "net")]
    #[test]
    fn a_close_is_told_from_a_loss() {
        let closed = |number| {
            quinn::ConnectionError::ApplicationClosed(quinn::ApplicationClose {
                error_code: quinn::VarInt::from_u32(number),
                reason: bytes::Bytes::new(),
            })
        };
        assert_eq!(CloseCode::of(&closed(1)), Some(Ok(CloseCode::ServerStopping)));
        assert_eq!(CloseCode::of(&closed(999)), Some(Err(UnknownCloseCode(999))));
        assert_eq!(CloseCode::of(&quinn::ConnectionError::TimedOut), None);
    }
}
