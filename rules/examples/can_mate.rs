//! Tells of every position on standard input whether each side can still mate.
//!
//! ```text
//! can_mate < LINES
//! ```
//!
//! A line in, a line out. In: a FEN of four to six fields; positions that no game can lead to are judged
//! too. Out: the verdict, the microseconds it took and the positions looked at, as in `W- 12 340`. Of the
//! verdict's two characters the first is `W`, `-` or `?`: White can mate, cannot, or it is not proven within
//! the budget; the second is `B`, `-` or `?` for Black. A bad line gives `!!` and the reason. Exit code 0; 2 for
//! options, of which there are none.

#[path = "support/lines.rs"]
mod lines;

use chatrang_rules::color::Color;
use chatrang_rules::mating::{self, Answer, Budget};
use chatrang_rules::notation::fen;
use chatrang_rules::setup::Strictness;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 {
        eprintln!("usage: can_mate < LINES");
        return ExitCode::from(2);
    }
    let answered = lines::answer_each(|line| {
        line.map_err(str::to_owned).and_then(judge).unwrap_or_else(|why| format!("!! {why}"))
    });
    match answered {
        Err(error) => {
            eprintln!("can_mate: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}

fn judge(text: &str) -> Result<String, String> {
    let position = fen::parse_position(text, Strictness::Playable).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let verdicts = Color::ALL.map(|side| (side, mating::can_mate(&position, side, Budget::AT_END)));
    let micros = start.elapsed().as_micros();
    let letters: String = verdicts.iter().map(|&(side, verdict)| letter(side, verdict.answer)).collect();
    let nodes: u64 = verdicts.iter().map(|(_, verdict)| verdict.nodes).sum();
    Ok(format!("{letters} {micros} {nodes}"))
}

fn letter(side: Color, answer: Answer) -> char {
    match answer {
        Answer::Yes => side.letter().to_ascii_uppercase(),
        Answer::No => '-',
        Answer::NotProven => '?',
    }
}
