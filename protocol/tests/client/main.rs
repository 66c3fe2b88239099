//! The client against a scripted server: what it does when connections, streams and answers are lost.

mod scripted;

use chatrang_protocol::chat::ChatText;
use chatrang_protocol::client::connect::{ConnectError, Knock};
use chatrang_protocol::client::game::{GameLink, GameNews, LinkEnd, PlayError, SendError};
use chatrang_protocol::client::{CallError, Client, News, Pin, Settings, Sought};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::List;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::{GameId, SeekId, Seq};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::{Proposal, Seat, Side};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::talk::{Talk, TalkAnswer, TalkFrame};
use chatrang_protocol::view::{Answer, AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::{self, Refusal, Suspension};
use chatrang_rules::outcome::{GameResult, Termination};
use scripted::{GAME, Guest, House, Table, chat_line, handle, knight_move, over, snapshot, update};
use std::future::Future;
use std::time::Duration;

/// No conversation here takes a second; one that hangs fails.
async fn talk<T>(conversation: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), conversation).await.expect("the conversation hangs")
}

fn settings(house: &House) -> Settings {
    Settings::new(house.line(), SecretKey::generate().unwrap()).with_handle(handle("Shirin"))
}

/// A client that is in, and the server's end of it.
async fn enter(house: &House) -> (Client, Guest) {
    let (client, guest) = tokio::join!(Client::connect(settings(house)), house.guest());
    (client.unwrap(), guest)
}

/// An open game whose last event is `seq`, and the server's end of it.
async fn open(client: &Client, guest: &Guest, seq: u64) -> (GameLink, Table) {
    let (link, table) = tokio::join!(client.open_game(GAME), async {
        let mut table = guest.table().await;
        table.snapshot(seq).await;
        table
    });
    (link.unwrap(), table)
}

fn proposal() -> Proposal {
    Proposal::casual("5+3".parse().unwrap(), Side::Random)
}

fn seat() -> Seat {
    Seat { game: GAME, color: Color::White, opponent: handle("Khosrow") }
}

/// Answers the next request.
async fn reply(guest: &mut Guest, reply: Result<Reply, RequestError>) -> Request {
    let RequestFrame { id, request } = guest.request().await;
    guest.control.give(&ControlFrame::Reply { id, reply }).await;
    request
}

#[tokio::test]
async fn a_client_is_in_when_it_is_welcome() {
    let house = House::open();
    let ((client, caller), key) = talk(async {
        let entering = async {
            let caller = house.caller().await;
            let hello = caller.hello.clone();
            (caller.welcome().await, hello)
        };
        let (client, guest) = tokio::join!(Client::connect(settings(&house)), entering);
        ((client.unwrap(), guest), house.key.public_key())
    })
    .await;
    let (_guest, hello) = caller;
    assert_eq!(hello.handle, Some(handle("Shirin")));
    assert_eq!(hello.invite, None);
    assert_eq!(client.welcome().handle, handle("Shirin"));
    assert_eq!(client.fingerprint(), key.fingerprint());
}

#[tokio::test]
async fn a_denial_is_told_as_it_was_said() {
    let house = House::open();
    let (client, ()) = talk(async {
        tokio::join!(Client::connect(settings(&house)), async {
            house.caller().await.deny(Denial::InviteNeeded).await;
        })
    })
    .await;
    let error = client.unwrap_err();
    assert_eq!(error, ConnectError::Denied(Denial::InviteNeeded));
    assert!(error.is_final());
}

#[tokio::test]
async fn a_changed_key_names_both_fingerprints() {
    let house = House::open();
    let pinned = SecretKey::generate().unwrap().public_key().fingerprint();
    let presented = house.key.public_key().fingerprint();
    let settings = Settings { pin: Pin::Fingerprint(pinned), ..settings(&house) };
    let error = talk(async {
        tokio::select! {
            knocked = Knock::new(settings) => knocked.unwrap_err(),
            _ = house.caller() => unreachable!("the client speaks to a server whose key it does not know"),
        }
    })
    .await;
    assert_eq!(error, ConnectError::ServerKeyChanged { pinned, presented });
    assert!(error.is_final());
    let sentence = error.to_string();
    assert!(sentence.contains(&pinned.to_string()) && sentence.contains(&presented.to_string()));
}

#[tokio::test]
async fn trust_on_first_use_says_nothing_before_the_caller_has_decided() {
    let house = House::open();
    talk(async {
        let settings = Settings { pin: Pin::Learn, ..settings(&house) };
        let (knock, connection) = tokio::join!(Knock::new(settings), house.silent_caller());
        let knock = knock.unwrap();
        assert_eq!(knock.fingerprint(), house.key.public_key().fingerprint());
        // The server has waited long enough; the person at the keyboard has not.
        connection.close(CloseCode::HelloTimeout.into(), b"");
        let (client, _guest) = tokio::join!(knock.enter(), house.guest());
        assert_eq!(client.unwrap().fingerprint(), house.key.public_key().fingerprint());
    })
    .await;
}

#[tokio::test]
async fn a_server_that_nobody_can_look_up_is_named() {
    let settings =
        Settings::new("no-such-host.invalid:7777".parse().unwrap(), SecretKey::generate().unwrap());
    let error = talk(Client::connect(settings)).await.unwrap_err();
    assert!(matches!(&error, ConnectError::UnknownHost { host, .. } if host == "no-such-host.invalid"));
    assert!(!error.is_final());
}

#[tokio::test]
async fn calls_are_answered_in_any_order() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let script = async {
            let first = guest.request().await;
            let second = guest.request().await;
            assert_eq!(first.request, Request::Seek(proposal()));
            assert_eq!(second.request, Request::ListSeats);
            let seats = Reply::Seats(List::cut(vec![seat()]));
            for (id, reply) in [(second.id, seats), (first.id, Reply::Seeking(SeekId(3)))] {
                guest.control.give(&ControlFrame::Reply { id, reply: Ok(reply) }).await;
            }
        };
        let calls = async { tokio::join!(biased; client.seek(proposal()), client.seats()) };
        let ((seek, seats), ()) = tokio::join!(calls, script);
        assert_eq!(seek, Ok(Sought::Listed(SeekId(3))));
        assert_eq!(seats, Ok(vec![seat()]));
    })
    .await;
}

#[tokio::test]
async fn a_refusal_and_a_nonsense_answer_are_told_apart() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let (taken, _) =
            tokio::join!(client.take_seek(SeekId(1)), reply(&mut guest, Err(RequestError::NoSuchSeek)),);
        assert_eq!(taken, Err(CallError::Refused(RequestError::NoSuchSeek)));
        let (taken, _) = tokio::join!(client.take_seek(SeekId(1)), reply(&mut guest, Ok(Reply::Done)));
        assert_eq!(taken, Err(CallError::Unexpected));
    })
    .await;
}

/// A client that looks for a game while `seats` are its unfinished ones.
async fn looks_for_game(guest: &mut Guest, seats: Vec<Seat>) {
    let asked = reply(guest, Ok(Reply::Seats(List::cut(seats)))).await;
    assert_eq!(asked, Request::ListSeats);
}

async fn begin_game(guest: &mut Guest) {
    guest.control.give(&ControlFrame::Notice(Notice::GameStarted(seat()))).await;
}

#[tokio::test]
async fn a_seek_waits_for_its_game() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let script = async {
            looks_for_game(&mut guest, vec![]).await;
            reply(&mut guest, Ok(Reply::Seeking(SeekId(1)))).await;
            begin_game(&mut guest).await;
        };
        let (found, ()) = tokio::join!(client.find_game(proposal()), script);
        assert_eq!(found, Ok(seat()));
    })
    .await;
}

#[tokio::test]
async fn a_seek_is_made_again_on_the_next_connection() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let script = async {
            looks_for_game(&mut guest, vec![]).await;
            assert_eq!(reply(&mut guest, Ok(Reply::Seeking(SeekId(1)))).await, Request::Seek(proposal()));
            // Whatever stands before this answer has arrived when the answer has.
            let other = client.clone();
            let refusal = Err(RequestError::Unsupported);
            let (seeks, _) = tokio::join!(other.seeks(), reply(&mut guest, refusal));
            assert!(seeks.is_err());
            guest.cut();

            let mut guest = house.guest().await;
            looks_for_game(&mut guest, vec![]).await;
            let stopping = Err(RequestError::ServerStopping);
            assert_eq!(reply(&mut guest, stopping).await, Request::Seek(proposal()));
            guest.cut();

            let mut guest = house.guest().await;
            looks_for_game(&mut guest, vec![]).await;
            assert_eq!(reply(&mut guest, Ok(Reply::Seeking(SeekId(1)))).await, Request::Seek(proposal()));
            begin_game(&mut guest).await;
            guest
        };
        let (found, _guest) = tokio::join!(client.find_game(proposal()), script);
        assert_eq!(found, Ok(seat()));
    })
    .await;
}

#[tokio::test]
async fn a_game_that_begins_while_the_connection_is_lost_is_found_and_no_second_one_sought() {
    let house = House::open();
    let earlier = Seat { game: GameId(6), ..seat() };
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let script = async {
            looks_for_game(&mut guest, vec![earlier.clone()]).await;
            assert_eq!(guest.request().await.request, Request::Seek(proposal()));
            guest.cut();
            let mut guest = house.guest().await;
            looks_for_game(&mut guest, vec![earlier.clone(), seat()]).await;
            guest
        };
        let (found, _guest) = tokio::join!(client.find_game(proposal()), script);
        assert_eq!(found, Ok(seat()));
    })
    .await;
}

#[tokio::test]
async fn a_seek_ends_with_a_refusal_or_with_the_last_connection() {
    let house = House::open();
    talk(async {
        let (client, mut guest) = enter(&house).await;
        let script = async {
            looks_for_game(&mut guest, vec![]).await;
            reply(&mut guest, Err(RequestError::TooManySeeks)).await;
        };
        let (found, ()) = tokio::join!(client.find_game(proposal()), script);
        assert_eq!(found, Err(CallError::Refused(RequestError::TooManySeeks)));

        let script = async {
            looks_for_game(&mut guest, vec![]).await;
            reply(&mut guest, Ok(Reply::Seeking(SeekId(1)))).await;
            guest.connection.close(CloseCode::Revoked.into(), b"");
        };
        let (found, ()) = tokio::join!(client.find_game(proposal()), script);
        assert_eq!(found, Err(CallError::Closed(ConnectError::Closed(CloseCode::Revoked))));
    })
    .await;
}

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
        let id = link.send(Intent::Propose(game::Proposal::Draw)).unwrap();
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
        let ids =
            [link.send(Intent::Propose(game::Proposal::Draw)).unwrap(), link.send(Intent::Resign).unwrap()];
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

#[tokio::test]
async fn a_game_is_opened_on_the_next_connection_if_this_one_is_lost() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            guest.table().await;
            guest.cut();
            let guest = house.guest().await;
            let mut table = guest.table().await;
            assert_eq!(table.attach.seen, None);
            table.snapshot(3).await;
            (guest, table)
        };
        let (link, _server) = tokio::join!(client.open_game(GAME), script);
        assert_eq!(link.unwrap().view().seq, Seq(3));
    })
    .await;
}

#[tokio::test]
async fn a_game_that_is_not_there_is_refused() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            let refused = GameFrame::Refused(AttachError::NoSuchGame);
            guest.table().await.stream.give(&refused).await;
        };
        let (link, ()) = tokio::join!(client.open_game(GAME), script);
        assert_eq!(link.unwrap_err(), CallError::NotOpened(AttachError::NoSuchGame));
    })
    .await;
}

#[tokio::test]
async fn no_more_games_are_opened_than_a_connection_carries() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let mut games = Vec::new();
        for _ in 1..limits::STREAMS_MAX {
            games.push(open(&client, &guest, 0).await);
        }
        assert_eq!(client.open_game(GAME).await.unwrap_err(), CallError::TooManyGames);
    })
    .await;
}

#[tokio::test]
async fn a_finished_game_is_shown_and_let_go() {
    let house = House::open();
    let result = GameResult::win(Color::White, Termination::Checkmate);
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            let mut table = guest.table().await;
            table.stream.give(&GameFrame::Snapshot(over(snapshot(9), result))).await;
            table.stream.sender.finish();
        };
        let (link, ()) = tokio::join!(client.open_game(GAME), script);
        let mut link = link.unwrap();
        assert_eq!(link.state().result, Some(result));
        assert_eq!(link.your_turn().await, Ok(None));
        assert_eq!(link.next().await, Some(GameNews::Ended(LinkEnd::Over)));
    })
    .await;
}

#[tokio::test]
async fn intents_are_bounded_and_never_wait() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (link, _table) = open(&client, &guest, 4).await;
        // Nothing here lets the client's tasks run, so nothing is taken from the queue.
        let sent = (0..100).take_while(|_| link.send(Intent::Propose(game::Proposal::Draw)).is_ok()).count();
        assert!(sent < 100);
        assert_eq!(link.send(Intent::Propose(game::Proposal::Draw)), Err(SendError::Full));
    })
    .await;
}

#[tokio::test]
async fn a_bot_plays_when_it_is_its_turn() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 0).await;
        let script = async {
            let intent = table.intent().await;
            assert_eq!(intent.intent, Intent::Move { ply: 0, mv: knight_move(0) });
            // The answer may overtake the update: the bot must not think it is still its turn.
            table.answer(intent.id, 1).await;
            table.updates(1..=2).await;
            let intent = table.intent().await;
            assert_eq!(intent.intent, Intent::Move { ply: 2, mv: knight_move(2) });
            let over_by_flag = GameResult::win(Color::Black, Termination::FlagFall);
            let refused = Err(IntentError::Law(Refusal::GameOver(over_by_flag)));
            table.stream.give(&GameFrame::Answer(Answer { intent: intent.id, outcome: refused })).await;
            table.stream.give(&GameFrame::Snapshot(over(snapshot(3), over_by_flag))).await;
        };
        let bot = async {
            let mut made = Vec::new();
            while let Some(state) = link.your_turn().await.unwrap() {
                let mv = state.legal[0].mv;
                made.push(link.play(mv).await.unwrap());
            }
            made
        };
        let (made, ()) = tokio::join!(bot, script);
        assert_eq!(made, [Some(Seq(1)), None]);
    })
    .await;
}

#[tokio::test]
async fn a_refused_move_is_the_bots_own_affair_and_a_busy_server_is_not() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 0).await;
        let wrong_ply = IntentError::WrongPly { meant: 0, ply: 1 };
        let script = async {
            for error in [
                IntentError::Busy,
                IntentError::Law(Refusal::Suspended { why: Suspension::Restart }),
                wrong_ply.clone(),
            ] {
                let intent = table.intent().await.id;
                table.stream.give(&GameFrame::Answer(Answer { intent, outcome: Err(error) })).await;
            }
        };
        let (played, ()) = tokio::join!(link.play(knight_move(0)), script);
        assert_eq!(played, Err(PlayError::Refused(wrong_ply)));
    })
    .await;
}
