//! Draws that are offered, claimed, or come by themselves (L17-L23).

use crate::table::{Table, carry};
use chatrang_rules::color::Color::{Black, White};
use chatrang_rules::game::{
    Action, Claim, Command, Conduct, Matter, Millis, Profile, Proposal, Refusal, Stamp, Terms,
};
use chatrang_rules::moves::Move;
use chatrang_rules::piece::Role;

const OPEN_GAME: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const OPEN_GAME_KNIGHT_OUT: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
const AGREED: &str = "Draw: both players agreed (FIDE 5.2.3)";
const THREEFOLD: &str = "Draw: the same position three times, claimed (FIDE 9.2)";

const OFFER: Command = Command::Propose(Proposal::Draw);
const ACCEPT: Command = Command::Accept(Matter::Draw);
const DECLINE: Command = Command::Decline(Matter::Draw);
const NO_OFFER: Result<(), Refusal> = Err(Refusal::NoOffer { matter: Matter::Draw });
const CLAIM: Command = Command::ClaimDraw { intended: None };

fn claim_with(mv: Move) -> Command {
    Command::ClaimDraw { intended: Some(mv) }
}

fn too_soon(plies: u32) -> Result<(), Refusal> {
    Err(Refusal::OfferTooSoon { matter: Matter::Draw, plies })
}

/// Twenty plies in which nothing much happens, after 1.e4 e5.
const TWENTY_PLIES: &str = "Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bb3 Ba7 h3 h6 Nbd2 Re8 Nf1 Be6";

#[test]
fn l17_a_draw_is_agreed_only_after_each_side_has_moved() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+3");
        assert_eq!(table.says(White, OFFER), Err(Refusal::OfferTooEarly));
        table.play(1_000, "e4");
        for by in [White, Black] {
            assert_eq!(table.says(by, OFFER), Err(Refusal::OfferTooEarly));
        }
        table.play(1_000, "e5").says(White, OFFER).unwrap();
        // Meant to be made with one's move: it stands through it.
        table.play(1_000, "Nf3");
        assert_eq!(table.game.draw_offer(), Some(White));
        table.wait_ms(500).says(Black, ACCEPT).unwrap();
        table.assert_ended(OPEN_GAME_KNIGHT_OUT, [304_000, 301_500], "1/2-1/2", AGREED);
    }
}

#[test]
fn l17_an_offer_made_at_another_time_is_valid_too() {
    for profile in Profile::ALL {
        for by in [White, Black] {
            let mut table = Table::of(profile, "5+3");
            table.play(1_000, "e4 e5").wait_ms(700).says(by, OFFER).unwrap();
            assert_eq!(table.says(by, ACCEPT), NO_OFFER, "nobody accepts his own");
            table.says(!by, ACCEPT).unwrap();
            table.assert_ended(OPEN_GAME, [301_300, 302_000], "1/2-1/2", AGREED);
        }
    }
}

#[test]
fn l17_an_offer_stands_until_it_is_declined_or_answered_by_a_move() {
    for profile in Profile::ALL {
        let mut declined = Table::of(profile, "5+3");
        declined.play(1_000, "e4 e5").says(Black, OFFER).unwrap();
        assert_eq!(declined.says(Black, DECLINE), NO_OFFER, "it cannot be withdrawn");
        assert_eq!(declined.game.draw_offer(), Some(Black));
        let mut moved = declined.clone();
        declined.says(White, DECLINE).unwrap();
        assert_eq!(declined.says(White, ACCEPT), NO_OFFER);
        declined.assert_stands(OPEN_GAME, [302_000, 302_000]);

        moved.play(1_000, "Nf3");
        assert_eq!(moved.says(White, ACCEPT), NO_OFFER);
        moved.assert_stands(OPEN_GAME_KNIGHT_OUT, [304_000, 302_000]);
    }
}

#[test]
fn l17_where_touch_move_is_on_a_touch_answers_an_offer_and_adjusting_does_not() {
    let g1 = "g1".parse().unwrap();
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, "e4 e5").says(Black, OFFER).unwrap();
        table.says(White, Command::Adjust(g1)).unwrap();
        assert_eq!(table.game.draw_offer(), Some(Black));
        let mut illegal = table.clone();
        table.says(White, Command::Touch(g1)).unwrap();
        assert_eq!(table.says(White, ACCEPT), NO_OFFER);
        table.assert_stands(OPEN_GAME, [899_000, 899_000]);

        illegal.says(White, Command::Move(carry("g1g3"))).unwrap();
        assert_eq!(illegal.says(White, ACCEPT), NO_OFFER, "who moves has touched, legally or not");
    }
}

#[test]
fn l17_the_terms_may_forbid_agreement_before_a_move() {
    let terms = Terms::of(Profile::Tournament, "90+0".parse().unwrap());
    let mut table = Table::on(Terms { agreement_from: 3, ..terms });
    table.play(1_000, "e4 e5");
    assert_eq!(table.says(White, OFFER), Err(Refusal::AgreementTooEarly { from: 3 }));
    table.play(1_000, "Nf3 Nc6").says(White, OFFER).unwrap();
    table.says(Black, ACCEPT).unwrap();
    let board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    table.assert_ended(board, [5_398_000, 5_398_000], "1/2-1/2", AGREED);
}

#[test]
fn l17_one_offer_a_side_until_twenty_plies_later_or_the_others_offer() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, "e4 e5").says(White, OFFER).unwrap();
        assert_eq!(table.says(White, OFFER), Err(Refusal::OfferStands { matter: Matter::Draw }));
        table.says(Black, DECLINE).unwrap();
        assert_eq!(table.says(White, OFFER), too_soon(20));

        let mut later = table.clone();
        let (nineteen, last) = TWENTY_PLIES.rsplit_once(' ').unwrap();
        later.play(1_000, nineteen);
        assert_eq!(later.says(White, OFFER), too_soon(1));
        later.play(1_000, last).says(White, OFFER).unwrap();
        assert_eq!(later.game.draw_offer(), Some(White));

        table.play(1_000, "Nf3 Nc6").says(Black, OFFER).unwrap();
        table.says(White, DECLINE).unwrap();
        assert_eq!(table.says(White, OFFER), Ok(()), "Black has offered since");
        table.says(Black, ACCEPT).unwrap();
        let board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        table.assert_ended(board, [898_000, 898_000], "1/2-1/2", AGREED);
    }
}

#[test]
fn l17_l20_claims_are_outside_the_limits_on_offers() {
    // Before each side has moved, before the terms' move, and a ply after one's own offer.
    let terms = Terms::of(Profile::Tournament, "90+0".parse().unwrap());
    let mut table = Table::on(Terms { agreement_from: 40, ..terms });
    table.says(White, CLAIM).unwrap();
    assert_eq!(table.game.draw_offer(), Some(White));

    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(1_000, "e4 e5").says(White, OFFER).unwrap();
    table.says(Black, DECLINE).unwrap();
    table.says(White, CLAIM).unwrap();
    assert_eq!(table.game.draw_offer(), Some(White), "a claim is an offer");
    table.says(Black, DECLINE).unwrap();
    assert_eq!(table.says(White, OFFER), too_soon(20), "and no way around the limits");
    table.assert_stands(OPEN_GAME, [5_399_000, 5_399_000 + 120_000]);
}

#[test]
fn l18_threefold_is_claimed_by_the_side_to_move_when_it_has_just_appeared() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5";
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+0");
        table.play(1_000, &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
        assert_eq!(table.game.claims(White, Stamp::at_ms(table.now_ms)), [Claim::Threefold]);
        assert_eq!(table.says(Black, CLAIM), Err(Refusal::NotYourTurn { to_move: White }));
        table.wait_ms(250).says(White, CLAIM).unwrap();
        table.assert_ended(board, [295_750, 296_000], "1/2-1/2", THREEFOLD);
    }
}

#[test]
fn l18_threefold_claim_with_intended_move() {
    let board = "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 7 4";
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+0");
        table.play(1_000, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let back = table.san("Ng8");
        let claims = table.game.claims(Black, Stamp::at_ms(table.now_ms));
        assert_eq!(claims, [Claim::ThreefoldWith(back)]);
        table.wait_ms(250).says(Black, claim_with(back)).unwrap();
        // The named move is not played.
        table.assert_ended(board, [296_000, 296_750], "1/2-1/2", THREEFOLD);
    }
}

#[test]
fn l18_the_three_need_not_follow_each_other() {
    let mut table = Table::of(Profile::Online, "5+0");
    table.play(1_000, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8");
    table.says(White, CLAIM).unwrap();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5";
    table.assert_ended(board, [296_000, 296_000], "1/2-1/2", THREEFOLD);
}

#[test]
fn l18_a_castling_right_that_is_lost_makes_another_position_barred_or_not() {
    let board = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w Qq -";
    let mut table = Table::of(Profile::Online, "5+0");
    table.play(1_000, "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8");
    assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimWrong { repetitions: 2, halfmoves: 10 }));
    table.assert_stands(&format!("{board} 10 6"), [295_000, 295_000]);
    table.play(1_000, "Rg1 Rg8 Rh1 Rh8").says(White, CLAIM).unwrap();
    table.assert_ended(&format!("{board} 14 8"), [293_000, 293_000], "1/2-1/2", THREEFOLD);
}

#[test]
fn l18_a_capture_in_passing_that_could_be_made_makes_another_position() {
    let board = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let mut table = Table::of(Profile::Online, "5+0");
    table.play(1_000, "e4 a6 e5 d5").play(1_000, &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
    assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimWrong { repetitions: 2, halfmoves: 8 }));
    table.assert_stands(&format!("{board} 8 7"), [294_000, 294_000]);
    table.play(1_000, "Nf3 Nf6 Ng1 Ng8").says(White, CLAIM).unwrap();
    table.assert_ended(&format!("{board} 12 9"), [292_000, 292_000], "1/2-1/2", THREEFOLD);

    // The pawn that would capture is pinned by the queen: the position is the same from the first.
    let mut pinned = Table::of(Profile::Online, "5+0");
    pinned.play(1_000, "e4 e5 d4 exd4 e5 Qe7 a3 d5").play(1_000, &"Nh3 Nh6 Ng1 Ng8 ".repeat(2));
    pinned.says(White, CLAIM).unwrap();
    let board = "rnb1kbnr/ppp1qppp/8/3pP3/3p4/P7/1PP2PPP/RNBQKBNR w KQkq - 8 9";
    pinned.assert_ended(board, [292_000, 292_000], "1/2-1/2", THREEFOLD);
}

/// Where the queen's knights go round and round, White's in 8 and Black's in 10 moves, so that no position
/// appears more than twice in 75 moves.
const WHITE_TOUR: [&str; 8] = ["a3", "b5", "d4", "b3", "c5", "a4", "c3", "b1"];
const BLACK_TOUR: [&str; 10] = ["a6", "b4", "d5", "f4", "g6", "e5", "c4", "a5", "c6", "b8"];

/// So many plies without a capture or a pawn's move, a second each, after the last pawn's move.
fn on_tour(profile: Profile, plies: usize) -> Table {
    let mut table = Table::of(profile, "15+0");
    table.play(1_000, "f3 e6 g4 h5");
    for ply in 0..plies {
        let by = table.game.position().turn();
        let mv = Command::Move(on_ply(ply));
        table.wait_ms(1_000).says(by, mv).unwrap();
    }
    table
}

/// The knight's move of this ply, from 0.
fn on_ply(ply: usize) -> Move {
    let (tour, home) = if ply.is_multiple_of(2) { (&WHITE_TOUR[..], "b1") } else { (&BLACK_TOUR[..], "b8") };
    let round = |number: usize| tour[number % tour.len()];
    let from = if ply < 2 { home } else { round(ply / 2 - 1) };
    carry(&format!("{from}{}", round(ply / 2)))
}

#[test]
fn l19_fifty_moves_are_claimed_on_the_board_or_with_the_move_that_completes_them() {
    let after_99 = "r1bqkbnr/pppp1pp1/2n1p3/1N5p/6P1/5P2/PPPPP2P/R1BQKBNR b KQkq - 99 52";
    let after_100 = "rnbqkbnr/pppp1pp1/4p3/1N5p/6P1/5P2/PPPPP2P/R1BQKBNR w KQkq - 100 53";
    let sentence = "Draw: fifty moves without a capture or a pawn's move, claimed (FIDE 9.3)";
    for profile in Profile::ALL {
        let mut table = on_tour(profile, 99);
        let mut named = table.clone();
        named.says(Black, claim_with(on_ply(99))).unwrap();
        named.assert_ended(after_99, [848_000, 849_000], "1/2-1/2", sentence);

        table.wait_ms(1_000).says(Black, Command::Move(on_ply(99))).unwrap();
        assert_eq!(table.game.claims(White, Stamp::at_ms(table.now_ms)), [Claim::FiftyMoves]);
        table.says(White, CLAIM).unwrap();
        table.assert_ended(after_100, [848_000, 848_000], "1/2-1/2", sentence);
    }
    // A pawn's move does not complete them.
    let mut pawn = on_tour(Profile::Online, 99);
    let a6 = pawn.san("a6");
    assert_eq!(pawn.says(Black, claim_with(a6)), Err(Refusal::ClaimWrong { repetitions: 1, halfmoves: 0 }));
    assert_eq!(pawn.says(Black, CLAIM), Err(Refusal::ClaimWrong { repetitions: 2, halfmoves: 99 }));
    pawn.assert_stands(after_99, [848_000, 849_000]);
}

#[test]
fn l19_castling_does_not_begin_the_count_again() {
    let mut table = Table::of(Profile::Online, "5+0");
    table.play(1_000, "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    let board = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    table.assert_stands(board, [296_000, 297_000]);
    assert_eq!(table.says(Black, CLAIM), Err(Refusal::ClaimWrong { repetitions: 1, halfmoves: 5 }));
}

#[test]
fn l20_a_wrong_claim_costs_what_the_profile_says_and_stands_as_an_offer() {
    for (profile, control, base_ms, penalty_ms) in [
        (Profile::Tournament, "90+0", 5_400_000, 120_000),
        (Profile::Tournament, "15+0", 900_000, 60_000),
        (Profile::Tournament, "5+0", 300_000, 60_000),
        (Profile::Classic, "90+0", 5_400_000, 180_000),
        (Profile::Classic, "15+0", 900_000, 180_000),
        (Profile::Classic, "5+0", 300_000, 180_000),
    ] {
        let mut table = Table::of(profile, control);
        table.play(1_000, "e4 e5").wait_ms(500).says(White, CLAIM).unwrap();
        table.assert_stands(OPEN_GAME, [base_ms - 1_500, base_ms - 1_000 + penalty_ms]);
        let penalty = Millis(penalty_ms);
        let action = Action::DrawClaimedWrongly { played: None, illegal: None, penalty };
        assert_eq!(table.record.last().map(|event| &event.action), Some(&action));
        assert_eq!(table.says(White, DECLINE), NO_OFFER, "it cannot be withdrawn");
        table.wait_ms(500).says(Black, ACCEPT).unwrap();
        let left_ms = [base_ms - 2_000, base_ms - 1_000 + penalty_ms];
        table.assert_ended(OPEN_GAME, left_ms, "1/2-1/2", AGREED);
    }
}

#[test]
fn l20_a_wrong_claim_plays_the_move_it_names_and_the_offer_stands() {
    for (profile, penalty_ms) in [(Profile::Tournament, 60_000), (Profile::Classic, 180_000)] {
        let mut table = Table::of(profile, "15+10");
        table.play(1_000, "e4 e5").wait_ms(500);
        let mv = table.san("Nf3");
        table.says(White, claim_with(mv)).unwrap();
        let penalty = Millis(penalty_ms);
        let action = Action::DrawClaimedWrongly { played: Some(mv), illegal: None, penalty };
        assert_eq!(table.record.last().map(|event| &event.action), Some(&action));
        table.assert_stands(OPEN_GAME_KNIGHT_OUT, [918_500, 909_000 + penalty_ms]);
        assert_eq!(table.game.draw_offer(), Some(White));
        table.wait_ms(500).says(Black, ACCEPT).unwrap();
        let left_ms = [918_500, 908_500 + penalty_ms];
        table.assert_ended(OPEN_GAME_KNIGHT_OUT, left_ms, "1/2-1/2", AGREED);
    }
}

#[test]
fn l20_a_wrong_claim_that_names_mate_has_mated() {
    let mut table = Table::of(Profile::Tournament, "15+0");
    table.play(1_000, "f3 e5 g4").wait_ms(500);
    let mate = table.san("Qh4#");
    table.says(Black, claim_with(mate)).unwrap();
    let board = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let sentence = "Black wins: White is checkmated (FIDE 5.1.1)";
    table.assert_ended(board, [898_000 + 60_000, 898_500], "0-1", sentence);
}

#[test]
fn l20_an_illegal_move_that_a_claim_names_makes_it_wrong_and_binds_the_man() {
    for (profile, penalty_ms) in [(Profile::Tournament, 60_000), (Profile::Classic, 180_000)] {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, "e4 e5").says(White, claim_with(carry("g1g3"))).unwrap();
        table.assert_stands(OPEN_GAME, [899_000, 899_000 + penalty_ms]);
        assert_eq!(table.game.draw_offer(), Some(White));
        let d4 = Command::Move(table.san("d4"));
        let square = "g1".parse().unwrap();
        let bound = Refusal::TouchBinds { square, role: Role::Knight, own: true };
        assert_eq!(table.says(White, d4), Err(bound));
        table.play(1_000, "Nf3");
        table.assert_stands(OPEN_GAME_KNIGHT_OUT, [898_000, 899_000 + penalty_ms]);
        assert_eq!(table.game.illegal_moves()[White], 0, "it was not made");
    }
    // Where touch-move is off it binds nobody.
    let control = "15+0".parse().unwrap();
    let terms = Terms::of(Profile::Tournament, control);
    let conduct = Conduct::parse("tournament touch-move=off", terms.class()).unwrap();
    let mut table = Table::on(Terms { conduct, ..terms });
    table.play(1_000, "e4 e5").says(White, claim_with(carry("g1g3"))).unwrap();
    table.play(1_000, "d3");
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3P4/PPP2PPP/RNBQKBNR b KQkq - 0 2";
    table.assert_stands(board, [898_000, 959_000]);
}

#[test]
fn l20_online_a_wrong_claim_is_refused_is_no_offer_and_plays_nothing() {
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(1_000, "e4 e5");
    let named = table.san("Nf3");
    assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimWrong { repetitions: 1, halfmoves: 0 }));
    assert_eq!(
        table.says(White, claim_with(named)),
        Err(Refusal::ClaimWrong { repetitions: 1, halfmoves: 1 })
    );
    assert!(matches!(table.says(White, claim_with(carry("g1g3"))), Err(Refusal::IllegalMove(_))));
    assert_eq!(table.game.draw_offer(), None);
    assert_eq!(table.says(Black, ACCEPT), NO_OFFER);
    table.assert_stands(OPEN_GAME, [899_000, 899_000]);
}

#[test]
fn l20_after_touching_a_man_there_is_no_claim_on_that_move() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5";
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
        table.says(White, Command::Adjust("a1".parse().unwrap())).unwrap();
        let mut adjusted = table.clone();
        adjusted.says(White, CLAIM).unwrap();
        adjusted.assert_ended(board, [896_000, 896_000], "1/2-1/2", THREEFOLD);

        table.says(White, Command::Touch("g1".parse().unwrap())).unwrap();
        let named = table.san("Nf3");
        assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimAfterTouch));
        assert_eq!(table.says(White, claim_with(named)), Err(Refusal::ClaimAfterTouch));
        table.assert_stands(board, [896_000, 896_000]);
        // On the next move he claims again.
        table.play(1_000, "Nf3 Nf6").says(White, CLAIM).unwrap();
        let board = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 10 6";
        table.assert_ended(board, [895_000, 895_000], "1/2-1/2", THREEFOLD);
    }
}

#[test]
fn l21_the_same_position_for_the_fifth_time_is_a_draw_at_once() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, &"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 16 9";
        let sentence = "Draw: the same position five times (FIDE 9.6.1)";
        table.assert_ended(board, [892_000, 892_000], "1/2-1/2", sentence);
    }
}

#[test]
fn l22_seventy_five_moves_are_a_draw_at_once_but_mate_on_the_last_wins() {
    for profile in Profile::ALL {
        let mut table = on_tour(profile, 149);
        let before = "r1bqkbnr/pppp1pp1/4p3/7p/3N1nP1/5P2/PPPPP2P/R1BQKBNR b KQkq - 149 77";
        table.assert_stands(before, [823_000, 824_000]);
        let mut mated = table.clone();
        table.wait_ms(1_000).says(Black, Command::Move(on_ply(149))).unwrap();
        let board = "r1bqkbnr/pppp1pp1/4p1n1/7p/3N2P1/5P2/PPPPP2P/R1BQKBNR w KQkq - 150 78";
        let sentence = "Draw: seventy-five moves without a capture or a pawn's move (FIDE 9.6.2)";
        table.assert_ended(board, [823_000, 823_000], "1/2-1/2", sentence);

        mated.play(1_000, "Qh4#");
        let board = "r1b1kbnr/pppp1pp1/4p3/7p/3N1nPq/5P2/PPPPP2P/R1BQKBNR w KQkq - 150 78";
        let sentence = "Black wins: White is checkmated (FIDE 5.1.1)";
        mated.assert_ended(board, [823_000, 823_000], "0-1", sentence);
    }
}

#[test]
fn l23_perpetual_check_is_named_and_stays_a_threefold_or_a_fivefold() {
    let mut table = Table::of(Profile::Online, "5+0");
    table.play(1_000, "e4 d6 Bc4 Kd7").play(1_000, &"Bb5+ Ke6 Bc4+ Kd7 ".repeat(2));
    let mut claimed = table.clone();
    claimed.says(White, CLAIM).unwrap();
    let board = "rnbq1bnr/pppkpppp/3p4/8/2B1P3/8/PPPP1PPP/RNBQK1NR w KQ -";
    let sentence = "Draw: the same position three times, claimed (FIDE 9.2), by perpetual check from White";
    claimed.assert_ended(&format!("{board} 10 7"), [294_000, 294_000], "1/2-1/2", sentence);

    table.play(1_000, &"Bb5+ Ke6 Bc4+ Kd7 ".repeat(2));
    let sentence = "Draw: the same position five times (FIDE 9.6.1), by perpetual check from White";
    table.assert_ended(&format!("{board} 18 11"), [290_000, 290_000], "1/2-1/2", sentence);
}
