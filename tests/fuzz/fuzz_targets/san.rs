//! Any text is a legal move or not; one that is gives back what it was read as, in every notation.
//!
//! The first line is the position, as a FEN or as the bytes of moves from the start; the rest is the text.
#![no_main]

use chatrang_rules::notation::san::{self, PieceLetters};
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::notation::{fen, parse_move};
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;
use libfuzzer_sys::fuzz_target;

/// After so many plies from the start anything can have happened.
const PLIES_MAX: usize = 200;

const LETTERS: [PieceLetters; 7] = [
    PieceLetters::ENGLISH,
    PieceLetters::DUTCH,
    PieceLetters::FRENCH,
    PieceLetters::GERMAN,
    PieceLetters::ITALIAN,
    PieceLetters::PERSIAN,
    PieceLetters::SPANISH,
];

fuzz_target!(|bytes: &[u8]| {
    let (first, text) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let position = position(first);
    let text = String::from_utf8_lossy(text);
    if let Ok(mv) = parse_move(&position, &text) {
        assert!(position.is_legal(mv), "{text} is {mv:?}");
        assert_eq!(san::parse(&position, &san::write(&position, mv)), Ok(mv));
        for castling in [UciCastling::KingMoves, UciCastling::KingTakesRook] {
            assert_eq!(uci::parse(&position, &uci::write(mv, castling)), Ok(mv));
        }
    }
    for letters in LETTERS {
        match san::parse_in(&position, &text, &letters) {
            Ok(mv) => assert!(position.is_legal(mv), "{text} is {mv:?}"),
            Err(why) => assert!(!why.to_string().is_empty()),
        }
    }
});

fn position(bytes: &[u8]) -> Position {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(position) = fen::parse_position(&text, Strictness::Playable) {
        return position;
    }
    let mut position = Position::standard();
    for &byte in bytes.iter().take(PLIES_MAX) {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(byte) % moves.len().max(1)) else { break };
        position.play_unchecked(mv);
    }
    position
}
