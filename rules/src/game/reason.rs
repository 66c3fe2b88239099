//! What someone says in the record: why an arbiter rules so, or why he was called.

use std::fmt;
use std::str::FromStr;

/// A sentence of at most [`Reason::BYTES_MAX`] bytes, without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason(String);

/// Why a text is no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a reason is one line of 1 to 200 bytes")]
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
            !text.is_empty() && text.len() <= Self::BYTES_MAX && !text.chars().any(char::is_control);
        if is_one_line { Ok(Self(text.to_owned())) } else { Err(NoReason) }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
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
