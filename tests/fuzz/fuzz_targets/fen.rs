//! Any text is a FEN or not; one that is gives back what it was read as, and its position can be played from.
#![no_main]

use chatrang_rules::notation::fen::{self, CastlingField, EnPassantField, FenStyle};
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = fen::parse(text) else { return };
    let faults = setup.faults();
    assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
    let Ok(position) = Position::new(setup, Strictness::Playable) else { return };
    for castling in [CastlingField::XFen, CastlingField::Shredder] {
        let text = fen::write_in(&position, FenStyle { en_passant: EnPassantField::Always, castling });
        let read = fen::parse_position(&text, Strictness::Playable);
        assert_eq!(read.as_ref(), Ok(&position), "written as {text}");
    }
    for mv in position.legal_moves() {
        let mut after = position.clone();
        assert_eq!(after.play(mv), Ok(()), "{mv:?}");
        assert!(after.legal_moves().into_iter().all(|next| after.is_legal(next)), "{mv:?}");
    }
});
