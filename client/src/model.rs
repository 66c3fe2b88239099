//! All that a face knows. Plain data: [`crate::update`] changes it, the faces read it.

pub mod game;

use crate::config::PieceStyle;
use crate::message::{Moment, Ticket};
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::{InvitationView, Proposal};
use chatrang_rules::color::Color;
use chatrang_rules::square::Square;
use game::GameModel;
use std::collections::VecDeque;
use tui_input::Input;

/// Notices kept for the screen; older ones are forgotten.
const NOTICES_MAX: usize = 8;

/// All that a face knows.
#[derive(Clone, Debug)]
pub struct Model {
    /// How late it is.
    pub now: Moment,
    /// What happens when the game is over.
    pub at_end: AtEnd,
    /// Where the server is, as the player names it; empty before he is in.
    pub server: String,
    /// The player's name on the server.
    pub handle: Option<Handle>,
    /// What the program waits for while there is no game.
    pub waiting: Waiting,
    /// The game, once it is open.
    pub game: Option<GameModel>,
    /// Whether the connection stands.
    pub connection: Connection,
    /// Intents that wait for their answer.
    pub pending: Vec<Pending>,
    /// The next ticket.
    pub next_ticket: u64,
    /// Whether the player has been asked if he really wants to leave.
    pub leaving: Leaving,
    /// What is to be read when the program has ended without a game.
    pub parting: Option<String>,
    /// What the player was last told, the newest last.
    pub notices: VecDeque<Notice>,
    /// What only a screen has.
    pub screen: ScreenModel,
}

impl Model {
    /// A model that knows nothing yet.
    pub fn new(at_end: AtEnd, screen: ScreenModel) -> Self {
        Self {
            now: Moment::default(),
            at_end,
            server: String::new(),
            handle: None,
            waiting: Waiting::Server,
            game: None,
            connection: Connection::Up,
            pending: Vec::new(),
            next_ticket: 0,
            leaving: Leaving::NotAsked,
            parting: None,
            notices: VecDeque::new(),
            screen,
        }
    }

    /// Keeps a notice for the screen.
    pub fn notice(&mut self, tone: Tone, text: impl Into<String>) {
        if self.notices.len() == NOTICES_MAX {
            self.notices.pop_front();
        }
        self.notices.push_back(Notice { tone, text: text.into() });
    }

    /// The side at the bottom of the board.
    pub fn bottom(&self) -> Color {
        let own = self.game.as_ref().and_then(|game| game.seat).unwrap_or(Color::White);
        if self.screen.flipped { !own } else { own }
    }

    /// Whether a game goes on that this player plays in.
    pub fn is_playing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.seat.is_some() && game.state.result.is_none())
    }

    /// Whether the game has a result.
    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.state.result.is_some())
    }
}

/// What happens when the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// The program ends.
    Leave,
    /// The board stays until the player leaves.
    Stay,
}

/// What the program waits for while there is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The server's welcome.
    Server,
    /// A friend, who gets a line.
    Friend {
        /// The line.
        line: String,
        /// What he is to play.
        proposal: Proposal,
    },
    /// Anyone who wants to play by these terms.
    Opponent(Proposal),
    /// The player's own consent to what is proposed to him.
    Consent(Box<InvitationView>),
    /// The game that has begun or goes on.
    Game,
}

/// Whether the connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It does.
    Up,
    /// It does not, since then; the link tries to get it back.
    Down(Moment),
}

/// An intent that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its name.
    pub ticket: Ticket,
    /// What the player typed.
    pub input: String,
}

/// Whether the player has been asked if he really wants to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Not yet.
    NotAsked,
    /// The next Ctrl-C leaves.
    Asked,
}

/// Something the player was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How it is meant.
    pub tone: Tone,
    /// A whole sentence.
    pub text: String,
}

/// How a notice is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// To know.
    Info,
    /// Something was not done.
    Refused,
    /// Something is wrong.
    Warning,
}

/// What only a screen has: the input line, the cursor, the side the board is seen from.
#[derive(Clone, Debug, Default)]
pub struct ScreenModel {
    /// The input line.
    pub input: Input,
    /// Whether the board is turned away from the player's own side.
    pub flipped: bool,
    /// How the pieces are painted.
    pub pieces: PieceStyle,
    /// Which page of words lies over the board, if one does.
    pub help: Help,
    /// Whether the player knows that touching binds.
    pub touch: TouchWarning,
    /// The square under the cursor, once the arrow keys were used.
    pub cursor: Option<Square>,
    /// The square of the man that was taken up.
    pub selected: Option<Square>,
}

/// Which page of words and keys lies over the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Help {
    /// None.
    #[default]
    Closed,
    /// This one, from 0. How many there are, the size of the screen decides.
    Open {
        /// Its number.
        page: u16,
    },
}

impl Help {
    /// The first page.
    pub const FIRST: Self = Self::Open { page: 0 };

    /// The next of so many pages, and none after the last.
    #[must_use]
    pub const fn next(self, pages: u16) -> Self {
        match self {
            Self::Closed => Self::FIRST,
            Self::Open { page } if page + 1 < pages => Self::Open { page: page + 1 },
            Self::Open { .. } => Self::Closed,
        }
    }
}

/// Whether a player was told that touching binds, before it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TouchWarning {
    /// Not yet.
    #[default]
    Due,
    /// He was.
    Given,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use chatrang_protocol::chat::{ChatLine, ChatRoom};
    use chatrang_protocol::codec::{List, Text};
    use chatrang_protocol::ids::{AccountId, GameId, Seq, TalkId};
    use chatrang_protocol::role::Role as AccountRole;
    use chatrang_protocol::view::{
        EventView, LegalMove, PlayedView, PlayerView, Presence, SanText, Snapshot, StateView, Update,
    };
    use chatrang_rules::color::ByColor;
    use chatrang_rules::game::{Action, ClockReading, Event, GameInstant, Millis, Party, Terms};
    use chatrang_rules::notation::{fen, san};
    use chatrang_rules::position::Position;
    use chatrang_rules::setup::Strictness;

    pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    pub(crate) fn position_of(fen: &str) -> Position {
        fen::parse_position(fen, Strictness::Playable).unwrap()
    }

    /// What a server would send about a position, or about one that is none and has no moves, five minutes each before the end.
    pub(crate) fn state_of(fen: &str) -> StateView {
        let legal = fen::parse_position(fen, Strictness::Playable).ok();
        let position = legal.clone().unwrap_or_else(Position::standard);
        let legal = legal.iter().flat_map(Position::legal_moves);
        let legal = legal.map(|mv| LegalMove { mv, san: SanText::cut(&san::write(&position, mv)) });
        StateView {
            fen: Text::cut(fen),
            ply: 0,
            turn: position.turn(),
            in_check: position.is_check(),
            legal: List::cut(legal.collect()),
            clocks: ClockReading::start(&"5+3".parse().unwrap()).resumed_for(position.turn()),
            touched: List::default(),
            proposals: List::default(),
            claims: ByColor::default(),
            illegal_moves: ByColor::default(),
            repetitions: 1,
            halfmove_clock: 0,
            suspension: None,
            envelope: None,
            claim_waiting: None,
            absent_for: ByColor::default(),
            result: None,
        }
    }

    /// Game 7, alice against bob at 5+3, in a position; bob is the opponent of whoever looks.
    pub(crate) fn snapshot_of(fen: &str, seat: Option<Color>) -> Snapshot {
        let player = |account, name| PlayerView {
            account: AccountId(account),
            handle: Handle::new(name).unwrap(),
            role: AccountRole::Player,
        };
        Snapshot {
            game: GameId(7),
            seq: Seq(0),
            seat,
            players: ByColor { white: player(1, "alice"), black: player(2, "bob") },
            presence: ByColor { white: Presence::Here, black: Presence::Here },
            terms: Terms::online("5+3".parse().unwrap()),
            played: List::default(),
            state: state_of(fen),
        }
    }

    /// The update that a move from the position of `state` makes.
    pub(crate) fn update_of(state: &StateView, san: &str) -> Update {
        let mut position = position_of(state.fen.as_str());
        let mover = position.turn();
        let mv = san::parse(&position, san).unwrap();
        let written = san::write(&position, mv);
        position.play(mv).unwrap();
        let mut next = state_of(&fen::write(&position));
        next.ply = state.ply + 1;
        next.clocks.left = state.clocks.left;
        Update {
            seq: Seq(u64::from(next.ply)),
            intent: None,
            event: EventView::Open(Event {
                at: GameInstant(1000),
                by: Party::Player(mover),
                action: Action::Moved {
                    mv,
                    charged: Millis(1000),
                    credit: Millis::ZERO,
                    house: Millis::ZERO,
                    irregularity: None,
                },
                clocks: next.clocks,
                end: None,
            }),
            played: Some(PlayedView { mv, san: SanText::cut(&written), left: next.clocks.left[mover] }),
            state: next,
        }
    }

    /// The update of an event that leaves the board alone.
    pub(crate) fn update_by(state: &StateView, by: Color, action: Action) -> Update {
        Update {
            seq: Seq(u64::from(state.ply) + 1),
            intent: None,
            event: EventView::Open(Event {
                at: GameInstant(2000),
                by: Party::Player(by),
                action,
                clocks: state.clocks,
                end: state.result,
            }),
            played: None,
            state: state.clone(),
        }
    }

    /// What somebody says in the players' room.
    pub(crate) fn line_of(from: &str, text: &str) -> ChatLine {
        ChatLine {
            id: TalkId(text.len() as u64),
            from: Handle::new(from).unwrap(),
            room: ChatRoom::Players,
            text: text.parse().unwrap(),
        }
    }

    #[test]
    fn only_the_latest_notices_are_kept() {
        let mut model = Model::new(AtEnd::Stay, ScreenModel::default());
        for count in 0..20 {
            model.notice(Tone::Info, count.to_string());
        }
        assert_eq!(model.notices.len(), NOTICES_MAX);
        assert_eq!(model.notices.back().unwrap().text, "19");
    }
}
