//! One game's task panics, or never comes back: the others play on, and that one goes on from its journal.

use chatrang_protocol::client::game::{GameNews, LinkEnd};
use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::view::AttachError;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Action, Millis, Suspension};
use chatrang_server::limits::PANICS_PER_GAME_MAX;
use chatrang_tests::house::House;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, agree, proposal, seat};
use chatrang_tests::tripwire::{Trap, Tripwire};
use std::sync::Arc;

/// A house with a trap for the first of two games.
struct Two {
    house: House,
    wire: Arc<Tripwire>,
    long: Table,
    other: Table,
}

impl Two {
    async fn games() -> Self {
        let mut wire = None;
        let house = House::open_behind(|time| wire.insert(Tripwire::around(time)).clone()).await;
        let mut long = house.table("90+0").await;
        let others = (house.guest("Zal").await, house.guest("Rudabeh").await);
        let mut other = seat(others.0, others.1, proposal("5+3", Side::Random)).await;
        long.play_all("e4 e5").await;
        other.play_all("d4 d5").await;
        Self { house, wire: wire.unwrap(), long, other }
    }

    async fn other_goes_on(&mut self, moves: &str) {
        self.other.play_all(moves).await;
        agree(&self.house.journal(self.other.game).await, &[&self.other.white, &self.other.black]);
    }
}

async fn is_refused(player: &mut Player) -> LinkEnd {
    let refused = async {
        loop {
            match player.link.next().await {
                Some(GameNews::Ended(end)) => return end,
                Some(_) => {}
                None => panic!("its end was told before"),
            }
        }
    };
    soon("the game to be refused", refused).await
}

/// The worst moment: the move is on disk, and nobody has been told. Its player hears that it was made, once,
/// and nobody pays for what the house did.
#[tokio::test]
async fn f36_a_panic_costs_one_game_neither_a_move_nor_time() {
    let mut two = Two::games().await;
    two.house.pass_ms(7_000);
    two.wire.set([Trap::PanicAtWork]);
    let knight = two.long.white.legal("Nf3");
    let seq = two.long.white.ask(Intent::Move { ply: 2, mv: knight }).await.unwrap();
    assert_eq!(two.wire.left(), 0, "the task has panicked");
    two.other_goes_on("c4 e6").await;
    for player in [&mut two.long.white, &mut two.long.black] {
        let goes_on = |view: &chatrang_protocol::view::Snapshot| {
            view.seq > seq && view.state.suspension.is_none() && view.state.clocks.running.is_some()
        };
        player.until("the game to go on", goes_on).await;
        assert_eq!(player.left(), ByColor { white: Millis(5_393_000), black: Millis(5_400_000) });
    }
    two.long.play_all("Nc6 Bb5 a6").await;
    let record = two.house.journal(two.long.game).await;
    let knights = record
        .iter()
        .filter(|entry| matches!(&entry.event().action, Action::Moved { mv, .. } if *mv == knight));
    assert_eq!(knights.count(), 1);
    agree(&record, &[&two.long.white, &two.long.black]);
    two.other_goes_on("Nc3 Nf6").await;
}

/// A fault that comes back at once every time: the game is set aside, everyone is told, nobody pays for it, and
/// the next start takes it up.
#[tokio::test]
async fn f36_a_game_that_panics_again_and_again_is_set_aside_until_the_next_start() {
    let mut two = Two::games().await;
    two.wire.set((0..=PANICS_PER_GAME_MAX).map(|_| Trap::PanicAtRest));
    let knight = Intent::Move { ply: 2, mv: two.long.white.legal("Nf3") };
    two.long.white.link.send(knight).unwrap();
    for player in [&mut two.long.white, &mut two.long.black] {
        assert_eq!(is_refused(player).await, LinkEnd::Refused(AttachError::SetAside));
    }
    assert_eq!(two.wire.left(), 0);
    two.other_goes_on("c4 e6").await;
    // Whoever comes to look is told the same, and the players are free for another game.
    let visitor = two.house.guest("Farhad").await;
    let refused = soon("an answer", visitor.open_game(two.long.game)).await.unwrap_err();
    assert_eq!(refused.to_string(), AttachError::SetAside.to_string());
    assert_eq!(visitor.games().await.unwrap().len(), 1, "it is not in play");
    let (white, black) = (two.long.white.client.clone(), two.long.black.client.clone());
    assert_eq!(white.seats().await, Ok(Vec::new()));
    seat(white, black, proposal("3+2", Side::Random)).await.play_all("e4").await;

    let record = two.house.journal(two.long.game).await;
    let stopped = record.last().unwrap().event();
    assert_eq!(stopped.action, Action::Suspended(Suspension::Restart));
    assert_eq!(stopped.clocks.left, ByColor { white: Millis(5_400_000), black: Millis(5_400_000) });
    two.house.pass_ms(1_000_000);
    let house = two.house.close().await.reopen().await;
    let white = Player::open(two.long.white.client, two.long.game).await;
    let black = Player::open(two.long.black.client, two.long.game).await;
    let mut again = Table { game: two.long.game, white, black };
    for player in [&mut again.white, &mut again.black] {
        player.until("the clocks to run again", |view| view.state.suspension.is_none()).await;
        assert_eq!(player.left(), stopped.clocks.left);
        assert_eq!(player.link.view().played.len(), 3, "the move was made");
    }
    again.play_all("Nc6 Bb5").await;
    agree(&house.journal(again.game).await, &[&again.white, &again.black]);
}

/// A task that never comes back cannot be stopped from outside. It holds up nobody but its own players, and
/// what they sent meanwhile counts from when it came.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f37_a_frozen_game_holds_up_no_other() {
    let mut two = Two::games().await;
    let frozen = two.wire.freeze_at_rest();
    two.long.play("Nf3").await;
    assert_eq!(two.wire.left(), 0, "the task is frozen");
    two.house.pass_ms(4_000);
    let reply = Intent::Move { ply: 3, mv: two.long.black.legal("Nc6") };
    let reply = two.long.black.link.send(reply).unwrap();
    two.other_goes_on("c4 e6 Nc3 Nf6").await;
    // A list leaves it out, and who gives up in it may do so.
    let visitor = two.house.guest("Farhad").await;
    let games = soon("a list", visitor.games()).await.unwrap();
    assert_eq!(games.iter().map(|game| game.game).collect::<Vec<_>>(), [two.other.game]);
    two.house.pass_ms(60_000);
    drop(frozen);
    loop {
        if let GameNews::Answer(answer) = two.long.black.next().await {
            assert_eq!(answer.intent, reply);
            answer.outcome.unwrap();
            break;
        }
    }
    two.long.white.until("the reply", |view| view.state.ply == 4).await;
    assert_eq!(
        two.long.white.left()[Color::Black],
        Millis(5_396_000),
        "64 seconds, of which 60 were the house's"
    );
    two.long.play_all("Bb5 a6").await;
    agree(&two.house.journal(two.long.game).await, &[&two.long.white, &two.long.black]);
}
