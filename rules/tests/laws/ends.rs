//! How a game ends: on the board, by a player's word, by the clock, by the arbiter (L13-L16, L24-L26,
//! L28, L29).
//!
//! Which positions are dead and who can still mate (L16, L24) is tested against whole sets of positions in
//! `tests/mating.rs`; here it is asked at the board.

use crate::games::{
    ALMOST_STALEMATE, BARE_BLACK_KING, BISHOPS_OF_ONE_COLOUR_TO_COME, KNIGHT_AGAINST_QUEEN,
    KNIGHT_AGAINST_ROOK,
};
use crate::table::{Table, carry};
use chatrang_rules::color::ByColor;
use chatrang_rules::color::Color::{Black, White};
use chatrang_rules::game::{Action, Command, Matter, Millis, Order, Profile, Proposal, Refusal, Terms};
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::outcome::{Detail, GameResult, Outcome, Score, Termination};
use chatrang_rules::record;

const OPEN_GAME: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const FOOLS_MATE: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const BEFORE_FOOLS_MATE: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
const STALEMATE: &str = "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10";
const BARE_KING: &str = "Q4Qk1/6B1/8/1N6/8/8/PPP1PPBP/R3K1NR b KQ - 0 16";
const BARE_KING_WHITE_TO_MOVE: &str = "Q4Q2/6Bk/8/1N6/8/8/PPP1PPBP/R3K1NR w KQ - 1 17";

#[test]
fn l13_a_legal_mating_move_ends_the_game_when_made() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+3");
        table.play(1_000, "f3 e5 g4 Qh4#");
        let sentence = "Black wins: White is checkmated (FIDE 5.1.1)";
        table.assert_ended(FOOLS_MATE, [304_000, 304_000], "0-1", sentence);
    }
}

#[test]
fn l13_mate_beats_a_flag_that_the_server_has_not_seen_down() {
    for profile in [Profile::Online, Profile::Tournament] {
        let mut table = Table::of(profile, "10+0");
        table.play(1_000, "f3 e5 g4");
        let mut late = table.clone();
        table.play(598_999, "Qh4#");
        let sentence = "Black wins: White is checkmated (FIDE 5.1.1)";
        table.assert_ended(FOOLS_MATE, [598_000, 1], "0-1", sentence);

        let mate = Command::Move(late.san("Qh4#"));
        let answer = late.wait_ms(599_000).says(Black, mate);
        assert_eq!(answer, Err(Refusal::GameOver(GameResult::win(White, Termination::FlagFall))));
        let sentence = "White wins: Black's flag fell (FIDE 6.9)";
        late.assert_ended(BEFORE_FOOLS_MATE, [598_000, 0], "1-0", sentence);
    }
}

#[test]
fn l13_mate_and_l14_to_l17_beat_a_flag_that_nobody_has_claimed() {
    let mut mate = Table::of(Profile::Classic, "10+0");
    mate.play(1_000, "f3 e5 g4").play(700_000, "Qh4#");
    mate.assert_ended(FOOLS_MATE, [598_000, 0], "0-1", "Black wins: White is checkmated (FIDE 5.1.1)");

    let mut resigned = Table::of(Profile::Classic, "10+0");
    resigned.play(1_000, "f3 e5 g4").wait_ms(700_000).says(White, Command::Resign).unwrap();
    resigned.assert_ended(BEFORE_FOOLS_MATE, [598_000, 0], "0-1", "Black wins: White resigned (FIDE 5.1.2)");

    let mut stalemate = Table::of(Profile::Classic, "10+0");
    stalemate.play(100_000, ALMOST_STALEMATE).play(100_000, "Qe6");
    stalemate.assert_ended(STALEMATE, [0, 0], "1/2-1/2", "Draw: stalemate (FIDE 5.2.1)");

    let mut dead = Table::of(Profile::Classic, "10+0");
    dead.play(100_000, BISHOPS_OF_ONE_COLOUR_TO_COME).play(1_000, "Kxf7");
    let sentence = "Draw: neither side can mate any more (FIDE 5.2.2)";
    dead.assert_ended("8/5k2/8/8/6b1/8/4BK2/8 w - - 0 17", [0, 0], "1/2-1/2", sentence);

    let mut agreed = Table::of(Profile::Classic, "10+0");
    agreed.play(700_000, "e4 e5").says(White, Command::Propose(Proposal::Draw)).unwrap();
    agreed.says(Black, Command::Accept(Matter::Draw)).unwrap();
    agreed.assert_ended(OPEN_GAME, [0, 0], "1/2-1/2", "Draw: both players agreed (FIDE 5.2.3)");
}

#[test]
fn l14_who_resigns_has_lost_also_out_of_turn() {
    for profile in Profile::ALL {
        for (loser, score, sentence) in [
            (White, "0-1", "Black wins: White resigned (FIDE 5.1.2)"),
            (Black, "1-0", "White wins: Black resigned (FIDE 5.1.2)"),
        ] {
            let mut table = Table::of(profile, "5+3");
            table.play(1_000, "e4 e5").wait_ms(500).says(loser, Command::Resign).unwrap();
            table.assert_ended(OPEN_GAME, [301_500, 302_000], score, sentence);
        }
    }
}

#[test]
fn l14_who_resigns_to_one_who_can_no_longer_mate_draws() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "10+0");
        table.play(1_000, BARE_BLACK_KING);
        let mut other = table.clone();
        table.says(White, Command::Resign).unwrap();
        let sentence = "Draw: White resigned, but Black can no longer mate (FIDE 5.1.2)";
        table.assert_ended(BARE_KING, [584_000, 585_000], "1/2-1/2", sentence);

        other.says(Black, Command::Resign).unwrap();
        let sentence = "White wins: Black resigned (FIDE 5.1.2)";
        other.assert_ended(BARE_KING, [584_000, 585_000], "1-0", sentence);
    }
}

#[test]
fn l14_resigning_is_possible_while_the_clocks_are_stopped() {
    let mut table = Table::of(Profile::Tournament, "10+0");
    table.play(1_000, "e4 e5").rules(Order::Pause).unwrap();
    table.wait_ms(5_000).says(White, Command::Resign).unwrap();
    table.assert_ended(OPEN_GAME, [599_000, 599_000], "0-1", "Black wins: White resigned (FIDE 5.1.2)");
}

#[test]
fn l15_stalemate_is_a_draw_at_once() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+3");
        table.play(1_000, ALMOST_STALEMATE).play(1_000, "Qe6");
        table.assert_ended(STALEMATE, [320_000, 318_000], "1/2-1/2", "Draw: stalemate (FIDE 5.2.1)");
    }
}

#[test]
fn l16_a_dead_position_is_a_draw_at_once() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "10+0");
        table.play(1_000, BISHOPS_OF_ONE_COLOUR_TO_COME);
        table.assert_stands("5k2/5R2/8/8/6b1/8/4BK2/8 b - - 0 16", [584_000, 585_000]);
        table.play(1_000, "Kxf7");
        let sentence = "Draw: neither side can mate any more (FIDE 5.2.2)";
        table.assert_ended("8/5k2/8/8/6b1/8/4BK2/8 w - - 0 17", [584_000, 584_000], "1/2-1/2", sentence);
    }
}

#[test]
fn l24_a_flag_the_server_notices_falls_by_itself() {
    for profile in [Profile::Online, Profile::Tournament] {
        let mut table = Table::of(profile, "5+0");
        table.play(1_000, "e4 e5 Nf3");
        assert_eq!(table.says(White, Command::ClaimFlag), Err(Refusal::FlagsAreNoticed));
        // At zero it waits for a move that may be under way, but no longer than lag is credited (L54).
        assert!(!table.wait_ms(299_000 + 1_999).tick());
        assert!(table.wait_ms(1).tick());
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        table.assert_ended(board, [298_000, 0], "1-0", "White wins: Black's flag fell (FIDE 6.9)");
    }
}

#[test]
fn l24_in_classic_a_flag_counts_when_it_is_claimed() {
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let mut table = Table::of(Profile::Classic, "30+0");
    table.play(1_000, "e4 e5 Nf3");
    assert_eq!(table.wait_ms(1_798_999).says(White, Command::ClaimFlag), Err(Refusal::FlagNotDown));
    assert!(!table.wait_ms(100_000).tick(), "nobody has claimed it");
    table.assert_stands(board, [1_798_000, 0]);
    assert_eq!(table.says(Black, Command::ClaimFlag), Err(Refusal::FlagNotDown), "his own is no claim");
    let mut noted = table.clone();
    table.says(White, Command::ClaimFlag).unwrap();
    table.assert_ended(board, [1_798_000, 0], "1-0", "White wins: Black's flag fell (FIDE 6.9)");

    // In a rapid game the arbiter looks only when he was called.
    assert_eq!(noted.rules(Order::NoteFlag), Err(Refusal::NotCalled));
    let reason = "his flag is down".parse().expect("a reason");
    noted.says(White, Command::CallArbiter(reason)).unwrap();
    noted.rules(Order::NoteFlag).unwrap();
    noted.assert_ended(board, [1_798_000, 0], "1-0", "White wins: Black's flag fell (FIDE 6.9)");
}

/// The flag of the side to move falls, and counts.
fn flag_falls(table: &mut Table, profile: Profile) {
    let mover = table.game.position().turn();
    table.wait_ms(600_000);
    if profile == Profile::Classic {
        table.says(!mover, Command::ClaimFlag).unwrap();
    } else {
        assert!(table.tick());
    }
}

#[test]
fn l24_a_fallen_flag_is_a_draw_when_the_opponent_can_no_longer_mate() {
    let knight_and_queen = "6k1/8/8/8/8/2N5/q7/4K3 b - - 1 17";
    let knight_and_rook = "8/5k2/8/8/8/2N5/1r6/5K2 b - - 1 17";
    let white_lost = "Draw: White's flag fell, but Black can no longer mate (FIDE 6.9)";
    let black_lost = "Draw: Black's flag fell, but White can no longer mate (FIDE 6.9)";
    let white_wins = "White wins: Black's flag fell (FIDE 6.9)";
    for profile in Profile::ALL {
        for (moves, last, board, left_ms, score, sentence) in [
            (BARE_BLACK_KING, "Kh7", BARE_KING_WHITE_TO_MOVE, [0, 584_000], "1/2-1/2", white_lost),
            (KNIGHT_AGAINST_QUEEN, "Nc3", knight_and_queen, [583_000, 0], "1/2-1/2", black_lost),
            (KNIGHT_AGAINST_ROOK, "Nc3", knight_and_rook, [583_000, 0], "1-0", white_wins),
        ] {
            let mut table = Table::of(profile, "10+0");
            table.play(1_000, moves).play(1_000, last);
            flag_falls(&mut table, profile);
            table.assert_ended(board, left_ms, score, sentence);
        }
    }
}

#[test]
fn l25_with_both_flags_down_nobody_knows_which_fell_first() {
    let mut table = Table::of(Profile::Classic, "90+0");
    table.play(5_500_000, "e4 e5");
    table.assert_stands(OPEN_GAME, [0, 0]);
    for claimant in [White, Black] {
        let mut claimed = table.clone();
        claimed.says(claimant, Command::ClaimFlag).unwrap();
        claimed.assert_ended(OPEN_GAME, [0, 0], "1/2-1/2", "Draw: both flags are down (FIDE G.III.3)");
    }
    table.rules(Order::NoteFlag).unwrap();
    table.assert_ended(OPEN_GAME, [0, 0], "1/2-1/2", "Draw: both flags are down (FIDE G.III.3)");
}

#[test]
fn l25_before_the_last_period_play_goes_on_and_the_next_move_is_the_first_of_the_new_one() {
    for claimant in [White, Black] {
        let mut table = Table::of(Profile::Classic, "40/90,30");
        table.play(5_500_000, "e4 e5").says(claimant, Command::ClaimFlag).unwrap();
        assert_eq!(table.record.last().map(|event| &event.action), Some(&Action::BothFlagsDown));
        table.assert_stands(OPEN_GAME, [1_800_000, 1_800_000]);
        assert_eq!(table.says(claimant, Command::ClaimFlag), Err(Refusal::FlagNotDown));
        table.play(1_000, "Nf3");
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        table.assert_stands(board, [1_799_000, 1_800_000]);
        // That was the last period: the next time both are down it is a draw.
        table.play(2_000_000, "Nc6 Nc3").says(claimant, Command::ClaimFlag).unwrap();
        let board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 3 3";
        table.assert_ended(board, [0, 0], "1/2-1/2", "Draw: both flags are down (FIDE G.III.3)");
    }
}

#[test]
fn l25_who_claims_with_his_own_flag_down_alone_claims_nothing() {
    let mut table = Table::of(Profile::Classic, "90+0");
    table.play(5_500_000, "e4").play(1_000, "e5");
    assert_eq!(table.says(White, Command::ClaimFlag), Err(Refusal::FlagNotDown));
    table.assert_stands(OPEN_GAME, [0, 5_399_000]);
}

#[test]
fn l26_a_loss_by_illegal_moves_is_a_draw_when_the_opponent_can_no_longer_mate() {
    let sentence = "Draw: White has lost by illegal moves, but Black can no longer mate (FIDE 7.5.5)";
    for (profile, lost_at, black_ms) in
        [(Profile::Tournament, 2, 884_000 + 60_000), (Profile::Classic, 3, 884_000)]
    {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, BARE_BLACK_KING).play(1_000, "Kh7");
        for _ in 1..lost_at {
            table.says(White, Command::Move(carry("f8e6"))).unwrap();
        }
        table.assert_stands(BARE_KING_WHITE_TO_MOVE, [884_000, black_ms]);
        table.says(White, Command::Move(carry("f8e6"))).unwrap();
        table.assert_ended(BARE_KING_WHITE_TO_MOVE, [884_000, black_ms], "1/2-1/2", sentence);
    }
}

#[test]
fn l26_a_loss_by_illegal_moves_is_lost_when_the_opponent_can_mate() {
    for (profile, lost_at, white_ms) in
        [(Profile::Tournament, 2, 884_000 + 60_000), (Profile::Classic, 3, 884_000)]
    {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, BARE_BLACK_KING);
        for _ in 0..lost_at {
            table.says(Black, Command::Move(carry("g8h8"))).unwrap();
        }
        let sentence = "White wins: Black has lost by illegal moves (FIDE 7.5.5)";
        table.assert_ended(BARE_KING, [white_ms, 885_000], "1-0", sentence);
    }
    let mut online = Table::of(Profile::Online, "15+0");
    online.play(1_000, BARE_BLACK_KING);
    for _ in 0..4 {
        assert!(matches!(online.says(Black, Command::Move(carry("g8h8"))), Err(Refusal::IllegalMove(_))));
    }
    online.assert_stands(BARE_KING, [884_000, 885_000]);
}

#[test]
fn l26_a_loss_declared_by_the_arbiter_stays_one_whoever_can_mate() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let mut table = Table::of(profile, "90+0");
        table.play(1_000, BARE_BLACK_KING);
        for (white, black, score, sentence) in [
            (Score::Zero, Score::One, "0-1", "Black wins: the arbiter has ruled so (FIDE 12.9)"),
            (Score::Zero, Score::Half, "0-1/2", "Scored 0-1/2: the arbiter has ruled so (FIDE 12.9)"),
            (Score::Zero, Score::Zero, "0-0", "Scored 0-0: the arbiter has ruled so (FIDE 12.9)"),
        ] {
            let mut ruled = table.clone();
            ruled.rules(Order::Declare { outcome: Outcome(ByColor { white, black }) }).unwrap();
            ruled.assert_ended(BARE_KING, [5_384_000, 5_385_000], score, sentence);
        }
    }
}

#[test]
fn l28_the_arbiter_gives_any_scores_but_more_than_a_point_for_both() {
    use Score::{Half, One, Zero};
    for (white, black, score) in [
        (One, Zero, Some("1-0")),
        (Zero, One, Some("0-1")),
        (Half, Half, Some("1/2-1/2")),
        (Zero, Zero, Some("0-0")),
        (Half, Zero, Some("1/2-0")),
        (Zero, Half, Some("0-1/2")),
        (One, One, None),
        (One, Half, None),
        (Half, One, None),
    ] {
        let mut table = Table::of(Profile::Tournament, "90+0");
        table.play(1_000, "e4 e5");
        let outcome = Outcome(ByColor { white, black });
        let answer = table.rules(Order::Declare { outcome });
        assert_eq!(answer, if score.is_some() { Ok(()) } else { Err(Refusal::NoSuchScore) });
        let Some(score) = score else {
            table.assert_stands(OPEN_GAME, [5_399_000, 5_399_000]);
            continue;
        };
        let result = table.game.result().unwrap();
        assert_eq!((result.score_text().as_str(), result.detail), (score, Detail::Plain));
        assert_eq!(result.termination, Termination::ArbiterRuling);

        let text = record::pgn(&table.record, &Roster::default(), &[]).unwrap();
        let held = matches!(score, "1-0" | "0-1" | "1/2-1/2");
        assert!(text.contains(&format!("[Result \"{}\"]", if held { score } else { "*" })), "{text}");
        assert_eq!(text.contains(&format!("[Score \"{score}\"]")), !held, "{text}");
    }
}

#[test]
fn l28_every_result_says_in_a_sentence_who_won_how_and_by_which_rule() {
    let draws = [
        (Termination::Stalemate, "Draw: stalemate (FIDE 5.2.1)"),
        (Termination::DeadPosition, "Draw: neither side can mate any more (FIDE 5.2.2)"),
        (Termination::Agreement, "Draw: both players agreed (FIDE 5.2.3)"),
        (Termination::ThreefoldRepetition, "Draw: the same position three times, claimed (FIDE 9.2)"),
        (Termination::FivefoldRepetition, "Draw: the same position five times (FIDE 9.6.1)"),
        (Termination::FiftyMoves, "Draw: fifty moves without a capture or a pawn's move, claimed (FIDE 9.3)"),
        (
            Termination::SeventyFiveMoves,
            "Draw: seventy-five moves without a capture or a pawn's move (FIDE 9.6.2)",
        ),
        (Termination::IllegalPosition, "Draw: the position stayed an illegal one (L43)"),
        (Termination::NormalMeans, "Draw: not to be won by normal means (FIDE G.III.5)"),
        (Termination::ArbiterRuling, "Draw: the arbiter has ruled so (FIDE 12.9)"),
    ];
    let wins = [
        (Termination::Checkmate, "White wins: Black is checkmated (FIDE 5.1.1)"),
        (Termination::Resignation, "White wins: Black resigned (FIDE 5.1.2)"),
        (Termination::FlagFall, "White wins: Black's flag fell (FIDE 6.9)"),
        (Termination::NoFirstMove, "White wins: Black was not at the board in time (FIDE 6.7.1)"),
        (Termination::IllegalMoves, "White wins: Black has lost by illegal moves (FIDE 7.5.5)"),
        (Termination::Absence, "White wins: a player was away too long (L60)"),
        (Termination::SealedIllegalMove, "White wins: Black's sealed move was illegal (FIDE G.I)"),
        (Termination::ArbiterRuling, "White wins: the arbiter has ruled so (FIDE 12.9)"),
    ];
    let none = [
        (Termination::Aborted, "No result: the game was aborted before both sides had moved (L29)"),
        (Termination::NoFirstMove, "No result: no first move in time (L29)"),
    ];
    for (termination, sentence) in draws {
        assert_eq!(GameResult::draw(termination).to_string(), sentence);
    }
    for (termination, sentence) in wins {
        assert_eq!(GameResult::win(White, termination).to_string(), sentence);
    }
    for (termination, sentence) in none {
        assert_eq!(GameResult::none(termination).to_string(), sentence);
    }
}

#[test]
fn l28_a_draw_that_counts_as_a_win_says_why_it_is_a_draw() {
    for (termination, detail, sentence) in [
        (
            Termination::Stalemate,
            Detail::DrawOdds { side: Black },
            "Black wins: stalemate (FIDE 5.2.1); a draw counts for Black",
        ),
        (
            Termination::FlagFall,
            Detail::OpponentCannotMate { side: Black },
            "Black wins: Black's flag fell, but White can no longer mate (FIDE 6.9); a draw counts for Black",
        ),
        (
            Termination::FlagFall,
            Detail::BothFlags,
            "Black wins: both flags are down (FIDE G.III.3); a draw counts for Black",
        ),
        (
            Termination::FivefoldRepetition,
            Detail::PerpetualCheck { side: White },
            "Black wins: the same position five times (FIDE 9.6.1), by perpetual check from White; \
             a draw counts for Black",
        ),
    ] {
        let result = GameResult { detail, ..GameResult::win(Black, termination) };
        assert_eq!(result.to_string(), sentence);
    }
}

#[test]
fn l28_l50_with_draw_odds_a_draw_is_won_and_told_as_what_it_is() {
    let mut table = Table::of(Profile::Online, "10+0/10+0=black");
    table.play(1_000, BARE_BLACK_KING);
    let mut resigned = table.clone();
    table.says(White, Command::Propose(Proposal::Draw)).unwrap();
    table.says(Black, Command::Accept(Matter::Draw)).unwrap();
    let sentence = "Black wins: both players agreed (FIDE 5.2.3); a draw counts for Black";
    table.assert_ended(BARE_KING, [584_000, 585_000], "0-1", sentence);

    resigned.says(White, Command::Resign).unwrap();
    let sentence = "Black wins: White resigned, but Black can no longer mate (FIDE 5.1.2); \
                    a draw counts for Black";
    resigned.assert_ended(BARE_KING, [584_000, 585_000], "0-1", sentence);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KINGS_PAWN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn l29_online_either_side_may_abort_before_both_have_moved() {
    let sentence = "No result: the game was aborted before both sides had moved (L29)";
    for (moves, by, board, left_ms) in [
        ("", White, START, [299_500, 300_000]),
        ("", Black, START, [299_500, 300_000]),
        ("e4", White, KINGS_PAWN, [302_000, 299_500]),
        ("e4", Black, KINGS_PAWN, [302_000, 299_500]),
    ] {
        let mut table = Table::of(Profile::Online, "5+3");
        table.play(1_000, moves).wait_ms(500).says(by, Command::Abort).unwrap();
        table.assert_ended(board, left_ms, "*", sentence);
    }
    let mut table = Table::of(Profile::Online, "5+3");
    table.play(1_000, "e4 e5");
    assert_eq!(table.says(Black, Command::Abort), Err(Refusal::AbortTooLate));
    table.assert_stands(OPEN_GAME, [302_000, 302_000]);
}

#[test]
fn l29_online_no_first_move_in_time_is_no_game() {
    let sentence = "No result: no first move in time (L29)";
    let mut table = Table::of(Profile::Online, "5+3");
    assert!(!table.wait_ms(59_999).tick());
    let mut moved = table.clone();
    assert!(table.wait_ms(1).tick());
    table.assert_ended(START, [240_000, 300_000], "*", sentence);

    moved.play(0, "e4");
    assert!(!moved.wait_ms(59_999).tick(), "Black has as much for his own");
    assert!(moved.wait_ms(1).tick());
    moved.assert_ended(KINGS_PAWN, [243_001, 240_000], "*", sentence);
}

#[test]
fn l29_over_the_board_nobody_aborts_and_who_is_away_by_the_default_time_has_lost() {
    for profile in [Profile::Tournament, Profile::Classic] {
        let terms =
            Terms { first_move: Millis::from_seconds(900), ..Terms::of(profile, "90+30".parse().unwrap()) };
        let mut table = Table::on(terms);
        assert_eq!(table.says(White, Command::Abort), Err(Refusal::AbortTooLate));
        table.wait_ms(3_000).house(Command::Left(White)).unwrap();
        assert!(!table.wait_ms(896_999).tick());
        let mut came = table.clone();
        assert!(table.wait_ms(1).tick());
        let sentence = "Black wins: White was not at the board in time (FIDE 6.7.1)";
        table.assert_ended(START, [4_500_000, 5_400_000], "0-1", sentence);

        came.house(Command::Returned(White)).unwrap();
        assert!(!came.wait_ms(900_000).tick(), "who is there may think about his first move");
        came.assert_stands(START, [3_600_001, 5_400_000]);
        came.house(Command::Left(White)).unwrap();
        assert!(!came.wait_ms(900_000).tick(), "who was there by the default time has come");
        came.assert_stands(START, [2_700_001, 5_400_000]);
    }
}

#[test]
fn l29_over_the_board_a_flag_that_falls_on_the_first_move_has_fallen() {
    let mut table = Table::of(Profile::Tournament, "5+0");
    assert!(table.wait_ms(302_000).tick());
    table.assert_ended(START, [0, 300_000], "0-1", "Black wins: White's flag fell (FIDE 6.9)");
}

#[test]
fn l29_the_arbiter_may_decide_otherwise_before_the_default_time_is_over() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.house(Command::Left(White)).unwrap();
    table.wait_ms(50_000).rules(Order::Pause).unwrap();
    assert!(!table.wait_ms(600_000).tick());
    table.rules(Order::Resume).unwrap();
    assert!(!table.wait_ms(9_999).tick());
    table.assert_stands(START, [5_340_001, 5_400_000]);
    assert!(table.wait_ms(1).tick());
    let sentence = "Black wins: White was not at the board in time (FIDE 6.7.1)";
    table.assert_ended(START, [5_340_000, 5_400_000], "0-1", sentence);
}
