//! What a server says on the stream of a game: all that a screen needs, so that a client decides no
//! rule of its own.

use crate::chat::ChatLine;
use crate::codec::{self, Decode, Encode, List, ShortText, Text};
use crate::ids::{AccountId, GameId, Handle, IntentId, Seq};
use crate::intent::IntentError;
use crate::limits;
use crate::role::Role;
use crate::talk::{RematchNews, TalkAnswer};
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{
    Claim, ClockReading, Event, Matter, Millis, Proposal, QuickplayClaim, Suspension, Terms,
};
use chatrang_rules::moves::Move;
use chatrang_rules::outcome::GameResult;
use chatrang_rules::square::Square;

/// A move in SAN.
pub type SanText = ShortText<{ limits::SAN_BYTES_MAX }>;

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

impl GameFrame {
    /// How many kinds of frames this version knows.
    const KINDS: u32 = 8;

    /// Whether a message is a frame of a kind that only later versions know.
    #[cfg_attr(not(feature = "net"), expect(dead_code, reason = "only the client asks"))]
    pub(crate) fn is_later(message: &[u8]) -> bool {
        codec::beginning::<u32>(message).is_some_and(|kind| kind >= Self::KINDS)
    }
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
    pub event: EventView,
    /// The move that it has made on the board, if it has made one: also one that a wrong claim has named,
    /// or that came out of an envelope.
    pub played: Option<PlayedView>,
    /// The state afterwards. A ply that is not one more than before means that moves were taken back.
    pub state: StateView,
}

impl Update {
    /// Brings a list of the moves made up to this update: some may have been taken back, and one may have
    /// been made.
    pub fn play_onto(&self, played: &mut Vec<PlayedView>) {
        let made = usize::from(self.played.is_some());
        played.truncate((self.state.ply as usize).saturating_sub(made));
        played.extend(self.played.clone());
    }
}

/// What happened, as far as the listener may know it.
#[expect(clippy::large_enum_variant, reason = "nearly every event is open, and none is kept in number")]
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum EventView {
    /// All of it.
    Open(Event),
    /// A move was put into the envelope: which one, only its sealer is told (FIDE G.I).
    Sealed {
        /// Whose move it is.
        by: Color,
    },
}

impl EventView {
    /// The event, if all of it may be known.
    pub fn open(&self) -> Option<&Event> {
        match self {
            Self::Open(event) => Some(event),
            Self::Sealed { .. } => None,
        }
    }
}

/// The state of the board, the clocks and all that stands between the players, between two events.
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
    /// Every legal move with its SAN that the men touched leave; none when the game is over.
    pub legal: List<LegalMove, { limits::LEGAL_MOVES_MAX }>,
    /// The men that the side to move has touched with intent, in order.
    pub touched: List<Square, { limits::TOUCHED_MAX }>,
    /// Both clocks as they read when the message was sent; the running one runs on from there.
    pub clocks: ClockReading,
    /// What stands proposed, at most one proposal a matter.
    pub proposals: List<ProposalView, { limits::MATTERS }>,
    /// The claims of each side that would have succeeded when the message was sent. Time alone may add to
    /// them: a flag falls, an absence grows long.
    pub claims: ByColor<List<Claim, { limits::CLAIMS_MAX }>>,
    /// How many illegal moves of each side were counted (FIDE 7.5.5).
    pub illegal_moves: ByColor<u8>,
    /// How often the position has occurred.
    pub repetitions: u32,
    /// Plies without a pawn's move or a capture.
    pub halfmove_clock: u32,
    /// Why the clocks are stopped, if they are.
    pub suspension: Option<Suspension>,
    /// The envelope of a game that is being adjourned with a sealed move, or is.
    pub envelope: Option<EnvelopeView>,
    /// The claim that an arbiter is to decide, whether the clocks wait for it or not.
    pub claim_waiting: Option<ClaimView>,
    /// How long each side has been away, by the game's record; none for who is here.
    pub absent_for: ByColor<Option<Millis>>,
    /// How the game ended, if it has.
    pub result: Option<GameResult>,
}

impl StateView {
    /// What stands proposed in a matter.
    pub fn proposal(&self, matter: Matter) -> Option<ProposalView> {
        self.proposals.iter().find(|standing| standing.proposal.matter() == matter).copied()
    }

    /// Who has offered a draw that still stands.
    pub fn draw_offer(&self) -> Option<Color> {
        self.proposal(Matter::Draw).map(|standing| standing.by)
    }
}

/// Something that stands proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct ProposalView {
    /// Who has proposed it.
    pub by: Color,
    /// What.
    pub proposal: Proposal,
}

/// An envelope, from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct EnvelopeView {
    /// Whose move goes into it.
    pub sealer: Color,
    /// Whether there is one in it.
    pub content: EnvelopeContent,
}

/// Whether there is a move in an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum EnvelopeContent {
    /// Not yet.
    Empty,
    /// There is. Until the envelope is closed it may be replaced.
    Move,
}

/// A claim that waits for an arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct ClaimView {
    /// Whose.
    pub by: Color,
    /// Which.
    pub claim: QuickplayClaim,
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
    /// The server's own fault keeps it from playing this game; all of it is kept.
    #[error(
        "the server has set this game aside after a fault of its own: its clocks stand still until the server \
         is started again; tell its operator"
    )]
    SetAside,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::CodecError;

    #[test]
    fn only_kinds_of_frames_that_this_version_does_not_know_are_later() {
        let last = [GameFrame::KINDS as u8 - 1];
        assert!(
            matches!(codec::decode::<GameFrame>(&last), Err(CodecError::Malformed(_))),
            "cut off, and known"
        );
        assert!(!GameFrame::is_later(&last));
        let later = [GameFrame::KINDS as u8, 1, 2, 3];
        assert_eq!(codec::decode::<GameFrame>(&later), Err(CodecError::UnknownVariant));
        assert!(GameFrame::is_later(&later));
        assert!(!GameFrame::is_later(&[]));
    }
}
