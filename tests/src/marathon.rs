//! Real games that are as long as somebody needs them.

use chatrang_rules::game::{Command, Game, Millis, Party, Stamp, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::san;
use chatrang_rules::position::Position;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Plies without a capture or a pawn's move after which one is made: before the rules end the game.
const QUIET_PLIES_MAX: u32 = 100;

/// Legal moves that no rule ends: random ones that take nothing, as long as there are any.
pub fn long_game(plies: usize, seed: u64) -> Vec<Move> {
    (0..u64::from(u16::MAX))
        .map(|attempt| random_game(plies, StdRng::seed_from_u64(seed << 16 | attempt)))
        .find(|moves| moves.len() == plies)
        .expect("one of them is long enough")
}

fn random_game(plies: usize, mut chance: StdRng) -> Vec<Move> {
    let terms = Terms { first_move: Millis::from_seconds(3_600), ..Terms::online("1440+0".parse().unwrap()) };
    let mut game = Game::new(terms);
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies && game.result().is_none() {
        let position = game.position();
        let mv = choose(position, &mut chance);
        let by = Party::Player(position.turn());
        game.apply(by, Command::Move(mv), Stamp::at_ms(0)).answer.expect("a legal move");
        moves.push(mv);
    }
    if game.result().is_some() { Vec::new() } else { moves }
}

fn choose(position: &Position, chance: &mut StdRng) -> Move {
    let legal = position.legal_moves();
    let due = position.halfmove_clock() >= QUIET_PLIES_MAX;
    let quiet: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&mv| {
            let san = san::write(position, mv);
            !san.contains('x') && san.starts_with(|first: char| first.is_ascii_lowercase()) == due
        })
        .collect();
    *quiet.choose(chance).or_else(|| legal.choose(chance)).expect("the game is not over")
}
