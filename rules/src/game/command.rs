//! What a party may ask of a game.

use super::reason::Reason;
use super::time::Millis;
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::square::Square;

/// Who asks, or who caused an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Party {
    /// The player of this colour.
    Player(Color),
    /// The arbiter (FIDE 12).
    Arbiter,
    /// The server itself: a flag, a restart, a lost connection.
    House,
}

/// Something a party wants to happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Make this move (FIDE 4).
    Move(Move),
    /// Touch the man on this square with intent (FIDE 4.3).
    Touch(Square),
    /// Adjust the man on this square, saying so first (FIDE 4.2.1).
    Adjust(Square),
    /// Propose something that needs the opponent's consent.
    Propose(Proposal),
    /// Consent to what the opponent has proposed.
    Accept(Matter),
    /// Turn down what the opponent has proposed.
    Decline(Matter),
    /// Claim a draw by repetition or by fifty moves, in the position on the board or in the one that
    /// the intended move would give (FIDE 9.2, 9.3).
    ClaimDraw {
        /// The move the player would make.
        intended: Option<Move>,
    },
    /// Claim that the opponent's flag is down (FIDE 6.8).
    ClaimFlag,
    /// Claim that the opponent's last move was illegal (L43).
    ClaimIllegalMove,
    /// Claim that the opponent has been away too long (L60).
    ClaimAbsence(AbsenceClaim),
    /// Ask for five seconds a move for both (FIDE G.III.4).
    AskIncrement,
    /// Claim that the opponent cannot or does not try to win by normal means (FIDE G.III.5).
    ClaimNoWinning,
    /// Put this move into the envelope, in place of any before it (FIDE G.I).
    Seal(Move),
    /// Close the envelope: the clock stops, and the game is adjourned.
    CloseEnvelope,
    /// Play on after a pause or an adjournment, or after a call that is not needed any more.
    Resume,
    /// Stop the clocks and call the arbiter (FIDE 6.11.2).
    CallArbiter(Reason),
    /// Give up (FIDE 5.1.2).
    Resign,
    /// End the game without a result, before both sides have moved.
    Abort,
    /// The house stops the clocks.
    Suspend(Suspension),
    /// The house lets the clock of the side to move run again.
    Continue,
    /// The house has lost a player's connection.
    Left(Color),
    /// The player is connected again.
    Returned(Color),
    /// The arbiter rules.
    Rule(Decision),
}

/// Something that needs the opponent's consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Proposal {
    /// A draw (FIDE 9.1).
    Draw,
    /// To take back moves (L61).
    Takeback {
        /// How many plies, 1 or 2.
        plies: u8,
    },
    /// To stop the clocks for a while (L62).
    Pause,
    /// To go on another day (L62).
    Adjournment,
}

/// What a proposal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Matter {
    /// A draw.
    Draw,
    /// Taking back moves.
    Takeback,
    /// Stopping the clocks for a while.
    Pause,
    /// Going on another day.
    Adjournment,
}

impl Matter {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Takeback, Self::Pause, Self::Adjournment];

    /// As in a sentence: `a draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "a draw",
            Self::Takeback => "a takeback",
            Self::Pause => "a pause",
            Self::Adjournment => "an adjournment",
        }
    }
}

impl Proposal {
    /// What it is about.
    pub const fn matter(self) -> Matter {
        match self {
            Self::Draw => Matter::Draw,
            Self::Takeback { .. } => Matter::Takeback,
            Self::Pause => Matter::Pause,
            Self::Adjournment => Matter::Adjournment,
        }
    }
}

/// What a player whose opponent is away wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum AbsenceClaim {
    /// The win; a draw if he can no longer mate.
    Win,
    /// A draw.
    Draw,
}

/// Why the clocks are stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Suspension {
    /// The server has started again and waits for both players.
    Restart,
    /// Both players agreed on a pause.
    Pause,
    /// The game is adjourned.
    Adjournment,
    /// The arbiter has stopped the clocks.
    Arbiter,
    /// A player has called the arbiter.
    Call {
        /// Who.
        by: Color,
    },
    /// A claim waits for the arbiter.
    Claim {
        /// Whose.
        by: Color,
        /// Which.
        claim: QuickplayClaim,
    },
}

/// What a player short of time wants (FIDE G.III).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum QuickplayClaim {
    /// Five seconds a move for both (G.III.4).
    Increment,
    /// A draw: the opponent cannot or does not try to win by normal means (G.III.5).
    NoWinning,
}

/// An arbiter's ruling, with the reason that everyone at the board sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Decision {
    /// What is to be.
    pub order: Order,
    /// Why.
    pub reason: Reason,
}

/// What an arbiter may order (FIDE 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Order {
    /// Stop the clocks.
    Pause,
    /// Let the clock of the side to move run again.
    Resume,
    /// Add time to a clock.
    AddTime {
        /// Whose.
        side: Color,
        /// How much.
        span: Millis,
    },
    /// Take time from a clock.
    TakeTime {
        /// Whose.
        side: Color,
        /// How much.
        span: Millis,
    },
    /// Set a clock.
    SetClock {
        /// Whose.
        side: Color,
        /// To what.
        left: Millis,
    },
    /// Warn a player (FIDE 12.9.1).
    Warn {
        /// Whom.
        side: Color,
    },
    /// Go back to the position after this many plies.
    GoBack {
        /// Plies from the start that stay.
        ply: u32,
    },
    /// Note that a flag is down (FIDE 6.8).
    NoteFlag,
    /// Grant the claim that waits.
    Grant,
    /// Decide the claim later: the game goes on, and a flag that falls waits for the decision.
    Postpone {
        /// What the opponent's clock gets.
        bonus: Millis,
    },
    /// Reject the claim. The opponent's clock gets two minutes where a draw was claimed; a flag that has
    /// fallen meanwhile counts.
    Reject,
    /// End the game with these scores.
    Declare {
        /// Any but 1-1, 1-½ and ½-1.
        outcome: Outcome,
    },
}
