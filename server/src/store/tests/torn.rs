//! Damage to the files of a store that was killed: a torn end is cut off, anything else is refused, and
//! nothing that was acknowledged is ever missing without a word.
//!
//! Some hundred places of each file by default; with `CHATRANG_CASES` as many as there are bytes, all of them.

use super::{begins, opening, row, stored};
use crate::config::{Command, Config};
use crate::operator::{self, CommandError};
use crate::scratch::Scratch;
use crate::store::backup::{BackupError, backup};
use crate::store::{AccountBook, Ledger, OpenError, Phase, RecoverError, Store, StoreOptions, StoredRow};
use chatrang_protocol::ids::GameId;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;

/// Places tried in a run of everyday.
const CASES_DEFAULT: usize = 60;

/// What a damaged bit makes of a byte: no byte of a small store becomes zero by it.
const GARBLE: u8 = 0x5a;

/// The files of a store as a kill leaves them, and how far each acknowledged commit reached.
struct Killed {
    database: Vec<u8>,
    log: Vec<u8>,
    /// The log's length when the tables were there, and after each commit.
    ends: Vec<usize>,
    /// Every event, in the order of the commits: one event a commit.
    events: Vec<(GameId, StoredRow)>,
}

impl Killed {
    /// The log with a damage behind event 1 of game 1, and acknowledged commits behind that.
    fn damaged_log(&self) -> Vec<u8> {
        let mut damaged = self.log.clone();
        damaged[self.ends[4] + 100] ^= GARBLE;
        damaged
    }
}

/// Three games, of which each commit brings one on.
async fn killed() -> Killed {
    let dir = Scratch::in_memory();
    let store = super::open(&dir);
    let files = || (dir.path().join("chatrang.db"), dir.path().join("chatrang.db-wal"));
    let log_bytes = || fs::metadata(files().1).unwrap().len() as usize;
    let (mut ends, mut events) = (vec![log_bytes()], Vec::new());
    for seq in 0..5 {
        for game in 1..=3 {
            let rows = vec![row(game, seq, if seq == 0 { begins() } else { Phase::Continues })];
            events.push((GameId(game), stored(&rows).remove(0)));
            store.append(rows).await.unwrap();
            ends.push(log_bytes());
        }
    }
    let (database, log) = (fs::read(files().0).unwrap(), fs::read(files().1).unwrap());
    store.close().await;
    Killed { database, log, ends, events }
}

/// What becomes of a start on these files.
async fn start(database: &[u8], log: &[u8]) -> Result<Vec<(GameId, StoredRow)>, Refused> {
    let dir = Scratch::in_memory();
    fs::write(dir.path().join("chatrang.db"), database).unwrap();
    fs::write(dir.path().join("chatrang.db-wal"), log).unwrap();
    let store = Store::open(dir.path(), StoreOptions::default()).map_err(Refused::Open)?;
    let recovered = store.recover().await;
    store.close().await;
    let games = recovered.map_err(Refused::Recover)?.unfinished;
    let mut events: Vec<_> =
        games.into_iter().flat_map(|game| game.rows.into_iter().map(move |row| (game.game, row))).collect();
    events.sort_by_key(|(game, row)| (row.seq, *game));
    Ok(events)
}

/// Why there was no start.
#[derive(Debug)]
enum Refused {
    Open(OpenError),
    Recover(RecoverError),
}

impl Killed {
    /// The commits of which all lies before `byte` of the log.
    fn commits_before(&self, byte: usize) -> usize {
        self.ends.iter().skip(1).take_while(|end| **end <= byte).count()
    }

    /// Where the last commit lies: all before it was acknowledged before it was begun.
    fn last_commit(&self) -> Range<usize> {
        self.ends[self.ends.len() - 2]..self.log.len()
    }
}

/// Places spread over a file, and the edges of everything in it.
fn places(bytes: usize, edges: &[usize]) -> BTreeSet<usize> {
    let cases = std::env::var("CHATRANG_CASES").map_or(CASES_DEFAULT, |cases| cases.parse().unwrap());
    let near = |edge: &usize| [edge.saturating_sub(1), *edge, edge + 1, edge + 5, edge + 20];
    let spread = (0..bytes).step_by((bytes / cases).max(1) | 1);
    spread.chain(edges.iter().flat_map(near)).filter(|place| *place < bytes).collect()
}

#[tokio::test]
async fn f03_a_torn_end_costs_what_was_not_acknowledged_and_nothing_else() {
    let killed = killed().await;
    let all = start(&killed.database, &killed.log).await.unwrap();
    assert_eq!(all, killed.events, "as it was left");
    // The power fails in the middle of the last write: some of its bytes are there, some are not.
    let last = killed.last_commit();
    let before = &killed.events[..killed.events.len() - 1];
    for place in places(last.len(), &[0, 24, 4_120]).into_iter().map(|place| last.start + place) {
        let mut garbled = killed.log.clone();
        garbled[place..].iter_mut().for_each(|byte| *byte ^= GARBLE);
        let mut empty = killed.log.clone();
        empty[place..].fill(0);
        for log in [&killed.log[..place], &garbled, &empty] {
            // Zeros may be what was there.
            let left = if log == killed.log { &killed.events[..] } else { before };
            assert_eq!(start(&killed.database, log).await.unwrap(), left, "torn at byte {place}");
        }
    }
    // A log that ends earlier, wherever: up to there everything is there.
    for place in places(killed.log.len(), &killed.ends) {
        let left = &killed.events[..killed.commits_before(place)];
        assert_eq!(start(&killed.database, &killed.log[..place]).await.unwrap(), left, "cut at {place}");
    }
}

#[tokio::test]
async fn f03_damage_before_the_end_of_the_log_is_refused_with_its_place() {
    let killed = killed().await;
    let last = killed.last_commit();
    for place in places(killed.log.len(), &killed.ends) {
        let mut log = killed.log.clone();
        log[place] ^= GARBLE;
        let commits = killed.commits_before(place);
        let started = start(&killed.database, &log).await;
        if last.contains(&place) {
            // Nobody can tell it from a write that was torn.
            assert_eq!(started.unwrap(), killed.events[..commits], "byte {place}");
            continue;
        }
        let Err(Refused::Open(OpenError::DamagedLog { byte, after, .. })) = started else {
            panic!("byte {place} of {}: {started:?}", log.len())
        };
        assert!(byte as usize <= place, "{byte} is behind {place}");
        let known = commits.checked_sub(1).map(|last| &killed.events[last]);
        assert_eq!(after, known.map(|(game, row)| (*game, row.seq)), "byte {place}");
    }
}

/// A refusal changes nothing: an operator who puts the byte right has everything back.
#[tokio::test]
async fn f03_a_refused_log_is_left_as_it_is() {
    let killed = killed().await;
    let dir = Scratch::in_memory();
    let (database, log) = (dir.path().join("chatrang.db"), dir.path().join("chatrang.db-wal"));
    let damaged = killed.damaged_log();
    fs::write(&database, &killed.database).unwrap();
    fs::write(&log, &damaged).unwrap();
    let refused = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("behind event 1 of game 1"), "{refused}");
    assert_eq!((fs::read(&database).unwrap(), fs::read(&log).unwrap()), (killed.database, damaged));
    fs::write(&log, &killed.log).unwrap();
    let store = Store::open(dir.path(), StoreOptions::default()).unwrap();
    assert_eq!(store.recover().await.unwrap().unfinished.len(), 3);
    store.close().await;
}

/// SQLite would begin a new database, and throw the log away with all that was acknowledged.
#[tokio::test]
async fn f03_a_log_without_its_database_is_refused_and_left_as_it_is() {
    let killed = killed().await;
    let dir = Scratch::in_memory();
    let (database, log) = (dir.path().join("chatrang.db"), dir.path().join("chatrang.db-wal"));
    fs::write(&log, &killed.log).unwrap();
    for empty in [false, true] {
        if empty {
            fs::write(&database, "").unwrap();
        }
        let refused = Store::open(dir.path(), StoreOptions::default()).unwrap_err();
        assert!(matches!(refused, OpenError::LogAlone { .. }), "{refused}");
        let refused = Ledger::open(dir.path()).unwrap_err();
        assert!(matches!(refused, OpenError::LogAlone { .. }), "{refused}");
        assert_eq!(fs::read(&log).unwrap(), killed.log);
    }
    fs::write(&database, &killed.database).unwrap();
    let store = Store::open(dir.path(), StoreOptions::default()).unwrap();
    assert_eq!(store.recover().await.unwrap().unfinished.len(), 3);
    store.close().await;
}

#[tokio::test]
async fn f03_damage_in_the_database_is_refused_or_harmless() {
    let dir = Scratch::in_memory();
    let store = super::open(&dir);
    for game in 1..=3 {
        store.append(opening(game, 5)).await.unwrap();
    }
    store.close().await;
    let database = fs::read(dir.path().join("chatrang.db")).unwrap();
    let whole = start(&database, &[]).await.unwrap();
    assert_eq!(whole.len(), 15);
    let (mut refused, mut placed, mut harmless, mut silent) = (0, 0, 0, Vec::new());
    for place in places(database.len(), &[]) {
        let mut damaged = database.clone();
        damaged[place] ^= GARBLE;
        match start(&damaged, &[]).await {
            Ok(events) if events == whole => harmless += 1,
            Ok(events) => silent.push((place, events.len())),
            Err(Refused::Recover(RecoverError::Damaged { .. })) => placed += 1,
            Err(_) => refused += 1,
        }
    }
    println!("refused {refused}, with game and event {placed}; harmless {harmless}");
    assert!(silent.is_empty(), "{silent:?}");
}

/// What an operator looks at and wants to change meanwhile makes nobody forget it.
#[tokio::test]
async fn f03_an_operators_command_tells_of_a_damaged_log_and_leaves_it_as_it_is() {
    let killed = killed().await;
    let dir = Scratch::in_memory();
    let (database, log) = (dir.path().join("chatrang.db"), dir.path().join("chatrang.db-wal"));
    let damaged = killed.damaged_log();
    fs::write(&database, &killed.database).unwrap();
    fs::write(&log, &damaged).unwrap();
    let refused = AccountBook::open(dir.path()).unwrap_err();
    assert!(matches!(refused, OpenError::DamagedLog { .. }), "{refused}");
    let refused = backup(dir.path(), &dir.path().join("copy.db")).unwrap_err();
    assert!(matches!(refused, BackupError::Open(OpenError::DamagedLog { .. })), "{refused}");
    let faults = Ledger::open(dir.path()).unwrap().faults_of_the_file().unwrap();
    assert!(faults.iter().any(|fault| fault.contains("behind event 1 of game 1")), "{faults:?}");
    let export = Command::Export { output: None, unfinished: true, player: None, since: None };
    let cut_short = operator::carry_out(&export, &Config::for_tests(dir.path()), &mut Vec::new());
    assert!(matches!(cut_short, Err(CommandError::CutShort(OpenError::DamagedLog { .. }))), "{cut_short:?}");
    assert_eq!((fs::read(&database).unwrap(), fs::read(&log).unwrap()), (killed.database, damaged));
}

/// A log that a crash has left is for the next start to examine, whoever looks at the accounts before.
#[tokio::test]
async fn the_accounts_are_looked_at_without_touching_the_log() {
    let killed = killed().await;
    let dir = Scratch::in_memory();
    let (database, log) = (dir.path().join("chatrang.db"), dir.path().join("chatrang.db-wal"));
    fs::write(&database, &killed.database).unwrap();
    fs::write(&log, &killed.log).unwrap();
    let book = AccountBook::open(dir.path()).unwrap();
    book.accounts().unwrap();
    drop(book);
    assert_eq!((fs::read(&database).unwrap(), fs::read(&log).unwrap()), (killed.database, killed.log));
}
