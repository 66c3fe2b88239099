//! Replays moves and tells all about the last position: a line of JSON out for every line in.
//!
//! ```text
//! replay [--chess960]
//! ```
//!
//! In: a FEN of 4 to 6 fields (the fifth and sixth word belong to it while they are all digits), or `startpos`,
//! or `startpos 960:N`; then moves in SAN or UCI, behind which `e.p.` and `(=)` are passed over. Out: an object of
//! `san` and `uci` (the moves played), `fen` (six fields, en passant only if legal), `legal` (the position's moves
//! in UCI, sorted by bytes), `check`, `halfmove`, `claimable` (`threefold`, `fifty`), `outcome` and `termination`
//! of the last position, or null. Moves go on after a dead position, the fifth repetition and seventy-five moves.
//! Castling is the king taking his rook with `960:N` or `--chess960`, otherwise `e1g1`.
//!
//! A line that cannot be read gives `error` and `ply` only: the ply that failed, from 0, or -1 for the start.
//! Exit code 0; 2 for other options.

#[path = "support/json.rs"]
mod json;
#[path = "support/lines.rs"]
mod lines;

use chatrang_rules::chess960::StartNumber;
use chatrang_rules::game::{HALFMOVES_CLAIM, HALFMOVES_END, REPETITIONS_CLAIM, REPETITIONS_END};
use chatrang_rules::mating::{self, Budget};
use chatrang_rules::notation::uci::{self, UciCastling};
use chatrang_rules::notation::{fen, parse_move, san};
use chatrang_rules::outcome::{GameResult, Termination};
use chatrang_rules::position::Position;
use chatrang_rules::repetition::Repetitions;
use chatrang_rules::setup::Strictness;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let castling = match arguments.as_slice() {
        [] => UciCastling::KingMoves,
        [option] if option == "--chess960" => UciCastling::KingTakesRook,
        _ => {
            eprintln!("usage: replay [--chess960] < LINES");
            return ExitCode::from(2);
        }
    };
    let answered = lines::answer_each(|line| {
        let told = line
            .map_err(|why| Fault { why: why.to_owned(), ply: -1 })
            .and_then(|line| replay(line, castling));
        told.unwrap_or_else(|Fault { why, ply }| {
            format!("{{\"error\":{},\"ply\":{ply}}}", json::string(&why))
        })
    });
    match answered {
        Err(error) => {
            eprintln!("replay: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}

/// Why a line cannot be replayed.
struct Fault {
    why: String,
    /// The ply that failed, from 0; -1 when it was the start.
    ply: i64,
}

fn replay(line: &str, castling: UciCastling) -> Result<String, Fault> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (start, moves, castling) = read_start(&words, castling).map_err(|why| Fault { why, ply: -1 })?;
    let mut position = start;
    let mut repetitions = Repetitions::new(&position);
    let (mut sans, mut ucis) = (Vec::new(), Vec::new());
    for (ply, text) in (0..).zip(moves.iter().filter(|text| !matches!(**text, "e.p." | "(=)"))) {
        let mv = parse_move(&position, text).map_err(|why| Fault { why: format!("{text}: {why}"), ply })?;
        sans.push(json::string(&san::write(&position, mv)));
        ucis.push(json::string(&uci::write(mv, castling)));
        position.play_unchecked(mv);
        repetitions.push(&position);
    }
    let mut legal: Vec<String> =
        position.legal_moves().into_iter().map(|mv| uci::write(mv, castling)).collect();
    legal.sort();
    let end = end(&position, &repetitions);
    let quoted = |text: Option<String>| text.map_or_else(|| "null".to_owned(), |text| json::string(&text));
    Ok(format!(
        "{{\"san\":{},\"uci\":{},\"fen\":{},\"legal\":{},\"check\":{},\"halfmove\":{},\"claimable\":{},\
         \"outcome\":{},\"termination\":{}}}",
        json::array(sans),
        json::array(ucis),
        json::string(&fen::write(&position)),
        json::array(legal.iter().map(|text| json::string(text))),
        position.is_check(),
        position.halfmove_clock(),
        json::array(claimable(&position, &repetitions, legal.is_empty())),
        quoted(end.map(|end| end.score_text())),
        quoted(end.map(|end| end.termination.name().to_owned()))
    ))
}

/// The position that the line begins with, the moves, and how castling is written.
fn read_start<'a>(
    words: &'a [&'a str],
    castling: UciCastling,
) -> Result<(Position, &'a [&'a str], UciCastling), String> {
    if let ["startpos", moves @ ..] = words {
        return match moves.first().and_then(|word| word.strip_prefix("960:")) {
            None => Ok((Position::standard(), moves, castling)),
            Some(number) => {
                let start: StartNumber = number.parse().map_err(|why| format!("{number}: {why}"))?;
                Ok((start.position(), &moves[1..], UciCastling::KingTakesRook))
            }
        };
    }
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counters = words.iter().skip(4).take(2).take_while(is_number).count();
    let (fen, moves) = words.split_at(words.len().min(4 + counters));
    let position =
        fen::parse_position(&fen.join(" "), Strictness::Playable).map_err(|error| error.to_string())?;
    Ok((position, moves, castling))
}

/// What the side to move may claim, if it has a move left to claim in place of.
fn claimable(position: &Position, repetitions: &Repetitions, is_over: bool) -> Vec<String> {
    let threefold = repetitions.count() >= REPETITIONS_CLAIM;
    let fifty = position.halfmove_clock() >= HALFMOVES_CLAIM;
    let claims = [(threefold, "threefold"), (fifty, "fifty")];
    claims.into_iter().filter(|(holds, _)| *holds && !is_over).map(|(_, name)| json::string(name)).collect()
}

/// How the game is over with this position, mate before all draws (FIDE 5, 9.6).
fn end(position: &Position, repetitions: &Repetitions) -> Option<GameResult> {
    if position.is_checkmate() {
        return Some(GameResult::win(!position.turn(), Termination::Checkmate));
    }
    let termination = if position.is_stalemate() {
        Termination::Stalemate
    } else if mating::is_dead(position, Budget::AT_END) {
        Termination::DeadPosition
    } else if repetitions.count() >= REPETITIONS_END {
        Termination::FivefoldRepetition
    } else if position.halfmove_clock() >= HALFMOVES_END {
        Termination::SeventyFiveMoves
    } else {
        return None;
    };
    Some(GameResult::draw(termination))
}
