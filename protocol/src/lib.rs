//! Two players, a board between them, and a server that keeps the rules: this crate is what they say
//! to each other, and the client that says it for you.
//!
//! A bot is a loop. It waits for its turn, looks at the legal moves that the server has sent along,
//! chooses one, and plays it. This one chooses at random, and it is complete:
//!
#![cfg_attr(feature = "net", doc = "```no_run")]
#![cfg_attr(feature = "net", doc = include_str!("../examples/random_bot.rs"))]
#![cfg_attr(feature = "net", doc = "```")]
//!
//! What the loop does not show is what it does not have to care about. The train goes into a tunnel,
//! the laptop changes its network, the server is restarted: the connection comes back by itself, the
//! game goes on where it was, and the move that was under way is made once, not twice and not never.
//! Nor does a bot know the Laws. The server sends each position with every move it allows, the clocks
//! and the claims that would succeed; a bot that wants to think ahead brings `chatrang-rules`.
//!
//! # Where to go from here
//!
//! | to | read |
//! |---|---|
#![cfg_attr(feature = "net", doc = "| connect, find a game, hear the news | [`client::Client`] |")]
#![cfg_attr(
    feature = "net",
    doc = "| follow a game event by event, offer draws, resign | [`client::game::GameLink`] |"
)]
#![cfg_attr(
    feature = "net",
    doc = "| let a person look at the server's key first | [`client::connect::Knock`] |"
)]
//! | read and write invite lines | [`invite::ServerAddress`] |
//! | see what can be said, by who says it and when | [`hello`], [`request`], [`reply`], [`notice`], [`intent`], [`view`] |
//! | chat, or have a rematch | [`chat`], [`talk`] |
//! | build a client of another kind, or a server | [`frame`], [`codec`], [`close`], [`limits`] |
//!
//! # How they talk
//!
//! Over QUIC. Client and server each hold an Ed25519 key and prove it in the handshake: the client's
//! key is its player, so there are no passwords, and the server's key is pinned by its
//! [fingerprint](key::Fingerprint), so there are no authorities. The first stream is for
//! [requests](request) and [notices](notice); each game has a stream of its own, so that a lost packet
//! of one never holds up another. What is kept on the server's disk before anyone hears of it, and in
//! which order, is a promise: each event of a game has a [number](ids::Seq), and none is left out.
//!
//! Without the default feature `net` there is no socket and no async runtime here: only the messages
//! and their bytes.

// What a stranger sends passes through here: nothing of it may end a task.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod base32;
pub mod chat;
#[cfg(feature = "net")]
pub mod client;
pub mod client_frame;
pub mod close;
pub mod codec;
pub mod frame;
pub mod hello;
mod host;
pub mod ids;
pub mod intent;
pub mod invite;
pub mod key;
pub mod limits;
pub mod lobby;
#[cfg(feature = "net")]
pub mod net;
pub mod notice;
pub mod reply;
pub mod request;
pub mod role;
pub mod talk;
pub mod version;
pub mod view;
