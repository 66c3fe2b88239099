//! The chess server as a library: shells around the Laws.

pub mod config;
pub mod endpoint;
pub mod game;
pub mod hall;
pub mod keys;
pub mod line;
pub mod lobby;
pub mod random;
pub mod reach;
pub mod report;
#[cfg(test)]
mod scratch;
pub mod server;
pub mod session;
pub mod store;
pub mod timeline;
