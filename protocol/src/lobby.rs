//! What the lobby lists and offers.

use crate::codec::{Decode, Encode};
use crate::ids::{GameId, Handle, SeekId};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::Controls;
use chatrang_rules::outcome::GameResult;

/// The side a player would like to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
    /// The server draws lots, unless the opponent has a wish.
    #[default]
    Random,
}

/// What somebody proposes to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Proposal {
    /// How much time each player has.
    pub controls: Controls,
    /// The side the proposer would like.
    pub side: Side,
}

/// An open seek: a proposal to anyone.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SeekView {
    /// Its number.
    pub seek: SeekId,
    /// Who seeks.
    pub by: Handle,
    /// What is proposed.
    pub proposal: Proposal,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GameSummary {
    /// Its number.
    pub game: GameId,
    /// Who plays.
    pub players: ByColor<Handle>,
    /// On which time.
    pub controls: Controls,
    /// Plies made so far.
    pub ply: u32,
    /// How it ended, if it has.
    pub result: Option<GameResult>,
}

/// A game that has just begun, or goes on, for one of its players.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Seat {
    /// The game to attach to.
    pub game: GameId,
    /// The side the player has.
    pub color: Color,
    /// Who sits on the other side.
    pub opponent: Handle,
}
