//! The bot on the protocol's front page plays whole games.

use chatrang_protocol::client::Settings;
use chatrang_protocol::lobby::Side;
use chatrang_tests::binaries::binaries;
use chatrang_tests::children::{Daemon, Talker, command};
use chatrang_tests::house::{enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, proposal};
use chatrang_tests::scratch::Scratch;

fn bot(home: &Scratch, daemon: &Daemon, name: &str) -> Talker {
    Talker::start(command(&binaries().random_bot, home.path()).args([&daemon.line(), name, "1+0"]))
}

/// The last line that a bot prints is how its game ended.
async fn last_line(bot: &mut Talker) -> String {
    let mut last = String::new();
    while let Some(line) = bot.line().await {
        last = line;
    }
    assert_eq!(bot.ends().await.code(), Some(0), "{last}");
    last
}

#[tokio::test]
async fn two_bots_play_a_game() {
    let dir = Scratch::new();
    let mut daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let (mut one, mut two) = (bot(&dir, &daemon, "Ann"), bot(&dir, &daemon, "Bob"));
    let over = daemon.process.object("game_over").await;
    let ends = [last_line(&mut one).await, last_line(&mut two).await];
    assert_eq!(ends[0], ends[1]);
    let first_word = match over["result"].as_str().unwrap() {
        "1-0" => "White",
        "0-1" => "Black",
        _ => "Draw",
    };
    assert!(ends[0].starts_with(first_word), "{over} and {ends:?}");
}

/// A person who makes the first move and then gives up.
#[tokio::test]
async fn a_bot_takes_a_resignation() {
    let dir = Scratch::new();
    let daemon = Daemon::start(&dir, "127.0.0.1:0").await;
    let settings = Settings::new(daemon.line().parse().unwrap(), new_key()).with_handle(handle("Shirin"));
    let client = enter(settings).await;
    let mut bot = bot(&dir, &daemon, "Ann");
    let seat = soon("the bot", client.find_game(proposal("1+0", Side::White))).await.unwrap();
    let mut player = Player::open(client, seat.game).await;
    player.play("e4").await;
    player.until("the bot's move", |view| view.played.len() == 2).await;
    player.does(chatrang_protocol::intent::Intent::Resign).await;
    assert_eq!(last_line(&mut bot).await, "Black wins: White resigned (FIDE 5.1.2)");
}
