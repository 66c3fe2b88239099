//! Reads PGN files and judges every move in them: a line of JSON for every file.
//!
//! ```text
//! pgn_check FILE…
//! ```
//!
//! `-` is standard input. Out: `{"file":…,"games":…,"plies":…,"errors":[{"line":…,"column":…,"text":…}],
//! "games_per_s":…}`. Plies are those of the games themselves; variations are judged too, but not counted. A file
//! that cannot be read has one error at line 0. Exit code 0; 1 when there was any error; 2 without a file.

#[path = "support/json.rs"]
mod json;

use chatrang_rules::moves::Move;
use chatrang_rules::notation::pgn::{PgnError, Reader, Visitor};
use chatrang_rules::outcome::Outcome;
use chatrang_rules::position::Position;
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

/// How many errors of one file are listed; the rest is counted.
const ERRORS_MAX: usize = 1000;

/// How much is read at a time.
const PIECE_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: pgn_check FILE… (- is standard input)");
        return ExitCode::from(2);
    }
    let mut faulty = false;
    for file in files {
        let start = Instant::now();
        let mut check = Check::default();
        let read = if file == "-" {
            check.read(&mut io::stdin().lock())
        } else {
            File::open(&file).and_then(|mut file| check.read(&mut file))
        };
        if let Err(error) = read {
            check.add_error(0, 0, &error.to_string());
        }
        faulty |= check.error_count > 0;
        let line = check.report(&file.to_string_lossy(), start.elapsed().as_secs_f64());
        if writeln!(io::stdout().lock(), "{line}").is_err() {
            break;
        }
    }
    ExitCode::from(u8::from(faulty))
}

/// What was found in a file.
#[derive(Default)]
struct Check {
    games: u64,
    plies: u64,
    /// The first [`ERRORS_MAX`], as JSON.
    errors: Vec<String>,
    error_count: usize,
    /// How many variations stand around the move at hand.
    variation_depth: u32,
}

impl Check {
    fn read(&mut self, input: &mut impl Read) -> io::Result<()> {
        let mut reader = Reader::new();
        let mut piece = vec![0; PIECE_BYTES];
        let read = loop {
            match input.read(&mut piece) {
                Ok(0) => break Ok(()),
                Ok(bytes) => reader.feed(&piece[..bytes], self),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        reader.finish(self);
        read
    }

    fn add_error(&mut self, line: u64, column: u64, text: &str) {
        self.error_count += 1;
        if self.errors.len() < ERRORS_MAX {
            let text = json::string(text);
            self.errors.push(format!("{{\"line\":{line},\"column\":{column},\"text\":{text}}}"));
        }
    }

    fn ply(&mut self) {
        self.plies += u64::from(self.variation_depth == 0);
    }

    fn report(&mut self, file: &str, seconds: f64) -> String {
        let unlisted = self.error_count - self.errors.len();
        if unlisted > 0 {
            let text = json::string(&format!("{unlisted} more errors are not listed"));
            self.errors.push(format!("{{\"line\":0,\"column\":0,\"text\":{text}}}"));
        }
        #[expect(clippy::cast_precision_loss, reason = "a speed, and no file has 2^53 games")]
        let games_per_s = self.games as f64 / seconds.max(1e-9);
        format!(
            "{{\"file\":{},\"games\":{},\"plies\":{},\"errors\":{},\"games_per_s\":{games_per_s:.1}}}",
            json::string(file),
            self.games,
            self.plies,
            json::array(std::mem::take(&mut self.errors))
        )
    }
}

impl Visitor for Check {
    fn begin_game(&mut self) {
        self.games += 1;
    }

    fn played(&mut self, _before: &Position, _mv: Move) {
        self.ply();
    }

    fn passed(&mut self, _before: &Position) {
        self.ply();
    }

    fn begin_variation(&mut self) {
        self.variation_depth += 1;
    }

    fn end_variation(&mut self) {
        self.variation_depth -= 1;
    }

    fn end_game(&mut self, _outcome: Option<Outcome>) {
        self.variation_depth = 0;
    }

    fn error(&mut self, error: &PgnError) {
        self.add_error(error.at.line, error.at.column, &error.fault.to_string());
    }
}
