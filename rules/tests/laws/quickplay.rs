//! The quickplay finish (L27): what a player short of time may ask for in the last period.

use crate::games::BARE_BLACK_KING;
use crate::table::Table;
use chatrang_rules::color::Color::{Black, White};
use chatrang_rules::game::{
    Claim, Command, GameInstant, Matter, Millis, Order, Profile, QuickplayClaim, Refusal, Stamp, Suspension,
    Terms,
};

const OPEN_GAME: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const KNIGHT_OUT: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
const NOT_BY_NORMAL_MEANS: &str = "Draw: not to be won by normal means (FIDE G.III.5)";

const ASK: Command = Command::AskIncrement;
const CLAIM: Command = Command::ClaimNoWinning;

/// The clocks stand still for the arbiter, who is to decide White's claim of a draw.
const WHITE_CLAIMS: Option<Suspension> =
    Some(Suspension::Claim { by: White, claim: QuickplayClaim::NoWinning });

/// White is to move after 1.e4 e5 and has 1:59.999 left of half an hour, Black 29:59.
fn short_of_time(profile: Profile) -> Table {
    let mut table = Table::of(profile, "30+0");
    table.play(1_000, "e4 e5").wait_ms(1_679_001);
    table
}

/// The same, the claim of a draw waiting for the arbiter: under `tournament` after an increment was refused.
fn draw_claimed(profile: Profile) -> Table {
    let mut table = short_of_time(profile);
    if profile == Profile::Tournament {
        table.says(White, ASK).unwrap();
        table.rules(Order::Reject).unwrap();
    }
    table.says(White, CLAIM).unwrap();
    assert_eq!(table.game.suspension(), WHITE_CLAIMS);
    table
}

#[test]
fn l27_online_there_is_no_quickplay_finish() {
    let mut table = short_of_time(Profile::Online);
    assert_eq!(table.says(White, ASK), Err(Refusal::QuickplayOff));
    assert_eq!(table.says(White, CLAIM), Err(Refusal::QuickplayOff));
    table.assert_stands(OPEN_GAME, [119_999, 1_799_000]);
}

#[test]
fn l27_only_under_two_minutes_on_the_own_turn_and_before_the_flag_falls() {
    for (profile, command) in [(Profile::Tournament, ASK), (Profile::Classic, CLAIM)] {
        let mut table = Table::of(profile, "30+0");
        table.play(1_000, "e4 e5").wait_ms(1_679_000);
        let left = Millis(120_000);
        assert_eq!(table.says(White, command.clone()), Err(Refusal::NotShortOfTime { left }));
        table.wait_ms(1);
        assert_eq!(table.says(Black, command.clone()), Err(Refusal::NotYourTurn { to_move: White }));
        let claim = if command == ASK { Claim::Increment } else { Claim::NoWinning };
        assert_eq!(table.game.claims(White, Stamp::at_ms(table.now_ms)), [claim]);
        table.wait_ms(119_998).says(White, command).unwrap();
        table.assert_stands(OPEN_GAME, [1, 1_799_000]);
    }
    let mut down = short_of_time(Profile::Classic);
    assert_eq!(down.wait_ms(119_999).says(White, CLAIM), Err(Refusal::OwnFlagDown));
    down.assert_stands(OPEN_GAME, [0, 1_799_000]);
}

#[test]
fn l27_not_in_blitz_and_not_with_an_increment() {
    for (control, thought_ms) in [("5+0", 200_000), ("30+5", 1_700_000)] {
        for (profile, command) in [(Profile::Tournament, ASK), (Profile::Classic, CLAIM)] {
            let mut table = Table::of(profile, control);
            table.play(1_000, "e4 e5").wait_ms(thought_ms);
            assert_eq!(table.says(White, command), Err(Refusal::NoQuickplayFinish));
            assert_eq!(table.game.suspension(), None);
        }
    }
}

#[test]
fn l27_without_an_arbiter_named_the_claim_is_refused_with_that_reason() {
    for (profile, command) in [(Profile::Tournament, ASK), (Profile::Classic, CLAIM)] {
        let mut table = Table::on(Terms::of(profile, "30+0".parse().unwrap()));
        table.play(1_000, "e4 e5").wait_ms(1_679_001);
        let refusal = table.says(White, command).unwrap_err();
        assert_eq!(refusal, Refusal::NoArbiter);
        assert_eq!(refusal.to_string(), "this game has no arbiter to turn to");
        table.assert_stands(OPEN_GAME, [119_999, 1_799_000]);
    }
}

#[test]
fn l27_a_an_increment_is_asked_for_first_and_is_an_offer_of_a_draw() {
    let mut table = short_of_time(Profile::Tournament);
    assert_eq!(table.says(White, CLAIM), Err(Refusal::AskIncrementFirst));
    table.says(White, ASK).unwrap();
    // The clocks have stopped, and nobody moves.
    let why = Suspension::Claim { by: White, claim: QuickplayClaim::Increment };
    let mv = Command::Move(table.san("Nf3"));
    assert_eq!(table.wait_ms(599_999).says(White, mv), Err(Refusal::Suspended { why }));
    assert_eq!(table.says(White, Command::Resume), Err(Refusal::Suspended { why }));
    table.assert_stands(OPEN_GAME, [119_999, 1_799_000]);
    table.says(Black, Command::Accept(Matter::Draw)).unwrap();
    table.assert_ended(OPEN_GAME, [119_999, 1_799_000], "1/2-1/2", "Draw: both players agreed (FIDE 5.2.3)");
}

#[test]
fn l27_a_granted_both_get_five_seconds_a_move_and_the_opponent_two_minutes() {
    let mut table = short_of_time(Profile::Tournament);
    table.says(White, ASK).unwrap();
    table.says(Black, Command::Decline(Matter::Draw)).unwrap();
    assert_eq!(table.rules(Order::Postpone { bonus: Millis::ZERO }), Err(Refusal::NotPostponed));
    table.wait_ms(30_000).rules(Order::Grant).unwrap();
    table.assert_stands(OPEN_GAME, [119_999, 1_919_000]);
    table.play(1_000, "Nf3");
    table.assert_stands(KNIGHT_OUT, [123_999, 1_919_000]);
    table.play(2_000, "Nc6");
    let board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    table.assert_stands(board, [123_999, 1_922_000]);
    table.wait_ms(60_000);
    assert_eq!(table.says(White, ASK), Err(Refusal::IncrementWasAsked));
    assert_eq!(table.says(White, CLAIM), Err(Refusal::NoQuickplayFinish), "there is an increment now");
}

#[test]
fn l27_a_refused_by_the_arbiter_gives_nobody_anything_and_then_a_draw_may_be_claimed() {
    let mut table = short_of_time(Profile::Tournament);
    table.says(White, ASK).unwrap();
    table.wait_ms(30_000).rules(Order::Reject).unwrap();
    table.assert_stands(OPEN_GAME, [119_999, 1_799_000]);
    assert_eq!(table.says(White, ASK), Err(Refusal::IncrementWasAsked));
    table.wait_ms(999).says(White, CLAIM).unwrap();
    table.assert_stands(OPEN_GAME, [119_000, 1_799_000]);
}

#[test]
fn l27_b_granted_the_game_is_drawn() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        table.wait_ms(30_000).rules(Order::Grant).unwrap();
        table.assert_ended(OPEN_GAME, [119_999, 1_799_000], "1/2-1/2", NOT_BY_NORMAL_MEANS);
    }
}

#[test]
fn l27_b_the_claim_is_an_offer_and_only_the_draw_claim_is_there_in_classic() {
    let mut table = short_of_time(Profile::Classic);
    assert_eq!(table.says(White, ASK), Err(Refusal::NoIncrementToAsk));
    table.says(White, CLAIM).unwrap();
    table.says(Black, Command::Accept(Matter::Draw)).unwrap();
    table.assert_ended(OPEN_GAME, [119_999, 1_799_000], "1/2-1/2", "Draw: both players agreed (FIDE 5.2.3)");
}

#[test]
fn l27_b_rejected_the_opponent_gets_two_minutes_in_rapid_too() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        table.wait_ms(30_000).rules(Order::Reject).unwrap();
        table.assert_stands(OPEN_GAME, [119_999, 1_919_000]);
        table.play(1_000, "Nf3");
        table.assert_stands(KNIGHT_OUT, [118_999, 1_919_000]);
        assert_eq!(table.game.claim_that_waits(), None);
    }
}

#[test]
fn l27_b_postponed_the_game_goes_on_and_a_claim_waits_meanwhile() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        table.rules(Order::Postpone { bonus: Millis(120_000) }).unwrap();
        table.assert_stands(OPEN_GAME, [119_999, 1_919_000]);
        table.wait_ms(1_000);
        assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimWaits));
        table.play(0, "Nf3");
        table.assert_stands(KNIGHT_OUT, [118_999, 1_919_000]);
        table.rules(Order::Grant).unwrap();
        table.assert_ended(KNIGHT_OUT, [118_999, 1_919_000], "1/2-1/2", NOT_BY_NORMAL_MEANS);
    }
}

/// The flag of the side to move falls while the claim is postponed: the clocks stop for the ruling.
fn flag_falls(table: &mut Table, profile: Profile) {
    let mover = table.game.position().turn();
    table.wait_ms(2_000_000);
    if profile == Profile::Classic {
        assert!(!table.tick(), "nobody has claimed it");
        table.says(!mover, Command::ClaimFlag).unwrap();
    } else {
        assert!(table.tick());
    }
    assert_eq!(table.game.suspension(), WHITE_CLAIMS);
    let a_day_from_now = table.now_ms + 24 * 60 * 60 * 1_000;
    assert_eq!(table.game.deadline(), Some(GameInstant(a_day_from_now)));
}

#[test]
fn l27_b_postponed_the_claimants_flag_waits_for_the_ruling() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        table.rules(Order::Postpone { bonus: Millis::ZERO }).unwrap();
        flag_falls(&mut table, profile);
        table.assert_stands(OPEN_GAME, [0, 1_799_000]);
        assert_eq!(table.rules(Order::NoteFlag), Err(Refusal::ClaimWaits));
        let mut rejected = table.clone();
        table.wait_ms(30_000).rules(Order::Grant).unwrap();
        table.assert_ended(OPEN_GAME, [0, 1_799_000], "1/2-1/2", NOT_BY_NORMAL_MEANS);

        rejected.wait_ms(30_000).rules(Order::Reject).unwrap();
        let sentence = "Black wins: White's flag fell (FIDE 6.9)";
        rejected.assert_ended(OPEN_GAME, [0, 1_799_000], "0-1", sentence);
    }
}

#[test]
fn l27_b_postponed_the_opponents_flag_waits_for_the_ruling_too() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        table.rules(Order::Postpone { bonus: Millis::ZERO }).unwrap();
        table.play(1_000, "Nf3");
        flag_falls(&mut table, profile);
        table.assert_stands(KNIGHT_OUT, [118_999, 0]);
        let mut rejected = table.clone();
        table.rules(Order::Grant).unwrap();
        table.assert_ended(KNIGHT_OUT, [118_999, 0], "1/2-1/2", NOT_BY_NORMAL_MEANS);

        rejected.rules(Order::Reject).unwrap();
        let sentence = "White wins: Black's flag fell (FIDE 6.9)";
        rejected.assert_ended(KNIGHT_OUT, [118_999, 0], "1-0", sentence);
    }
}

#[test]
fn l27_b_rejected_after_the_flag_it_is_a_draw_when_the_opponent_can_no_longer_mate() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = Table::of(profile, "30+0");
        table.play(1_000, BARE_BLACK_KING).play(1_000, "Kh7").wait_ms(1_700_000);
        if profile == Profile::Tournament {
            table.says(White, ASK).unwrap();
            table.rules(Order::Reject).unwrap();
        }
        table.says(White, CLAIM).unwrap();
        table.rules(Order::Postpone { bonus: Millis::ZERO }).unwrap();
        flag_falls(&mut table, profile);
        table.rules(Order::Reject).unwrap();
        table.assert_ended(
            "Q4Q2/6Bk/8/1N6/8/8/PPP1PPBP/R3K1NR w KQ - 1 17",
            [0, 1_784_000],
            "1/2-1/2",
            "Draw: White's flag fell, but Black can no longer mate (FIDE 6.9)",
        );
    }
}

#[test]
fn l27_b_a_ruling_on_a_postponed_claim_ends_no_pause_for_another_reason() {
    let mut table = draw_claimed(Profile::Tournament);
    table.rules(Order::Postpone { bonus: Millis::ZERO }).unwrap();
    table.rules(Order::Pause).unwrap();
    table.wait_ms(30_000).rules(Order::Reject).unwrap();
    assert_eq!(table.game.suspension(), Some(Suspension::Arbiter));
    table.wait_ms(30_000).assert_stands(OPEN_GAME, [119_999, 1_919_000]);
    table.rules(Order::Resume).unwrap();
    table.play(1_000, "Nf3");
    table.assert_stands(KNIGHT_OUT, [118_999, 1_919_000]);
}

#[test]
fn l27_a_claim_that_nobody_decides_waits_while_the_game_goes_on() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        assert!(!table.wait_ms(599_999).tick());
        assert!(table.wait_ms(1).tick(), "ten minutes after the claim");
        table.assert_stands(OPEN_GAME, [119_999, 1_799_000]);
        assert_eq!(table.says(White, CLAIM), Err(Refusal::ClaimWaits));
        table.play(1_000, "Nf3");
        let mut granted = table.clone();
        granted.rules(Order::Grant).unwrap();
        granted.assert_ended(KNIGHT_OUT, [118_999, 1_799_000], "1/2-1/2", NOT_BY_NORMAL_MEANS);
    }
    // An increment that nobody grants is refused.
    let mut table = short_of_time(Profile::Tournament);
    table.says(White, ASK).unwrap();
    assert!(table.wait_ms(600_000).tick());
    assert_eq!((table.game.suspension(), table.game.claim_that_waits()), (None, None));
    table.says(White, CLAIM).unwrap();
}

#[test]
fn l27_a_flag_does_not_wait_for_ever_for_who_does_not_come() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = draw_claimed(profile);
        assert!(table.wait_ms(600_000).tick());
        flag_falls(&mut table, profile);
        assert!(!table.wait_ms(86_399_999).tick());
        // Not even a move that comes at that very moment is before the flag.
        let nf3 = Command::Move(table.san("Nf3"));
        assert!(table.wait_ms(1).says(White, nf3).is_err());
        table.assert_ended(OPEN_GAME, [0, 1_799_000], "0-1", "Black wins: White's flag fell (FIDE 6.9)");
    }
}

#[test]
fn l27_a_flag_that_waits_for_the_ruling_is_claimed_once() {
    let mut table = draw_claimed(Profile::Classic);
    table.rules(Order::Postpone { bonus: Millis::ZERO }).unwrap();
    flag_falls(&mut table, Profile::Classic);
    let events = table.record.len();
    for by in [Black, White] {
        assert_eq!(table.says(by, Command::ClaimFlag), Err(Refusal::ClaimWaits));
    }
    assert_eq!(table.record.len(), events);
}
