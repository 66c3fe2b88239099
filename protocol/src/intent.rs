//! What a client says on the stream of a game.

use crate::codec::{Decode, Encode};
use crate::ids::{GameId, IntentId, Seq};
use chatrang_rules::game::Refusal;
use chatrang_rules::moves::Move;

/// The first frame of a game's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Attach {
    /// Which game to play or watch.
    pub game: GameId,
    /// The last event the client has seen: it gets those after it, or else a snapshot.
    pub seen: Option<Seq>,
}

/// Each further frame of a game's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IntentFrame {
    /// 64 random bits. Sent again, the same intent gets its old answer and does nothing twice.
    pub id: IntentId,
    /// The last event the client had seen when it made up its mind.
    pub seen: Seq,
    /// What its player wants.
    pub intent: Intent,
}

/// What a player wants to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Intent {
    /// Make a move.
    Move {
        /// The ply it is meant for, from 0: a late move never lands on another position.
        ply: u32,
        /// The move.
        mv: Move,
    },
    /// Offer a draw.
    OfferDraw,
    /// Accept the opponent's offer.
    AcceptDraw,
    /// Decline the opponent's offer.
    DeclineDraw,
    /// Claim a draw by repetition or fifty moves.
    ClaimDraw {
        /// The ply it is meant for.
        ply: u32,
        /// The move the player would make, if the claim needs it.
        intended: Option<Move>,
    },
    /// Give up.
    Resign,
    /// End the game without a result, before both sides have moved.
    Abort,
}

/// Why an intent is not carried out. The game goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Encode, Decode)]
pub enum IntentError {
    /// The Laws forbid it.
    #[error("{0}")]
    Law(#[from] Refusal),
    /// The intent was meant for another position.
    #[error("this was meant for ply {meant}, and the game is at ply {ply}: look at the board again")]
    WrongPly {
        /// The ply it was meant for.
        meant: u32,
        /// The ply the game is at.
        ply: u32,
    },
    /// Only the two players act in a game.
    #[error("you watch this game; only its players act in it")]
    NotSeated,
    /// The game has more commands waiting than it takes.
    #[error("the game is busy: try again in a moment")]
    Busy,
    /// The store is full: nothing is kept, so nothing is accepted.
    #[error("the server's store is full: the clocks stand still until it has room again")]
    StoreFull,
    /// The server is about to stop.
    #[error("the server is restarting: your clock stands still, and the game goes on when you are both back")]
    ServerStopping,
}

impl IntentError {
    /// The article, the house's own rule or the limit that forbids it.
    pub fn law(&self) -> String {
        match self {
            Self::Law(refusal) => refusal.law(),
            Self::WrongPly { .. } | Self::NotSeated => "FIDE 1.2".to_owned(),
            Self::Busy => "limit".to_owned(),
            Self::StoreFull => "storage".to_owned(),
            Self::ServerStopping => "L55".to_owned(),
        }
    }
}
