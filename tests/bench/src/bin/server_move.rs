//! What the rules do for one move of a server, against shakmaty doing the same: the move's UCI text is read
//! and judged, the move played and written in SAN, the end of the game looked for, and the position hashed
//! and looked up among those before it.
//!
//! `server_move [--rounds N]`: all games of a file from life, the fastest of N rounds, CPU time.

use chatrang_bench::games::{REAL_GAMES, uci_texts};
use chatrang_bench::{cpu_timed, option};
use std::hint::black_box;
use std::time::Duration;

type Work = fn(&[Vec<String>]) -> u64;

const WORKS: [(&str, Work); 3] = [
    ("shakmaty", shakmaty),
    ("chatrang", chatrang::<false>),
    ("chatrang, dead position asked", chatrang::<true>),
];

fn main() {
    let games = uci_texts(REAL_GAMES);
    let moves: usize = games.iter().map(Vec::len).sum();
    println!("{} games, {moves} moves", games.len());
    let mut fastest = [Duration::MAX; WORKS.len()];
    let mut sums = [0; WORKS.len()];
    for _ in 0..option("--rounds", 200) {
        for (index, (_, work)) in WORKS.iter().enumerate() {
            let (sum, time) = cpu_timed(|| black_box(work(black_box(&games))));
            fastest[index] = time.min(fastest[index]);
            sums[index] = sum;
        }
    }
    assert!(sums.iter().all(|&sum| sum == sums[0]), "the peers do not agree on what happened: {sums:?}");
    for ((name, _), time) in WORKS.iter().zip(fastest) {
        let per_move = time.as_secs_f64() * 1e9 / moves as f64;
        let ratio = time.as_secs_f64() / fastest[0].as_secs_f64();
        println!("{name:<32}{per_move:>8.1} ns a move {ratio:>6.2}x");
    }
}

/// The bytes of all SANs, the mates and stalemates, the repetitions: that all have done the same work.
fn tally(san: &str, ended: bool, appearances: u64) -> u64 {
    san.bytes().map(u64::from).sum::<u64>() + 1000 * u64::from(ended) + 1_000_000 * appearances
}

fn chatrang<const DEAD: bool>(games: &[Vec<String>]) -> u64 {
    use chatrang_rules::mating::{Budget, is_dead};
    use chatrang_rules::notation::{san, uci};
    use chatrang_rules::{position::Position, repetition::Repetitions};
    let mut sum = 0;
    for game in games {
        let mut position = Position::standard();
        let mut repetitions = Repetitions::new(&position);
        for text in game {
            let mv = uci::parse(&position, text).expect("the move is legal");
            let next = position.after(mv);
            let san = san::write_with(&position, mv, &next);
            position = next;
            repetitions.push(&position);
            let ended = position.is_checkmate() || position.is_stalemate();
            if DEAD {
                black_box(is_dead(&position, Budget::AFTER_MOVE));
            }
            black_box(position.hash());
            sum += tally(&san, ended, repetitions.count().into());
        }
    }
    sum
}

fn shakmaty(games: &[Vec<String>]) -> u64 {
    use shakmaty::san::SanPlus;
    use shakmaty::uci::UciMove;
    use shakmaty::zobrist::Zobrist64;
    use shakmaty::{Chess, EnPassantMode, Position};
    let mut sum = 0;
    for game in games {
        let mut position = Chess::default();
        let mut hashes: Vec<Zobrist64> = vec![position.zobrist_hash(EnPassantMode::Legal)];
        for text in game {
            let uci = UciMove::from_ascii(text.as_bytes()).expect("the text is a move");
            let mv = uci.to_move(&position).expect("the move is legal");
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
            if position.halfmoves() == 0 {
                hashes.clear();
            }
            let hash = position.zobrist_hash(EnPassantMode::Legal);
            hashes.push(hash);
            let appearances = hashes.iter().filter(|&&seen| seen == hash).count() as u64;
            let ended = position.outcome().is_known() && !position.is_insufficient_material();
            sum += tally(&san, ended, appearances);
        }
    }
    sum
}
