//! Real games, played move by move to their true end, on their true clocks.

use chatrang_protocol::intent::Intent;
use chatrang_protocol::lobby::{Proposal, Side};
use chatrang_rules::color::Color;
use chatrang_rules::game::lag::CREDIT_MAX;
use chatrang_rules::game::{self, Matter, Millis};
use chatrang_rules::outcome::Termination;
use chatrang_tests::house::House;
use chatrang_tests::pgn::{REAL_GAMES, RecordedGame, games};
use chatrang_tests::players::{Player, Table, agree, seat};

/// Two players and a spectator go through all games; after each, all three have the same position,
/// clocks and result as the journal, and the clocks are those that the game's file tells.
#[tokio::test]
async fn real_games_end_as_they_did() {
    let house = House::open().await;
    let (white, black) = (house.guest("Shirin").await, house.guest("Khosrow").await);
    let watcher = house.guest("Farhad").await;
    for game in games(REAL_GAMES) {
        let proposal = Proposal::casual(game.controls, Side::Random);
        let table = seat(white.clone(), black.clone(), proposal).await;
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
