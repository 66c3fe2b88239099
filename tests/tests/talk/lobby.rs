//! The lobby: who may come in, and how people find a game.

use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::{CallError, Client, News, Settings, Sought};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::{GameId, RequestId, SeekId, Seq};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::{Proposal, Seat, Side};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::{ControlFrame, Reply, RequestError};
use chatrang_protocol::request::{Request, RequestFrame};
use chatrang_protocol::role::Role;
use chatrang_protocol::view::{AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_server::config::RegistrationMode;
use chatrang_tests::house::{House, Plan, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, pair, proposal, seat};
use chatrang_tests::wire::Wire;

/// Where any game will do.
fn any_game() -> Proposal {
    proposal("5+3", Side::Random)
}

fn refused<T>(error: RequestError) -> Result<T, CallError> {
    Err(CallError::Refused(error))
}

async fn denied(settings: Settings) -> Denial {
    match soon("a denial", Client::connect(settings)).await {
        Err(ConnectError::Denied(denial)) => denial,
        other => panic!("not denied: {other:?}"),
    }
}

/// The notice that a game has begun.
async fn called(client: &mut Client) -> Seat {
    match soon("a notice", client.next_news()).await {
        Some(News::Notice(Notice::GameStarted(seat))) => seat,
        other => panic!("no game: {other:?}"),
    }
}

#[tokio::test]
async fn like_seeks_are_paired_and_others_wait() {
    let house = House::open().await;
    let (mut ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let Sought::Listed(five) = ann.seek(proposal("5+3", Side::White)).await.unwrap() else {
        panic!("paired")
    };
    assert!(matches!(bob.seek(proposal("5+0", Side::Random)).await, Ok(Sought::Listed(_))), "another time");
    assert!(matches!(bob.seek(proposal("5+3", Side::White)).await, Ok(Sought::Listed(_))), "the same side");
    let listed: Vec<_> = bob.seeks().await.unwrap().into_iter().map(|view| (view.seek, view.by)).collect();
    assert_eq!(listed.len(), 3);
    assert_eq!(listed[0], (five, handle("Ann")));

    let Sought::Paired(seat) = bob.seek(proposal("5+3", Side::Random)).await.unwrap() else {
        panic!("listed")
    };
    assert_eq!((seat.color, seat.opponent), (Color::Black, handle("Ann")));
    let hers = called(&mut ann).await;
    assert_eq!((hers.game, hers.color, hers.opponent), (seat.game, Color::White, handle("Bob")));
    assert_eq!(bob.seeks().await.unwrap().len(), 2, "hers is taken");
}

#[tokio::test]
async fn a_seek_is_taken_cancelled_and_bounded() {
    let house = House::open().await;
    let (mut ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let Sought::Listed(seek) = ann.seek(proposal("3+2", Side::Black)).await.unwrap() else {
        panic!("paired")
    };
    assert_eq!(ann.take_seek(seek).await, refused(RequestError::Yourself));
    assert_eq!(bob.cancel_seek(seek).await, refused(RequestError::NoSuchSeek), "not his");
    assert_eq!(bob.take_seek(seek).await.unwrap().color, Color::White);
    assert_eq!(called(&mut ann).await.color, Color::Black);
    assert_eq!(bob.take_seek(seek).await, refused(RequestError::NoSuchSeek), "taken before");

    for minutes in 1..=limits::SEEKS_PER_ACCOUNT_MAX {
        let wish = proposal(&format!("{minutes}+0"), Side::White);
        let listed = ann.seek(wish).await.unwrap();
        assert!(matches!(listed, Sought::Listed(_)));
        assert_eq!(ann.seek(wish).await, Ok(listed), "the same wish is the same seek");
    }
    assert_eq!(ann.seek(proposal("9+0", Side::White)).await, refused(RequestError::TooManySeeks));
    let SeekId(first) = ann.seeks().await.unwrap()[0].seek;
    ann.cancel_seek(SeekId(first)).await.unwrap();
    assert_eq!(ann.cancel_seek(SeekId(first)).await, refused(RequestError::NoSuchSeek));
    // Seeks live as long as their player is connected.
    ann.close().await;
    soon("an empty lobby", async { while !bob.seeks().await.unwrap().is_empty() {} }).await;
}

#[tokio::test]
async fn an_invitation_is_a_game_for_the_first_who_takes_it() {
    let house = House::open_as(Plan { registration: RegistrationMode::Invite, ..Plan::default() }).await;
    let owner = Settings { invite: house.invite, ..house.newcomer("Ann") };
    let mut ann = enter(owner).await;
    assert_eq!(ann.welcome().role, Role::Owner);

    let code = ann.invite(proposal("5+3", Side::White)).await.unwrap();
    assert_eq!(ann.take_invite(code).await, refused(RequestError::Yourself));
    // The code lets a friend in, and then seats him.
    let bob = enter(Settings { invite: Some(code), ..house.newcomer("Bob") }).await;
    assert_eq!(bob.welcome().role, Role::Player);
    let his = bob.take_invite(code).await.unwrap();
    assert_eq!((his.color, his.opponent), (Color::Black, handle("Ann")));
    assert_eq!(called(&mut ann).await.game, his.game);
    assert_eq!(bob.take_invite(code).await, refused(RequestError::InviteUsedUp), "once only");
    assert_eq!(denied(Settings { invite: Some(code), ..house.newcomer("Cid") }).await, Denial::InviteUsedUp);

    let unknown = InviteCode::from_random([7; 5]);
    assert_eq!(bob.take_invite(unknown).await, refused(RequestError::NoSuchInvite));
    let away = ann.invite(proposal("5+3", Side::White)).await.unwrap();
    ann.close().await;
    soon("her to be away", async {
        // Her connection has ended; the server may take a moment to notice.
        while bob.take_invite(away).await != refused(RequestError::OpponentAway) {}
    })
    .await;
}

/// The invitation's line may have come into other hands: whoever comes in with it first is the friend.
#[tokio::test]
async fn an_invitation_is_for_one_friend_alone() {
    let house = House::open_as(Plan { registration: RegistrationMode::Invite, ..Plan::default() }).await;
    let owner = Settings { invite: house.invite, ..house.newcomer("Ann") };
    let mut ann = enter(owner).await;
    let (his, other) = (ann.invite(proposal("5+3", Side::White)).await, ann.invite(any_game()).await);
    let (his, other) = (his.unwrap(), other.unwrap());
    let bob = enter(Settings { invite: Some(his), ..house.newcomer("Bob") }).await;
    assert_eq!(denied(Settings { invite: Some(his), ..house.newcomer("Cid") }).await, Denial::InviteUsedUp);
    let cid = enter(Settings { invite: Some(other), ..house.newcomer("Cid") }).await;
    assert_eq!(cid.take_invite(his).await, refused(RequestError::InviteUsedUp), "it is Bob's");
    let seat = bob.take_invite(his).await.unwrap();
    assert_eq!(called(&mut ann).await.game, seat.game);
}

/// A taker whose connection ends while his game begins leaves a whole game: the one who has waited is
/// told of it, and finds his opponent there.
#[tokio::test]
async fn a_game_begins_whole_though_its_taker_hangs_up() {
    let house = House::open_on_disk().await;
    let (mut ann, key) = (house.guest("Ann").await, new_key());
    for how in [Take::Seek, Take::LikeSeek, Take::Invite] {
        let request = match how {
            Take::Seek | Take::LikeSeek => {
                let Ok(Sought::Listed(seek)) = ann.seek(any_game()).await else { panic!("paired") };
                if how == Take::Seek { Request::TakeSeek(seek) } else { Request::Seek(any_game()) }
            }
            Take::Invite => Request::TakeInvite(ann.invite(any_game()).await.unwrap()),
        };
        let mut wire = Wire::enter(&house, &key, "Bob").await;
        // Until this is dropped, no game gets onto the disk.
        let lock = house.lock_database();
        wire.control.give(RequestFrame { id: RequestId(1), request }).await;
        match how {
            Take::Seek | Take::LikeSeek => {
                soon("it to be taken", async { while !ann.seeks().await.unwrap().is_empty() {} }).await;
            }
            // By the time that something later is answered, this is under way.
            Take::Invite => drop(wire.resume(GameId(999), Seq(0)).await.take::<GameFrame>().await),
        }
        wire.hang_up().await;
        drop(lock);
        let hers = called(&mut ann).await;
        let bob = enter(Settings::new(house.line(), key.clone())).await;
        let his = bob.seats().await.unwrap().iter().find(|seat| seat.game == hers.game).cloned();
        assert_eq!(
            his.map(|seat| (seat.color, seat.opponent)),
            Some((!hers.color, handle("Ann"))),
            "{how:?}"
        );
        bob.close().await;
    }
}

/// By what somebody comes to a game with a player who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    Seek,
    LikeSeek,
    Invite,
}

/// A player who is in as many games as he may be hinders nobody with the seek that he still has.
#[tokio::test]
async fn a_player_in_many_games_is_passed_over() {
    let house = House::open().await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let hers = ann.seek(any_game()).await.unwrap();
    for _ in 0..limits::GAMES_PER_ACCOUNT_MAX {
        pair(&ann, &bob, proposal("60+0", Side::Random)).await;
    }
    let (cid, dan) = (house.guest("Cid").await, house.guest("Dan").await);
    assert!(matches!(cid.seek(any_game()).await, Ok(Sought::Listed(_))));
    let Ok(Sought::Paired(seat)) = dan.seek(any_game()).await else { panic!("listed") };
    assert_eq!(seat.opponent, handle("Cid"));
    let left: Vec<_> = dan.seeks().await.unwrap().iter().map(|view| Sought::Listed(view.seek)).collect();
    assert_eq!(left, [hers]);
}

/// Whoever asks for things and then says goodbye still gets his answers.
#[tokio::test]
async fn a_goodbye_waits_for_the_answers() {
    const REQUESTS: u64 = 8;
    let house = House::open().await;
    let mut wire = Wire::enter(&house, &new_key(), "Ann").await;
    for id in 1..=REQUESTS {
        wire.control.give(RequestFrame { id: RequestId(id), request: Request::Invite(any_game()) }).await;
    }
    wire.control.sender.finish().unwrap();
    for expected in 1..=REQUESTS {
        let ControlFrame::Reply { id, reply } = wire.control.take().await else { panic!("a notice") };
        assert_eq!(id, RequestId(expected));
        assert!(matches!(reply, Ok(Reply::Invited(_))), "{reply:?}");
    }
    assert_eq!(wire.control.try_take::<ControlFrame>().await, Ok(None));
    assert_eq!(wire.closed().await, CloseCode::Done);
}

#[tokio::test]
async fn invitations_expire() {
    let house = House::open().await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let code = ann.invite(proposal("5+3", Side::White)).await.unwrap();
    house.pass_ms(limits::INVITE_SECONDS_MAX * 1_000 + 1);
    assert_eq!(bob.take_invite(code).await, refused(RequestError::InviteExpired));
}

#[tokio::test]
async fn a_house_by_invitation_wants_one() {
    let house = House::open_as(Plan { registration: RegistrationMode::Invite, ..Plan::default() }).await;
    assert_eq!(denied(house.newcomer("Ann")).await, Denial::InviteNeeded);
    let unknown = Some(InviteCode::from_random([9; 5]));
    assert_eq!(denied(Settings { invite: unknown, ..house.newcomer("Ann") }).await, Denial::InviteUnknown);
    let nameless = Settings::new(house.line(), new_key());
    assert_eq!(denied(Settings { invite: house.invite, ..nameless }).await, Denial::HandleNeeded);
}

#[tokio::test]
async fn a_closed_house_takes_nobody_new() {
    let house = House::open_as(Plan { registration: RegistrationMode::Closed, ..Plan::default() }).await;
    // The owner's invite is good even here: somebody must be able to come in.
    let settings = Settings { invite: house.invite, ..house.newcomer("Ann") };
    assert_eq!(enter(settings.clone()).await.welcome().role, Role::Owner);
    assert_eq!(denied(house.newcomer("Bob")).await, Denial::RegistrationClosed);
    assert_eq!(enter(settings).await.welcome().handle, handle("Ann"), "a known key comes in as ever");
}

#[tokio::test]
async fn a_key_is_its_account_and_a_name_is_taken_once() {
    let house = House::open().await;
    let settings = house.newcomer("Ann");
    let ann = enter(settings.clone()).await;
    // Whatever name it gives, the key is Ann.
    let again = enter(settings.with_handle(handle("Zoe"))).await;
    assert_eq!(again.welcome().account, ann.welcome().account);
    assert_eq!(again.welcome().handle, handle("Ann"));

    let Denial::HandleTaken { suggestions } = denied(house.newcomer("aNN")).await else {
        panic!("another reason")
    };
    assert_eq!(suggestions.len(), limits::HANDLE_SUGGESTIONS_MAX);
    for free in suggestions.iter() {
        assert_eq!(house.guest(free.as_str()).await.welcome().handle, *free);
    }
}

#[tokio::test]
async fn games_are_listed_own_ones_first() {
    let house = House::open().await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let (cid, dan) = (house.guest("Cid").await, house.guest("Dan").await);
    let first = pair(&ann, &bob, proposal("5+3", Side::Random)).await.white.game;
    let mut second = seat(cid.clone(), dan, proposal("3+2", Side::Random)).await;
    second.play_all("e4 e5 Nf3").await;

    let listed = cid.games().await.unwrap();
    assert_eq!(listed.iter().map(|game| game.game).collect::<Vec<_>>(), [second.game, first]);
    assert_eq!((listed[0].ply, listed[0].controls.to_string().as_str()), (3, "3+2"));
    assert_eq!(ann.seats().await.unwrap()[0].game, first);
    assert_eq!(cid.seats().await.unwrap()[0].color, Color::White);
    assert_eq!(house.guest("Eva").await.seats().await.unwrap(), []);
}

#[tokio::test]
async fn spectators_see_everything_and_finished_games_can_be_seen_again() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("f3 e5").await;
    let mut spectator = Player::open(house.guest("Farhad").await, table.game).await;
    assert_eq!(spectator.link.view().seat, None);
    assert_eq!(spectator.link.view().played.len(), 2);
    table.play_all("g4 Qh4#").await;
    let result = table.result(&house).await;
    assert_eq!(spectator.result().await, result);

    let late = Player::open(house.guest("Golnar").await, table.game).await;
    chatrang_tests::players::agree(&house.journal(table.game).await, &[&spectator, &late]);
    let unknown = late.client.open_game(GameId(999)).await;
    assert_eq!(unknown.unwrap_err(), CallError::NotOpened(AttachError::NoSuchGame));
}
