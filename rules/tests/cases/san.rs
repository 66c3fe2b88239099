//! Moves as people write them (FIDE appendix C).

use crate::position;
use chatrang_rules::notation::san::{self, PieceLetters, SanError};
use chatrang_rules::notation::{parse_move, uci};
use chatrang_rules::position::Position;

#[test]
fn l70_the_fewest_marks_that_legality_needs_are_written() {
    for (fen, uci, san) in [
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a1a3", "R1a3"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a5a3", "R5a3"),
        ("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "c4d5", "cxd5"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 149 200", "a1a8", "Ra8#"),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ] {
        let position = position(fen);
        assert_eq!(san::write(&position, uci::parse(&position, uci).unwrap()), san, "{fen}");
    }
}

#[test]
fn l70_moves_are_read_as_people_write_them() {
    let castling = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1";
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let knights = "rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5";
    let capture = "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1";
    let passing = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    let queens = "4k3/8/8/3q4/3Q4/8/8/4K3 w - - 0 1";
    let bishop = "4k3/8/8/8/2p5/1P6/B7/4K3 w - - 0 1";
    let both = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1";
    for (fen, text, san) in [
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nge2", "Ne2"),
        (knights, "Nd2f3", "N2f3"),
        (knights, "N2f3", "N2f3"),
        (capture, "cd5", "cxd5"),
        (capture, "cd", "?"),
        (capture, "CxD5", "cxd5"),
        (capture, "c4xd5", "cxd5"),
        (capture, "c4:d5", "cxd5"),
        (castling, "0-0-0", "O-O-O"),
        (castling, "o-o-o", "O-O-O"),
        (castling, "000", "O-O-O"),
        (castling, "e8c8", "O-O-O"),
        (castling, "0–0–0", "O-O-O"),
        (castling, "O-O-O+!?", "O-O-O"),
        (standard, "Ng1-f3", "Nf3"),
        (standard, "Ng1f3", "Nf3"),
        (standard, "nf3", "Nf3"),
        (standard, "NF3", "Nf3"),
        (standard, "♘f3", "Nf3"),
        (standard, "♞f3", "Nf3"),
        (standard, "Nf3++", "Nf3"),
        (standard, "Nf3#", "Nf3"),
        (standard, "Nf3 ch", "Nf3"),
        (standard, "Nf3 (=)", "Nf3"),
        (standard, " Nf3!? ", "Nf3"),
        (standard, "Pe4", "e4"),
        (standard, "e2e4", "e4"),
        (standard, "e2-e4", "e4"),
        (standard, "E4", "e4"),
        (standard, "Nxf3", "illegal"),
        (standard, "Nf4", "illegal"),
        (standard, "e4xd5", "illegal"),
        (passing, "exd6 e.p.", "exd6"),
        (passing, "exd6e.p.", "exd6"),
        (passing, "exd6ep", "exd6"),
        (passing, "ed6", "exd6"),
        (passing, "e5d6", "exd6"),
        (queens, "Qd5", "Qxd5"),
        (queens, "qd5", "Qxd5"),
        (bishop, "bxc4", "bxc4"),
        (both, "bxc4", "bxc4"),
        (both, "Bxc4", "Bxc4"),
        (standard, "", "?"),
        (standard, "hello", "?"),
        (standard, "--", "?"),
        (standard, "P@f7", "illegal"),
        (standard, "N@f3+", "illegal"),
        (standard, "@e4", "illegal"),
        (standard, "K@e4", "?"),
        (standard, "P@f9", "?"),
        (standard, "é4", "?"),
        (standard, "Nf3 and then some more text than any move has", "?"),
    ] {
        let position = position(fen);
        let read = match parse_move(&position, text) {
            Ok(mv) => san::write(&position, mv),
            Err(SanError::Illegal(_)) => "illegal".to_owned(),
            Err(SanError::NotAMove) => "?".to_owned(),
            Err(ambiguous) => ambiguous.to_string(),
        };
        assert_eq!(read, san, "{text:?} in {fen}");
    }
}

#[test]
fn l70_a_pawns_capture_names_its_file() {
    let capture = position("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1");
    assert_eq!(san::parse(&capture, "d5"), Err(SanError::Illegal(None)));
}

#[test]
fn l70_what_could_be_several_moves_lists_them() {
    let several = |fen: &str, text: &str| match san::parse(&position(fen), text) {
        Err(SanError::Ambiguous { mut candidates }) => {
            candidates.sort();
            candidates.join(" ")
        }
        other => panic!("{text} is {other:?}"),
    };
    assert_eq!(
        several("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "Nf3"),
        "N2f3 N4f3"
    );
    assert_eq!(several("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "bc4"), "Bxc4 bxc4");
}

#[test]
fn l70_other_languages_are_read_when_named() {
    let standard = Position::standard();
    for (letters, text) in [
        (PieceLetters::GERMAN, "Sf3"),
        (PieceLetters::GERMAN, "sf3"),
        (PieceLetters::FRENCH, "Cf3"),
        (PieceLetters::DUTCH, "Pf3"),
        (PieceLetters::SPANISH, "Cf3"),
        (PieceLetters::ITALIAN, "Cg1-f3"),
        (PieceLetters::PERSIAN, "اf3"),
        (PieceLetters::PERSIAN, "اg1-f3!"),
        (PieceLetters::PERSIAN, "♘f3"),
    ] {
        let mv = san::parse_in(&standard, text, &letters).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(san::write(&standard, mv), "Nf3");
    }
    assert_eq!(san::parse(&standard, "Sf3"), Err(SanError::NotAMove));
    let promotion = position("8/4P3/8/k7/8/8/8/4K3 w - - 0 1");
    for (letters, text) in [
        (PieceLetters::ENGLISH, "e8=Q"),
        (PieceLetters::DUTCH, "e8D"),
        (PieceLetters::GERMAN, "Be8=D"),
        (PieceLetters::FRENCH, "e7-e8/D"),
        (PieceLetters::SPANISH, "e8(D)"),
        (PieceLetters::PERSIAN, "سe8=و"),
    ] {
        let read = san::parse_in(&promotion, text, &letters);
        assert_eq!(read.map(|mv| san::write(&promotion, mv)), Ok("e8=Q".to_owned()), "{text}");
    }
}
