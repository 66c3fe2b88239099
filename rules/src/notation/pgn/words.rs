//! What words in a PGN mean wherever they stand: results, numbers, remarks, the names of games.

use crate::color::Color;
use crate::notation::DASHES;
use crate::outcome::Outcome;

/// The results that a game may end with; `*` says none.
const RESULTS: [(&str, Option<Outcome>); 5] = [
    ("1-0", Some(Outcome::win(Color::White))),
    ("0-1", Some(Outcome::win(Color::Black))),
    ("1/2-1/2", Some(Outcome::DRAW)),
    ("1/2", Some(Outcome::DRAW)),
    ("*", None),
];

/// The result that a word is, with any dash and either spelling of a half, and the outcome that it gives.
pub(super) fn result(word: &str) -> Option<(&'static str, Option<Outcome>)> {
    let plain = word.replace(DASHES, "-").replace('½', "1/2");
    RESULTS.into_iter().find(|(text, _)| *text == plain)
}

/// A word without the move number of Black's that one character closes: `1…e5`.
pub(super) fn without_number(word: &str) -> &str {
    let number = word.split_once('…').filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    number.map_or(word, |(_, rest)| rest)
}

/// Words that people put behind a move, and that say no more than the move does.
pub(super) fn is_idle(word: &str) -> bool {
    matches!(word, "" | "e.p." | "e.p" | "ep" | "+" | "++" | "#" | "mate" | "ch" | "ch.")
}

/// Whether the tag `Variant` names chess, from whatever start.
pub(super) fn is_chess(value: &[u8]) -> bool {
    let plain: Vec<u8> =
        value.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    matches!(
        plain.as_slice(),
        b"" | b"chess"
            | b"standard"
            | b"normal"
            | b"fromposition"
            | b"chess960"
            | b"fischerandom"
            | b"fischerrandom"
            | b"fischerrandomchess"
            | b"fischerandomchess"
            | b"freestyle"
    )
}
