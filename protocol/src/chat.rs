//! A line of chat, and the two rooms it may be said in.

use crate::codec::{Decode, Encode, Text};
use crate::ids::{Handle, TalkId};
use crate::limits;
use chatrang_rules::game::acts_on_a_terminal;
use std::fmt;
use std::str::FromStr;

/// A line as it is said to those who may hear it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ChatLine {
    /// The speaker's own number for it: with his name it tells a line heard before from a new one.
    pub id: TalkId,
    /// Who says it.
    pub from: Handle,
    /// In which room.
    pub room: ChatRoom,
    /// What he says.
    pub text: ChatText,
}

/// Where something is said. Spectators hear both rooms; players hear the spectators' only when the
/// game is over, since advice is outside help (FIDE 11.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum ChatRoom {
    /// The two players'.
    Players,
    /// Everyone else's.
    Spectators,
}

impl ChatRoom {
    /// The room's word: lower case, the same on all faces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Spectators => "spectators",
        }
    }
}

/// What can be said in one line: 1 to [`limits::CHAT_CHARS_MAX`] characters, not all of them spaces,
/// that do nothing to a terminal but show themselves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct ChatText(Text<{ limits::CHAT_BYTES_MAX }>);

/// Why a text cannot be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatTextError {
    /// Nothing to hear.
    #[error("say something: the line is empty")]
    Empty,
    /// Too long.
    #[error("a line has at most {} characters: say it in two", limits::CHAT_CHARS_MAX)]
    Long,
    /// A character that moves the cursor, changes the terminal, or turns the direction of the writing.
    #[error("a line is made of characters that can be seen: leave out control and direction characters")]
    Character,
}

impl ChatText {
    /// Takes a text that can be said, as it is.
    ///
    /// # Errors
    /// [`ChatTextError`] names what is wrong with it; nothing is ever stripped.
    pub fn new(text: &str) -> Result<Self, ChatTextError> {
        if text.contains(acts_on_a_terminal) {
            return Err(ChatTextError::Character);
        }
        if text.trim().is_empty() {
            return Err(ChatTextError::Empty);
        }
        if text.chars().count() > limits::CHAT_CHARS_MAX {
            return Err(ChatTextError::Long);
        }
        Ok(Self(Text::cut(text)))
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for ChatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ChatText {
    type Err = ChatTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

crate::codec::decode_through!(ChatText, Text<{ limits::CHAT_BYTES_MAX }>, |text: Text<
    { limits::CHAT_BYTES_MAX },
>| Self::new(text.as_str()));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{decode, encode};

    #[test]
    fn a_line_is_said_as_it_is_or_not_at_all() {
        let longest = "ü".repeat(limits::CHAT_CHARS_MAX);
        for good in ["?", " well played! ", "خسته نباشید", "\u{1f469}\u{200d}\u{1f4bb}", &longest] {
            let text = ChatText::new(good).unwrap();
            assert_eq!(text.as_str(), good);
            assert_eq!(decode(&encode(&text, 1000).unwrap()), Ok(text));
        }
        for (bad, error) in [
            ("", ChatTextError::Empty),
            (" \u{3000} ", ChatTextError::Empty),
            (&format!("{longest}!"), ChatTextError::Long),
            ("\x1b[2Jhello", ChatTextError::Character),
            ("two\nlines", ChatTextError::Character),
            ("\u{9b}31m", ChatTextError::Character),
            ("\u{202e}detrevni", ChatTextError::Character),
            ("a\u{2028}b", ChatTextError::Character),
        ] {
            assert_eq!(ChatText::new(bad), Err(error), "{bad:?}");
            assert!(decode::<ChatText>(&encode(&bad.to_owned(), 2000).unwrap()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_longest_line_of_the_widest_characters_has_room() {
        let widest = "\u{1f469}".repeat(limits::CHAT_CHARS_MAX);
        assert_eq!(ChatText::new(&widest).unwrap().as_str(), widest);
    }
}
