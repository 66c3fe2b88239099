//! The server's answers on the control stream.

use crate::codec::{Decode, Encode, List};
use crate::ids::{Handle, RequestId, SeekId};
use crate::invite::InviteCode;
use crate::limits;
use crate::lobby::{CallView, GameSummary, InvitationView, Seat, SeekView};
use crate::notice::Notice;

/// A frame of the control stream after the hello's reply, from the server.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ControlFrame {
    /// The answer to a request.
    Reply {
        /// The request's id.
        id: RequestId,
        /// What came of it.
        reply: Result<Reply, RequestError>,
    },
    /// Something the client did not ask for.
    Notice(Notice),
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Reply {
    /// Done, with nothing more to say.
    Done,
    /// The seek is listed; a notice tells when somebody takes it.
    Seeking(SeekId),
    /// A game has begun.
    Paired(Seat),
    /// All open seeks.
    Seeks(List<SeekView, { limits::SEEKS_MAX }>),
    /// The code to send to a friend.
    Invited(InviteCode),
    /// Games being played.
    Games(List<GameSummary, { limits::GAMES_LISTED_MAX }>),
    /// The player's own unfinished games.
    Seats(List<Seat, { limits::GAMES_PER_ACCOUNT_MAX }>),
    /// Whom the player blocks, by name.
    Blocks(List<Handle, { limits::BLOCKS_PER_ACCOUNT_MAX }>),
    /// What the code proposes.
    Invitation(InvitationView),
    /// The games that wait for an arbiter, the longest wait first.
    Calls(List<CallView, { limits::CALLS_MAX }>),
}

/// Why a request is not carried out. The connection goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Encode, Decode)]
pub enum RequestError {
    /// A request that this server does not know.
    #[error("the server does not know this request: it may be older than your program")]
    Unsupported,
    /// Too many seeks of one account, or in all.
    #[error("you have as many open seeks as you may have, or the lobby is full: cancel one or wait")]
    TooManySeeks,
    /// Too many unfinished games of one of the players.
    #[error("one of the players is in as many games as a player may have: finish one first")]
    TooManyGames,
    /// The seek is not there, or not any more.
    #[error("this seek is not open any more: list them again")]
    NoSuchSeek,
    /// The invitation is not there.
    #[error("the server does not know this invitation: ask for a new one")]
    NoSuchInvite,
    /// The invitation is too old.
    #[error("this invitation has expired: ask for a new one")]
    InviteExpired,
    /// The invitation has been used.
    #[error("this invitation has been used already: ask for a new one")]
    InviteUsedUp,
    /// The invitation lets somebody in, but proposes no game.
    #[error("this invitation proposes no game: seek one, or ask a friend for an invitation to play")]
    InviteWithoutGame,
    /// The player's own seek or invitation.
    #[error("nobody plays against himself: send the invitation to a friend")]
    Yourself,
    /// The other player is not connected at the moment.
    #[error("the other player is not connected at the moment: try again when he is")]
    OpponentAway,
    /// The server is about to stop: no new games.
    #[error("the server is restarting: try again in a few seconds")]
    ServerStopping,
    /// The store is full or out of reach: no new games.
    #[error("the server cannot write to its store at the moment: try again later")]
    StoreUnavailable,
    /// No account has this name.
    #[error("nobody on this server has this name")]
    NoSuchPlayer,
    /// Nobody blocks himself.
    #[error("you cannot block yourself")]
    BlocksYourself,
    /// The player blocks as many as he may.
    #[error("you block {} players, and may block no more: unblock one first", limits::BLOCKS_PER_ACCOUNT_MAX)]
    TooManyBlocks,
    /// One of the two players blocks the other.
    #[error("the two of you do not play each other: one has blocked the other")]
    Blocked,
    /// Only an owner gives roles.
    #[error("only an owner of the server gives roles")]
    NotOwner,
    /// A server without an owner could never get one again.
    #[error("the server's only owner stays its owner: make somebody else owner first")]
    LastOwner,
    /// The proposed terms cannot be played by.
    #[error(
        "no game is played by these terms: a penalty is whole seconds up to an hour, a game is lost at 1 to 9 illegal moves, and a draw may be forbidden before move 1 to {}",
        limits::AGREEMENT_FROM_MAX
    )]
    NoSuchTerms,
    /// Only arbiters see who calls them.
    #[error("only an arbiter of this server sees which games wait for one")]
    NotArbiter,
}
