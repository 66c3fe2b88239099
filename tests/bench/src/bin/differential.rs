//! Random games in which every position is looked at by shakmaty and cozy-chess too: the legal moves, the SAN
//! of each, the FEN, and whether the game has ended must be the same.
//!
//! `CHATRANG_CASES` says how many games, 100,000 by default; every second one is a game of Chess960.

use chatrang_rules::moves::Move;
use chatrang_rules::notation::fen::{self, CastlingField, FenStyle};
use chatrang_rules::notation::san;
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode};

const PLIES_PER_GAME: u32 = 120;

fn main() {
    let cases =
        std::env::var("CHATRANG_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000_u64);
    let mut told = Told::default();
    for case in 0..cases {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (case + 1) << 17);
        let number = if case % 2 == 0 { STANDARD } else { random.below(960) as u32 };
        Game::new(number).play(&mut random, &mut told);
    }
    let Told { positions, moves, mates, stalemates } = told;
    println!("{cases} games, {positions} positions, {moves} legal moves and SANs: all equal");
    println!("{mates} checkmates, {stalemates} stalemates");
}

/// The number of the standard start among the 960.
const STANDARD: u32 = 518;

#[derive(Default)]
struct Told {
    positions: u64,
    moves: u64,
    mates: u64,
    stalemates: u64,
}

/// Marsaglia's xorshift: the same games on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// One game on three boards.
struct Game {
    ours: Position,
    shakmaty: Chess,
    cozy: cozy_chess::Board,
}

impl Game {
    fn new(number: u32) -> Self {
        let cozy = cozy_chess::Board::chess960_startpos(number);
        let text = format!("{cozy:#}");
        let ours = fen::parse_position(&text, Strictness::Reachable).expect("a start is legal");
        let shakmaty: shakmaty::fen::Fen = text.parse().expect("a start is a FEN");
        let shakmaty = shakmaty.into_position(CastlingMode::Chess960).expect("a start is legal");
        Self { ours, shakmaty, cozy }
    }

    fn play(mut self, random: &mut Random, told: &mut Told) {
        for _ in 0..PLIES_PER_GAME {
            let moves = self.compare(told);
            if moves.is_empty() || self.cozy.status() != cozy_chess::GameStatus::Ongoing {
                return;
            }
            let (text, mv) = &moves[random.below(moves.len())];
            self.ours.play(*mv).expect("a listed move is legal");
            let uci: shakmaty::uci::UciMove = text.parse().expect("our UCI is UCI");
            self.shakmaty.play_unchecked(uci.to_move(&self.shakmaty).expect("the same move is legal"));
            self.cozy.play(text.parse().expect("our UCI is UCI"));
        }
    }

    /// Compares the three boards and returns the legal moves in the order of their UCI texts.
    fn compare(&self, told: &mut Told) -> Vec<(String, Move)> {
        let here = fen::write(&self.ours);
        let mut ours: Vec<_> = san::write_all(&self.ours)
            .map(|(mv, san)| (uci::write(mv, UciCastling::KingTakesRook), san, mv))
            .collect();
        ours.sort_by(|one, other| one.0.cmp(&other.0));

        let mut theirs: Vec<_> = self
            .shakmaty
            .legal_moves()
            .iter()
            .map(|&mv| {
                let san = SanPlus::from_move(self.shakmaty.clone(), mv).to_string();
                (mv.to_uci(CastlingMode::Chess960).to_string(), san)
            })
            .collect();
        theirs.sort();
        let both = ours.iter().map(|(uci, san, _)| (uci, san)).eq(theirs.iter().map(|(uci, san)| (uci, san)));
        assert!(both, "{here}: {ours:?} but shakmaty {theirs:?}");

        let mut cozy = Vec::new();
        self.cozy.generate_moves(|moves| {
            cozy.extend(moves.into_iter().map(|mv| mv.to_string()));
            false
        });
        cozy.sort();
        assert!(ours.iter().map(|(uci, ..)| uci).eq(cozy.iter()), "{here}: {ours:?} but cozy-chess {cozy:?}");

        self.compare_text(&here);
        self.compare_end(&here, told);
        told.positions += 1;
        told.moves += ours.len() as u64;
        ours.into_iter().map(|(uci, _, mv)| (uci, mv)).collect()
    }

    fn compare_text(&self, here: &str) {
        let theirs = shakmaty::fen::Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string();
        assert_eq!(here, theirs);
        // cozy-chess has another idea of when the en-passant square is written.
        let fields = |text: &str| -> Vec<String> {
            text.split(' ')
                .enumerate()
                .filter(|&(index, _)| index != 3)
                .map(|(_, field)| field.to_owned())
                .collect()
        };
        let shredder = FenStyle { castling: CastlingField::Shredder, ..FenStyle::default() };
        let ours = fen::write_in(&self.ours, shredder);
        assert_eq!(fields(&ours), fields(&format!("{:#}", self.cozy)));
        let read = fen::parse_position(&ours, Strictness::Reachable).expect("a game's positions are legal");
        assert_eq!(read.hash(), self.ours.hash(), "{here}");
    }

    fn compare_end(&self, here: &str, told: &mut Told) {
        let ends = (self.ours.is_checkmate(), self.ours.is_stalemate());
        assert_eq!(ends, (self.shakmaty.is_checkmate(), self.shakmaty.is_stalemate()), "{here}");
        let cozy = match self.cozy.status() {
            cozy_chess::GameStatus::Won => (true, false),
            // It counts a hundred quiet plies as drawn, too.
            cozy_chess::GameStatus::Drawn if self.ours.halfmove_clock() < 100 => (false, true),
            _ => ends,
        };
        assert_eq!(ends, cozy, "{here}");
        assert_eq!(self.ours.is_check(), self.shakmaty.is_check(), "{here}");
        told.mates += u64::from(ends.0);
        told.stalemates += u64::from(ends.1);
    }
}
