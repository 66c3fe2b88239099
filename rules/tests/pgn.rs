//! What must hold for every PGN and for all other bytes.
//!
//! `CHATRANG_CASES` says how many are tried; a small number by default.

#[path = "support/pgn_round_trip.rs"]
mod pgn_round_trip;

use pgn_round_trip::check;
use proptest::prelude::*;

const GAMES: &str = include_str!("data/pgn/games.pgn");

fn cases() -> u32 {
    std::env::var("CHATRANG_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

/// The words that PGNs are made of, some of them in places where they make no sense.
fn near_pgn() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: [&str; 44] = [
        " ",
        "\n",
        "\r\n",
        "1.",
        "1...",
        "e4 ",
        "e5 ",
        "Nf3 ",
        "Nc6 ",
        "d4",
        " exd4 ",
        "Qh5",
        "Ke2 ",
        "Bb5",
        " a6 ",
        "O-O ",
        "Nf3Nc6",
        "-- ",
        "( ",
        ") ",
        "(=)",
        "{",
        "}",
        "{[%clk 0:00:01]}",
        ";",
        "%",
        "\n%",
        "$",
        "$5 ",
        "$300 ",
        "!?",
        " +- ",
        "=",
        "[",
        "]",
        "\"",
        "\\",
        "[White \"A \\\"B\\\" C\"]\n",
        "[Event \"x\"]\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
        "* ",
        "1-0\n",
        "e.p. ",
        "\u{feff}",
    ];
    let word = prop::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec());
    let piece = prop_oneof![12 => word, 1 => prop::collection::vec(any::<u8>(), 0..4)];
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

#[test]
fn l71_real_games_are_read_and_written_back() {
    let log = check(GAMES.as_bytes(), &[61, 7, 1000]);
    assert_eq!(log.errors, []);
    assert_eq!(log.shown.iter().filter(|line| *line == "game").count(), 8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases() * 20))]

    #[test]
    fn l71_whatever_is_read_is_written_back_and_however_it_is_cut(
        bytes in near_pgn(),
        lengths in prop::collection::vec(1_usize..40, 1..6),
    ) {
        check(&bytes, &lengths);
    }

    #[test]
    fn any_bytes_are_read_to_their_end(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        lengths in prop::collection::vec(1_usize..9, 1..6),
    ) {
        check(&bytes, &lengths);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn real_games_with_a_few_wrong_bytes_are_read_to_their_end(
        wrong in prop::collection::vec((0_usize..GAMES.len(), any::<u8>()), 0..6),
        lengths in prop::collection::vec(1_usize..4000, 1..6),
    ) {
        let mut bytes = GAMES.as_bytes().to_vec();
        for (place, byte) in wrong {
            bytes[place] = byte;
        }
        check(&bytes, &lengths);
    }
}
