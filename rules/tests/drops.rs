//! Boards where captured men come back: the rules of one bughouse board (L12), and own-capture crazyhouse.

use chatrang_rules::color::Color;
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::moves::Move;
use chatrang_rules::notation::{fen, parse_move, san, uci};
use chatrang_rules::piece::Role;
use chatrang_rules::position::Position;
use chatrang_rules::reserves::Captures;
use chatrang_rules::setup::Strictness;

fn crazyhouse(text: &str) -> Position {
    fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn bughouse(text: &str) -> Position {
    let mut setup = fen::parse(text).unwrap();
    setup.reserves = setup.reserves.map(|reserves| reserves.with_captures(Captures::ToPartner));
    Position::new(setup, Strictness::Playable).unwrap()
}

/// The position after some moves, in SAN or UCI.
fn after(start: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(start.clone(), |position, text| {
        position.after(parse_move(&position, text).unwrap_or_else(|error| panic!("{text}: {error}")))
    })
}

#[test]
fn l12_a_drop_goes_from_the_hand_onto_an_empty_square_and_no_pawn_onto_a_last_rank() {
    let position = crazyhouse("4k3/8/8/8/8/8/8/4K3[QPr] w - - 0 1");
    let judged = |text: &str| uci::parse(&position, text).map(|_| ());
    let illegal = |why: IllegalMove| Err(uci::UciError::Illegal(why));
    let square = |text: &str| text.parse().unwrap();
    assert_eq!(judged("Q@a8"), Ok(()));
    assert_eq!(judged("P@a7"), Ok(()));
    assert_eq!(judged("@a2"), Ok(()), "a pawn's letter may be missing");
    assert_eq!(judged("P@a8"), illegal(IllegalMove::DropOntoLastRank { to: square("a8") }));
    assert_eq!(judged("P@a1"), illegal(IllegalMove::DropOntoLastRank { to: square("a1") }));
    assert_eq!(judged("Q@e8"), illegal(IllegalMove::DropOntoMan { to: square("e8") }));
    assert_eq!(judged("N@a4"), illegal(IllegalMove::NotInHand { role: Role::Knight }));
    assert_eq!(judged("R@a4"), illegal(IllegalMove::NotInHand { role: Role::Rook }), "the opponent's");
    assert_eq!(judged("K@a4"), Err(uci::UciError::NotAMove));
    let chess = Position::standard();
    let drop = Move::drop(Role::Queen, square("e4")).unwrap();
    assert_eq!(chess.judge(drop), Err(IllegalMove::NotInHand { role: Role::Queen }));
    assert_eq!(chess.after(drop), chess);
}

#[test]
fn l12_a_drop_may_give_check_or_mate_and_must_meet_a_check() {
    let position = crazyhouse("k7/8/1K6/8/8/8/8/8[R] w - - 0 1");
    assert_eq!(san::write(&position, parse_move(&position, "R@h8").unwrap()), "R@h8#");
    let checked = crazyhouse("4k3/8/8/8/8/8/8/r3K3[N] w - - 0 1");
    assert!(parse_move(&checked, "N@b1").is_ok());
    assert_eq!(
        uci::parse(&checked, "N@b2"),
        Err(uci::UciError::Illegal(IllegalMove::CheckNotMet { by: "a1".parse().unwrap() }))
    );
}

#[test]
fn l12_a_pawn_dropped_on_its_second_rank_may_step_twice_and_a_dropped_rook_never_castles() {
    let position = crazyhouse("4k3/8/8/8/3p4/8/8/4K3[RP] w - - 0 1");
    let stepped = after(&position, "P@e2 Kd8 e4");
    assert_eq!(fen::write(&stepped), "3k4/8/8/8/3pP3/8/8/4K3[R] b - e3 0 2");
    let with_rook = after(&position, "R@h1 Kd8");
    assert!(with_rook.legal_moves().iter().all(|mv| mv.castling_side().is_none()));
}

#[test]
fn l12_a_captured_man_goes_to_the_captor_or_to_the_partner_and_a_promoted_one_as_a_pawn() {
    let text = "r3k3/1P6/8/8/8/8/8/4K3[] w q - 0 1";
    let captured = parse_move(&crazyhouse(text), "bxa8=Q").unwrap();
    let own = crazyhouse(text).after(captured);
    assert_eq!(fen::write(&own), "Q~3k3/8/8/8/8/8/8/4K3[R] b - - 0 1");
    let partner = bughouse(text);
    assert_eq!(partner.captured_for_reserve(captured), Some(Role::Rook));
    assert_eq!(fen::write(&partner.after(captured)), "Q~3k3/8/8/8/8/8/8/4K3[] b - - 0 1");

    // The queen that was a pawn goes around the board, and is a pawn again when captured.
    let moved = after(&crazyhouse("4k3/8/8/1n6/8/8/8/Q~3K3[] w - - 0 1"), "Qa7");
    let captures = parse_move(&moved, "Nxa7").unwrap();
    assert_eq!(moved.captured_for_reserve(captures), Some(Role::Pawn));
    assert_eq!(fen::write(&moved.after(captures)), "4k3/n7/8/8/8/8/8/4K3[p] w - - 0 2");
    // En passant the pawn on the other square is captured.
    let passing = crazyhouse("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 1");
    assert_eq!(passing.captured_for_reserve(parse_move(&passing, "exd6").unwrap()), Some(Role::Pawn));
    assert_eq!(fen::write(&after(&passing, "exd6")), "4k3/8/3P4/8/8/8/8/4K3[P] b - - 0 1");
    assert_eq!(Position::standard().captured_for_reserve(captured), None);
}

#[test]
fn l12_a_man_from_the_partner_can_be_dropped_at_once() {
    let mut position = bughouse("4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(position.legal_moves().len(), 5);
    position.add_to_reserve(Color::White, Role::Knight);
    assert_eq!(position.legal_moves().len(), 5 + 62);
    let mut chess = Position::standard();
    chess.add_to_reserve(Color::White, Role::Knight);
    assert_eq!(chess, Position::standard());
}

#[test]
fn l12_a_check_that_a_future_drop_could_block_is_no_mate_and_who_can_wait_is_not_stalemated() {
    let far = "3R2k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1";
    assert!(crazyhouse(far).is_checkmate());
    assert!(!bughouse(far).is_checkmate() && !bughouse(far).is_stalemate());
    let beside = "6k1/5pQp/5N1K/8/8/8/8/8[] b - - 0 1";
    assert!(bughouse(beside).is_checkmate(), "nothing can be dropped between");
    let smothered = "6rk/5Npp/8/8/8/8/8/4K3[] b - - 0 1";
    assert!(bughouse(smothered).is_checkmate() && crazyhouse(smothered).is_checkmate());
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1";
    assert!(crazyhouse(stalemate).is_stalemate());
    assert!(!bughouse(stalemate).is_stalemate() && bughouse(stalemate).legal_moves().is_empty());
}
