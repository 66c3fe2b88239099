//! What may be played, and which law forbids the rest (FIDE 1-3).

use crate::{play, position};
use chatrang_rules::castling::CastlingSide;
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::notation::fen;
use chatrang_rules::notation::san::{self, SanError};
use chatrang_rules::notation::uci::{self, UciError};
use chatrang_rules::position::Position;

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
