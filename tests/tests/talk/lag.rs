//! L54 through a slow network: what is credited is what the transport measured, out of a bank that nobody
//! overdraws, whatever he does. All is read from the journal; `--bin lag` measures the rest.

use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::lag::{CREDIT_MAX, bank_max, gain};
use chatrang_rules::game::{Millis, TimeControl};
use chatrang_tests::lag::{Manner, MoveCost, Sitter, Trial, play};
use std::time::Duration;

#[tokio::test]
async fn l54_honest_players_are_credited_their_round_trip() {
    let white = far(20);
    let outcome = play(&trial("3+2", 4, ByColor { white, black: far(35) })).await;
    for (color, rtt) in [(Color::White, Millis(40)), (Color::Black, Millis(70))] {
        let costs = outcome.moves(color);
        assert_eq!(costs.len(), 3);
        balances(&costs, &outcome.control);
        at_least(rtt, &costs);
    }
}

#[tokio::test]
async fn l54_a_path_longer_than_the_quota_is_paid_for() {
    let outcome = play(&trial("0:15+0", 4, ByColor { white: far(200), black: far(0) })).await;
    let costs = outcome.moves(Color::White);
    balances(&costs, &outcome.control);
    at_least(Millis(400), &costs);
    // After three moves the bank holds what the last one has paid in, and that is all the next one gets.
    let gain = gain(&outcome.control);
    assert_eq!(gain, Millis(210));
    let last = costs.last().unwrap();
    assert_eq!((last.bank, last.credit), (gain, gain));
    assert!(last.charged >= Millis(400).minus(gain), "{last:?}");
}

#[tokio::test]
async fn l54_who_holds_his_acknowledgements_back_or_denies_what_he_saw_overdraws_no_bank() {
    let honest = far(10);
    let cheat = |manner| {
        let white = Sitter { manner, thinking: Millis(250), ..honest };
        trial("0:15+0", 6, ByColor { white, black: honest })
    };
    let holds = cheat(Manner::HoldsAcknowledgements(Duration::from_millis(400)));
    let denies = cheat(Manner::DeniesSight);
    let (holds, denies) = tokio::join!(play(&holds), play(&denies));
    for outcome in [holds, denies] {
        let costs = outcome.moves(Color::White);
        assert_eq!(costs.len(), 5);
        balances(&costs, &outcome.control);
        at_least(Millis(20), &costs);
    }
}

/// A player so many milliseconds away, who moves at once.
fn far(one_way_ms: u64) -> Sitter {
    Sitter {
        manner: Manner::Honest,
        one_way: Duration::from_millis(one_way_ms),
        jitter_percent: 0,
        thinking: Millis::ZERO,
    }
}

fn trial(time: &str, moves: u32, sitters: ByColor<Sitter>) -> Trial {
    Trial { time: time.to_owned(), moves, sitters, seed: 54 }
}

/// Each credit is paid out of the bank, and each move pays in what is published, and no more.
fn balances(costs: &[MoveCost], control: &TimeControl) {
    for cost in costs {
        assert!(cost.credit <= cost.bank.min(CREDIT_MAX), "{cost:?}");
    }
    for (cost, next) in costs.iter().zip(&costs[1..]) {
        let balance = cost.bank.minus(cost.credit).plus(gain(control));
        assert_eq!(next.bank, balance.min(bank_max(control)), "{cost:?}");
    }
}

/// No packet is quicker than its lane, so no move is credited less than that while the bank has it.
fn at_least(rtt: Millis, costs: &[MoveCost]) {
    for cost in costs {
        assert!(cost.credit >= cost.bank.min(rtt), "{cost:?}");
    }
}
