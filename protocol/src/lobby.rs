//! What the lobby lists and offers.

use crate::codec::{Decode, Encode};
use crate::ids::{GameId, Handle, SeekId};
use crate::limits;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Conduct, Controls, QuickplayClaim, Reason, SpeedClass, Stakes};
use chatrang_rules::outcome::GameResult;

/// The side a player would like to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
    /// The server draws lots, unless the opponent has a wish.
    #[default]
    Random,
}

/// What somebody proposes to play. Whoever takes it up has seen all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Proposal {
    /// How much time each player has.
    pub controls: Controls,
    /// How strictly it is conducted; none leaves that to the server, which says what it has chosen wherever
    /// it shows the proposal.
    pub conduct: Option<Conduct>,
    /// Whether the result counts.
    pub stakes: Stakes,
    /// The number of the move before which no draw is agreed; 1 forbids nothing (FIDE 9.1.1).
    pub agreement_from: u16,
    /// The side the proposer would like.
    pub side: Side,
}

impl Proposal {
    /// A casual game, conducted as the server has it and with draws to be agreed at any move.
    pub const fn casual(controls: Controls, side: Side) -> Self {
        Self { controls, conduct: None, stakes: Stakes::Casual, agreement_from: 1, side }
    }

    /// Whether a game can be played by it: a conduct that can be written, and a draw that may be agreed
    /// some time.
    pub fn is_playable(&self) -> bool {
        let class = SpeedClass::of_game(&self.controls);
        let can_be_written =
            |conduct: Conduct| Conduct::parse(&conduct.text(class), class).as_ref() == Ok(&conduct);
        self.conduct.is_none_or(can_be_written)
            && (1..=limits::AGREEMENT_FROM_MAX).contains(&self.agreement_from)
    }
}

/// What an invitation proposes, before it is taken.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct InvitationView {
    /// Who invites.
    pub by: Handle,
    /// What is proposed.
    pub proposal: Proposal,
}

/// An open seek: a proposal to anyone.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SeekView {
    /// Its number.
    pub seek: SeekId,
    /// Who seeks.
    pub by: Handle,
    /// What is proposed.
    pub proposal: Proposal,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GameSummary {
    /// Its number.
    pub game: GameId,
    /// Who plays.
    pub players: ByColor<Handle>,
    /// On which time.
    pub controls: Controls,
    /// Plies made so far.
    pub ply: u32,
    /// How it ended, if it has.
    pub result: Option<GameResult>,
}

/// A game that has just begun, or goes on, for one of its players.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Seat {
    /// The game to attach to.
    pub game: GameId,
    /// The side the player has.
    pub color: Color,
    /// Who sits on the other side.
    pub opponent: Handle,
}

/// A game in which an arbiter is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CallView {
    /// The game to attach to.
    pub game: GameId,
    /// The player who wants him.
    pub by: Handle,
    /// The side that player has.
    pub color: Color,
    /// What for.
    pub matter: CallMatter,
}

/// What an arbiter is wanted for.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum CallMatter {
    /// The player has called him, and says why (FIDE 6.11.2).
    Call(Reason),
    /// The player's claim is his to decide (FIDE G.III).
    Claim(QuickplayClaim),
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_rules::game::{Millis, Profile, WrongClaim};

    #[test]
    fn terms_are_playable_within_their_bounds() {
        let usual = Proposal::casual("5+3".parse().unwrap(), Side::Random);
        let from = |agreement_from| Proposal { agreement_from, ..usual };
        let penalty = |ms| {
            let conduct = Conduct::new(Profile::Tournament, SpeedClass::Blitz);
            let conduct = Conduct { wrong_claim: WrongClaim::Penalty(Millis(ms)), ..conduct };
            Proposal { conduct: Some(conduct), ..usual }
        };
        for (proposal, is_playable) in [
            (from(0), false),
            (from(1), true),
            (from(limits::AGREEMENT_FROM_MAX), true),
            (from(limits::AGREEMENT_FROM_MAX + 1), false),
            (penalty(3_600_000), true),
            (penalty(3_601_000), false),
            (penalty(1_500), false),
        ] {
            assert_eq!(proposal.is_playable(), is_playable, "{proposal:?}");
        }
    }
}
