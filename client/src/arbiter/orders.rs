//! An arbiter's orders as he types them: `add white 2:00 : the round began late`.

use chatrang_protocol::ids::GameId;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Decision, Millis, NoReason, Order, Reason};
use chatrang_rules::outcome::{Outcome, Score};
use std::fmt;

/// Every order: the word it begins with, how it is written, and what it does.
pub const ORDERS: [Usage; 12] = [
    Usage { word: "pause", form: "pause", meaning: "stop the clocks" },
    Usage { word: "resume", form: "resume", meaning: "let the clock of the side to move run again" },
    Usage { word: "add", form: "add white 2:00", meaning: "add time to a clock" },
    Usage { word: "take", form: "take black 0:30", meaning: "take time from a clock" },
    Usage { word: "set", form: "set white 5:00", meaning: "set a clock" },
    Usage { word: "warn", form: "warn black", meaning: "warn a player" },
    Usage {
        word: "back",
        form: "back 24 or back 12w",
        meaning: "go back to the position after ply 24, or after move 12 of White (12w) or Black (12b)",
    },
    Usage { word: "flag", form: "flag", meaning: "note that a flag is down" },
    Usage { word: "grant", form: "grant", meaning: "grant the claim that waits" },
    Usage {
        word: "postpone",
        form: "postpone or postpone 2:00",
        meaning: "decide the claim later; the opponent's clock may get something for it",
    },
    Usage { word: "reject", form: "reject", meaning: "reject the claim" },
    Usage {
        word: "declare",
        form: "declare 1-0",
        meaning: "end the game with a score: 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2",
    },
];

/// How an order is written, without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The word it begins with.
    pub word: &'static str,
    /// An example, or two.
    pub form: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

impl Usage {
    /// The order that begins with a word.
    pub fn of(word: &str) -> Option<&'static Self> {
        ORDERS.iter().find(|usage| usage.word.eq_ignore_ascii_case(word))
    }
}

/// Why a line is no order, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoOrder {
    problem: Problem,
    usage: &'static Usage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    Form,
    Side,
    Time,
    Place,
    Score,
    ReasonMissing,
    Reason(NoReason),
}

impl fmt::Display for NoOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            Problem::Form => f.write_str("the order has another form")?,
            Problem::Side => f.write_str("the side is white or black")?,
            Problem::Time => f.write_str("a time is MINUTES:SECONDS or HOURS:MINUTES:SECONDS")?,
            Problem::Place => f.write_str("a place in the game is a ply, or a move and whose it is")?,
            Problem::Score => {
                f.write_str("a score is 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2, White's half first")?;
            }
            Problem::ReasonMissing => f.write_str("everybody at the board sees your reason")?,
            Problem::Reason(no_reason) => no_reason.fmt(f)?,
        }
        write!(f, ": write {} : REASON", self.usage.form)
    }
}

/// Reads an order and its reason, which stands behind the first colon that has a space at its side.
///
/// # Errors
/// [`NoOrder`] says what to write.
pub fn read(usage: &'static Usage, text: &str) -> Result<Decision, NoOrder> {
    let (order, reason) = split_reason(text);
    let arguments: Vec<&str> = order.split_whitespace().skip(1).collect();
    let decision = read_order(usage.word, &arguments).and_then(|order| {
        let reason = reason.filter(|reason| !reason.is_empty()).ok_or(Problem::ReasonMissing)?;
        Ok(Decision { order, reason: reason.parse::<Reason>().map_err(Problem::Reason)? })
    });
    decision.map_err(|problem| NoOrder { problem, usage })
}

/// A time's colon has a digit on both sides; a reason's has not.
fn split_reason(text: &str) -> (&str, Option<&str>) {
    let stands_apart = |at: usize| {
        let (before, after) = (&text[..at], &text[at + 1..]);
        before.ends_with(char::is_whitespace) || after.is_empty() || after.starts_with(char::is_whitespace)
    };
    match text.match_indices(':').map(|(at, _)| at).find(|&at| stands_apart(at)) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim())),
        None => (text, None),
    }
}

fn read_order(word: &str, arguments: &[&str]) -> Result<Order, Problem> {
    match (word, arguments) {
        ("pause", []) => Ok(Order::Pause),
        ("resume", []) => Ok(Order::Resume),
        ("add", [side, span]) => Ok(Order::AddTime { side: read_side(side)?, span: read_time(span)? }),
        ("take", [side, span]) => Ok(Order::TakeTime { side: read_side(side)?, span: read_time(span)? }),
        ("set", [side, left]) => Ok(Order::SetClock { side: read_side(side)?, left: read_time(left)? }),
        ("warn", [side]) => Ok(Order::Warn { side: read_side(side)? }),
        ("back", [place]) => Ok(Order::GoBack { ply: read_place(place)? }),
        ("flag", []) => Ok(Order::NoteFlag),
        ("grant", []) => Ok(Order::Grant),
        ("postpone", []) => Ok(Order::Postpone { bonus: Millis::ZERO }),
        ("postpone", [bonus]) => Ok(Order::Postpone { bonus: read_time(bonus)? }),
        ("reject", []) => Ok(Order::Reject),
        ("declare", [score]) => Ok(Order::Declare { outcome: read_outcome(score)? }),
        _ => Err(Problem::Form),
    }
}

fn read_side(text: &str) -> Result<Color, Problem> {
    match text.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err(Problem::Side),
    }
}

/// `2:00` or `1:30:00`.
fn read_time(text: &str) -> Result<Millis, Problem> {
    let parts: Vec<u64> = text.split(':').map(read_number).collect::<Option<_>>().ok_or(Problem::Time)?;
    match parts[..] {
        [minutes, seconds @ 0..60] => Ok(Millis::from_minutes(minutes).plus(Millis::from_seconds(seconds))),
        [hours, minutes @ 0..60, seconds @ 0..60] => Ok(Millis::from_minutes(60)
            .times(hours)
            .plus(Millis::from_minutes(minutes))
            .plus(Millis::from_seconds(seconds))),
        _ => Err(Problem::Time),
    }
}

/// Plies that stay: `24`, or `12b` for those up to Black's twelfth move.
fn read_place(text: &str) -> Result<u32, Problem> {
    let lower = text.to_ascii_lowercase();
    let moves = |number: &str| {
        let number = read_number(number).filter(|&number| number > 0)?;
        number.checked_mul(2)
    };
    let ply = match (lower.strip_suffix('w'), lower.strip_suffix('b')) {
        (Some(number), _) => moves(number).map(|plies| plies - 1),
        (None, Some(number)) => moves(number),
        (None, None) => read_number(&lower),
    };
    ply.and_then(|ply| u32::try_from(ply).ok()).ok_or(Problem::Place)
}

/// Any two scores: which of them may stand together is for the Laws to say.
fn read_outcome(text: &str) -> Result<Outcome, Problem> {
    let score = |text: &str| match text {
        "0" => Some(Score::Zero),
        "1/2" | "½" => Some(Score::Half),
        "1" => Some(Score::One),
        _ => None,
    };
    let scores = text.split_once('-').and_then(|(white, black)| Some((score(white)?, score(black)?)));
    scores.map(|(white, black)| Outcome(ByColor { white, black })).ok_or(Problem::Score)
}

/// Digits and nothing else.
fn read_number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The number of a game.
pub fn read_game(text: &str) -> Option<GameId> {
    read_number(text).map(GameId)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(line: &str) -> Result<Decision, NoOrder> {
        let word = line.split([' ', ':']).next().unwrap();
        read(Usage::of(word).unwrap(), line)
    }

    fn outcome(white: Score, black: Score) -> Order {
        Order::Declare { outcome: Outcome(ByColor { white, black }) }
    }

    #[test]
    fn l44_every_order_is_read() {
        use Color::{Black, White};
        use Score::{Half, One, Zero};
        for (order, meant) in [
            ("pause", Order::Pause),
            ("PAUSE", Order::Pause),
            ("resume", Order::Resume),
            ("add white 2:00", Order::AddTime { side: White, span: Millis(120_000) }),
            ("add  w  0:05", Order::AddTime { side: White, span: Millis(5000) }),
            ("take black 0:30", Order::TakeTime { side: Black, span: Millis(30_000) }),
            ("set White 5:00", Order::SetClock { side: White, left: Millis(300_000) }),
            ("set b 90:00", Order::SetClock { side: Black, left: Millis(5_400_000) }),
            ("set b 1:30:07", Order::SetClock { side: Black, left: Millis(5_407_000) }),
            ("warn black", Order::Warn { side: Black }),
            ("back 24", Order::GoBack { ply: 24 }),
            ("back 0", Order::GoBack { ply: 0 }),
            ("back 12w", Order::GoBack { ply: 23 }),
            ("back 12B", Order::GoBack { ply: 24 }),
            ("flag", Order::NoteFlag),
            ("grant", Order::Grant),
            ("postpone", Order::Postpone { bonus: Millis::ZERO }),
            ("postpone 2:00", Order::Postpone { bonus: Millis(120_000) }),
            ("reject", Order::Reject),
            ("declare 1-0", outcome(One, Zero)),
            ("declare 0-1", outcome(Zero, One)),
            ("declare 1/2-1/2", outcome(Half, Half)),
            ("declare ½-½", outcome(Half, Half)),
            ("declare 0-0", outcome(Zero, Zero)),
            ("declare 1/2-0", outcome(Half, Zero)),
            ("declare 0-1/2", outcome(Zero, Half)),
            ("declare 1-1", outcome(One, One)),
        ] {
            let reason: Reason = "both agree".parse().unwrap();
            for colon in [" : ", ": ", " :"] {
                let decided = decide(&format!("{order}{colon}both agree"));
                assert_eq!(decided, Ok(Decision { order: meant, reason: reason.clone() }), "{order}{colon}");
            }
        }
    }

    #[test]
    fn a_reason_may_have_colons_of_its_own() {
        let decision = decide("add black 2:00: at 19:30 the hall was dark : nobody played").unwrap();
        assert_eq!(decision.reason.as_str(), "at 19:30 the hall was dark : nobody played");
    }

    #[test]
    fn every_mistake_says_what_to_write() {
        const FORM: &str = "the order has another form";
        const SIDE: &str = "the side is white or black";
        const TIME: &str = "a time is MINUTES:SECONDS or HOURS:MINUTES:SECONDS";
        const PLACE: &str = "a place in the game is a ply, or a move and whose it is";
        const SCORE: &str = "a score is 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2, White's half first";
        const SEEN: &str = "everybody at the board sees your reason";
        for (line, problem, form) in [
            ("pause", SEEN, "pause"),
            ("pause :", SEEN, "pause"),
            ("pause noise", FORM, "pause"),
            ("resume now : x", FORM, "resume"),
            ("add white : x", FORM, "add white 2:00"),
            ("add 2:00 white : x", SIDE, "add white 2:00"),
            ("add green 2:00 : x", SIDE, "add white 2:00"),
            ("add white 2 : x", TIME, "add white 2:00"),
            ("add white 2:60 : x", TIME, "add white 2:00"),
            ("add white 2:00x : x", TIME, "add white 2:00"),
            ("add white -1:00 : x", TIME, "add white 2:00"),
            ("add white 2:00:x", TIME, "add white 2:00"),
            ("add white 2:00", SEEN, "add white 2:00"),
            ("take black 1:60:00 : x", TIME, "take black 0:30"),
            ("take black 1:1:1:1 : x", TIME, "take black 0:30"),
            ("set white +5:00 : x", TIME, "set white 5:00"),
            ("warn : x", FORM, "warn black"),
            ("warn both : x", SIDE, "warn black"),
            ("back : x", FORM, "back 24 or back 12w"),
            ("back Nf3 : x", PLACE, "back 24 or back 12w"),
            ("back 0w : x", PLACE, "back 24 or back 12w"),
            ("back 99999999999 : x", PLACE, "back 24 or back 12w"),
            ("back 18446744073709551615b : x", PLACE, "back 24 or back 12w"),
            ("flag white : x", FORM, "flag"),
            ("grant it : x", FORM, "grant"),
            ("postpone soon : x", TIME, "postpone or postpone 2:00"),
            ("reject it : x", FORM, "reject"),
            ("declare : x", FORM, "declare 1-0"),
            ("declare white : x", SCORE, "declare 1-0"),
            ("declare 2-0 : x", SCORE, "declare 1-0"),
        ] {
            let told = decide(line).unwrap_err().to_string();
            assert_eq!(told, format!("{problem}: write {form} : REASON"), "{line}");
        }
        let long = "x".repeat(Reason::BYTES_MAX + 1);
        let told = decide(&format!("pause : {long}")).unwrap_err().to_string();
        let fault = "a reason is one line of 1 to 200 bytes, without control and direction characters";
        assert_eq!(told, format!("{fault}: write pause : REASON"));
    }
}
