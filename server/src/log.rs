//! The log: lines for people or objects for machines, on the standard error.

use crate::config::Face;
use crate::limits::{LOG_FOREIGN_CHARS_MAX, LOG_LINES_MAX};
use crate::metrics::figure::Counter;
use crate::outlet::Outlet;
use std::fmt;
use std::io::{self, Write};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Begins to log what `filter` lets through; lines that nobody reads are counted in `dropped`. What is
/// returned is to be [finished](Outlet::finish) at the end.
pub fn start(filter: &str, face: Face, dropped: Counter) -> Outlet {
    let outlet = Outlet::open(io::stderr(), LOG_LINES_MAX, dropped);
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(Lines(outlet.clone()))
        .with_target(false);
    match face {
        Face::Text => log.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).init(),
        Face::Json => log.json().init(),
    }
    outlet
}

/// Hands whole lines to an outlet: a subscriber writes each event at once.
struct Lines(Outlet);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(&self.0)
    }
}

struct Line<'a>(&'a Outlet);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Text from a stranger, as the log takes it: escaped, and cut after [`LOG_FOREIGN_CHARS_MAX`] characters.
#[derive(Debug)]
pub struct Foreign<T>(pub T);

impl<T: fmt::Display> fmt::Display for Foreign<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        for letter in text.chars().take(LOG_FOREIGN_CHARS_MAX) {
            write!(f, "{}", letter.escape_debug())?;
        }
        if text.chars().nth(LOG_FOREIGN_CHARS_MAX).is_some() { f.write_str("…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_can_neither_move_the_cursor_nor_fill_the_disk() {
        assert_eq!(Foreign("bye\n\u{1b}[2J\u{202e}").to_string(), "bye\\n\\u{1b}[2J\\u{202e}");
        let longest = "x".repeat(LOG_FOREIGN_CHARS_MAX);
        assert_eq!(Foreign(&longest).to_string(), longest);
        assert_eq!(Foreign(format!("{longest}y")).to_string(), format!("{longest}…"));
    }
}
