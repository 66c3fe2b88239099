//! Two things in the same instant: one of them counts, both players are told the same, and the record agrees.

use chatrang_protocol::client::game::GameNews;
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Matter, Proposal, Refusal};
use chatrang_rules::outcome::{GameResult, Termination};
use chatrang_tests::house::House;
use chatrang_tests::players::{Player, Table, agree};
use std::collections::BTreeMap;

/// Games of each kind in a run of everyday.
const CASES_DEFAULT: usize = 6;

/// What is asked of both sides in the same instant.
struct AtOnce {
    opening: &'static str,
    offer: Option<Intent>,
    white: fn(&Table) -> Intent,
    black: fn(&Table) -> Intent,
}

fn moves(player: &Player, san: &str) -> Intent {
    Intent::Move { ply: player.state().ply, mv: player.legal(san) }
}

async fn answer(player: &mut Player, id: chatrang_protocol::ids::IntentId) -> Result<(), IntentError> {
    loop {
        if let GameNews::Answer(answer) = player.next().await
            && answer.intent == id
        {
            return answer.outcome.map(drop);
        }
    }
}

impl AtOnce {
    /// Plays one game; how it stands then, and what both sides were told.
    async fn play(&self, house: &House, number: usize) -> (Option<GameResult>, [Result<(), IntentError>; 2]) {
        let (white, black) = (format!("White{number}"), format!("Black{number}"));
        let (white, black) = (house.guest(&white).await, house.guest(&black).await);
        let proposal = chatrang_tests::players::proposal("5+0", chatrang_protocol::lobby::Side::Random);
        let mut table = chatrang_tests::players::seat(white, black, proposal).await;
        table.play_all(self.opening).await;
        if let Some(offer) = &self.offer {
            let seq = table.white.does(offer.clone()).await;
            table.black.until_seq(seq).await;
        }
        let (hers, his) = ((self.white)(&table), (self.black)(&table));
        // Now one is the first to be sent, now the other.
        let (hers, his) = if number.is_multiple_of(2) {
            let hers = table.white.link.send(hers).unwrap();
            (hers, table.black.link.send(his).unwrap())
        } else {
            let his = table.black.link.send(his).unwrap();
            (table.white.link.send(hers).unwrap(), his)
        };
        let answers = [answer(&mut table.white, hers).await, answer(&mut table.black, his).await];
        let record = house.journal(table.game).await;
        let last = chatrang_protocol::ids::Seq(record.len() as u64 - 1);
        table.white.until_seq(last).await;
        table.black.until_seq(last).await;
        agree(&record, &[&table.white, &table.black]);
        (table.white.state().result, answers)
    }
}

/// Plays such games, and tells how often which side was heard.
async fn play_all(
    kind: &AtOnce,
    is_right: impl Fn(Option<GameResult>, &[Result<(), IntentError>; 2]) -> bool,
) {
    let cases = std::env::var("CHATRANG_CASES").map_or(CASES_DEFAULT, |cases| cases.parse().unwrap());
    let house = House::open().await;
    let mut heard: BTreeMap<[bool; 2], usize> = BTreeMap::new();
    for number in 0..cases {
        let (result, answers) = kind.play(&house, number).await;
        assert!(is_right(result, &answers), "{result:?}, {answers:?}");
        *heard.entry(answers.map(|answer| answer.is_ok())).or_default() += 1;
    }
    println!("heard [White, Black]: {heard:?}");
}

fn over<T>(result: GameResult) -> Result<T, IntentError> {
    Err(IntentError::Law(Refusal::GameOver(result)))
}

#[tokio::test]
async fn f29_mate_and_resignation_at_once() {
    let kind = AtOnce {
        opening: "f3 e5 g4",
        offer: None,
        white: |_| Intent::Resign,
        black: |table| moves(&table.black, "Qh4#"),
    };
    let is_right = |result: Option<GameResult>, answers: &[Result<(), IntentError>; 2]| {
        let result = result.expect("Black has won, one way or the other");
        match result.termination {
            Termination::Checkmate => *answers == [over(result), Ok(())],
            Termination::Resignation => *answers == [Ok(()), over(result)],
            _ => false,
        }
    };
    play_all(&kind, is_right).await;
}

/// The offer is Black's to accept; White's move, sent at the same time, does not take it back.
#[tokio::test]
async fn f29_a_draw_is_accepted_and_a_move_made_at_once() {
    let kind = AtOnce {
        opening: "e4 e5",
        offer: Some(Intent::Propose(Proposal::Draw)),
        white: |table| moves(&table.white, "Nf3"),
        black: |_| Intent::Accept(Matter::Draw),
    };
    let is_right = |result: Option<GameResult>, answers: &[Result<(), IntentError>; 2]| {
        let Some(result) = result else { return false };
        let is_agreed = result.termination == Termination::Agreement && answers[1].is_ok();
        is_agreed && (answers[0].is_ok() || answers[0] == over(result))
    };
    play_all(&kind, is_right).await;
}

/// A move that is sent when his time runs out: it has come in time or not, and nobody is told otherwise.
#[tokio::test]
async fn f29_a_move_and_a_flag_at_once() {
    let house = House::open().await;
    let mut table = house.table("5+0").await;
    table.play_all("e4 e5").await;
    let mut in_time = 0;
    // Each round takes all that White has, with one millisecond more or less for either end.
    for early_ms in [2, 1, 0] {
        let left = table.white.left()[Color::White].0;
        let id = {
            let state = table.white.state();
            let mv = state.legal.iter().find(|legal| legal.san.as_str().starts_with('N')).unwrap().mv;
            table.white.link.send(Intent::Move { ply: state.ply, mv }).unwrap()
        };
        house.pass_ms(left - early_ms);
        let outcome = answer(&mut table.white, id).await;
        let record = house.journal(table.game).await;
        let last = chatrang_protocol::ids::Seq(record.len() as u64 - 1);
        table.white.until_seq(last).await;
        table.black.until_seq(last).await;
        agree(&record, &[&table.white, &table.black]);
        match table.black.state().result {
            None => {
                outcome.unwrap();
                in_time += 1;
                let reply =
                    table.black.state().legal.iter().find(|legal| legal.san.as_str().starts_with('N'));
                let reply = reply.unwrap().san.as_str().to_owned();
                table.play(&reply).await;
            }
            Some(result) => {
                assert_eq!(result.termination, Termination::FlagFall);
                assert_eq!(outcome, over(result));
                break;
            }
        }
    }
    println!("{in_time} moves were in time");
}
