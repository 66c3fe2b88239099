//! The lobby: who may come in, and how people find a game.

use chatrang_protocol::client::connect::ConnectError;
use chatrang_protocol::client::{CallError, Client, News, Settings, Sought};
use chatrang_protocol::hello::Denial;
use chatrang_protocol::ids::{GameId, SeekId};
use chatrang_protocol::invite::InviteCode;
use chatrang_protocol::limits;
use chatrang_protocol::lobby::{Seat, Side};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::role::Role;
use chatrang_protocol::view::AttachError;
use chatrang_rules::color::Color;
use chatrang_server::config::RegistrationMode;
use chatrang_tests::house::{House, Plan, enter, handle, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, pair, proposal, seat};

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
    assert_eq!((listed[0].ply, listed[0].time_control.to_string().as_str()), (3, "3+2"));
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
