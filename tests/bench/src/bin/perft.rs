//! Perft of every peer, all in one run: one thread, no hash table, leaves counted in bulk, counts asserted.
//!
//! `perft [--leaves-max N] [--rounds N]`: each of the six reference positions at its deepest row of at most
//! N leaves, as often as there are rounds; the fastest round counts. CPU time of the thread, so that a busy
//! machine hurts nobody; the peers take turns, so that a slow minute hurts all alike.

use chatrang_bench::{REFERENCE, Row, cpu_timed, geometric_mean, option, rows};
use std::time::Duration;

type Perft = fn(fen: &str, depth: u32) -> (u64, Duration);

const PEERS: [(&str, Perft); 5] = [
    ("chatrang", chatrang),
    ("eschac", eschac),
    ("cozy-chess", cozy),
    ("chess", chess),
    ("shakmaty", shakmaty),
];

fn main() {
    let leaves_max = option("--leaves-max", u64::MAX);
    let rounds = option("--rounds", 1);
    print!("{:<14}", "Mnps");
    PEERS.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!();

    let table: Vec<[f64; PEERS.len()]> = rows(REFERENCE)
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let speeds = measure(row, leaves_max, rounds);
            print!("position {:<5}", index + 1);
            speeds.iter().for_each(|speed| print!("{speed:>12.1}"));
            println!();
            speeds
        })
        .collect();

    let mean = |peer: usize| geometric_mean(table.iter().map(|speeds| speeds[peer]));
    print!("{:<14}", "geom. mean");
    (0..PEERS.len()).for_each(|peer| print!("{:>12.1}", mean(peer)));
    print!("\n{:<14}", "chatrang is");
    (0..PEERS.len()).for_each(|peer| print!("{:>11.2}x", mean(0) / mean(peer)));
    println!();
}

/// Million leaves a second of each peer.
fn measure(row: &Row, leaves_max: u64, rounds: u64) -> [f64; PEERS.len()] {
    let (depth, leaves) = *row
        .counts
        .iter()
        .rev()
        .find(|(_, leaves)| *leaves <= leaves_max)
        .expect("a row has a shallow depth");
    let mut fastest = [Duration::MAX; PEERS.len()];
    for _ in 0..rounds {
        for ((name, perft), fastest) in PEERS.iter().zip(&mut fastest) {
            let (counted, time) = perft(&row.fen, depth);
            assert_eq!(counted, leaves, "{name} on {} at depth {depth}", row.fen);
            *fastest = time.min(*fastest);
        }
    }
    fastest.map(|time| leaves as f64 / time.as_secs_f64() / 1e6)
}

fn chatrang(fen: &str, depth: u32) -> (u64, Duration) {
    use chatrang_rules::{notation::fen, perft::perft, setup::Strictness};
    let position = fen::parse_position(fen, Strictness::Playable).expect("the position is legal");
    cpu_timed(|| perft(&position, depth))
}

fn eschac(fen: &str, depth: u32) -> (u64, Duration) {
    let fields: Vec<_> = fen.split(' ').take(4).collect();
    let setup = eschac::setup::Setup::from_text_record(&fields.join(" ")).expect("a setup");
    let position = setup.into_position().expect("the position is legal");
    cpu_timed(|| position.perft(depth as usize) as u64)
}

fn cozy(fen: &str, depth: u32) -> (u64, Duration) {
    fn perft(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    leaves += perft(&next, depth - 1);
                }
            }
            false
        });
        leaves
    }
    let board: cozy_chess::Board = fen.parse().expect("the position is legal");
    cpu_timed(|| perft(&board, depth))
}

fn chess(fen: &str, depth: u32) -> (u64, Duration) {
    let board: chess::Board = fen.parse().expect("the position is legal");
    cpu_timed(|| chess::MoveGen::movegen_perft_test(&board, depth as usize) as u64)
}

fn shakmaty(fen: &str, depth: u32) -> (u64, Duration) {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("the position is legal");
    cpu_timed(|| shakmaty::perft(&position, depth))
}
