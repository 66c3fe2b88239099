//! Why a command is not carried out: a variant for each law that forbids it.

use super::command::{Matter, Suspension};
use super::time::Millis;
use crate::color::Color;
use crate::legality::IllegalMove;
use crate::outcome::GameResult;
use crate::piece::Role;
use crate::square::Square;

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
    /// The clocks are stopped; nobody moves meanwhile.
    #[error("the clocks are stopped: {}", .why.sentence())]
    Suspended {
        /// Why.
        why: Suspension,
    },
    /// The clocks are not stopped.
    #[error("the clocks are not stopped")]
    NotSuspended,
    /// The move is illegal.
    #[error("{0}")]
    IllegalMove(#[from] IllegalMove),
    /// A touched man binds to another move.
    #[error("you have touched the {} on {square}: it must {}", .role.name(), if *own { "move" } else { "be captured" })]
    TouchBinds {
        /// Where the man stands.
        square: Square,
        /// What it is.
        role: Role,
        /// Whether it is the player's own.
        own: bool,
    },
    /// Selecting a man means nothing in this game.
    #[error("touch-move is off in this game")]
    TouchMoveOff,
    /// There is nobody on the square.
    #[error("there is no man on {square} to touch")]
    NobodyThere {
        /// The empty square.
        square: Square,
    },
    /// The man was touched before.
    #[error("the man on {square} is touched already")]
    TouchedAlready {
        /// The square.
        square: Square,
    },
    /// Men were adjusted often enough on this move.
    #[error("enough men were adjusted on this move")]
    AdjustedEnough,
    /// After touching a man no draw is claimed on that move (FIDE 9.4).
    #[error("after touching a man you cannot claim a draw on this move")]
    ClaimAfterTouch,
    /// Draws are offered from each side's first move on.
    #[error("a draw can be offered after each side has made a move")]
    OfferTooEarly,
    /// The terms forbid it until later (FIDE 9.1.1).
    #[error("by the terms of this game no draw is agreed before move {from}")]
    AgreementTooEarly {
        /// The first move at which it is allowed.
        from: u16,
    },
    /// A proposal of the same side stands already.
    #[error("you have proposed {} already", .matter.name())]
    OfferStands {
        /// What it is about.
        matter: Matter,
    },
    /// The opponent's proposal is to be answered first.
    #[error("your opponent has proposed {}: accept or decline", .matter.name())]
    OfferWaits {
        /// What it is about.
        matter: Matter,
    },
    /// The side has proposed it not long ago and the opponent did not want it.
    #[error("you may propose {} again {plies} plies from now, or after your opponent has", .matter.name())]
    OfferTooSoon {
        /// What it is about.
        matter: Matter,
        /// How many plies from now.
        plies: u32,
    },
    /// There is no proposal to answer.
    #[error("your opponent has not proposed {}", .matter.name())]
    NoOffer {
        /// What it would be about.
        matter: Matter,
    },
    /// One or two plies are taken back, of those that were played.
    #[error("one or two plies can be taken back, and {played} have been played")]
    TakebackTooFar {
        /// Plies played.
        played: u32,
    },
    /// Nothing is taken back where it counts.
    #[error("no moves are taken back in a rated game over the board")]
    TakebackForbidden,
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
    /// The server itself sees when a flag falls.
    #[error("in this game the server notices a fallen flag by itself")]
    FlagsAreNoticed,
    /// There is time left.
    #[error("no flag is down")]
    FlagNotDown,
    /// The own clock has run out.
    #[error("your own flag is down")]
    OwnFlagDown,
    /// The server itself sees illegal moves.
    #[error("in this game the server notices an illegal move by itself")]
    IllegalMovesAreNoticed,
    /// There is no move to claim against.
    #[error("there is no move to claim against")]
    NothingToClaim,
    /// The claim is wrong, and costs nothing in this game.
    #[error("your opponent's move was legal")]
    MoveWasLegal,
    /// Nothing is claimed for a lost connection.
    #[error("in this game a lost connection is left to the clock")]
    AbsenceIsBorne,
    /// The opponent is here, or it is not his turn.
    #[error("your opponent is not away on his own turn")]
    NotAway,
    /// He may come back yet.
    #[error("your opponent may come back yet: you can claim in {}", .wait)]
    AwayNotLongEnough {
        /// How long to wait.
        wait: Millis,
    },
    /// The terms know no quickplay finish.
    #[error("the terms of this game have no quickplay finish")]
    QuickplayOff,
    /// The terms know the draw claim only.
    #[error("in this game you may claim a draw, but not ask for an increment")]
    NoIncrementToAsk,
    /// First the increment.
    #[error("ask for an increment first; you may claim a draw when the arbiter has rejected that")]
    AskIncrementFirst,
    /// Once in a game.
    #[error("an increment was asked for in this game already")]
    IncrementWasAsked,
    /// Not in blitz, with an increment or delay, or before the last period.
    #[error("a quickplay finish is the last period of a game slower than blitz, without increment or delay")]
    NoQuickplayFinish,
    /// There is time enough.
    #[error("you have {left} left: this can be claimed with less than two minutes")]
    NotShortOfTime {
        /// What the player has left.
        left: Millis,
    },
    /// A claim waits for the arbiter already.
    #[error("a claim waits for the arbiter already")]
    ClaimWaits,
    /// The terms name none.
    #[error("this game has no arbiter to turn to")]
    NoArbiter,
    /// He was called on this move already.
    #[error("you may call the arbiter again {plies} plies from now")]
    CalledAlready {
        /// How many plies from now.
        plies: u32,
    },
    /// In this game the arbiter acts when he is called.
    #[error("in this game the arbiter acts when a player has called him")]
    NotCalled,
    /// No claim is there to be decided.
    #[error("no claim waits for the arbiter")]
    NoClaimWaits,
    /// An increment is granted or not.
    #[error("a request for an increment is granted or rejected, not put off")]
    NotPostponed,
    /// There is no such ply to go back to.
    #[error("the game is at ply {played}: there is no going back to ply {ply}")]
    NoSuchPly {
        /// The ply asked for.
        ply: u32,
        /// Plies played.
        played: u32,
    },
    /// More than a game can hold.
    #[error("a clock is changed by at most 14 days")]
    TooMuchTime,
    /// Both players together get at most a point.
    #[error("the scores are 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2")]
    NoSuchScore,
    /// No adjournment was agreed.
    #[error("nothing is to be sealed: no adjournment was agreed")]
    NothingToSeal,
    /// The other side seals.
    #[error("{sealer} seals the move")]
    NotYourEnvelope {
        /// Who does.
        sealer: Color,
    },
    /// The move goes into the envelope.
    #[error("the game is being adjourned: seal your move instead, then close the envelope")]
    SealInstead,
    /// There is no move in it.
    #[error("there is no move in the envelope: seal one first")]
    EnvelopeIsEmpty,
    /// An adjourned game goes on when both are there.
    #[error("{side} is not here: an adjourned game goes on when both players are")]
    StillAway {
        /// Who is missing.
        side: Color,
    },
    /// The record takes no more of this.
    #[error("this is not written down any more")]
    NotRecorded,
    /// Both sides have moved, or the terms allow no aborting: now it must be played, resigned or drawn.
    #[error("a game can be aborted only online and before both sides have moved; you may resign")]
    AbortTooLate,
    /// No arbiter has answered the side's last calls.
    #[error("no arbiter has answered your last calls: the clocks stop for no further one")]
    CalledInVain,
}

impl Suspension {
    /// Why the clocks are stopped, in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Restart => "the server has restarted and waits for both players",
            Self::Pause => "both players agreed on a pause",
            Self::Adjournment => "the game is adjourned",
            Self::Arbiter => "the arbiter has stopped them",
            Self::Call { .. } => "the arbiter has been called",
            Self::Claim { .. } => "a claim waits for the arbiter",
        }
    }
}

impl Refusal {
    /// The article that forbids it (`FIDE 9.1`), or the house's own rule (`L29`) where FIDE has none.
    pub fn law(&self) -> String {
        let article = match self {
            Self::NotYours | Self::NotYourTurn { .. } => "1.2",
            Self::GameOver(_) => "5",
            Self::IllegalMove(illegal) => illegal.article(),
            Self::TouchBinds { .. } | Self::TouchedAlready { .. } | Self::NobodyThere { .. } => "4.3",
            Self::AdjustedEnough => "11.5",
            Self::ClaimAfterTouch => "9.4",
            Self::OfferTooEarly | Self::AgreementTooEarly { .. } => "9.1",
            Self::OfferStands { matter } | Self::OfferWaits { matter } | Self::NoOffer { matter } => {
                return agreement_law(*matter, "FIDE 9.1");
            }
            Self::OfferTooSoon { matter, .. } => return agreement_law(*matter, "FIDE 11.5"),
            Self::ClaimWrong { .. } => "9.5",
            Self::FlagsAreNoticed | Self::FlagNotDown | Self::OwnFlagDown => "6.8",
            Self::IllegalMovesAreNoticed | Self::NothingToClaim | Self::MoveWasLegal => "7.5",
            Self::QuickplayOff
            | Self::NoIncrementToAsk
            | Self::AskIncrementFirst
            | Self::IncrementWasAsked
            | Self::NoQuickplayFinish
            | Self::NotShortOfTime { .. }
            | Self::ClaimWaits
            | Self::NotPostponed => "G.III",
            Self::NoArbiter | Self::CalledAlready { .. } | Self::CalledInVain => "6.11.2",
            Self::NotCalled | Self::NoClaimWaits | Self::NoSuchPly { .. } | Self::TooMuchTime => "12",
            Self::NoSuchScore => "10",
            Self::NothingToSeal
            | Self::NotYourEnvelope { .. }
            | Self::SealInstead
            | Self::EnvelopeIsEmpty
            | Self::StillAway { .. } => "G.I",
            Self::TouchMoveOff => return "L30".to_owned(),
            Self::TakebackTooFar { .. } | Self::TakebackForbidden => return "L61".to_owned(),
            Self::AbsenceIsBorne | Self::NotAway | Self::AwayNotLongEnough { .. } => return "L60".to_owned(),
            Self::NotRecorded => return "L45".to_owned(),
            Self::Suspended { .. } | Self::NotSuspended => return "L55".to_owned(),
            Self::AbortTooLate => return "L29".to_owned(),
        };
        format!("FIDE {article}")
    }
}

/// FIDE knows agreed draws; the rest is our own.
fn agreement_law(matter: Matter, draw: &str) -> String {
    match matter {
        Matter::Draw => draw.to_owned(),
        Matter::Takeback => "L61".to_owned(),
        Matter::Pause | Matter::Adjournment => "L62".to_owned(),
    }
}
