//! Random time controls of every kind.

use crate::random::Random;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Bonus, Controls, Millis, Period, TimeControl};
use std::num::NonZeroU16;

/// What both sides have: mostly the same, sometimes with draw odds.
pub(crate) fn controls(random: &mut Random) -> Controls {
    let white = control(random);
    let black = if random.one_in(4) { control(random) } else { white };
    let controls = Controls::odds(ByColor { white, black }).unwrap_or(Controls::equal(white));
    match random.below(8) {
        0 => controls.with_draw_odds(Color::Black),
        1 => controls.with_draw_odds(Color::White),
        _ => controls,
    }
}

fn control(random: &mut Random) -> TimeControl {
    let control = match random.below(10) {
        0 => TimeControl::hourglass(time(random)),
        1 => TimeControl::days(random.below(14) as u8 + 1),
        2 => Ok(TimeControl::UNLIMITED),
        _ => TimeControl::with_periods(&periods(random)),
    };
    control.expect("within its bounds")
}

/// Mostly one period; else short ones, so that games come to their ends.
fn periods(random: &mut Random) -> Vec<Period> {
    let others = random.pick([0, 0, 0, 1, 2, 3]);
    let mut periods: Vec<Period> = (0..others)
        .map(|_| {
            let moves = random.pick([1, 2, 3, 5, 8, 13, 40]);
            period(random, NonZeroU16::new(moves))
        })
        .collect();
    periods.push(period(random, None));
    periods
}

fn period(random: &mut Random, moves: Option<NonZeroU16>) -> Period {
    let time = time(random);
    let span = Millis(random.pick([1, 500, 1_000, 2_500, 5_000, 30_000, 600_000]));
    let bonus = match random.below(6) {
        0 => Bonus::Delay(span),
        1 => Bonus::Bronstein(span),
        2 | 3 => Bonus::Increment(span),
        _ => Bonus::None,
    };
    Period::new(moves, time, bonus).expect("within its bounds")
}

fn time(random: &mut Random) -> Millis {
    let most = random.pick([5_000, 60_000, 180_000, 600_000, 1_800_000, 5_400_000, 86_400_000]);
    Millis(1_000 + random.below(most - 999))
}
