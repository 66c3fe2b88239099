//! The act of moving, with touch-move on (L30-L39).

use crate::table::{Table, carry};
use Color::{Black, White};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Command, Matter, Profile, Proposal, Refusal};
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::moves::Move;
use chatrang_rules::notation::san;
use chatrang_rules::piece::Role;
use chatrang_rules::square::Square;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The profiles in which touched men bind.
const OVER_THE_BOARD: [Profile; 2] = [Profile::Tournament, Profile::Classic];

/// A slow game over the board in which these moves were made in no time.
fn after(profile: Profile, moves: &str) -> Table {
    let mut table = Table::of(profile, "90+0");
    table.play(0, moves);
    table
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// The side to move touches these men, in this order.
fn touch(table: &mut Table, squares: &str) {
    let by = table.game.position().turn();
    for text in squares.split_whitespace() {
        assert_eq!(table.says(by, Command::Touch(square(text))), Ok(()), "{text}");
    }
}

/// The moves that are left, in SAN and in order.
fn left(table: &Table) -> String {
    let mut moves: Vec<String> =
        table.game.moves().into_iter().map(|mv| san::write(table.game.position(), mv)).collect();
    moves.sort();
    moves.join(" ")
}

/// What the side to move is told when it tries this move.
fn tries(table: &mut Table, text: &str) -> Result<(), Refusal> {
    let (by, mv) = (table.game.position().turn(), table.san(text));
    table.says(by, Command::Move(mv))
}

const fn binds(square: Square, role: Role, own: bool) -> Result<(), Refusal> {
    Err(Refusal::TouchBinds { square, role, own })
}

#[test]
fn l30_adjusting_on_the_own_turn_binds_to_nothing() {
    for profile in OVER_THE_BOARD {
        let mut table = Table::of(profile, "90+0");
        table.wait_ms(1_000);
        assert_eq!(table.says(White, Command::Adjust(square("g1"))), Ok(()));
        assert_eq!(table.record[1].action, Action::Adjusted(square("g1")), "the opponent sees it");
        assert_eq!((table.game.touched(), table.game.moves().len()), (&[][..], 20));
        table.assert_stands(START, [5_399_000, 5_400_000]);
        let not_yours = Err(Refusal::NotYourTurn { to_move: White });
        assert_eq!(table.says(Black, Command::Adjust(square("g8"))), not_yours);
        let nobody = Err(Refusal::NobodyThere { square: square("e4") });
        assert_eq!(table.says(White, Command::Adjust(square("e4"))), nobody);
        assert_eq!(tries(&mut table, "e4"), Ok(()), "any man may move");
    }
    let mut online = Table::of(Profile::Online, "90+0");
    assert_eq!(online.says(White, Command::Adjust(square("g1"))), Err(Refusal::TouchMoveOff));
    assert_eq!(online.says(White, Command::Touch(square("g1"))), Err(Refusal::TouchMoveOff));
}

#[test]
fn l30_it_must_be_said_before_touching_and_not_without_end() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    touch(&mut table, "b1");
    let too_late = Err(Refusal::TouchedAlready { square: square("b1") });
    assert_eq!(table.says(White, Command::Adjust(square("b1"))), too_late);
    for text in ["a1", "b2", "c1", "d1", "e1", "f1", "g1", "h1"] {
        assert_eq!(table.says(White, Command::Adjust(square(text))), Ok(()));
    }
    assert_eq!(table.says(White, Command::Adjust(square("a2"))), Err(Refusal::AdjustedEnough));
    assert_eq!(left(&table), "Na3 Nc3");
    table.play(0, "Nc3");
    assert_eq!(table.says(Black, Command::Adjust(square("a7"))), Ok(()), "counted for each move anew");
}

#[test]
fn l30_it_answers_no_offer_and_leaves_the_claims() {
    let mut table = after(Profile::Tournament, "e4 e5");
    assert_eq!(table.says(Black, Command::Propose(Proposal::Draw)), Ok(()));
    assert_eq!(table.says(White, Command::Adjust(square("g1"))), Ok(()));
    assert_eq!(table.game.draw_offer(), Some(Black));
    // Wrong, but heard: White has touched nobody.
    assert_eq!(table.says(White, Command::ClaimDraw { intended: None }), Ok(()));
    assert_eq!(table.left_ms(), [5_400_000, 5_520_000]);
}

#[test]
fn l31_the_first_own_man_that_can_move_must() {
    for profile in OVER_THE_BOARD {
        let mut table = Table::of(profile, "90+0");
        touch(&mut table, "f1 g1 e2");
        assert_eq!(table.game.touched(), [square("f1"), square("g1"), square("e2")]);
        assert_eq!(left(&table), "Nf3 Nh3");
        assert_eq!(tries(&mut table, "e4"), binds(square("g1"), Role::Knight, true));
        assert_eq!(
            tries(&mut table, "e4").unwrap_err().to_string(),
            "you have touched the knight on g1: it must move"
        );
        table.assert_stands(START, [5_400_000, 5_400_000]);
        assert_eq!(table.game.illegal_moves()[White], 0, "refused, not counted");
        assert_eq!(tries(&mut table, "Nf3"), Ok(()));
        table.assert_stands(
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
            [5_400_000, 5_400_000],
        );
        assert_eq!((table.game.touched(), table.game.moves().len()), (&[][..], 20), "the move ends it");
    }
}

#[test]
fn l31_the_first_enemy_man_that_can_be_captured_must_be() {
    let mut table = after(Profile::Tournament, "e4 d5");
    touch(&mut table, "e8 d5");
    assert_eq!(left(&table), "exd5");
    assert_eq!(tries(&mut table, "Nf3"), binds(square("d5"), Role::Pawn, false));
    assert_eq!(
        tries(&mut table, "Nf3").unwrap_err().to_string(),
        "you have touched the pawn on d5: it must be captured"
    );
    assert_eq!(tries(&mut table, "exd5"), Ok(()));
}

#[test]
fn l31_men_of_both_colours_bind_to_that_capture_and_else_to_the_first_of_them() {
    for (touched, remaining) in [
        ("d5 c3", "Nxd5"),
        ("c3 d5", "Nxd5"),
        // The knight on g1 cannot take the pawn: the first touched of the two that can serve must.
        ("d5 g1", "Nxd5 exd5"),
        ("g1 d5", "Nf3 Nge2 Nh3"),
        // Only the first of each colour counts.
        ("c3 e4 e8 d5", "Na4 Nb1 Nb5 Nce2 Nxd5"),
    ] {
        let mut table = after(Profile::Classic, "Nc3 d5 e4 a6");
        touch(&mut table, touched);
        assert_eq!(left(&table), remaining, "{touched}");
    }
    let mut table = after(Profile::Classic, "Nc3 d5 e4 a6");
    touch(&mut table, "c3 d5");
    assert_eq!(tries(&mut table, "Nb5"), binds(square("d5"), Role::Pawn, false));
    assert_eq!(tries(&mut table, "exd5"), binds(square("c3"), Role::Knight, true));
}

#[test]
fn l31_touching_out_of_turn_or_twice_is_nothing() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    let not_yours = Err(Refusal::NotYourTurn { to_move: White });
    assert_eq!(table.says(Black, Command::Touch(square("g8"))), not_yours);
    assert_eq!(table.says(Black, Command::Touch(square("g1"))), not_yours);
    let nobody = Err(Refusal::NobodyThere { square: square("e4") });
    assert_eq!(table.says(White, Command::Touch(square("e4"))), nobody);
    touch(&mut table, "g1");
    let again = Err(Refusal::TouchedAlready { square: square("g1") });
    assert_eq!(table.says(White, Command::Touch(square("g1"))), again);
    table.play(0, "Nf3");
    assert_eq!(table.game.moves().len(), 20);
}

#[test]
fn l31_l17_a_touch_answers_the_offer_of_a_draw() {
    for profile in OVER_THE_BOARD {
        let mut table = after(profile, "e4 e5");
        assert_eq!(table.says(Black, Command::Propose(Proposal::Draw)), Ok(()));
        touch(&mut table, "g1");
        assert_eq!(table.game.draw_offer(), None);
        let no_offer = Err(Refusal::NoOffer { matter: Matter::Draw });
        assert_eq!(table.says(White, Command::Accept(Matter::Draw)), no_offer);
        // His own offer he does not answer, and he may make one after touching.
        assert_eq!(table.says(White, Command::Propose(Proposal::Draw)), Ok(()));
        touch(&mut table, "f1");
        assert_eq!(table.game.draw_offer(), Some(White));
    }
}

#[test]
fn l32_king_then_rook_must_castle_there() {
    let mut table = after(Profile::Tournament, "e4 e5 Nf3 Nc6 Bc4 Bc5");
    touch(&mut table, "e1 h1");
    assert_eq!(left(&table), "O-O");
    assert_eq!(tries(&mut table, "Ke2"), binds(square("h1"), Role::Rook, true));
    assert_eq!(tries(&mut table, "Rg1"), binds(square("e1"), Role::King, true));
    assert_eq!(tries(&mut table, "O-O"), Ok(()));
    table.assert_stands(
        "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
        [5_400_000, 5_400_000],
    );
}

#[test]
fn l33_rook_then_king_does_not_castle_there_on_this_move() {
    let mut table = after(Profile::Tournament, "e4 e5 Nf3 Nc6 Bc4 Bc5");
    touch(&mut table, "h1 e1");
    assert_eq!(left(&table), "Rf1 Rg1");
    assert_eq!(tries(&mut table, "O-O"), binds(square("h1"), Role::Rook, true));
    table.play(0, "Rg1 Nf6 Rh1 Ng8");
    assert!(!left(&table).contains("O-O"), "and the right is lost by then");

    // The rook cannot move: the king must, and may castle on the other side.
    let mut table = after(Profile::Tournament, "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7");
    touch(&mut table, "h1 e1");
    assert_eq!(left(&table), "Kd1 O-O-O");
    assert_eq!(tries(&mut table, "O-O-O"), Ok(()));
    table.assert_stands(
        "r3kbnr/pppqpppp/2n5/3p1b2/3P1B2/2N5/PPPQPPPP/2KR1BNR b kq - 7 5",
        [5_400_000, 5_400_000],
    );
}

/// White has moved the king's rook there and back, and may castle on the queen's side only.
const QUEENS_SIDE: &str = "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 Nf3 Nf6 Rg1 Rg8 Rh1 Rh8";

#[test]
fn l34_castling_there_illegal_another_kings_move_the_other_side_included() {
    for profile in OVER_THE_BOARD {
        let mut table = after(profile, QUEENS_SIDE);
        touch(&mut table, "e1 h1");
        assert_eq!(left(&table), "Kd1 O-O-O");
        assert_eq!(tries(&mut table, "Rg1"), binds(square("e1"), Role::King, true));
        assert_eq!(tries(&mut table, "O-O-O"), Ok(()));
    }
}

#[test]
fn l34_a_king_released_two_squares_away_is_put_back_and_must_move() {
    for attempt in [carry("e1g1"), Move::castle(square("e1"), square("h1"))] {
        let mut table = after(Profile::Tournament, "e4 e5 Ke2 Ke7 Ke1 Ke8 Nf3 Nf6 Bc4 Bc5");
        assert_eq!(table.says(White, Command::Move(attempt)), Ok(()));
        assert_eq!(table.game.illegal_moves()[White], 1);
        assert_eq!(left(&table), "Ke2 Kf1");
        table.assert_stands(
            "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w - - 8 6",
            [5_400_000, 5_520_000],
        );
    }
}

#[test]
fn l34_without_a_legal_move_of_the_king_any_move_but_not_of_the_rook_only() {
    // Black's bishop on a6 looks at f1 and e2.
    let mut table = after(Profile::Classic, "e4 b6 g3 Ba6 Bg2 Nc6 Nf3 e6");
    let all = left(&table);
    touch(&mut table, "e1 h1");
    assert_eq!(left(&table), all);
    assert!(all.contains("Rf1") && all.contains("d4") && !all.contains('K'), "{all}");
    assert_eq!(tries(&mut table, "d4"), Ok(()));
}

#[test]
fn l35_what_can_neither_move_nor_be_captured_binds_to_nothing() {
    for profile in OVER_THE_BOARD {
        let mut table = Table::of(profile, "90+0");
        touch(&mut table, "a1 e8 e1 d1");
        assert_eq!(table.game.moves().len(), 20);
        assert_eq!(tries(&mut table, "e4"), Ok(()));
    }
}

#[test]
fn l36_who_has_touched_a_man_keeps_his_other_claims() {
    // Against an illegal move.
    let mut table = Table::of(Profile::Classic, "5+0");
    assert_eq!(table.says(White, Command::Move(carry("e2e5"))), Ok(()));
    touch(&mut table, "g8");
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Ok(()));
    table.assert_ended(
        "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        [300_000, 300_000],
        "0-1",
        "Black wins: White has lost by illegal moves (FIDE 7.5.5)",
    );
    // Against a fallen flag.
    let mut table = Table::of(Profile::Classic, "5+0");
    table.play(1_000, "e4 e5").wait_ms(299_000);
    assert_eq!(table.left_ms(), [0, 299_000]);
    table.play(0, "Nf3");
    touch(&mut table, "b8");
    assert_eq!(table.says(Black, Command::ClaimFlag), Ok(()));
    table.assert_ended(
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        [0, 299_000],
        "0-1",
        "Black wins: White's flag fell (FIDE 6.9)",
    );
    // A breach of the touch itself cannot occur: such a move is refused.
    let mut table = Table::of(Profile::Classic, "5+0");
    touch(&mut table, "g1");
    assert_eq!(tries(&mut table, "e4"), binds(square("g1"), Role::Knight, true));
}

#[test]
fn l36_l20_but_no_draw_is_claimed_on_that_move() {
    for profile in OVER_THE_BOARD {
        let mut table = after(profile, &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
        touch(&mut table, "g1");
        assert_eq!(table.says(White, Command::ClaimDraw { intended: None }), Err(Refusal::ClaimAfterTouch));
        let nf3 = table.san("Nf3");
        let with_move = Command::ClaimDraw { intended: Some(nf3) };
        assert_eq!(table.says(White, with_move), Err(Refusal::ClaimAfterTouch));
        table.play(0, "Nf3");
        assert_eq!(table.says(Black, Command::ClaimDraw { intended: None }), Ok(()));
        table.assert_ended(
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 9 5",
            [5_400_000, 5_400_000],
            "1/2-1/2",
            "Draw: the same position three times, claimed (FIDE 9.2)",
        );
    }
}

/// A white pawn stands on b7 and may capture on a8.
const ABOUT_TO_PROMOTE: &str = "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6";

#[test]
fn l37_a_made_move_and_a_placed_promotion_are_final() {
    for profile in Profile::ALL {
        let mut table = after(profile, ABOUT_TO_PROMOTE);
        table.play(0, "bxa8=N");
        let board = "N2qkbnr/2pppppp/2n5/8/8/8/1PPPPPPP/RNBQKBNR b KQk - 0 5";
        table.assert_stands(board, [5_400_000, 5_400_000]);
        let queen = Move::promotion(square("b7"), square("a8"), Role::Queen).expect("a promotion");
        for other in [queen, carry("a8b6"), carry("e2e4")] {
            let refused = table.says(White, Command::Move(other));
            assert_eq!(refused, Err(Refusal::NotYourTurn { to_move: Black }));
        }
        table.assert_stands(board, [5_400_000, 5_400_000]);
    }
}

#[test]
fn l38_castling_capture_and_promotion_are_one_act_each() {
    for profile in Profile::ALL {
        for (moves, last) in [
            ("e4 e5 Nf3 Nc6 Bc4 Bc5", "O-O"),
            ("e4 d5", "exd5"),
            ("e4 a6 e5 d5", "exd6"),
            (ABOUT_TO_PROMOTE, "bxa8=Q"),
        ] {
            let mut table = after(profile, moves);
            let events = table.record.len();
            let mv = table.san(last);
            table.play(0, last);
            assert_eq!(table.record.len(), events + 1, "{last}");
            assert!(matches!(&table.record[events].action, Action::Moved { mv: made, .. } if *made == mv));
            assert_eq!(table.game.position().turn(), Black);
        }
    }
}

#[test]
fn l39_a_refused_move_names_the_row_it_breaks() {
    let promotion = |text: &str| {
        Move::promotion(square(&text[..2]), square(&text[2..]), Role::Queen).expect("a promotion")
    };
    let en_passant = |text: &str| Move::en_passant(square(&text[..2]), square(&text[2..]));
    let castle = Move::castle(square("e1"), square("h1"));
    for (moves, mv, row, law) in [
        ("", carry("e4e5"), "L02", "FIDE 1.2"),
        ("", carry("e7e5"), "L02", "FIDE 1.2"),
        ("", carry("a1a2"), "L03", "FIDE 3.1.1"),
        ("", carry("f1c4"), "L03", "FIDE 3.5"),
        ("", carry("g1g3"), "L03", "FIDE 3.6"),
        ("", carry("d1e8"), "L03", "FIDE 1.4.1"),
        ("", carry("e2e5"), "L04", "FIDE 3.7"),
        ("", carry("e2d3"), "L04", "FIDE 3.7.3"),
        ("e4 a6 e5 d5 a3 a5", en_passant("e5d6"), "L05", "FIDE 3.7.3.1"),
        (ABOUT_TO_PROMOTE, carry("b7a8"), "L06", "FIDE 3.7.3.3"),
        ("", promotion("e2e4"), "L06", "FIDE 3.7.3.3"),
        ("e4 e5 Ke2 Qg5", carry("e2e3"), "L07", "FIDE 3.9.2"),
        ("", castle, "L08", "FIDE 3.8.2.2.2"),
        ("e4 b6 g3 Ba6 Bg2 Nc6 Nf3 e6", castle, "L08", "FIDE 3.8.2.2.1"),
        ("e4 e5 Ke2 Ke7 Ke1 Ke8 Nf3 Nf6 Bc4 Bc5", castle, "L08", "FIDE 3.8.2.1"),
        ("d4 e6 Nc3 Bb4 a3 a6", carry("c3d5"), "L09", "FIDE 3.9.2"),
        ("f3 e5 a3 Qh4", carry("a3a4"), "L09", "FIDE 3.9.2"),
    ] {
        let mut table = Table::of(Profile::Online, "90+0");
        table.play(0, moves);
        let refusal = table.says(White, Command::Move(mv)).unwrap_err();
        let Refusal::IllegalMove(why) = refusal else { panic!("{mv:?}: {refusal}") };
        assert_eq!((why.row(), refusal.law().as_str()), (row, law), "{mv:?}: {why}");
        assert!(!table.game.position().is_legal(mv));
    }
    let blocked = IllegalMove::Blocked { by: square("e2") };
    let mut table = Table::of(Profile::Online, "90+0");
    let refused = table.says(White, Command::Move(carry("f1c4")));
    assert_eq!(refused, Err(Refusal::IllegalMove(blocked)));
    assert_eq!(blocked.to_string(), "the man on e2 stands in the way");
}
