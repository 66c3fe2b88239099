//! Crowds: more visitors, connections, streams and questions than a house has room for, and the
//! players in their midst.

use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::decode;
use chatrang_protocol::frame::PREFIX_BYTES;
use chatrang_protocol::hello::{Denial, HelloReply};
use chatrang_protocol::ids::{AccountId, GameId, IntentId, RequestId, Seq};
use chatrang_protocol::intent::{Attach, Intent, IntentFrame};
use chatrang_protocol::limits;
use chatrang_protocol::reply::ControlFrame;
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::view::{AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{Millis, Party, Proposal};
use chatrang_rules::outcome::Termination;
use chatrang_server::game::entry::Cause;
use chatrang_server::game::handle::{Act, Arrival, GameHandle};
use chatrang_server::metrics::figure::Stopwatch;
use chatrang_server::queue::{Backlog, queue};
use chatrang_server::timeline::Timeline;
use chatrang_tests::house::{House, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::wire::{Wire, framed, hello};
use tokio::task::JoinSet;

/// Sends visitors to a game's door, all at the same moment: on this runtime of one thread the game
/// does not open before the last of them stands there.
fn crowd(game: &GameHandle, visitors: usize) -> JoinSet<Result<GameFrame, AttachError>> {
    (0..visitors as u64).map(|number| visit(game.clone(), AccountId(1_000 + number))).collect()
}

/// The first that a visitor hears.
async fn visit(game: GameHandle, visitor: AccountId) -> Result<GameFrame, AttachError> {
    let (queue, mut frames) = queue(limits::LISTENER_FRAMES_MAX, &Backlog::default());
    game.attach(visitor, None, queue).await?;
    let first = frames.next().await.expect("whoever is let in hears something");
    Ok(decode(&first[PREFIX_BYTES..]).unwrap())
}

#[tokio::test]
async fn no_crowd_comes_between_a_player_and_his_move() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let game = house.registry.find(table.game).expect("it is in play");
    let white = game.seats[Color::White];
    let (queue, mut frames) = queue(limits::LISTENER_FRAMES_MAX, &Backlog::default());
    let from = game.attach(white, Some(Seq(0)), queue).await.expect("a player finds room");
    let visitors = crowd(&game, limits::GAME_MAILBOX_MAX + 1);
    let act = Act {
        cause: Cause { account: white, intent: IntentId(1) },
        from,
        by: Party::Player(Color::White),
        intent: Intent::Move { ply: 0, mv: table.white.legal("e4") },
        seen: Seq(0),
        arrival: Arrival { at: house.timeline.now(), path_rtt: Millis::ZERO, stopwatch: Stopwatch::start() },
    };
    let moved = tokio::spawn(async move { game.act(act).await });
    let heard = soon("the visitors to be heard", visitors.join_all()).await;
    let turned_away = heard.iter().filter(|heard| **heard == Err(AttachError::TooManyListeners));
    assert_eq!(turned_away.count(), 1, "the door was full");
    let moved = moved.await.unwrap().expect("the game's task lives");
    moved.expect("the move is heard all the same");
    let seq = loop {
        let frame = frames.next().await.expect("it is answered");
        if let GameFrame::Answer(answer) = decode(&frame[PREFIX_BYTES..]).unwrap() {
            break answer.outcome.expect("it is legal");
        }
    };
    for player in [&mut table.white, &mut table.black] {
        player.until_seq(seq).await;
    }
    table.play_all("e5 Nf3").await;
}

#[tokio::test]
async fn a_flag_falls_before_a_crowd_is_let_in() {
    let house = House::open().await;
    let mut table = house.table("1+0").await;
    table.play_all("e4 e5").await;
    let game = house.registry.find(table.game).expect("it is in play");
    let visitors = crowd(&game, limits::GAME_MAILBOX_MAX);
    house.pass_ms(60_000 + CREDIT_MAX.0);
    for heard in soon("the visitors to be let in", visitors.join_all()).await {
        let Ok(GameFrame::Snapshot(snapshot)) = heard else { panic!("no snapshot: {heard:?}") };
        assert_eq!(snapshot.state.result.map(|result| result.termination), Some(Termination::FlagFall));
    }
    assert_eq!(table.result(&house).await.termination, Termination::FlagFall);
}

#[tokio::test]
async fn of_an_accounts_streams_in_one_game_the_oldest_gives_way() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let key = new_key();
    let devices = [Wire::enter(&house, &key, "Farhad").await, Wire::enter(&house, &key, "Farhad").await];
    let (mut oldest, _) = devices[0].attach(table.game).await;
    let mut others = Vec::new();
    for number in 0..limits::STREAMS_PER_ACCOUNT_AND_GAME_MAX {
        others.push(devices[number % devices.len()].attach(table.game).await.0);
    }
    assert_eq!(oldest.try_take::<GameFrame>().await, Ok(None), "it ends, and is not reset");
    table.play("e4").await;
    for stream in &mut others {
        assert!(matches!(stream.take().await, GameFrame::Update(update) if update.seq == Seq(1)));
    }
}

/// Nobody stays without a hello, or without having heard the answer to it.
#[tokio::test]
async fn who_goes_silent_at_the_door_is_shown_out() {
    let house = House::open().await;
    let mut finished = Wire::dial(&house, &new_key()).await;
    finished.control.sender.finish().unwrap();
    let mut reset = Wire::dial(&house, &new_key()).await;
    reset.control.give_bytes(&[1]).await;
    reset.control.sender.reset(0_u32.into()).unwrap();
    let mut deaf = Wire::dial(&house, &new_key()).await;
    deaf.control.stop_reading();
    deaf.control.give(hello("Ahriman")).await;
    for wire in [finished, reset, deaf] {
        assert_eq!(wire.closed().await, CloseCode::Done);
    }
}

/// However slowly an account's connections take their welcome, there are never more than it may have.
#[tokio::test]
async fn no_connection_slips_in_beside_another() {
    const TOO_MANY: usize = 4;
    let house = House::open().await;
    let key = new_key();
    Wire::enter(&house, &key, "Hydra").await.hang_up().await;
    let mut heads = Vec::new();
    for _ in 0..limits::CONNECTIONS_PER_ACCOUNT_MAX + TOO_MANY {
        let mut wire = Wire::dial_shut(&house, &key).await;
        wire.control.give(hello("Hydra")).await;
        heads.push(wire);
    }
    // Whoever comes after them is in: by then every hello has been heard.
    house.guest("Shirin").await;
    let mut denied = 0;
    for wire in &mut heads {
        wire.open_window();
        match wire.control.take::<HelloReply>().await {
            HelloReply::Welcome(_) => {}
            HelloReply::Denied(denial) => {
                assert_eq!(denial, Denial::TooManyConnections);
                denied += 1;
            }
        }
    }
    assert_eq!(denied, TOO_MANY);
}

#[tokio::test]
async fn who_asks_too_much_is_closed() {
    const AT_ONCE: u32 = 50;
    let house = House::open().await;
    let mut wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    let burst = limits::REQUESTS_PER_SECOND_MAX * limits::BURST_SECONDS as u32;
    let mut answered = 0;
    let flood = async {
        loop {
            for _ in 0..AT_ONCE {
                let request = Request::ListSeeks;
                wire.control.give(RequestFrame { id: RequestId(1), request }).await;
            }
            for _ in 0..AT_ONCE {
                if wire.control.try_take::<ControlFrame>().await.is_err() {
                    return;
                }
                answered += 1;
            }
        }
    };
    soon("the house to have had enough", flood).await;
    assert_eq!(wire.closed().await, CloseCode::TooMany);
    // All of a burst is answered; the last replies may be lost with the connection.
    assert!(answered >= burst - AT_ONCE, "{answered} answers");
}

#[tokio::test]
async fn who_opens_too_many_streams_is_closed() {
    let house = House::open().await;
    let wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    let attach = framed(Attach { game: GameId(0), seen: None });
    let flood = async {
        while let Ok((mut sender, _)) = wire.connection.open_bi().await {
            // An error means that the connection has closed, and so does the next stream's.
            let _ = sender.write_all(&attach).await;
        }
    };
    soon("the house to have had enough", flood).await;
    assert_eq!(wire.closed().await, CloseCode::TooMany);
}

#[tokio::test]
async fn who_wants_too_much_is_closed() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    let (mut stream, _) = wire.attach(table.game).await;
    let intent = IntentFrame { id: IntentId(1), seen: Seq(0), intent: Intent::Propose(Proposal::Draw) };
    let intents = framed(intent).repeat(500);
    let flood = async {
        while wire.connection.close_reason().is_none() {
            stream.give_bytes(&intents).await;
        }
    };
    soon("the house to have had enough", flood).await;
    assert_eq!(wire.closed().await, CloseCode::TooMany);
    table.play_all("e4 e5").await;
}
