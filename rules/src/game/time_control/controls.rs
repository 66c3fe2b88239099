//! What both sides of a board have.

use super::{Kind, TimeControl, TimeControlError};
use crate::color::{ByColor, Color};
use std::ops::Index;

/// Both sides' time, and whom a draw counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode))]
pub struct Controls {
    sides: ByColor<TimeControl>,
    draw_odds: Option<Color>,
}

impl Controls {
    /// The same for both.
    pub const fn equal(control: TimeControl) -> Self {
        Self { sides: ByColor { white: control, black: control }, draw_odds: None }
    }

    /// One for each.
    ///
    /// # Errors
    /// [`TimeControlError::Hourglass`] when only one side has an hourglass.
    pub const fn odds(sides: ByColor<TimeControl>) -> Result<Self, TimeControlError> {
        if sides.white.is_hourglass() != sides.black.is_hourglass() {
            return Err(TimeControlError::Hourglass);
        }
        Ok(Self { sides, draw_odds: None })
    }

    /// The same, but a draw counts as a win of `side`; Black's in an Armageddon game.
    #[must_use]
    pub const fn with_draw_odds(self, side: Color) -> Self {
        Self { draw_odds: Some(side), ..self }
    }

    /// The one that both sides have; none when they have not the same.
    pub fn common(&self) -> Option<TimeControl> {
        (self.sides.white == self.sides.black).then_some(self.sides.white)
    }

    /// Each side's.
    pub const fn sides(&self) -> ByColor<TimeControl> {
        self.sides
    }

    /// Whom a draw counts for as a win.
    pub const fn draw_odds(&self) -> Option<Color> {
        self.draw_odds
    }

    /// Whether neither clock ever falls.
    pub const fn is_unlimited(&self) -> bool {
        matches!((self.sides.white.kind, self.sides.black.kind), (Kind::Unlimited, Kind::Unlimited))
    }
}

impl From<TimeControl> for Controls {
    fn from(control: TimeControl) -> Self {
        Self::equal(control)
    }
}

impl Index<Color> for Controls {
    type Output = TimeControl;

    fn index(&self, color: Color) -> &TimeControl {
        &self.sides[color]
    }
}

#[cfg(feature = "bincode")]
impl<Context> bincode::Decode<Context> for Controls {
    fn decode<D: bincode::de::Decoder<Context = Context>>(
        decoder: &mut D,
    ) -> Result<Self, bincode::error::DecodeError> {
        let controls = Self::odds(ByColor::decode(decoder)?)
            .map_err(|error| bincode::error::DecodeError::OtherString(error.to_string()))?;
        Ok(Self { draw_odds: Option::decode(decoder)?, ..controls })
    }
}

#[cfg(feature = "bincode")]
bincode::impl_borrow_decode!(Controls);
