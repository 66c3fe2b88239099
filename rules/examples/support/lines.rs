//! A line out for every line in, whatever the bytes are.

use std::io::{self, BufRead, Write};

/// No line that makes sense is longer: a game of 6,000 moves fits.
pub(crate) const LINE_BYTES_MAX: usize = 64 * 1024;

/// Answers every line of standard input with one on standard output, at once.
///
/// A line that is too long or no UTF-8 goes to `answer` as a sentence about that. Whoever stops reading the
/// answers ends it.
pub(crate) fn answer_each(mut answer: impl FnMut(Result<&str, &str>) -> String) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while let Some(whole) = read_line(&mut input, &mut line)? {
        let text = match std::str::from_utf8(&line) {
            _ if !whole => Err("the line has more than 65536 bytes"),
            // Some editors put a byte-order mark before the first line.
            Ok(text) => Ok(text.trim_start_matches('\u{feff}').trim()),
            Err(_) => Err("the line is not UTF-8"),
        };
        match writeln!(output, "{}", answer(text)).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    Ok(())
}

/// Reads a line without its end into `line`, of a longer one the beginning. Whether it is whole; none at the
/// end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let (mut any, mut whole) = (false, true);
    loop {
        let piece = input.fill_buf()?;
        if piece.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let end = piece.iter().position(|&byte| byte == b'\n');
        let run = &piece[..end.unwrap_or(piece.len())];
        let room = LINE_BYTES_MAX - line.len();
        whole &= run.len() <= room;
        line.extend_from_slice(&run[..run.len().min(room)]);
        let used = end.map_or(piece.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(whole));
        }
    }
}
