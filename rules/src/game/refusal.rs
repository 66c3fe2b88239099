//! Why a command is not carried out: a variant for each law that forbids it.

use crate::color::Color;
use crate::legality::IllegalMove;
use crate::outcome::GameResult;

/// The Laws say no. Nothing has changed, and the game goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Refusal {
    /// Not a command for this party: a player acts for the house, or the house for a player.
    #[error("this is not yours to command")]
    NotYours,
    /// The game has ended already.
    #[error("the game is over: {0}")]
    GameOver(GameResult),
    /// The other side is to move.
    #[error("it is {to_move}'s turn")]
    NotYourTurn {
        /// Whose turn it is.
        to_move: Color,
    },
    /// The house has stopped the clocks; nobody moves meanwhile.
    #[error("the clocks are stopped until both players are back")]
    Suspended,
    /// The house has not stopped the clocks.
    #[error("the clocks are not stopped")]
    NotSuspended,
    /// The move is illegal.
    #[error("{0}")]
    IllegalMove(#[from] IllegalMove),
    /// Draws are offered from each side's first move on.
    #[error("a draw can be offered after each side has made a move")]
    OfferTooEarly,
    /// An offer of the same side stands already.
    #[error("your offer of a draw stands already")]
    OfferStands,
    /// The opponent's offer is to be answered first.
    #[error("your opponent has offered a draw: accept or decline it")]
    OfferWaits,
    /// The side has offered not long ago and the opponent did not want it.
    #[error("you may offer a draw again {plies} plies from now, or when your opponent has offered one")]
    OfferTooSoon {
        /// How many plies from now.
        plies: u32,
    },
    /// There is no offer to answer.
    #[error("no draw has been offered to you")]
    NoOffer,
    /// Neither repetition nor fifty moves is there.
    #[error(
        "the claim is wrong: this position has occurred {repetitions} times of 3, and {halfmoves} of 100 plies went without a capture or a pawn's move"
    )]
    ClaimWrong {
        /// How often the position, or the one after the named move, has occurred.
        repetitions: u32,
        /// Plies without a pawn's move or a capture.
        halfmoves: u32,
    },
    /// Both sides have moved: now it must be played, resigned or drawn.
    #[error("a game can be aborted only before both sides have moved; you may resign")]
    AbortTooLate,
}

impl Refusal {
    /// The article that forbids it (`FIDE 9.1`), or the house's own rule (`L29`) where FIDE has none.
    pub fn law(&self) -> String {
        let article = match self {
            Self::NotYours | Self::NotYourTurn { .. } => "1.2",
            Self::GameOver(_) => "5",
            Self::IllegalMove(illegal) => illegal.article(),
            Self::OfferTooEarly | Self::OfferStands | Self::OfferWaits | Self::NoOffer => "9.1",
            Self::OfferTooSoon { .. } => "11.5",
            Self::ClaimWrong { .. } => "9.5",
            Self::Suspended | Self::NotSuspended => return "L55".to_owned(),
            Self::AbortTooLate => return "L29".to_owned(),
        };
        format!("FIDE {article}")
    }
}
