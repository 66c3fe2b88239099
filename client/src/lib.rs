//! `chatrang`, the terminal client: three faces over one pure model. It decides no rule: it sends what
//! the player wants, and shows what the server says came of it.

pub mod agreed;
pub mod answers;
pub mod arbiter;
pub mod cli;
pub mod config;
pub mod enter;
pub mod face;
pub mod fault;
pub mod host;
pub mod identity;
pub mod json;
pub mod link;
pub mod lookup;
pub mod message;
pub mod model;
pub mod plain;
pub mod run;
pub mod screen;
pub mod sentence;
pub mod standing;
pub mod suggest;
pub mod trust;
pub mod update;
pub mod words;
