//! What a client says on the stream of a game.

use crate::codec::{Decode, Encode};
use crate::ids::{GameId, IntentId, Seq};
use chatrang_rules::game::{AbsenceClaim, Decision, Matter, Proposal, Reason, Refusal};
use chatrang_rules::moves::Move;
use chatrang_rules::square::Square;

/// The first frame of a game's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Attach {
    /// Which game to play or watch.
    pub game: GameId,
    /// The last event the client has seen: it gets those after it, or else a snapshot.
    pub seen: Option<Seq>,
}

/// Each further frame of a game's stream.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IntentFrame {
    /// 64 random bits. Sent again, the same intent gets its old answer and does nothing twice.
    pub id: IntentId,
    /// The last event the client had seen when it made up its mind.
    pub seen: Seq,
    /// What its player wants.
    pub intent: Intent,
}

/// What a player or an arbiter wants to happen. What is meant for a position names its ply, so that a
/// late word never lands on another one.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Intent {
    /// Make a move.
    Move {
        /// The ply it is meant for, from 0.
        ply: u32,
        /// The move.
        mv: Move,
    },
    /// Touch a man with intent (FIDE 4.3), where the terms say that this binds.
    Touch {
        /// The ply it is meant for.
        ply: u32,
        /// Where the man stands.
        square: Square,
    },
    /// Adjust a man: "j'adoube" (FIDE 4.2.1).
    Adjust {
        /// The ply it is meant for.
        ply: u32,
        /// Where the man stands.
        square: Square,
    },
    /// Propose a draw, a takeback, a pause or an adjournment.
    Propose(Proposal),
    /// Consent to what the opponent had proposed when the player last looked.
    Accept(Matter),
    /// Turn that down.
    Decline(Matter),
    /// Claim a draw by repetition or fifty moves.
    ClaimDraw {
        /// The ply it is meant for.
        ply: u32,
        /// The move the player would make, if the claim needs it.
        intended: Option<Move>,
    },
    /// Claim that the opponent's flag is down (FIDE 6.8): so it stays, whatever is played meanwhile.
    ClaimFlag,
    /// Claim that the opponent's last move was illegal (L43).
    ClaimIllegalMove {
        /// The ply at which the claimant is to move.
        ply: u32,
    },
    /// Claim that the opponent has been away too long (L60).
    ClaimAbsence(AbsenceClaim),
    /// Ask for five seconds a move for both (FIDE G.III.4).
    AskIncrement {
        /// The ply it is meant for.
        ply: u32,
    },
    /// Claim that the opponent cannot or does not try to win by normal means (FIDE G.III.5).
    ClaimNoWinning {
        /// The ply it is meant for.
        ply: u32,
    },
    /// Put a move into the envelope, in place of any before it (FIDE G.I). Until it is opened the server
    /// shows it to nobody else.
    Seal {
        /// The ply it is meant for.
        ply: u32,
        /// The move.
        mv: Move,
    },
    /// Close the envelope: the clock stops, and the game is adjourned.
    CloseEnvelope,
    /// Play on after a pause, an adjournment or a call.
    Resume,
    /// Stop the clocks and call the arbiter (FIDE 6.11.2).
    CallArbiter(Reason),
    /// Give up.
    Resign,
    /// End the game without a result, before both sides have moved.
    Abort,
    /// Rule in a game of others, as an arbiter (FIDE 12).
    Rule(Decision),
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
    /// Only the two players and the arbiters act in a game.
    #[error("you watch this game; only its players and the arbiters act in it")]
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
    /// An intent that this server does not know.
    #[error("the server does not know this intent: it may be older than your program")]
    Unsupported,
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
            Self::Unsupported => "version".to_owned(),
        }
    }
}
