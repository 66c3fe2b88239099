//! What a typed line means: a word of the program or, if it is none, a move.

use chatrang_rules::color::Color;
use chatrang_rules::game::{Matter, Proposal};
use chatrang_rules::piece::Role;
use chatrang_rules::square::{File, Rank, Square};

/// A typed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nothing was typed.
    Nothing,
    /// A move in SAN or UCI, to be looked up.
    Move(String),
    /// A move that the player knows to be illegal, in UCI: two squares.
    IllegalMove(String),
    /// Touch the man on a square with intent.
    Touch(Square),
    /// Adjust the man on a square.
    Adjust(Square),
    /// Propose a draw, a pause or an adjournment.
    Propose(Proposal),
    /// Ask to take back so many plies; without a number, to the player's own last move.
    Takeback(Option<u8>),
    /// Accept what is proposed in this matter, or the one thing that is.
    Accept(Option<Matter>),
    /// Decline what is proposed in this matter, or the one thing that is.
    Decline(Option<Matter>),
    /// Claim something.
    Claim(Claimed),
    /// Put a move into the envelope, in SAN or UCI.
    Seal(String),
    /// Close the envelope.
    Close,
    /// Play on after a pause, an adjournment or a call.
    Resume,
    /// Call the arbiter, for this reason.
    Call(String),
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

/// What a player claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// A draw by repetition or fifty moves, perhaps with a move that is named for it.
    Draw(Option<String>),
    /// That the opponent's flag is down.
    Flag,
    /// That the opponent's last move was illegal.
    IllegalMove,
    /// The win, for the opponent is away.
    Win,
    /// A draw, for the opponent is away; if he is not, as [`Claimed::Draw`].
    DrawByAbsence,
    /// Five seconds a move for both.
    Increment,
    /// That the opponent does not win by normal means.
    NoWinning,
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
    /// What was agreed before the first move.
    Terms,
    /// What stands between the players: offers, claims, counts.
    Table,
    /// Where men stand: those of a role, or all of a side.
    Men(Color, Option<Role>),
    /// What stands on a file.
    OnFile(File),
    /// What stands on a rank.
    OnRank(Rank),
    /// Where the man on a square may go.
    From(Square),
}

/// Words for moves and for looking at the board, and what they do.
pub const HELP_BOARD: [(&str, &str); 17] = [
    ("e4, Nf3, exd5, O-O, e7e8q", "a move in SAN or UCI, lower case will do"),
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

/// Words for all that goes on between two people at a board, and what they do.
pub const HELP_TABLE: [(&str, &str); 18] = [
    ("terms", "what was agreed before the first move"),
    ("table", "what stands between you: offers, claims, counts"),
    ("draw, pause, adjourn", "propose it"),
    ("takeback, takeback 2", "ask to take back to your last move, or two plies"),
    ("accept, decline", "answer an offer; with several: accept draw, decline pause"),
    ("claim, claim MOVE", "claim a draw: repetition or fifty moves"),
    ("claim flag", "your opponent's flag is down"),
    ("claim illegal", "your opponent's last move was illegal"),
    ("claim win, claim draw", "your opponent has been away too long"),
    ("claim increment", "short of time: ask for 5 seconds a move for both"),
    ("claim nowinning", "short of time: he does not win by normal means"),
    ("touch e2", "touch a man, who must move then or be captured"),
    ("adjust e2, j'adoube e2", "adjust a man, which binds to nothing"),
    ("illegal e2e5", "make an illegal move where it counts, knowing it"),
    ("seal MOVE", "put your move into the envelope of an adjournment"),
    ("close", "close the envelope"),
    ("resume", "play on after a pause, an adjournment or a call"),
    ("call REASON", "stop the clocks and call the arbiter"),
];

impl Word {
    /// Reads a typed line. What is no word is taken for a move.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        if let Some(text) = line.strip_prefix('/') {
            return Self::Say(text.trim().to_owned());
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (first.to_ascii_lowercase(), rest.trim());
        let sure = if rest.eq_ignore_ascii_case("yes") { Sure::Yes } else { Sure::NotYet };
        match (first.as_str(), rest) {
            ("", _) => Self::Nothing,
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
            (word, rest) => Self::at_table(word, rest)
                .or_else(|| Question::read(word, rest).map(Self::Ask))
                .unwrap_or_else(|| Self::Move(line.to_owned())),
        }
    }

    /// A word for what goes on between two people at a board.
    fn at_table(word: &str, rest: &str) -> Option<Self> {
        let square = || rest.to_ascii_lowercase().parse().ok();
        Some(match (word, rest) {
            ("draw", "") => Self::Propose(Proposal::Draw),
            ("pause", "") => Self::Propose(Proposal::Pause),
            ("adjourn", "") => Self::Propose(Proposal::Adjournment),
            ("takeback", "") => Self::Takeback(None),
            ("takeback", plies) => Self::Takeback(Some(plies.parse().ok()?)),
            ("accept", "") => Self::Accept(None),
            ("accept", matter) => Self::Accept(Some(matter_named(matter)?)),
            ("decline", "") => Self::Decline(None),
            ("decline", matter) => Self::Decline(Some(matter_named(matter)?)),
            ("claim", what) => Self::Claim(Claimed::read(what)),
            ("touch", _) => Self::Touch(square()?),
            ("adjust" | "j'adoube" | "jadoube", _) => Self::Adjust(square()?),
            ("illegal", mv) => Self::IllegalMove(mv.to_owned()),
            ("seal", mv) => Self::Seal(mv.to_owned()),
            ("close", "") => Self::Close,
            ("resume", "") => Self::Resume,
            ("call", reason) => Self::Call(reason.to_owned()),
            _ => return None,
        })
    }
}

impl Claimed {
    fn read(what: &str) -> Self {
        match what.to_ascii_lowercase().as_str() {
            "" => Self::Draw(None),
            "flag" => Self::Flag,
            "illegal" => Self::IllegalMove,
            "win" => Self::Win,
            "draw" => Self::DrawByAbsence,
            "increment" => Self::Increment,
            "nowinning" => Self::NoWinning,
            _ => Self::Draw(Some(what.to_owned())),
        }
    }
}

/// The word for a matter, as it stands behind `accept`.
pub const fn matter_word(matter: Matter) -> &'static str {
    match matter {
        Matter::Draw => "draw",
        Matter::Takeback => "takeback",
        Matter::Pause => "pause",
        Matter::Adjournment => "adjournment",
    }
}

fn matter_named(word: &str) -> Option<Matter> {
    let word = word.to_ascii_lowercase();
    let word = if word == "adjourn" { "adjournment" } else { &word };
    Matter::ALL.into_iter().find(|&matter| matter_word(matter) == word)
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
            "terms" if rest.is_empty() => Some(Self::Terms),
            "table" if rest.is_empty() => Some(Self::Table),
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
            Self::Terms => "terms",
            Self::Table => "table",
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
            ("draw", Word::Propose(Proposal::Draw)),
            ("DRAW", Word::Propose(Proposal::Draw)),
            ("pause", Word::Propose(Proposal::Pause)),
            ("adjourn", Word::Propose(Proposal::Adjournment)),
            ("takeback", Word::Takeback(None)),
            ("takeback 2", Word::Takeback(Some(2))),
            ("takeback two", mv("takeback two")),
            ("accept", Word::Accept(None)),
            ("accept draw", Word::Accept(Some(Matter::Draw))),
            ("decline Adjourn", Word::Decline(Some(Matter::Adjournment))),
            ("accept adjournment", Word::Accept(Some(Matter::Adjournment))),
            ("accept defeat", mv("accept defeat")),
            ("decline", Word::Decline(None)),
            ("claim", Word::Claim(Claimed::Draw(None))),
            ("claim  Nf3", Word::Claim(Claimed::Draw(Some("Nf3".to_owned())))),
            ("claim flag", Word::Claim(Claimed::Flag)),
            ("claim illegal", Word::Claim(Claimed::IllegalMove)),
            ("claim Win", Word::Claim(Claimed::Win)),
            ("claim draw", Word::Claim(Claimed::DrawByAbsence)),
            ("claim increment", Word::Claim(Claimed::Increment)),
            ("claim nowinning", Word::Claim(Claimed::NoWinning)),
            ("touch e2", Word::Touch("e2".parse().unwrap())),
            ("touch E2", Word::Touch("e2".parse().unwrap())),
            ("touch wood", mv("touch wood")),
            ("adjust g1", Word::Adjust("g1".parse().unwrap())),
            ("J'adoube g1", Word::Adjust("g1".parse().unwrap())),
            ("illegal e2e5", Word::IllegalMove("e2e5".to_owned())),
            ("seal Nf3", Word::Seal("Nf3".to_owned())),
            ("close", Word::Close),
            ("resume", Word::Resume),
            ("call He talks.", Word::Call("He talks.".to_owned())),
            ("call", Word::Call(String::new())),
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
            ("terms", Word::Ask(Question::Terms)),
            ("table", Word::Ask(Question::Table)),
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
