//! Whole conversations: players, spectators and strangers on a real server over real QUIC.

mod arbiter;
mod bot;
mod clock;
mod crash;
mod crowd;
mod draw;
mod evening;
mod faces;
mod flood;
mod handshake;
mod hostile;
mod lag;
mod lobby;
mod memory;
mod newcomers;
mod people;
mod play;
mod reconnect;
mod recovery;
mod stop;
mod store;
mod table;
mod tidy;
mod upgrade;
