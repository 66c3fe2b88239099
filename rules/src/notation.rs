//! Positions and moves as text, one format a file.

pub mod bpgn;
pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;

use crate::moves::Move;
use crate::position::Position;
use san::SanError;

/// What people and their programs write where a hyphen belongs: the hyphens proper, dashes, the minus sign.
const DASHES: [char; 7] = ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];

/// Reads a legal move in UCI or in SAN, whichever it is.
///
/// # Errors
/// [`SanError`] when it is neither, not legal, or fits several moves.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, SanError> {
    match uci::parse(position, text.trim()) {
        Ok(mv) => Ok(mv),
        Err(uci::UciError::NotAMove) => san::parse(position, text),
        Err(uci::UciError::Illegal(why)) => match san::parse(position, text) {
            Ok(mv) => Ok(mv),
            Err(_) => Err(SanError::Illegal(Some(why))),
        },
    }
}
