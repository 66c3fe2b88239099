//! The arbiter's powers, and the record (L44, L45).

use crate::table::{Table, carry};
use Color::{Black, White};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{
    Action, Arbiter, Command, Decision, Millis, Order, Party, Profile, RULINGS_MAX, Reason, Refusal, Stamp,
    Suspension, Terms, WRONG_CLAIMS_MAX,
};
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::outcome::{Outcome, Score};
use chatrang_rules::record;

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn reason(text: &str) -> Reason {
    text.parse().expect("a reason")
}

fn call(text: &str) -> Command {
    Command::CallArbiter(reason(text))
}

/// A slow tournament game after 1.e4, in which the arbiter acts unasked.
fn tournament() -> Table {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(1_000, "e4");
    table
}

/// Every order there is.
fn orders() -> Vec<Order> {
    let span = Millis(1_000);
    vec![
        Order::Pause,
        Order::Resume,
        Order::AddTime { side: White, span },
        Order::TakeTime { side: Black, span },
        Order::SetClock { side: White, left: span },
        Order::Warn { side: Black },
        Order::GoBack { ply: 0 },
        Order::NoteFlag,
        Order::Grant,
        Order::Postpone { bonus: span },
        Order::Reject,
        Order::Declare { outcome: Outcome::DRAW },
    ]
}

#[test]
fn l44_nobody_else_has_these_powers() {
    let mut table = tournament();
    for order in orders() {
        let decision = Decision { order, reason: reason("because") };
        for by in Color::ALL {
            assert_eq!(table.says(by, Command::Rule(decision.clone())), Err(Refusal::NotYours));
        }
        assert_eq!(table.house(Command::Rule(decision)), Err(Refusal::NotYours));
    }
    table.assert_stands(AFTER_E4, [5_399_000, 5_400_000]);
    // Nor has he theirs.
    for command in [Command::Move(table.san("e5")), Command::Resign, call("me"), Command::Continue] {
        let ruling = table.game.apply(Party::Arbiter, command, Stamp::at_ms(table.now_ms));
        assert_eq!((ruling.answer, ruling.events), (Err(Refusal::NotYours), vec![]));
    }
}

#[test]
fn l44_he_steps_in_unasked_where_the_profile_says_so_and_else_when_called() {
    for (profile, time_control, is_unasked) in [
        (Profile::Online, "90+0", false),
        (Profile::Online, "5+0", false),
        (Profile::Tournament, "90+0", true),
        (Profile::Tournament, "5+0", true),
        (Profile::Classic, "90+0", true),
        (Profile::Classic, "15+0", false),
        (Profile::Classic, "5+0", false),
    ] {
        let mut table = Table::of(profile, time_control);
        let warn = Order::Warn { side: White };
        let answer = table.rules(warn);
        assert_eq!(
            answer,
            if is_unasked { Ok(()) } else { Err(Refusal::NotCalled) },
            "{profile} {time_control}"
        );
        assert_eq!(table.says(Black, call("he talks")), Ok(()));
        assert_eq!(table.rules(warn), Ok(()), "{profile} {time_control}");
    }
    for order in orders() {
        assert_eq!(Table::of(Profile::Online, "5+0").rules(order), Err(Refusal::NotCalled));
    }
}

#[test]
fn l44_every_ruling_is_in_the_record_with_its_reason() {
    let mut table = tournament();
    assert_eq!(table.wait_ms(500).rules(Order::Warn { side: White }), Ok(()));
    let event = table.record.last().unwrap();
    assert_eq!((event.by, event.at.0, event.clocks.left.black), (Party::Arbiter, 1_500, Millis(5_399_500)));
    let decision = Decision { order: Order::Warn { side: White }, reason: reason("as the arbiter saw it") };
    assert_eq!(event.action, Action::Ruled(decision));
    table.assert_stands(AFTER_E4, [5_399_000, 5_399_500]);
    assert!("".parse::<Reason>().is_err() && "two\nlines".parse::<Reason>().is_err());
    assert!("x".repeat(Reason::BYTES_MAX + 1).parse::<Reason>().is_err());
}

#[test]
fn l44_he_stops_the_clocks_and_lets_the_game_go_on() {
    let mut table = tournament();
    assert_eq!(table.wait_ms(1_000).rules(Order::Pause), Ok(()));
    table.wait_ms(600_000);
    table.assert_stands(AFTER_E4, [5_399_000, 5_399_000]);
    let stopped = Refusal::Suspended { why: Suspension::Arbiter };
    let e5 = Command::Move(table.san("e5"));
    assert_eq!(table.says(Black, e5.clone()), Err(stopped.clone()));
    for by in Color::ALL {
        assert_eq!(table.says(by, Command::Resume), Err(stopped.clone()), "only he goes on");
    }
    assert_eq!(table.rules(Order::Pause), Err(stopped));
    assert_eq!(table.game.deadline(), None);
    assert_eq!(table.rules(Order::Resume), Ok(()));
    assert_eq!(table.rules(Order::Resume), Err(Refusal::NotSuspended));
    assert_eq!(table.wait_ms(2_000).says(Black, e5), Ok(()));
    assert_eq!(table.left_ms(), [5_399_000, 5_397_000]);
}

#[test]
fn l44_he_gives_time_takes_it_and_sets_either_clock() {
    let mut table = tournament();
    for (order, left_ms) in [
        (Order::AddTime { side: White, span: Millis(60_000) }, [5_459_000, 5_400_000]),
        (Order::AddTime { side: Black, span: Millis(1_000) }, [5_459_000, 5_401_000]),
        (Order::TakeTime { side: White, span: Millis(459_000) }, [5_000_000, 5_401_000]),
        (Order::TakeTime { side: Black, span: Millis(1_000) }, [5_000_000, 5_400_000]),
        (Order::SetClock { side: White, left: Millis(7_000) }, [7_000, 5_400_000]),
        (Order::SetClock { side: Black, left: Millis(8_000) }, [7_000, 8_000]),
        // Undone by a new entry only.
        (Order::SetClock { side: Black, left: Millis(5_400_000) }, [7_000, 5_400_000]),
    ] {
        let events = table.record.len();
        assert_eq!(table.rules(order), Ok(()));
        table.assert_stands(AFTER_E4, left_ms);
        assert_eq!(table.record.len(), events + 1);
        assert_eq!(table.record.last().unwrap().clocks.running, Some(Black));
    }
    let too_much = Millis::from_seconds(14 * 24 * 60 * 60).plus(Millis(1));
    for order in [
        Order::AddTime { side: White, span: too_much },
        Order::TakeTime { side: White, span: too_much },
        Order::SetClock { side: White, left: too_much },
    ] {
        assert_eq!(table.rules(order), Err(Refusal::TooMuchTime));
    }
    // What he takes away, the flag does not wait for.
    table.play(0, "e5 Nf3");
    assert_eq!(table.rules(Order::TakeTime { side: Black, span: Millis(5_400_000) }), Ok(()));
    assert!(table.tick());
    assert_eq!(table.game.result().unwrap().to_string(), "White wins: Black's flag fell (FIDE 6.9)");
}

#[test]
fn l44_he_goes_back_to_an_earlier_ply_and_sets_the_clocks() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(1_000, "e4 e5 Nf3 Nc6 Bb5 a6");
    assert_eq!(table.says(White, Command::Touch("b5".parse().unwrap())), Ok(()));
    for ply in [6, 7, u32::MAX] {
        assert_eq!(table.rules(Order::GoBack { ply }), Err(Refusal::NoSuchPly { ply, played: 6 }));
    }
    assert_eq!(table.wait_ms(5_000).rules(Order::GoBack { ply: 3 }), Ok(()));
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    table.assert_stands(board, [5_392_000, 5_397_000]);
    assert_eq!((table.game.ply(), table.game.touched()), (3, &[][..]));
    assert_eq!(table.record.last().unwrap().clocks.running, Some(Black));
    assert_eq!(table.rules(Order::SetClock { side: White, left: Millis(5_398_000) }), Ok(()));
    assert_eq!(table.rules(Order::SetClock { side: Black, left: Millis(5_399_000) }), Ok(()));
    table.wait_ms(1_000).assert_stands(board, [5_398_000, 5_398_000]);
    table.play(0, "d6");
    // Positions that were gone back on do not count as having appeared.
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(0, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(table.game.repetitions(), 2);
    assert_eq!(table.rules(Order::GoBack { ply: 0 }), Ok(()));
    assert_eq!(table.game.repetitions(), 1);
    table.play(0, "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(table.game.repetitions(), 2);
}

#[test]
fn l44_while_he_has_stopped_the_clocks_going_back_leaves_them_stopped() {
    let mut table = tournament();
    assert_eq!(table.rules(Order::Pause), Ok(()));
    assert_eq!(table.rules(Order::GoBack { ply: 0 }), Ok(()));
    assert_eq!(table.record.last().unwrap().clocks.running, None);
    assert_eq!(table.rules(Order::Resume), Ok(()));
    assert_eq!(table.record.last().unwrap().clocks.running, Some(White));
}

#[test]
fn l44_he_declares_any_score_but_more_than_a_point() {
    use Score::{Half, One, Zero};
    for (white, black, score, sentence) in [
        (One, Zero, "1-0", "White wins: the arbiter has ruled so (FIDE 12.9)"),
        (Zero, One, "0-1", "Black wins: the arbiter has ruled so (FIDE 12.9)"),
        (Half, Half, "1/2-1/2", "Draw: the arbiter has ruled so (FIDE 12.9)"),
        (Zero, Zero, "0-0", "Scored 0-0: the arbiter has ruled so (FIDE 12.9)"),
        (Half, Zero, "1/2-0", "Scored 1/2-0: the arbiter has ruled so (FIDE 12.9)"),
        (Zero, Half, "0-1/2", "Scored 0-1/2: the arbiter has ruled so (FIDE 12.9)"),
    ] {
        let mut table = tournament();
        let outcome = Outcome(ByColor { white, black });
        assert_eq!(table.rules(Order::Declare { outcome }), Ok(()));
        table.assert_ended(AFTER_E4, [5_399_000, 5_400_000], score, sentence);
        assert!(matches!(table.rules(Order::Pause), Err(Refusal::GameOver(_))));
    }
    for (white, black) in [(One, One), (One, Half), (Half, One)] {
        let outcome = Outcome(ByColor { white, black });
        assert_eq!(tournament().rules(Order::Declare { outcome }), Err(Refusal::NoSuchScore));
    }
}

#[test]
fn l44_he_rules_on_a_claim_that_waits_and_on_no_other() {
    let mut table = tournament();
    for order in [Order::Grant, Order::Reject, Order::Postpone { bonus: Millis::ZERO }] {
        assert_eq!(table.rules(order), Err(Refusal::NoClaimWaits));
    }
    assert_eq!(table.rules(Order::NoteFlag), Err(Refusal::FlagNotDown));
    // Black has 1:40 left when he asks for the increment.
    let mut table = Table::of(Profile::Tournament, "15+0");
    table.play(0, "e4 e5 Nf3").wait_ms(800_000);
    assert_eq!(table.says(Black, Command::AskIncrement), Ok(()));
    assert_eq!(table.wait_ms(60_000).rules(Order::Grant), Ok(()));
    assert_eq!(table.left_ms(), [1_020_000, 100_000]);
    table.play(1_000, "Nc6 Bb5");
    assert_eq!(table.left_ms(), [1_024_000, 104_000]);
}

#[test]
fn l44_players_may_stop_the_clocks_to_call_him() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "15+0");
        table.play(1_000, "e4");
        // Also out of turn.
        assert_eq!(table.wait_ms(1_000).says(White, call("what does the rule say?")), Ok(()));
        let stopped = Refusal::Suspended { why: Suspension::Call { by: White } };
        let e5 = Command::Move(table.san("e5"));
        assert_eq!(table.wait_ms(60_000).says(Black, e5), Err(stopped.clone()));
        table.assert_stands(AFTER_E4, [899_000, 899_000]);
        assert_eq!(
            table.says(Black, Command::Resume),
            Err(stopped),
            "only who called may think better of it"
        );
        assert_eq!(table.rules(Order::AddTime { side: Black, span: Millis(1_000) }), Ok(()));
        assert_eq!(table.says(White, Command::Resume), Ok(()));
        assert_eq!(table.says(White, call("again")), Err(Refusal::CalledAlready { plies: 4 }));
        table.play(1_000, "e5 Nf3 Nc6 Bb5");
        assert_eq!(table.left_ms(), [897_000, 898_000]);
        assert_eq!(table.says(White, call("again")), Ok(()));
    }
}

#[test]
fn l44_who_was_called_may_keep_the_clocks_stopped() {
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(1_000, "e4");
    assert_eq!(table.says(Black, call("he gets help")), Ok(()));
    assert_eq!(table.rules(Order::Pause), Ok(()));
    assert_eq!(table.says(Black, Command::Resume), Err(Refusal::Suspended { why: Suspension::Arbiter }));
    assert_eq!((table.game.deadline(), table.wait_ms(3_600_000).tick()), (None, false));
    assert_eq!(table.rules(Order::Resume), Ok(()));
    assert_eq!(table.left_ms(), [899_000, 900_000]);
}

#[test]
fn l44_the_clocks_do_not_wait_for_ever_for_who_does_not_come() {
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(1_000, "e4");
    assert_eq!(table.says(Black, call("he gets help")), Ok(()));
    assert_eq!(table.game.deadline().unwrap().0, 601_000);
    assert!(!table.wait_ms(599_999).tick());
    assert!(table.wait_ms(1).tick());
    assert_eq!((table.game.suspension(), table.left_ms()), (None, [899_000, 900_000]));
    assert_eq!(table.wait_ms(1_000).left_ms(), [899_000, 899_000]);
}

#[test]
fn l44_what_happens_meanwhile_does_not_prolong_a_call_but_the_arbiter_does() {
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(1_000, "e4");
    assert_eq!(table.says(Black, call("he gets help")), Ok(()));
    assert_eq!(table.wait_ms(300_000).house(Command::Left(Black)), Ok(()));
    assert_eq!(table.wait_ms(200_000).house(Command::Returned(Black)), Ok(()));
    assert_eq!(table.game.deadline().unwrap().0, 601_000, "ten minutes after the call");
    assert_eq!(table.rules(Order::Warn { side: White }), Ok(()));
    assert_eq!(table.game.deadline().unwrap().0, 1_101_000, "ten minutes after he was last heard");
    assert!(table.wait_ms(600_000).tick());
    assert_eq!((table.game.suspension(), table.left_ms()), (None, [899_000, 900_000]));
}

#[test]
fn l44_a_game_without_an_arbiter_has_nobody_to_call() {
    for profile in Profile::ALL {
        let mut table = Table::on(Terms::of(profile, "15+0".parse().unwrap()));
        assert_eq!(table.game.terms().arbiter, Arbiter::Nobody);
        assert_eq!(table.says(White, call("help")), Err(Refusal::NoArbiter));
    }
}

#[test]
fn l45_every_event_has_its_party_its_arrival_and_the_clocks() {
    let mut table = Table::of(Profile::Tournament, "90+0");
    table.play(1_000, "e4");
    assert_eq!(table.house(Command::Left(White)), Ok(()));
    assert_eq!(table.wait_ms(500).says(Black, Command::Touch("e7".parse().unwrap())), Ok(()));
    assert_eq!(table.wait_ms(500).rules(Order::Warn { side: Black }), Ok(()));
    table.play(1_000, "e5");
    let told: Vec<_> = table
        .record
        .iter()
        .map(|event| (event.at.0, event.by, event.clocks.left.white.0, event.clocks.left.black.0))
        .collect();
    assert_eq!(
        told,
        [
            (0, Party::House, 5_400_000, 5_400_000),
            (1_000, Party::Player(White), 5_399_000, 5_400_000),
            (1_000, Party::House, 5_399_000, 5_400_000),
            (1_500, Party::Player(Black), 5_399_000, 5_399_500),
            (2_000, Party::Arbiter, 5_399_000, 5_399_000),
            (3_000, Party::Player(Black), 5_399_000, 5_398_000),
        ]
    );
}

#[test]
fn l45_a_refused_intent_leaves_an_event_only_where_the_profile_counts_it() {
    for (profile, events) in [(Profile::Online, 1), (Profile::Tournament, 2), (Profile::Classic, 2)] {
        let mut table = Table::of(profile, "90+0");
        let _ = table.says(White, Command::Move(carry("e2e5")));
        let _ = table.says(White, Command::Move(carry("e4e5")));
        let _ = table.says(Black, Command::Move(carry("e7e5")));
        let _ = table.says(White, Command::Accept(chatrang_rules::game::Matter::Draw));
        let _ = table.says(White, Command::Resume);
        assert_eq!(table.record.len(), events, "{profile}");
    }
}

#[test]
fn l45_l20_wrong_claims_are_not_written_down_without_end() {
    let mut table = tournament();
    let claim = Command::ClaimDraw { intended: None };
    for _ in 0..WRONG_CLAIMS_MAX {
        assert_eq!(table.says(Black, claim.clone()), Ok(()));
    }
    assert_eq!(table.says(Black, claim.clone()), Err(Refusal::NotRecorded));
    table.assert_stands(AFTER_E4, [5_399_000 + 3 * 120_000, 5_400_000]);
    table.play(0, "e5");
    assert_eq!(table.says(White, claim), Ok(()), "counted for each move anew");
}

#[test]
fn l45_l71_the_record_tells_rulings_and_irregularities_in_sentences() {
    let mut table = Table::of(Profile::Tournament, "15+0");
    assert_eq!(table.says(White, Command::Move(carry("e2e5"))), Ok(()));
    table.play(1_000, "e4");
    assert_eq!(table.says(Black, Command::Touch("e7".parse().unwrap())), Ok(()));
    table.play(1_000, "e5");
    assert_eq!(table.says(White, Command::Adjust("g1".parse().unwrap())), Ok(()));
    assert_eq!(table.says(White, call("He talks.")), Ok(()));
    assert_eq!(table.rules(Order::Warn { side: Black }), Ok(()));
    assert_eq!(table.rules(Order::AddTime { side: White, span: Millis(120_000) }), Ok(()));
    assert_eq!(table.rules(Order::Resume), Ok(()));
    assert_eq!(table.says(White, Command::ClaimDraw { intended: None }), Ok(()));
    table.play(0, "Nf3");
    assert_eq!(table.rules(Order::GoBack { ply: 2 }), Ok(()));
    let outcome = Outcome(ByColor { white: Score::Zero, black: Score::Zero });
    assert_eq!(table.rules(Order::Declare { outcome }), Ok(()));
    let text = record::pgn(&table.record, &Roster::default(), &[]).expect("a record");
    assert!(text.contains("[Result \"*\"]") && text.contains("[Score \"0-0\"]"), "{text}");
    let moves = text.split("\n\n").nth(1).expect("the moves");
    let words: Vec<&str> = moves.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "{White makes the illegal move e2-e5, which is put back: illegal move 1 of 2. Black gets 1:00.} \
         1. e4 {[%clk 0:14:59] Black touches e7.} \
         1... e5 {[%clk 0:15:59] White adjusts g1. White calls the arbiter: He talks. \
         The arbiter warns Black: as the arbiter saw it. \
         The arbiter gives White 2:00: as the arbiter saw it. \
         The arbiter lets the game go on: as the arbiter saw it. \
         White claims a draw wrongly. Black gets 1:00. \
         The arbiter goes back to ply 2: as the arbiter saw it. Taken back: Nf3. \
         The arbiter declares 0-0: as the arbiter saw it. \
         Scored 0-0: the arbiter has ruled so (FIDE 12.9)} *"
    );
}

#[test]
fn l44_who_calls_in_vain_stops_the_clocks_twice_and_no_more() {
    let mut table = Table::of(Profile::Online, "15+0");
    table.play(1_000, "e4");
    for moves in ["e5 Nf3 Nc6 Bb5", "a6 Ba4 Nf6 O-O"] {
        assert_eq!(table.says(White, call("help")), Ok(()));
        assert_eq!(table.wait_ms(60_000).says(White, Command::Resume), Ok(()));
        table.play(1_000, moves);
    }
    assert_eq!(table.says(White, call("help")), Err(Refusal::CalledInVain));
    // His opponent still may, and an arbiter who comes answers both.
    assert_eq!(table.says(Black, call("help")), Ok(()));
    assert_eq!(table.rules(Order::Warn { side: White }), Ok(()));
    assert_eq!(table.says(Black, Command::Resume), Ok(()));
    assert_eq!(table.says(White, call("help")), Ok(()));
}

#[test]
fn l44_he_does_not_rule_without_end_between_two_moves() {
    let mut table = Table::of(Profile::Tournament, "15+0");
    table.play(1_000, "e4 e5");
    assert_eq!(table.rules(Order::Pause), Ok(()));
    for _ in 1..RULINGS_MAX {
        assert_eq!(table.rules(Order::Warn { side: White }), Ok(()));
    }
    for order in [Order::Warn { side: White }, Order::GoBack { ply: 0 }] {
        assert_eq!(table.rules(order), Err(Refusal::NotRecorded));
    }
    // But nobody is left waiting for him.
    assert_eq!(table.rules(Order::Resume), Ok(()));
    assert_eq!(table.rules(Order::Pause), Err(Refusal::NotRecorded));
    table.play(1_000, "Nf3");
    assert_eq!(table.rules(Order::Warn { side: White }), Ok(()));
}
