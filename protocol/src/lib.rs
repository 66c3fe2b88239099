//! Chatrang's messages over QUIC, and the client that every bot is built on.

mod base32;
#[cfg(feature = "net")]
pub mod client;
pub mod close;
pub mod codec;
pub mod frame;
pub mod hello;
pub mod ids;
pub mod intent;
pub mod invite;
pub mod key;
pub mod limits;
pub mod lobby;
#[cfg(feature = "net")]
pub mod net;
pub mod notice;
pub mod reply;
pub mod request;
pub mod role;
pub mod version;
pub mod view;
