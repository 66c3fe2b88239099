//! Games of bughouse in BPGN, the PGN of two boards: writing.
//!
//! Both boards' moves stand in the order in which they were made, each with its board and side (`12A.` is
//! White's twelfth on board A, `7b.` Black's seventh on board B) and behind it, in braces, the seconds that
//! the mover had left. A drop is written `N@f3`.

use super::pgn::Writer;
use std::time::Duration;

/// One of the two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a variant is its own name")]
pub enum BoardName {
    A,
    B,
}

/// A move on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMove<'a> {
    /// Where it was made.
    pub board: BoardName,
    /// The move as it is written: SAN, or a drop.
    pub text: &'a str,
    /// What the mover had left on the clock.
    pub left: Duration,
}

/// Writes a game whose boards both began with White's first move.
///
/// `tags` are written as they stand: `Event`, `Site`, `Date`, `WhiteA`, `BlackA`, `WhiteB`, `BlackB`,
/// `TimeControl`, `Result`. `result` is board A's: `1-0` for the team of `WhiteA` and `BlackB`. The remark says
/// how the game ended.
pub fn write(tags: &[(&str, &str)], moves: &[BoardMove<'_>], remark: &str, result: &str) -> String {
    let mut writer = Writer::new();
    for (name, value) in tags {
        writer.tag(name, value);
    }
    let mut plies = [0_usize; 2];
    for BoardMove { board, text, left } in moves {
        let ply = &mut plies[*board as usize];
        let side = match (board, ply.is_multiple_of(2)) {
            (BoardName::A, true) => 'A',
            (BoardName::A, false) => 'a',
            (BoardName::B, true) => 'B',
            (BoardName::B, false) => 'b',
        };
        writer.word(&format!("{}{side}.", *ply / 2 + 1));
        writer.word(&format!("{text}{{{}}}", seconds(*left)));
        *ply += 1;
    }
    if !remark.is_empty() {
        writer.remark(remark);
    }
    writer.end(result);
    writer.take()
}

/// Seconds to the millisecond; without decimals that are zero.
fn seconds(left: Duration) -> String {
    let text = format!("{}.{:03}", left.as_secs(), left.subsec_millis());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l12_both_boards_moves_are_written_in_their_order() {
        use BoardName::{A, B};
        let moves = [
            (A, "e4", 180_000),
            (B, "d4", 179_500),
            (A, "d5", 179_000),
            (A, "exd5", 178_025),
            (B, "d5", 170_000),
            (A, "Qxd5", 100),
            (B, "P@e6", 0),
        ];
        let moves = moves.map(|(board, text, ms)| BoardMove { board, text, left: Duration::from_millis(ms) });
        let tags = [("Event", "bughouse"), ("WhiteA", "Ada \"A\""), ("Result", "1-0")];
        let text = write(&tags, &moves, "WhiteB's flag fell", "0-1");
        assert_eq!(
            text,
            "[Event \"bughouse\"]
[WhiteA \"Ada \\\"A\\\"\"]
[Result \"1-0\"]

1A. e4{180} 1B. d4{179.5} 1a. d5{179} 2A. exd5{178.025} 1b. d5{170} 2a.
Qxd5{0.1} 2B. P@e6{0} {WhiteB's flag fell} 0-1

"
        );
        assert_eq!(write(&[], &[], "", "*"), "*\n\n");
    }
}
