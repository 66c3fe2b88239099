//! Real games, played move by move to their true end, on their true clocks.

use chatrang_protocol::client::Settings;
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_protocol::view::GameFrame;
use chatrang_rules::color::Color;
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{self, Matter, Millis};
use chatrang_rules::outcome::Termination;
use chatrang_tests::house::{House, enter, new_key};
use chatrang_tests::pgn::{REAL_GAMES, RecordedGame, games};
use chatrang_tests::players::{Player, Table, agree, pair, proposal, seat};
use chatrang_tests::wire::Wire;

/// Two players and a spectator go through all games; after each, all three have the same position,
/// clocks and result as the journal, and the clocks are those that the game's file tells.
#[tokio::test]
async fn real_games_end_as_they_did() {
    let house = House::open().await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    let watcher = house.guest("Farhad").await;
    for game in games(REAL_GAMES) {
        let terms = Proposal::casual(game.controls, Side::Random);
        let table = seat(white.clone(), black.clone(), terms).await;
        let spectator = Player::open(watcher.clone(), table.game).await;
        replay(&house, table, spectator, &game).await;
    }
}

async fn replay(house: &House, mut table: Table, mut spectator: Player, game: &RecordedGame) {
    let mut left = game.controls.sides().map(|control| control.allowance());
    for (ply, recorded) in game.moves.iter().enumerate() {
        let mover = table.turn();
        let after = left[mover].plus(increment(game));
        // Their server gave some lag back, which ours does only for what it measures; and its clocks
        // show whole seconds, so the last of a second is spent by whoever is about to flag.
        let used =
            if ply < 2 { Millis::ZERO } else { after.minus(recorded.left).min(left[mover].minus(Millis(1))) };
        house.pass_ms(used.0);
        left[mover] = after.minus(used);
        table.play(&recorded.san).await;
        assert_eq!(table.white.left(), left, "{} ply {ply}", game.white);
        assert_eq!(table.black.left(), left, "{} ply {ply}", game.white);
    }
    if table.white.state().result.is_none() {
        end(house, &mut table, game).await;
    }
    let result = table.result(house).await;
    assert_eq!(result.score_text(), game.result, "{}: {result}", game.white);
    spectator.result().await;
    agree(&house.journal(table.game).await, &[&table.white, &table.black, &spectator]);
}

fn increment(game: &RecordedGame) -> Millis {
    let period = game.controls[Color::White].periods().next().expect("a first period");
    period.bonus().span()
}

/// Ends a game that no move has ended, as its file says.
async fn end(house: &House, table: &mut Table, game: &RecordedGame) {
    let expected = match game.result.as_str() {
        _ if game.by_flag => {
            let turn = table.turn();
            house.pass_ms(table.white.left()[turn].0 + CREDIT_MAX.0);
            Termination::FlagFall
        }
        "1-0" => resign(table, Color::Black).await,
        "0-1" => resign(table, Color::White).await,
        _ => {
            let turn = table.turn();
            let seq = table.player(turn).does(Intent::Propose(game::Proposal::Draw)).await;
            table.player(!turn).until_seq(seq).await;
            table.player(!turn).does(Intent::Accept(Matter::Draw)).await;
            Termination::Agreement
        }
    };
    assert_eq!(table.white.result().await.termination, expected, "{}", game.white);
}

async fn resign(table: &mut Table, loser: Color) -> Termination {
    table.player(loser).does(Intent::Resign).await;
    Termination::Resignation
}

#[tokio::test]
async fn a_mover_is_answered_right_before_he_hears_of_his_move() {
    let house = House::open().await;
    let key = new_key();
    let wire = Wire::enter(&house, &key, "Shirin").await;
    let white = enter(Settings::new(house.line(), key)).await;
    let black = house.guest("Khosrow").await;
    let game = pair(&white, &black, proposal("5+3", Side::White)).await.white.game;
    let (mut stream, snapshot) = wire.attach(game).await;
    let mv = snapshot.state.legal.iter().find(|legal| legal.san.as_str() == "e4").unwrap().mv;
    stream.intend(1, Intent::Move { ply: 0, mv }).await;
    let mut heard = Vec::new();
    while heard.len() < 2 {
        match stream.take().await {
            GameFrame::Answer(answer) => heard.push(("answer", answer.outcome.unwrap())),
            GameFrame::Update(update) => heard.push(("update", update.seq)),
            _ => {}
        }
    }
    assert_eq!(heard, [("answer", Seq(1)), ("update", Seq(1))]);
}
