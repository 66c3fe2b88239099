//! What a server tells a client without being asked.

use crate::codec::{Decode, Encode};
use crate::lobby::{CallView, Seat};

/// A piece of news on the control stream.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Notice {
    /// Somebody took the player's seek or invitation: attach to the game.
    GameStarted(Seat),
    /// The server stops; come back after about so many seconds.
    ServerStopping {
        /// When it may be worth trying again, in seconds.
        retry_seconds: u32,
    },
    /// The store is full: all clocks stand still and moves are refused until it has room.
    StoreFull,
    /// The store has room again: the clocks run on.
    StoreRecovered,
    /// A game waits for an arbiter: told to those who are here.
    Call(CallView),
}
