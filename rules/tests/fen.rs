//! Thousands of FENs, right and wrong ones: all the right are read and written back to the letter, all the
//! wrong are refused.

use chatrang_rules::notation::fen::{self, CastlingField, EnPassantField, FenStyle};
use chatrang_rules::setup::Strictness;

#[test]
fn l72_every_right_fen_is_written_back_as_it_was_read() {
    let mut lines = 0;
    for line in include_str!("data/fen/valid.txt").lines() {
        let position = fen::parse_position(line, Strictness::Reachable)
            .unwrap_or_else(|error| panic!("{line} is refused: {error}"));
        let written =
            |castling| fen::write_in(&position, FenStyle { castling, en_passant: EnPassantField::Always });
        assert_eq!(written(CastlingField::Shredder), line);
        let x_fen = written(CastlingField::XFen);
        assert_eq!(fen::parse_position(&x_fen, Strictness::Reachable).as_ref(), Ok(&position), "{x_fen}");
        lines += 1;
    }
    assert_eq!(lines, 1000);
}

#[test]
fn l10_every_wrong_fen_is_refused_with_a_reason() {
    let mut lines = 0;
    for line in include_str!("data/fen/invalid.txt").lines() {
        let refused = fen::parse_position(line, Strictness::Reachable);
        let reason = refused.map_err(|error| error.to_string());
        assert!(reason.as_ref().is_err_and(|reason| !reason.is_empty()), "{line} is {reason:?}");
        lines += 1;
    }
    assert_eq!(lines, 1000);
}
