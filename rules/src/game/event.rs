//! What has happened in a game. An event carries its consequences, so that a later change of the code
//! never rewrites an old game.

use super::clock::ClockReading;
use super::command::{Party, Suspension};
use super::terms::Terms;
use super::time::{GameInstant, Millis};
use crate::moves::Move;
use crate::outcome::GameResult;

/// One entry of a game's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Event {
    /// When it happened; never before the event that precedes it.
    pub at: GameInstant,
    /// Who caused it.
    pub by: Party,
    /// What happened.
    pub action: Action,
    /// Both clocks afterwards.
    pub clocks: ClockReading,
    /// How the game ended by it, if it did.
    pub end: Option<GameResult>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Action {
    /// The game began: always the first event, and only that.
    Started(Terms),
    /// A move was made.
    Moved {
        /// The move.
        mv: Move,
        /// What it cost the mover's clock, before any bonus.
        charged: Millis,
        /// What he was not charged because the network took it (L54).
        credit: Millis,
        /// What the house took for telling him the position, charged to nobody.
        house: Millis,
    },
    /// A draw was offered.
    DrawOffered,
    /// The opponent's offer was declined in words.
    DrawDeclined,
    /// The opponent's offer was accepted.
    DrawAccepted,
    /// A draw was claimed, rightly.
    DrawClaimed {
        /// The move that was named for it, if one was; it is not played.
        intended: Option<Move>,
    },
    /// A player gave up.
    Resigned,
    /// The game was ended without a result.
    Aborted,
    /// A player's time ran out.
    TimeRanOut,
    /// The house stopped the clocks.
    Suspended(Suspension),
    /// The house let the clock run again.
    Continued,
}
