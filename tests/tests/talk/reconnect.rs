//! A player whose connection is lost goes on where he was: nothing twice, nothing lost.

use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::client::{Client, News, Settings};
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::view::{GameFrame, Presence};
use chatrang_rules::game::Action;
use chatrang_rules::outcome::Termination;
use chatrang_tests::house::{House, enter, new_key};
use chatrang_tests::lane::Lane;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, agree, pair, proposal, seat};
use chatrang_tests::wire::Wire;

async fn hears(client: &mut Client, expected: News) {
    let heard = async { while client.next_news().await.expect("the client lives") != expected {} };
    soon("the client to hear it", heard).await;
}

/// The SDK's own way back: a reset in mid-game, with a move under way, and the opponent's moves
/// meanwhile none of his business.
#[tokio::test]
async fn a_lost_connection_is_taken_up_by_itself() {
    let house = House::open().await;
    let lane = Lane::to(&house).await;
    let white = house.newcomer("Shirin");
    let mut white = enter(Settings { server: house.line_at(lane.address), ..white }).await;
    let black = house.guest("Khosrow").await;
    let mut table = seat(white.clone(), black, proposal("5+3", Side::Random)).await;
    for round in ["e4 e5", "Nf3 Nc6", "Bb5 a6", "Ba4 Nf6", "O-O Be7"] {
        let (hers, his) = round.split_once(' ').unwrap();
        lane.cut();
        let mv = table.white.legal(hers);
        let ply = table.white.state().ply;
        let id = table.white.link.send(Intent::Move { ply, mv }).unwrap();
        hears(&mut white, News::ConnectionLost).await;
        lane.mend();
        hears(&mut white, News::ConnectionBack).await;
        // One answer and one update, in whatever order; and the loss told in between.
        let (mut answers, mut updates, mut losses) = (0, 0, 0);
        while answers == 0 || updates == 0 {
            match table.white.next().await {
                GameNews::Answer(answer) => {
                    assert_eq!(answer.intent, id);
                    answer.outcome.unwrap();
                    answers += 1;
                }
                GameNews::Update(update) => {
                    assert_eq!(update.played.unwrap().san.as_str(), hers);
                    updates += 1;
                }
                GameNews::ConnectionLost => losses += 1,
                _ => {}
            }
        }
        assert_eq!((answers, updates, losses), (1, 1, 1), "{round}");
        let seq = table.white.link.view().seq;
        table.black.until_seq(seq).await;
        table.play(his).await;
    }
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);
    table.black.does(Intent::Resign).await;
    assert_eq!(table.result(&house).await.termination, Termination::Resignation);
}

#[tokio::test]
async fn the_opponent_is_told_who_is_away_and_who_is_back() {
    let house = House::open().await;
    let settings = house.newcomer("Khosrow");
    let mut table =
        seat(house.guest("Shirin").await, enter(settings.clone()).await, proposal("5+3", Side::Random)).await;
    table.play("e4").await;
    table.black.client.close().await;
    drop(table.black.link);
    let away = |presence| matches!(presence, Presence::Away { .. });
    table.white.until("Black to be away", |view| away(view.presence.black)).await;
    let back = Player::open(enter(settings).await, table.game).await;
    table.white.until("Black to be back", |view| view.presence.black == Presence::Here).await;
    assert_eq!(back.link.view().played.len(), 1);
}

/// On the bare wire: what was missed comes in order from the seq on, each event once.
#[tokio::test]
async fn a_stream_is_resumed_from_a_seq() {
    let house = House::open().await;
    let key = new_key();
    let wire = Wire::enter(&house, &key, "Farhad").await;
    let mut table = house.table("5+3").await;
    let (_stream, snapshot) = wire.attach(table.game).await;
    wire.hang_up().await;
    table.play_all("e4 e5 Nf3 Nc6").await;

    let wire = Wire::enter(&house, &key, "Farhad").await;
    let mut stream = wire.resume(table.game, snapshot.seq).await;
    for (seq, san) in (snapshot.seq.0 + 1..).zip(["e4", "e5", "Nf3", "Nc6"]) {
        match stream.take().await {
            GameFrame::Update(update) => {
                assert_eq!((update.seq, update.played.unwrap().san.as_str()), (Seq(seq), san));
            }
            other => panic!("no update: {other:?}"),
        }
    }
    // More than a tail holds, or a seq that never was, is answered with the whole game.
    table.play_all("Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8").await;
    let last = table.white.link.view().seq;
    for seen in [snapshot.seq, Seq(last.0 + 1), Seq(u64::MAX)] {
        match wire.resume(table.game, seen).await.take().await {
            GameFrame::Snapshot(whole) => assert_eq!(whole.seq, last),
            other => panic!("no snapshot for {seen}: {other:?}"),
        }
    }
}

/// The same intent again, on another stream, another connection and after a restart: the same answer
/// each time, and one event.
#[tokio::test]
async fn f27_an_intent_sent_again_does_nothing_twice() {
    let house = House::open_on_disk().await;
    let key = new_key();
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let black = house.newcomer("Khosrow");
    let game = {
        let white = enter(Settings::new(house.line(), key.clone())).await;
        pair(&white, &enter(black.clone()).await, proposal("5+3", Side::Random)).await.white.game
    };
    let mut opponent = Player::open(enter(black.clone()).await, game).await;
    let (mut stream, snapshot) = wire.attach(game).await;
    let e4 = Intent::Move { ply: 0, mv: opponent.legal("e4") };
    assert_eq!(snapshot.state.ply, 0);
    let seq = stream.ask(77, e4.clone()).await.unwrap();
    assert_eq!(stream.ask(77, e4.clone()).await, Ok(seq), "on the same stream");
    let (mut second, _) = wire.attach(game).await;
    assert_eq!(second.ask(77, e4.clone()).await, Ok(seq), "on another");
    opponent.until_seq(seq).await;
    opponent.play("e5").await;
    assert_eq!(stream.ask(77, e4.clone()).await, Ok(seq), "when the game is further on");
    assert!(stream.ask(78, e4.clone()).await.is_err(), "another intent is another matter");

    let house = house.close().await.reopen().await;
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let (mut stream, snapshot) = wire.attach(game).await;
    assert_eq!(snapshot.state.ply, 2);
    assert_eq!(stream.ask(77, e4.clone()).await, Ok(seq), "after a restart");
    let record = house.journal(game).await;
    let moves = record.iter().filter(|entry| matches!(entry.event().action, Action::Moved { .. })).count();
    assert_eq!(moves, 2);
}
