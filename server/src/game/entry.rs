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
    use chatrang_rules::game::{ClockReading, Game, GameInstant, Millis, Party, Suspension, Terms};
    use chatrang_rules::moves::Move;
    use chatrang_rules::outcome::{Detail, GameResult, Termination};

    fn hex(entry: &Entry) -> String {
        let bytes = codec::encode(entry, ENTRY_BYTES_MAX).unwrap();
        bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    fn happened(action: Action, end: Option<GameResult>) -> Entry {
        Entry::Happened {
            cause: Some(Cause { account: AccountId(1), intent: IntentId(7) }),
            event: Event {
                at: GameInstant(1_234),
                by: Party::Player(Color::White),
                action,
                clocks: ClockReading {
                    left: ByColor { white: Millis(301_800), black: Millis(300_000) },
                    running: end.is_none().then_some(Color::Black),
                    bank: ByColor { white: Millis(3_975), black: Millis(3_000) },
                    period: ByColor::default(),
                    thought: Millis::ZERO,
                    overrun: ByColor::default(),
                },
                end,
            },
        }
    }

    /// One entry for every action, with the number its row shows.
    fn entries() -> Vec<(u8, Entry)> {
        let terms = Terms { controls: "5+3".parse().unwrap(), first_move: Millis::from_seconds(60) };
        let seats = ByColor { white: AccountId(1), black: AccountId(2) };
        let e4 = Move::normal("e2".parse().unwrap(), "e4".parse().unwrap());
        let moved = Action::Moved { mv: e4, charged: Millis(1_200), credit: Millis(25), house: Millis(34) };
        let named = Action::DrawClaimed { intended: Some(e4) };
        let draw = |termination| Some(GameResult::draw(termination));
        let cannot_mate = GameResult {
            detail: Detail::OpponentCannotMate { side: Color::White },
            ..GameResult::draw(Termination::FlagFall)
        };
        let suspended = Entry::Happened {
            cause: None,
            event: Event {
                by: Party::House,
                ..*happened(Action::Suspended(Suspension::Restart), None).event()
            },
        };
        vec![
            (0, Entry::Begun { seats, event: Game::first_event(terms) }),
            (1, happened(moved, None)),
            (2, happened(Action::DrawOffered, None)),
            (3, happened(Action::DrawDeclined, None)),
            (4, happened(Action::DrawAccepted, draw(Termination::Agreement))),
            (5, happened(named, draw(Termination::ThreefoldRepetition))),
            (6, happened(Action::Resigned, Some(GameResult::win(Color::Black, Termination::Resignation)))),
            (7, happened(Action::Aborted, Some(GameResult::none(Termination::Aborted)))),
            (8, happened(Action::TimeRanOut, Some(cannot_mate))),
            (9, suspended),
            (10, happened(Action::Continued, None)),
        ]
    }

    /// Journals of a shipped version must open for ever: these bytes change only together with the
    /// data version.
    #[test]
    fn entries_keep_their_bytes() {
        let shown: Vec<(u8, String)> =
            entries().iter().map(|(number, entry)| (*number, hex(entry))).collect();
        let golden: Vec<(u8, String)> = (0..).zip(GOLDEN.map(str::to_owned)).collect();
        assert_eq!(shown, golden);
    }

    #[test]
    fn entries_are_read_as_they_were_written_and_know_their_kind() {
        for (number, entry) in entries() {
            let bytes = codec::encode(&entry, ENTRY_BYTES_MAX).unwrap();
            assert_eq!(codec::decode::<Entry>(&bytes), Ok(entry));
            assert_eq!(kind(&entry.event().action), EventKind(number));
        }
    }

    const GOLDEN: [&str; 11] = [
        "000102000100000100fce093040001fbb80b000000000100fce093040001fbb80b00000000fb60eafce0930400fce09304000100fbb80bfbb80b0000000000000000",
        "01010107fbd204000001fb0c07fbb0041922fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000002fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000003fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000004fce89a0400fce093040000fb870ffbb80b00000000000000010101010400",
        "01010107fbd20400000501fb0c07fce89a0400fce093040000fb870ffbb80b00000000000000010101010500",
        "01010107fbd204000006fce89a0400fce093040000fb870ffbb80b00000000000000010100020300",
        "01010107fbd204000007fce89a0400fce093040000fb870ffbb80b0000000000000001000a00",
        "01010107fbd204000008fce89a0400fce093040000fb870ffbb80b0000000000000001010101090100",
        "0100fbd204010900fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000afce89a0400fce09304000101fb870ffbb80b0000000000000000",
    ];
}
