//! The store as a whole: what is acknowledged is kept, what is refused leaves no trace.

mod torn;

use super::*;
use crate::scratch::Scratch;
use crate::timeline::ServerInstant;
use chatrang_protocol::ids::{AccountId, GameId, Seq};
use futures_util::FutureExt;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

const ANN: AccountId = AccountId(1);
const BOB: AccountId = AccountId(2);

fn open(dir: &Scratch) -> Store {
    Store::open(dir.path(), StoreOptions::default()).unwrap()
}

fn row(game: u64, seq: u64, phase: Phase) -> JournalRow {
    JournalRow {
        game: GameId(game),
        seq: Seq(seq),
        ply: seq as u32,
        kind: EventKind(3),
        phase,
        at: ServerInstant(1_000 * game + seq),
        payload: format!("event {seq} of game {game}").into_bytes(),
    }
}

fn begins() -> Phase {
    Phase::Begins(NewGame { created_unix_ms: 5, white: ANN, black: BOB, terms: "5+3".into() })
}

/// The first `rows` of a game.
fn opening(game: u64, rows: u64) -> Vec<JournalRow> {
    (0..rows).map(|seq| row(game, seq, if seq == 0 { begins() } else { Phase::Continues })).collect()
}

/// A game of `rows` from its first to its last.
fn finished(game: u64, rows: u64) -> Vec<JournalRow> {
    let mut all = opening(game, rows - 1);
    all.push(row(game, rows - 1, Phase::Ends("1-0".into())));
    all
}

fn stored(rows: &[JournalRow]) -> Vec<StoredRow> {
    rows.iter()
        .cloned()
        .map(|JournalRow { seq, ply, kind, at, payload, .. }| StoredRow { seq, ply, kind, at, payload })
        .collect()
}

/// Holds the writer until the returned sender is dropped, so that requests queue up.
fn stall(store: &Store) -> Sender<()> {
    let (release, held) = channel::<()>();
    let (begun, stalled) = channel();
    drop(store.ask_writer(move |_, _| {
        begun.send(()).unwrap();
        // Ends with an error when `release` is dropped.
        let _ = held.recv();
        Ok(())
    }));
    stalled.recv().unwrap();
    release
}

/// Changes a closed store's database behind its back.
fn tamper(dir: &Scratch, sql: &str) {
    let connection = Connection::open(dir.path().join("chatrang.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

fn rows_in_journal(connection: &Connection, _: &Heads) -> rusqlite::Result<i64> {
    connection.query_row("SELECT count(*) FROM journal", [], |row| row.get(0))
}

#[tokio::test]
async fn all_that_waits_is_one_commit() {
    let dir = Scratch::new();
    let store = open(&dir);
    let before = store.counters();
    let stalled = stall(&store);
    let answers: Vec<_> = (1..=100).map(|game| store.append(opening(game, 2))).collect();
    drop(stalled);
    for answer in answers {
        answer.await.unwrap();
    }
    let after = store.counters();
    assert_eq!((after.commits - before.commits, after.changes - before.changes), (1, 100));
    store.close().await;
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_restart() {
    let dir = Scratch::new();
    let store = open(&dir);
    let fresh = store.recover().await.unwrap();
    let nothing = Recovered { base: ServerInstant::ZERO, last_game: None, unfinished: Vec::new() };
    assert_eq!(fresh, nothing);
    store.append(opening(1, 3)).await.unwrap();
    store.append([opening(2, 1), finished(3, 2)].concat()).await.unwrap();
    store.append(vec![row(1, 3, Phase::Continues)]).await.unwrap();
    store.heartbeat(ServerInstant(2_500));
    store.close().await;

    let store = open(&dir);
    let recovered = store.recover().await.unwrap();
    assert_eq!(recovered.base, ServerInstant(3_001), "the last event is later than the heartbeat");
    assert_eq!(recovered.last_game, Some(GameId(3)));
    let [first, second] = &recovered.unfinished[..] else { panic!("{recovered:?}") };
    let expected = StoredGame {
        game: GameId(1),
        created_at: ServerInstant(1_000),
        created_unix_ms: 5,
        white: ANN,
        black: BOB,
        terms: "5+3".into(),
        rows: stored(&opening(1, 4)),
    };
    assert_eq!(*first, expected);
    assert_eq!((second.game, second.rows.len()), (GameId(2), 1));
    store.heartbeat(ServerInstant(9_000));
    store.heartbeat(ServerInstant(8_000));
    store.append(vec![row(1, 4, Phase::Continues)]).await.unwrap();
    store.close().await;

    let store = open(&dir);
    assert_eq!(store.recover().await.unwrap().base, ServerInstant(9_000), "time never runs back");
    store.close().await;
}

#[tokio::test]
async fn rows_that_do_not_follow_are_refused_alone() {
    let store = Store::open_in_memory().unwrap();
    store.append([opening(1, 2), finished(2, 2)].concat()).await.unwrap();
    let stalled = stall(&store);
    let before = store.append(vec![row(1, 2, Phase::Continues)]);
    let wrong: Vec<_> = [
        (vec![row(1, 2, Phase::Continues)], "event 2 of game 1 should be event 3"),
        (vec![row(1, 4, Phase::Continues)], "event 4 of game 1 should be event 3"),
        (
            vec![row(1, 3, Phase::Continues), row(1, 3, Phase::Continues)],
            "event 3 of game 1 should be event 4",
        ),
        (vec![row(1, 0, begins())], "event 0 of game 1 begins a game that is in play"),
        (vec![row(2, 0, begins())], "event 0 of game 2 begins a game that has ended"),
        (vec![row(2, 2, Phase::Continues)], "event 2 of game 2 is of no game in play"),
        (vec![row(9, 0, Phase::Continues)], "event 0 of game 9 is of no game in play"),
        (vec![row(9, 1, begins())], "event 1 of game 9 begins a game, which only event 0 does"),
        (
            vec![row(1, 3, Phase::Ends("0-1".into())), row(1, 4, Phase::Continues)],
            "event 4 of game 1 follows the last row of its game",
        ),
    ]
    .into_iter()
    .map(|(rows, refusal)| (store.append(rows), refusal))
    .collect();
    let after = store.append([vec![row(1, 3, Phase::Continues)], opening(4, 2)].concat());
    drop(stalled);
    before.await.unwrap();
    for (answer, refusal) in wrong {
        assert_eq!(answer.await, Err(StoreFailure::Refused(refusal.into())));
    }
    after.await.unwrap();
    assert_eq!(store.game_rows(GameId(1)).await.unwrap().unwrap(), stored(&opening(1, 4)));
    assert_eq!(store.game_rows(GameId(9)).await, Ok(None));
    assert_eq!(*store.health().borrow(), Health::Healthy);
}

#[tokio::test]
async fn f03_damage_is_refused_with_its_place() {
    for (damage, place, fault) in [
        (
            "UPDATE journal SET payload = CAST('event 1 of game 3' AS BLOB) WHERE game = 2 AND seq = 1",
            (2, 1),
            Damage::Checksum,
        ),
        ("UPDATE journal SET at = at + 1 WHERE game = 1 AND seq = 2", (1, 2), Damage::Checksum),
        ("UPDATE journal SET game = 1, seq = 3 WHERE game = 2 AND seq = 2", (1, 3), Damage::Checksum),
        ("DELETE FROM journal WHERE game = 1 AND seq = 1", (1, 1), Damage::Missing),
        ("DELETE FROM journal WHERE game = 2", (2, 0), Damage::Missing),
        ("DELETE FROM games WHERE game = 2", (2, 0), Damage::NoGame),
        ("UPDATE games SET created_at = created_at + 1 WHERE game = 2", (2, 0), Damage::Index),
    ] {
        let dir = Scratch::new();
        let store = open(&dir);
        store.append([opening(1, 3), opening(2, 3)].concat()).await.unwrap();
        store.close().await;
        tamper(&dir, damage);
        let store = open(&dir);
        let (game, seq) = (GameId(place.0), Seq(place.1));
        assert_eq!(store.recover().await, Err(RecoverError::Damaged { game, seq, fault }), "{damage}");
        store.close().await;
    }
}

#[tokio::test]
async fn a_finished_game_reads_the_same_from_its_archive() {
    let dir = Scratch::new();
    let store = open(&dir);
    // So many that even a writer that is never idle packs them.
    let games = 300;
    store.append(opening(1000, 3)).await.unwrap();
    let answers: Vec<_> = (1..=games).map(|game| store.append(finished(game, 4))).collect();
    for answer in answers {
        answer.await.unwrap();
    }
    while store.ask_writer(|_, heads| Ok(heads.is_overdue())).await.unwrap() {}
    let archives = |connection: &Connection, _: &Heads| {
        connection.query_row("SELECT count(*) FROM archive", [], |row| row.get::<_, i64>(0))
    };
    assert!(store.ask_writer(archives).await.unwrap() > 0);
    for game in 1..=games {
        let rows = store.game_rows(GameId(game)).await.unwrap().unwrap();
        assert_eq!(rows, stored(&finished(game, 4)), "game {game}");
    }
    store.close().await;

    tamper(&dir, "UPDATE archive SET rows = CAST(rows || 'x' AS BLOB) WHERE game = 1");
    let store = open(&dir);
    let recovered = store.recover().await.unwrap();
    assert_eq!(recovered.unfinished.len(), 1);
    assert_eq!(recovered.base, ServerInstant(1_000_002));
    let damaged = RecoverError::Damaged { game: GameId(1), seq: Seq(4), fault: Damage::Checksum };
    assert_eq!(store.game_rows(GameId(1)).await, Err(damaged));
    assert_eq!(store.game_rows(GameId(2)).await.unwrap().unwrap(), stored(&finished(2, 4)));
    store.close().await;
}

#[tokio::test]
async fn the_index_knows_each_game() {
    let store = Store::open_in_memory().unwrap();
    let new = NewGame { created_unix_ms: 2, white: BOB, black: ANN, terms: "3+2".into() };
    store.append(opening(1, 1)).await.unwrap();
    store.append(vec![row(2, 0, Phase::Begins(new))]).await.unwrap();
    let mut second = GameSummary {
        game: GameId(2),
        created_at: ServerInstant(2_000),
        created_unix_ms: 2,
        white: BOB,
        black: ANN,
        terms: "3+2".into(),
        result: None,
    };
    assert_eq!(store.game(GameId(2)).await, Ok(Some(second.clone())));
    store.append(vec![row(2, 1, Phase::Ends("1/2-1/2".into()))]).await.unwrap();
    second.result = Some("1/2-1/2".into());
    assert_eq!(store.game(GameId(2)).await, Ok(Some(second)));
    assert_eq!(store.game(GameId(7)).await, Ok(None));
}

/// Holds the reader until the returned sender is dropped.
fn stall_reader(store: &Store) -> Sender<()> {
    let (release, held) = channel::<()>();
    let (begun, stalled) = channel();
    drop(store.read(move |_| {
        begun.send(()).unwrap();
        // Ends with an error when `release` is dropped.
        let _ = held.recv();
        Ok(())
    }));
    stalled.recv().unwrap();
    release
}

#[tokio::test]
async fn reading_waits_for_no_commit_and_no_commit_for_reading() {
    let dir = Scratch::new();
    let store = open(&dir);
    store.append(finished(1, 4)).await.unwrap();
    // Only a writer that nobody asks for anything packs so few.
    let packing = |connection: &Connection| games::packing(connection, GameId(1));
    while store.read(packing).await.unwrap() != Some(games::Packing::Packed) {}
    let held = stall(&store);
    let queued = store.append(opening(2, 1));
    let reading = async {
        assert_eq!(store.game_rows(GameId(1)).await.unwrap().unwrap(), stored(&finished(1, 4)));
        assert_eq!(store.game(GameId(2)).await, Ok(None), "what is only queued is not seen");
        assert_eq!(store.account(ANN).await, Ok(None));
    };
    soon(reading).await;
    drop(held);
    queued.await.unwrap();
    assert!(store.game(GameId(2)).await.unwrap().is_some(), "what is acknowledged is seen");

    let held = stall_reader(&store);
    soon(store.append(vec![row(2, 1, Phase::Continues)])).await.unwrap();
    drop(held);
    store.close().await;
}

/// What would wait for ever if one thread waited for the other.
async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("it waits for the other thread")
}

#[tokio::test]
async fn whoever_reads_sees_nothing_of_a_store_that_has_failed_or_is_closed() {
    let dir = Scratch::new();
    let store = open(&dir);
    let failing = store.change(|_| Err::<(), _>(sqlite(rusqlite::ffi::SQLITE_IOERR_FSYNC)));
    assert!(matches!(failing.await, Err(StoreFailure::Fatal(_))));
    assert!(matches!(store.account(ANN).await, Err(StoreFailure::Fatal(_))));
    store.close().await;
    let store = open(&dir);
    let failing = store.read(|_| Err::<(), _>(sqlite(rusqlite::ffi::SQLITE_CORRUPT)));
    assert!(matches!(failing.await, Err(StoreFailure::Fatal(_))));
    assert!(matches!(store.append(opening(1, 1)).await, Err(StoreFailure::Fatal(_))));
    store.close().await;
}

#[tokio::test]
async fn f05_a_full_store_keeps_nothing_reads_on_and_resumes_by_itself() {
    let dir = Scratch::new();
    let store =
        Store::open(dir.path(), StoreOptions { page_count_max: Some(240), ..StoreOptions::default() })
            .unwrap();
    let mut health = store.health();
    let page = |seq| JournalRow { payload: vec![seq as u8; 4_000], ..row(1, seq, Phase::Continues) };
    store.append(opening(1, 1)).await.unwrap();
    let mut kept = 1;
    let failure = loop {
        match store.append(vec![page(kept)]).await {
            Ok(()) => kept += 1,
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure, StoreFailure::Full);
    assert!(kept > 5, "{kept} rows");
    assert_eq!(*health.borrow_and_update(), Health::Full);
    let rows = store.game_rows(GameId(1)).await.unwrap().unwrap();
    assert_eq!(rows.len() as u64, kept, "a full store is still read");

    store.set_page_count_max(1_000).await.unwrap();
    health.wait_for(|health| *health == Health::Healthy).await.unwrap();
    store.append(vec![page(kept)]).await.unwrap();
    store.close().await;
    let recovered = open(&dir).recover().await.unwrap();
    assert_eq!(recovered.unfinished[0].rows.len() as u64, kept + 1);
}

#[tokio::test]
async fn whoever_shares_a_transaction_with_what_does_not_fit_is_refused_too() {
    let store = Store::open_in_memory().unwrap();
    store.append(opening(1, 1)).await.unwrap();
    let pages = store
        .ask_writer(|connection, _| {
            connection.pragma_query_value(None, "page_count", |row| row.get::<_, u32>(0))
        })
        .await
        .unwrap();
    store.set_page_count_max(pages + 2).await.unwrap();
    let stalled = stall(&store);
    let small = store.append(vec![row(1, 1, Phase::Continues)]);
    let large = store.append(vec![JournalRow { payload: vec![0; 100_000], ..row(2, 0, begins()) }]);
    drop(stalled);
    assert_eq!(small.await, Err(StoreFailure::Full));
    assert_eq!(large.await, Err(StoreFailure::Full));
    assert_eq!(store.game_rows(GameId(1)).await.unwrap().unwrap(), stored(&opening(1, 1)));
    assert_eq!(store.game_rows(GameId(2)).await, Ok(None));

    store.set_page_count_max(1_000).await.unwrap();
    store.health().wait_for(|health| *health == Health::Healthy).await.unwrap();
    store.append(vec![row(1, 1, Phase::Continues)]).await.unwrap();
    store.append(opening(2, 1)).await.unwrap();
}

/// What SQLite reports with `code`.
fn sqlite(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)
}

#[tokio::test]
async fn f04_after_a_failed_flush_nothing_is_written_ever_again() {
    let dir = Scratch::new();
    let store = open(&dir);
    store.append(opening(1, 1)).await.unwrap();
    let stalled = stall(&store);
    let innocent = store.append(vec![row(1, 1, Phase::Continues)]);
    let failing = store.change(|_| Err::<(), _>(sqlite(rusqlite::ffi::SQLITE_IOERR_FSYNC)));
    drop(stalled);
    assert!(matches!(innocent.await, Err(StoreFailure::Fatal(_))));
    assert!(matches!(failing.await, Err(StoreFailure::Fatal(_))));
    assert!(matches!(&*store.health().borrow(), Health::Failed(_)));
    assert!(matches!(store.append(vec![row(1, 1, Phase::Continues)]).await, Err(StoreFailure::Fatal(_))));
    assert!(matches!(store.game_rows(GameId(1)).await, Err(RecoverError::Store(StoreFailure::Fatal(_)))));
    store.close().await;
    assert_eq!(open(&dir).recover().await.unwrap().unfinished[0].rows.len(), 1);
}

#[tokio::test]
async fn a_change_that_contradicts_the_data_is_undone_alone() {
    let store = Store::open_in_memory().unwrap();
    let stalled = stall(&store);
    let good = store.append(opening(1, 1));
    let bad = store.change(|connection| {
        connection.execute("UPDATE heartbeat SET at = 77", [])?;
        connection.execute("INSERT INTO heartbeat VALUES (1, 0)", [])
    });
    drop(stalled);
    good.await.unwrap();
    assert!(matches!(bad.await, Err(StoreFailure::Refused(_))));
    assert_eq!(*store.health().borrow(), Health::Healthy);
    let heartbeat = store.read(journal::last_heartbeat).await;
    assert_eq!(heartbeat, Ok(ServerInstant::ZERO));
}

#[tokio::test]
async fn a_full_queue_refuses_and_loses_nothing_that_it_took() {
    let store = Store::open_in_memory().unwrap();
    let stalled = stall(&store);
    let taken = store.append(opening(1, 1));
    for at in 1..REQUESTS_MAX as u64 {
        store.heartbeat(ServerInstant(at));
    }
    assert_eq!(store.append(vec![row(1, 1, Phase::Continues)]).await, Err(StoreFailure::Busy));
    drop(stalled);
    taken.await.unwrap();
    store.append(vec![row(1, 1, Phase::Continues)]).await.unwrap();
    let heartbeat = store.read(journal::last_heartbeat).await;
    assert_eq!(heartbeat, Ok(ServerInstant(REQUESTS_MAX as u64 - 1)));
}

#[tokio::test]
async fn closing_writes_what_is_queued_and_refuses_what_comes_later() {
    let dir = Scratch::new();
    let store = open(&dir);
    let stalled = stall(&store);
    let queued = store.append(opening(1, 1));
    let other = store.clone();
    let closing = tokio::spawn(async move { other.close().await });
    drop(stalled);
    queued.await.unwrap();
    closing.await.unwrap();
    assert_eq!(store.append(opening(2, 1)).await, Err(StoreFailure::Stopped));
    assert_eq!(store.account(ANN).await, Err(StoreFailure::Stopped));
    store.close().await;
    assert!(!dir.path().join("chatrang.db-wal").exists(), "one file stays");
    assert_eq!(open(&dir).recover().await.unwrap().unfinished.len(), 1);
}

#[tokio::test]
async fn a_data_directory_serves_one_store_at_a_time() {
    let dir = Scratch::new();
    let store = open(&dir);
    let error = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
    let sentence = format!(
        "the data directory {} is in use by process {}: stop that server, or give this one another directory with \
         --data",
        dir.path().display(),
        std::process::id()
    );
    assert_eq!(error.to_string(), sentence);
    store.close().await;
    open(&dir).close().await;
}

#[tokio::test]
async fn what_is_not_ours_is_refused_with_a_sentence() {
    let dir = Scratch::new();
    open(&dir).close().await;
    let (ours, newer) = (migrations::VERSION, migrations::VERSION + 1);
    tamper(&dir, &format!("PRAGMA user_version = {newer}"));
    let error = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
    assert!(matches!(error, OpenError::Version { found, known, .. } if (found, known) == (newer, ours)));
    let sentence = format!("was made by a newer chatrangd (data version {newer}, this one reads {ours})");
    assert!(error.to_string().contains(&sentence));
    tamper(&dir, "PRAGMA application_id = 7");
    let error = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
    assert!(matches!(error, OpenError::Foreign { .. }));
    let dir = Scratch::new();
    std::fs::write(dir.path().join("chatrang.db"), "a letter to nobody in particular".repeat(200)).unwrap();
    let error = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
    assert!(matches!(error, OpenError::Database { .. }), "{error}");
    let path = dir.path().join("file");
    std::fs::write(&path, "").unwrap();
    assert!(matches!(Store::open(&path, StoreOptions::default()), Err(OpenError::Directory { .. })));
}

#[tokio::test]
async fn a_backup_is_a_whole_store_and_overwrites_nothing() {
    let dir = Scratch::new();
    let store = open(&dir);
    store.append(opening(1, 50)).await.unwrap();
    let copy = Scratch::new();
    let to = copy.path().join("chatrang.db");
    store.backup(&to).await.unwrap();
    store.append(opening(2, 1)).await.unwrap();
    assert!(matches!(store.backup(&to).await, Err(BackupError::Exists { .. })));
    let names = || std::fs::read_dir(copy.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names().collect::<Vec<_>>(), ["chatrang.db"]);
    let recovered = open(&copy).recover().await.unwrap();
    assert_eq!(recovered.unfinished.len(), 1);
    assert_eq!(recovered.unfinished[0].rows, stored(&opening(1, 50)));
    let memory = Store::open_in_memory().unwrap();
    assert!(matches!(memory.backup(&to).await, Err(BackupError::InMemory)));
    store.close().await;
}

/// What a killed backup leaves has another name, and is in nobody's way.
#[tokio::test]
async fn a_backup_begins_again_after_one_that_was_killed() {
    let (dir, copy) = (Scratch::new(), Scratch::new());
    let store = open(&dir);
    store.append(opening(1, 5)).await.unwrap();
    for left in ["chatrang.db.part", "chatrang.db.part-journal"] {
        std::fs::write(copy.path().join(left), "half of a copy, and no database").unwrap();
    }
    store.backup(&copy.path().join("chatrang.db")).await.unwrap();
    assert_eq!(open(&copy).recover().await.unwrap().unfinished.len(), 1);
    assert!(!copy.path().join("chatrang.db.part").exists());
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_games_append_at_once() {
    let dir = Scratch::new();
    let store = open(&dir);
    let games: Vec<_> = (1..=100)
        .map(|game| {
            let store = store.clone();
            tokio::spawn(async move {
                for row in opening(game, 20) {
                    store.append(vec![row]).await.unwrap();
                }
            })
        })
        .collect();
    for game in games {
        game.await.unwrap();
    }
    assert_eq!(store.ask_writer(rows_in_journal).await, Ok(2_000));
    assert!(store.counters().commits < 2_000, "no two ever shared a commit");
    store.close().await;
    let recovered = open(&dir).recover().await.unwrap();
    assert_eq!(recovered.unfinished.len(), 100);
    for (game, number) in recovered.unfinished.iter().zip(1..) {
        assert_eq!(game.rows, stored(&opening(number, 20)));
    }
}

#[tokio::test]
async fn kept_by_hand_nothing_happens_before_its_step() {
    let dir = Scratch::new();
    let (store, mut hand) = Store::by_hand(dir.path(), StoreOptions::default()).unwrap();
    let mut append = Box::pin(store.append(opening(1, 2)));
    hand.asked().await;
    let taken = hand.take();
    assert_eq!((taken.changes(), taken.is_empty(), taken.is_last()), (1, false, false));
    let mut late = Box::pin(store.append(opening(2, 1)));
    let made = hand.commit(taken);
    assert_eq!(store.counters().commits, 1);
    assert!(append.as_mut().now_or_never().is_none(), "on disk, and nobody knows");
    let mut recovered = Box::pin(store.recover());
    assert!(recovered.as_mut().now_or_never().is_none());
    hand.read();
    hand.answer(made);
    assert_eq!(append.now_or_never(), Some(Ok(())));
    assert_eq!(recovered.as_mut().now_or_never().unwrap().unwrap().unfinished.len(), 1);
    assert!(late.as_mut().now_or_never().is_none(), "it came after the others were taken");

    let closing = tokio::spawn({
        let store = store.clone();
        async move { store.close().await }
    });
    tokio::task::yield_now().await;
    let last = hand.take();
    assert!(last.is_last());
    let made = hand.commit(last);
    hand.answer(made);
    assert_eq!(late.now_or_never(), Some(Ok(())));
    hand.close();
    closing.await.unwrap();
    assert_eq!(store.append(opening(3, 1)).await, Err(StoreFailure::Stopped));
    assert!(!dir.path().join("chatrang.db-wal").exists(), "one file is left behind");
}

#[tokio::test]
async fn a_hand_that_lets_go_leaves_what_was_not_made() {
    let dir = Scratch::new();
    let (store, mut hand) = Store::by_hand(dir.path(), StoreOptions::default()).unwrap();
    let append = store.append(opening(1, 1));
    let taken = hand.take();
    drop(taken);
    drop(hand);
    assert_eq!(append.await, Err(StoreFailure::Stopped));
    let store = open(&dir);
    assert_eq!(store.recover().await.unwrap().unfinished, []);
    store.close().await;
}
