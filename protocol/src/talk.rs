//! What people say to each other at a game, beside the game: chat, and asking for a rematch.
//!
//! Nothing of it is journaled. The server keeps the last lines for as long as the game's table stands:
//! while it is played, and then until the last who looks at it has gone.

use crate::chat::ChatText;
use crate::codec::{Decode, Encode};
use crate::ids::{GameId, TalkId};
use crate::limits;
use crate::reply::RequestError;
use chatrang_rules::color::Color;

/// A frame of a game's stream, beside the intents, from the client.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct TalkFrame {
    /// 64 random bits. Sent again while the server still keeps the line, it is not said twice.
    pub id: TalkId,
    /// What is said.
    pub talk: Talk,
}

/// What somebody at a game says.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Talk {
    /// Says something to his room: a player to the players', anyone else to the spectators'.
    Say(ChatText),
    /// Asks the opponent for the same game with colours exchanged, or agrees to it when he has asked.
    AskRematch,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct TalkAnswer {
    /// Which.
    pub id: TalkId,
    /// Why it was not said, if it was not.
    pub outcome: Result<(), TalkError>,
}

/// Why something is not said. Neither the game nor the connection suffers from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Encode, Decode)]
pub enum TalkError {
    /// More lines than may be said in one game in so short a time.
    #[error(
        "you may say {} lines in {} seconds: wait a moment",
        limits::CHAT_BURST_LINES,
        limits::CHAT_BURST_LINES * limits::CHAT_LINE_SECONDS
    )]
    TooFast,
    /// The game is over and its table cleared.
    #[error("the game is over and its table cleared: nobody is there to hear it")]
    NobodyThere,
    /// Only the two players have a rematch.
    #[error("you watch this game; only its players have a rematch")]
    NotSeated,
    /// A rematch before the end.
    #[error("the game goes on: ask for a rematch when it is over")]
    NotOver,
    /// A rematch against somebody who has left the table.
    #[error("your opponent has left the table")]
    OpponentGone,
    /// There can be no further game.
    #[error("{0}")]
    NoGame(RequestError),
    /// The game has more waiting than it takes.
    #[error("the game is busy: try again in a moment")]
    Busy,
    /// Something that this server does not know.
    #[error("the server does not know this: it may be older than your program")]
    Unsupported,
}

impl TalkError {
    /// The house's own rule or the limit that forbids it.
    pub fn law(&self) -> &'static str {
        match self {
            Self::TooFast | Self::Busy => "limit",
            Self::Unsupported => "version",
            Self::NobodyThere | Self::NotSeated | Self::NotOver | Self::OpponentGone | Self::NoGame(_) => {
                "L63"
            }
        }
    }
}

/// How it stands with a rematch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum RematchNews {
    /// A player asks for one; the other agrees by asking too.
    Asked {
        /// Who asks, by the colour he had.
        by: Color,
    },
    /// Nobody asks any more: a player has left, or no further game could begin.
    Withdrawn,
    /// It has begun: whoever plays in it attaches to it.
    Begun {
        /// The new game.
        game: GameId,
    },
}
