//! Reading PGN with every move judged, against pgn-reader: games, plies and megabytes a second, in one run.
//!
//! `cargo run --release --bin pgn [FILE] [--repeat N] [--rounds N]`; without a file, the games of the tests.

use chatrang_bench::{cpu_timed, geometric_mean, option};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::pgn;
use chatrang_rules::outcome::Outcome;
use chatrang_rules::position::Position;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::ops::ControlFlow;

const GAMES: &[u8] = include_bytes!("../../../../rules/tests/data/pgn/games.pgn");

/// What a reader found: both must have found the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    games: u64,
    plies: u64,
}

fn main() {
    let file = std::env::args().nth(1).filter(|argument| !argument.starts_with("--"));
    let once = file.map_or(GAMES.to_vec(), |path| std::fs::read(path).expect("the file can be read"));
    let text = once.repeat(usize::try_from(option("--repeat", 200)).expect("it fits"));
    println!("{:12} {:>10} {:>12} {:>8} {:>8}", "", "games/s", "plies/s", "MB/s", "ns/ply");
    let mut ratios = Vec::new();
    for _ in 0..option("--rounds", 5) {
        let peer = timed("pgn-reader", &text, read_with_peer);
        let ours = timed("chatrang", &text, read_with_ours);
        assert_eq!(ours.0, peer.0, "both find the same games and plies");
        ratios.push(peer.1 / ours.1);
    }
    println!("games/s against pgn-reader: {:.2}x", geometric_mean(ratios));
}

fn timed(name: &str, text: &[u8], read: fn(&[u8]) -> Found) -> (Found, f64) {
    let (found, time) = cpu_timed(|| read(text));
    let (seconds, games, plies) = (time.as_secs_f64(), found.games as f64, found.plies as f64);
    println!(
        "{name:12} {:>10.0} {:>12.0} {:>8.1} {:>8.1}",
        games / seconds,
        plies / seconds,
        text.len() as f64 / seconds / 1e6,
        seconds / plies * 1e9
    );
    (found, seconds)
}

fn read_with_ours(text: &[u8]) -> Found {
    /// As a file would be read.
    const PIECE_BYTES: usize = 64 * 1024;
    let (mut reader, mut found) = (pgn::Reader::new(), Found::default());
    for piece in text.chunks(PIECE_BYTES) {
        reader.feed(piece, &mut found);
    }
    reader.finish(&mut found);
    found
}

impl pgn::Visitor for Found {
    fn played(&mut self, _before: &Position, _mv: Move) {
        self.plies += 1;
    }

    fn end_game(&mut self, _outcome: Option<Outcome>) {
        self.games += 1;
    }

    fn error(&mut self, error: &pgn::PgnError) {
        panic!("{error}");
    }
}

fn read_with_peer(text: &[u8]) -> Found {
    let (mut reader, mut peer) = (pgn_reader::Reader::new(text), Peer::default());
    while let Some(legal) = reader.read_game(&mut peer).expect("the text can be read") {
        assert!(legal, "game {}", peer.0.games);
        peer.0.games += 1;
    }
    peer.0
}

#[derive(Default)]
struct Peer(Found);

impl pgn_reader::Visitor for Peer {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: pgn_reader::RawTag<'_>) -> ControlFlow<bool> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN");
            *start = fen.into_position(CastlingMode::Chess960).expect("a position");
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: pgn_reader::SanPlus) -> ControlFlow<bool> {
        let Ok(mv) = san.san.to_move(position) else { return ControlFlow::Break(false) };
        position.play_unchecked(mv);
        self.0.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _position: Chess) -> bool {
        true
    }
}
