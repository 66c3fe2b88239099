//! A simulated world: the real server and the real clients in one thread on virtual time, from one seed.
//!
//! Real are the server from its endpoint to its SQLite files, quinn and TLS, and the SDK. Simulated are time,
//! the network between them ([`network`]), the moments at which the store's threads do their work and what a
//! crash leaves of it ([`keeper`], [`disk`]), and the people (`person`). When a world is over, the [`checker`]
//! compares what everybody has noted with the journal.
//!
//! The same seed gives the same trace. What the seed does not decide is the bytes of TLS and of connection
//! ids, which the operating system draws: their lengths are always the same, so nothing that the trace tells
//! depends on them.
//!
//! ```text
//! plan dice bell         what is to happen, drawn from the seed
//! network timeline       packets and their fate; server time
//! host keeper disk       lives and deaths of the server; its store, a step at a time; what a crash leaves
//! person player wishes   who comes, how he plays, what he wants
//! guest echo             a link to a game; the same intent over another connection
//! weather                what befalls all of them
//! notes checker          what everybody has noted, and the invariants that it must bear out
//! world                  all of it together
//! ```

mod bell;
pub mod checker;
pub mod dice;
pub mod disk;
mod echo;
mod guest;
pub mod host;
pub mod keeper;
pub mod network;
pub mod notes;
mod person;
pub mod plan;
mod player;
pub mod timeline;
mod weather;
mod wishes;
pub mod world;
