//! The harness of the whole conversations: a server, players, raw connections, the two binaries.
//!
//! Everything here fails loudly: a helper that cannot do its work panics, and so does one that has
//! waited for too long. Nothing sleeps but what is under way on a slow lane, and who thinks at its end; a test
//! waits for what is to happen.
//!
//! ```text
//! patience scratch    how long to wait; a directory of one's own
//! house               a server in this process, on time that stands until the test moves it
//! tripwire            time with a trap in it, for one game alone
//! players             clients who play move by move, and a game's record to hold them to
//! wire lane           a connection without the SDK's manners; a network that can lose one
//! other_protocol      a client that speaks something else
//! stranger            clients without a key of their own, silent ones, and one who listens in
//! journal             what a dead server has left on disk
//! binaries children   chatrangd and chatrang, built once; their processes
//! live slow_lane lag  a server on real time; a network that takes its time; what that costs players
//! sim                 a world in memory on virtual time, from one seed
//! pgn stroll marathon real games; games that go on for as long as a test needs
//! stock               the data directory of a server that has been used
//! ```

#![expect(clippy::missing_panics_doc, reason = "a harness panics where a test fails, and that is its use")]

pub mod binaries;
pub mod children;
pub mod house;
pub mod journal;
pub mod lag;
pub mod lane;
pub mod live;
pub mod marathon;
pub mod other_protocol;
pub mod patience;
pub mod pgn;
pub mod players;
pub mod scratch;
pub mod sim;
pub mod slow_lane;
pub mod stock;
pub mod stranger;
pub mod stroll;
pub mod tripwire;
pub mod wire;
