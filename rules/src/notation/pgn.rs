//! Games in Portable Game Notation: read as a stream, written so that they read back.
//!
//! The [`Reader`] is given bytes as they come and shows a [`Visitor`] what it finds, each move judged by the
//! Laws. It reads what the world writes: tags with or without escapes, comments, variations, marks,
//! passes, any line ends, UTF-8 and Latin-1. What it cannot read it names with its place, and goes on with
//! the next line of play, at the latest with the next game. However the bytes are cut into pieces, the
//! visitor sees the same; and whatever they are, the reader holds no more than the bounds below allow.
//!
//! ```
//! use chatrang_rules::moves::Move;
//! use chatrang_rules::notation::pgn::{Reader, Visitor};
//! use chatrang_rules::position::Position;
//!
//! #[derive(Default)]
//! struct Plies(u32);
//!
//! impl Visitor for Plies {
//!     fn played(&mut self, _before: &Position, _mv: Move) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let mut plies = Plies::default();
//! let mut reader = Reader::new();
//! for piece in ["[White \"Philidor\"]\n\n1. e4 e", "5 2. Nf3 d6 *\n"] {
//!     reader.feed(piece.as_bytes(), &mut plies);
//! }
//! reader.finish(&mut plies);
//! assert_eq!(plies.0, 4);
//! ```
//!
//! The [`Writer`] makes the export format out of the same calls, and is itself a [`Visitor`]: what was read
//! can be handed straight to it.

mod error;
mod lexer;
mod reader;
mod text;
mod words;
mod writer;

pub use error::{FormFault, PgnError, PgnFault, Place};
pub use reader::{Reader, Visitor};
pub use text::{Nag, Text, clock, clock_text};
pub use writer::{Roster, Writer};

/// How much of a comment is read.
pub const COMMENT_BYTES_MAX: usize = 64 * 1024;
/// The longest name of a tag.
pub const TAG_NAME_BYTES_MAX: usize = 255;
/// The longest value of a tag.
pub const TAG_VALUE_BYTES_MAX: usize = 4 * 1024;
/// How much of a word in the moves is read; no move is longer.
pub const WORD_BYTES_MAX: usize = 64;
/// How many variations may stand one within another.
pub const VARIATION_DEPTH_MAX: usize = 64;

#[cfg(test)]
mod tests;
