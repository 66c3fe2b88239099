//! What a client may say, on whichever stream: so that a message in the wrong place is known as one
//! that came in the wrong phase, and not as noise.

use crate::codec::{self, CodecError, Decode, Encode};
use crate::hello::Hello;
use crate::ids::{IntentId, RequestId, TalkId};
use crate::intent::{Attach, IntentFrame};
use crate::request::RequestFrame;
use crate::talk::TalkFrame;

/// A frame from a client.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ClientFrame {
    /// The first frame of the control stream.
    Hello(Hello),
    /// Every later frame of the control stream.
    Request(RequestFrame),
    /// The first frame of a game's stream.
    Attach(Attach),
    /// A later frame of a game's stream.
    Intent(IntentFrame),
    /// Another one, beside the game.
    Talk(TalkFrame),
}

/// What a server understands of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// All of it.
    Known(ClientFrame),
    /// That a later version says something that this one does not know.
    Unknown(Unknown),
}

/// Something that this version does not know, by the number under which its sender waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A request.
    Request(RequestId),
    /// An intent.
    Intent(IntentId),
    /// Something to be said at a game.
    Talk(TalkId),
    /// A frame of another kind: nobody knows whether it has an answer.
    Frame,
}

impl Heard {
    /// Reads a frame as far as this version can. What it does not know may be answered as unsupported or passed
    /// over: frames have lengths, so the next one is found in any case.
    ///
    /// # Errors
    /// [`CodecError`] for what no version says.
    pub fn read(message: &[u8]) -> Result<Self, CodecError> {
        match codec::decode(message) {
            Ok(frame) => Ok(Self::Known(frame)),
            Err(CodecError::UnknownVariant) => {
                Unknown::of(message).map(Self::Unknown).ok_or(CodecError::UnknownVariant)
            }
            Err(error) => Err(error),
        }
    }
}

impl Unknown {
    /// The variants of [`ClientFrame`] by their numbers on the wire.
    const HELLO: u32 = 0;
    const REQUEST: u32 = 1;
    const ATTACH: u32 = 2;
    const INTENT: u32 = 3;
    const TALK: u32 = 4;

    fn of(message: &[u8]) -> Option<Self> {
        let id = || codec::beginning::<(u32, u64)>(message).map(|(_, id)| id);
        match codec::beginning(message)? {
            Self::REQUEST => Some(Self::Request(RequestId(id()?))),
            Self::INTENT => Some(Self::Intent(IntentId(id()?))),
            Self::TALK => Some(Self::Talk(TalkId(id()?))),
            // In these every version says the same.
            Self::HELLO | Self::ATTACH => None,
            _ => Some(Self::Frame),
        }
    }
}

impl From<Hello> for ClientFrame {
    fn from(hello: Hello) -> Self {
        Self::Hello(hello)
    }
}

impl From<RequestFrame> for ClientFrame {
    fn from(request: RequestFrame) -> Self {
        Self::Request(request)
    }
}

impl From<Attach> for ClientFrame {
    fn from(attach: Attach) -> Self {
        Self::Attach(attach)
    }
}

impl From<IntentFrame> for ClientFrame {
    fn from(intent: IntentFrame) -> Self {
        Self::Intent(intent)
    }
}

impl From<TalkFrame> for ClientFrame {
    fn from(talk: TalkFrame) -> Self {
        Self::Talk(talk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{GameId, Seq};
    use crate::intent::Intent;
    use crate::request::Request;
    use crate::talk::Talk;

    /// The bytes of a frame up to its last variant, and then one that no version has.
    fn from_the_future(frame: &ClientFrame) -> Vec<u8> {
        let mut bytes = codec::encode(frame, 64).unwrap();
        bytes.pop();
        bytes.extend([250, 9, 9, 9]);
        bytes
    }

    #[test]
    fn what_a_later_version_says_is_known_by_who_waits_for_its_answer() {
        let request = RequestFrame { id: RequestId(7), request: Request::ListGames };
        let intent = IntentFrame { id: IntentId(1 << 40), seen: Seq(300), intent: Intent::Resign };
        let talk = TalkFrame { id: TalkId(9), talk: Talk::AskRematch };
        for (frame, unknown) in [
            (ClientFrame::from(request), Unknown::Request(RequestId(7))),
            (intent.into(), Unknown::Intent(IntentId(1 << 40))),
            (talk.into(), Unknown::Talk(TalkId(9))),
        ] {
            let whole = codec::encode(&frame, 64).unwrap();
            assert_eq!(Heard::read(&whole), Ok(Heard::Known(frame.clone())));
            assert_eq!(Heard::read(&from_the_future(&frame)), Ok(Heard::Unknown(unknown)));
        }
        assert_eq!(Heard::read(&[5, 1, 2, 3]), Ok(Heard::Unknown(Unknown::Frame)));
    }

    #[test]
    fn what_no_version_says_is_an_error() {
        let attach = ClientFrame::from(Attach { game: GameId(7), seen: None });
        let mut bytes = codec::encode(&attach, 64).unwrap();
        *bytes.last_mut().unwrap() = 9;
        assert_eq!(Heard::read(&bytes), Err(CodecError::UnknownVariant), "an option is there or not");
        for bytes in [&[][..], &[1], &[255, 1, 2], &[2, 7, 0, 0]] {
            assert!(Heard::read(bytes).is_err(), "{bytes:?}");
        }
    }
}
