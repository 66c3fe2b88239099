//! What happens between two people at a board besides moves, and the arbiter who is called for it.

use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::client::{CallError, Client, News, Settings};
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::{CallMatter, CallView, Proposal, Side};
use chatrang_protocol::notice::Notice;
use chatrang_protocol::reply::RequestError;
use chatrang_protocol::role::Role;
use chatrang_protocol::view::{EnvelopeContent, EnvelopeView, EventView, GameFrame, Presence, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{
    self, ABSENCES_MAX, Absence, AbsenceClaim, Action, Arbiter, Claim, Conduct, Decision, Matter, Millis,
    Order, Party, Profile, QuickplayClaim, Refusal, SpeedClass, Stakes, Suspension,
};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::{GameResult, Outcome, Termination};
use chatrang_server::config::Arbiters;
use chatrang_tests::house::{House, Plan, enter, new_key};
use chatrang_tests::patience::soon;
use chatrang_tests::players::{Player, Table, agree, proposal, seat};
use chatrang_tests::wire::Wire;

/// As long as a connection may be lost before the record says so, and a little more.
const PAST_GRACE_MS: u64 = 3_001;

#[tokio::test]
async fn a_touched_man_moves_an_illegal_move_is_put_back_and_a_wrong_claim_costs_time() {
    let house = House::open().await;
    let mut table = by(&house, Profile::Tournament, "5+0").await;

    // L31: the knight is touched, so only the knight moves.
    let seq = table.white.does(Intent::Touch { ply: 0, square: "g1".parse().unwrap() }).await;
    table.black.until_seq(seq).await;
    let seen = table.black.state();
    assert_eq!(seen.touched.iter().map(ToString::to_string).collect::<Vec<_>>(), ["g1"]);
    let left: Vec<_> = seen.legal.iter().map(|legal| legal.san.to_string()).collect();
    assert_eq!(left, ["Nf3", "Nh3"]);
    let pawn = Intent::Move { ply: 0, mv: mv("e2", "e4") };
    let bound = table.white.ask(pawn).await;
    assert!(matches!(bound, Err(IntentError::Law(Refusal::TouchBinds { own: true, .. }))), "{bound:?}");
    table.play("Nf3").await;
    assert!(table.black.state().touched.is_empty());

    // L40: put back, counted, and a minute for White.
    let before = table.white.left();
    let seq = table.black.does(Intent::Move { ply: 1, mv: mv("e7", "e4") }).await;
    table.white.until_seq(seq).await;
    let state = table.white.state();
    assert_eq!((state.ply, state.illegal_moves.black), (1, 1));
    assert_eq!(state.clocks.left.white, before.white.plus(Millis::from_seconds(60)));
    table.play("e5").await;

    // L20: a wrong claim is an offer, its move is played, and the opponent gets a minute.
    let before = table.white.left();
    let knight = table.white.legal("Nc3");
    let seq = table.white.does(Intent::ClaimDraw { ply: 2, intended: Some(knight) }).await;
    table.black.until_seq(seq).await;
    let state = table.black.state();
    assert_eq!((state.ply, state.draw_offer()), (3, Some(Color::White)));
    assert_eq!(state.clocks.left.black, before.black.plus(Millis::from_seconds(60)));
    assert_eq!(table.black.link.view().played.last().map(|played| played.san.to_string()).unwrap(), "Nc3");
    table.black.does(Intent::Accept(Matter::Draw)).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::Agreement));
}

#[tokio::test]
async fn an_illegal_move_stands_in_classic_blitz_until_it_is_claimed() {
    let house = House::open().await;
    let mut table = by(&house, Profile::Classic, "5+0").await;
    table.play("e4").await;
    let seq = table.black.does(Intent::Move { ply: 1, mv: mv("e7", "e4") }).await;
    table.white.until_seq(seq).await;
    assert_eq!(table.white.state().ply, 2);
    let stale = table.white.ask(Intent::ClaimIllegalMove { ply: 1 }).await;
    assert_eq!(stale, Err(IntentError::WrongPly { meant: 1, ply: 2 }));
    table.white.does(Intent::ClaimIllegalMove { ply: 2 }).await;
    let result = GameResult::win(Color::White, Termination::IllegalMoves);
    assert_eq!(table.result(&house).await, result);
}

#[tokio::test]
async fn a_takeback_is_agreed_and_everyone_sees_the_board_go_back() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let mut spectator = Player::open(house.guest("Farhad").await, table.game).await;
    table.play_all("e4 e5 Nf3").await;
    let seq = table.white.does(Intent::Propose(game::Proposal::Takeback { plies: 1 })).await;
    let early = table.black.ask(Intent::Accept(Matter::Pause)).await;
    assert_eq!(early, Err(Refusal::NoOffer { matter: Matter::Pause }.into()));
    table.black.until_seq(seq).await;
    let seq = table.black.does(Intent::Accept(Matter::Takeback)).await;
    table.white.until_seq(seq).await;
    spectator.until_seq(seq).await;
    assert_eq!((table.white.state().ply, table.white.state().turn), (2, Color::White));
    table.play("Nc3").await;
    table.white.does(Intent::Resign).await;
    table.result(&house).await;
    spectator.result().await;
    agree(&house.journal(table.game).await, &[&table.white, &table.black, &spectator]);
}

#[tokio::test]
async fn an_arbiter_is_called_comes_rules_and_nobody_else_does() {
    let house = House::open().await;
    let mut arbiter = arbiter(&house).await;
    let mut table = by(&house, Profile::Tournament, "5+0").await;
    assert_eq!(table.white.link.view().terms.arbiter, Arbiter::Named);
    table.play_all("e4 e5").await;
    let stranger = house.guest("Ahriman").await;
    assert_eq!(stranger.calls().await, Err(CallError::Refused(RequestError::NotArbiter)));
    assert_eq!(arbiter.calls().await.unwrap(), []);

    table.white.does(Intent::CallArbiter("a telephone rang".parse().unwrap())).await;
    let call = call(&mut arbiter).await;
    assert_eq!((call.game, call.color), (table.game, Color::White));
    assert_eq!(call.matter, CallMatter::Call("a telephone rang".parse().unwrap()));
    assert_eq!(arbiter.calls().await.unwrap(), [call]);
    assert_eq!(table.white.state().suspension, Some(Suspension::Call { by: Color::White }));

    let rule = |order| Intent::Rule(Decision { order, reason: "a telephone rang".parse().unwrap() });
    let lost = rule(Order::Declare { outcome: Outcome::win(Color::White) });
    let mut stranger = Player::open(stranger, table.game).await;
    assert_eq!(stranger.ask(lost.clone()).await, Err(IntentError::NotSeated));
    assert_eq!(table.white.ask(lost.clone()).await, Err(Refusal::NotYours.into()));

    let mut arbiter = Player::open(arbiter, table.game).await;
    assert_eq!(arbiter.ask(Intent::Resign).await, Err(IntentError::NotSeated));
    let seq = arbiter.does(rule(Order::AddTime { side: Color::White, span: Millis(60_000) })).await;
    table.white.until_seq(seq).await;
    assert_eq!(table.white.left().white, Millis::from_seconds(360));
    arbiter.does(rule(Order::Resume)).await;
    assert_eq!(arbiter.client.calls().await.unwrap(), [], "he has come");
    arbiter.does(lost).await;
    let result = table.result(&house).await;
    assert_eq!(
        (result.outcome, result.termination),
        (Some(Outcome::win(Color::White)), Termination::ArbiterRuling)
    );
    let last = house.journal(table.game).await.pop().unwrap();
    assert_eq!(last.event().by, Party::Arbiter);
    assert!(last.cause().is_some(), "his intent is in the record");
}

#[tokio::test]
async fn an_arbiter_who_has_lost_his_role_rules_no_more() {
    let house = House::open().await;
    let arbiter = arbiter(&house).await;
    let table = by(&house, Profile::Tournament, "5+0").await;
    let account = arbiter.welcome().account;
    let mut arbiter = Player::open(arbiter, table.game).await;
    let rule = |order| Intent::Rule(Decision { order, reason: "noise".parse().unwrap() });
    arbiter.does(rule(Order::Pause)).await;
    house.store.set_role(account, Role::Player).await.unwrap();
    assert_eq!(arbiter.ask(rule(Order::Resume)).await, Err(IntentError::NotSeated));
    assert_eq!(arbiter.client.calls().await, Err(CallError::Refused(RequestError::NotArbiter)));
}

#[tokio::test]
async fn a_claim_waits_for_the_arbiter_and_is_decided_by_him() {
    let house = House::open().await;
    let mut arbiter = arbiter(&house).await;
    let mut table = by(&house, Profile::Classic, "15+0").await;
    table.play_all("e4 e5").await;
    house.pass_ms(14 * 60_000);
    let seq = table.white.does(Intent::ClaimNoWinning { ply: 2 }).await;
    table.black.until_seq(seq).await;
    let waiting = table.black.state().claim_waiting.unwrap();
    assert_eq!((waiting.by, waiting.claim), (Color::White, QuickplayClaim::NoWinning));
    assert_eq!(call(&mut arbiter).await.matter, CallMatter::Claim(QuickplayClaim::NoWinning));
    let mut arbiter = Player::open(arbiter, table.game).await;
    let reason = "Black does not try".parse().unwrap();
    arbiter.does(Intent::Rule(Decision { order: Order::Grant, reason })).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::NormalMeans));
}

#[tokio::test]
async fn a_sealed_move_is_its_sealers_secret_until_the_envelope_is_opened() {
    let house = House::open().await;
    let mut table = by(&house, Profile::Tournament, "90+30").await;
    let mut spectator = Player::open(house.guest("Farhad").await, table.game).await;
    table.play_all("e4 e5").await;
    let seq = table.white.does(Intent::Propose(game::Proposal::Adjournment)).await;
    table.black.until_seq(seq).await;
    table.black.does(Intent::Accept(Matter::Adjournment)).await;
    table.white.until("the envelope", |view| view.state.envelope.is_some()).await;

    let secret = table.white.legal("Nf3");
    table.white.link.send(Intent::Seal { ply: 2, mv: secret }).unwrap();
    let sealed = update(&mut table.white, |_| true).await;
    assert!(matches!(&sealed.event, EventView::Open(event) if event.action == Action::Sealed(secret)));
    for other in [&mut table.black, &mut spectator] {
        let shown = update(other, |update| update.seq == sealed.seq).await;
        assert_eq!(shown.event, EventView::Sealed { by: Color::White });
        let envelope = EnvelopeView { sealer: Color::White, content: EnvelopeContent::Move };
        assert_eq!(shown.state.envelope, Some(envelope));
    }
    // Whoever has missed it is told no more of it than those who have not.
    let wire = Wire::enter(&house, &new_key(), "Ahriman").await;
    match wire.resume(table.game, Seq(sealed.seq.0 - 1)).await.take().await {
        GameFrame::Update(missed) => {
            assert_eq!((missed.seq, missed.event), (sealed.seq, EventView::Sealed { by: Color::White }));
        }
        other => panic!("no update: {other:?}"),
    }

    table.white.does(Intent::CloseEnvelope).await;
    assert_eq!(table.white.state().suspension, Some(Suspension::Adjournment));
    let seq = table.black.does(Intent::Resume).await;
    table.white.until_seq(seq).await;
    let last = table.white.link.view().played.last().cloned().unwrap();
    assert_eq!((last.mv, last.san.to_string()), (secret, "Nf3".to_owned()));
    table.play("Nc6").await;
}

#[tokio::test]
async fn an_adjourned_game_waits_for_both() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    let seq = table.white.does(Intent::Propose(game::Proposal::Adjournment)).await;
    table.black.until_seq(seq).await;
    table.black.does(Intent::Accept(Matter::Adjournment)).await;
    table.black.client.close().await;
    sees_black(&mut table.white, |presence| presence != Presence::Here).await;
    // Not even the grace has passed, and yet he is not here.
    let refused = table.white.ask(Intent::Resume).await;
    assert_eq!(refused, Err(Refusal::StillAway { side: Color::Black }.into()));
}

#[tokio::test]
async fn l62_no_number_of_absences_lets_an_adjourned_game_go_on_without_a_player() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5").await;
    let seq = table.white.does(Intent::Propose(game::Proposal::Adjournment)).await;
    table.black.until_seq(seq).await;
    let adjourned = table.black.does(Intent::Accept(Matter::Adjournment)).await;
    let Table { game, mut white, black: Player { client, mut link } } = table;
    // More often than the record takes.
    for _ in 0..=ABSENCES_MAX {
        drop(link);
        sees_black(&mut white, |presence| presence != Presence::Here).await;
        let refused = white.ask(Intent::Resume).await;
        assert_eq!(refused, Err(Refusal::StillAway { side: Color::Black }.into()));
        link = soon("the game to open", client.open_game(game)).await.unwrap();
        sees_black(&mut white, |presence| presence == Presence::Here).await;
    }
    assert_eq!(white.link.view().seq, adjourned, "nothing of it fills the record");
    white.does(Intent::Resume).await;
}

#[tokio::test]
async fn a_long_absence_is_claimed_and_a_short_one_is_not() {
    let house = House::open().await;
    let (white, black) = (house.guest("Shirin").await, house.newcomer("Khosrow"));
    let mut table = seat(white, enter(black.clone()).await, proposal("5+0", Side::Random)).await;
    table.play_all("e4 e5 Nf3").await;
    let claim = Intent::ClaimAbsence(AbsenceClaim::Win);
    assert_eq!(table.white.ask(claim.clone()).await, Err(Refusal::NotAway.into()));

    // A connection that comes back within the grace makes no absence.
    let Table { game, mut white, black: player } = table;
    player.client.close().await;
    sees_black(&mut white, |presence| presence != Presence::Here).await;
    house.pass_ms(PAST_GRACE_MS - 1_000);
    let back = Player::open(enter(black.clone()).await, game).await;
    sees_black(&mut white, |presence| presence == Presence::Here).await;
    assert_eq!(white.ask(claim.clone()).await, Err(Refusal::NotAway.into()));

    back.client.close().await;
    sees_black(&mut white, |presence| presence != Presence::Here).await;
    house.pass_ms(PAST_GRACE_MS);
    white.until("the record to say so", |view| view.state.absent_for.black.is_some()).await;
    house.pass_ms(29_000);
    let wait = Millis(1_000);
    assert_eq!(white.ask(claim.clone()).await, Err(Refusal::AwayNotLongEnough { wait }.into()));

    // He comes back before the claim: nothing to claim.
    let back = Player::open(enter(black).await, game).await;
    white.until("the record to say so", |view| view.state.absent_for.black.is_none()).await;
    house.pass_ms(2_000);
    assert_eq!(white.ask(claim.clone()).await, Err(Refusal::NotAway.into()));

    back.client.close().await;
    sees_black(&mut white, |presence| presence != Presence::Here).await;
    house.pass_ms(PAST_GRACE_MS);
    white.until("the record to say so", |view| view.state.absent_for.black.is_some()).await;
    house.pass_ms(30_000);
    white.does(claim).await;
    assert_eq!(white.result().await, GameResult::win(Color::White, Termination::Absence));
    agree(&house.journal(game).await, &[&white]);
}

#[tokio::test]
async fn a_restart_keeps_a_call_open_and_ends_an_absence() {
    let house = House::open_on_disk().await;
    let (shirin, khosrow) = (house.newcomer("Shirin"), house.newcomer("Khosrow"));
    let arbiter = appointed(&house).await;
    let conduct = Conduct::new(Profile::Online, SpeedClass::Blitz);
    let terms = Proposal { conduct: Some(conduct), ..proposal("5+0", Side::Random) };
    let (white, black) = (enter(shirin.clone()).await, enter(khosrow.clone()).await);
    let mut called = seat(white.clone(), black.clone(), terms).await;
    called.play_all("e4 e5").await;
    called.white.does(Intent::CallArbiter("noise".parse().unwrap())).await;
    let mut left = seat(white, black, terms).await;
    left.play_all("e4 e5 Nf3").await;
    let game = left.game;
    let Table { mut white, black, .. } = left;
    black.client.close().await;
    sees_black(&mut white, |presence| presence != Presence::Here).await;
    house.pass_ms(PAST_GRACE_MS);
    white.until("the record to say so", |view| view.state.absent_for.black.is_some()).await;
    house.pass_ms(20_000);

    let house = house.close().await.reopen().await;
    let open = enter(arbiter).await.calls().await.unwrap();
    assert_eq!(open.iter().map(|call| call.game).collect::<Vec<_>>(), [called.game]);
    let mut white = Player::open(enter(shirin).await, game).await;
    assert_eq!(white.state().absent_for.black, None);
    // The clocks run on without Black, and from then on he is away anew.
    house.pass_ms(60_000);
    white.until("the clocks to run", |view| view.state.suspension.is_none()).await;
    house.pass_ms(PAST_GRACE_MS);
    white.until("the record to say so", |view| view.state.absent_for.black.is_some()).await;
    house.pass_ms(29_000);
    let wait = Millis(1_000);
    let claim = Intent::ClaimAbsence(AbsenceClaim::Win);
    assert_eq!(white.ask(claim.clone()).await, Err(Refusal::AwayNotLongEnough { wait }.into()));
    house.pass_ms(1_000);
    white.does(claim).await;
}

#[tokio::test]
async fn the_house_says_how_games_are_conducted_and_whether_its_owner_is_an_arbiter() {
    let plan = Plan { profile: Profile::Tournament, arbiters: Arbiters::AppointedOrOwner, ..Plan::default() };
    for (plan, profile, arbiter) in
        [(plan, Profile::Tournament, Arbiter::Named), (Plan::default(), Profile::Online, Arbiter::Nobody)]
    {
        let house = House::open_as(plan).await;
        let owner = enter(Settings { invite: house.invite, ..house.newcomer("Bahram") }).await;
        assert_eq!(owner.welcome().role, Role::Owner);
        let table = house.table("5+0").await;
        let terms = table.white.link.view().terms;
        assert_eq!((terms.conduct.profile, terms.arbiter), (profile, arbiter));
        // Whatever games turn to, the owner may do all that an arbiter may.
        assert_eq!(owner.calls().await.unwrap(), []);
    }
}

#[tokio::test]
async fn terms_are_shown_before_they_are_taken_and_senseless_ones_refused() {
    let house = House::open().await;
    let (host, guest) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    let usual = proposal("15+10", Side::White);
    let conduct = Conduct {
        absence: Absence::Automatic,
        ..Conduct::new(Profile::Classic, SpeedClass::of_game(&usual.controls))
    };
    let strict = Proposal { conduct: Some(conduct), stakes: Stakes::Rated, agreement_from: 30, ..usual };
    let code = host.invite(strict).await.unwrap();
    let shown = guest.invitation(code).await.unwrap();
    assert_eq!((shown.by.as_str(), shown.proposal), ("Shirin", strict));
    let game = guest.take_invite(code).await.unwrap().game;
    let terms = Player::open(guest.clone(), game).await.link.view().terms;
    assert_eq!((terms.conduct, terms.stakes, terms.agreement_from), (conduct, Stakes::Rated, 30));
    assert_eq!(terms.arbiter, Arbiter::Nobody);

    // What is left to the house is said in the list.
    host.seek(usual).await.unwrap();
    let listed = guest.seeks().await.unwrap()[0].proposal;
    assert_eq!(listed.conduct, Some(Conduct::new(Profile::Online, SpeedClass::of_game(&usual.controls))));

    let half_a_second = game::WrongClaim::Penalty(Millis(500));
    for senseless in [
        Proposal { agreement_from: 0, ..usual },
        Proposal { agreement_from: u16::MAX, ..usual },
        Proposal { conduct: Some(Conduct { wrong_claim: half_a_second, ..conduct }), ..usual },
    ] {
        assert_eq!(guest.seek(senseless).await, Err(CallError::Refused(RequestError::NoSuchTerms)));
        assert_eq!(guest.invite(senseless).await, Err(CallError::Refused(RequestError::NoSuchTerms)));
    }
}

#[tokio::test]
async fn claims_are_shown_to_whoever_may_make_them() {
    let house = House::open().await;
    let mut table = by(&house, Profile::Classic, "5+0").await;
    table.play_all("e4 e5").await;
    house.pass_ms(5 * 60_000);
    // No server notices: White plays on, and Black may claim.
    table.play("Nf3").await;
    let claims = &table.black.state().claims;
    assert_eq!((claims.black.as_ref(), claims.white.as_ref()), (&[Claim::Flag][..], &[][..]));
    table.black.does(Intent::ClaimFlag).await;
    assert_eq!(table.result(&house).await, GameResult::win(Color::Black, Termination::FlagFall));
}

/// Two new players at a game by a profile.
async fn by(house: &House, profile: Profile, time: &str) -> Table {
    let usual = proposal(time, Side::Random);
    let conduct = Conduct::new(profile, SpeedClass::of_game(&usual.controls));
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    seat(white, black, Proposal { conduct: Some(conduct), ..usual }).await
}

/// Somebody who came in as an arbiter.
async fn arbiter(house: &House) -> Client {
    enter(appointed(house).await).await
}

/// How somebody enters who has been made an arbiter.
async fn appointed(house: &House) -> Settings {
    let settings = house.newcomer("Bozorgmehr");
    let before = enter(settings.clone()).await;
    house.store.set_role(before.welcome().account, Role::Arbiter).await.unwrap();
    before.close().await;
    settings
}

/// The next call that an arbiter is told of.
async fn call(arbiter: &mut Client) -> CallView {
    let told = async {
        loop {
            if let Some(News::Notice(Notice::Call(call))) = arbiter.next_news().await {
                return call;
            }
        }
    };
    soon("the arbiter to be called", told).await
}

/// The next update that is as wanted.
async fn update(player: &mut Player, wanted: impl Fn(&Update) -> bool) -> Update {
    loop {
        match player.next().await {
            GameNews::Update(update) if wanted(&update) => return update,
            _ => {}
        }
    }
}

/// Listens until Black is here, or is not.
async fn sees_black(white: &mut Player, is_here: impl Fn(Presence) -> bool) {
    white.until("Black to come or go", |view| is_here(view.presence.black)).await;
}

fn mv(from: &str, to: &str) -> Move {
    Move::normal(from.parse().unwrap(), to.parse().unwrap())
}
