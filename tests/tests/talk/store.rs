//! A store that is full, and one that has failed.

use chatrang_protocol::client::{CallError, Client, News, Sought};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::Side;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::RequestError;
use chatrang_rules::color::ByColor;
use chatrang_rules::game::Millis;
use chatrang_server::server::RunError;
use chatrang_tests::house::{House, enter};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Table, agree, proposal};
use chatrang_tests::stroll::{Pawns, Stroll};

async fn hears(client: &mut Client, expected: &Notice) {
    let heard = async {
        loop {
            match client.next_news().await.expect("the client lives") {
                News::Notice(notice) if notice == *expected => return,
                _ => {}
            }
        }
    };
    soon("the notice", heard).await;
}

/// Plays on until the store takes no more; returns the move that it did not take.
async fn fill(table: &mut Table) -> Intent {
    let mut stroll = Stroll::default();
    loop {
        let san = stroll.next(table.white.state(), Pawns::MayMove);
        let turn = table.turn();
        let player = table.player(turn);
        let ply = player.state().ply;
        let intent = Intent::Move { ply, mv: player.legal(&san) };
        match player.ask(intent.clone()).await {
            Ok(seq) => {
                table.white.until_seq(seq).await;
                table.black.until_seq(seq).await;
            }
            Err(IntentError::StoreFull) => return intent,
            Err(other) => panic!("{san}: {other}"),
        }
    }
}

#[tokio::test]
async fn f05_a_full_store_stops_all_clocks_until_it_has_room() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    let (mut hers, mut his) = (table.white.client.clone(), table.black.client.clone());
    // SQLite takes this as "not one page more".
    house.store.set_page_count_max(1).await.unwrap();
    let refused = fill(&mut table).await;
    for client in [&mut hers, &mut his] {
        hears(client, &Notice::StoreFull).await;
    }
    let before = house.now_ms();
    house.pass_ms(100_000_000);
    assert_eq!(house.now_ms(), before, "the clocks stand still");
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);

    house.store.set_page_count_max(1_000_000).await.unwrap();
    for client in [&mut hers, &mut his] {
        hears(client, &Notice::StoreRecovered).await;
    }
    let turn = table.turn();
    house.pass_ms(1_000);
    let seq = table.player(turn).does(refused).await;
    table.player(!turn).until_seq(seq).await;
    assert_eq!(table.white.left()[turn], table.black.left()[turn]);
    let record = house.journal(table.game).await;
    agree(&record, &[&table.white, &table.black]);
    let spent = record.last().unwrap().event();
    assert!(
        matches!(spent.action, chatrang_rules::game::Action::Moved { charged, .. } if charged.0 == 1_000)
    );
}

/// Another program that holds the database is a pause like a full disk, and not the server's end. The
/// server waits ten seconds of real time for the other to let go, and then says that it is full.
#[tokio::test]
async fn f06_another_programs_lock_stops_play_until_it_is_gone() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    let seeker = house.guest("Rostam").await;
    let seek = seeker.seek(proposal("9+9", Side::Random)).await.unwrap();
    let late = house.newcomer("Farhad");
    enter(late.clone()).await.close().await;

    let lock = house.lock_database();
    let knight = Intent::Move { ply: 2, mv: table.white.legal("Nf3") };
    assert_eq!(table.white.ask(knight.clone()).await, Err(IntentError::StoreFull));
    hears(&mut table.black.client, &Notice::StoreFull).await;
    // Whoever comes now hears it too.
    let mut late = enter(late).await;
    hears(&mut late, &Notice::StoreFull).await;
    let Sought::Listed(id) = seek else { panic!("paired") };
    assert_eq!(late.take_seek(id).await, Err(CallError::Refused(RequestError::StoreUnavailable)));
    assert_eq!(late.seeks().await.unwrap().len(), 1, "where there is no game, the seek is as it was");
    let before = house.now_ms();
    house.pass_ms(100_000_000);
    assert_eq!(house.now_ms(), before, "the clocks stand still");

    drop(lock);
    hears(&mut late, &Notice::StoreRecovered).await;
    let seq = table.white.does(knight).await;
    table.black.until_seq(seq).await;
    assert_eq!(table.black.left(), ByColor { white: Millis(306_000), black: Millis(303_000) });
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);
    assert!(late.take_seek(id).await.is_ok());
}

#[tokio::test]
async fn f04_a_failed_store_ends_the_server_and_keeps_what_was_said() {
    let house = House::open_on_disk().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    let saboteur = rusqlite::Connection::open(house.database()).unwrap();
    saboteur.execute_batch("ALTER TABLE journal RENAME TO lost").unwrap();
    let mv = table.white.legal("Nf3");
    table.white.link.send(Intent::Move { ply: 2, mv }).unwrap();
    let RunError::StoreFailed(why) = house.fails().await;
    assert!(why.contains("journal"), "{why}");
    let kept: i64 = saboteur.query_row("SELECT count(*) FROM lost", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 3, "the start and two moves");
}
