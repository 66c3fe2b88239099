//! The text form of a game's conduct: a profile, and the settings that differ from it.

use super::{
    Absence, ArbiterActs, Conduct, FlagFall, IllegalMoves, NoShow, Profile, Quickplay, SealedMove, TouchMove,
    Unpromoted, WrongClaim,
};
use crate::game::speed::SpeedClass;
use crate::game::time::Millis;
use std::fmt;
use std::str::FromStr;

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

impl Conduct {
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
}
