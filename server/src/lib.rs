//! The chess server as a library: shells around the Laws.

// What a stranger sends passes through here: nothing of it may end a task.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod blocks;
pub mod calls;
pub mod config;
pub mod date;
pub mod endpoint;
pub mod game;
pub mod gate;
pub mod hall;
pub mod keys;
pub mod limits;
pub mod line;
pub mod lobby;
pub mod log;
pub mod metrics;
pub mod network;
pub mod newcomers;
pub mod operator;
pub mod outlet;
pub mod pace;
pub mod queue;
pub mod random;
pub mod reach;
pub mod report;
#[cfg(test)]
mod scratch;
pub mod server;
pub mod session;
pub mod store;
pub mod supervisor;
pub mod timeline;
