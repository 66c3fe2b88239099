//! What a client may say, on whichever stream: so that a message in the wrong place is known as one
//! that came in the wrong phase, and not as noise.

use crate::codec::{Decode, Encode};
use crate::hello::Hello;
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
