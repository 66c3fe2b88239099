//! What a typed line means: a word of the program or, if it is none, a move.

use chatrang_rules::color::Color;
use chatrang_rules::piece::Role;
use chatrang_rules::square::{File, Rank, Square};

/// A typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nothing was typed.
    Nothing,
    /// A move in SAN or UCI, to be looked up.
    Move(String),
    /// Offer a draw.
    Draw,
    /// Accept what is offered.
    Accept,
    /// Decline what is offered.
    Decline,
    /// Claim a draw, perhaps with a move that is named for it.
    Claim(Option<String>),
    /// Give up.
    Resign(Sure),
    /// End the game before both sides have moved.
    Abort,
    /// Say something to the room one is in.
    Say(String),
    /// Play the game again with colours exchanged, or agree to that.
    Rematch,
    /// Hear nothing more of what the opponent says in this game.
    Mute,
    /// Hear him again.
    Unmute,
    /// Leave the program.
    Quit(Sure),
    /// Turn the board.
    Flip,
    /// Change between chess symbols and letters.
    Pieces,
    /// List the words.
    Help,
    /// Ask for something that the program knows.
    Ask(Question),
}

/// Whether the player has confirmed a word that cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    /// With `yes`.
    Yes,
    /// Not yet.
    NotYet,
}

/// Something the player asks, answered without the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The board.
    Board,
    /// Both clocks.
    Clock,
    /// The last move.
    Last,
    /// The opponent.
    Who,
    /// The moves so far.
    Moves,
    /// The position as a FEN.
    Fen,
    /// Where men stand: those of a role, or all of a side.
    Men(Color, Option<Role>),
    /// What stands on a file.
    OnFile(File),
    /// What stands on a rank.
    OnRank(Rank),
    /// Where the man on a square may go.
    From(Square),
}

/// Every word and what it does, for `help`.
pub const HELP: [(&str, &str); 20] = [
    ("e4, Nf3, exd5, O-O, e7e8q", "a move in SAN or UCI, lower case will do"),
    ("draw", "offer a draw"),
    ("accept, decline", "answer the opponent's offer"),
    ("claim, claim MOVE", "claim a draw: repetition or fifty moves"),
    ("resign yes", "give up"),
    ("abort", "no result, before both sides have moved"),
    ("say TEXT, /TEXT", "talk to your opponent; spectators among themselves"),
    ("mute, unmute", "hear no chat of your opponent in this game, or again"),
    ("rematch", "after the end: again with colours exchanged, or agree to it"),
    ("board, b", "show the board"),
    ("clock, c", "both clocks"),
    ("last, l", "the last move"),
    ("who, o", "the opponent"),
    ("moves", "the moves so far"),
    ("fen", "the position as a FEN"),
    ("p N, p n, p A, p a", "where White's or Black's men stand"),
    ("s a, s 1", "what stands on a file or rank"),
    ("m e4", "where the man on e4 may go"),
    ("flip, pieces", "turn the board; symbols or letters"),
    ("quit", "leave"),
];

impl Word {
    /// Reads a typed line. What is no word is taken for a move.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        if let Some(text) = line.strip_prefix('/') {
            return Self::Say(text.trim().to_owned());
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let sure = if rest.eq_ignore_ascii_case("yes") { Sure::Yes } else { Sure::NotYet };
        match (first.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Self::Nothing,
            ("draw", "") => Self::Draw,
            ("accept", "") => Self::Accept,
            ("decline", "") => Self::Decline,
            ("claim", "") => Self::Claim(None),
            ("claim", intended) => Self::Claim(Some(intended.to_owned())),
            ("resign", _) => Self::Resign(sure),
            ("abort", "") => Self::Abort,
            ("say", text) => Self::Say(text.to_owned()),
            ("rematch", "") => Self::Rematch,
            ("mute", "") => Self::Mute,
            ("unmute", "") => Self::Unmute,
            ("quit" | "exit", _) => Self::Quit(sure),
            ("flip", "") => Self::Flip,
            ("pieces", "") => Self::Pieces,
            ("help" | "?", "") => Self::Help,
            (word, rest) => Question::read(word, rest).map_or_else(|| Self::Move(line.to_owned()), Self::Ask),
        }
    }
}

impl Question {
    fn read(word: &str, rest: &str) -> Option<Self> {
        let mut chars = rest.chars();
        let only = chars.next().filter(|_| chars.as_str().is_empty());
        match word {
            "board" | "b" if rest.is_empty() => Some(Self::Board),
            "clock" | "c" if rest.is_empty() => Some(Self::Clock),
            "last" | "l" if rest.is_empty() => Some(Self::Last),
            "who" | "o" if rest.is_empty() => Some(Self::Who),
            "moves" if rest.is_empty() => Some(Self::Moves),
            "fen" if rest.is_empty() => Some(Self::Fen),
            "p" => only.and_then(Self::men),
            "s" => only.and_then(|line| {
                let rank = || Rank::from_char(line).map(Self::OnRank);
                File::from_char(line.to_ascii_lowercase()).map(Self::OnFile).or_else(rank)
            }),
            "m" => rest.to_ascii_lowercase().parse().ok().map(Self::From),
            _ => None,
        }
    }

    fn men(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter {
            'A' | 'a' => Some(Self::Men(color, None)),
            letter => Role::from_letter(letter).map(|role| Self::Men(color, Some(role))),
        }
    }

    /// The word that asks it, as JSON lines name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Clock => "clock",
            Self::Last => "last",
            Self::Who => "who",
            Self::Moves => "moves",
            Self::Fen => "fen",
            Self::Men(..) => "p",
            Self::OnFile(_) | Self::OnRank(_) => "s",
            Self::From(_) => "m",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_word_or_a_move() {
        let mv = |text: &str| Word::Move(text.to_owned());
        for (line, word) in [
            ("", Word::Nothing),
            ("  \t", Word::Nothing),
            ("e4", mv("e4")),
            (" Nf3 ", mv("Nf3")),
            ("knight f3", mv("knight f3")),
            ("b4", mv("b4")),
            ("draw", Word::Draw),
            ("DRAW", Word::Draw),
            ("accept", Word::Accept),
            ("decline", Word::Decline),
            ("claim", Word::Claim(None)),
            ("claim  Nf3", Word::Claim(Some("Nf3".to_owned()))),
            ("resign", Word::Resign(Sure::NotYet)),
            ("resign no", Word::Resign(Sure::NotYet)),
            ("resign yes", Word::Resign(Sure::Yes)),
            ("Resign  YES", Word::Resign(Sure::Yes)),
            ("abort", Word::Abort),
            ("say  Good luck, e4!", Word::Say("Good luck, e4!".to_owned())),
            ("SAY hm", Word::Say("hm".to_owned())),
            ("say", Word::Say(String::new())),
            ("/ resign yes", Word::Say("resign yes".to_owned())),
            ("rematch", Word::Rematch),
            ("mute", Word::Mute),
            ("Unmute", Word::Unmute),
            ("quit", Word::Quit(Sure::NotYet)),
            ("quit yes", Word::Quit(Sure::Yes)),
            ("flip", Word::Flip),
            ("pieces", Word::Pieces),
            ("?", Word::Help),
            ("board", Word::Ask(Question::Board)),
            ("b", Word::Ask(Question::Board)),
            ("c", Word::Ask(Question::Clock)),
            ("l", Word::Ask(Question::Last)),
            ("o", Word::Ask(Question::Who)),
            ("moves", Word::Ask(Question::Moves)),
            ("fen", Word::Ask(Question::Fen)),
            ("p N", Word::Ask(Question::Men(Color::White, Some(Role::Knight)))),
            ("p n", Word::Ask(Question::Men(Color::Black, Some(Role::Knight)))),
            ("p A", Word::Ask(Question::Men(Color::White, None))),
            ("p a", Word::Ask(Question::Men(Color::Black, None))),
            ("p x", mv("p x")),
            ("p NN", mv("p NN")),
            ("s a", Word::Ask(Question::OnFile(File::A))),
            ("s 1", Word::Ask(Question::OnRank(Rank::First))),
            ("s 9", mv("s 9")),
            ("m e4", Word::Ask(Question::From("e4".parse().unwrap()))),
            ("m e9", mv("m e9")),
        ] {
            assert_eq!(Word::read(line), word, "{line:?}");
        }
    }
}
