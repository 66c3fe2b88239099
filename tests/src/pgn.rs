//! Real games out of a PGN file: as much of the format as `data/real-games.pgn` uses.

use chatrang_rules::game::{Controls, Millis, time_control};

/// The file of real games.
pub const REAL_GAMES: &str = include_str!("../data/real-games.pgn");

/// A game as its file tells it.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// Who played White, to name the game by.
    pub white: String,
    /// On which time.
    pub controls: Controls,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Whether a flag ended it.
    pub by_flag: bool,
    /// Its moves.
    pub moves: Vec<RecordedMove>,
}

/// A move, and what its player had left after it.
#[derive(Clone, Debug)]
pub struct RecordedMove {
    /// In SAN.
    pub san: String,
    /// By the move's `%clk`.
    pub left: Millis,
}

/// All games of a file.
pub fn games(text: &str) -> Vec<RecordedGame> {
    let mut games = Vec::new();
    let mut paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    while let (Some(tags), Some(moves)) = (paragraphs.next(), paragraphs.next()) {
        games.push(RecordedGame {
            white: tag(tags, "White").to_owned(),
            controls: controls(tag(tags, "TimeControl")),
            result: tag(tags, "Result").to_owned(),
            by_flag: tag(tags, "Termination") == "Time forfeit",
            moves: movetext(moves),
        });
    }
    games
}

fn tag<'a>(tags: &'a str, name: &str) -> &'a str {
    let line = tags.lines().find(|line| line.starts_with(&format!("[{name} ")));
    line.and_then(|line| line.split('"').nth(1)).unwrap_or_else(|| panic!("no {name} in {tags}"))
}

/// Seconds for the game and a move: `300+3`.
fn controls(text: &str) -> Controls {
    time_control::pgn::read(text).unwrap().expect("a known time control")
}

/// `1. e4 { [%clk 0:05:00] } 1... e5? { [%eval 0.13] [%clk 0:04:58] } 1-0`.
fn movetext(text: &str) -> Vec<RecordedMove> {
    let mut moves = Vec::new();
    for part in text.split('}') {
        let Some((played, comment)) = part.split_once('{') else { continue };
        let san = played.split_whitespace().next_back().unwrap().trim_end_matches(['!', '?']);
        let clock = comment.split("[%clk ").nth(1).unwrap();
        let left = clock_reading(clock.split(']').next().unwrap());
        moves.push(RecordedMove { san: san.to_owned(), left });
    }
    moves
}

fn clock_reading(text: &str) -> Millis {
    let seconds = text.split(':').fold(0, |total, part| total * 60 + part.parse::<u64>().unwrap());
    Millis::from_seconds(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_as_it_is_written() {
        let games = games(REAL_GAMES);
        assert_eq!(games.len(), 40);
        let first = &games[0];
        assert_eq!((first.white.as_str(), first.result.as_str(), first.by_flag), ("Player W1", "0-1", false));
        assert_eq!(first.controls.to_string(), "5+3");
        assert_eq!(first.moves.len(), 42);
        assert_eq!((first.moves[41].san.as_str(), first.moves[41].left), ("Qg2#", Millis::from_seconds(52)));
    }
}
