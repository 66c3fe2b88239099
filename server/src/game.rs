//! Games being played: a task each, which alone owns its [`chatrang_rules::game::Game`].
//!
//! Commands come in through a bounded mailbox, events leave to a bounded queue per listener, and in
//! between stands the store: nothing leaves before it is on disk.
//!
//! ```text
//! entry      what the journal holds of an event
//! view       what a listener is shown
//! feed       what he hears, frame by frame
//! chat       what people say beside the game, and who hears it
//! rematch    whether it is played again
//! audience   who listens, and who is away
//! seats      how many games each account plays
//! intents    from what somebody wants to what the Laws are asked
//! actor      the task
//! handle     how others ask it
//! registry   all of them; games that begin, and those that go on after a restart
//! pondering      where long questions are worked on
//! supervision    what becomes of one whose task panics
//! ```

pub mod actor;
pub mod audience;
mod chat;
pub mod entry;
mod feed;
pub mod handle;
mod intents;
pub mod pondering;
pub mod registry;
pub mod rematch;
pub mod seats;
mod supervision;
pub mod view;
