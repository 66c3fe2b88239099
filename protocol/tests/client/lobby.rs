//! Calls and their answers; a seek that waits for its game.

use crate::scripted::{Guest, House};
use crate::{enter, proposal, reply, seat, talk};
use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::{CallError, Sought};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::List;
use chatrang_protocol::ids::{GameId, SeekId};
use chatrang_protocol::lobby::Seat;
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::Request;

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
