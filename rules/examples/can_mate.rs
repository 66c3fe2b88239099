//! Tells of every position on standard input whether each side can still mate.
//!
//! A line in, a line out. In: a FEN of four to six fields; positions that no game can lead to are judged
//! too. Out: the verdict, the microseconds it took and the positions looked at, as in `W- 12 340`. Of the
//! verdict's two characters the first is `W`, `-` or `?`: White can mate, cannot, or it is not proven within
//! the budget; the second is `B`, `-` or `?` for Black. A bad line gives `!! ` and the reason.
//!
//! ```sh
//! echo '7k/8/6K1/8/8/8/8/R7 w - -' | cargo run --release -p chatrang-rules --example can_mate
//! ```

use chatrang_rules::color::Color;
use chatrang_rules::mating::{self, Answer, Budget};
use chatrang_rules::notation::fen;
use chatrang_rules::setup::Strictness;
use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

/// Longer than any FEN; the rest of the line is skipped unread.
const LINE_BYTES_MAX: u64 = 256;

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        match judge(String::from_utf8_lossy(&line).trim()) {
            Ok(verdict) => writeln!(output, "{verdict}")?,
            Err(reason) => writeln!(output, "!! {}", reason.escape_debug())?,
        }
        output.flush()?;
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
