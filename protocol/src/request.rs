//! What a client asks on the control stream, in any order, each with an id for its reply.

use crate::codec::{Decode, Encode};
use crate::ids::{Handle, RequestId, SeekId};
use crate::invite::InviteCode;
use crate::lobby::Proposal;
use crate::role::Role;

/// A frame of the control stream after the hello, from the client.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RequestFrame {
    /// Chosen by the client; the reply carries it.
    pub id: RequestId,
    /// What is asked.
    pub request: Request,
}

/// What a client may ask for.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Request {
    /// A game with anyone who proposes the like: paired at once, or listed as an open seek.
    Seek(Proposal),
    /// Takes an own seek back.
    CancelSeek(SeekId),
    /// A game with the player of an open seek.
    TakeSeek(SeekId),
    /// All open seeks.
    ListSeeks,
    /// A code to send to a friend: whoever presents it first plays the proposal, and may register.
    Invite(Proposal),
    /// A game with the player who made the code.
    TakeInvite(InviteCode),
    /// Games being played, the asking player's own first.
    ListGames,
    /// The asking player's own unfinished games.
    ListSeats,
    /// Have nothing to do with a player: no game is begun between the two, and his chat is not heard.
    Block(Handle),
    /// Takes a block back.
    Unblock(Handle),
    /// Whom the asking player blocks.
    ListBlocks,
    /// Gives an account a role; only an owner may.
    SetRole {
        /// Whose.
        handle: Handle,
        /// Which.
        role: Role,
    },
    /// What a code proposes, without taking it.
    PeekInvite(InviteCode),
    /// The games that wait for an arbiter, for one.
    ListCalls,
}
