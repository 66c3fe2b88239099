//! What the journal holds of an event: the event, and what it takes to answer for it later.

use crate::store::{EventKind, JournalRow, Phase};
use crate::timeline::ServerInstant;
use chatrang_protocol::codec::{self, CodecError, Decode, Encode};
use chatrang_protocol::ids::{AccountId, GameId, IntentId, Seq};
use chatrang_rules::color::ByColor;
use chatrang_rules::game::{Action, Event};

/// Longest payload of a journal row, in bytes.
pub const ENTRY_BYTES_MAX: usize = 512;

/// The payload of one journal row. Golden bytes guard it: old journals must open for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Entry {
    /// The game's first event.
    Begun {
        /// Who plays.
        seats: ByColor<AccountId>,
        /// The start.
        event: Event,
    },
    /// Every later event.
    Happened {
        /// Who asked for it and by which intent, so that the same intent gets the same answer even
        /// after a crash; none when the house did it.
        cause: Option<Cause>,
        /// What happened.
        event: Event,
    },
}

/// Whose intent caused an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Cause {
    /// The account.
    pub account: AccountId,
    /// Its intent.
    pub intent: IntentId,
}

impl Entry {
    /// The event.
    pub fn event(&self) -> &Event {
        match self {
            Self::Begun { event, .. } | Self::Happened { event, .. } => event,
        }
    }

    /// Whose intent caused it.
    pub fn cause(&self) -> Option<Cause> {
        match self {
            Self::Begun { .. } => None,
            Self::Happened { cause, .. } => *cause,
        }
    }

    /// The row that the store appends for it.
    ///
    /// # Errors
    /// [`CodecError`] only by a fault of this program: every event has an encoding far below the limit.
    pub fn row(&self, place: Place, phase: Phase) -> Result<JournalRow, CodecError> {
        Ok(JournalRow {
            game: place.game,
            seq: place.seq,
            ply: place.ply,
            kind: kind(&self.event().action),
            phase,
            at: place.created.plus_ms(self.event().at.0),
            payload: codec::encode(self, ENTRY_BYTES_MAX)?,
        })
    }
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its game.
    pub game: GameId,
    /// When the game was created: game time counts from here.
    pub created: ServerInstant,
    /// Its place in the game's journal.
    pub seq: Seq,
    /// Plies made before it.
    pub ply: u32,
}

/// The kind that a row shows to whoever looks into the database with other tools.
fn kind(action: &Action) -> EventKind {
    EventKind(match action {
        Action::Started(_) => 0,
        Action::Moved { .. } => 1,
        Action::DrawOffered => 2,
        Action::DrawDeclined => 3,
        Action::DrawAccepted => 4,
        Action::DrawClaimed { .. } => 5,
        Action::Resigned => 6,
        Action::Aborted => 7,
        Action::TimeRanOut => 8,
        Action::Suspended(_) => 9,
        Action::Continued => 10,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_rules::color::Color;
    use chatrang_rules::game::{ClockReading, Game, GameInstant, Millis, Party, Terms};
    use chatrang_rules::moves::Move;

    fn hex(entry: &Entry) -> String {
        let bytes = codec::encode(entry, ENTRY_BYTES_MAX).unwrap();
        bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    /// Journals of a shipped version must open for ever: these bytes change only together with the
    /// data version.
    #[test]
    fn entries_keep_their_bytes() {
        let terms = Terms { time_control: "5+3".parse().unwrap(), first_move: Millis::from_seconds(60) };
        let begun = Entry::Begun {
            seats: ByColor { white: AccountId(1), black: AccountId(2) },
            event: Game::first_event(terms),
        };
        let moved = Entry::Happened {
            cause: Some(Cause { account: AccountId(1), intent: IntentId(7) }),
            event: Event {
                at: GameInstant(1_234),
                by: Party::Player(Color::White),
                action: Action::Moved {
                    mv: Move::normal("e2".parse().unwrap(), "e4".parse().unwrap()),
                    charged: Millis(1_200),
                    house: Millis(34),
                },
                clocks: ClockReading {
                    left: ByColor { white: Millis(301_800), black: Millis(300_000) },
                    running: Some(Color::Black),
                },
                end: None,
            },
        };
        assert_eq!(hex(&begun), BEGUN);
        assert_eq!(hex(&moved), MOVED);
        for entry in [begun, moved] {
            let bytes = codec::encode(&entry, ENTRY_BYTES_MAX).unwrap();
            assert_eq!(codec::decode::<Entry>(&bytes), Ok(entry));
        }
    }

    const BEGUN: &str = "000102000100fce0930400fbb80bfb60eafce0930400fce0930400010000";
    const MOVED: &str = "01010107fbd204000001fb0c07fbb00422fce89a0400fce0930400010100";
}
