//! An evening at the club and the next: five games with everything that goes wrong at a board, told whole
//! by the journals that they leave.

use chatrang_protocol::client::{Client, Settings};
use chatrang_protocol::ids::GameId;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_protocol::role::Role;
use chatrang_protocol::view::Presence;
use chatrang_rules::color::Color::{self, Black, White};
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{
    self, Conduct, Decision, Event, Matter, Millis, Order, Profile, QuickplayClaim, Refusal, SpeedClass,
    Suspension,
};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::pgn::Roster;
use chatrang_rules::piece::Role as Man;
use chatrang_rules::record;
use chatrang_tests::house::{House, enter};
use chatrang_tests::journal::Journal;
use chatrang_tests::players::{Player, Table, proposal, seat};

#[tokio::test]
async fn the_journals_of_an_evening_tell_its_games() {
    let house = House::open_on_disk().await;
    let (shirin, khosrow) = (house.newcomer("Shirin"), house.newcomer("Khosrow"));
    let mut arbiter = arbiter(&house).await;
    let (golnar, farhad) = (house.guest("Golnar").await, house.guest("Farhad").await);

    let adjourned = adjourn(&house, &shirin, &khosrow).await;
    let blitz = illegal_moves_in_blitz(&house, &golnar, &farhad).await;
    let touched = touches_and_repetitions(&house, &farhad, &golnar).await;
    let finish = a_quickplay_finish(&house, &mut arbiter, &golnar, &farhad).await;
    let ruled = a_move_taken_back(&house, &mut arbiter, &farhad, &golnar).await;

    let house = house.close().await.reopen().await;
    resume(&house, adjourned, shirin, khosrow).await;
    let database = house.database();
    // Nothing is read before the server is down, and the directory lives for as long as the closed house.
    let _closed = house.close().await;
    let journal = Journal::read(&database);
    for (game, white, black, told) in [
        (blitz, "Golnar", "Farhad", BLITZ),
        (touched, "Farhad", "Golnar", TOUCHED),
        (finish, "Golnar", "Farhad", FINISH),
        (ruled, "Farhad", "Golnar", RULED),
        (adjourned, "Shirin", "Khosrow", ADJOURNED),
    ] {
        assert_eq!(pgn(&journal, game, white, black), told);
    }
}

/// L43: an illegal move that nobody sees stands; one that is claimed loses.
async fn illegal_moves_in_blitz(house: &House, white: &Client, black: &Client) -> GameId {
    let mut table = sit_down(white, black, Profile::Classic, "5+0").await;
    play(house, &mut table, 4_000, "e4 e5 Nf3 Nc6 Bc4").await;
    says(&mut table, Black, Intent::Move { ply: 5, mv: by_hand("g8", "f5") }).await;
    play(house, &mut table, 2_500, "O-O d6").await;
    // What White has answered is not to be claimed any more, and Black's last move was legal.
    says(&mut table, White, Intent::ClaimIllegalMove { ply: 8 }).await;
    play(house, &mut table, 1_500, "d3 Bd7").await;
    says(&mut table, White, Intent::Move { ply: 10, mv: by_hand("c4", "g4") }).await;
    house.pass_ms(900);
    says(&mut table, Black, Intent::ClaimIllegalMove { ply: 11 }).await;
    table.result(house).await;
    table.game
}

/// L18, L20, L30, L31, L40: what is touched moves, what is illegal is put back and binds; a repetition is
/// claimed one time too early.
async fn touches_and_repetitions(house: &House, white: &Client, black: &Client) -> GameId {
    let mut table = sit_down(white, black, Profile::Tournament, "15+10").await;
    says(&mut table, White, Intent::Adjust { ply: 0, square: "e1".parse().unwrap() }).await;
    says(&mut table, White, Intent::Touch { ply: 0, square: "g1".parse().unwrap() }).await;
    let pawn = Intent::Move { ply: 0, mv: by_hand("e2", "e4") };
    let binds = Refusal::TouchBinds { square: "g1".parse().unwrap(), role: Man::Knight, own: true };
    assert_eq!(table.white.ask(pawn).await, Err(binds.into()));
    play(house, &mut table, 3_000, "Nf3").await;
    says(&mut table, Black, Intent::Move { ply: 1, mv: by_hand("g8", "g6") }).await;
    let elsewhere = Intent::Move { ply: 1, mv: by_hand("d7", "d5") };
    let binds = Refusal::TouchBinds { square: "g8".parse().unwrap(), role: Man::Knight, own: true };
    assert_eq!(table.black.ask(elsewhere).await, Err(binds.into()));

    play(house, &mut table, 3_000, "Nf6 Ng1 Ng8 Nf3").await;
    let intended = Some(table.black.legal("Nf6"));
    says(&mut table, Black, Intent::ClaimDraw { ply: 5, intended }).await;
    play(house, &mut table, 3_000, "Ng1 Ng8 Nf3").await;
    let intended = Some(table.black.legal("Nf6"));
    says(&mut table, Black, Intent::ClaimDraw { ply: 9, intended }).await;
    table.result(house).await;
    table.game
}

/// L27: no increment, then a claim that is put off, and granted after the flag has fallen.
async fn a_quickplay_finish(house: &House, arbiter: &mut Client, white: &Client, black: &Client) -> GameId {
    let mut table = sit_down(white, black, Profile::Tournament, "15+0").await;
    let mut arbiter = Player::open(arbiter.clone(), table.game).await;
    play(house, &mut table, 1_000, "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 Qe2 Qe7 d3 Nf6 Qxe7+ Bxe7").await;
    house.pass_ms(13 * 60_000);
    says(&mut table, White, Intent::AskIncrement { ply: 14 }).await;
    says(&mut table, Black, Intent::Decline(Matter::Draw)).await;
    rules(&mut table, &mut arbiter, Order::Reject, "the clocks cannot be set to it").await;
    says(&mut table, White, Intent::ClaimNoWinning { ply: 14 }).await;
    let postponed = Order::Postpone { bonus: Millis::from_seconds(120) };
    rules(&mut table, &mut arbiter, postponed, "I want to see some moves").await;
    play(house, &mut table, 1_000, "Nc3 O-O").await;
    house.pass_ms(table.white.left().white.0 + CREDIT_MAX.0);
    let waits = Suspension::Claim { by: White, claim: QuickplayClaim::NoWinning };
    for player in [&mut table.white, &mut table.black, &mut arbiter] {
        player.until("the flag to wait for the ruling", |view| view.state.suspension == Some(waits)).await;
    }
    rules(&mut table, &mut arbiter, Order::Grant, "Black does not try to win").await;
    table.result(house).await;
    table.game
}

/// L44: an arbiter is called, puts a move back, and gives two minutes.
async fn a_move_taken_back(house: &House, arbiter: &mut Client, white: &Client, black: &Client) -> GameId {
    let mut table = sit_down(white, black, Profile::Tournament, "25+10").await;
    let mut arbiter = Player::open(arbiter.clone(), table.game).await;
    play(house, &mut table, 5_000, "d4 d5 c4 e6 Nc3 Bb4").await;
    house.pass_ms(8_000);
    let fallen = "a sleeve knocked my bishop from e7 to b4".parse().unwrap();
    says(&mut table, Black, Intent::CallArbiter(fallen)).await;
    let seen = "seen from the next board";
    rules(&mut table, &mut arbiter, Order::GoBack { ply: 5 }, seen).await;
    let bonus = Order::AddTime { side: Black, span: Millis::from_seconds(120) };
    rules(&mut table, &mut arbiter, bonus, "disturbed by the neighbour's sleeve").await;
    rules(&mut table, &mut arbiter, Order::Resume, seen).await;
    play(house, &mut table, 5_000, "Be7 Nf3").await;
    says(&mut table, White, Intent::Propose(game::Proposal::Draw)).await;
    says(&mut table, Black, Intent::Accept(Matter::Draw)).await;
    table.result(house).await;
    table.game
}

/// L62: White seals a move, thinks better of it, and everybody goes home.
async fn adjourn(house: &House, white: &Settings, black: &Settings) -> GameId {
    let (white, black) = (enter(white.clone()).await, enter(black.clone()).await);
    let mut table = sit_down(&white, &black, Profile::Tournament, "90+30").await;
    play(house, &mut table, 60_000, "e4 e5 Bc4 Nc6").await;
    says(&mut table, Black, Intent::Propose(game::Proposal::Adjournment)).await;
    says(&mut table, White, Intent::Accept(Matter::Adjournment)).await;
    let premature = Intent::Move { ply: 4, mv: table.white.legal("Qh5") };
    assert_eq!(table.white.ask(premature).await, Err(Refusal::SealInstead.into()));
    for (thought_ms, san) in [(240_000, "Nf3"), (20_000, "Qh5")] {
        house.pass_ms(thought_ms);
        let mv = table.white.legal(san);
        says(&mut table, White, Intent::Seal { ply: 4, mv }).await;
    }
    says(&mut table, White, Intent::CloseEnvelope).await;
    white.close().await;
    black.close().await;
    table.game
}

/// The next evening: the envelope is opened, and mate follows.
async fn resume(house: &House, game: GameId, white: Settings, black: Settings) {
    let mut white = Player::open(enter(white).await, game).await;
    assert_eq!(white.state().suspension, Some(Suspension::Adjournment));
    let alone = white.ask(Intent::Resume).await;
    assert_eq!(alone, Err(IntentError::Law(Refusal::StillAway { side: Black })));
    let mut black = Player::open(enter(black).await, game).await;
    white.until("Black to be here", |view| view.presence.black == Presence::Here).await;
    let seq = black.does(Intent::Resume).await;
    white.until_seq(seq).await;
    let mut table = Table { game, white, black };
    play(house, &mut table, 60_000, "Nf6 Qxf7#").await;
    table.result(house).await;
}

/// The arbiter of the evening, who was appointed before it.
async fn arbiter(house: &House) -> Client {
    let settings = house.newcomer("Bozorgmehr");
    let visitor = enter(settings.clone()).await;
    house.store.set_role(visitor.welcome().account, Role::Arbiter).await.unwrap();
    visitor.close().await;
    enter(settings).await
}

/// Two players at a new game by a profile.
async fn sit_down(white: &Client, black: &Client, profile: Profile, time: &str) -> Table {
    let usual = proposal(time, Side::Random);
    let conduct = Conduct::new(profile, SpeedClass::of_game(&usual.controls));
    seat(white.clone(), black.clone(), Proposal { conduct: Some(conduct), ..usual }).await
}

/// Both play in turn, and think so long about each move.
async fn play(house: &House, table: &mut Table, thought_ms: u64, moves: &str) {
    for san in moves.split_whitespace() {
        house.pass_ms(thought_ms);
        table.play(san).await;
    }
}

/// A player does something, and both see it.
async fn says(table: &mut Table, by: Color, intent: Intent) {
    let seq = table.player(by).does(intent).await;
    table.player(!by).until_seq(seq).await;
}

/// The arbiter rules, and both players see it.
async fn rules(table: &mut Table, arbiter: &mut Player, order: Order, reason: &str) {
    let decision = Decision { order, reason: reason.parse().unwrap() };
    let seq = arbiter.does(Intent::Rule(decision)).await;
    for player in [&mut table.white, &mut table.black] {
        player.until_seq(seq).await;
    }
}

/// A move as a hand makes it, whatever the Laws say.
fn by_hand(from: &str, to: &str) -> Move {
    Move::normal(from.parse().unwrap(), to.parse().unwrap())
}

/// A game as its journal tells it.
fn pgn(journal: &Journal, game: GameId, white: &str, black: &str) -> String {
    let events: Vec<Event> = journal.entries[&game].iter().map(|entry| entry.event().clone()).collect();
    let roster = Roster {
        event: "An evening at the club".to_owned(),
        date: "2026.01.01".to_owned(),
        white: white.to_owned(),
        black: black.to_owned(),
        ..Roster::default()
    };
    record::pgn(&events, &roster, &[]).unwrap()
}

const BLITZ: &str = r#"[Event "An evening at the club"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "Golnar"]
[Black "Farhad"]
[Result "0-1"]
[TimeControl "300"]
[Conduct "classic"]
[Termination "rules infraction"]

1. e4 {[%clk 0:04:56]} 1... e5 {[%clk 0:04:56]} 2. Nf3 {[%clk 0:04:52]} 2... Nc6
{[%clk 0:04:52]} 3. Bc4 {[%clk 0:04:48]} 3... Nf5 {[%clk 0:04:52] Black's move
is illegal and stands until it is claimed.} 4. O-O {[%clk 0:04:45.5]} 4... d6
{[%clk 0:04:49.5] White claims wrongly that the last move was illegal. Black
gets 3:00.} 5. d3 {[%clk 0:04:44]} 5... Bd7 {[%clk 0:07:48]} 6. Bg4
{[%clk 0:04:44] White's move is illegal and stands until it is claimed. Black
claims that the last move was illegal. Black wins: White has lost by illegal
moves (FIDE 7.5.5)} 0-1

"#;

const TOUCHED: &str = r#"[Event "An evening at the club"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "Farhad"]
[Black "Golnar"]
[Result "1/2-1/2"]
[TimeControl "900+10"]
[Conduct "tournament"]
[Termination "normal"]

{White adjusts e1. White touches g1.} 1. Nf3 {[%clk 0:15:07] Black makes the
illegal move g8-g6, which is put back: illegal move 1 of 2. White gets 1:00.}
1... Nf6 {[%clk 0:15:07]} 2. Ng1 {[%clk 0:16:14]} 2... Ng8 {[%clk 0:15:14]} 3.
Nf3 {[%clk 0:16:21]} 3... Nf6 {[%clk 0:15:24] Black claims a draw wrongly. White
gets 1:00.} 4. Ng1 {[%clk 0:17:28]} 4... Ng8 {[%clk 0:15:31]} 5. Nf3
{[%clk 0:17:35] Black claims a draw with Nf6. Draw: the same position three
times, claimed (FIDE 9.2)} 1/2-1/2

"#;

const FINISH: &str = r#"[Event "An evening at the club"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "Golnar"]
[Black "Farhad"]
[Result "1/2-1/2"]
[TimeControl "900"]
[Conduct "tournament"]
[Termination "adjudication"]

1. e4 {[%clk 0:14:59]} 1... e5 {[%clk 0:14:59]} 2. Nf3 {[%clk 0:14:58]} 2... Nf6
{[%clk 0:14:58]} 3. Nxe5 {[%clk 0:14:57]} 3... d6 {[%clk 0:14:57]} 4. Nf3
{[%clk 0:14:56]} 4... Nxe4 {[%clk 0:14:56]} 5. Qe2 {[%clk 0:14:55]} 5... Qe7
{[%clk 0:14:55]} 6. d3 {[%clk 0:14:54]} 6... Nf6 {[%clk 0:14:54]} 7. Qxe7+
{[%clk 0:14:53]} 7... Bxe7 {[%clk 0:14:53] White asks for five seconds a move
for both. Black declines the draw. The arbiter rejects the claim: the clocks
cannot be set to it. White claims a draw: the opponent does not win by normal
means. The arbiter puts off the claim and gives the opponent 2:00: I want to see
some moves.} 8. Nc3 {[%clk 0:01:52]} 8... O-O {[%clk 0:16:52] A flag is down:
the clocks stop, and it waits for the ruling on the claim. The arbiter grants
the claim: Black does not try to win. Draw: not to be won by normal means (FIDE
G.III.5)} 1/2-1/2

"#;

const RULED: &str = r#"[Event "An evening at the club"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "Farhad"]
[Black "Golnar"]
[Result "1/2-1/2"]
[TimeControl "1500+10"]
[Conduct "tournament"]
[Termination "normal"]

1. d4 {[%clk 0:25:05]} 1... d5 {[%clk 0:25:05]} 2. c4 {[%clk 0:25:10]} 2... e6
{[%clk 0:25:10]} 3. Nc3 {[%clk 0:25:15] Black calls the arbiter: a sleeve
knocked my bishop from e7 to b4. The arbiter goes back to ply 5: seen from the
next board. Taken back: Bb4. The arbiter gives Black 2:00: disturbed by the
neighbour's sleeve. The arbiter lets the game go on: seen from the next board.}
3... Be7 {[%clk 0:27:20]} 4. Nf3 {[%clk 0:25:12] White offers a draw. Draw: both
players agreed (FIDE 5.2.3)} 1/2-1/2

"#;

const ADJOURNED: &str = r#"[Event "An evening at the club"]
[Site "?"]
[Date "2026.01.01"]
[Round "?"]
[White "Shirin"]
[Black "Khosrow"]
[Result "1-0"]
[TimeControl "5400+30"]
[Conduct "tournament"]
[Termination "normal"]

1. e4 {[%clk 1:29:30]} 1... e5 {[%clk 1:29:30]} 2. Bc4 {[%clk 1:29:00]} 2... Nc6
{[%clk 1:29:00] Black proposes to adjourn. White accepts the adjournment. White
seals a move. White seals a move. The game is adjourned.} 3. Qh5 {[%clk 1:25:10]
The game goes on with the sealed move Qh5.} 3... Nf6 {[%clk 1:28:30]} 4. Qxf7#
{[%clk 1:24:40] White wins: Black is checkmated (FIDE 5.1.1)} 1-0

"#;
