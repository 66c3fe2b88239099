//! What happens between people: a lost connection, takebacks, pauses and adjournments (L60-L62).

use crate::games::BARE_BLACK_KING;
use crate::table::{Table, carry};
use Color::{Black, White};
use chatrang_rules::color::Color;
use chatrang_rules::game::{
    AbsenceClaim, Action, Command, Conduct, GameInstant, Matter, Millis, Order, Profile, Proposal, Refusal,
    Stakes, Suspension, TAKEBACKS_MAX, Terms,
};
use chatrang_rules::notation::fen;
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::record;

const OPEN_GAME: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

const CLAIM_WIN: Command = Command::ClaimAbsence(AbsenceClaim::Win);

/// A game after 1.e4 e5, a second each; White is to move.
fn open_game(profile: Profile, time_control: &str) -> Table {
    let mut table = Table::of(profile, time_control);
    table.play(1_000, "e4 e5");
    table
}

/// The same on terms with other settings, as [`Conduct::parse`] reads them.
fn open_game_by(conduct: &str, time_control: &str, stakes: Stakes) -> Table {
    let terms = Terms::online(time_control.parse().expect("a time control"));
    let conduct = Conduct::parse(conduct, terms.class()).expect("a conduct");
    let mut table = Table::on(Terms { conduct, stakes, ..terms });
    table.play(1_000, "e4 e5");
    table
}

/// One side proposes, the other accepts.
fn agree(table: &mut Table, by: Color, proposal: Proposal) {
    assert_eq!(table.says(by, Command::Propose(proposal)), Ok(()));
    assert_eq!(table.says(!by, Command::Accept(proposal.matter())), Ok(()));
}

const fn takeback(plies: u8) -> Proposal {
    Proposal::Takeback { plies }
}

#[test]
fn l60_after_a_tenth_of_the_game_the_opponent_may_claim_the_win() {
    for profile in Profile::ALL {
        for (time_control, patience_ms) in [
            // 60 s; 300 + 40 × 3 s; 600 s; 5,400 + 40 × 30 s.
            ("1+0", 30_000),
            ("5+3", 42_000),
            ("10+0", 60_000),
            ("90+30", 180_000),
        ] {
            let mut table = open_game(profile, time_control);
            let left_ms = table.left_ms();
            assert_eq!(table.house(Command::Left(White)), Ok(()));
            assert_eq!(table.game.absent_since(White), Some(GameInstant(2_000)), "the opponent sees it");
            let wait = Millis(1);
            table.wait_ms(patience_ms - 1);
            assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::AwayNotLongEnough { wait }));
            // The clock runs on, and nothing happens by itself.
            assert!(!table.wait_ms(1).tick());
            let left_ms = [left_ms[0] - patience_ms, left_ms[1]];
            table.assert_stands(OPEN_GAME, left_ms);
            assert_eq!(table.says(Black, CLAIM_WIN), Ok(()));
            table.assert_ended(OPEN_GAME, left_ms, "0-1", "Black wins: a player was away too long (L60)");
        }
    }
}

#[test]
fn l60_or_a_draw() {
    let mut table = open_game(Profile::Online, "10+0");
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.wait_ms(60_000).says(Black, Command::ClaimAbsence(AbsenceClaim::Draw)), Ok(()));
    let sentence = "Draw: a player was away too long (L60)";
    table.assert_ended(OPEN_GAME, [539_000, 599_000], "1/2-1/2", sentence);
}

#[test]
fn l60_who_can_no_longer_mate_has_a_draw() {
    let mut table = Table::of(Profile::Online, "10+0");
    table.play(0, BARE_BLACK_KING).play(0, "Kh7");
    let board = fen::write(table.game.position());
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.wait_ms(60_000).says(Black, CLAIM_WIN), Ok(()));
    let sentence = "Draw: White was away too long, but Black can no longer mate (FIDE 6.9)";
    table.assert_ended(&board, [540_000, 600_000], "1/2-1/2", sentence);
}

#[test]
fn l60_only_on_the_absent_sides_own_turn() {
    let mut table = open_game(Profile::Online, "10+0");
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::NotAway));
    assert_eq!(table.house(Command::Left(Black)), Ok(()));
    table.wait_ms(100_000);
    assert_eq!(table.says(White, CLAIM_WIN), Err(Refusal::NotAway), "White is to move");
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::NotAway), "and White is here");
    table.play(0, "Nf3");
    assert_eq!(table.says(White, CLAIM_WIN), Ok(()), "Black has been away long enough");
}

#[test]
fn l60_coming_back_before_the_claim_ends_it() {
    let mut table = open_game(Profile::Online, "10+0");
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.house(Command::Left(White)), Err(Refusal::NotRecorded), "once");
    assert_eq!(table.wait_ms(70_000).house(Command::Returned(White)), Ok(()));
    assert_eq!(table.game.absent_since(White), None);
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::NotAway));
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    table.wait_ms(59_999);
    let wait = Millis(1);
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::AwayNotLongEnough { wait }), "counted anew");
    for by in Color::ALL {
        assert_eq!(table.says(by, Command::Left(!by)), Err(Refusal::NotYours));
        assert_eq!(table.says(by, Command::Returned(by)), Err(Refusal::NotYours));
    }
}

#[test]
fn l60_it_ends_the_game_by_itself_only_where_the_terms_say_so() {
    let mut table = open_game_by("online absence=automatic", "10+0", Stakes::Casual);
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.game.deadline(), Some(GameInstant(62_000)));
    assert!(!table.wait_ms(59_999).tick());
    assert!(table.wait_ms(1).tick());
    let sentence = "Black wins: a player was away too long (L60)";
    table.assert_ended(OPEN_GAME, [539_000, 599_000], "0-1", sentence);
    assert_eq!(table.record.last().unwrap().action, Action::AbsenceEnded);

    let mut table = open_game_by("online absence=borne", "10+0", Stakes::Casual);
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.wait_ms(200_000).says(Black, CLAIM_WIN), Err(Refusal::AbsenceIsBorne));
}

#[test]
fn l60_an_absence_that_was_long_enough_before_ends_the_game_when_the_turn_comes() {
    let mut table = open_game_by("online absence=automatic", "10+0", Stakes::Casual);
    assert_eq!(table.house(Command::Left(Black)), Ok(()));
    assert!(!table.wait_ms(100_000).tick(), "White is to move");
    table.play(0, "Nf3");
    assert_eq!(table.game.deadline(), Some(GameInstant(102_000)), "now, and not before the move");
    assert!(table.tick());
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    table.assert_ended(board, [499_000, 599_000], "1-0", "White wins: a player was away too long (L60)");
}

#[test]
fn l60_nobody_is_waited_for_in_games_by_days_or_without_a_clock() {
    for time_control in ["3days", "unlimited"] {
        let mut table = open_game(Profile::Online, time_control);
        assert_eq!(table.house(Command::Left(White)), Ok(()));
        table.wait_ms(3_600_000);
        assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::AbsenceIsBorne), "{time_control}");
    }
    let mut table = open_game(Profile::Online, "10+0");
    agree(&mut table, White, Proposal::Adjournment);
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    table.wait_ms(3_600_000);
    let adjourned = Refusal::Suspended { why: Suspension::Adjournment };
    assert_eq!(table.says(Black, CLAIM_WIN), Err(adjourned));
}

#[test]
fn l60_while_the_clocks_stood_still_nobody_was_absent() {
    // The server restarts: it has lost both, and one comes back late.
    let mut table = open_game(Profile::Online, "10+0");
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    table.wait_ms(10_000);
    assert_eq!(table.house(Command::Suspend(Suspension::Restart)), Ok(()));
    table.wait_ms(120_000);
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::Suspended { why: Suspension::Restart }));
    assert_eq!(table.house(Command::Continue), Ok(()));
    assert_eq!(table.game.absent_since(White), Some(GameInstant(132_000)));
    table.wait_ms(59_999);
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::AwayNotLongEnough { wait: Millis(1) }));
    assert_eq!(table.wait_ms(1).says(Black, CLAIM_WIN), Ok(()));
    table.assert_ended(OPEN_GAME, [529_000, 599_000], "0-1", "Black wins: a player was away too long (L60)");
    // As long as the arbiter has stopped the clocks.
    let mut table = open_game(Profile::Tournament, "10+0");
    assert_eq!(table.rules(Order::Pause), Ok(()));
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.wait_ms(600_000).rules(Order::Resume), Ok(()));
    assert_eq!(table.says(Black, CLAIM_WIN), Err(Refusal::AwayNotLongEnough { wait: Millis(60_000) }));
}

#[test]
fn l61_one_or_two_plies_are_taken_back_by_agreement() {
    for profile in Profile::ALL {
        for (plies, board, turn) in [
            (1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Black),
            (2, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", White),
        ] {
            let mut table = open_game(profile, "15+0");
            assert_eq!(table.wait_ms(3_000).says(Black, Command::Propose(takeback(plies))), Ok(()));
            assert_eq!(table.game.proposal(Matter::Takeback), Some((Black, takeback(plies))));
            assert_eq!(table.wait_ms(1_000).says(White, Command::Accept(Matter::Takeback)), Ok(()));
            table.assert_stands(board, [895_000, 899_000]);
            assert_eq!(table.record.last().unwrap().clocks.running, Some(turn));
            assert_eq!(table.game.ply(), 2 - u32::from(plies));
            assert_eq!(table.game.proposal(Matter::Takeback), None);
        }
    }
}

#[test]
fn l61_no_more_than_two_and_no_more_than_were_played() {
    let mut table = open_game(Profile::Online, "15+0");
    for plies in [0, 3, 255] {
        let refused = table.says(White, Command::Propose(takeback(plies)));
        assert_eq!(refused, Err(Refusal::TakebackTooFar { played: 2 }));
    }
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(0, "e4");
    let refused = table.says(White, Command::Propose(takeback(2)));
    assert_eq!(refused, Err(Refusal::TakebackTooFar { played: 1 }));
}

#[test]
fn l61_what_was_refused_is_not_repeated_on_the_same_ply() {
    let mut table = open_game(Profile::Online, "15+0");
    assert_eq!(table.says(Black, Command::Propose(takeback(1))), Ok(()));
    assert_eq!(table.says(White, Command::Decline(Matter::Takeback)), Ok(()));
    let matter = Matter::Takeback;
    let again = Err(Refusal::OfferTooSoon { matter, plies: 1 });
    assert_eq!(table.says(Black, Command::Propose(takeback(1))), again.clone());
    assert_eq!(table.says(Black, Command::Propose(takeback(2))), again);
    // A move refuses it too, and begins another ply.
    table.play(0, "Nf3");
    assert_eq!(table.says(Black, Command::Propose(takeback(2))), Ok(()));
    table.play(0, "Nc6");
    assert_eq!(table.says(White, Command::Accept(matter)), Err(Refusal::NoOffer { matter }));
    // What was accepted may be asked for again.
    for _ in 0..3 {
        agree(&mut table, White, takeback(2));
        table.play(0, "Nf3 Nc6");
    }
}

#[test]
fn l61_not_without_end() {
    let mut table = open_game(Profile::Online, "unlimited");
    for _ in 0..TAKEBACKS_MAX {
        agree(&mut table, White, takeback(1));
        table.play(0, "e5");
    }
    assert_eq!(table.says(White, Command::Propose(takeback(1))), Err(Refusal::NotRecorded));
}

#[test]
fn l61_never_in_rated_games_over_the_board() {
    for (conduct, answer) in [
        ("online", Ok(())),
        ("tournament", Err(Refusal::TakebackForbidden)),
        ("classic", Err(Refusal::TakebackForbidden)),
    ] {
        let mut table = open_game_by(conduct, "15+0", Stakes::Rated);
        assert_eq!(table.says(White, Command::Propose(takeback(1))), answer, "{conduct}");
    }
}

#[test]
fn l62_a_pause_stops_the_clocks_until_one_goes_on() {
    for profile in Profile::ALL {
        let mut table = open_game(profile, "15+0");
        assert_eq!(table.wait_ms(1_000).says(White, Command::Propose(Proposal::Pause)), Ok(()));
        assert_eq!(table.wait_ms(1_000).says(Black, Command::Accept(Matter::Pause)), Ok(()));
        table.wait_ms(600_000).assert_stands(OPEN_GAME, [897_000, 899_000]);
        let paused = Refusal::Suspended { why: Suspension::Pause };
        let nf3 = Command::Move(table.san("Nf3"));
        assert_eq!(table.says(White, nf3), Err(paused.clone()));
        assert_eq!(table.says(White, Command::Propose(Proposal::Pause)), Err(paused));
        assert_eq!(table.says(Black, Command::Resume), Ok(()));
        assert_eq!(table.says(Black, Command::Resume), Err(Refusal::NotSuspended));
        table.play(2_000, "Nf3");
        assert_eq!(table.left_ms(), [895_000, 899_000]);
    }
}

#[test]
fn l62_an_adjourned_game_goes_on_when_both_are_there_and_one_asks() {
    for profile in [Profile::Online, Profile::Classic] {
        let mut table = open_game(profile, "15+0");
        agree(&mut table, Black, Proposal::Adjournment);
        assert_eq!(table.house(Command::Left(White)), Ok(()));
        assert_eq!(table.house(Command::Left(Black)), Ok(()));
        assert_eq!(table.game.deadline(), None);
        table.wait_ms(86_400_000).assert_stands(OPEN_GAME, [899_000, 899_000]);
        assert_eq!(table.house(Command::Returned(Black)), Ok(()));
        assert_eq!(table.says(Black, Command::Resume), Err(Refusal::StillAway { side: White }));
        assert_eq!(table.house(Command::Returned(White)), Ok(()));
        assert_eq!(table.says(Black, Command::Resume), Ok(()));
        table.play(1_000, "Nf3");
        assert_eq!(table.left_ms(), [898_000, 899_000]);
    }
}

/// A tournament game about to be adjourned: White is to seal a move.
fn about_to_seal() -> Table {
    let mut table = open_game(Profile::Tournament, "15+10");
    agree(&mut table, Black, Proposal::Adjournment);
    assert_eq!(table.game.envelope(), Some((White, false)));
    table
}

fn seal(table: &mut Table, text: &str) {
    assert_eq!(table.says(White, Command::Seal(carry(text))), Ok(()));
}

#[test]
fn l62_under_tournament_the_side_to_move_seals_and_the_move_is_made_on_resumption() {
    let mut table = about_to_seal();
    // The clock runs on; nothing is played.
    let nf3 = Command::Move(table.san("Nf3"));
    assert_eq!(table.wait_ms(1_000).says(White, nf3), Err(Refusal::SealInstead));
    let not_yours = Err(Refusal::NotYourEnvelope { sealer: White });
    assert_eq!(table.says(Black, Command::Seal(carry("e7e6"))), not_yours.clone());
    assert_eq!(table.says(White, Command::CloseEnvelope), Err(Refusal::EnvelopeIsEmpty));
    // Until the clock stops it may be changed.
    seal(&mut table, "d2d4");
    seal(&mut table, "g1f3");
    assert_eq!(table.says(Black, Command::CloseEnvelope), not_yours);
    assert_eq!(table.wait_ms(2_000).says(White, Command::CloseEnvelope), Ok(()));
    let adjourned = Refusal::Suspended { why: Suspension::Adjournment };
    assert_eq!(table.says(White, Command::Seal(carry("d2d4"))), Err(adjourned));
    assert_eq!(table.game.envelope(), Some((White, true)));
    table.wait_ms(86_400_000).assert_stands(OPEN_GAME, [906_000, 909_000]);
    assert_eq!(table.says(Black, Command::Resume), Ok(()));
    // The move is completed, with its increment, and Black's clock runs.
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    table.assert_stands(board, [916_000, 909_000]);
    assert_eq!((table.game.envelope(), table.game.suspension()), (None, None));
    assert_eq!(table.wait_ms(4_000).left_ms(), [916_000, 905_000]);
    table.play(0, "Nc6");
    let text = record::pgn(&table.record, &Roster::default(), &[]).expect("a record");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("White seals a move. The game is adjourned."), "{text}");
    assert!(text.contains("2. Nf3 {[%clk 0:15:16] The game goes on with the sealed move Nf3.}"), "{text}");
}

#[test]
fn l62_a_sealed_move_that_is_illegal_loses() {
    for text in ["e4e6", "h1h5", "e7e5", "d5d6"] {
        let mut table = about_to_seal();
        seal(&mut table, text);
        assert_eq!(table.says(White, Command::CloseEnvelope), Ok(()));
        assert_eq!(table.game.result(), None, "nobody looks before");
        assert_eq!(table.says(White, Command::Resume), Ok(()));
        let sentence = "Black wins: White's sealed move was illegal (FIDE G.I)";
        table.assert_ended(OPEN_GAME, [909_000, 909_000], "0-1", sentence);
    }
    // Against who can no longer mate it is a draw.
    let mut table = Table::of(Profile::Tournament, "15+10");
    table.play(0, BARE_BLACK_KING).play(0, "Kh7");
    agree(&mut table, Black, Proposal::Adjournment);
    seal(&mut table, "a2a5");
    assert_eq!(table.says(White, Command::CloseEnvelope), Ok(()));
    assert_eq!(table.says(White, Command::Resume), Ok(()));
    assert_eq!(
        table.game.result().unwrap().to_string(),
        "Draw: White's sealed move was illegal, but Black can no longer mate (FIDE G.I)"
    );
}

#[test]
fn l62_l13_a_sealed_mate_mates() {
    let mut table = Table::of(Profile::Tournament, "15+0");
    table.play(1_000, "f3 e5 g4");
    agree(&mut table, White, Proposal::Adjournment);
    assert_eq!(table.says(Black, Command::Seal(carry("d8h4"))), Ok(()));
    assert_eq!(table.says(Black, Command::CloseEnvelope), Ok(()));
    assert_eq!(table.says(White, Command::Resume), Ok(()));
    table.assert_ended(
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        [898_000, 899_000],
        "0-1",
        "Black wins: White is checkmated (FIDE 5.1.1)",
    );
}

#[test]
fn l62_a_draw_or_a_resignation_before_resumption_ends_the_game() {
    let mut table = about_to_seal();
    seal(&mut table, "g1f3");
    assert_eq!(table.says(White, Command::CloseEnvelope), Ok(()));
    let mut resigned = table.clone();
    assert_eq!(resigned.wait_ms(3_600_000).says(Black, Command::Resign), Ok(()));
    let sentence = "White wins: Black resigned (FIDE 5.1.2)";
    resigned.assert_ended(OPEN_GAME, [909_000, 909_000], "1-0", sentence);
    agree(table.wait_ms(3_600_000), White, Proposal::Draw);
    let sentence = "Draw: both players agreed (FIDE 5.2.3)";
    table.assert_ended(OPEN_GAME, [909_000, 909_000], "1/2-1/2", sentence);
}

#[test]
fn l62_who_does_not_seal_loses_on_time() {
    let mut table = about_to_seal();
    seal(&mut table, "g1f3");
    assert!(table.wait_ms(1_000_000).tick());
    let sentence = "Black wins: White's flag fell (FIDE 6.9)";
    table.assert_ended(OPEN_GAME, [0, 909_000], "0-1", sentence);
}

#[test]
fn l62_l31_the_men_touched_bind_the_sealed_move() {
    let mut table = about_to_seal();
    assert_eq!(table.says(White, Command::Touch("g1".parse().unwrap())), Ok(()));
    let refused = table.says(White, Command::Seal(carry("d2d4")));
    assert_eq!(refused.unwrap_err().to_string(), "you have touched the knight on g1: it must move");
    seal(&mut table, "g1h3");
}

#[test]
fn l62_a_sealed_move_is_not_changed_without_end() {
    let mut table = about_to_seal();
    for _ in 0..4 {
        seal(&mut table, "g1f3");
        seal(&mut table, "d2d4");
    }
    assert_eq!(table.says(White, Command::Seal(carry("g1f3"))), Err(Refusal::NotRecorded));
    assert_eq!(table.says(White, Command::CloseEnvelope), Ok(()));
    assert_eq!(table.says(White, Command::Seal(carry("g1f3"))).unwrap_err().law(), "L55");
    let mut other = open_game(Profile::Online, "15+0");
    assert_eq!(other.says(White, Command::Seal(carry("g1f3"))), Err(Refusal::NothingToSeal));
    assert_eq!(other.says(White, Command::CloseEnvelope), Err(Refusal::NothingToSeal));
}

#[test]
fn l62_neither_a_pause_nor_a_call_takes_the_envelope_away() {
    for is_a_call in [false, true] {
        let mut table = about_to_seal();
        seal(&mut table, "g1f3");
        if is_a_call {
            let reason = "he talks".parse().expect("a reason");
            assert_eq!(table.says(Black, Command::CallArbiter(reason)), Ok(()));
        } else {
            agree(&mut table, White, Proposal::Pause);
        }
        assert_eq!(table.says(Black, Command::Resume), Ok(()));
        assert_eq!(table.game.envelope(), Some((White, true)));
        assert_eq!(table.says(White, Command::CloseEnvelope), Ok(()));
        assert_eq!(table.game.suspension(), Some(Suspension::Adjournment));
    }
}
