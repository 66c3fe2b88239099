//! What an arbiter is told, before a face has put it into words.

use crate::message::{News, Refused};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::lobby::{CallView, GameSummary};

/// Something to tell an arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeskNews {
    /// What concerns no single game.
    Hall(News),
    /// A game that is played.
    Listed(GameSummary),
    /// A game that waits for an arbiter.
    Called(CallView),
    /// What has happened in a watched game, as its players' faces tell it.
    Event {
        /// Which game.
        game: GameId,
        /// What.
        news: News,
    },
    /// An order was carried out. What it has changed is an event, as it is for everybody at the board.
    Ruled {
        /// In which game.
        game: GameId,
        /// What was typed.
        input: String,
    },
    /// What was typed was not done.
    Refused {
        /// In which game, if it was about one.
        game: Option<GameId>,
        /// What and why.
        refused: Refused,
    },
    /// A game is not watched any more.
    Unwatched {
        /// Which game.
        game: GameId,
        /// Why not, in a sentence without a full stop.
        text: String,
    },
}

impl DeskNews {
    /// The watched game that the news is about.
    pub fn game(&self) -> Option<GameId> {
        match self {
            Self::Event { game, .. } | Self::Ruled { game, .. } | Self::Unwatched { game, .. } => Some(*game),
            Self::Refused { game, .. } => *game,
            Self::Hall(_) | Self::Listed(_) | Self::Called(_) => None,
        }
    }
}
