//! How a game ends: both scores, one termination, and a detail (FIDE 5, 6.9, 9, 10).

use crate::color::{ByColor, Color};
use std::fmt;

/// What one player gets (FIDE 10.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Score {
    /// No point.
    Zero,
    /// Half a point.
    Half,
    /// One point.
    One,
}

/// Both players' scores. An arbiter may give any pair of them but 1-1 and 1-½.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct Outcome(pub ByColor<Score>);

impl Outcome {
    /// Half a point each.
    pub const DRAW: Self = Self(ByColor { white: Score::Half, black: Score::Half });

    /// A point for `winner`, none for the opponent.
    pub const fn win(winner: Color) -> Self {
        match winner {
            Color::White => Self(ByColor { white: Score::One, black: Score::Zero }),
            Color::Black => Self(ByColor { white: Score::Zero, black: Score::One }),
        }
    }

    /// Who has the point, if somebody has.
    pub fn winner(self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.0[color] == Score::One)
    }
}

impl fmt::Display for Outcome {
    /// As in a PGN: `1-0`, `0-1`, `1/2-1/2`; a ruling may also give `0-0`, `1/2-0` and `0-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |score| match score {
            Score::Zero => "0",
            Score::Half => "1/2",
            Score::One => "1",
        };
        write!(f, "{}-{}", text(self.0.white), text(self.0.black))
    }
}

/// By what a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Termination {
    /// The king is attacked and no move helps (FIDE 5.1.1).
    Checkmate,
    /// No legal move, and the king is not attacked (FIDE 5.2.1).
    Stalemate,
    /// Neither side can mate any more (FIDE 5.2.2).
    DeadPosition,
    /// A player gave up (FIDE 5.1.2).
    Resignation,
    /// Both players agreed (FIDE 5.2.3).
    Agreement,
    /// The same position for the third time, claimed (FIDE 9.2).
    ThreefoldRepetition,
    /// The same position for the fifth time (FIDE 9.6.1).
    FivefoldRepetition,
    /// Fifty moves each without a capture or a pawn's move, claimed (FIDE 9.3).
    FiftyMoves,
    /// Seventy-five moves each without a capture or a pawn's move (FIDE 9.6.2).
    SeventyFiveMoves,
    /// A flag fell (FIDE 6.9).
    FlagFall,
    /// Given up before both sides had moved: no result.
    Aborted,
    /// No first move in the terms' time: no result, or lost where the terms say so (FIDE 6.7).
    NoFirstMove,
    /// As many illegal moves as the terms bear, or one that was claimed (FIDE 7.5.5).
    IllegalMoves,
    /// The position stayed one that no legal move gives (L43).
    IllegalPosition,
    /// The opponent was away too long (L60).
    Absence,
    /// The arbiter has granted that the game is not to be won by normal means (FIDE G.III.5).
    NormalMeans,
    /// The move in the envelope was illegal (FIDE G.I).
    SealedIllegalMove,
    /// The arbiter has ended the game (FIDE 12.9).
    ArbiterRuling,
}

impl Termination {
    /// The name that scripts and exports use: `checkmate`, `seventy_five_moves`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead_position",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::ThreefoldRepetition => "threefold",
            Self::FivefoldRepetition => "fivefold",
            Self::FiftyMoves => "fifty_moves",
            Self::SeventyFiveMoves => "seventy_five_moves",
            Self::FlagFall => "flag_fall",
            Self::Aborted => "aborted",
            Self::NoFirstMove => "no_first_move",
            Self::IllegalMoves => "illegal_moves",
            Self::IllegalPosition => "illegal_position",
            Self::Absence => "absence",
            Self::NormalMeans => "normal_means",
            Self::SealedIllegalMove => "sealed_illegal_move",
            Self::ArbiterRuling => "arbiter_ruling",
        }
    }
}

/// What else there is to say about an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Detail {
    /// Nothing.
    Plain,
    /// `side` has lost by its flag or by giving up, and yet it is a draw: the opponent can no longer
    /// mate (FIDE 5.1.2, 6.9).
    OpponentCannotMate {
        /// Whose flag fell, or who resigned.
        side: Color,
    },
    /// `side` has lost; that its opponent could still mate was not proven within the budget, and
    /// counts as if it could.
    MateNotProven {
        /// Whose flag fell, or who resigned.
        side: Color,
    },
    /// Both flags were down, and nobody knows which fell first (FIDE G.III.3).
    BothFlags,
    /// It would be a draw with nothing more to say, and a draw counts as a win for `side` (Armageddon).
    DrawOdds {
        /// Who has draw odds.
        side: Color,
    },
    /// Every move of `side` within the repetition gave check.
    PerpetualCheck {
        /// Who gave check.
        side: Color,
    },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub struct GameResult {
    /// Both scores; none for a game that was aborted.
    pub outcome: Option<Outcome>,
    /// By what.
    pub termination: Termination,
    /// What else there is to say.
    pub detail: Detail,
}

impl GameResult {
    /// A draw with nothing more to say.
    pub const fn draw(termination: Termination) -> Self {
        Self { outcome: Some(Outcome::DRAW), termination, detail: Detail::Plain }
    }

    /// A win with nothing more to say.
    pub const fn win(winner: Color, termination: Termination) -> Self {
        Self { outcome: Some(Outcome::win(winner)), termination, detail: Detail::Plain }
    }

    /// An end without a result.
    pub const fn none(termination: Termination) -> Self {
        Self { outcome: None, termination, detail: Detail::Plain }
    }

    /// The scores as a PGN's `Result` has them; `*` without a result.
    pub fn score_text(&self) -> String {
        self.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string())
    }
}

impl fmt::Display for GameResult {
    /// One sentence that names the reason and cites its rule.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = self.outcome.and_then(Outcome::winner);
        let loser = winner.map_or("nobody".to_owned(), |winner| (!winner).to_string());
        // What else would be a draw.
        let odds = winner.map_or_else(String::new, |winner| format!("; a draw counts for {winner}"));
        match winner {
            Some(winner) => write!(f, "{winner} wins: ")?,
            None if self.outcome == Some(Outcome::DRAW) => f.write_str("Draw: ")?,
            None if self.outcome.is_some() => write!(f, "Scored {}: ", self.score_text())?,
            None => f.write_str("No result: ")?,
        }
        if let Detail::OpponentCannotMate { side } = self.detail {
            let (how, law) = how_lost(self.termination);
            return write!(f, "{side}{how}, but {} can no longer mate (FIDE {law}){odds}", !side);
        }
        if self.detail == Detail::BothFlags {
            return write!(f, "both flags are down (FIDE G.III.3){odds}");
        }
        match self.termination {
            Termination::Checkmate => write!(f, "{loser} is checkmated (FIDE 5.1.1)")?,
            Termination::Stalemate => f.write_str("stalemate (FIDE 5.2.1)")?,
            Termination::DeadPosition => f.write_str("neither side can mate any more (FIDE 5.2.2)")?,
            Termination::Resignation => write!(f, "{loser} resigned (FIDE 5.1.2)")?,
            Termination::Agreement => f.write_str("both players agreed (FIDE 5.2.3)")?,
            Termination::ThreefoldRepetition => {
                f.write_str("the same position three times, claimed (FIDE 9.2)")?;
            }
            Termination::FivefoldRepetition => f.write_str("the same position five times (FIDE 9.6.1)")?,
            Termination::FiftyMoves => {
                f.write_str("fifty moves without a capture or a pawn's move, claimed (FIDE 9.3)")?;
            }
            Termination::SeventyFiveMoves => {
                f.write_str("seventy-five moves without a capture or a pawn's move (FIDE 9.6.2)")?;
            }
            Termination::FlagFall => write!(f, "{loser}'s flag fell (FIDE 6.9)")?,
            Termination::Aborted => f.write_str("the game was aborted before both sides had moved (L29)")?,
            Termination::NoFirstMove if winner.is_some() => {
                write!(f, "{loser} was not at the board in time (FIDE 6.7.1)")?;
            }
            Termination::NoFirstMove => f.write_str("no first move in time (L29)")?,
            Termination::IllegalMoves => write!(f, "{loser} has lost by illegal moves (FIDE 7.5.5)")?,
            Termination::IllegalPosition => f.write_str("the position stayed an illegal one (L43)")?,
            Termination::Absence => f.write_str("a player was away too long (L60)")?,
            Termination::NormalMeans => f.write_str("not to be won by normal means (FIDE G.III.5)")?,
            Termination::SealedIllegalMove => write!(f, "{loser}'s sealed move was illegal (FIDE G.I)")?,
            Termination::ArbiterRuling => f.write_str("the arbiter has ruled so (FIDE 12.9)")?,
        }
        match self.detail {
            Detail::PerpetualCheck { side } => write!(f, ", by perpetual check from {side}{odds}"),
            Detail::DrawOdds { .. } => f.write_str(&odds),
            _ => Ok(()),
        }
    }
}

/// What a side did that has lost, and the article that makes it a draw when the opponent cannot mate.
const fn how_lost(termination: Termination) -> (&'static str, &'static str) {
    match termination {
        Termination::FlagFall => ("'s flag fell", "6.9"),
        Termination::IllegalMoves => (" has lost by illegal moves", "7.5.5"),
        Termination::SealedIllegalMove => ("'s sealed move was illegal", "G.I"),
        Termination::Absence => (" was away too long", "6.9"),
        _ => (" resigned", "5.1.2"),
    }
}
