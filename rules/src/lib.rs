//! The Laws of Chess, decided exactly. No I/O.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod color;
pub mod game;
pub mod legality;
pub mod mating;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod position;
pub mod repetition;
pub mod setup;
pub mod square;
