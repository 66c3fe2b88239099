//! A player's name, and what it looks like: nobody comes in under a name that passes for another's.

use crate::codec::Encode;
use crate::limits;
use std::fmt;
use std::str::FromStr;

/// A player's name: 3 to 20 of `A-Z a-z 0-9 _ -`, starting with a letter.
///
/// Two handles that differ only in case name the same player: compare [`Handle::folded`]. Two that have the
/// same [`Handle::skeleton`] look alike, and a server lets no second one of them in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode)]
pub struct Handle(String);

/// Why a text is no handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandleError {
    /// Too short or too long.
    #[error("a name has {} to {} characters", limits::HANDLE_BYTES_MIN, limits::HANDLE_BYTES_MAX)]
    Length,
    /// A character that names do not have.
    #[error("a name is made of the letters a-z, digits, '-' and '_', and starts with a letter")]
    Character,
}

/// What a handle looks like at a glance: the same for all that are easily mistaken for each other.
///
/// Only compared, never shown: it is no name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Skeleton(String);

/// Names that speak for the house; whoever bears one must have got his role from it.
const OF_THE_HOUSE: [&str; 11] = [
    "admin",
    "administrator",
    "arbiter",
    "chatrang",
    "chatrangd",
    "moderator",
    "official",
    "operator",
    "owner",
    "server",
    "system",
];

impl Handle {
    /// Takes a text that is a handle.
    ///
    /// # Errors
    /// [`HandleError`] names what is wrong with it.
    pub fn new(text: &str) -> Result<Self, HandleError> {
        if !(limits::HANDLE_BYTES_MIN..=limits::HANDLE_BYTES_MAX).contains(&text.len()) {
            return Err(HandleError::Length);
        }
        let inner = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !inner || !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(HandleError::Character);
        }
        Ok(Self(text.to_owned()))
    }

    /// As its player writes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// In lower case: what names a player on a server.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// What it looks like: what only one player of a server may have.
    ///
    /// Handles are ASCII, so no letter of another script can pass for one of them. What is left of Unicode's
    /// confusables (UTS 39) is `0` and `O`, `1`, `I` and `l`, `rn` and `m`; two narrow `v` beside them, case, and
    /// where somebody puts a `-` or a `_`.
    pub fn skeleton(&self) -> Skeleton {
        let mut letters = String::with_capacity(2 * self.0.len());
        for letter in self.0.chars() {
            match letter.to_ascii_lowercase() {
                '-' | '_' => {}
                '0' => letters.push('o'),
                '1' | 'i' => letters.push('l'),
                // Taken apart rather than put together: of three narrow v's nobody knows which two are the w.
                'm' => letters.push_str("rn"),
                'w' => letters.push_str("vv"),
                other => letters.push(other),
            }
        }
        Skeleton(letters)
    }

    /// Whether it would be taken for somebody who speaks for the server, or for a second such.
    pub fn is_of_the_house(&self) -> bool {
        let unnumbered = self.0.trim_end_matches(|last: char| last.is_ascii_digit());
        let looks = [self.skeleton(), Self(unnumbered.to_owned()).skeleton()];
        let titles = looks.iter().map(|look| look.0.strip_prefix("the").unwrap_or(&look.0));
        OF_THE_HOUSE.iter().any(|name| {
            let of_the_house = Self((*name).to_owned()).skeleton();
            titles.clone().any(|title| title == of_the_house.0)
        })
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Handle {
    type Err = HandleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

crate::codec::decode_through!(Handle, String, |text: String| Handle::new(&text)
    .map_err(|error| error.to_string()));

impl Skeleton {
    /// As it is compared.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(text: &str) -> Handle {
        Handle::new(text).unwrap()
    }

    #[test]
    fn handles_are_short_plain_and_start_with_a_letter() {
        for good in ["Bob", "a-1", "under_score", "abcdefghijklmnopqrst"] {
            assert_eq!(Handle::new(good).unwrap().as_str(), good);
        }
        for (bad, error) in [
            ("", HandleError::Length),
            ("ab", HandleError::Length),
            ("abcdefghijklmnopqrstu", HandleError::Length),
            ("1abc", HandleError::Character),
            ("-abc", HandleError::Character),
            ("zoë", HandleError::Character),
            ("a b", HandleError::Character),
            ("аdmin", HandleError::Character),
            ("ab\u{202e}c", HandleError::Character),
            ("ab\u{200b}c", HandleError::Character),
            ("ab\x1b[m", HandleError::Character),
        ] {
            assert_eq!(Handle::new(bad), Err(error), "{bad:?}");
        }
    }

    #[test]
    fn handles_that_differ_in_case_fold_to_the_same() {
        assert_eq!(handle("Magnus").folded(), handle("mAGNUS").folded());
    }

    #[test]
    fn handles_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("Magnus", "mAGNUS"),
            ("Magnus", "Mag-nus"),
            ("Magnus", "M_a_g_n_u_s_"),
            ("Magnus", "rnagnus"),
            ("Magnus", "r-nagnus"),
            ("Alice", "A1ice"),
            ("Alice", "AIice"),
            ("Alice", "Al1ce"),
            ("Alice", "A-l_i-c_e"),
            ("Rostom", "R0stom"),
            ("Rostom", "Rost0rn"),
            ("Wolf", "VVolf"),
            ("Wolf", "v-vo1f"),
            ("vvvolf", "vwolf"),
            ("vwolf", "wvolf"),
        ] {
            assert_eq!(handle(one).skeleton(), handle(other).skeleton(), "{one} {other}");
        }
        for (one, other) in [("Magnus", "Magnum"), ("Bob", "Bob2"), ("Anna", "Ana"), ("Clara", "Dara")] {
            assert_ne!(handle(one).skeleton(), handle(other).skeleton(), "{one} {other}");
        }
    }

    #[test]
    fn names_that_speak_for_the_house_are_known_however_they_are_written() {
        for name in [
            "Owner",
            "Owner2",
            "TheArbiter",
            "the-admin",
            "Arb1ter",
            "ad-min",
            "adrnin",
            "CHATRANG",
            "server_",
            "server_64",
        ] {
            assert!(handle(name).is_of_the_house(), "{name}");
        }
        for name in ["Ownerless", "Theodora", "Rostam", "Admiral", "root"] {
            assert!(!handle(name).is_of_the_house(), "{name}");
        }
    }
}
