//! Draws: offered, accepted, declined, claimed, and by the board alone.

use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Claim, Matter, Proposal, Refusal};
use chatrang_rules::outcome::{GameResult, Termination};
use chatrang_tests::house::House;
use chatrang_tests::stroll::{Pawns, Stroll};

/// Both knights out and back: each time the first position again.
const OUT_AND_BACK: &str = "Nf3 Nf6 Ng1 Ng8";

#[tokio::test]
async fn an_offer_is_accepted() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5 Nf3").await;
    let seq = table.white.does(Intent::Propose(Proposal::Draw)).await;
    table.black.until_seq(seq).await;
    table.black.does(Intent::Accept(Matter::Draw)).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::Agreement));
}

#[tokio::test]
async fn an_offer_is_declined_in_words_or_by_a_move() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e4 e5 Nf3").await;
    let seq = table.white.does(Intent::Propose(Proposal::Draw)).await;
    table.black.until_seq(seq).await;
    assert!(table.black.state().draw_offer().is_some());
    let seq = table.black.does(Intent::Decline(Matter::Draw)).await;
    table.white.until_seq(seq).await;
    assert_eq!(table.white.state().draw_offer(), None);
    table.play("Nc6").await;

    let seq = table.black.does(Intent::Propose(Proposal::Draw)).await;
    table.white.until_seq(seq).await;
    table.play("Bb5").await;
    assert_eq!(table.black.state().draw_offer(), None);
    assert_eq!(
        table.black.ask(Intent::Accept(Matter::Draw)).await,
        refused(Refusal::NoOffer { matter: Matter::Draw })
    );
    table.play("a6").await;
}

#[tokio::test]
async fn offers_are_limited() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    assert_eq!(table.white.ask(Intent::Propose(Proposal::Draw)).await, refused(Refusal::OfferTooEarly));
    table.play_all("e4 e5").await;
    let seq = table.white.does(Intent::Propose(Proposal::Draw)).await;
    table.black.until_seq(seq).await;
    assert_eq!(
        table.white.ask(Intent::Propose(Proposal::Draw)).await,
        refused(Refusal::OfferStands { matter: Matter::Draw })
    );
    assert_eq!(
        table.white.ask(Intent::Accept(Matter::Draw)).await,
        refused(Refusal::NoOffer { matter: Matter::Draw })
    );
    assert_eq!(
        table.black.ask(Intent::Propose(Proposal::Draw)).await,
        refused(Refusal::OfferWaits { matter: Matter::Draw })
    );
    table.black.does(Intent::Decline(Matter::Draw)).await;
    assert_eq!(
        table.white.ask(Intent::Propose(Proposal::Draw)).await,
        refused(Refusal::OfferTooSoon { matter: Matter::Draw, plies: 20 })
    );
    table.play_all("Nf3 Nc6").await;
    assert_eq!(
        table.white.ask(Intent::Propose(Proposal::Draw)).await,
        refused(Refusal::OfferTooSoon { matter: Matter::Draw, plies: 18 })
    );
}

#[tokio::test]
async fn a_threefold_repetition_is_claimed() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all(OUT_AND_BACK).await;
    let early = table.white.ask(Intent::ClaimDraw { ply: 4, intended: None }).await;
    assert_eq!(early, refused(Refusal::ClaimWrong { repetitions: 2, halfmoves: 4 }));
    // A wrong claim costs nothing but the answer, and the game goes on.
    table.play_all(OUT_AND_BACK).await;
    assert_eq!(table.white.state().claims.white.len(), 1);
    table.white.does(Intent::ClaimDraw { ply: 8, intended: None }).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::ThreefoldRepetition));
}

#[tokio::test]
async fn a_threefold_repetition_is_claimed_with_the_move_that_makes_it() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all(OUT_AND_BACK).await;
    table.play_all("Nf3 Nf6 Ng1").await;
    let wrong = Intent::ClaimDraw { ply: 7, intended: Some(table.black.legal("e5")) };
    assert_eq!(table.black.ask(wrong).await, refused(Refusal::ClaimWrong { repetitions: 1, halfmoves: 0 }));
    let not_his_turn = Intent::ClaimDraw { ply: 7, intended: None };
    let to_move = Color::Black;
    assert_eq!(table.white.ask(not_his_turn).await, refused(Refusal::NotYourTurn { to_move }));
    let right = Intent::ClaimDraw { ply: 7, intended: Some(table.black.legal("Ng8")) };
    table.black.does(right).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::ThreefoldRepetition));
    // The named move is not played (FIDE 9.2.1).
    assert_eq!(table.white.link.view().played.len(), 7);
}

#[tokio::test]
async fn a_fivefold_repetition_ends_the_game_unasked() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    for _ in 0..4 {
        table.play_all(OUT_AND_BACK).await;
    }
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::FivefoldRepetition));
}

/// The shortest known game that ends so.
#[tokio::test]
async fn stalemate_is_a_draw() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    table.play_all("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6").await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::Stalemate));
}

#[tokio::test]
async fn fifty_moves_are_claimed() {
    let house = House::open().await;
    let mut table = house.table("5+3").await;
    let mut stroll = Stroll::default();
    for _ in 0..100 {
        let san = stroll.next(table.white.state(), Pawns::Stay);
        table.play(&san).await;
    }
    let state = table.white.state();
    assert_eq!((state.halfmove_clock, state.claims.white.iter().as_slice()), (100, &[Claim::FiftyMoves][..]));
    table.white.does(Intent::ClaimDraw { ply: 100, intended: None }).await;
    assert_eq!(table.result(&house).await, GameResult::draw(Termination::FiftyMoves));
}

fn refused<T>(refusal: Refusal) -> Result<T, IntentError> {
    Err(IntentError::Law(refusal))
}
