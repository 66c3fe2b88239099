//! Whole conversations: players, spectators and strangers on a real server over real QUIC.

mod clock;
mod crash;
mod draw;
mod hostile;
mod lobby;
mod play;
mod reconnect;
mod recovery;
mod store;
