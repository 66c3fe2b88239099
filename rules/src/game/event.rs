//! What has happened in a game. An event carries its consequences, so that a later change of the code
//! never rewrites an old game.

use super::clock::ClockReading;
use super::command::{AbsenceClaim, Decision, Matter, Party, Proposal, QuickplayClaim, Suspension};
use super::reason::Reason;
use super::terms::Terms;
use super::time::{GameInstant, Millis};
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::GameResult;
use crate::square::Square;

/// One entry of a game's record.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
        /// What was irregular about it.
        irregularity: Option<Irregularity>,
    },
    /// An illegal move was put back (FIDE 7.5.1); it binds the men it touched.
    MovePutBack {
        /// The illegal move.
        mv: Move,
        /// How many illegal moves of this player that makes.
        count: u8,
        /// What the opponent's clock got for it.
        penalty: Millis,
    },
    /// A man was touched with intent.
    Touched(Square),
    /// A man was adjusted, with a word before.
    Adjusted(Square),
    /// Something was proposed.
    Proposed(Proposal),
    /// A proposal was declined in words.
    Declined(Matter),
    /// A proposal was accepted.
    Accepted(Proposal),
    /// A draw was claimed, rightly.
    DrawClaimed {
        /// The move that was named for it, if one was; it is not played.
        intended: Option<Move>,
    },
    /// A draw was claimed wrongly (FIDE 9.5.3).
    DrawClaimedWrongly {
        /// The move that was named for it and has been played, if one was and is legal.
        played: Option<Move>,
        /// The move that was named for it and is illegal: it binds the men it touches.
        illegal: Option<Move>,
        /// What the opponent's clock got for it.
        penalty: Millis,
    },
    /// A fallen flag was claimed.
    FlagClaimed,
    /// Both flags were down before the last period: play goes on in the next one (FIDE G.III.3).
    BothFlagsDown,
    /// The opponent's illegal move was claimed, rightly.
    IllegalMoveClaimed,
    /// The opponent's move was claimed to be illegal and was not.
    IllegalMoveClaimedWrongly {
        /// What the opponent's clock got for it.
        penalty: Millis,
    },
    /// The opponent was away too long.
    AbsenceClaimed(AbsenceClaim),
    /// A player short of time asks or claims, and the arbiter will decide; an increment is a draw offer
    /// first (FIDE G.III).
    QuickplayClaimed(QuickplayClaim),
    /// A move was put into the envelope.
    Sealed(Move),
    /// The envelope was closed: the game is adjourned.
    EnvelopeClosed,
    /// Play goes on after a pause, an adjournment or a call.
    Resumed {
        /// The move that was in the envelope: made if it is legal, and else the end of the game.
        sealed: Option<Move>,
    },
    /// A player has called the arbiter.
    ArbiterCalled(Reason),
    /// A player gave up.
    Resigned,
    /// The game was ended without a result.
    Aborted,
    /// A player's time ran out, or the time for his first move.
    TimeRanOut,
    /// A player was away too long, and the terms say that this is the end.
    AbsenceEnded,
    /// The house stopped the clocks.
    Suspended(Suspension),
    /// The house let the clock run again.
    Continued,
    /// A player's connection was lost.
    Left(Color),
    /// A player is connected again.
    Returned(Color),
    /// The arbiter has ruled.
    Ruled(Decision),
}

/// What was irregular about a move that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Irregularity {
    /// It is illegal and stands until it is claimed (L43).
    Stands,
    /// The pawn was left on the last rank: it has become a queen, and an illegal move is counted
    /// (FIDE 7.5.2).
    Unpromoted {
        /// How many illegal moves of this player that makes.
        count: u8,
        /// What the opponent's clock got for it.
        penalty: Millis,
    },
}
