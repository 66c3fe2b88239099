//! What is heard of a game, and why nothing more is.

use crate::chat::ChatLine;
use crate::client::connect::ConnectError;
use crate::close::CloseCode;
use crate::talk::{RematchNews, TalkAnswer};
use crate::view::{Answer, AttachError, Presence, Snapshot, Update};
use chatrang_rules::color::Color;

/// Something new in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameNews {
    /// The whole game anew, because too much was missed; it replaces all that was known.
    Snapshot(Snapshot),
    /// Something has happened. Each update follows the one before without a gap.
    Update(Update),
    /// What came of an intent that was sent on this link.
    Answer(Answer),
    /// A player's connection came or went.
    Presence {
        /// Which player.
        color: Color,
        /// Where he is now.
        presence: Presence,
    },
    /// What people say, each line once: more than one only when the game is opened or heard again.
    Chat(Vec<ChatLine>),
    /// What came of something that was said on this link.
    Talked(TalkAnswer),
    /// How it stands with a rematch. Who plays in one that has begun opens it as any other game.
    Rematch(RematchNews),
    /// The game cannot be heard at the moment. Intents may be sent and wait.
    ConnectionLost,
    /// It can be heard again. What was missed follows, and what has no answer was sent again.
    ConnectionBack,
    /// Nothing more will be heard of the game on this link, and nothing follows.
    Ended(LinkEnd),
}

/// Why nothing more is heard of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkEnd {
    /// The game has a result and the server has said all there is to say.
    #[error("the game is over")]
    Over,
    /// The server does not let the client attach to it.
    #[error(transparent)]
    Refused(AttachError),
    /// The server closed the game's stream for something that the client did.
    #[error("the server closed the game's stream: {0}")]
    Closed(CloseCode),
    /// The connection is lost for good.
    #[error(transparent)]
    Connection(ConnectError),
    /// The server said something that makes no sense.
    #[error(
        "the server said something about the game that this program cannot read ({0}): update chatrang, or tell its operator"
    )]
    Unreadable(String),
    /// As many games are open as a connection carries.
    #[error("as many games are open as one connection carries: close one first")]
    TooManyGames,
    /// The client was closed, or this link dropped.
    #[error("this client has been closed: connect again")]
    Left,
}
