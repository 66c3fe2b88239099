//! The Laws of Chess, decided exactly. No I/O.

pub mod bitboard;
pub mod castling;
pub mod color;
pub mod moves;
pub mod outcome;
pub mod piece;
pub mod square;
