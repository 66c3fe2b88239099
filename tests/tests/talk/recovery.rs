//! A server that stops and starts again: games stand still until both players are back, and nobody
//! has paid for it.

use chatrang_protocol::client::{CallError, News, Settings};
use chatrang_protocol::ids::{GameId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::Side;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::view::GameFrame;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{Millis, Refusal, Suspension};
use chatrang_rules::outcome::Termination;
use chatrang_tests::house::{House, Plan, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, agree, proposal, seat};
use chatrang_tests::wire::Wire;
use std::time::Duration;

#[tokio::test]
async fn a_restart_costs_no_move_and_no_time() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    house.pass_ms(2_000);
    table.play_all("e4 e5 Nf3").await;
    // Black thinks for a while before the stop: that time is his.
    house.pass_ms(7_000);
    let house = house.close().await.reopen().await;

    // Both clients come back by themselves; the clocks read what they read at the stop.
    for player in [&mut table.white, &mut table.black] {
        player
            .until("the clocks to run again", |view| view.seq.0 == 5 && view.state.suspension.is_none())
            .await;
        assert_eq!(player.left(), ByColor { white: Millis(304_000), black: Millis(296_000) });
        assert_eq!(player.state().clocks.running, Some(Color::Black));
    }
    table.play_all("Nc6 Bb5 a6").await;
    house.pass_ms(1_000);
    table.play("Ba4").await;
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);
}

/// What the house owes a player for its slow disk when it stops, it still owes after the restart.
#[tokio::test]
async fn f06_a_stop_does_not_forget_house_time() {
    let house = House::open_on_disk().await;
    let key = new_key();
    let settings = Settings::new(house.line(), key.clone()).with_handle(handle("Shirin"));
    let white = enter(settings).await;
    let mut table = seat(white, house.guest("Khosrow").await, proposal("5+0", Side::Random)).await;
    table.play_all("e4 e5").await;
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let (mut stream, _) = wire.attach(table.game).await;

    let lock = house.lock_database();
    stream.intend(1, Intent::Move { ply: 2, mv: table.white.legal("Nf3") }).await;
    // Something later on the same connection is answered: the move has arrived.
    wire.resume(GameId(999), Seq(0)).await.take::<GameFrame>().await;
    house.pass_ms(8_000);
    drop(lock);
    table.black.until("the move", |view| view.state.ply == 3).await;
    house.pass_ms(1_000);
    let _house = house.close().await.reopen().await;
    let expected = ByColor { white: Millis(300_000), black: Millis(299_000) };
    for player in [&mut table.white, &mut table.black] {
        player
            .until("the clocks to run again", |view| view.seq.0 == 5 && view.state.suspension.is_none())
            .await;
        assert_eq!(player.left(), expected, "one second of nine was Black's own");
    }
}

#[tokio::test]
async fn nobody_moves_until_both_are_back() {
    let house = House::open_on_disk().await;
    let black = house.newcomer("Khosrow");
    let mut table =
        seat(house.guest("Shirin").await, enter(black.clone()).await, proposal("5+3", Side::Random)).await;
    table.play_all("e4 e5").await;
    table.black.client.close().await;
    drop(table.black.link);
    let house = house.close().await.reopen().await;

    let white = &mut table.white;
    white.until("the game to stand still", |view| view.state.suspension == Some(Suspension::Restart)).await;
    house.pass_ms(59_999);
    let mv = white.legal("Nf3");
    assert_eq!(
        white.ask(Intent::Move { ply: 2, mv }).await,
        Err(IntentError::Law(Refusal::Suspended { why: Suspension::Restart }))
    );
    let mut black = Player::open(enter(black).await, table.game).await;
    for player in [&mut *white, &mut black] {
        player.until("the clocks to run", |view| view.state.suspension.is_none()).await;
        assert_eq!(player.left()[Color::White], Millis(303_000));
    }
    white.play("Nf3").await;
}

#[tokio::test]
async fn the_grace_of_a_restart_ends() {
    let plan = Plan { restart_grace: Duration::from_secs(30), ..Plan::default() };
    let house = House::open_on_disk_as(plan).await;
    let white = house.newcomer("Shirin");
    let mut table =
        seat(enter(white.clone()).await, house.guest("Khosrow").await, proposal("1+0", Side::Random)).await;
    table.play_all("e4 e5").await;
    table.white.client.close().await;
    drop(table.white.link);
    let house = house.close().await.reopen().await;
    let black = &mut table.black;
    black.until("the game to stand still", |view| view.state.suspension.is_some()).await;
    house.pass_ms(29_999);
    house.pass_ms(1);
    black.until("the clocks to run", |view| view.state.suspension.is_none()).await;
    assert_eq!(black.left(), ByColor { white: Millis(60_000), black: Millis(60_000) });
    // Now his absence is his own affair.
    house.pass_ms(60_000 + CREDIT_MAX.0);
    assert_eq!(black.result().await.termination, Termination::FlagFall);
}

/// A player who resigns, or accepts a draw, needs no clock for it.
#[tokio::test]
async fn a_game_that_stands_still_may_be_resigned() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    table.white.client.clone().close().await;
    let _house = house.close().await.reopen().await;
    table.black.until("the game to stand still", |view| view.state.suspension.is_some()).await;
    table.black.does(Intent::Resign).await;
    assert_eq!(table.black.result().await.termination, Termination::Resignation);
}

/// Whoever is connected when the server stops is told, and a game that is over stays over.
#[tokio::test]
async fn f32_a_stop_is_announced_and_finished_games_stay_finished() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    table.play_all("f3 e5 g4 Qh4#").await;
    let result = table.result(&house).await;
    let mut listener = table.white.client.clone();
    let closed = house.close().await;
    let told = async {
        loop {
            let news = listener.next_news().await.expect("the client lives");
            if let News::Notice(Notice::ServerStopping { retry_seconds }) = news {
                return retry_seconds;
            }
        }
    };
    assert!(soon("the announcement", told).await > 0);
    let house = closed.reopen().await;
    let reader = house.guest("Farhad").await;
    assert_eq!(reader.games().await, Ok(Vec::new()));
    let shown = Player::open(reader, table.game).await;
    assert_eq!(shown.state().result, Some(result));
    agree(&house.journal(table.game).await, &[&shown]);
}

/// Seeks are gone with their server's run; invitations are not.
#[tokio::test]
async fn invitations_outlive_a_restart_and_seeks_do_not() {
    let house = House::open_on_disk().await;
    let host = house.newcomer("Shirin");
    let white = enter(host.clone()).await;
    white.seek(proposal("3+2", Side::White)).await.unwrap();
    let code = white.invite(proposal("5+3", Side::White)).await.unwrap();
    white.close().await;
    let house = house.close().await.reopen().await;
    let _white = enter(host).await;
    let black = house.guest("Khosrow").await;
    assert_eq!(black.seeks().await, Ok::<_, CallError>(Vec::new()));
    assert_eq!(black.take_invite(code).await.unwrap().color, Color::Black);
}
