//! Opening a game and playing in it.

use crate::scripted::{GAME, House, knight_move, over, snapshot};
use crate::{enter, open, talk};
use chatrang_protocol::client::CallError;
use chatrang_protocol::client::game::{GameNews, LinkEnd, PlayError, SendError};
use chatrang_protocol::ids::Seq;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::limits;
use chatrang_protocol::view::{Answer, AttachError, GameFrame};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Proposal, Refusal, Suspension};
use chatrang_rules::outcome::{GameResult, Termination};

#[tokio::test]
async fn a_game_is_opened_on_the_next_connection_if_this_one_is_lost() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            guest.table().await;
            guest.cut();
            let guest = house.guest().await;
            let mut table = guest.table().await;
            assert_eq!(table.attach.seen, None);
            table.snapshot(3).await;
            (guest, table)
        };
        let (link, _server) = tokio::join!(client.open_game(GAME), script);
        assert_eq!(link.unwrap().view().seq, Seq(3));
    })
    .await;
}

#[tokio::test]
async fn a_game_that_is_not_there_is_refused() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            let refused = GameFrame::Refused(AttachError::NoSuchGame);
            guest.table().await.stream.give(&refused).await;
        };
        let (link, ()) = tokio::join!(client.open_game(GAME), script);
        assert_eq!(link.unwrap_err(), CallError::NotOpened(AttachError::NoSuchGame));
    })
    .await;
}

#[tokio::test]
async fn no_more_games_are_opened_than_a_connection_carries() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let mut games = Vec::new();
        for _ in 1..limits::STREAMS_MAX {
            games.push(open(&client, &guest, 0).await);
        }
        assert_eq!(client.open_game(GAME).await.unwrap_err(), CallError::TooManyGames);
    })
    .await;
}

#[tokio::test]
async fn a_finished_game_is_shown_and_let_go() {
    let house = House::open();
    let result = GameResult::win(Color::White, Termination::Checkmate);
    talk(async {
        let (client, guest) = enter(&house).await;
        let script = async {
            let mut table = guest.table().await;
            table.stream.give(&GameFrame::Snapshot(over(snapshot(9), result))).await;
            table.stream.sender.finish();
        };
        let (link, ()) = tokio::join!(client.open_game(GAME), script);
        let mut link = link.unwrap();
        assert_eq!(link.state().result, Some(result));
        assert_eq!(link.your_turn().await, Ok(None));
        assert_eq!(link.next().await, Some(GameNews::Ended(LinkEnd::Over)));
    })
    .await;
}

#[tokio::test]
async fn intents_are_bounded_and_never_wait() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (link, _table) = open(&client, &guest, 4).await;
        // Nothing here lets the client's tasks run, so nothing is taken from the queue.
        let sent = (0..100).take_while(|_| link.send(Intent::Propose(Proposal::Draw)).is_ok()).count();
        assert!(sent < 100);
        assert_eq!(link.send(Intent::Propose(Proposal::Draw)), Err(SendError::Full));
    })
    .await;
}

#[tokio::test]
async fn a_bot_plays_when_it_is_its_turn() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 0).await;
        let script = async {
            let intent = table.intent().await;
            assert_eq!(intent.intent, Intent::Move { ply: 0, mv: knight_move(0) });
            // The answer may overtake the update: the bot must not think it is still its turn.
            table.answer(intent.id, 1).await;
            table.updates(1..=2).await;
            let intent = table.intent().await;
            assert_eq!(intent.intent, Intent::Move { ply: 2, mv: knight_move(2) });
            let over_by_flag = GameResult::win(Color::Black, Termination::FlagFall);
            let refused = Err(IntentError::Law(Refusal::GameOver(over_by_flag)));
            table.stream.give(&GameFrame::Answer(Answer { intent: intent.id, outcome: refused })).await;
            table.stream.give(&GameFrame::Snapshot(over(snapshot(3), over_by_flag))).await;
        };
        let bot = async {
            let mut made = Vec::new();
            while let Some(state) = link.your_turn().await.unwrap() {
                let mv = state.legal[0].mv;
                made.push(link.play(mv).await.unwrap());
            }
            made
        };
        let (made, ()) = tokio::join!(bot, script);
        assert_eq!(made, [Some(Seq(1)), None]);
    })
    .await;
}

#[tokio::test]
async fn a_refused_move_is_the_bots_own_affair_and_a_busy_server_is_not() {
    let house = House::open();
    talk(async {
        let (client, guest) = enter(&house).await;
        let (mut link, mut table) = open(&client, &guest, 0).await;
        let wrong_ply = IntentError::WrongPly { meant: 0, ply: 1 };
        let script = async {
            for error in [
                IntentError::Busy,
                IntentError::Law(Refusal::Suspended { why: Suspension::Restart }),
                wrong_ply.clone(),
            ] {
                let intent = table.intent().await.id;
                table.stream.give(&GameFrame::Answer(Answer { intent, outcome: Err(error) })).await;
            }
        };
        let (played, ()) = tokio::join!(link.play(knight_move(0)), script);
        assert_eq!(played, Err(PlayError::Refused(wrong_ply)));
    })
    .await;
}
