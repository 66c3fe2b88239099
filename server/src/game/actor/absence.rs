//! When the game's record says that a player is away (L60): after a short grace, so that neither the start
//! nor a connection that comes back at once makes an absence of it.

use super::Actor;
use crate::timeline::ServerInstant;
use chatrang_protocol::intent::IntentError;
use chatrang_rules::color::Color;
use chatrang_rules::game::{Command, Millis, Party, Suspension};

/// How long a player may be without a stream before the record says so.
const ABSENCE_GRACE: Millis = Millis::from_seconds(3);

impl Actor {
    /// When the record is to be told of a player's coming or going, if nothing changes.
    pub(super) fn presence_due(&self) -> Option<ServerInstant> {
        let due = |color| {
            if self.return_is_due(color) { Some(self.began) } else { self.absence_due(color) }
        };
        Color::ALL.into_iter().filter_map(due).min()
    }

    /// Writes down who is back, and who has been away for longer than the grace.
    pub(super) async fn note_presence(&mut self) {
        for color in Color::ALL {
            if self.return_is_due(color) {
                // The store is full: the next wake tries again.
                let _ = self.tell_record(Command::Returned(color)).await;
            }
        }
        for color in Color::ALL {
            let now = self.house.timeline.now();
            if self.absence_due(color).is_some_and(|due| due <= now)
                && let Err(IntentError::Law(_)) = self.tell_record(Command::Left(color)).await
            {
                // A connection that flaps has filled its part of the record.
                self.unrecorded[color] = self.audience.away_since(color);
            }
        }
    }

    /// Ends the absences that a restart has overtaken: nobody could have been here, and whoever does not
    /// come back is away from when the clocks run on.
    pub(super) async fn forget_absences(&mut self) {
        for color in Color::ALL {
            if self.game.absent_since(color).is_some() {
                let _ = self.tell_record(Command::Returned(color)).await;
            }
        }
    }

    /// Who is not here though an adjourned game goes on only when both are (L62): whatever grace he still
    /// has, and however many absences the record has taken.
    pub(super) fn missing_from_adjourned(&self) -> Option<Color> {
        let is_adjourned =
            self.game.result().is_none() && self.game.suspension() == Some(Suspension::Adjournment);
        if is_adjourned { self.audience.absent() } else { None }
    }

    fn return_is_due(&self, color: Color) -> bool {
        self.game.result().is_none()
            && self.game.absent_since(color).is_some()
            && self.audience.away_since(color).is_none()
    }

    /// When a player's absence, if there is one, is to be written down.
    fn absence_due(&self, color: Color) -> Option<ServerInstant> {
        let since = self.audience.away_since(color)?;
        let is_open = self.game.result().is_none()
            && !self.waits_for_restart()
            && self.game.absent_since(color).is_none()
            && self.unrecorded[color] != Some(since);
        is_open.then(|| since.max(self.absence_counts_from).plus_ms(ABSENCE_GRACE.0))
    }

    async fn tell_record(&mut self, command: Command) -> Result<(), IntentError> {
        let stamp = self.stamp_at(self.house.timeline.now());
        self.command(Party::House, command, stamp, None).await
    }
}
