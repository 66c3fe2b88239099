//! How a game ends: on the board, by a player's word, by the clock, by the arbiter (L13-L16, L24-L29).

use crate::table::Table;
use chatrang_rules::game::Profile;

#[test]
fn l13_a_legal_mating_move_ends_the_game_when_made() {
    for profile in Profile::ALL {
        let mut table = Table::of(profile, "5+3");
        table.play(1_000, "f3 e5 g4 Qh4#");
        table.assert_ended(
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            [304_000, 304_000],
            "0-1",
            "Black wins: White is checkmated (FIDE 5.1.1)",
        );
    }
}
