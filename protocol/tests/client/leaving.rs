//! Who lets go of what: a client, its clones, its games.

use crate::scripted::{House, update};
use crate::{enter, open, reply, talk};
use chatrang_protocol::client::CallError;
use chatrang_protocol::client::game::{GameNews, LinkEnd};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::view::Answer;
use chatrang_rules::game::Proposal;

#[tokio::test]
async fn what_was_sent_is_answered_before_the_last_holder_hangs_up() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (link, mut table) = open(&client, &guest, 4).await;
        let id = link.send(Intent::Resign).unwrap();
        drop(client);
        drop(link);
        assert_eq!(table.intent().await.id, id);
        assert!(guest.connection.close_reason().is_none());
        table.answer(id, 5).await;
        let closed = guest.connection.closed().await;
        assert_eq!(CloseCode::of(&closed), Some(Ok(CloseCode::Done)));
    })
    .await;
}

#[tokio::test]
async fn a_dropped_game_lets_go_of_its_stream_and_not_of_the_connection() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let (link, mut table) = open(&client, &guest, 4).await;
        drop(link);
        assert!(table.stream.is_finished().await);
        let (seeks, _) = tokio::join!(client.seeks(), reply(&mut guest, Err(RequestError::Unsupported)));
        assert_eq!(seeks, Err(CallError::Refused(RequestError::Unsupported)));
    })
    .await;
}

#[tokio::test]
async fn a_game_keeps_its_connection_when_the_client_is_dropped() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        drop(client);
        table.updates(5..=5).await;
        assert_eq!(link.next().await, Some(GameNews::Update(update(5))));
        drop(link);
        let closed = guest.connection.closed().await;
        assert_eq!(CloseCode::of(&closed), Some(Ok(CloseCode::Done)));
    })
    .await;
}

#[tokio::test]
async fn to_close_a_client_closes_its_clones_and_games() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, _table) = open(&client, &guest, 4).await;
        let mut clone = client.clone();
        client.close().await;
        assert_eq!(CloseCode::of(&guest.connection.closed().await), Some(Ok(CloseCode::Done)));
        assert_eq!(link.next().await, Some(GameNews::Ended(LinkEnd::Left)));
        assert_eq!(clone.next_news().await, None);
        assert_eq!(clone.seeks().await, Err(CallError::Left));
    })
    .await;
}

#[tokio::test]
async fn what_was_sent_is_answered_before_a_client_is_closed() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 4).await;
        let ids = [link.send(Intent::Propose(Proposal::Draw)).unwrap(), link.send(Intent::Resign).unwrap()];
        let script = async {
            for id in ids {
                assert_eq!(table.intent().await.id, id);
            }
            for id in ids {
                assert!(guest.connection.close_reason().is_none());
                table.answer(id, 5).await;
            }
        };
        tokio::join!(client.close(), script);
        for id in ids {
            let answer = Answer { intent: id, outcome: Ok(Seq(5)) };
            assert_eq!(link.next().await, Some(GameNews::Answer(answer)));
        }
        assert_eq!(link.next().await, Some(GameNews::Ended(LinkEnd::Left)));
    })
    .await;
}
