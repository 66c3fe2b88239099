//! Which positions are the same, and who gave check throughout (FIDE 9.2.3).

use crate::{play, position};
use chatrang_rules::color::Color;
use chatrang_rules::position::Position;
use chatrang_rules::repetition::Repetitions;

/// Plays the moves and says how often the last position has then appeared.
fn occurrences(start: &Position, moves: &str) -> u32 {
    let mut repetitions = Repetitions::new(start);
    let mut position = start.clone();
    for text in moves.split_whitespace() {
        position = play(&position, text);
        assert_eq!(repetitions.count_after(&position), {
            repetitions.push(&position);
            repetitions.count()
        });
    }
    repetitions.count()
}

#[test]
fn l18_positions_are_the_same_when_the_same_moves_could_be_made() {
    let start = Position::standard();
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // a double step whose capture is pinned makes no other position
    let pinned = position("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    for (start, moves, count) in [
        (&pinned, "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7", 3),
        // nor does one without a capturer
        (&start, "f4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", 3),
        // a lost right does
        (&castling, "Rh2 Rh7 Rh1 Rh8", 1),
        (&castling, "Rh2 Rh7 Rh1 Rh8 Rh2 Rh7 Rh1 Rh8", 2),
        // only the position on the board counts
        (&start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3),
        (&start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4", 1),
        // not necessarily consecutive
        (&start, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8", 3),
    ] {
        assert_eq!(occurrences(start, moves), count, "{moves}");
    }
}

#[test]
fn l18_a_legal_capture_in_passing_makes_another_position() {
    let start = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    assert_eq!(occurrences(&start, "e4 Kd8 Kd1 Ke8 Ke1"), 1);
    assert_eq!(occurrences(&start, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1"), 2);
}

#[test]
fn l23_checks_throughout_a_repetition_are_named() {
    let perpetual = |start: &Position, moves: &str| {
        let mut repetitions = Repetitions::new(start);
        let mut position = start.clone();
        for text in moves.split_whitespace() {
            position = play(&position, text);
            repetitions.push(&position);
        }
        repetitions.perpetual_check()
    };
    let start = position("6k1/6pp/8/8/8/7q/8/3Q2K1 w - - 0 1");
    let checks = "Qd8+ Kf7 Qd7+ Kf8 Qd8+ Kf7";
    assert_eq!(perpetual(&start, checks), Some(Color::White));
    assert_eq!(perpetual(&start, "Qd8+ Kf7 Qd7+ Kf8"), None);
    assert_eq!(perpetual(&start, "Qd2 Qg4+ Kh1 Qh3+ Kg1 Qg4+ Kh1"), Some(Color::Black));
    assert_eq!(perpetual(&start, "Qd2 Qg4+ Kh1 Qh3+ Kg1 Qg4+ Kf1 Qh3+ Kg1"), Some(Color::Black));
    assert_eq!(perpetual(&Position::standard(), "Nf3 Nf6 Ng1 Ng8"), None);
}
