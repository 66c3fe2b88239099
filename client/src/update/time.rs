//! What time alone brings: a clock that runs low, an absence that has grown long enough for a claim.

use super::tell;
use crate::message::{Effect, Moment, News};
use crate::model::Model;
use crate::model::game::{AbsenceNews, GameModel};
use chatrang_rules::color::Color;
use chatrang_rules::game::{Absence, Millis};

/// Seconds at which a player is warned of his clock.
const LOW_TIME_SECONDS: [u64; 3] = [60, 20, 10];

/// What an increment must bring a clock above a warning's seconds for it to be given again.
const LOW_TIME_AGAIN: Millis = Millis::from_seconds(10);

/// Tells what has come with the time.
pub(super) fn passed(model: &mut Model, effects: &mut Vec<Effect>) {
    warn_of_low_time(model, effects);
    tell_of_long_absence(model, effects);
}

/// What a game that is opened shows anyway needs no warning.
pub(super) fn begin(game: &mut GameModel, now: Moment) {
    for color in Color::ALL {
        game.low_time[color] = low_times_passed(game.left(color, now));
    }
}

/// After an event: a clock that has got enough time may be warned of again.
pub(super) fn clocks_changed(game: &mut GameModel, now: Moment) {
    for color in Color::ALL {
        let passed = low_times_passed(game.left(color, now).minus(LOW_TIME_AGAIN));
        game.low_time[color] = game.low_time[color].min(passed);
    }
}

fn warn_of_low_time(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let Some(color) = game.running().filter(|&color| game.seat.is_none_or(|seat| seat == color)) else {
        return;
    };
    let passed = low_times_passed(game.left(color, now));
    if passed > game.low_time[color] {
        game.low_time[color] = passed;
        let seconds = LOW_TIME_SECONDS[passed - 1];
        tell(model, News::LowTime { color, seconds }, effects);
    }
}

/// How many of the warnings' times a clock has come down to.
fn low_times_passed(left: Millis) -> usize {
    LOW_TIME_SECONDS.iter().filter(|&&seconds| left <= Millis::from_seconds(seconds)).count()
}

fn tell_of_long_absence(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(game) = &mut model.game else { return };
    let may_claim = game.absence_wait(now) == Some(Millis::ZERO);
    let is_claimed = game.terms.conduct.absence == Absence::Claimed;
    if may_claim && is_claimed && game.absence_news == AbsenceNews::Untold {
        game.absence_news = AbsenceNews::Told;
        tell(model, News::MayClaimAbsence, effects);
    }
}
