//! The move generator against leaf counts that many programs agree on.

use chatrang_rules::notation::fen;
use chatrang_rules::perft::perft;
use chatrang_rules::setup::Strictness;

/// Runs the depths up to `depth_max` that each row of an EPD file gives; how many rows there were.
fn check(epd: &str, depth_max: u32) -> usize {
    let rows = epd.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let (fields, counts) = row.split_once(';').expect("a row has a count");
        let position =
            fen::parse_position(fields, Strictness::Playable).unwrap_or_else(|e| panic!("{row}: {e}"));
        for count in counts.split(';') {
            let (depth, leaves) = count.trim().split_once(' ').expect("a count has a depth");
            let depth = depth[1..].parse().expect("the depth is a number");
            if depth <= depth_max {
                assert_eq!(perft(&position, depth).to_string(), leaves, "{row} at depth {depth}");
            }
        }
    })
    .count()
}

#[test]
fn l03_to_l09_positions_from_games_have_the_known_leaves() {
    assert_eq!(check(include_str!("data/standard.epd"), 3), 3383);
}

#[test]
fn l03_to_l09_the_reference_positions_have_the_known_leaves() {
    assert_eq!(check(include_str!("data/reference.epd"), 4), 6);
}

#[test]
fn l11_chess960_positions_have_the_known_leaves() {
    assert_eq!(check(include_str!("data/chess960.epd"), 4), 480);
}

#[test]
fn l12_boards_with_reserves_have_the_known_leaves() {
    assert_eq!(check(include_str!("data/crazyhouse.epd"), 4), 4);
}

#[test]
fn l05_l08_l11_corner_cases_have_the_known_leaves() {
    assert_eq!(check(include_str!("data/tricky.epd"), 4), 18);
}
