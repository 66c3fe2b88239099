//! Strangers, cheats and broken programs: each is refused or closed with its code, and the honest
//! players' game goes on unharmed.

use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::encode;
use chatrang_protocol::frame::frame;
use chatrang_protocol::hello::{Denial, Hello, HelloReply};
use chatrang_protocol::ids::{GameId, IntentId, RequestId, Seq};
use chatrang_protocol::intent::{Attach, Intent, IntentError, IntentFrame};
use chatrang_protocol::key::SecretKey;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::Side;
use chatrang_protocol::net::stream::ReceiveError;
use chatrang_protocol::reply::ControlFrame;
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::version;
use chatrang_protocol::view::{AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Action, Decision, Matter, Order, Proposal, Refusal};
use chatrang_rules::outcome::Outcome;
use chatrang_tests::house::{House, enter, new_key};
use chatrang_tests::other_protocol;
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, agree, pair, proposal, seat};
use chatrang_tests::stroll::{Pawns, Stroll};
use chatrang_tests::wire::{Wire, framed, hello};

/// The honest game takes two more moves, and its record tells no more than its players saw.
pub(crate) async fn goes_on(house: &House, table: &mut Table, stroll: &mut Stroll) {
    for _ in 0..2 {
        let san = stroll.next(table.white.state(), Pawns::MayMove);
        table.play(&san).await;
    }
    agree(&house.journal(table.game).await, &[&table.white, &table.black]);
}

fn law<T>(refusal: Refusal) -> Result<T, IntentError> {
    Err(IntentError::Law(refusal))
}

#[tokio::test]
async fn f26_a_spectator_has_no_say() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    let mv = table.white.legal("Nf3");
    let mut stranger = Player::open(house.guest("Ahriman").await, table.game).await;
    for intent in [
        Intent::Move { ply: 2, mv },
        Intent::Propose(Proposal::Draw),
        Intent::Accept(Matter::Draw),
        Intent::Decline(Matter::Draw),
        Intent::ClaimDraw { ply: 2, intended: Some(mv) },
        Intent::Resign,
        Intent::Abort,
        Intent::CallArbiter("he is winning".parse().unwrap()),
        Intent::Rule(Decision {
            order: Order::Declare { outcome: Outcome::DRAW },
            reason: "I say so".parse().unwrap(),
        }),
    ] {
        assert_eq!(stranger.ask(intent.clone()).await, Err(IntentError::NotSeated), "{intent:?}");
    }
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

#[tokio::test]
async fn f26_moves_for_another_ply_or_by_the_wrong_side_or_of_another_game_are_refused() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let (e4, d4) = (table.white.legal("e4"), table.white.legal("d4"));
    table.play("e4").await;
    let wrong = |meant| Err(IntentError::WrongPly { meant, ply: 1 });
    for meant in [0, 2, u32::MAX] {
        assert_eq!(table.white.ask(Intent::Move { ply: meant, mv: d4 }).await, wrong(meant));
        assert_eq!(table.white.ask(Intent::ClaimDraw { ply: meant, intended: None }).await, wrong(meant));
    }
    let to_move = Color::Black;
    assert_eq!(table.white.ask(Intent::Move { ply: 1, mv: d4 }).await, law(Refusal::NotYourTurn { to_move }));
    // White's pawn is none of Black's moves.
    let illegal = table.black.ask(Intent::Move { ply: 1, mv: e4 }).await;
    assert!(matches!(illegal, Err(IntentError::Law(Refusal::IllegalMove(_)))), "{illegal:?}");
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

/// Who plays in one game only watches every other, whichever stream he sends it on.
#[tokio::test]
async fn f26_a_player_of_another_game_has_no_say_in_this_one() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let (zal, rudabeh) = (house.guest("Zal").await, house.guest("Rudabeh").await);
    let other = seat(zal, rudabeh, proposal("5+3", Side::Random)).await;
    let mv = table.white.legal("e4");
    let mut intruder = Player::open(other.white.client.clone(), table.game).await;
    for intent in [Intent::Move { ply: 0, mv }, Intent::Resign, Intent::Abort] {
        assert_eq!(intruder.ask(intent.clone()).await, Err(IntentError::NotSeated), "{intent:?}");
    }
    assert_eq!(house.journal(table.game).await.len(), 1, "nothing has happened but the start");
    assert_eq!(house.journal(other.game).await.len(), 1);
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

#[tokio::test]
async fn f30_nothing_happens_after_the_end() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("f3 e5 g4").await;
    let ply = table.white.state().ply;
    let mate = Intent::Move { ply, mv: table.black.legal("Qh4#") };
    // Black's other device still holds the game open when it ends.
    let mut spectator = Player::open(house.guest("Farhad").await, table.game).await;
    table.black.does(mate.clone()).await;
    let result = table.result(&house).await;
    spectator.result().await;
    for intent in [Intent::Resign, Intent::Propose(Proposal::Draw), mate] {
        let late = table.black.ask(intent.clone()).await;
        assert_eq!(late, law(Refusal::GameOver(result)), "{intent:?}");
    }
    agree(&house.journal(table.game).await, &[&table.white, &table.black, &spectator]);
}

/// One player on two devices, which disagree about the next move: one of them is right.
#[tokio::test]
async fn f28_two_devices_make_one_move() {
    let house = House::open().await;
    let key = new_key();
    let (first, second) =
        (Wire::enter(&house, &key, "Shirin").await, Wire::enter(&house, &key, "Shirin").await);
    let white = enter(chatrang_protocol::client::Settings::new(house.line(), key)).await;
    let black = house.guest("Khosrow").await;
    let game = pair(&white, &black, proposal("5+3", Side::Random)).await.white.game;
    let mut opponent = Player::open(black, game).await;
    let ((mut one, _), (mut two, _)) = (first.attach(game).await, second.attach(game).await);
    for (round, (left, right, reply)) in (0..).zip([("e4", "d4", "e5"), ("Nf3", "Nc3", "Nc6")]) {
        let ply = 2 * round;
        let mv = |san: &str| {
            let legal = &opponent.state().legal;
            legal.iter().find(|legal| legal.san.as_str() == san).unwrap().mv
        };
        let (left, right) = (Intent::Move { ply, mv: mv(left) }, Intent::Move { ply, mv: mv(right) });
        one.intend(10 + u64::from(ply), left).await;
        two.intend(11 + u64::from(ply), right).await;
        let answers = [one.answer(10 + u64::from(ply)).await, two.answer(11 + u64::from(ply)).await];
        let accepted: Vec<_> = answers.iter().flatten().collect();
        assert_eq!(accepted.len(), 1, "{answers:?}");
        let refused = answers.iter().find_map(|answer| answer.as_ref().err()).unwrap();
        assert_eq!(*refused, IntentError::WrongPly { meant: ply, ply: ply + 1 });
        opponent.until_seq(*accepted[0]).await;
        opponent.play(reply).await;
    }
    let record = house.journal(game).await;
    let moves = record.iter().filter(|entry| matches!(entry.event().action, Action::Moved { .. })).count();
    assert_eq!(moves, 4);
    agree(&record, &[&opponent]);
}

#[tokio::test]
async fn other_versions_are_told_which_side_is_old() {
    let house = House::open().await;
    let older = Hello { minor: version::MINOR_MIN - 1, minor_min: 0, ..hello("Ahriman") };
    let newer = Hello { minor: version::MINOR + 1, minor_min: version::MINOR + 1, ..hello("Ahriman") };
    for (hello, denial, code) in [
        (older, Denial::ClientTooOld { server_minor_min: version::MINOR_MIN }, CloseCode::ClientTooOld),
        (newer, Denial::ServerTooOld { server_minor: version::MINOR }, CloseCode::ClientTooNew),
    ] {
        let mut wire = Wire::dial(&house, &new_key()).await;
        wire.control.give(hello).await;
        assert_eq!(wire.control.take::<HelloReply>().await, HelloReply::Denied(denial));
        assert_eq!(wire.closed().await, code);
    }
    // A newer client that still speaks with this server is let in, and told what both speak.
    let mut wire = Wire::dial(&house, &new_key()).await;
    let welcome = wire.welcome(&Hello { minor: version::MINOR + 7, ..hello("Shirin") }).await;
    assert_eq!(welcome.minor, version::MINOR);
}

/// TLS itself turns another protocol away: alert 120, `no_application_protocol` (RFC 7301).
#[tokio::test]
async fn another_protocol_does_not_get_through_the_handshake() {
    let house = House::open().await;
    for alpn in ["chatrang/2", "h3"] {
        let error = other_protocol::dial(house.address, alpn).await.unwrap_err();
        assert!(other_protocol::is_no_application_protocol(&error), "{alpn}: {error}");
    }
    house.guest("Shirin").await;
}

/// When a breach is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    BeforeHello,
    OnControl,
    BeforeAttach,
    AfterAttach,
}

/// What a stream carries after the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Silence,
    Finish,
}

#[tokio::test]
async fn f18_f19_a_breach_closes_the_connection_with_its_code() {
    use CloseCode::{FrameTooLong, Malformed, WrongPhase};
    use Moment::{AfterAttach, BeforeAttach, BeforeHello, OnControl};
    use Then::{Finish, Silence};

    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let mut stroll = Stroll::default();
    let attach = framed(Attach { game: table.game, seen: None });
    let request = framed(RequestFrame { id: RequestId(1), request: Request::ListGames });
    let intent = framed(IntentFrame { id: IntentId(1), seen: Seq(0), intent: Intent::Resign });
    let garbage = frame(&[0xff; 40]);
    let empty = vec![0; 4];
    let too_long = (limits::CLIENT_FRAME_BYTES_MAX as u32 + 1).to_le_bytes().to_vec();
    let absurd = u32::MAX.to_le_bytes().to_vec();
    let huge = (1_u32 << 31).to_le_bytes().to_vec();
    // A hello whose agent's name has 2^40 bytes, by its own account.
    let boastful = frame(&[&[0, 1, 1, 0, 253][..], &(1_u64 << 40).to_le_bytes()].concat());
    let cut = garbage[..garbage.len() / 2].to_vec();
    let trailing = frame(
        &[&encode(&ClientFrame::from(Attach { game: table.game, seen: None }), 64).unwrap()[..], &[0]]
            .concat(),
    );
    for (moment, bytes, then, code) in [
        (BeforeHello, &request, Silence, WrongPhase),
        (BeforeHello, &attach, Silence, WrongPhase),
        (OnControl, &framed(hello("Ahriman")), Silence, WrongPhase),
        (BeforeAttach, &framed(hello("Ahriman")), Silence, WrongPhase),
        (BeforeAttach, &intent, Silence, WrongPhase),
        (BeforeAttach, &trailing, Silence, Malformed),
        (BeforeHello, &huge, Silence, FrameTooLong),
        (BeforeHello, &boastful, Silence, Malformed),
    ] {
        breach(&house, table.game, moment, bytes, then, code).await;
        goes_on(&house, &mut table, &mut stroll).await;
    }
    for moment in [BeforeHello, OnControl, BeforeAttach, AfterAttach] {
        for (bytes, then, code) in [
            (&garbage, Silence, Malformed),
            (&empty, Silence, Malformed),
            (&too_long, Silence, FrameTooLong),
            (&absurd, Silence, FrameTooLong),
            (&cut, Finish, Malformed),
        ] {
            breach(&house, table.game, moment, bytes, then, code).await;
        }
        goes_on(&house, &mut table, &mut stroll).await;
    }
}

async fn breach(house: &House, game: GameId, moment: Moment, bytes: &[u8], then: Then, code: CloseCode) {
    let mut wire = Wire::dial(house, &new_key()).await;
    let mut stream = None;
    if moment != Moment::BeforeHello {
        wire.welcome(&hello(&format!("Div-{}", rand::random::<u32>()))).await;
    }
    match moment {
        Moment::BeforeHello | Moment::OnControl => {}
        Moment::BeforeAttach => stream = Some(wire.open().await),
        Moment::AfterAttach => stream = Some(wire.attach(game).await.0),
    }
    let stream = stream.as_mut().unwrap_or(&mut wire.control);
    stream.give_bytes(bytes).await;
    if then == Then::Finish {
        stream.sender.finish().unwrap();
    }
    assert_eq!(wire.closed().await, code, "{moment:?}: {bytes:?}, {then:?}");
}

/// Ten seconds of real time, for all at once: a hello that never comes, a control frame that never gets whole, and
/// beside a game that goes on the streams of one client that are too slow.
#[tokio::test]
async fn f14_a_slow_sender_loses_that_stream_and_a_silent_one_his_connection() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let silent = Wire::dial(&house, &new_key()).await;
    let mut slow = Wire::enter(&house, &new_key(), "Ahriman").await;
    let (mut half, _) = slow.attach(table.game).await;
    let (mut whole, _) = slow.attach(table.game).await;
    let mut nameless = slow.open().await;
    let intent = framed(IntentFrame { id: IntentId(1), seen: Seq(0), intent: Intent::Resign });
    half.give_bytes(&intent[..5]).await;
    nameless.give_bytes(&intent[..1]).await;
    let mut dripping = Wire::enter(&house, &new_key(), "Zahhak").await;
    dripping.control.give_bytes(&intent[..1]).await;

    let (silent, dripping) = tokio::join!(silent.closed(), dripping.closed());
    assert_eq!((silent, dripping), (CloseCode::HelloTimeout, CloseCode::FrameTooSlow));
    for stream in [&mut half, &mut nameless] {
        let stopped = soon("the stream to be stopped", stream.sender.stopped()).await.unwrap();
        assert_eq!(stopped.map(u64::from), Some(CloseCode::FrameTooSlow.number().into()));
        assert_eq!(stream.try_take::<GameFrame>().await, Ok(None), "it ends, and is not reset");
    }
    // The client's other streams are none the worse for it.
    assert_eq!(whole.ask(1, Intent::Resign).await, Err(IntentError::NotSeated));
    slow.control.give(RequestFrame { id: RequestId(1), request: Request::ListSeeks }).await;
    let reply = slow.control.take::<ControlFrame>().await;
    assert!(matches!(reply, ControlFrame::Reply { id: RequestId(1), reply: Ok(_) }), "{reply:?}");
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

/// A device that does not read a game's stream is let go, nobody waits for it, and when it reads
/// again it has missed nothing.
#[tokio::test]
async fn f13_a_slow_reader_is_let_go_and_comes_back() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let wire = Wire::dial_narrow(&house, &new_key(), 2_048).await;
    let mut wire = wire;
    wire.welcome(&hello("Kaveh")).await;
    let (mut stream, snapshot) = wire.attach(table.game).await;
    // What the server may hold for it: its send window, and a queue of frames.
    let frame_bytes_min = 300;
    let plies = limits::SERVER_SEND_WINDOW_BYTES as usize / frame_bytes_min + 2 * limits::LISTENER_FRAMES_MAX;
    let mut stroll = Stroll::default();
    for _ in 0..plies {
        let san = stroll.next(table.white.state(), Pawns::MayMove);
        table.play(&san).await;
    }
    let last = table.white.link.view().seq;
    let mut seen = snapshot.seq;
    while let Some(frame) = stream.try_take().await.expect("a stream that ends, and is not reset") {
        if let GameFrame::Update(update) = frame {
            assert_eq!(update.seq, seen.next(), "what it gets has no gap");
            seen = update.seq;
        }
    }
    assert!(seen < last, "it was let go at {seen} of {last}");
    match wire.resume(table.game, seen).await.take().await {
        GameFrame::Snapshot(whole) => assert_eq!(whole.seq, last),
        other => panic!("no snapshot: {other:?}"),
    }
    goes_on(&house, &mut table, &mut stroll).await;
}

/// Replies that nobody reads pile up only so far.
#[tokio::test]
async fn f13_who_asks_and_does_not_listen_is_closed() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let seeker = house.guest("Rostam").await;
    for _ in 0..limits::SEEKS_PER_ACCOUNT_MAX {
        seeker.seek(proposal("9+9", Side::White)).await.unwrap();
    }
    let mut wire = Wire::dial_narrow(&house, &new_key(), 2_048).await;
    wire.welcome(&hello("Ahriman")).await;
    let request = framed(RequestFrame { id: RequestId(1), request: Request::ListSeeks });
    let flood = async {
        while wire.connection.close_reason().is_none() {
            wire.control.give_bytes(&request.repeat(100)).await;
        }
    };
    soon("the server to have had enough", flood).await;
    assert_eq!(wire.closed().await, CloseCode::NotReading);
    goes_on(&house, &mut table, &mut Stroll::default()).await;
}

#[tokio::test]
async fn an_account_has_only_so_many_connections() {
    let house = House::open().await;
    let key = new_key();
    let mut wires = Vec::new();
    for _ in 0..limits::CONNECTIONS_PER_ACCOUNT_MAX {
        wires.push(Wire::enter(&house, &key, "Hydra").await);
    }
    let mut one_more = Wire::dial(&house, &key).await;
    one_more.control.give(hello("Hydra")).await;
    assert_eq!(one_more.control.take::<HelloReply>().await, HelloReply::Denied(Denial::TooManyConnections));
    assert_eq!(one_more.closed().await, CloseCode::Full);
    // One that goes makes room for another.
    wires.pop().unwrap().hang_up().await;
    soon("room for another", async { while !is_welcome(&house, &key).await {} }).await;
}

async fn is_welcome(house: &House, key: &SecretKey) -> bool {
    let mut wire = Wire::dial(house, key).await;
    wire.control.give(hello("Hydra")).await;
    matches!(wire.control.take().await, HelloReply::Welcome(_))
}

#[tokio::test]
async fn a_game_that_is_not_there_is_no_breach() {
    let house = House::open().await;
    let wire = Wire::enter(&house, &new_key(), "Farhad").await;
    for game in [GameId(0), GameId(1), GameId(u64::MAX)] {
        let mut stream = wire.resume(game, Seq(u64::MAX)).await;
        assert_eq!(stream.take::<GameFrame>().await, GameFrame::Refused(AttachError::NoSuchGame));
        assert_eq!(stream.try_take::<GameFrame>().await, Ok::<_, ReceiveError>(None));
    }
}
