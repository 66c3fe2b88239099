//! The chess server as a library: shells around the Laws.

pub mod config;
pub mod keys;
#[cfg(test)]
mod scratch;
pub mod store;
pub mod timeline;
