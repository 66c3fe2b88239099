//! The Laws of Chess, decided exactly.
//!
//! This crate is a book: it knows what may happen at a board and what comes of it, and nothing else. It
//! reads no clock, no file and no socket, draws no lots and writes no log; whoever plays tells it what
//! time it is. So everything it decides can be decided again, from the record, by anyone.
//!
//! # The board
//!
//! The first chapters are the nouns: [`square`], [`color`], [`piece`], [`bitboard`], [`moves`],
//! [`castling`], [`board`]. A [`setup::Setup`] is any arrangement of men; a [`position::Position`] is one
//! that chess allows, and the road from the first to the second tells every reason why not:
//!
//! ```
//! use chatrang_rules::notation::fen;
//! use chatrang_rules::setup::Strictness;
//!
//! let two_kings = fen::parse_position("4k2K/8/8/8/8/8/8/4K3 w - - 0 1", Strictness::Playable);
//! assert!(two_kings.unwrap_err().to_string().contains("king"));
//! ```
//!
//! A position knows its legal moves, and can say of one move which law it breaks:
//!
//! ```
//! use chatrang_rules::notation::uci;
//! use chatrang_rules::position::Position;
//!
//! let mut position = Position::standard();
//! assert_eq!(position.legal_moves().len(), 20);
//! let e4 = uci::parse(&position, "e2e4")?;
//! position.play(e4)?;
//! let why_not = position.play(e4).unwrap_err();
//! assert_eq!(why_not.article(), "1.2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`notation`] reads what people write and writes what people read; [`chess960`] numbers the other 959
//! starts. [`repetition`] says which positions are the same (FIDE 9.2.3), [`mating`] whether a side can
//! still mate (5.2.2, 6.9).
//!
//! # The game
//!
//! [`game::Game`] is everything between two people at a board: turns, clocks, offers, claims, results. It
//! takes one command at a time, with the time at which it arrived, and answers with what happened or with
//! the law that forbids it. [`outcome`] names how games end, and [`record`] tells a game as a PGN.
//!
//! # What is deliberately absent
//!
//! Evaluation, search for good moves, openings, pairing, ratings: those are opinions, or other people's
//! rules. The articles cited are those of the FIDE Laws of Chess in force since 1 January 2023.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod chess960;
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
pub mod record;
pub mod repetition;
pub mod reserves;
pub mod setup;
pub mod square;
mod zobrist;
