//! A real process whose disk fails: it acknowledges nothing any more, says why, and ends with its own code.

use super::crash::newcomer;
use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::Side;
use chatrang_tests::children::Daemon;
use chatrang_tests::journal::Journal;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Table, proposal, seat};
use chatrang_tests::scratch::Scratch;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The exit code of a store that has failed.
const EXIT_STORE: i32 = 8;

/// A process with a game of two moves.
async fn game(dir: &Scratch) -> (Daemon, Table) {
    let daemon = Daemon::start(dir, "127.0.0.1:0").await;
    let (white, black) = (newcomer(&daemon, "Shirin").await, newcomer(&daemon, "Khosrow").await);
    let mut table = seat(white, black, proposal("5+3", Side::Random)).await;
    table.play_all("e4 e5").await;
    (daemon, table)
}

/// Sends a move that cannot be kept; the process ends, and says why.
async fn fails(mut daemon: Daemon, table: &mut Table, why: &str) {
    let knight = Intent::Move { ply: 2, mv: table.white.legal("Nf3") };
    let id = table.white.link.send(knight).unwrap();
    assert_eq!(daemon.process.ends().await.code(), Some(EXIT_STORE));
    let said = daemon.process.last_words().await;
    let sentence = "chatrangd: the store has failed, so the server stops before it forgets a move:";
    assert!(said.iter().any(|line| line.contains(sentence) && line.contains(why)), "{said:#?}");
    while let Some(news) = soon("the connection to be lost", table.white.link.next()).await {
        match news {
            GameNews::Answer(answer) if answer.intent == id => panic!("answered: {answer:?}"),
            GameNews::ConnectionLost => return,
            _ => {}
        }
    }
    panic!("the game is lost to its player");
}

#[tokio::test]
async fn f04_a_store_that_fails_ends_the_process_with_eight() {
    let dir = Scratch::new();
    let (daemon, mut table) = game(&dir).await;
    let database = dir.path().join("server/chatrang.db");
    let saboteur = rusqlite::Connection::open(database).unwrap();
    saboteur.execute_batch("ALTER TABLE journal RENAME TO lost").unwrap();
    fails(daemon, &mut table, "journal").await;
    let kept: i64 = saboteur.query_row("SELECT count(*) FROM lost", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 3, "the start and two moves");
}

/// Every flush fails from now on, as on a disk that is gone. With `strace`, where it is and may look into
/// another process; the store's own tests do the same without.
#[tokio::test]
async fn f04_a_flush_that_fails_ends_the_process_with_eight() {
    let dir = Scratch::new();
    let (daemon, mut table) = game(&dir).await;
    let address = daemon.address().to_owned();
    let Some(mut strace) = flushes_fail(daemon.process.id()).await else {
        println!("strace is not to be had: nothing was tried");
        return;
    };
    // SQLite's number for a flush that has failed.
    fails(daemon, &mut table, "1034").await;
    soon("strace to end", strace.wait()).await.unwrap();

    // What was acknowledged is there; of the last move nobody knows, until its player asks again.
    let journal = Journal::read(&dir.path().join("server/chatrang.db"));
    assert!([2, 3].contains(&journal.game(table.game).ply()));
    let _daemon = Daemon::start(&dir, &address).await;
    for player in [&mut table.white, &mut table.black] {
        player.until("the move to be made", |view| view.state.ply == 3).await;
        player.until("the clocks to run again", |view| view.state.suspension.is_none()).await;
    }
    table.play("Nc6").await;
}

/// Lets all flushes of a process fail, as long as the one returned lives; none where that cannot be done.
async fn flushes_fail(process: u32) -> Option<Child> {
    let mut strace = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"])
        .args(["-e", "inject=fsync,fdatasync:error=EIO", "-p"])
        .arg(process.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .ok()?;
    let mut lines = BufReader::new(strace.stderr.take()?).lines();
    let attached = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if line.contains("attached") {
                return true;
            }
        }
        false
    };
    soon("strace to attach", attached).await.then_some(strace)
}
