//! The code that lets a new player in.

use crate::base32;
use crate::codec::{Decode, Encode};
use crate::key::Base32Error;
use std::fmt;
use std::str::FromStr;

/// What a server asks of a key that it does not know: 40 random bits, shown as 8 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct InviteCode([u8; 5]);

/// Why a text is no invite code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteCodeError {
    /// Characters are missing, or there are too many.
    #[error("an invite code has {all} characters, this one has {0}", all = InviteCode::CHARACTERS)]
    Length(usize),
    /// A mistyped character.
    #[error("the invite code is mistyped: {0}")]
    Mistyped(#[from] Base32Error),
}

impl InviteCode {
    /// Characters of its text.
    pub const CHARACTERS: usize = 8;

    /// A code from 40 random bits, which must come from the system's cryptographic source.
    pub fn from_random(random: [u8; 5]) -> Self {
        Self(random)
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&base32::encode(&self.0))
    }
}

/// Hidden: a code in a log would let its readers in.
impl fmt::Debug for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InviteCode(..)")
    }
}

impl FromStr for InviteCode {
    type Err = InviteCodeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.chars().count() {
            Self::CHARACTERS => Ok(Self(base32::decode_array(text)?)),
            other => Err(InviteCodeError::Length(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    #[test]
    fn a_code_crosses_the_wire_as_five_bytes_and_is_never_logged() {
        let code = InviteCode::from_random([1, 2, 3, 4, 5]);
        assert_eq!(codec::encode(&code, 5).unwrap(), [1, 2, 3, 4, 5]);
        assert_eq!(codec::decode(&[1, 2, 3, 4, 5]), Ok(code));
        assert_eq!(format!("{code:?}"), "InviteCode(..)");
    }
}
