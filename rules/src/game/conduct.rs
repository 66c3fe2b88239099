//! How strictly a game is conducted: three profiles, any single setting of which may be overridden.

use super::speed::SpeedClass;
use super::time::Millis;
use std::fmt;
use std::str::FromStr;

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

    /// Reads a profile and what differs from it: `tournament`, `classic touch-move=off illegal=refused`.
    ///
    /// # Errors
    /// [`ConductError`] names the word that is none.
    pub fn parse(text: &str, class: SpeedClass) -> Result<Self, ConductError> {
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let mut conduct = Self::new(words.next().unwrap_or_default().parse()?, class);
        for word in words {
            conduct.set(word)?;
        }
        Ok(conduct)
    }

    /// Takes over one setting, as `touch-move=off`.
    fn set(&mut self, word: &str) -> Result<(), ConductError> {
        match word {
            "touch-move=on" => self.touch_move = TouchMove::On,
            "touch-move=off" => self.touch_move = TouchMove::Off,
            "illegal=refused" => self.illegal_moves = IllegalMoves::Refused,
            "illegal=stands" => self.illegal_moves = IllegalMoves::Stand,
            "unpromoted=illegal" => self.unpromoted = Unpromoted::AsIllegal,
            "unpromoted=queen" => self.unpromoted = Unpromoted::Queen,
            "flag=noticed" => self.flag_fall = FlagFall::Noticed,
            "flag=claimed" => self.flag_fall = FlagFall::Claimed,
            "wrong-claim=refused" => self.wrong_claim = WrongClaim::Refused,
            "quickplay=off" => self.quickplay = Quickplay::Off,
            "quickplay=increment" => self.quickplay = Quickplay::IncrementOrDraw,
            "quickplay=draw" => self.quickplay = Quickplay::DrawOnly,
            "arbiter=called" => self.arbiter = ArbiterActs::WhenCalled,
            "arbiter=unasked" => self.arbiter = ArbiterActs::Unasked,
            "no-show=aborted" => self.no_show = NoShow::Aborted,
            "no-show=lost" => self.no_show = NoShow::Lost,
            "absence=borne" => self.absence = Absence::Borne,
            "absence=claimed" => self.absence = Absence::Claimed,
            "absence=automatic" => self.absence = Absence::Automatic,
            "sealed-move=no" => self.sealed_move = SealedMove::No,
            "sealed-move=yes" => self.sealed_move = SealedMove::Yes,
            other => self.set_counted(other)?,
        }
        Ok(())
    }

    /// Takes over a setting with numbers: `illegal=2/60`, `wrong-claim=120`.
    fn set_counted(&mut self, word: &str) -> Result<(), ConductError> {
        let unknown = || ConductError::Setting(word.chars().take(40).collect());
        let seconds = |text: &str| match text.parse::<u64>() {
            Ok(seconds) if seconds <= PENALTY_SECONDS_MAX => Ok(Millis::from_seconds(seconds)),
            _ => Err(unknown()),
        };
        match word.split_once('=').ok_or_else(unknown)? {
            ("wrong-claim", penalty) => self.wrong_claim = WrongClaim::Penalty(seconds(penalty)?),
            ("illegal", counted) => {
                let (lost_at, penalty) = counted.split_once('/').ok_or_else(unknown)?;
                let lost_at = lost_at.parse().ok().filter(|at| (1..=9).contains(at)).ok_or_else(unknown)?;
                self.illegal_moves = IllegalMoves::PutBack { lost_at, penalty: seconds(penalty)? };
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// What differs from the profile, as [`Conduct::parse`] reads it.
    pub fn overrides(&self, class: SpeedClass) -> Vec<String> {
        let usual = Self::new(self.profile, class);
        let differs = self.settings().into_iter().zip(usual.settings());
        differs.filter(|(own, usual)| own != usual).map(|(own, _)| own).collect()
    }

    /// The profile's name and what differs from it: a text that [`Conduct::parse`] reads.
    pub fn text(&self, class: SpeedClass) -> String {
        let mut words = vec![self.profile.name().to_owned()];
        words.extend(self.overrides(class));
        words.join(" ")
    }

    fn settings(&self) -> [String; 10] {
        let word = |name: &str, value: &str| format!("{name}={value}");
        let seconds = |span: Millis| span.0 / 1000;
        [
            word("touch-move", if self.touch_move == TouchMove::On { "on" } else { "off" }),
            match self.illegal_moves {
                IllegalMoves::Refused => word("illegal", "refused"),
                IllegalMoves::Stand => word("illegal", "stands"),
                IllegalMoves::PutBack { lost_at, penalty } => {
                    word("illegal", &format!("{lost_at}/{}", seconds(penalty)))
                }
            },
            word("unpromoted", if self.unpromoted == Unpromoted::Queen { "queen" } else { "illegal" }),
            word("flag", if self.flag_fall == FlagFall::Noticed { "noticed" } else { "claimed" }),
            match self.wrong_claim {
                WrongClaim::Refused => word("wrong-claim", "refused"),
                WrongClaim::Penalty(penalty) => word("wrong-claim", &seconds(penalty).to_string()),
            },
            word(
                "quickplay",
                match self.quickplay {
                    Quickplay::Off => "off",
                    Quickplay::IncrementOrDraw => "increment",
                    Quickplay::DrawOnly => "draw",
                },
            ),
            word("arbiter", if self.arbiter == ArbiterActs::Unasked { "unasked" } else { "called" }),
            word("no-show", if self.no_show == NoShow::Lost { "lost" } else { "aborted" }),
            word(
                "absence",
                match self.absence {
                    Absence::Borne => "borne",
                    Absence::Claimed => "claimed",
                    Absence::Automatic => "automatic",
                },
            ),
            word("sealed-move", if self.sealed_move == SealedMove::Yes { "yes" } else { "no" }),
        ]
    }
}

/// The largest penalty a setting may give, in seconds.
const PENALTY_SECONDS_MAX: u64 = 3_600;

/// Why a text says nothing about a game's conduct.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConductError {
    /// There is no such profile.
    #[error("there is no profile \"{0}\": it is online, tournament or classic")]
    Profile(String),
    /// There is no such setting.
    #[error(
        "\"{0}\" is no setting: write touch-move=on|off, illegal=refused|stands|COUNT/SECONDS, unpromoted=illegal|queen, flag=noticed|claimed, wrong-claim=refused|SECONDS, quickplay=off|increment|draw, arbiter=called|unasked, no-show=aborted|lost, absence=borne|claimed|automatic or sealed-move=yes|no"
    )]
    Setting(String),
}

impl FromStr for Profile {
    type Err = ConductError;

    fn from_str(text: &str) -> Result<Self, ConductError> {
        let named = Self::ALL.into_iter().find(|profile| profile.name() == text);
        named.ok_or_else(|| ConductError::Profile(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [SpeedClass; 5] = [
        SpeedClass::Bullet,
        SpeedClass::Blitz,
        SpeedClass::Rapid,
        SpeedClass::Classical,
        SpeedClass::Correspondence,
    ];

    #[test]
    fn profiles_and_overrides_are_read_as_they_are_written() {
        for class in CLASSES {
            for profile in Profile::ALL {
                for overrides in
                    ["", " touch-move=off illegal=2/30", " flag=claimed,wrong-claim=90 absence=automatic"]
                {
                    let conduct = Conduct::parse(&format!("{profile}{overrides}"), class).unwrap();
                    assert_eq!(Conduct::parse(&conduct.text(class), class), Ok(conduct));
                }
            }
        }
        let conduct = Conduct::parse("tournament touch-move=off", SpeedClass::Blitz).unwrap();
        assert_eq!(conduct.text(SpeedClass::Blitz), "tournament touch-move=off");
        assert_eq!(conduct.overrides(SpeedClass::Blitz), ["touch-move=off"]);
    }

    #[test]
    fn other_texts_are_refused_with_what_to_write() {
        let parse = |text: &str| Conduct::parse(text, SpeedClass::Rapid);
        assert_eq!(parse("fide"), Err(ConductError::Profile("fide".to_owned())));
        for text in ["touch", "illegal=0/60", "illegal=2", "illegal=2/9999", "wrong-claim=x", "quickplay=yes"]
        {
            assert_eq!(parse(&format!("online {text}")), Err(ConductError::Setting(text.to_owned())));
        }
    }

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
