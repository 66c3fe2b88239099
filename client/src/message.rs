//! What the model hears, what it wants done, and what it has to tell: the vocabulary between the pure
//! middle of the program and its edges.

use crate::fault::{Exit, Fault};
use crate::words::Question;
use chatrang_protocol::chat::ChatLine;
use chatrang_protocol::ids::{GameId, Handle};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_protocol::lobby::{InvitationView, Proposal};
use chatrang_protocol::talk::{RematchNews, Talk, TalkError};
use chatrang_protocol::view::{Presence, Snapshot, Update};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Event, Matter, Millis, Proposal as Offer, Suspension};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::GameResult;
use chatrang_rules::square::Square;
use tui_input::InputRequest;

/// Milliseconds since the program started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl Moment {
    /// How long ago `earlier` was; nothing if it was not.
    pub fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }

    /// The moment a span later.
    #[must_use]
    pub fn plus(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

/// Names an intent of this program's run, so that its answer finds the text that asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// What a player wants of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Something in the game.
    Act {
        /// The name under which its answer is reported.
        ticket: Ticket,
        /// What.
        intent: Intent,
    },
    /// Something beside it.
    Talk {
        /// The name under which its answer is reported.
        ticket: Ticket,
        /// What.
        talk: Talk,
    },
    /// To play by the terms that he was shown, before there is a game.
    AcceptTerms,
}

/// Something the model hears.
#[derive(Clone, Debug)]
pub enum Message {
    /// It is so late now. Comes before every other message, and while a clock is shown.
    Time(Moment),
    /// The server, or the road to it, has news.
    Report(Report),
    /// The player typed a line.
    Typed(String),
    /// The player did something on the screen.
    Gesture(Gesture),
    /// The player pressed Ctrl-C.
    Interrupt,
}

/// News of the server or of the road to it.
#[derive(Clone, Debug)]
pub enum Report {
    /// The server let the player in.
    Entered {
        /// Where it is, as the player names it.
        server: String,
        /// The player's name there.
        handle: Handle,
    },
    /// The own server has a line to send to a friend.
    Invited(Invitation),
    /// The server looks for an opponent.
    Seeking(Proposal),
    /// Somebody proposes a game to the player.
    Proposed {
        /// Who, and what.
        invitation: Box<InvitationView>,
        /// Whether the player still has to agree.
        consent: Consent,
    },
    /// A whole game, when it is opened and whenever the server has to begin again.
    Snapshot {
        /// The game.
        snapshot: Box<Snapshot>,
        /// How long it was under way, as well as that is known.
        lag: Millis,
    },
    /// Something happened in the game.
    Update {
        /// What.
        update: Box<Update>,
        /// How long it was under way, as well as that is known.
        lag: Millis,
    },
    /// What came of an intent.
    Answer {
        /// Which.
        ticket: Ticket,
        /// Why it was not carried out, if it was not.
        outcome: Result<(), IntentError>,
    },
    /// A player came or went.
    Presence {
        /// Which.
        color: Color,
        /// Where he is now.
        presence: Presence,
    },
    /// What people said.
    Chat(Vec<ChatLine>),
    /// What came of something that the player said.
    Talked {
        /// Which.
        ticket: Ticket,
        /// Why it was not said, if it was not.
        outcome: Result<(), TalkError>,
    },
    /// How it stands with a rematch.
    Rematch(RematchNews),
    /// The connection is lost; the link tries to get it back.
    ConnectionLost,
    /// The connection is back.
    ConnectionBack,
    /// The server's store is full: all its clocks stand still.
    StoreFull,
    /// The store has room again: the clocks run on.
    StoreRecovered,
    /// Something the player should know, in a whole sentence.
    Remark(String),
    /// There is nothing to play or watch, and nothing wrong with that; in a whole sentence.
    NothingToDo(String),
    /// It cannot go on.
    Failed(Fault),
}

/// Whether a player has to agree to the terms before he plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// The link waits for it.
    Needed,
    /// He has, on the command line, or the terms are the usual ones.
    Given,
}

/// A line for a friend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Where the server is and how to know it, without the command.
    pub line: String,
    /// What the friend does with it.
    pub friend: Friend,
}

/// What a friend does with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Friend {
    /// He joins, and the game that is proposed to him begins.
    Joins(Proposal),
    /// He comes back to the game that goes on, if he has lost its line.
    ComesBack,
}

/// Why both clocks stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// For something in the game's record.
    Suspended(Suspension),
    /// The server's store is full.
    StoreFull,
}

/// Something the player did on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Edited the input line.
    Edit(InputRequest),
    /// Pressed Enter: sends the line or, when it is empty, means the square under the cursor.
    Enter,
    /// Pressed Escape: clears the line, then the selection, then the cursor.
    Escape,
    /// Turned the board.
    Flip,
    /// Changed between chess symbols and letters.
    OtherPieces,
    /// Asked for a rematch.
    Rematch,
    /// Asked what can be said now: puts a word into the input line, and the next one when asked again.
    Suggest,
    /// Adjusted a man: on this square, or under the cursor.
    Adjust(Option<Square>),
    /// Asked for the next page of words, of so many as the screen needs; after the last it closes.
    Help {
        /// How many.
        pages: u16,
    },
    /// Moved the cursor.
    Step(Step),
    /// Clicked a square.
    Click(Square),
}

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a variant is its own name")]
pub enum Step {
    Up,
    Down,
    Left,
    Right,
}

/// Something the model wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send an intent to the server.
    Send {
        /// The name under which its answer is reported.
        ticket: Ticket,
        /// What the player wants.
        intent: Intent,
    },
    /// Tell the link that the player agrees to the terms he was shown.
    AcceptTerms,
    /// Say something at the game.
    Talk {
        /// The name under which its answer is reported.
        ticket: Ticket,
        /// What is said.
        talk: Talk,
    },
    /// Tell the player, in a line or an object. The screen needs none: it paints the model.
    Tell(News),
    /// Call the player to the board.
    Ring,
    /// End the program.
    Leave(Exit),
    /// End the program because it cannot go on.
    Fail(Fault),
}

/// Something to tell the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The server let the player in.
    Entered,
    /// There is a line to send to a friend.
    Invite(Invitation),
    /// The server looks for an opponent.
    Seeking(Proposal),
    /// Somebody proposes a game to the player.
    Proposed {
        /// Who, and what.
        invitation: Box<InvitationView>,
        /// Whether the player still has to agree.
        consent: Consent,
    },
    /// The game is on the board, for the first time or again.
    Game,
    /// A move was made.
    Moved {
        /// Whose.
        color: Color,
        /// Its place in the game, from 0.
        ply: u32,
        /// The move.
        mv: Move,
        /// In SAN.
        san: String,
        /// What the mover was not charged because the network took it.
        credit: Millis,
    },
    /// Something is proposed: a draw, a takeback, a pause, an adjournment.
    Offered {
        /// Who proposes it.
        by: Color,
        /// What.
        proposal: Offer,
    },
    /// What was proposed is declined.
    Declined {
        /// Who declines.
        by: Color,
        /// What it was about.
        matter: Matter,
    },
    /// Something else has happened in the game.
    Happened(Box<Happening>),
    /// A move was put into the envelope, which one is not said.
    Sealed {
        /// Whose.
        by: Color,
    },
    /// The opponent has been away so long that the player may claim.
    MayClaimAbsence,
    /// Somebody said something.
    Chat(ChatLine),
    /// A player asks for a rematch.
    RematchAsked {
        /// Who asks.
        by: Color,
    },
    /// Nobody asks for a rematch any more.
    RematchWithdrawn,
    /// The rematch has begun.
    RematchBegun {
        /// The new game.
        game: GameId,
    },
    /// What the player wanted was not done.
    Refused(Refused),
    /// A player is away.
    Away {
        /// Which.
        color: Color,
        /// For so long.
        span: Millis,
    },
    /// A player is back.
    Back {
        /// Which.
        color: Color,
    },
    /// The clocks stand still.
    ClocksStopped(Standstill),
    /// What had stopped them is over, and the clocks run again.
    ClocksRun(Standstill),
    /// The connection is lost.
    ConnectionLost,
    /// The connection is back.
    ConnectionBack,
    /// A running clock has come down to so many seconds.
    LowTime {
        /// Whose.
        color: Color,
        /// A round number.
        seconds: u64,
    },
    /// The player asked for something that the model knows.
    Asked(Question),
    /// Something the player should know, in a whole sentence.
    Remark(String),
    /// The game is over.
    End(GameResult),
}

/// Something that has happened in the game and is neither a move nor an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// What.
    pub event: Event,
    /// In a sentence, with its law.
    pub text: String,
}

/// What the player wanted and did not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What the player typed.
    pub input: String,
    /// The law that forbids it, or `input` when it was not understood.
    pub law: String,
    /// Why, in a sentence without a full stop.
    pub text: String,
}
