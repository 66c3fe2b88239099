//! Old and new programs at one board: they speak what both know, and what only one knows is passed over.

use crate::hostile::goes_on;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec;
use chatrang_protocol::frame::frame;
use chatrang_protocol::hello::Hello;
use chatrang_protocol::ids::{GameId, IntentId, RequestId, Seq, TalkId};
use chatrang_protocol::intent::{Intent, IntentError, IntentFrame};
use chatrang_protocol::lobby::Side;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::talk::{Talk, TalkError, TalkFrame};
use chatrang_protocol::version;
use chatrang_protocol::view::GameFrame;
use chatrang_tests::house::{House, new_key};
use chatrang_tests::players::{Player, agree, proposal};
use chatrang_tests::stroll::{Pawns, Stroll};
use chatrang_tests::wire::{Wire, hello};

/// A frame of this version, but for its last variant, which only a later one knows, with something behind it.
fn of_a_later_version(frame_now: impl Into<ClientFrame>) -> Vec<u8> {
    let mut bytes = codec::encode(&frame_now.into(), 64).unwrap();
    bytes.pop();
    bytes.extend([250, 1, 2, 3]);
    frame(&bytes)
}

/// White's program is of a later minor version, and says things that the house does not know; Black's is as old as
/// may be. Their game is the one that both have seen.
#[tokio::test]
async fn f33_an_old_and_a_new_program_play_one_game() {
    let house = House::open().await;
    let mut newer = Wire::dial(&house, &new_key()).await;
    let later = Hello { minor: version::MINOR + 7, features: u64::MAX, ..hello("Zal") };
    let welcome = newer.welcome(&later).await;
    assert_eq!((welcome.minor, welcome.features), (version::MINOR, 0), "what both know");
    let mut older = Wire::dial(&house, &new_key()).await;
    let old = Hello { minor: version::MINOR_MIN, minor_min: 0, ..hello("Rudabeh") };
    assert_eq!(older.welcome(&old).await.minor, version::MINOR_MIN);

    // A frame of a later kind is passed over, a request of a later kind answered.
    newer.control.give_bytes(&frame(&[200, 1, 2, 3])).await;
    let request = RequestFrame { id: RequestId(7), request: Request::ListGames };
    newer.control.give_bytes(&of_a_later_version(request)).await;
    let reply = newer.control.take::<ControlFrame>().await;
    assert_eq!(reply, ControlFrame::Reply { id: RequestId(7), reply: Err(RequestError::Unsupported) });

    let game = begin(&mut newer, &mut older).await;
    let (mut white, _) = newer.attach(game).await;
    let (mut black, _) = older.attach(game).await;
    let mut watching = Player::open(house.guest("Farhad").await, game).await;
    white.give_bytes(&frame(&[200, 1, 2, 3])).await;
    let intent = IntentFrame { id: IntentId(70), seen: Seq(0), intent: Intent::Resign };
    white.give_bytes(&of_a_later_version(intent)).await;
    assert_eq!(white.answer(70).await, Err(IntentError::Unsupported));
    white.give_bytes(&of_a_later_version(TalkFrame { id: TalkId(8), talk: Talk::AskRematch })).await;
    loop {
        if let GameFrame::Talked(answer) = white.take().await {
            assert_eq!((answer.id, answer.outcome), (TalkId(8), Err(TalkError::Unsupported)));
            break;
        }
    }
    let mut stroll = Stroll::default();
    for ply in 0..8 {
        let san = stroll.next(watching.state(), Pawns::MayMove);
        let mv = watching.legal(&san);
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        let seq = mover.ask(100 + u64::from(ply), Intent::Move { ply, mv }).await.unwrap();
        watching.until_seq(seq).await;
    }
    agree(&house.journal(game).await, &[&watching]);
    let mut other = house.table("5+3").await;
    goes_on(&house, &mut other, &mut Stroll::default()).await;
}

/// Seats the first as White and the second as Black.
async fn begin(first: &mut Wire, second: &mut Wire) -> GameId {
    assert!(matches!(seek(first, Side::White).await, Reply::Seeking(_)));
    match seek(second, Side::Black).await {
        Reply::Paired(seat) => seat.game,
        other => panic!("no game: {other:?}"),
    }
}

async fn seek(wire: &mut Wire, side: Side) -> Reply {
    wire.control.give(RequestFrame { id: RequestId(1), request: Request::Seek(proposal("5+3", side)) }).await;
    match wire.control.take().await {
        ControlFrame::Reply { reply: Ok(reply), .. } => reply,
        other => panic!("no reply: {other:?}"),
    }
}
