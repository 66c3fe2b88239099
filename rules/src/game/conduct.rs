//! How strictly a game is conducted: three profiles, any single setting of which may be overridden.

mod text;

pub use text::ConductError;

use super::speed::SpeedClass;
use super::time::Millis;

/// A named set of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Profile {
    /// Friendly play over a network: whatever the Laws forbid is refused, and nothing is counted.
    Online,
    /// Over the board by the Laws of 2023.
    Tournament,
    /// Over the board by the Laws of 2009 and before.
    Classic,
}

/// All settings of a game's conduct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Conduct {
    /// The profile it began from.
    pub profile: Profile,
    /// Whether touched men bind (FIDE 4).
    pub touch_move: TouchMove,
    /// What becomes of an illegal move (FIDE 7.5).
    pub illegal_moves: IllegalMoves,
    /// What becomes of a pawn left on the last rank (FIDE 7.5.2).
    pub unpromoted: Unpromoted,
    /// Who notices that a flag has fallen (FIDE 6.8).
    pub flag_fall: FlagFall,
    /// What a wrong claim of a draw costs (FIDE 9.5.3).
    pub wrong_claim: WrongClaim,
    /// Which claims a player short of time may make (FIDE G.III).
    pub quickplay: Quickplay,
    /// When an arbiter acts.
    pub arbiter: ArbiterActs,
    /// What becomes of a game whose first move is not made in time (FIDE 6.7).
    pub no_show: NoShow,
    /// What a lost connection allows the opponent (L60).
    pub absence: Absence,
    /// Whether an adjournment begins with a sealed move (FIDE G.I).
    pub sealed_move: SealedMove,
}

/// Whether touched men bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum TouchMove {
    /// Selecting a man means nothing.
    Off,
    /// A touched man must move, or be captured, where that is legal (FIDE 4.3).
    On,
}

/// What becomes of an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum IllegalMoves {
    /// It is refused, and nothing is counted.
    Refused,
    /// It is put back and counted.
    PutBack {
        /// The illegal move that loses, from 1.
        lost_at: u8,
        /// What the opponent's clock gets for each before it.
        penalty: Millis,
    },
    /// It stands unless the opponent claims it before his own next move (L43).
    Stand,
}

/// What becomes of a pawn left on the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Unpromoted {
    /// As any illegal move.
    AsIllegal,
    /// It counts as an illegal move and becomes a queen (FIDE 7.5.2).
    Queen,
}

/// Who notices that a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum FlagFall {
    /// The server, at once.
    Noticed,
    /// It counts when the opponent or the arbiter claims it.
    Claimed,
}

/// What a wrong claim of a draw costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum WrongClaim {
    /// It is refused, is no offer, and nothing is counted.
    Refused,
    /// The opponent gets this time, the claim is an offer, and the move it names is played.
    Penalty(Millis),
}

/// Which claims a player with less than two minutes in the last period may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Quickplay {
    /// None.
    Off,
    /// He may ask for an increment, and else claim a draw (FIDE G.III.4-5).
    IncrementOrDraw,
    /// He may claim a draw (2009: 10.2).
    DrawOnly,
}

/// When an arbiter acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum ArbiterActs {
    /// After a player has called him.
    WhenCalled,
    /// Whenever he sees fit.
    Unasked,
}

/// What becomes of a game whose first move is not made in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum NoShow {
    /// It ends without a result, and before both have moved either side may end it so.
    Aborted,
    /// It is lost by the side that is not there by then; who is there may think.
    Lost,
}

/// What a lost connection allows the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Absence {
    /// Nothing: the clock decides.
    Borne,
    /// After a while he may claim the win, or a draw.
    Claimed,
    /// After the same while the game is lost by itself.
    Automatic,
}

/// Whether an adjournment begins with a sealed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum SealedMove {
    /// The position stays as it is.
    No,
    /// The side to move seals its move before the clocks stop.
    Yes,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Online, Self::Tournament, Self::Classic];

    /// As on a command line: `online`, `tournament`, `classic`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Online => "online",
            Self::Tournament => "tournament",
            Self::Classic => "classic",
        }
    }
}

impl Conduct {
    /// The settings of a profile, for a game of this class.
    pub const fn new(profile: Profile, class: SpeedClass) -> Self {
        let is_blitz = matches!(class, SpeedClass::Bullet | SpeedClass::Blitz);
        let is_quick = is_blitz || matches!(class, SpeedClass::Rapid);
        let penalty = Millis::from_seconds(if is_quick { 60 } else { 120 });
        match profile {
            Profile::Online => Self {
                profile,
                touch_move: TouchMove::Off,
                illegal_moves: IllegalMoves::Refused,
                unpromoted: Unpromoted::AsIllegal,
                flag_fall: FlagFall::Noticed,
                wrong_claim: WrongClaim::Refused,
                quickplay: Quickplay::Off,
                arbiter: ArbiterActs::WhenCalled,
                no_show: NoShow::Aborted,
                absence: Absence::Claimed,
                sealed_move: SealedMove::No,
            },
            Profile::Tournament => Self {
                profile,
                touch_move: TouchMove::On,
                illegal_moves: IllegalMoves::PutBack { lost_at: 2, penalty },
                unpromoted: Unpromoted::Queen,
                flag_fall: FlagFall::Noticed,
                wrong_claim: WrongClaim::Penalty(penalty),
                quickplay: Quickplay::IncrementOrDraw,
                arbiter: ArbiterActs::Unasked,
                no_show: NoShow::Lost,
                absence: Absence::Claimed,
                sealed_move: SealedMove::Yes,
            },
            Profile::Classic => Self {
                profile,
                touch_move: TouchMove::On,
                illegal_moves: if is_blitz {
                    IllegalMoves::Stand
                } else {
                    IllegalMoves::PutBack { lost_at: 3, penalty: Millis::ZERO }
                },
                unpromoted: Unpromoted::AsIllegal,
                flag_fall: FlagFall::Claimed,
                wrong_claim: WrongClaim::Penalty(Millis::from_seconds(180)),
                quickplay: Quickplay::DrawOnly,
                arbiter: if is_quick { ArbiterActs::WhenCalled } else { ArbiterActs::Unasked },
                no_show: NoShow::Lost,
                absence: Absence::Claimed,
                sealed_move: SealedMove::No,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l40_l43_an_illegal_move_costs_what_the_profile_and_the_class_say() {
        let rule = |profile, class| Conduct::new(profile, class).illegal_moves;
        let put_back =
            |lost_at, seconds| IllegalMoves::PutBack { lost_at, penalty: Millis::from_seconds(seconds) };
        assert_eq!(rule(Profile::Online, SpeedClass::Blitz), IllegalMoves::Refused);
        assert_eq!(rule(Profile::Tournament, SpeedClass::Classical), put_back(2, 120));
        assert_eq!(rule(Profile::Tournament, SpeedClass::Rapid), put_back(2, 60));
        assert_eq!(rule(Profile::Tournament, SpeedClass::Blitz), put_back(2, 60));
        assert_eq!(rule(Profile::Classic, SpeedClass::Rapid), put_back(3, 0));
        assert_eq!(rule(Profile::Classic, SpeedClass::Blitz), IllegalMoves::Stand);
    }
}
