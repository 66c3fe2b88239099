//! What an account may do on its server.

use crate::codec::{Decode, Encode};
use std::fmt;
use std::str::FromStr;

/// The role of an account, given by the invite that it came with or by the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Role {
    /// Owns the server: the first key that presented the owner's invite. May all that others may.
    Owner,
    /// Rules in other people's games (FIDE 12) and plays.
    Arbiter,
    /// Plays.
    Player,
    /// Plays by program, and says so.
    Bot,
}

/// A word that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is one of owner, arbiter, player, bot")]
pub struct RoleError;

impl Role {
    /// Every role, in the order of the wire.
    pub const ALL: [Self; 4] = [Self::Owner, Self::Arbiter, Self::Player, Self::Bot];

    /// The role's word: lower case, the same on screens and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Arbiter => "arbiter",
            Self::Player => "player",
            Self::Bot => "bot",
        }
    }

    /// Whether it rules in other people's games: an arbiter, and the owner, who may all that others may.
    pub fn is_arbiter(self) -> bool {
        matches!(self, Self::Owner | Self::Arbiter)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(RoleError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{decode, encode};

    #[test]
    fn a_role_is_its_word_and_its_byte() {
        for (byte, role) in (0..).zip(Role::ALL) {
            assert_eq!(role.to_string().parse(), Ok(role));
            assert_eq!(encode(&role, 1).unwrap(), [byte]);
            assert_eq!(decode(&[byte]), Ok(role));
        }
        assert_eq!("king".parse::<Role>(), Err(RoleError));
        assert!(decode::<Role>(&[4]).is_err());
    }
}
