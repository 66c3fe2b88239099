//! What a player could say now: the words that the key F6 puts into the input line, one after the other.

use crate::message::Moment;
use crate::model::game::GameModel;
use crate::words::matter_word;
use chatrang_protocol::view::EnvelopeContent;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Arbiter, Claim, Matter, Millis, NoShow, Suspension};

/// The words, the most pressing first: answers, claims, then what one may propose.
pub fn words(game: &GameModel, now: Moment) -> Vec<String> {
    let Some(seat) = game.seat.filter(|_| game.state.result.is_none()) else { return Vec::new() };
    let mut words: Vec<String> = Vec::new();
    for matter in game.offers_to_answer() {
        words.push(format!("accept {}", matter_word(matter)));
        words.push(format!("decline {}", matter_word(matter)));
    }
    words.extend(claims(game, seat, now));
    match game.state.suspension {
        Some(Suspension::Pause | Suspension::Adjournment | Suspension::Call { .. }) => {
            words.push("resume".to_owned());
        }
        Some(_) => {}
        None => words.extend(while_clocks_run(game, seat)),
    }
    words.push("resign yes".to_owned());
    words
}

fn claims(game: &GameModel, seat: Color, now: Moment) -> Vec<String> {
    let word = |claim: &Claim| match claim {
        Claim::Threefold | Claim::FiftyMoves => "claim".to_owned(),
        Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => format!("claim {}", game.written(*mv)),
        Claim::Flag => "claim flag".to_owned(),
        Claim::Absence => "claim win".to_owned(),
        Claim::Increment => "claim increment".to_owned(),
        Claim::NoWinning => "claim nowinning".to_owned(),
    };
    let mut words: Vec<String> = game.state.claims[seat].iter().map(word).collect();
    if game.may_claim_flag(now) {
        words.push("claim flag".to_owned());
    }
    if game.absence_wait(now) == Some(Millis::ZERO) {
        words.extend(["claim win".to_owned(), "claim draw".to_owned()]);
    }
    let mut said = Vec::new();
    words.retain(|word| {
        let is_new = !said.contains(word);
        said.push(word.clone());
        is_new
    });
    words
}

fn while_clocks_run(game: &GameModel, seat: Color) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(envelope) = game.state.envelope.filter(|envelope| envelope.sealer == seat) {
        words.push(match envelope.content {
            EnvelopeContent::Empty => "seal ".to_owned(),
            EnvelopeContent::Move => "close".to_owned(),
        });
    }
    let proposals = [
        ("draw", Matter::Draw),
        ("takeback", Matter::Takeback),
        ("pause", Matter::Pause),
        ("adjourn", Matter::Adjournment),
    ];
    let may_begin = |matter| game.state.proposal(matter).is_none();
    words.extend(
        proposals.into_iter().filter(|&(_, matter)| may_begin(matter)).map(|(word, _)| word.to_owned()),
    );
    if game.terms.arbiter == Arbiter::Named {
        words.push("call ".to_owned());
    }
    if game.terms.conduct.no_show == NoShow::Aborted && game.state.ply < 2 {
        words.push("abort".to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{START, snapshot_of};
    use chatrang_protocol::codec::List;
    use chatrang_protocol::view::ProposalView;
    use chatrang_rules::game::Proposal;

    fn suggested(change: impl FnOnce(&mut GameModel)) -> Vec<String> {
        let mut game = GameModel::new(snapshot_of(START, Some(Color::White)), Moment(0), Millis::ZERO);
        change(&mut game);
        words(&game, Moment(0))
    }

    #[test]
    fn what_presses_most_comes_first() {
        let usual = ["draw", "takeback", "pause", "adjourn", "abort", "resign yes"];
        assert_eq!(suggested(|_| {}), usual);
        let offered = suggested(|game| {
            let offer = ProposalView { by: Color::Black, proposal: Proposal::Draw };
            game.state.proposals = List::cut(vec![offer]);
            game.state.claims.white = List::cut(vec![Claim::Threefold, Claim::FiftyMoves]);
        });
        assert_eq!(offered[..4], ["accept draw", "decline draw", "claim", "takeback"]);
        let paused = suggested(|game| game.state.suspension = Some(Suspension::Pause));
        assert_eq!(paused, ["resume", "resign yes"]);
        assert!(suggested(|game| game.seat = None).is_empty());
    }
}
