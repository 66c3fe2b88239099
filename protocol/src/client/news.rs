//! What a client is told: unasked, and in answer to a call.

use crate::client::connect::ConnectError;
use crate::client::game_news::LinkEnd;
use crate::notice::Notice;
use crate::reply::RequestError;
use crate::view::AttachError;

/// Something the client was not asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The server says so.
    Notice(Notice),
    /// The connection is lost; the client is trying to get it back.
    ConnectionLost,
    /// The connection is back, and so are the open games. What the server has noticed meanwhile is
    /// not repeated: ask for [`Client::seats`](crate::client::Client::seats).
    ConnectionBack,
    /// So many news have been dropped because nobody took them: ask for [`Client::seats`](crate::client::Client::seats).
    Missed(u64),
    /// The connection is lost and will not come back. Nothing follows.
    Closed(ConnectError),
}

/// Why a call had no effect, or an unknown one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The connection was lost before the answer came: the call may or may not have been carried out.
    #[error("the connection was lost before the server answered: look at the lists before you try again")]
    ConnectionLost,
    /// The connection was lost for good.
    #[error(transparent)]
    Closed(ConnectError),
    /// This client, or a clone of it, has been closed.
    #[error("this client has been closed: connect again")]
    Left,
    /// The server refuses.
    #[error(transparent)]
    Refused(#[from] RequestError),
    /// The game cannot be opened.
    #[error(transparent)]
    NotOpened(#[from] AttachError),
    /// As many games are open as a connection carries.
    #[error("as many games are open as one connection carries: close one first")]
    TooManyGames,
    /// The answer belongs to another question.
    #[error("the server's answer does not fit the question: it may be of another version")]
    Unexpected,
}

impl From<LinkEnd> for CallError {
    fn from(end: LinkEnd) -> Self {
        match end {
            LinkEnd::Refused(error) => Self::NotOpened(error),
            LinkEnd::TooManyGames => Self::TooManyGames,
            LinkEnd::Connection(error) => Self::Closed(error),
            LinkEnd::Left => Self::Left,
            LinkEnd::Over | LinkEnd::Closed(_) | LinkEnd::Unreadable(_) => Self::Unexpected,
        }
    }
}
