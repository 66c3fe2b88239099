//! Whether the two players of a finished game play it again: who asks, and what became of it.

use chatrang_protocol::ids::{AccountId, GameId};
use chatrang_protocol::talk::RematchNews;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::Terms;

/// How it stands with a rematch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rematch {
    /// Nobody asks.
    #[default]
    Open,
    /// One asks, by the colour he had.
    Asked(Color),
    /// Both have asked; the game is about to begin.
    Agreed,
    /// It has begun.
    Begun(GameId),
}

/// What comes of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing new: he has asked before, or it has begun.
    Again,
    /// The opponent is to hear it.
    First,
    /// The opponent had asked: the game is to begin.
    Agreed,
}

/// The game that both have agreed to.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// What was agreed for the game before, and is again.
    pub terms: Terms,
    /// Who plays: the colours are exchanged.
    pub seats: ByColor<AccountId>,
}

impl Rematch {
    /// Whether both have asked: what either says now changes nothing.
    pub(super) fn is_agreed(self) -> bool {
        matches!(self, Self::Agreed | Self::Begun(_))
    }

    /// A player asks, with the colour he had.
    pub(super) fn ask(&mut self, by: Color) -> Asked {
        match *self {
            Self::Open => {
                *self = Self::Asked(by);
                Asked::First
            }
            Self::Asked(first) if first != by => {
                *self = Self::Agreed;
                Asked::Agreed
            }
            Self::Asked(_) | Self::Agreed | Self::Begun(_) => Asked::Again,
        }
    }

    /// The game has begun or, without a number, could not.
    pub(super) fn settle(&mut self, begun: Option<GameId>) -> RematchNews {
        *self = begun.map_or(Self::Open, Self::Begun);
        begun.map_or(RematchNews::Withdrawn, |game| RematchNews::Begun { game })
    }

    /// A player has left; whether an ask ends with that.
    pub(super) fn withdraw(&mut self) -> bool {
        let is_asked = matches!(self, Self::Asked(_));
        if is_asked {
            *self = Self::Open;
        }
        is_asked
    }

    /// What a listener who joins must hear.
    pub(super) fn news(self, listener: Newcomer) -> Option<RematchNews> {
        match (self, listener) {
            (Self::Asked(by), _) => Some(RematchNews::Asked { by }),
            (Self::Begun(game), Newcomer::ComesBack) => Some(RematchNews::Begun { game }),
            _ => None,
        }
    }
}

/// Why a listener joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Newcomer {
    /// To look at the game: a later one is not his matter.
    Opens,
    /// His stream was lost, and perhaps with it the news that the rematch has begun.
    ComesBack,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_must_ask_and_a_parting_ends_the_ask() {
        let (white, black) = (Color::White, Color::Black);
        let mut rematch = Rematch::default();
        assert!(!rematch.withdraw());
        assert_eq!((rematch.ask(white), rematch.ask(white)), (Asked::First, Asked::Again));
        assert_eq!(rematch.news(Newcomer::Opens), Some(RematchNews::Asked { by: white }));
        assert!(rematch.withdraw());
        assert_eq!((rematch.ask(black), rematch.ask(white)), (Asked::First, Asked::Agreed));
        assert_eq!((rematch.ask(black), rematch.withdraw()), (Asked::Again, false), "it is being begun");
        assert_eq!(rematch.settle(None), RematchNews::Withdrawn);
        assert_eq!((rematch.ask(black), rematch.ask(white)), (Asked::First, Asked::Agreed));
        let begun = RematchNews::Begun { game: GameId(8) };
        assert_eq!(rematch.settle(Some(GameId(8))), begun);
        assert_eq!(rematch.ask(white), Asked::Again);
        assert_eq!(rematch.news(Newcomer::Opens), None);
        assert_eq!(rematch.news(Newcomer::ComesBack), Some(begun));
    }
}
