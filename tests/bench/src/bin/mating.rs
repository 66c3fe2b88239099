//! Whether a side can still mate: ours against `chasolver`, on the same lines in one run.
//!
//! `cargo run --release --bin mating [FILE…]`; without files, the sets of the rules crate's tests. A row of a
//! file begins with the right answer, as in `W- FEN`. Times are CPU time, a question at a time.

use chasolver::{Winnability, is_unwinnable_fast, winnability};
use chatrang_bench::{cpu_timed, option};
use chatrang_rules::color::Color;
use chatrang_rules::mating::{self, Answer, Budget};
use chatrang_rules::notation::fen;
use chatrang_rules::position::Position;
use chatrang_rules::setup::Strictness;
use std::str::FromStr;
use std::time::Duration;

/// One position in both crates' terms, and whether each side can mate.
struct Row {
    ours: Position,
    theirs: chess::Board,
    can_mate: [bool; 2],
}

fn main() {
    let mut files: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument.ends_with(".txt")).collect();
    if files.is_empty() {
        let set = |name| format!("{}/../../rules/tests/data/mating/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        files = vec![set("games"), set("hard")];
    }
    let nodes = option("--nodes", Budget::AT_END.nodes);
    println!(
        "{:<24} {:>6} {:>6} {:>6} {:>6} {:>10} {:>10} {:>10}  µs",
        "", "yes", "no", "?", "wrong", "mean", "p99", "max"
    );
    for file in files {
        let rows = read(&std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")));
        println!("{file}: {} positions, {} questions", rows.len(), 2 * rows.len());
        tabulate("ours, can_mate", &rows, |row, side| {
            match mating::can_mate(&row.ours, Color::ALL[side], Budget { nodes }).answer {
                Answer::Yes => Some(true),
                Answer::No => Some(false),
                Answer::NotProven => None,
            }
        });
        tabulate("chasolver, full", &rows, |row, side| {
            winnability(&row.theirs, color(side)).map(|answer| matches!(answer, Winnability::Winnable { .. }))
        });
        tabulate_dead(&rows);
        tabulate("chasolver, fast", &rows, |row, side| {
            is_unwinnable_fast(&row.theirs, color(side)).then_some(false)
        });
    }
}

/// `is_dead` after every move: one question a position.
fn tabulate_dead(rows: &[Row]) {
    let dead = |row: &Row| cpu_timed(|| mating::is_dead(&row.ours, Budget::AFTER_MOVE));
    let (answers, mut times): (Vec<bool>, Vec<Duration>) = rows.iter().map(dead).unzip();
    let is_wrong = |row: &Row, dead: bool| dead && row.can_mate != [false; 2];
    let wrong = rows.iter().zip(&answers).filter(|&(row, &dead)| is_wrong(row, dead)).count();
    let no = answers.iter().filter(|&&dead| dead).count();
    print("ours, is_dead", [0, no, rows.len() - no, wrong], &mut times);
}

fn color(side: usize) -> chess::Color {
    [chess::Color::White, chess::Color::Black][side]
}

fn read(text: &str) -> Vec<Row> {
    let rows = text.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let (letters, text) = row.split_once(' ').expect("letters, then a FEN");
        let ours =
            fen::parse_position(text, Strictness::Playable).unwrap_or_else(|error| panic!("{row}: {error}"));
        let theirs = chess::Board::from_str(text).unwrap_or_else(|error| panic!("{row}: {error}"));
        Row { ours, theirs, can_mate: [letters.starts_with('W'), letters.ends_with('B')] }
    })
    .collect()
}

fn tabulate(name: &str, rows: &[Row], ask: impl Fn(&Row, usize) -> Option<bool>) {
    let (mut yes, mut no, mut not_proven, mut wrong) = (0, 0, 0, 0);
    let mut times: Vec<Duration> = Vec::with_capacity(2 * rows.len());
    for row in rows {
        for side in 0..2 {
            let (answer, time) = cpu_timed(|| ask(row, side));
            times.push(time);
            match answer {
                Some(true) => yes += 1,
                Some(false) => no += 1,
                None => not_proven += 1,
            }
            wrong += usize::from(answer.is_some_and(|answer| answer != row.can_mate[side]));
        }
    }
    print(name, [yes, no, not_proven, wrong], &mut times);
}

fn print(name: &str, [yes, no, not_proven, wrong]: [usize; 4], times: &mut [Duration]) {
    times.sort();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let mean = micros(times.iter().sum()) / times.len() as f64;
    let (p99, max) = (micros(times[times.len() * 99 / 100]), micros(times[times.len() - 1]));
    println!("{name:<24} {yes:>6} {no:>6} {not_proven:>6} {wrong:>6} {mean:>10.2} {p99:>10.1} {max:>10.0}");
}
