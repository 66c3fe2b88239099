//! What a server says on the stream of a game: all that a screen needs, so that a client decides no
//! rule of its own.

use crate::chat::ChatLine;
use crate::codec::{Decode, Encode, List, Text};
use crate::ids::{AccountId, GameId, Handle, IntentId, Seq};
use crate::intent::IntentError;
use crate::limits;
use crate::role::Role;
use crate::talk::{RematchNews, TalkAnswer};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Claim, ClockReading, Event, Millis, Suspension, Terms};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::GameResult;

/// A move in SAN.
pub type SanText = Text<{ limits::SAN_BYTES_MAX }>;

/// A frame of a game's stream, from the server.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum GameFrame {
    /// The whole game: the answer to an attach, and to a listener that fell behind.
    Snapshot(Snapshot),
    /// Something has happened.
    Update(Update),
    /// What came of an intent.
    Answer(Answer),
    /// A player's connection came or went.
    Presence {
        /// Which player.
        color: Color,
        /// Where he is now.
        presence: Presence,
    },
    /// The attach was refused, and the stream ends.
    Refused(AttachError),
    /// What people say: a line as it is said or, to a new listener, those that are kept. A listener
    /// that comes back may get lines that it has heard before.
    Chat(List<ChatLine, { limits::CHAT_LINES_SENT_MAX }>),
    /// What came of something that was said.
    Talked(TalkAnswer),
    /// How it stands with a rematch.
    Rematch(RematchNews),
}

/// A whole game as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Snapshot {
    /// Its number.
    pub game: GameId,
    /// The last event that it contains.
    pub seq: Seq,
    /// The side this client plays; none for a spectator.
    pub seat: Option<Color>,
    /// Who plays.
    pub players: ByColor<PlayerView>,
    /// Where they are.
    pub presence: ByColor<Presence>,
    /// What was agreed.
    pub terms: Terms,
    /// The moves made so far.
    pub played: List<PlayedView, { limits::PLIES_MAX }>,
    /// The state of the board and the clocks.
    pub state: StateView,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PlayerView {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub handle: Handle,
    /// Whether it is a person, a bot, an official.
    pub role: Role,
}

/// Where a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Presence {
    /// Connected, with the game open.
    Here,
    /// Away for so long already.
    Away {
        /// Since when, in milliseconds before the message.
        for_ms: u64,
    },
}

/// A move of the game's history.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PlayedView {
    /// The move.
    pub mv: Move,
    /// In SAN.
    pub san: SanText,
    /// What the mover had left after it.
    pub left: Millis,
}

/// An event, and what it makes of the game.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Update {
    /// Its place in the game's journal: a gap is visible.
    pub seq: Seq,
    /// The intent that caused it, if one did.
    pub intent: Option<IntentId>,
    /// What happened.
    pub event: Event,
    /// The move in SAN, when it was one.
    pub san: Option<SanText>,
    /// The state afterwards.
    pub state: StateView,
}

/// The state of board, clocks and offers between two events.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StateView {
    /// The position, all six fields.
    pub fen: Text<{ limits::FEN_BYTES_MAX }>,
    /// Plies made so far.
    pub ply: u32,
    /// Whose turn it is.
    pub turn: Color,
    /// Whether the king of the side to move is attacked.
    pub in_check: bool,
    /// Every legal move with its SAN; none when the game is over.
    pub legal: List<LegalMove, { limits::LEGAL_MOVES_MAX }>,
    /// Both clocks as they read when the message was sent; the running one runs on from there.
    pub clocks: ClockReading,
    /// Who has offered a draw that still stands.
    pub draw_offer: Option<Color>,
    /// The claims that would succeed for the side to move.
    pub claims: List<Claim, { limits::CLAIMS_MAX }>,
    /// How often the position has occurred.
    pub repetitions: u32,
    /// Plies without a pawn's move or a capture.
    pub halfmove_clock: u32,
    /// Why the house has stopped the clocks, if it has.
    pub suspension: Option<Suspension>,
    /// How the game ended, if it has.
    pub result: Option<GameResult>,
}

/// A legal move as a client looks it up.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct LegalMove {
    /// The move to send.
    pub mv: Move,
    /// In SAN.
    pub san: SanText,
}

/// What came of an intent.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Answer {
    /// Which intent.
    pub intent: IntentId,
    /// The event it caused, durable by now; or why it caused none.
    pub outcome: Result<Seq, IntentError>,
}

/// Why a game cannot be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Encode, Decode)]
pub enum AttachError {
    /// There is no such game.
    #[error("there is no such game on this server")]
    NoSuchGame,
    /// As many watch it as may.
    #[error("as many watch this game as may: try again later")]
    TooManyListeners,
    /// The server could not read the game from its store.
    #[error("the server cannot read this game from its store at the moment: try again later")]
    StoreUnavailable,
}
