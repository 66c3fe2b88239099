//! How a time control stands in a journal and on the wire: read only through its checked constructors.

use super::{Bonus, Kind, Period, TimeControl, TimeControlError};
use crate::game::time::Millis;
use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use std::num::NonZeroU16;

#[derive(Clone, Copy, PartialEq, Eq, Encode, Decode)]
enum Written {
    Periods([Option<WrittenPeriod>; TimeControl::PERIODS_MAX]),
    Hourglass { base: Millis },
    Days(u8),
    Unlimited,
}

#[derive(Clone, Copy, PartialEq, Eq, Encode, Decode)]
struct WrittenPeriod {
    moves: Option<NonZeroU16>,
    time: Millis,
    bonus: Bonus,
}

impl Written {
    fn of(control: TimeControl) -> Self {
        match control.kind {
            Kind::Periods(list) => Self::Periods(list.map(|period| period.map(WrittenPeriod::of))),
            Kind::Hourglass { .. } => Self::Hourglass { base: control.allowance() },
            Kind::Days(days) => Self::Days(days),
            Kind::Unlimited => Self::Unlimited,
        }
    }

    fn control(self) -> Result<TimeControl, TimeControlError> {
        match self {
            Self::Periods(list) => {
                let periods: Result<Vec<Period>, _> =
                    list.iter().flatten().map(|written| written.period()).collect();
                TimeControl::with_periods(&periods?)
            }
            Self::Hourglass { base } => TimeControl::hourglass(base),
            Self::Days(days) => TimeControl::days(days),
            Self::Unlimited => Ok(TimeControl::UNLIMITED),
        }
    }
}

impl WrittenPeriod {
    fn of(period: Period) -> Self {
        Self { moves: period.moves(), time: period.time(), bonus: period.bonus() }
    }

    fn period(self) -> Result<Period, TimeControlError> {
        Period::new(self.moves, self.time, self.bonus)
    }
}

impl Encode for TimeControl {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        Written::of(*self).encode(encoder)
    }
}

impl<Context> Decode<Context> for TimeControl {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let written = Written::decode(decoder)?;
        let control = written.control().map_err(|error| DecodeError::OtherString(error.to_string()))?;
        if Written::of(control) == written {
            Ok(control)
        } else {
            Err(DecodeError::Other("a time control has one writing, without gaps or empty bonuses"))
        }
    }
}

bincode::impl_borrow_decode!(TimeControl);
