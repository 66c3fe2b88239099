//! What is said of a side's chances to mate holds: a side that can has a line of legal moves to a mate, no line
//! of play mates for a side that cannot, and more work never turns a yes into a no.
//!
//! The first line is the position, as a FEN; the bytes behind it choose the moves.
#![no_main]

use chatrang_rules::color::Color;
use chatrang_rules::mating::{self, Answer, Budget};
use chatrang_rules::notation::fen;
use chatrang_rules::setup::Strictness;
use libfuzzer_sys::fuzz_target;

const BUDGETS: [Budget; 3] = [Budget { nodes: 20 }, Budget { nodes: 200 }, Budget { nodes: 2_000 }];

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (fen, choices) = bytes.split_at(end);
    let Ok(text) = std::str::from_utf8(fen) else { return };
    let Ok(start) = fen::parse_position(text, Strictness::Playable) else { return };
    for side in Color::ALL {
        let verdicts = BUDGETS.map(|budget| mating::can_mate(&start, side, budget));
        for (verdict, budget) in verdicts.iter().zip(BUDGETS) {
            assert!(verdict.nodes <= budget.nodes, "{text}: {verdict:?}");
        }
        let proven = verdicts.map(|verdict| verdict.answer).into_iter().filter(|&a| a != Answer::NotProven);
        let mut proven = proven.collect::<Vec<_>>();
        proven.dedup();
        assert!(proven.len() <= 1, "{text}: {side} {proven:?}");
        if verdicts[1].answer == Answer::Yes {
            let line = mating::mating_line(&start, side, BUDGETS[1]).expect("it was found just now");
            let mut position = start.clone();
            for mv in line {
                assert_eq!(position.play(mv), Ok(()), "{text}: {side} mates by an illegal move");
            }
            assert!(position.is_checkmate() && position.turn() != side, "{text}: {side} does not mate");
        }
        if proven.contains(&Answer::No) {
            let mut position = start.clone();
            for &choice in choices {
                assert!(!(position.is_checkmate() && position.turn() != side), "{text}: {side} mates");
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                position.play_unchecked(mv);
            }
        }
    }
});
