//! Whole conversations: players, spectators and strangers on a real server over real QUIC.

mod arbiter;
mod bot;
mod clock;
mod crash;
mod crowd;
mod draw;
mod evening;
mod faces;
mod hostile;
mod lag;
mod lobby;
mod log;
mod metrics;
mod operator;
mod people;
mod play;
mod reconnect;
mod recovery;
mod stop;
mod store;
mod table;
mod tidy;
