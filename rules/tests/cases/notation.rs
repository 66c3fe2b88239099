//! The dialects of FEN and of UCI.

use crate::{play, position};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen::{self, CastlingField, EnPassantField, FenError, FenStyle};
use chatrang_rules::notation::san;
use chatrang_rules::notation::uci::{self, UciCastling, UciError};
use chatrang_rules::position::Position;
use chatrang_rules::square::Rank;

#[test]
fn l72_a_fen_is_written_in_each_dialect() {
    let after_e4 = play(&Position::standard(), "e4");
    let pinned = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    let field = |position: &Position, en_passant| {
        let text = fen::write_in(position, FenStyle { en_passant, ..FenStyle::default() });
        text.split(' ').nth(3).map(str::to_owned)
    };
    for (position, en_passant, expected) in [
        (&after_e4, EnPassantField::Legal, "-"),
        (&after_e4, EnPassantField::PseudoLegal, "-"),
        (&after_e4, EnPassantField::Always, "e3"),
        (&pinned, EnPassantField::Legal, "-"),
        (&pinned, EnPassantField::PseudoLegal, "d3"),
        (&pinned, EnPassantField::Always, "d3"),
    ] {
        assert_eq!(field(position, en_passant).as_deref(), Some(expected));
    }
    for (text, x_fen, shredder) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w KQ - 0 1", "KQ", "HA"),
        // the rook on g3 is not the one at home
        ("4k3/8/8/8/8/6R1/8/4K2R w K - 0 1", "K", "H"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1", "GC", "GC"),
        ("2r1kr2/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "Kkq", "Hfc"),
        // Rights that nothing bears out are kept as well: two on one side of the king, one of his own square.
        ("4k3/8/8/8/8/8/8/5KRR w CF - 0 1", "FC", "FC"),
        ("4k3/8/8/8/8/8/8/1R1RR2K w AK - 0 1", "KA", "HA"),
    ] {
        let setup = fen::parse(text).unwrap();
        for (style, expected) in [(CastlingField::XFen, x_fen), (CastlingField::Shredder, shredder)] {
            let written = fen::write_setup(&setup, style);
            assert_eq!(written.split(' ').nth(2), Some(expected), "{text}");
            assert_eq!(fen::parse(&written), Ok(setup.clone()));
        }
    }
}

#[test]
fn l72_a_field_that_cannot_be_read_is_named() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(fen::parse(&format!("{board} w KQkq -")).as_ref(), Ok(Position::standard().setup()));
    for (text, expected) in [
        (String::new(), FenError::Fields(0)),
        (format!("{board} w KQkq"), FenError::Fields(3)),
        (format!("{board} w KQkq - 0 1 1"), FenError::Fields(7)),
        (format!("{board}/8 w KQkq - 0 1"), FenError::Ranks(9)),
        (board.replace("8/8/8/8", "8/8/7/8") + " w KQkq - 0 1", FenError::RankLength(Rank::Fourth)),
        (board.replace("8/8/8/8", "8/8/8p/8") + " w KQkq - 0 1", FenError::RankLength(Rank::Fourth)),
        (
            board.replace("8/8/8/8", "8/8/9/8") + " w KQkq - 0 1",
            FenError::Placement { character: '9', rank: Rank::Fourth },
        ),
        (
            board.replace("8/8/8/8", "8/8/0é/8") + " w KQkq - 0 1",
            FenError::Placement { character: '0', rank: Rank::Fourth },
        ),
        (format!("{board} W KQkq - 0 1"), FenError::Turn),
        (format!("{board} w KQkX - 0 1"), FenError::Castling),
        (format!("{board} w KK - 0 1"), FenError::Castling),
        (format!("{board} w KQkq e9 0 1"), FenError::EnPassant),
        (format!("{board} w KQkq - -1 1"), FenError::HalfmoveClock),
        (format!("{board} w KQkq - +1 1"), FenError::HalfmoveClock),
        (format!("{board} w KQkq - 4294967296 1"), FenError::HalfmoveClock),
        (format!("{board} w KQkq - 0 x"), FenError::MoveNumber),
        (format!("{board} w KQkq - 0 {:0900}", 1), FenError::TooLong),
    ] {
        assert_eq!(fen::parse(&text), Err(expected), "{text}");
    }
}

#[test]
fn l43_l73_a_man_on_the_square_that_was_passed_is_captured_himself() {
    let mut leapt = position("4k3/1p6/1b6/P7/8/8/8/4K3 b - - 0 1");
    leapt.play_unchecked(Move::normal("b7".parse().unwrap(), "b5".parse().unwrap()));
    for text in ["a5b6", "axb6"] {
        let captured = play(&leapt, text);
        assert_eq!(fen::write(&captured), "4k3/8/1P6/1p6/8/8/8/4K3 b - - 0 2", "{text}");
    }
}

#[test]
fn l73_castling_is_read_both_ways_and_a_step_stays_a_step() {
    let inner = position("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    for (text, san) in [("f1g1", "Kg1"), ("f1h1", "O-O")] {
        assert_eq!(san::write(&inner, uci::parse(&inner, text).unwrap()), san, "{text}");
    }
    let castle = uci::parse(&inner, "f1h1").unwrap();
    assert_eq!(uci::write(castle, UciCastling::KingMoves), "f1h1");
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    for text in ["e8c8", "e8a8"] {
        let castle = uci::parse(&standard, text).unwrap();
        assert_eq!(uci::write(castle, UciCastling::KingMoves), "e8c8");
        assert_eq!(uci::write(castle, UciCastling::KingTakesRook), "e8a8");
    }
    for text in ["", "e2", "e2e", "e2e2", "e2e4x", "e9e4", "0000", "éé", "e2e4qq"] {
        assert_eq!(uci::parse(&standard, text), Err(UciError::NotAMove), "{text:?}");
    }
}
