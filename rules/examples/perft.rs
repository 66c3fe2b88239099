//! Counts the leaves of the tree of legal moves: a line out for every line in.
//!
//! ```text
//! perft [--max-depth N] [--divide] [--chess960] [--crazyhouse]
//! ```
//!
//! In: `FEN;DEPTH`, or an EPD row `FEN ;D1 20 ;D2 400`, whose depths are run in their order and compared. A FEN
//! has 4 to 6 fields. Out: `NODES NPS`, the leaves at the last depth and the leaves of all depths a second;
//! with `--divide` each first move with its leaves, and all of them: `e2e4:20 … total:400`. `--chess960` writes
//! castling as the king taking his rook; `--crazyhouse` lets captured men come back also where the FEN names no
//! reserves (one that does needs no option). A line that begins with `#` gives `#`, any other that cannot be read
//! `!!` and the reason. Exit code 0; 1 when a count was not the row's; 2 for other options.

#[path = "support/lines.rs"]
mod lines;

use chatrang_rules::notation::fen;
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::perft::perft;
use chatrang_rules::position::Position;
use chatrang_rules::reserves::{Captures, Reserves};
use chatrang_rules::setup::Strictness;
use std::process::ExitCode;
use std::time::Instant;

/// No tree as deep as this has ever been counted.
const DEPTH_MAX: u32 = 99;

const USAGE: &str = "usage: perft [--max-depth N] [--divide] [--chess960] [--crazyhouse] < LINES";

struct Options {
    max_depth: u32,
    divide: bool,
    castling: UciCastling,
    /// What a board has whose FEN names no reserves.
    reserves: Option<Reserves>,
}

/// A depth, and how many leaves the row says it has.
type Depth = (u32, Option<u64>);

fn main() -> ExitCode {
    let Some(options) = options(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut mismatch = false;
    let answered = lines::answer_each(|line| match line {
        Ok(line) if line.starts_with('#') => "#".to_owned(),
        Ok(line) => answer(line, &options, &mut mismatch).unwrap_or_else(|why| format!("!! {why}")),
        Err(why) => format!("!! {why}"),
    });
    match answered {
        Err(error) => {
            eprintln!("perft: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::from(u8::from(mismatch)),
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options =
        Options { max_depth: DEPTH_MAX, divide: false, castling: UciCastling::KingMoves, reserves: None };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--max-depth" => options.max_depth = arguments.next()?.parse().ok()?,
            "--divide" => options.divide = true,
            "--chess960" => options.castling = UciCastling::KingTakesRook,
            "--crazyhouse" => options.reserves = Some(Reserves::empty(Captures::ToCaptor)),
            _ => return None,
        }
    }
    Some(options)
}

fn answer(line: &str, options: &Options, mismatch: &mut bool) -> Result<String, String> {
    let (fen, depths) = line.split_once(';').ok_or("the line has no ; and depth behind its FEN")?;
    let position = read_position(fen, options.reserves)?;
    let mut depths = read_depths(depths)?;
    depths.retain(|&(depth, _)| depth <= options.max_depth);
    let &(last, _) =
        depths.last().ok_or_else(|| format!("the line has no depth up to {}", options.max_depth))?;
    if options.divide {
        return Ok(divide(&position, last, options.castling));
    }
    let start = Instant::now();
    let (mut leaves, mut sum) = (0, 0);
    for (depth, expected) in depths {
        leaves = perft(&position, depth);
        sum += leaves;
        if let Some(expected) = expected.filter(|&expected| expected != leaves) {
            *mismatch = true;
            let leaves_per_s = per_second(sum, start);
            return Ok(format!("{leaves} {leaves_per_s} !! depth {depth} was to have {expected}"));
        }
    }
    Ok(format!("{leaves} {}", per_second(sum, start)))
}

fn read_position(text: &str, reserves: Option<Reserves>) -> Result<Position, String> {
    let mut setup = fen::parse(text).map_err(|error| error.to_string())?;
    setup.reserves = setup.reserves.or(reserves);
    Position::new(setup, Strictness::Playable).map_err(|error| error.to_string())
}

/// `4`, or `D1 20 ;D2 400`.
fn read_depths(text: &str) -> Result<Vec<Depth>, String> {
    let number = |text: &str| text.parse().ok().filter(|&depth| depth <= DEPTH_MAX);
    let depth = |text: &str| number(text).ok_or(format!("a depth is a number from 0 to {DEPTH_MAX}"));
    if !text.trim_start().starts_with('D') {
        return Ok(vec![(depth(text.trim())?, None)]);
    }
    let row = |text: &str| {
        let (name, leaves) =
            text.trim().split_once(char::is_whitespace).ok_or("a depth has no count behind it")?;
        let leaves = leaves.trim().parse().map_err(|_| "a count is a number")?;
        Ok((depth(name.strip_prefix('D').unwrap_or(name))?, Some(leaves)))
    };
    text.split(';').filter(|text| !text.trim().is_empty()).map(row).collect()
}

fn divide(position: &Position, depth: u32, castling: UciCastling) -> String {
    let Some(below) = depth.checked_sub(1) else { return "total:1".to_owned() };
    let leaves = |mv| (uci::write(mv, castling), perft(&position.after(mv), below));
    let mut moves: Vec<(String, u64)> = position.legal_moves().into_iter().map(leaves).collect();
    moves.sort();
    let total: u64 = moves.iter().map(|(_, leaves)| leaves).sum();
    let parts = moves.into_iter().chain([("total".to_owned(), total)]);
    parts.map(|(name, leaves)| format!("{name}:{leaves}")).collect::<Vec<_>>().join(" ")
}

fn per_second(count: u64, since: Instant) -> u128 {
    u128::from(count) * 1_000_000_000 / since.elapsed().as_nanos().max(1)
}
