//! Time that is not as it should be: a wall clock that jumps, a process that stands still.

use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::lobby::Side;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::Millis;
use chatrang_server::timeline::{ManualTimeline, STALL_MS_MIN};
use chatrang_tests::children::Daemon;
use chatrang_tests::house::{House, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{agree, proposal, seat};
use chatrang_tests::scratch::Scratch;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// An hour forwards, an hour back, to 1970 and far away: no flag falls and no clock is charged otherwise; only
/// dates move.
#[tokio::test]
async fn f07_the_wall_clock_moves_dates_and_nothing_else() {
    const HOUR_MS: u64 = 60 * 60 * 1_000;
    const NOON: u64 = ManualTimeline::UNIX_MS_AT_START;
    let house = House::open_on_disk().await;
    let mut table = house.table("5+0").await;
    table.play_all("e4 e5").await;
    let mut thought = ByColor { white: 0, black: 0 };
    let knights = ["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"];
    for (date, moves) in [NOON + HOUR_MS, NOON - HOUR_MS, 0, u64::MAX / 2].into_iter().zip(knights) {
        house.timeline.set_unix_ms(date);
        for san in moves.split(' ') {
            house.pass_ms(1_500);
            thought[table.turn()] += 1_500;
            table.play(san).await;
        }
        assert_eq!(table.white.left(), thought.map(|ms| Millis(300_000 - ms)), "at {date}");
    }
    house.timeline.set_unix_ms(NOON - HOUR_MS);
    let other = seat(house.guest("Zal").await, house.guest("Rudabeh").await, proposal("3+2", Side::Random));
    let other = other.await;
    let dated = house.store.game(other.game).await.unwrap().unwrap();
    assert_eq!(dated.created_unix_ms, NOON - HOUR_MS);

    // A restart goes on from the server's own time, whatever the date is then.
    let house = house.close().await.reopen().await;
    for player in [&mut table.white, &mut table.black] {
        player.until("the clocks to run again", |view| view.state.suspension.is_none()).await;
        assert_eq!(player.left(), thought.map(|ms| Millis(300_000 - ms)));
    }
    table.play("d4").await;
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);
}

/// A real process that is stopped for longer than a player has left: his flag does not fall, and he is charged
/// for the time in which the server lived.
#[tokio::test]
async fn f08_a_process_that_stood_still_charges_nobody() {
    const BASE: Duration = Duration::from_secs(4);
    const STOPPED: Duration = Duration::from_secs(5);
    let dir = Scratch::new();
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let newcomer = async |name: &str| -> Client {
        let settings = Settings::new(daemon.line().parse().unwrap(), new_key());
        enter(settings.with_handle(handle(name))).await
    };
    let (white, black) = (newcomer("Shirin").await, newcomer("Khosrow").await);
    let asker = newcomer("Farhad").await;
    let mut table = seat(white, black, proposal("0:04+0", Side::Random)).await;
    table.play("e4").await;
    table.play("e5").await;
    let begun = Instant::now();
    let before = table.black.left();
    daemon.process.signal("STOP").await;
    // A question may be answered before it stands still; the next one is not.
    let questions = async { while asker.seats().await.is_ok() {} };
    assert!(timeout(STOPPED, questions).await.is_err(), "the connection is lost");
    daemon.process.signal("CONT").await;
    soon("it to live again", asker.seats()).await.unwrap();
    table.play("Nf3").await;
    let lived = begun.elapsed().saturating_sub(STOPPED);
    let charged = Duration::from_millis(before[Color::White].minus(table.black.left()[Color::White]).0);
    println!("{BASE:?} on the clock, stopped for {STOPPED:?}, lived for {lived:?}, charged {charged:?}");
    assert!(charged < lived + Duration::from_millis(STALL_MS_MIN));
    table.play("Nc6").await;
    assert!(table.white.state().result.is_none());
}
