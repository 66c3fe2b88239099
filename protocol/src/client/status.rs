//! How a session stands.

use crate::client::connect::ConnectError;
use crate::hello::Welcome;
use quinn::Connection;

/// How the session stands, for everybody who holds a part of it.
#[derive(Clone, Debug)]
pub(super) struct Status {
    /// The last connection.
    pub(super) connection: Connection,
    /// What the server said on it.
    pub(super) welcome: Welcome,
    pub(super) link: Link,
}

/// Whether the last connection may be used.
#[derive(Clone, Debug)]
pub(super) enum Link {
    Up,
    /// It is lost; another one is on its way.
    Down,
    /// The owner has left.
    Left,
    /// It is lost, and there will be no other.
    Closed(ConnectError),
}
