//! What both players accepted before move 1.

use super::time::Millis;
use super::time_control::Controls;

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Terms {
    /// How much time each player has.
    pub controls: Controls,
    /// How long each player may take for the first move before the game is given up without a
    /// result; the clock runs meanwhile.
    pub first_move: Millis,
}
