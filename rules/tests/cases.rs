//! Positions and texts that trip up chess programs, each with its one right answer.

use chatrang_rules::castling::CastlingSide;
use chatrang_rules::color::Color;
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::notation::fen::{self, CastlingField, EnPassantField, FenError, FenStyle};
use chatrang_rules::notation::san::{self, PieceLetters, SanError};
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::notation::{parse_move, uci::UciError};
use chatrang_rules::position::Position;
use chatrang_rules::repetition::Repetitions;
use chatrang_rules::setup::{Grade, SetupFault, Strictness};
use chatrang_rules::square::Rank;

fn position(text: &str) -> Position {
    fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves in SAN or UCI.
fn play(from: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(from.clone(), |mut position, text| {
        let mv = parse_move(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv).expect("what was read is legal");
        position
    })
}

/// The legal moves in SAN, sorted.
fn legal_san(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(|&mv| san::write(position, mv)).collect();
    moves.sort();
    moves
}

fn castles(position: &Position) -> Vec<CastlingSide> {
    let mut sides: Vec<_> = position.legal_moves().iter().filter_map(|mv| mv.castling_side()).collect();
    sides.sort();
    sides
}

fn why_illegal(position: &Position, uci: &str) -> IllegalMove {
    match uci::parse(position, uci) {
        Err(UciError::Illegal(why)) => why,
        other => panic!("{uci} is {other:?}"),
    }
}

#[test]
fn l39_a_refusal_names_the_row_and_the_article() {
    for (fen, uci, row, article) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "d4d5", "L02", "1.2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e8e7", "L02", "1.2"),
        ("4k3/8/8/8/8/8/4P3/4KN2 w - - 0 1", "f1f3", "L03", "3.6"),
        ("4k3/8/8/8/8/8/4P3/4KB2 w - - 0 1", "f1f3", "L03", "3.2"),
        ("4k3/8/8/8/8/8/4P3/4KR2 w - - 0 1", "f1g3", "L03", "3.3"),
        ("4k3/8/8/8/8/8/4P3/4KQ2 w - - 0 1", "f1g3", "L03", "3.4"),
        ("4k3/8/8/8/8/8/4P3/4KB2 w - - 0 1", "f1d3", "L03", "3.5"),
        ("4k3/8/8/8/8/8/4P3/4KB2 w - - 0 1", "f1e2", "L03", "3.1.1"),
        ("4k3/7p/8/1B6/8/8/8/4K3 b - - 0 1", "h7h6", "L09", "3.9.2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", "L04", "3.7"),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "L03", "3.5"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3", "L04", "3.7.3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "L04", "3.7.3"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8", "L06", "3.7.3.3"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8k", "L06", "3.7.3.3"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e1e2q", "L06", "3.7.3.3"),
        ("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "e1f1", "L07", "3.9.2"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", "L07", "3.8"),
        ("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", "e2d3", "L09", "3.9.2"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "L08", "3.8.2.1"),
        ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", "L08", "3.8.2.2.1"),
        ("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1", "e1g1", "L08", "3.8.2.2.1"),
        ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1h1", "L08", "3.8.2.2.2"),
    ] {
        let why = why_illegal(&position(fen), uci);
        assert_eq!((why.row(), why.article()), (row, article), "{uci} in {fen}: {why}");
    }
}

#[test]
fn l03_a_king_is_never_captured() {
    // Both kings stand in check: what an illegal move that was let stand may lead to.
    let mut board = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    board.play_unchecked(uci::parse(&board, "h1h8").unwrap());
    board.play_unchecked(uci::parse(&position("4k3/8/8/8/8/8/8/4K2R b - - 0 1"), "e8d8").unwrap());
    assert_eq!(why_illegal(&board, "h8d8"), IllegalMove::CapturesKing { to: "d8".parse().unwrap() });
    assert!(board.legal_moves().iter().all(|mv| mv.to() != "d8".parse().unwrap()));
}

#[test]
fn l04_a_pawn_steps_once_or_twice_and_captures_diagonally() {
    for (fen, moves) in [
        ("7k/8/8/8/8/8/4P3/7K w - - 0 1", "e3 e4"),
        ("7k/8/8/8/8/4P3/8/7K w - - 0 1", "e4"),
        // A man before it, or before where it would end.
        ("7k/8/8/8/8/4n3/4P3/7K w - - 0 1", ""),
        ("7k/8/8/8/4n3/8/4P3/7K w - - 0 1", "e3"),
        // It captures what stands beside its way, of the other colour only.
        ("7k/8/8/8/8/3n1N2/4P3/7K w - - 0 1", "e3 e4 exd3"),
        ("7k/8/8/8/8/8/p7/1N5K b - - 0 1", "a1=B a1=N a1=Q a1=R axb1=B axb1=N axb1=Q axb1=R"),
        ("7k/3p4/2P1P3/8/8/8/8/7K b - - 0 1", "d5 d6 dxc6 dxe6"),
        // Never backwards, nor round the edge.
        ("7k/8/7n/8/P7/n7/8/7K w - - 0 1", "a5"),
    ] {
        let of_pawns = legal_san(&position(fen)).into_iter().filter(|san| !san.starts_with(['K', 'N']));
        let without_marks: Vec<String> = of_pawns.map(|san| san.trim_end_matches('+').to_owned()).collect();
        assert_eq!(without_marks.join(" "), moves, "{fen}");
    }
}

#[test]
fn l05_en_passant_that_leaves_the_king_attacked_is_illegal() {
    for (fen, san) in [
        // a check it does not answer; the rank both pawns leave, either way; a file; a diagonal
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6"),
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "dxe6"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "exd3"),
        ("4r1k1/8/8/3pP3/8/8/4K3/8 w - d6 0 1", "exd6"),
        ("6k1/b7/8/2pP4/8/8/5K2/8 w - c6 0 1", "dxc6"),
    ] {
        let position = position(fen);
        assert!(!legal_san(&position).iter().any(|text| text.starts_with(san)), "{san} in {fen}");
        assert_eq!(position.legal_en_passant(), None, "{fen}");
        assert!(matches!(san::parse(&position, san), Err(SanError::Illegal(_))), "{san} in {fen}");
    }
}

#[test]
fn l05_en_passant_only_on_the_very_next_move() {
    let start = Position::standard();
    let now = play(&start, "e4 a6 e5 d5");
    assert!(legal_san(&now).contains(&"exd6".to_owned()));
    let later = play(&now, "h3 h6");
    assert_eq!(why_illegal(&later, "e5d6"), IllegalMove::NothingToCapture { to: "d6".parse().unwrap() });
    let taken = play(&now, "exd6");
    assert_eq!(fen::write(&taken), "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
}

#[test]
fn l05_en_passant_may_be_the_only_answer_to_a_check() {
    let position = position("8/p2p1N2/8/4p2k/1p2P1Pp/1P1b3K/P6P/n7 b - g3 0 32");
    assert_eq!(legal_san(&position), ["Kg6", "hxg3"].map(str::to_owned));
}

#[test]
fn l05_a_piece_on_the_passed_square_captures_nothing_in_passing() {
    let position = play(&Position::standard(), "Nf3 d5 c4 dxc4 e3 b6 Rg1 Ba6 g4 Nc6 a3 Na5 b4 Nb3");
    assert_eq!(fen::write(&position), "r2qkbnr/p1p1pppp/bp6/8/1Pp3P1/Pn2PN2/3P1P1P/RNBQKBR1 w Qkq - 1 8");
}

#[test]
fn l06_a_promotion_names_what_the_pawn_becomes() {
    let position = position("8/8/8/3R1P2/8/2k2K2/3p4/r7 b - - 0 82");
    for text in ["d1", "d1=K", "d1=P", "d1K"] {
        let missing = IllegalMove::PromotionMissing { to: "d1".parse().unwrap() };
        assert_eq!(san::parse(&position, text), Err(SanError::Illegal(Some(missing))), "{text}");
    }
    for text in ["d1=Q+", "d1Q", "d1q", "d1=q", "d1(Q)", "d1/Q", "d8=Q", "D1Q"] {
        let read = san::parse(&position, text).map(|mv| san::write(&position, mv));
        let expected = if text == "d8=Q" { Err(SanError::Illegal(None)) } else { Ok("d1=Q+".to_owned()) };
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn l07_the_square_behind_the_king_on_a_checkers_line_is_attacked() {
    let position = position("4k3/8/8/8/r3K3/8/8/8 w - - 0 1");
    assert_eq!(legal_san(&position), ["Kd3", "Kd5", "Ke3", "Ke5", "Kf3", "Kf5"].map(str::to_owned));
}

#[test]
fn l08_castling_is_barred_by_attacks_on_the_kings_way_only() {
    use CastlingSide::{King, Queen};
    for (fen, expected) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", vec![King, Queen]),
        // an attacked rook, a rook crossing an attacked square
        ("4k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", vec![King, Queen]),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", vec![King, Queen]),
        // out of, through, into attack
        ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", vec![]),
        ("3r1rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", vec![]),
        ("2r2kr1/8/8/8/8/8/8/R3K2R w KQ - 0 1", vec![]),
        // a man between, of either colour
        ("4k3/8/8/8/8/8/8/RN2Kb1R w KQ - 0 1", vec![]),
        ("4k3/8/8/8/8/8/7P/R3K2R w - - 0 1", vec![]),
    ] {
        assert_eq!(castles(&position(fen)), expected, "{fen}");
    }
}

#[test]
fn l08_a_right_is_lost_with_king_or_rook_for_good() {
    let start = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (moves, rights) in [
        ("Rxa8+", "Kk"),
        ("Rxa8+ Kd7", "K"),
        ("Rh2 Rh7 Rh1 Rh8", "Qq"),
        ("Ke2 Ke7 Ke1 Ke8", "-"),
        ("O-O", "kq"),
        ("O-O-O Kf7", "-"),
        ("Ra2 Ra7", "Kk"),
    ] {
        let text = fen::write(&play(&start, moves));
        assert_eq!(text.split(' ').nth(2), Some(rights), "{moves}");
    }
}

#[test]
fn l11_chess960_castling_counts_every_square_and_the_rook_gone() {
    // through the other rook
    let blocked = position("4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1");
    assert_eq!((castles(&blocked), blocked.legal_moves().len()), (vec![], 42));
    // the rook was what shielded the king
    let shielded = position("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1");
    assert_eq!(castles(&shielded), vec![]);
    assert_eq!(
        why_illegal(&shielded, "d1b1"),
        IllegalMove::CastlingThroughAttack { square: "c1".parse().unwrap(), by: "a1".parse().unwrap() }
    );
    // king and rook change places; the king stands where castling ends
    let swapped = position("4k3/8/8/8/8/8/8/5KR1 w K - 0 1");
    assert_eq!(fen::write(&play(&swapped, "O-O")), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    let there = position("4k3/8/8/8/8/8/8/6KR w K - 0 1");
    assert_eq!(fen::write(&play(&there, "g1h1")), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn l19_castling_does_not_reset_the_count() {
    let start = position("r1bq1rk1/pp1pbppp/2n2n2/2p1p3/2B1P3/2NP1N1P/PPP2PP1/R1BQK2R w KQ - 1 7");
    assert_eq!(play(&start, "O-O").halfmove_clock(), 2);
}

#[test]
fn the_counters_stop_at_their_end() {
    let last = position("4k3/8/8/8/8/8/8/4K3 b - - 4294967295 4294967295");
    let next = play(&last, "Kd8");
    assert_eq!((next.halfmove_clock(), next.move_number()), (u32::MAX, u32::MAX));
}

/// Plays the moves and says how often the last position has then appeared.
fn occurrences(start: &Position, moves: &str) -> u32 {
    let mut repetitions = Repetitions::new(start);
    let mut position = start.clone();
    for text in moves.split_whitespace() {
        position = play(&position, text);
        assert_eq!(repetitions.count_after(&position), {
            repetitions.push(&position);
            repetitions.count()
        });
    }
    repetitions.count()
}

#[test]
fn l18_positions_are_the_same_when_the_same_moves_could_be_made() {
    let start = Position::standard();
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // a double step whose capture is pinned makes no other position
    let pinned = position("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    for (start, moves, count) in [
        (&pinned, "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7", 3),
        // nor does one without a capturer
        (&start, "f4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", 3),
        // a lost right does
        (&castling, "Rh2 Rh7 Rh1 Rh8", 1),
        (&castling, "Rh2 Rh7 Rh1 Rh8 Rh2 Rh7 Rh1 Rh8", 2),
        // only the position on the board counts
        (&start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3),
        (&start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4", 1),
        // not necessarily consecutive
        (&start, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8", 3),
    ] {
        assert_eq!(occurrences(start, moves), count, "{moves}");
    }
}

#[test]
fn l18_a_legal_capture_in_passing_makes_another_position() {
    let start = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    assert_eq!(occurrences(&start, "e4 Kd8 Kd1 Ke8 Ke1"), 1);
    assert_eq!(occurrences(&start, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1"), 2);
}

#[test]
fn l23_checks_throughout_a_repetition_are_named() {
    let perpetual = |start: &Position, moves: &str| {
        let mut repetitions = Repetitions::new(start);
        let mut position = start.clone();
        for text in moves.split_whitespace() {
            position = play(&position, text);
            repetitions.push(&position);
        }
        repetitions.perpetual_check()
    };
    let start = position("6k1/6pp/8/8/8/7q/8/3Q2K1 w - - 0 1");
    let checks = "Qd8+ Kf7 Qd7+ Kf8 Qd8+ Kf7";
    assert_eq!(perpetual(&start, checks), Some(Color::White));
    assert_eq!(perpetual(&start, "Qd8+ Kf7 Qd7+ Kf8"), None);
    assert_eq!(perpetual(&start, "Qd2 Qg4+ Kh1 Qh3+ Kg1 Qg4+ Kh1"), Some(Color::Black));
    assert_eq!(perpetual(&start, "Qd2 Qg4+ Kh1 Qh3+ Kg1 Qg4+ Kf1 Qh3+ Kg1"), Some(Color::Black));
    assert_eq!(perpetual(&Position::standard(), "Nf3 Nf6 Ng1 Ng8"), None);
}

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

#[test]
fn l10_every_fault_of_a_setup_is_named_with_its_grade() {
    use Grade::{Unplayable, Unreachable};
    for (fen, sentences) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", &[(Unplayable, "Black has no king")][..]),
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
    ] {
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
fn l10_rights_that_nothing_bears_out_can_be_stripped() {
    let mut setup = fen::parse("4k3/8/8/8/8/8/8/R3K3 w KQk - 0 1").unwrap();
    let fault = |color| SetupFault::CastlingNotAtHome { color, side: CastlingSide::King };
    assert_eq!(setup.faults(), [fault(Color::White), fault(Color::Black)]);
    setup.strip_castling();
    assert_eq!(setup.faults(), []);
    assert_eq!(fen::write_setup(&setup, CastlingField::XFen), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
}
