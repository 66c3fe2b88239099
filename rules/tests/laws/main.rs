//! The Laws row by row: each test is named after a row and asserts the board, the clocks, the answer and
//! the result, under every conduct profile where the row differs.

mod arbiter;
mod chaos;
mod claims;
mod ends;
mod games;
mod irregularities;
mod people;
mod quickplay;
#[path = "../support/random.rs"]
mod random;
mod table;
mod touch;
