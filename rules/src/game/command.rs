//! What a party may ask of a game.

use crate::color::Color;
use crate::moves::Move;

/// Who asks, or who caused an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Party {
    /// The player of this colour.
    Player(Color),
    /// The server itself: a flag, a restart.
    House,
}

/// Something a party wants to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Make this move (FIDE 4).
    Move(Move),
    /// Offer a draw (FIDE 9.1).
    OfferDraw,
    /// Accept the opponent's offer.
    AcceptDraw,
    /// Decline the opponent's offer.
    DeclineDraw,
    /// Claim a draw by repetition or by fifty moves, in the position on the board or in the one that
    /// the intended move would give (FIDE 9.2, 9.3).
    ClaimDraw {
        /// The move the player would make; it is named, not played.
        intended: Option<Move>,
    },
    /// Give up (FIDE 5.1.2).
    Resign,
    /// End the game without a result, before both sides have moved.
    Abort,
    /// The house stops the clocks.
    Suspend(Suspension),
    /// The house lets the clock of the side to move run again.
    Continue,
}

/// Why the house has stopped the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Suspension {
    /// The server has started again and waits for both players.
    Restart,
}
