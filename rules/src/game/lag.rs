//! Lag credit (L54): time that the network took is given back from a bounded quota.
//!
//! What is credited is what the transport measured, never what a client says, and for bots as for
//! anyone. Each side has a bank. It holds three gains at the start and seven at the most; each completed
//! move pays one in, of 0.15 s and 0.4 % of the time for 40 moves, but not more than 1 s; each credit is
//! paid from it. Where a move has days or no limit there is none.

use super::time::Millis;
use super::time_control::TimeControl;

/// The most that is credited for one move, and so the longest that a flag waits for one under way.
pub const CREDIT_MAX: Millis = Millis::from_seconds(2);

/// The most that a completed move pays in.
pub const GAIN_MAX: Millis = Millis::from_seconds(1);

/// The moves by which a game's length is estimated.
const MOVES: u16 = 40;

/// What a completed move pays into the bank.
pub fn gain(control: &TimeControl) -> Millis {
    if control.is_by_days() || control.is_unlimited() {
        return Millis::ZERO;
    }
    let share = Millis(control.time_for(MOVES).0 / 250);
    share.plus(Millis(150)).min(GAIN_MAX)
}

/// What the bank holds when the game begins.
pub fn bank_at_start(control: &TimeControl) -> Millis {
    gain(control).times(3)
}

/// The most that the bank holds.
pub fn bank_max(control: &TimeControl) -> Millis {
    gain(control).times(7)
}

/// What a bank grants to a move that took `thought`, when a round trip takes `path_rtt`.
pub(super) fn credit(bank: Millis, path_rtt: Millis, thought: Millis) -> Millis {
    bank.min(path_rtt).min(thought).min(CREDIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l54_the_quota_follows_from_the_time_control() {
        for (text, gain_ms) in [
            ("1+0", 390),
            ("0:30+0", 270),
            ("1+1", 550),
            ("3+2", 1_000),
            ("hg2", 630),
            ("40/1,1", 630),
            ("2d0.5", 710),
            ("90+30", 1_000),
            ("1day", 0),
            ("unlimited", 0),
        ] {
            let control = text.parse().unwrap();
            assert_eq!(gain(&control), Millis(gain_ms), "{text}");
            assert_eq!(bank_at_start(&control), Millis(3 * gain_ms));
            assert_eq!(bank_max(&control), Millis(7 * gain_ms));
        }
    }

    #[test]
    fn l54_a_credit_is_bounded_four_ways() {
        let credit = |bank, rtt, thought| credit(Millis(bank), Millis(rtt), Millis(thought)).0;
        assert_eq!(credit(100, 200, 300), 100);
        assert_eq!(credit(300, 200, 400), 200);
        assert_eq!(credit(300, 200, 50), 50);
        assert_eq!(credit(7_000, u64::MAX, u64::MAX), 2_000);
    }
}
