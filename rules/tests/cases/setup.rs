//! Every reason why a setup is illegal (FIDE 3.10.3).

use chatrang_rules::castling::CastlingSide;
use chatrang_rules::color::Color;
use chatrang_rules::notation::fen::{self, CastlingField};
use chatrang_rules::setup::Grade::{self, Unplayable, Unreachable};
use chatrang_rules::setup::{SetupFault, Strictness};

/// A setup, and every fault that it has.
type Row = (&'static str, &'static [(Grade, &'static str)]);

fn check(rows: &[Row]) {
    for &(fen, sentences) in rows {
        let faults = fen::parse(fen).unwrap().faults();
        let found: Vec<_> = faults.iter().map(|fault| (fault.grade(), fault.to_string())).collect();
        let expected: Vec<_> = sentences.iter().map(|&(grade, text)| (grade, text.to_owned())).collect();
        assert_eq!(found, expected, "{fen}");
        let playable = faults.iter().all(|fault| fault.grade() == Unreachable);
        assert_eq!(fen::parse_position(fen, Strictness::Playable).is_ok(), playable, "{fen}");
        assert_eq!(fen::parse_position(fen, Strictness::Reachable).is_ok(), faults.is_empty(), "{fen}");
    }
}

#[test]
fn l10_men_that_are_missing_too_many_or_misplaced_are_named() {
    check(&[
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", &[(Unplayable, "Black has no king")]),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", &[(Unplayable, "White has more than one king")]),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", &[(Unplayable, "the pawn on h8 stands on a last rank")]),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", &[(Unplayable, "the pawn on h1 stands on a last rank")]),
        (
            "4k2P/8/8/8/8/8/8/P3K3 w - - 0 1",
            &[
                (Unplayable, "the pawn on a1 stands on a last rank"),
                (Unplayable, "the pawn on h8 stands on a last rank"),
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            &[(Unplayable, "Black is in check, but it is the other side's move")],
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 w - - 0 1",
            &[(Unplayable, "Black is in check, but it is the other side's move")],
        ),
        (
            "4k3/8/8/8/8/NN6/PPPPPPPP/RNBQKBNR w KQ - 0 1",
            &[
                (Unplayable, "White has more than 16 men"),
                (Unreachable, "White has more promoted men than missing pawns"),
            ],
        ),
        ("4k3/8/8/8/8/4P3/PPPPPPPP/4K3 w - - 0 1", &[(Unreachable, "White has more than eight pawns")]),
        (
            "4k3/8/8/8/8/4P3/PPPPPPPP/3QKQ2 w - - 0 1",
            &[
                (Unreachable, "White has more than eight pawns"),
                (Unreachable, "White has more promoted men than missing pawns"),
            ],
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPP1/BB2KBB1 w - - 0 1",
            &[(Unreachable, "White has more promoted men than missing pawns")],
        ),
    ]);
}

#[test]
fn l10_castling_rights_and_double_steps_that_cannot_be_are_named() {
    check(&[
        (
            "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1",
            &[(Unplayable, "White has a right to castle on the king's side without king and rook at home")],
        ),
        (
            "4k3/8/8/8/8/8/4K3/R7 w Q - 0 1",
            &[(Unplayable, "White has a right to castle on the queen's side without king and rook at home")],
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
            &[(Unplayable, "d3 lies on the wrong rank for an en-passant square")],
        ),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", &[(Unplayable, "no pawn can have just passed d6")]),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            &[(Unplayable, "the man on d7 stands in the way of the double step just made")],
        ),
        (
            "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
            &[(Unplayable, "the man on d6 stands in the way of the double step just made")],
        ),
        (
            "4k3/3n4/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
            &[
                (Unplayable, "the man on d6 stands in the way of the double step just made"),
                (Unplayable, "the man on d7 stands in the way of the double step just made"),
            ],
        ),
    ]);
}

#[test]
fn l10_checks_that_no_last_move_gave_are_named() {
    check(&[
        ("4k3/8/8/8/4r3/2n5/8/4K1r1 w - - 0 1", &[]),
        (
            "4k3/8/8/8/4r3/5n2/8/4K2r w - - 0 1",
            &[(Unreachable, "no move can give check with more than two men")],
        ),
        (
            "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
            &[(Unreachable, "no move can give check from both sides of one line")],
        ),
        (
            "4k3/8/8/8/8/5n2/8/r3K2r w - - 0 1",
            &[
                (Unreachable, "no move can give check with more than two men"),
                (Unreachable, "no move can give check from both sides of one line"),
            ],
        ),
        (
            "4k3/8/8/3pP3/8/5n2/8/4K3 w - d6 0 1",
            &[(Unreachable, "the double step just made cannot have given this check")],
        ),
        // by the pawn itself, and through the square that it left
        ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", &[]),
        (
            "4k3/8/8/b2pP3/8/8/8/4K3 w - d6 0 1",
            &[(Unreachable, "the double step just made cannot have given this check")],
        ),
        ("4k1b1/8/8/3pP3/8/1K6/8/8 w - d6 0 1", &[]),
        ("4k3/2b5/8/3pP1K1/8/8/8/8 w - d6 0 1", &[]),
        // an en-passant square without a capturer is no fault
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", &[]),
    ]);
}

#[test]
fn l10_rights_that_nothing_bears_out_can_be_stripped() {
    let mut setup = fen::parse("4k3/8/8/8/8/8/8/R3K3 w KQk - 0 1").unwrap();
    let fault = |color| SetupFault::CastlingNotAtHome { color, side: CastlingSide::King };
    assert_eq!(setup.faults(), [fault(Color::White), fault(Color::Black)]);
    setup.strip_castling();
    assert_eq!(setup.faults(), []);
    assert_eq!(fen::write_setup(&setup, CastlingField::XFen), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
}
