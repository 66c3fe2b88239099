//! What both players accepted before move 1.

use super::conduct::{Conduct, Profile};
use super::speed::SpeedClass;
use super::time::Millis;
use super::time_control::Controls;
use crate::color::Color;

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Terms {
    /// How much time each player has.
    pub controls: Controls,
    /// How strictly it is conducted.
    pub conduct: Conduct,
    /// How long each player may take for the first move, the clock running meanwhile (L29).
    pub first_move: Millis,
    /// The number of the move before which no draw is agreed; 1 forbids nothing (FIDE 9.1.1).
    pub agreement_from: u16,
    /// Whether the result counts.
    pub stakes: Stakes,
    /// Whether the house names an arbiter for this game (FIDE G.III.6).
    pub arbiter: Arbiter,
}

impl Terms {
    /// A casual game among friends online, with a minute for the first move.
    pub fn online(controls: Controls) -> Self {
        Self::of(Profile::Online, controls)
    }

    /// A casual game by a profile, without an arbiter.
    pub fn of(profile: Profile, controls: Controls) -> Self {
        Self {
            controls,
            conduct: Conduct::new(profile, SpeedClass::of_game(&controls)),
            first_move: Millis::from_seconds(60),
            agreement_from: 1,
            stakes: Stakes::Casual,
            arbiter: Arbiter::Nobody,
        }
    }

    /// How quick the game is.
    pub fn class(self) -> SpeedClass {
        SpeedClass::of_game(&self.controls)
    }

    /// The side for which a draw counts as a win, in an Armageddon game.
    pub const fn draw_odds(self) -> Option<Color> {
        self.controls.draw_odds()
    }
}

/// Whether a result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Stakes {
    /// For nothing.
    Casual,
    /// For a rating.
    Rated,
}

/// Whether there is an arbiter to turn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Arbiter {
    /// There is none.
    Nobody,
    /// The arbiters of the house.
    Named,
}
