//! Chatrang's messages over QUIC, and the client that every bot is built on.

pub mod codec;
pub mod ids;
pub mod limits;
