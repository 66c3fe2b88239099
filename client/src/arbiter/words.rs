//! What a line of an arbiter means: a word of the desk, an order in a game, or a question about one.

use super::orders::{self, NoOrder, ORDERS, Usage};
use crate::words::{Question, Word as PlayersWord};
use chatrang_protocol::ids::GameId;
use chatrang_rules::game::Decision;
use std::fmt;

/// A typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nothing was typed.
    Nothing,
    /// List the games that are played.
    Games,
    /// List the games that wait for an arbiter.
    Calls,
    /// Show what happens in a game.
    Watch(GameId),
    /// Show no more of it; without a number, of the only one.
    Unwatch(Option<GameId>),
    /// Rule in a watched game; without a number, in the only one.
    Rule(Option<GameId>, Decision),
    /// Answer a question about a watched game.
    Ask(Option<GameId>, Question),
    /// List the words.
    Help,
    /// Leave the program.
    Quit,
}

/// Why a line is not understood, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoWord {
    /// It begins with no word of the desk.
    Unknown,
    /// A number stands alone.
    NumberAlone(GameId),
    /// A word that takes nothing more, and no number before it.
    Alone(&'static str),
    /// `watch` and `unwatch` take the number of a game.
    NoGame(&'static str),
    /// An order with a mistake in it.
    Order(NoOrder),
}

impl fmt::Display for NoWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("that is no word, no order and no question; type help for them all"),
            Self::NumberAlone(game) => {
                write!(f, "say what is to be in game {game}: write {game} pause : REASON, or {game} board")
            }
            Self::Alone(word) => write!(f, "this word stands alone: write {word}"),
            Self::NoGame(word) => {
                write!(f, "name a game by its number, which the word games lists: write {word} 7")
            }
            Self::Order(no_order) => no_order.fmt(f),
        }
    }
}

/// Every word but the orders, and what it does.
const WORDS: [(&str, &str); 8] = [
    ("games", "list the games that are played"),
    ("calls", "list the games that wait for an arbiter"),
    ("watch N", "show what happens in game N; several may be watched at once"),
    ("unwatch N", "show no more of it"),
    ("N ORDER : REASON", "rule in game N, for a reason that everybody at the board sees"),
    ("N board, N clock, N moves, N last, N who, N fen", "ask about game N"),
    ("quit", "leave"),
    ("N", "may be left out while only one game is watched"),
];

/// All words and orders, each with what it does.
pub fn help() -> impl Iterator<Item = String> {
    let words = WORDS.iter().map(|(word, meaning)| format!("{word}: {meaning}."));
    words.chain(ORDERS.iter().map(|usage| format!("ORDER {}: {}.", usage.form, usage.meaning)))
}

impl Word {
    /// Reads a typed line.
    ///
    /// # Errors
    /// [`NoWord`] says what to write.
    pub fn read(line: &str) -> Result<Self, NoWord> {
        let line = line.trim();
        let (game, text) = split_game(line);
        let (first, rest) = split_first(text);
        let alone = |word, meant: Self| match (game, rest) {
            (None, "") => Ok(meant),
            _ => Err(NoWord::Alone(word)),
        };
        match (first.to_ascii_lowercase().as_str(), game) {
            ("", None) => Ok(Self::Nothing),
            ("", Some(game)) => Err(NoWord::NumberAlone(game)),
            ("games", _) => alone("games", Self::Games),
            ("calls", _) => alone("calls", Self::Calls),
            ("help" | "?", _) => alone("help", Self::Help),
            ("quit" | "exit", _) => alone("quit", Self::Quit),
            ("watch", None) => orders::read_game(rest).map(Self::Watch).ok_or(NoWord::NoGame("watch")),
            ("unwatch", None) if rest.is_empty() => Ok(Self::Unwatch(None)),
            ("unwatch", None) => match orders::read_game(rest) {
                Some(game) => Ok(Self::Unwatch(Some(game))),
                None => Err(NoWord::NoGame("unwatch")),
            },
            (word, game) => read_about_game(word, text, game),
        }
    }
}

/// An order in a game, or a question about one.
fn read_about_game(word: &str, text: &str, game: Option<GameId>) -> Result<Word, NoWord> {
    // `add: 2:00` begins with an order all the same, and is told how to write it.
    if let Some(usage) = Usage::of(word.trim_end_matches(':')) {
        return orders::read(usage, text).map(|decision| Word::Rule(game, decision)).map_err(NoWord::Order);
    }
    match PlayersWord::read(text) {
        PlayersWord::Ask(question) => Ok(Word::Ask(game, question)),
        _ => Err(NoWord::Unknown),
    }
}

/// The number at the beginning, if there is one, and what follows.
fn split_game(line: &str) -> (Option<GameId>, &str) {
    let (first, rest) = split_first(line);
    match orders::read_game(first) {
        Some(game) => (Some(game), rest),
        None => (None, line),
    }
}

/// The first word, and what follows it.
fn split_first(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim_start())
}

/// The game that a line is about: the one it names, or else the only one that is watched; of several, the
/// only one that is still `played`.
///
/// # Errors
/// What to write, in a sentence without a full stop.
pub fn game_meant(named: Option<GameId>, watched: &[GameId], played: &[GameId]) -> Result<GameId, String> {
    let counted = if played.is_empty() { watched } else { played };
    match (named, counted) {
        (Some(game), _) if watched.contains(&game) => Ok(game),
        (Some(game), _) => Err(format!("game {game} is not watched: write watch {game} first")),
        (None, [game]) => Ok(*game),
        (None, []) => Err("no game is watched: write watch 7 first, with the number of a game".to_owned()),
        (None, [first, ..]) => Err(format!(
            "several games are watched: begin the line with the number of one, such as {first} pause : REASON"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_rules::game::Order;

    fn rule(game: Option<u64>, order: Order, reason: &str) -> Word {
        Word::Rule(game.map(GameId), Decision { order, reason: reason.parse().unwrap() })
    }

    #[test]
    fn a_line_is_a_word_an_order_or_a_question() {
        for (line, word) in [
            ("", Word::Nothing),
            (" \t", Word::Nothing),
            ("games", Word::Games),
            ("Calls ", Word::Calls),
            ("help", Word::Help),
            ("?", Word::Help),
            ("quit", Word::Quit),
            ("watch 7", Word::Watch(GameId(7))),
            ("watch  7", Word::Watch(GameId(7))),
            ("unwatch 7", Word::Unwatch(Some(GameId(7)))),
            ("unwatch", Word::Unwatch(None)),
            ("7 pause : noise", rule(Some(7), Order::Pause, "noise")),
            ("pause: noise", rule(None, Order::Pause, "noise")),
            ("12  back 3w : a slip", rule(Some(12), Order::GoBack { ply: 5 }, "a slip")),
            ("7 board", Word::Ask(Some(GameId(7)), Question::Board)),
            ("clock", Word::Ask(None, Question::Clock)),
            ("7 last", Word::Ask(Some(GameId(7)), Question::Last)),
        ] {
            assert_eq!(Word::read(line), Ok(word), "{line:?}");
        }
    }

    #[test]
    fn every_other_line_is_told_what_to_write() {
        for (line, told) in [
            ("e4", "that is no word, no order and no question; type help for them all"),
            ("7 e4", "that is no word, no order and no question; type help for them all"),
            ("7", "say what is to be in game 7: write 7 pause : REASON, or 7 board"),
            ("games now", "this word stands alone: write games"),
            ("7 calls", "this word stands alone: write calls"),
            ("help me", "this word stands alone: write help"),
            ("7 quit", "this word stands alone: write quit"),
            ("watch", "name a game by its number, which the word games lists: write watch 7"),
            ("watch bob", "name a game by its number, which the word games lists: write watch 7"),
            ("watch 7 8", "name a game by its number, which the word games lists: write watch 7"),
            ("unwatch all", "name a game by its number, which the word games lists: write unwatch 7"),
            ("7 pause", "everybody at the board sees your reason: write pause : REASON"),
        ] {
            assert_eq!(Word::read(line).unwrap_err().to_string(), told, "{line:?}");
        }
    }

    #[test]
    fn help_lists_every_order() {
        let help: Vec<String> = help().collect();
        for usage in ORDERS {
            assert!(help.iter().any(|line| line.starts_with(&format!("ORDER {}", usage.form))), "{usage:?}");
        }
    }

    #[test]
    fn a_number_may_be_left_out_when_only_one_game_is_watched() {
        let (one, several) = ([GameId(7)], [GameId(7), GameId(9)]);
        assert_eq!(game_meant(None, &one, &one), Ok(GameId(7)));
        assert_eq!(game_meant(None, &one, &[]), Ok(GameId(7)), "its result can be looked at");
        assert_eq!(game_meant(None, &several, &one), Ok(GameId(7)), "the other one is over");
        assert_eq!(game_meant(Some(GameId(9)), &several, &one), Ok(GameId(9)));
        for (named, watched, told) in [
            (None, &[][..], "no game is watched: write watch 7 first, with the number of a game"),
            (
                None,
                &several[..],
                "several games are watched: begin the line with the number of one, such as 7 pause : REASON",
            ),
            (Some(GameId(8)), &several[..], "game 8 is not watched: write watch 8 first"),
        ] {
            assert_eq!(game_meant(named, watched, watched), Err(told.to_owned()));
        }
    }
}
