//! Chatrang's messages over QUIC, and the client that every bot is built on.

mod base32;
pub mod close;
pub mod codec;
pub mod frame;
pub mod ids;
pub mod invite;
pub mod key;
pub mod limits;
#[cfg(feature = "net")]
pub mod net;
pub mod role;
