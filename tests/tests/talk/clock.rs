//! Clocks: who is charged what, when a flag falls, and when it does not.

use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::Side;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{Action, Millis, Refusal};
use chatrang_rules::outcome::{Detail, GameResult, Termination};
use chatrang_tests::house::{House, Plan};
use chatrang_tests::players::{Player, Table, proposal, seat};
use std::time::Duration;

fn left(white_ms: u64, black_ms: u64) -> ByColor<Millis> {
    ByColor { white: Millis(white_ms), black: Millis(black_ms) }
}

fn both_read(table: &Table, expected: ByColor<Millis>) {
    assert_eq!((table.white.left(), table.black.left()), (expected, expected));
}

#[tokio::test]
async fn each_move_costs_its_time_and_earns_its_increment() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    for (ms, san, white_ms, black_ms) in [
        (1_234, "e4", 301_766, 300_000),
        (4_000, "e5", 301_766, 299_000),
        (0, "Nf3", 304_766, 299_000),
        (60_001, "Nc6", 304_766, 241_999),
    ] {
        house.pass_ms(ms);
        table.play(san).await;
        both_read(&table, left(white_ms, black_ms));
    }
    // Whoever comes later sees the running clock as it reads by then.
    house.pass_ms(700);
    let spectator = Player::open(house.guest("Farhad").await, table.game).await;
    assert_eq!(spectator.left(), left(304_066, 241_999));
    assert_eq!(spectator.state().clocks.running, Some(Color::White));
}

#[tokio::test]
async fn a_flag_falls_by_itself_and_the_game_is_lost() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all("e4 e5").await;
    house.pass_ms(10_000);
    table.play("Nf3").await;
    house.pass_ms(60_000 + CREDIT_MAX.0);
    let result = table.result(&house).await;
    assert_eq!((result.score_text(), result.termination), ("1-0".to_owned(), Termination::FlagFall));
    both_read(&table, left(50_000, 0));
}

#[tokio::test]
async fn f29_a_move_in_the_last_millisecond_counts() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all("e4 e5").await;
    house.pass_ms(59_999);
    table.play("Nf3").await;
    both_read(&table, left(1, 60_000));
    table.play("Nc6").await;
    house.pass_ms(1 + CREDIT_MAX.0);
    assert_eq!(table.result(&house).await.to_string(), "Black wins: White's flag fell (FIDE 6.9)");
}

#[tokio::test]
async fn f30_a_move_after_the_flag_is_refused_with_the_result() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all("e4 e5").await;
    let mv = table.white.legal("Nf3");
    house.pass_ms(60_000);
    let late = table.white.ask(Intent::Move { ply: 2, mv }).await;
    let result = table.result(&house).await;
    assert_eq!(late, Err(IntentError::Law(Refusal::GameOver(result))));
    assert_eq!(result.termination, Termination::FlagFall);
}

/// L54: what the transport measured is not charged, whoever plays; a move that is under way when its clock
/// reads zero is made, and its credit stands in the journal.
#[tokio::test]
async fn the_network_s_time_is_credited_and_journaled() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all("e4 e5").await;
    house.timeline.set_network_ms(120);
    house.pass_ms(1_000);
    table.play("Nf3").await;
    both_read(&table, left(59_120, 60_000));
    house.pass_ms(60_100);
    table.play("Nc6").await;
    both_read(&table, left(59_120, 20));
    let record = house.journal(table.game).await;
    let charges = record.iter().filter_map(|entry| match entry.event().action {
        Action::Moved { charged, credit, .. } => Some((charged.0, credit.0)),
        _ => None,
    });
    assert_eq!(charges.collect::<Vec<_>>(), [(0, 0), (0, 0), (880, 120), (59_980, 120)]);
}

/// L50: both players see the same clocks, of whatever kind they are.
#[tokio::test]
async fn every_kind_of_control_can_be_played() {
    let house = House::open().await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    for (text, moves) in [
        ("hg3", [(170_000, 190_000), (180_000, 180_000)]),
        ("3d4", [(174_000, 180_000), (174_000, 174_000)]),
        ("3b4", [(174_000, 180_000), (174_000, 174_000)]),
        ("1/3,2+5", [(290_000, 180_000), (290_000, 290_000)]),
        ("3+0/2+0=black", [(170_000, 120_000), (170_000, 110_000)]),
        ("1day", [(86_400_000, 86_400_000); 2]),
        ("unlimited", [(u64::MAX, u64::MAX); 2]),
    ] {
        let mut table = seat(white.clone(), black.clone(), proposal(text, Side::Random)).await;
        for (san, (white_ms, black_ms)) in ["e4", "e5"].into_iter().zip(moves) {
            house.pass_ms(10_000);
            table.play(san).await;
            both_read(&table, left(white_ms, black_ms));
        }
        table.white.does(Intent::Resign).await;
    }
}

/// FIDE 6.9: the flag of a player whose opponent has only a king costs him half a point.
#[tokio::test]
async fn a_flag_against_a_lone_king_is_a_draw() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all(STRIPPED).await;
    let flagged = table.turn();
    house.pass_ms(table.white.left()[flagged].0 + CREDIT_MAX.0);
    let result = table.result(&house).await;
    assert_eq!(
        result,
        GameResult {
            detail: Detail::OpponentCannotMate { side: flagged },
            ..GameResult::draw(Termination::FlagFall)
        }
    );
}

/// White takes all of Black's men but the king, and is to move.
const STRIPPED: &str = "h4 g5 hxg5 h5 Rxh5 Nh6 Rxh6 c6 Rxc6 Qc7 Rxc7 Nc6 Rxd7 Rh3 Rxb7 f6 Rxe7+ Kd8 Nxh3 Ne5 \
                        gxf6 Nf7 Rxf7 Ba3 bxa3 Bb7 Rxb7 Rb8 Rxa7 Rb4 axb4 Ke8";

#[tokio::test]
async fn a_game_without_a_first_move_is_called_off() {
    let plan = Plan { first_move: Duration::from_secs(20), ..Plan::default() };
    let house = House::open_as(plan).await;
    let mut table = house.table("5+3").await;
    house.pass_ms(19_999);
    table.play("e4").await;
    house.pass_ms(20_000);
    let result = table.result(&house).await;
    assert_eq!(result, GameResult::none(Termination::NoFirstMove));
}

/// L29, also where a player has no more time than a first move may take: a game that has not begun is
/// not lost on time.
#[tokio::test]
async fn no_flag_falls_before_both_have_moved() {
    let plan = Plan { first_move: Duration::from_mins(1), ..Plan::default() };
    let house = House::open_as(plan).await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    for (time, base_ms) in [("1+0", 60_000), ("0:30+0", 30_000)] {
        for moves in ["", "e4"] {
            let mut table = seat(white.clone(), black.clone(), proposal(time, Side::Random)).await;
            table.play_all(moves).await;
            // Timers are never quite in time.
            house.pass_ms(base_ms + CREDIT_MAX.0 + 7);
            let result = table.result(&house).await;
            assert_eq!(result, GameResult::none(Termination::NoFirstMove), "{time} {moves}");
        }
    }
}

#[tokio::test]
async fn a_game_is_aborted_before_both_have_moved_and_not_later() {
    let house = House::open().await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    let mut first = seat(white.clone(), black.clone(), proposal("5+3", Side::Random)).await;
    first.play("e4").await;
    first.black.does(Intent::Abort).await;
    assert_eq!(first.result(&house).await, GameResult::none(Termination::Aborted));

    let mut second = seat(white, black, proposal("5+3", Side::Random)).await;
    second.play_all("e4 e5").await;
    assert_eq!(second.white.ask(Intent::Abort).await, Err(Refusal::AbortTooLate.into()));
    second.play("Nf3").await;
}
