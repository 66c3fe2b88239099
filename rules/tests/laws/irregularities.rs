//! Illegal moves (L40-L43): refused, put back and counted, or standing until they are claimed.

use crate::games::BARE_BLACK_KING_AT_LARGE;
use crate::table::{Table, carry};
use Color::{Black, White};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{
    Action, Arbiter, Command, Conduct, Irregularity, Matter, Millis, Order, Profile, Proposal, Refusal,
    STANDING_PLIES_MAX, SpeedClass, Terms,
};
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen;
use chatrang_rules::piece::Role;
use chatrang_rules::square::Square;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A white pawn stands on b7 and may capture on a8.
const ABOUT_TO_PROMOTE: &str = "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6";

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// Somebody carries a man, legally or not, and is not refused.
fn carries(table: &mut Table, by: Color, text: &str) {
    assert_eq!(table.says(by, Command::Move(carry(text))), Ok(()), "{text}");
}

fn illegal_moves(table: &Table) -> [u8; 2] {
    let ByColor { white, black } = table.game.illegal_moves();
    [white, black]
}

fn touched(table: &Table) -> String {
    let squares: Vec<String> = table.game.touched().iter().map(ToString::to_string).collect();
    squares.join(" ")
}

/// What was irregular about the last move, in the record.
fn irregularity(table: &Table) -> Option<Irregularity> {
    match table.record.last()?.action {
        Action::Moved { irregularity, .. } => irregularity,
        _ => None,
    }
}

#[test]
fn l40_an_illegal_move_is_put_back_counted_and_binds() {
    for (profile, time_control, base, penalty) in [
        (Profile::Tournament, "90+30", 5_400_000, 120_000),
        (Profile::Tournament, "15+0", 900_000, 60_000),
        (Profile::Tournament, "5+3", 300_000, 60_000),
        (Profile::Classic, "90+30", 5_400_000, 0),
        (Profile::Classic, "15+0", 900_000, 0),
    ] {
        let mut table = Table::of(profile, time_control);
        carries(table.wait_ms(1_000), White, "e2e5");
        // The board as before, no increment, White's clock runs on.
        table.assert_stands(START, [base - 1_000, base + penalty]);
        let told = Action::MovePutBack { mv: carry("e2e5"), count: 1, penalty: Millis(penalty) };
        assert_eq!(table.record[1].action, told);
        assert_eq!(table.record[1].clocks.running, Some(White));
        assert_eq!((illegal_moves(&table), touched(&table).as_str()), ([1, 0], "e2"));
        let other = table.says(White, Command::Move(carry("d2d4")));
        assert_eq!(other, Err(Refusal::TouchBinds { square: square("e2"), role: Role::Pawn, own: true }));
        table.play(500, "e4");
        // Counted for each player apart.
        carries(&mut table, Black, "e7e4");
        assert_eq!((illegal_moves(&table), touched(&table).as_str()), ([1, 1], "e7 e4"));
        assert_eq!(table.game.result(), None);
    }
}

#[test]
fn l40_online_it_is_refused_and_nothing_is_counted() {
    let mut table = Table::of(Profile::Online, "5+3");
    let refused = table.wait_ms(1_000).says(White, Command::Move(carry("f1c4")));
    assert_eq!(refused, Err(Refusal::IllegalMove(IllegalMove::Blocked { by: square("e2") })));
    table.assert_stands(START, [299_000, 300_000]);
    assert_eq!((illegal_moves(&table), table.record.len()), ([0, 0], 1));
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Err(Refusal::IllegalMovesAreNoticed));
}

#[test]
fn l40_touch_move_binds_the_man_moved_and_the_man_it_took() {
    // The bishop on c1 cannot move: the pawn it would have taken must be captured.
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, "Nc3 d5 e4 a6");
    carries(&mut table, White, "c1d5");
    assert_eq!(touched(&table), "c1 d5");
    assert_eq!(table.game.moves().iter().filter(|mv| mv.to() == square("d5")).count(), 2);
    assert_eq!(table.game.moves().len(), 2, "the knight's capture and the pawn's");
    // The queen can move: she must, and not capture what she cannot.
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, "Nc3 d5 e4 a6");
    carries(&mut table, White, "d1d5");
    assert!(table.game.moves().iter().all(|mv| mv.from() == square("d1")));
    // Men touched before bind first.
    let mut table = Table::of(Profile::Tournament, "90+0");
    assert_eq!(table.says(White, Command::Touch(square("g1"))), Ok(()));
    carries(&mut table, White, "e2e5");
    assert_eq!(touched(&table), "g1 e2");
    assert!(table.game.moves().iter().all(|mv| mv.from() == square("g1")));
}

#[test]
fn l40_where_touch_move_is_off_nothing_binds() {
    let time_control = "15+0".parse().expect("a time control");
    let conduct = Conduct::parse("online illegal=2/30", SpeedClass::Rapid).expect("a conduct");
    let mut table = Table::on(Terms { conduct, ..Terms::online(time_control) });
    carries(&mut table, White, "e2e5");
    assert_eq!((illegal_moves(&table), touched(&table).as_str()), ([1, 0], ""));
    assert_eq!(table.left_ms(), [900_000, 930_000]);
    table.play(0, "d4");
    carries(&mut table, Black, "e7e4");
    carries(&mut table, Black, "e7e4");
    table.assert_ended(
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        [930_000, 930_000],
        "1-0",
        "White wins: Black has lost by illegal moves (FIDE 7.5.5)",
    );
}

#[test]
fn l40_an_illegal_move_answers_an_offer_and_ends_the_time_for_claims() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, "e4 e5");
    assert_eq!(table.says(Black, Command::Propose(Proposal::Draw)), Ok(()));
    carries(&mut table, White, "g1g3");
    let no_offer = Err(Refusal::NoOffer { matter: Matter::Draw });
    assert_eq!(table.says(White, Command::Accept(Matter::Draw)), no_offer);
    assert_eq!(table.says(White, Command::ClaimDraw { intended: None }), Err(Refusal::ClaimAfterTouch));
}

#[test]
fn l40_the_clocks_are_the_arbiters_to_set() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    carries(table.wait_ms(9_000), White, "e2e5");
    assert_eq!(table.left_ms(), [5_391_000, 5_520_000]);
    assert_eq!(table.rules(Order::SetClock { side: White, left: Millis(5_395_000) }), Ok(()));
    table.assert_stands(START, [5_395_000, 5_520_000]);
}

#[test]
fn l40_what_no_hand_can_do_is_refused_and_not_counted() {
    for (profile, time_control) in [(Profile::Tournament, "90+0"), (Profile::Classic, "5+0")] {
        let castle = |text: &str| Move::castle(square(&text[..2]), square(&text[2..]));
        let promotion = |text: &str| {
            Move::promotion(square(&text[..2]), square(&text[2..]), Role::Queen).expect("a promotion")
        };
        for mv in [
            carry("e4e5"),
            carry("e7e5"),
            carry("a1a2"),
            carry("d1e8"),
            // Castling is done with the own king and rook, to squares that are free.
            castle("e1h1"),
            castle("e1e8"),
            castle("e1e2"),
            castle("g1h1"),
            // A pawn becomes a queen on the last rank only, and nobody else does.
            promotion("e2e4"),
            promotion("e2e5"),
            promotion("g1g8"),
            Move::drop(Role::Queen, square("e5")).expect("a drop"),
        ] {
            let mut table = Table::of(profile, time_control);
            let refused = table.says(White, Command::Move(mv));
            assert!(matches!(refused, Err(Refusal::IllegalMove(_))), "{mv:?}: {refused:?}");
            assert_eq!((illegal_moves(&table), fen::write(table.game.position()).as_str()), ([0, 0], START));
        }
    }
}

#[test]
fn l41_at_the_profiles_limit_the_game_is_lost() {
    let mut table = Table::of(Profile::Tournament, "5+3");
    carries(table.wait_ms(1_000), White, "e2e5");
    carries(table.wait_ms(1_000), White, "e2d4");
    assert_eq!(illegal_moves(&table), [2, 0]);
    table.assert_ended(
        START,
        [298_000, 360_000],
        "0-1",
        "Black wins: White has lost by illegal moves (FIDE 7.5.5)",
    );

    let mut table = Table::of(Profile::Classic, "15+0");
    for count in 1..=3 {
        assert_eq!(table.game.result(), None);
        carries(table.wait_ms(1_000), White, "e2e5");
        assert_eq!(illegal_moves(&table), [count, 0]);
    }
    table.assert_ended(
        START,
        [897_000, 900_000],
        "0-1",
        "Black wins: White has lost by illegal moves (FIDE 7.5.5)",
    );
}

#[test]
fn l41_the_limit_is_each_players_own_and_outlives_a_takeback() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    carries(&mut table, White, "e2e5");
    table.play(0, "e4");
    carries(&mut table, Black, "e7e4");
    table.play(0, "e5");
    assert_eq!(table.says(White, Command::Propose(Proposal::Takeback { plies: 2 })), Ok(()));
    assert_eq!(table.says(Black, Command::Accept(Matter::Takeback)), Ok(()));
    assert_eq!(illegal_moves(&table), [1, 1]);
    carries(&mut table, White, "d2d5");
    assert_eq!(illegal_moves(&table), [2, 1]);
    assert!(table.game.result().is_some());
}

#[test]
fn l41_l26_against_who_can_no_longer_mate_it_is_a_draw() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, BARE_BLACK_KING_AT_LARGE).play(0, "Kd5");
    carries(&mut table, White, "c2c5");
    assert_eq!(table.game.result(), None);
    carries(&mut table, White, "a2a5");
    table.assert_ended(
        "8/Q6B/8/3k4/8/8/PPPP1PPP/RNB1KBNR w KQ - 1 17",
        [5_400_000, 5_520_000],
        "1/2-1/2",
        "Draw: White has lost by illegal moves, but Black can no longer mate (FIDE 7.5.5)",
    );
}

#[test]
fn l42_in_a_tournament_an_unpromoted_pawn_becomes_a_queen_and_is_counted() {
    let mut table = Table::of(Profile::Tournament, "5+3");
    table.play(0, ABOUT_TO_PROMOTE);
    assert_eq!(table.left_ms(), [312_000, 312_000]);
    carries(table.wait_ms(1_000), White, "b7a8");
    table.assert_stands("Q2qkbnr/2pppppp/2n5/8/8/8/1PPPPPPP/RNBQKBNR b KQk - 0 5", [314_000, 372_000]);
    let penalty = Millis(60_000);
    assert_eq!(irregularity(&table), Some(Irregularity::Unpromoted { count: 1, penalty }));
    assert_eq!(table.game.played()[8].san, "bxa8=Q");
    // The next illegal move loses.
    table.play(0, "Qxa8");
    carries(&mut table, White, "h1h5");
    assert_eq!(illegal_moves(&table), [2, 0]);
    assert_eq!(table.game.result().unwrap().score_text(), "0-1");
}

#[test]
fn l42_l41_as_the_illegal_move_too_many_it_loses_with_the_queen_on_the_board() {
    let mut table = Table::of(Profile::Tournament, "5+3");
    carries(&mut table, White, "a2a5");
    table.play(0, ABOUT_TO_PROMOTE);
    carries(&mut table, White, "b7a8");
    assert_eq!(illegal_moves(&table), [2, 0]);
    table.assert_ended(
        "Q2qkbnr/2pppppp/2n5/8/8/8/1PPPPPPP/RNBQKBNR b KQk - 0 5",
        [315_000, 372_000],
        "0-1",
        "Black wins: White has lost by illegal moves (FIDE 7.5.5)",
    );
}

#[test]
fn l42_a_queen_that_touch_move_forbids_is_put_back_as_any_illegal_move() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, ABOUT_TO_PROMOTE);
    assert_eq!(table.says(White, Command::Touch(square("b1"))), Ok(()));
    carries(&mut table, White, "b7a8");
    assert!(matches!(table.record.last().unwrap().action, Action::MovePutBack { count: 1, .. }));
    assert!(table.game.moves().iter().all(|mv| mv.from() == square("b1")));
}

#[test]
fn l42_classic_puts_it_back_and_online_refuses_it() {
    let board = "r2qkbnr/1Ppppppp/2n5/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 1 5";
    let mut table = Table::of(Profile::Classic, "15+0");
    table.play(0, ABOUT_TO_PROMOTE);
    carries(&mut table, White, "b7a8");
    table.assert_stands(board, [900_000, 900_000]);
    assert_eq!((illegal_moves(&table), touched(&table).as_str()), ([1, 0], "b7 a8"));
    assert_eq!(table.game.moves().len(), 4, "the capture, as one of four men");

    let mut table = Table::of(Profile::Online, "15+0");
    table.play(0, ABOUT_TO_PROMOTE);
    let refused = table.says(White, Command::Move(carry("b7a8")));
    let missing = IllegalMove::PromotionMissing { to: square("a8") };
    assert_eq!(refused, Err(Refusal::IllegalMove(missing)));
    table.assert_stands(board, [900_000, 900_000]);
    assert_eq!(illegal_moves(&table), [0, 0]);
}

/// A blitz game in which illegal moves stand.
fn blitz(moves: &str) -> Table {
    let mut table = Table::of(Profile::Classic, "5+0");
    table.play(0, moves);
    table
}

#[test]
fn l43_an_illegal_move_stands_and_is_claimed_before_the_own_move() {
    let mut table = blitz("");
    carries(table.wait_ms(1_000), White, "e2e5");
    let board = "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    table.assert_stands(board, [299_000, 300_000]);
    assert_eq!(irregularity(&table), Some(Irregularity::Stands));
    assert_eq!((illegal_moves(&table), table.game.played()[0].san.as_str()), ([0, 0], "e5"));
    let not_yours = Err(Refusal::NotYourTurn { to_move: Black });
    assert_eq!(table.says(White, Command::ClaimIllegalMove), not_yours);
    // Neither a touch nor adjusting loses the claim.
    assert_eq!(table.says(Black, Command::Adjust(square("d7"))), Ok(()));
    assert_eq!(table.says(Black, Command::Touch(square("e7"))), Ok(()));
    assert_eq!(table.wait_ms(2_000).says(Black, Command::ClaimIllegalMove), Ok(()));
    table.assert_ended(
        board,
        [299_000, 298_000],
        "0-1",
        "Black wins: White has lost by illegal moves (FIDE 7.5.5)",
    );
}

#[test]
fn l43_in_a_game_without_end_nothing_illegal_stands_any_more() {
    let mut table = blitz("e4 e5");
    while table.game.ply() < STANDING_PLIES_MAX {
        // Pawns go back and forth, so that no position comes for the fifth time by legal moves alone.
        for (by, text) in [(White, "e4e3"), (Black, "e5e6"), (White, "e3e4"), (Black, "e6e5")] {
            if table.game.ply() < STANDING_PLIES_MAX {
                assert_eq!(
                    table.says(by, Command::Move(carry(text))),
                    Ok(()),
                    "{text} at {}",
                    table.game.ply()
                );
            }
        }
    }
    let by = table.game.position().turn();
    let refused = table.says(by, Command::Move(carry(if by == White { "g1g5" } else { "g8g4" })));
    assert!(matches!(refused, Err(Refusal::IllegalMove(IllegalMove::NotItsMove { .. }))), "{refused:?}");
}

#[test]
fn l43_after_the_own_move_it_is_too_late() {
    let mut table = blitz("");
    carries(&mut table, White, "e2e5");
    table.play(0, "d5");
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Err(Refusal::NotYourTurn { to_move: White }));
    // The pawn that went too far captures en passant as any other.
    table.play(0, "exd6");
    // Nor does taking the own move back revive the claim.
    let mut table = blitz("");
    carries(&mut table, White, "e2e5");
    table.play(0, "a6");
    assert_eq!(table.says(Black, Command::Propose(Proposal::Takeback { plies: 1 })), Ok(()));
    assert_eq!(table.says(White, Command::Accept(Matter::Takeback)), Ok(()));
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Err(Refusal::NothingToClaim));
}

#[test]
fn l43_a_wrong_claim_costs_what_a_wrong_draw_claim_costs() {
    let mut table = blitz("");
    assert_eq!(table.says(White, Command::ClaimIllegalMove), Err(Refusal::NothingToClaim));
    table.play(1_000, "e4");
    assert_eq!(table.wait_ms(1_000).says(Black, Command::ClaimIllegalMove), Ok(()));
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    table.assert_stands(board, [479_000, 299_000]);
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Err(Refusal::NothingToClaim), "once a move");
    table.play(0, "e5");
    assert_eq!(table.says(White, Command::ClaimIllegalMove), Ok(()));
    assert_eq!(table.left_ms(), [479_000, 479_000]);
}

#[test]
fn l43_who_claims_rightly_and_can_no_longer_mate_has_a_draw() {
    let mut table = blitz(BARE_BLACK_KING_AT_LARGE);
    table.play(0, "Kd5");
    carries(&mut table, White, "a2a5");
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Ok(()));
    table.assert_ended(
        "8/Q6B/8/P2k4/8/8/1PPP1PPP/RNB1KBNR b KQ - 0 17",
        [300_000, 300_000],
        "1/2-1/2",
        "Draw: White has lost by illegal moves, but Black can no longer mate (FIDE 7.5.5)",
    );
}

#[test]
fn l43_an_illegal_move_never_mates_and_a_king_is_never_captured() {
    // The queen reaches f7 through her own pawn, guarded by the bishop.
    let mut table = blitz("e4 e5 Bc4 a6");
    carries(&mut table, White, "d1f7");
    assert!(table.game.position().is_checkmate(), "by the look of it");
    table
        .assert_stands("rnbqkbnr/1ppp1Qpp/p7/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3", [300_000, 300_000]);
    assert_eq!(table.game.moves(), []);
    // Without a legal move Black may claim, or make an illegal one; his king stays.
    let mut claims = table.clone();
    assert_eq!(claims.says(Black, Command::ClaimIllegalMove), Ok(()));
    assert_eq!(claims.game.result().unwrap().score_text(), "0-1");
    carries(&mut table, Black, "a6a5");
    let refused = table.says(White, Command::Move(carry("f7e8")));
    let captures_king = IllegalMove::CapturesKing { to: square("e8") };
    assert_eq!(refused, Err(Refusal::IllegalMove(captures_king)));
    assert!(table.game.moves().iter().all(|mv| mv.to() != square("e8")));
    assert_eq!(table.says(White, Command::ClaimIllegalMove), Ok(()));
    assert_eq!(table.game.result().unwrap().score_text(), "1-0");
}

#[test]
fn l43_an_illegal_move_never_stalemates() {
    let mut table = blitz(BARE_BLACK_KING_AT_LARGE);
    carries(&mut table, Black, "c6h8");
    carries(&mut table, White, "a2a5");
    assert!(table.game.position().is_stalemate(), "by the look of it");
    table.assert_stands("7k/Q6B/8/P7/8/8/1PPP1PPP/RNB1KBNR b KQ - 0 17", [300_000, 300_000]);
    carries(&mut table, Black, "h8g8");
    assert_eq!(table.game.result(), None);
}

#[test]
fn l43_an_illegal_move_makes_no_position_dead_but_the_next_legal_one_does() {
    // Black's king takes one man after another by leaping.
    let mut table = blitz(BARE_BLACK_KING_AT_LARGE);
    let (mut black, mut white) = ("c6", "e1");
    let walk = ["e2", "e3", "e4"].into_iter().chain(["e5", "e4"].into_iter().cycle());
    let men = ["a7", "h7", "a1", "b1", "c1", "f1", "g1", "a2", "b2", "c2", "d2", "g2", "h2", "f2", "h1"];
    for (man, step) in men.into_iter().zip(walk) {
        assert_eq!(table.game.result(), None, "before {man}");
        carries(&mut table, Black, &format!("{black}{man}"));
        assert_eq!(table.game.result(), None, "after {man}");
        black = man;
        carries(&mut table, White, &format!("{white}{step}"));
        white = step;
    }
    table.assert_ended(
        "8/8/8/8/4K3/8/8/7k b - - 1 31",
        [300_000, 300_000],
        "1/2-1/2",
        "Draw: neither side can mate any more (FIDE 5.2.2)",
    );
}

#[test]
fn l43_both_kings_in_check_wait_for_one_more_move() {
    // White answers a check with an illegal check: both kings are attacked.
    let mut table = blitz("f3 e5 a3 Qh4+");
    carries(&mut table, White, "a1e5");
    let board = "rnb1kbnr/pppp1ppp/8/4R3/7q/P4P2/1PPPP1PP/1NBQKBNR b Kkq - 0 3";
    table.assert_stands(board, [300_000, 300_000]);
    // Mended by the next move: the game goes on.
    let mut mended = table.clone();
    mended.play(0, "Be7");
    assert_eq!(mended.game.result(), None);
    mended.play(0, "g3");
    assert_eq!(mended.game.result(), None);
    // Not mended: a draw.
    carries(table.wait_ms(1_000), Black, "a7a6");
    table.assert_ended(
        "rnb1kbnr/1ppp1ppp/p7/4R3/7q/P4P2/1PPPP1PP/1NBQKBNR w Kkq - 0 4",
        [300_000, 299_000],
        "1/2-1/2",
        "Draw: the position stayed an illegal one (L43)",
    );
}

#[test]
fn l43_an_unpromoted_pawn_waits_for_one_more_move() {
    let mut table = blitz(ABOUT_TO_PROMOTE);
    carries(&mut table, White, "b7a8");
    table.assert_stands("P2qkbnr/2pppppp/2n5/8/8/8/1PPPPPPP/RNBQKBNR b KQk - 0 5", [300_000, 300_000]);
    let mut claims = table.clone();
    assert_eq!(claims.says(Black, Command::ClaimIllegalMove), Ok(()));
    assert_eq!(claims.game.result().unwrap().score_text(), "0-1");
    let mut mended = table.clone();
    mended.play(0, "Qxa8 Rxa8+ Nd8");
    assert_eq!(mended.game.result(), None);
    table.play(0, "h6");
    table.assert_ended(
        "P2qkbnr/2ppppp1/2n4p/8/8/8/1PPPPPPP/RNBQKBNR w KQk - 0 6",
        [300_000, 300_000],
        "1/2-1/2",
        "Draw: the position stayed an illegal one (L43)",
    );
    // A pawn on the other last rank has not been left unpromoted.
    let mut table = blitz("");
    carries(&mut table, White, "g1f3");
    carries(&mut table, Black, "a7a6");
    carries(&mut table, White, "h2g1");
    table.play(0, "a5");
    assert_eq!(table.game.result(), None);
}

#[test]
fn l43_castling_out_of_check_stands_as_castling() {
    let mut table = blitz("e4 e5 Nf3 Nc6 Bc4 Nd4 a3 Nxf3+");
    assert_eq!(table.says(White, Command::Move(Move::castle(square("e1"), square("h1")))), Ok(()));
    table
        .assert_stands("r1bqkbnr/pppp1ppp/8/4p3/2B1P3/P4n2/1PPP1PPP/RNBQ1RK1 b kq - 1 5", [300_000, 300_000]);
    assert_eq!(table.says(Black, Command::ClaimIllegalMove), Ok(()));
    assert_eq!(table.game.result().unwrap().score_text(), "0-1");
}

#[test]
fn l43_no_pawn_is_captured_en_passant_on_a_square_where_a_man_stands() {
    // White's pawn jumps over the knight on e3.
    let mut table = blitz("a3 Nf6 a4 Nd5 h3 Ne3 h4 d5 Ra2 d4 Ra1 a6");
    carries(&mut table, White, "e2e4");
    let en_passant = Move::en_passant(square("d4"), square("e3"));
    assert!(!table.game.moves().contains(&en_passant));
    assert_eq!(table.game.position().legal_en_passant(), None);
    let refused = table.says(Black, Command::Move(en_passant));
    assert_eq!(refused, Err(Refusal::IllegalMove(IllegalMove::OwnMan { to: square("e3") })));
}

#[test]
fn l43_in_slower_games_and_other_profiles_nothing_stands() {
    for (profile, time_control) in
        [(Profile::Classic, "15+0"), (Profile::Tournament, "5+0"), (Profile::Online, "5+0")]
    {
        let terms = Terms::of(profile, time_control.parse().expect("a time control"));
        let mut table = Table::on(Terms { arbiter: Arbiter::Named, ..terms });
        let _ = table.says(White, Command::Move(carry("e2e5")));
        table.play(0, "e4");
        assert_eq!(table.says(Black, Command::ClaimIllegalMove), Err(Refusal::IllegalMovesAreNoticed));
    }
}
