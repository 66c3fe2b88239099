//! Connections, streams and answers that are lost: what is sent again, heard once, or final.

use crate::scripted::{Guest, House, Table, chat_line, knight_move, snapshot, state, update};
use crate::{enter, open, talk};
use chatrang_protocol::chat::ChatText;
use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::game::{GameLink, GameNews, LinkEnd, SendError};
use chatrang_protocol::client::{CallError, Client, News};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::{IntentId, Seq, TalkId};
use chatrang_protocol::intent::Intent;
use chatrang_protocol::limits;
use chatrang_protocol::talk::{Talk, TalkAnswer, TalkFrame};
use chatrang_protocol::view::{Answer, GameFrame, StateView, Update};
use chatrang_rules::game::{Proposal, Refusal, Suspension};

#[tokio::test]
async fn a_call_in_flight_fails_with_the_connection() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let cut = async {
            guest.request().await;
            guest.cut();
        };
        let (seeks, ()) = tokio::join!(client.seeks(), cut);
        assert_eq!(seeks, Err(CallError::ConnectionLost));
    })
    .await;
}

#[tokio::test]
async fn a_resumed_game_neither_doubles_nor_loses_an_update() {
    let house = House::open();
    talk(async {
        let (mut client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        table.updates(5..=6).await;
        assert_eq!(link.next().await, Some(GameNews::Update(update(5))));
        assert_eq!(link.next().await, Some(GameNews::Update(update(6))));
        guest.cut();

        let guest = house.guest().await;
        let mut table = guest.table().await;
        assert_eq!(table.attach.seen, Some(Seq(6)));
        // A server that sends more than was asked for does no harm.
        table.updates(5..=8).await;
        for expected in [
            GameNews::ConnectionLost,
            GameNews::ConnectionBack,
            GameNews::Update(update(7)),
            GameNews::Update(update(8)),
        ] {
            assert_eq!(link.next().await, Some(expected));
        }
        assert_eq!(link.view().seq, Seq(8));
        assert_eq!(link.view().played.len(), 4);
        assert_eq!(client.next_news().await, Some(News::ConnectionLost));
        assert_eq!(client.next_news().await, Some(News::ConnectionBack));
    })
    .await;
}

#[tokio::test]
async fn an_intent_without_an_answer_is_sent_again_under_its_old_id() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        let id = link.send(Intent::Propose(Proposal::Draw)).unwrap();
        let first = table.intent().await;
        assert_eq!((first.id, first.seen), (id, Seq(4)));
        guest.cut();

        let guest = house.guest().await;
        let mut table = guest.table().await;
        assert_eq!(table.intent().await, first);
        // Twice, as a server might that had the first one under way when the connection was lost.
        table.answer(id, 5).await;
        table.answer(id, 5).await;
        table.updates(5..=5).await;
        let answer = Answer { intent: id, outcome: Ok(Seq(5)) };
        for expected in [
            GameNews::ConnectionLost,
            GameNews::ConnectionBack,
            GameNews::Answer(answer),
            GameNews::Update(update(5)),
        ] {
            assert_eq!(link.next().await, Some(expected));
        }
    })
    .await;
}

/// A crash has met the move, and the next start stops the clocks until both players are back.
#[tokio::test]
async fn a_move_that_a_crash_has_met_is_made_when_the_clocks_run_again() {
    let house = House::open();
    talk(async {
        let (_client, _guest, mut link, mut table, id) = waiting_for_the_clocks(&house).await;
        table.updates(6..=6).await;
        let again = table.intent().await;
        assert_eq!((again.id, again.intent), (id, Intent::Move { ply: 4, mv: knight_move(4) }));
        table.answer(id, 7).await;
        assert_eq!(link.next().await, Some(GameNews::Update(update(6))), "and nothing of a refusal");
        let made = Answer { intent: id, outcome: Ok(Seq(7)) };
        assert_eq!(link.next().await, Some(GameNews::Answer(made)));
    })
    .await;
}

/// A game whose player's move a crash has met: it waits for the clocks to run again.
async fn waiting_for_the_clocks(house: &House) -> (Client, Guest, GameLink, Table, IntentId) {
    let (client, guest) = enter(house).await;
    let (mut link, mut table) = open(&client, &guest, 4).await;
    let id = link.send(Intent::Move { ply: 4, mv: knight_move(4) }).unwrap();
    table.intent().await;
    guest.cut();

    let guest = house.guest().await;
    let mut table = guest.table().await;
    let stopped = StateView { suspension: Some(Suspension::Restart), ..state(5) };
    table.stream.give(&GameFrame::Update(Update { state: stopped, ..update(5) })).await;
    assert_eq!(table.intent().await.id, id);
    table.stream.give(&GameFrame::Answer(suspended(id))).await;
    // Behind the answer: when this is heard, that has been.
    table.chat(vec![chat_line("Zoe", TalkId(1), "sorry")]).await;
    loop {
        match link.next().await {
            Some(GameNews::Chat(_)) => break,
            Some(GameNews::Answer(answer)) => panic!("it is held, not answered: {answer:?}"),
            Some(_) => {}
            None => panic!("the link lives"),
        }
    }
    (client, guest, link, table, id)
}

fn suspended(intent: IntentId) -> Answer {
    Answer { intent, outcome: Err(Refusal::Suspended { why: Suspension::Restart }.into()) }
}

/// Nothing is carried out before what was sent before it: who goes on to something else has his answer.
#[tokio::test]
async fn what_waits_for_the_clocks_is_refused_when_its_player_wants_something_else() {
    let house = House::open();
    talk(async {
        let (_client, _guest, mut link, mut table, id) = waiting_for_the_clocks(&house).await;
        let resignation = link.send(Intent::Resign).unwrap();
        assert_eq!(table.intent().await.id, resignation);
        assert_eq!(link.next().await, Some(GameNews::Answer(suspended(id))));
        // Nobody was down when this one was sent.
        table.stream.give(&GameFrame::Answer(suspended(resignation))).await;
        assert_eq!(link.next().await, Some(GameNews::Answer(suspended(resignation))));
    })
    .await;
}

#[tokio::test]
async fn who_leaves_does_not_wait_for_the_clocks() {
    let house = House::open();
    talk(async {
        let (_client, _guest, link, mut table, _) = waiting_for_the_clocks(&house).await;
        drop(link);
        assert!(table.stream.is_finished().await);
    })
    .await;
}

#[tokio::test]
async fn what_is_said_without_an_answer_is_said_again_and_a_line_is_heard_once() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        let id = link.say(ChatText::new("good luck").unwrap()).unwrap();
        let first = table.talk().await;
        assert_eq!(first, TalkFrame { id, talk: Talk::Say(ChatText::new("good luck").unwrap()) });
        let said = chat_line("Shirin", id, "good luck");
        table.chat(vec![said.clone()]).await;
        assert_eq!(link.next().await, Some(GameNews::Chat(vec![said.clone()])));
        guest.cut();

        let guest = house.guest().await;
        let mut table = guest.table().await;
        assert_eq!(table.talk().await, first);
        let thanks = chat_line("Khosrow", id, "thank you");
        table.chat(vec![said, thanks.clone()]).await;
        let answer = TalkAnswer { id, outcome: Ok(()) };
        for _ in 0..2 {
            table.stream.give(&GameFrame::Talked(answer.clone())).await;
        }
        table.updates(5..=5).await;
        for expected in [
            GameNews::ConnectionLost,
            GameNews::ConnectionBack,
            GameNews::Chat(vec![thanks]),
            GameNews::Talked(answer),
            GameNews::Update(update(5)),
        ] {
            assert_eq!(link.next().await, Some(expected));
        }
    })
    .await;
}

#[tokio::test]
async fn an_intent_of_a_lost_connection_waits_for_the_next() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, _table) = open(&client, &guest, 4).await;
        guest.cut();
        assert_eq!(link.next().await, Some(GameNews::ConnectionLost));
        let id = link.send(Intent::Resign).unwrap();
        let guest = house.guest().await;
        assert_eq!(guest.table().await.intent().await.id, id);
    })
    .await;
}

#[tokio::test]
async fn a_gap_asks_for_a_snapshot() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        table.updates(6..=6).await;
        let mut table = guest.table().await;
        assert_eq!(table.attach.seen, None);
        table.snapshot(6).await;
        table.updates(7..=7).await;
        assert_eq!(link.next().await, Some(GameNews::Snapshot(snapshot(6))));
        assert_eq!(link.next().await, Some(GameNews::Update(update(7))));
    })
    .await;
}

#[tokio::test]
async fn a_listener_that_the_server_let_go_of_attaches_again() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        table.stream.sender.finish();
        let mut table = guest.table().await;
        assert_eq!(table.attach.seen, Some(Seq(4)));
        table.updates(5..=5).await;
        assert_eq!(link.next().await, Some(GameNews::ConnectionLost));
        assert_eq!(link.next().await, Some(GameNews::ConnectionBack));
        assert_eq!(link.next().await, Some(GameNews::Update(update(5))));
    })
    .await;
}

#[tokio::test]
async fn a_denial_on_the_way_back_is_final_for_client_and_games() {
    let house = House::open();
    talk(async {
        let (mut client, guest) = enter(&house).await;
        let (mut link, _table) = open(&client, &guest, 4).await;
        guest.cut();
        // First a passing reason, which is no end.
        house.caller().await.deny(Denial::ServerStopping).await;
        house.caller().await.drop_with(CloseCode::Internal);
        house.caller().await.deny(Denial::InviteNeeded).await;

        let denied = ConnectError::Denied(Denial::InviteNeeded);
        assert_eq!(client.next_news().await, Some(News::ConnectionLost));
        assert_eq!(client.next_news().await, Some(News::Closed(denied.clone())));
        assert_eq!(client.next_news().await, None);
        assert_eq!(link.next().await, Some(GameNews::ConnectionLost));
        assert_eq!(link.next().await, Some(GameNews::Ended(LinkEnd::Connection(denied.clone()))));
        assert_eq!(link.next().await, None);
        assert_eq!(link.send(Intent::Resign), Err(SendError::Ended));
        assert_eq!(client.seeks().await, Err(CallError::Closed(denied)));
    })
    .await;
}

#[tokio::test]
async fn a_key_that_changes_under_a_client_is_final() {
    let mut house = House::open();
    talk(async {
        let (mut client, guest) = enter(&house).await;
        let pinned = client.fingerprint();
        house.change_key();
        guest.cut();
        assert_eq!(client.next_news().await, Some(News::ConnectionLost));
        let presented = house.key.public_key().fingerprint();
        let changed = ConnectError::ServerKeyChanged { pinned, presented };
        tokio::select! {
            news = client.next_news() => assert_eq!(news, Some(News::Closed(changed))),
            _ = house.caller() => unreachable!("the client speaks to a server whose key has changed"),
        }
    })
    .await;
}

#[tokio::test]
async fn a_close_that_asks_nobody_back_is_final() {
    let house = House::open();
    talk(async {
        let (mut client, guest) = enter(&house).await;
        guest.connection.close(CloseCode::Revoked.into(), b"");
        assert_eq!(client.next_news().await, Some(News::Closed(ConnectError::Closed(CloseCode::Revoked))));
    })
    .await;
}

#[tokio::test]
async fn a_server_is_nudged_while_an_intent_waits() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (link, mut table) = open(&client, &guest, 4).await;
        link.send(Intent::Resign).unwrap();
        table.intent().await;
        for _ in 0..2 {
            let nudge = guest.connection.read_datagram().await.unwrap();
            assert_eq!(nudge.len(), limits::NUDGE_BYTES);
        }
    })
    .await;
}
