//! What someone says in the record: why an arbiter rules so, or why he was called.

use std::fmt;
use std::str::FromStr;

/// A sentence of at most [`Reason::BYTES_MAX`] bytes that does nothing to a terminal but show itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason(String);

/// Why a text is no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a reason is one line of 1 to 200 bytes, without control and direction characters")]
pub struct NoReason;

impl Reason {
    /// Longest reason, in bytes.
    pub const BYTES_MAX: usize = 200;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Reason {
    type Err = NoReason;

    /// Takes the text without the space around it.
    fn from_str(text: &str) -> Result<Self, NoReason> {
        let text = text.trim();
        let is_one_line =
            !text.is_empty() && text.len() <= Self::BYTES_MAX && !text.contains(acts_on_a_terminal);
        if is_one_line { Ok(Self(text.to_owned())) } else { Err(NoReason) }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a character does more than show itself: control characters, line separators, and what turns the
/// direction of the text around it.
pub fn acts_on_a_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(feature = "bincode")]
impl bincode::Encode for Reason {
    fn encode<E: bincode::enc::Encoder>(&self, encoder: &mut E) -> Result<(), bincode::error::EncodeError> {
        self.0.as_str().encode(encoder)
    }
}

#[cfg(feature = "bincode")]
impl<Context> bincode::Decode<Context> for Reason {
    /// Reads no more than the longest reason, whatever length is claimed.
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        use bincode::error::DecodeError;
        let no_reason = || DecodeError::OtherString(NoReason.to_string());
        let length = usize::try_from(u64::decode(decoder)?).map_err(|_| no_reason())?;
        if length > Self::BYTES_MAX {
            return Err(no_reason());
        }
        decoder.claim_bytes_read(length)?;
        let mut bytes = vec![0; length];
        bincode::de::read::Reader::read(decoder.reader(), &mut bytes)?;
        String::from_utf8(bytes).map_err(|_| no_reason())?.parse().map_err(|_| no_reason())
    }
}

#[cfg(feature = "bincode")]
bincode::impl_borrow_decode!(Reason);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_does_nothing_but_show_itself() {
        for good in ["noise", "  a telephone rang ", "خسته نباشید", "\u{1f4f1}"] {
            assert_eq!(good.parse::<Reason>().unwrap().as_str(), good.trim());
        }
        let long = "x".repeat(Reason::BYTES_MAX + 1);
        for bad in
            ["", "  ", "a\nb", "\x1b[2J", "\u{9b}31m", "\u{202e}eson", "a\u{2066}b", "a\u{2028}b", &long]
        {
            assert_eq!(bad.parse::<Reason>(), Err(NoReason), "{bad:?}");
        }
    }
}
