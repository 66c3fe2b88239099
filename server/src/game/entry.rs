//! What the journal holds of an event: the event, and what it takes to answer for it later.

use crate::store::{EventKind, JournalRow, Phase};
use crate::timeline::ServerInstant;
use chatrang_protocol::codec::{self, CodecError, Decode, Encode};
use chatrang_protocol::ids::{AccountId, GameId, IntentId, Seq};
use chatrang_rules::color::ByColor;
use chatrang_rules::game::{Action, Event};

/// Longest payload of a journal row, in bytes: room for the longest reason beside the largest numbers.
pub const ENTRY_BYTES_MAX: usize = 512;

/// The payload of one journal row. Golden bytes guard it: old journals must open for ever.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
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
        Action::Proposed(_) => 2,
        Action::Declined(_) => 3,
        Action::Accepted(_) => 4,
        Action::DrawClaimed { .. } => 5,
        Action::Resigned => 6,
        Action::Aborted => 7,
        Action::TimeRanOut => 8,
        Action::Suspended(_) => 9,
        Action::Continued => 10,
        Action::MovePutBack { .. } => 11,
        Action::Touched(_) => 12,
        Action::Adjusted(_) => 13,
        Action::DrawClaimedWrongly { .. } => 14,
        Action::FlagClaimed => 15,
        Action::BothFlagsDown => 16,
        Action::IllegalMoveClaimed => 17,
        Action::IllegalMoveClaimedWrongly { .. } => 18,
        Action::AbsenceClaimed(_) => 19,
        Action::QuickplayClaimed(_) => 20,
        Action::Sealed(_) => 21,
        Action::EnvelopeClosed => 22,
        Action::Resumed { .. } => 23,
        Action::ArbiterCalled(_) => 24,
        Action::AbsenceEnded => 25,
        Action::Left(_) => 26,
        Action::Returned(_) => 27,
        Action::Ruled(_) => 28,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatrang_rules::color::Color;
    use chatrang_rules::game::{
        AbsenceClaim, ClockReading, Decision, Game, GameInstant, Irregularity, Matter, Millis, Order, Party,
        PeriodPlace, Proposal, QuickplayClaim, Reason, Suspension, Terms,
    };
    use chatrang_rules::moves::Move;
    use chatrang_rules::outcome::{Detail, GameResult, Termination};
    use chatrang_rules::square::Square;

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

    /// The same as the house's or the arbiter's doing.
    fn done_by(by: Party, action: Action, end: Option<GameResult>) -> Entry {
        match happened(action, end) {
            Entry::Happened { event, .. } => Entry::Happened { cause: None, event: Event { by, ..event } },
            begun @ Entry::Begun { .. } => begun,
        }
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn reason() -> Reason {
        "noise".parse().unwrap()
    }

    /// One entry for every action, in the order of the numbers that their rows show.
    fn entries() -> Vec<Entry> {
        let terms = Terms::online("5+3".parse().unwrap());
        let seats = ByColor { white: AccountId(1), black: AccountId(2) };
        let e4 = Move::normal(square("e2"), square("e4"));
        let (charged, credit, house) = (Millis(1_200), Millis(25), Millis(34));
        let draw = |termination| Some(GameResult::draw(termination));
        let win = |termination| Some(GameResult::win(Color::Black, termination));
        let cannot_mate = GameResult {
            detail: Detail::OpponentCannotMate { side: Color::White },
            ..GameResult::draw(Termination::FlagFall)
        };
        let penalty = Millis(60_000);
        let by_house = |action| done_by(Party::House, action, None);
        let add = Order::AddTime { side: Color::Black, span: penalty };
        vec![
            Entry::Begun { seats, event: Game::first_event(terms) },
            happened(Action::Moved { mv: e4, charged, credit, house, irregularity: None }, None),
            happened(Action::Proposed(Proposal::Draw), None),
            happened(Action::Declined(Matter::Draw), None),
            happened(Action::Accepted(Proposal::Draw), draw(Termination::Agreement)),
            happened(Action::DrawClaimed { intended: Some(e4) }, draw(Termination::ThreefoldRepetition)),
            happened(Action::Resigned, win(Termination::Resignation)),
            happened(Action::Aborted, Some(GameResult::none(Termination::Aborted))),
            happened(Action::TimeRanOut, Some(cannot_mate)),
            by_house(Action::Suspended(Suspension::Restart)),
            by_house(Action::Continued),
            happened(Action::MovePutBack { mv: e4, count: 1, penalty }, None),
            happened(Action::Touched(square("g1")), None),
            happened(Action::Adjusted(square("g1")), None),
            happened(Action::DrawClaimedWrongly { played: Some(e4), illegal: None, penalty }, None),
            happened(Action::FlagClaimed, win(Termination::FlagFall)),
            happened(Action::BothFlagsDown, None),
            happened(Action::IllegalMoveClaimed, win(Termination::IllegalMoves)),
            happened(Action::IllegalMoveClaimedWrongly { penalty }, None),
            happened(Action::AbsenceClaimed(AbsenceClaim::Win), win(Termination::Absence)),
            happened(Action::QuickplayClaimed(QuickplayClaim::NoWinning), None),
            happened(Action::Sealed(e4), None),
            happened(Action::EnvelopeClosed, None),
            happened(Action::Resumed { sealed: Some(e4) }, None),
            happened(Action::ArbiterCalled(reason()), None),
            done_by(Party::House, Action::AbsenceEnded, win(Termination::Absence)),
            by_house(Action::Left(Color::White)),
            by_house(Action::Returned(Color::White)),
            done_by(Party::Arbiter, Action::Ruled(Decision { order: add, reason: reason() }), None),
        ]
    }

    /// Journals of a shipped version must open for ever: these bytes change only together with the
    /// data version.
    #[test]
    fn entries_keep_their_bytes() {
        let shown: Vec<String> = entries().iter().map(hex).collect();
        assert_eq!(shown, GOLDEN);
    }

    #[test]
    fn entries_are_read_as_they_were_written_and_know_their_kind() {
        for (number, entry) in (0..).zip(entries()) {
            let bytes = codec::encode(&entry, ENTRY_BYTES_MAX).unwrap();
            assert_eq!(codec::decode::<Entry>(&bytes).as_ref(), Ok(&entry));
            assert_eq!(kind(&entry.event().action), EventKind(number));
        }
    }

    /// The longest reason, and the largest number wherever there is one.
    #[test]
    fn the_longest_entry_has_room() {
        let reason: Reason = "x".repeat(Reason::BYTES_MAX).parse().unwrap();
        let span = Millis(u64::MAX);
        let decision = Decision { order: Order::SetClock { side: Color::Black, left: span }, reason };
        let irregularity = Some(Irregularity::Unpromoted { count: u8::MAX, penalty: span });
        let mv = Move::normal(square("h8"), square("h7"));
        for action in [
            Action::Ruled(decision.clone()),
            Action::ArbiterCalled(decision.reason),
            Action::Moved { mv, charged: span, credit: span, house: span, irregularity },
        ] {
            let entry = Entry::Happened {
                cause: Some(Cause { account: AccountId(u64::MAX), intent: IntentId(u64::MAX) }),
                event: Event {
                    at: GameInstant(u64::MAX),
                    by: Party::Arbiter,
                    action,
                    clocks: ClockReading {
                        left: ByColor::from_fn(|_| span),
                        running: Some(Color::Black),
                        bank: ByColor::from_fn(|_| span),
                        period: ByColor::from_fn(|_| PeriodPlace { index: u8::MAX, moves_before: u16::MAX }),
                        thought: span,
                        overrun: ByColor::from_fn(|_| span),
                    },
                    end: Some(GameResult::draw(Termination::ArbiterRuling)),
                },
            };
            assert!(codec::encode(&entry, ENTRY_BYTES_MAX).is_ok(), "{entry:?}");
        }
    }

    const GOLDEN: [&str; 29] = [
        "000102000200000100fce093040001fbb80b000000000100fce093040001fbb80b000000000000000000000000000100fb60ea010000fce0930400fce09304000100fbb80bfbb80b0000000000000000",
        "01010107fbd204000001fb0c07fbb004192200fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000500fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000600fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000700fce89a0400fce093040000fb870ffbb80b00000000000000010101010400",
        "01010107fbd20400000801fb0c07fce89a0400fce093040000fb870ffbb80b00000000000000010101010500",
        "01010107fbd204000014fce89a0400fce093040000fb870ffbb80b00000000000000010100020300",
        "01010107fbd204000015fce89a0400fce093040000fb870ffbb80b0000000000000001000a00",
        "01010107fbd204000016fce89a0400fce093040000fb870ffbb80b0000000000000001010101090100",
        "0100fbd204021800fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "0100fbd2040219fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000002fb0c0701fb60eafce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000306fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000406fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000901fb0c0700fb60eafce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000afce89a0400fce093040000fb870ffbb80b00000000000000010100020900",
        "01010107fbd20400000bfce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000cfce89a0400fce093040000fb870ffbb80b00000000000000010100020c00",
        "01010107fbd20400000dfb60eafce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400000e00fce89a0400fce093040000fb870ffbb80b00000000000000010100020e00",
        "01010107fbd20400000f01fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000010fb0c07fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000011fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd20400001201fb0c07fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "01010107fbd204000013056e6f697365fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "0100fbd2040217fce89a0400fce093040000fb870ffbb80b00000000000000010100020e00",
        "0100fbd204021a00fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "0100fbd204021b00fce89a0400fce09304000101fb870ffbb80b0000000000000000",
        "0100fbd204011c0201fb60ea056e6f697365fce89a0400fce09304000101fb870ffbb80b0000000000000000",
    ];
}
