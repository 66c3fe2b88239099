//! The clock by itself: each control by a table, and what all controls promise by chance.

use super::*;
use crate::game::time_control::Period;
use proptest::prelude::*;
use std::num::NonZeroU16;

use Color::{Black, White};

/// A clock that a test runs: moves are made by whoever's turn it is.
struct Bench {
    controls: Controls,
    clock: Clock,
    now_ms: u64,
    moves: ByColor<u16>,
}

impl Bench {
    fn new(text: &str) -> Self {
        Self::with(text.parse().unwrap())
    }

    fn with(controls: Controls) -> Self {
        let clock = Clock::set(ClockReading::start(&controls), GameInstant::START, controls);
        Self { controls, clock, now_ms: 0, moves: ByColor::default() }
    }

    /// A move after so many milliseconds, over a path without lag.
    fn moves_after(&mut self, ms: u64) -> MoveCharge {
        self.moves_over(0, ms)
    }

    fn moves_over(&mut self, rtt_ms: u64, ms: u64) -> MoveCharge {
        self.now_ms += ms;
        let mover = self.clock.running().unwrap();
        self.moves[mover] += 1;
        let charge = self.clock.complete_move(self.stamp(rtt_ms), mover, self.moves[mover]);
        self.set(charge.clocks);
        charge
    }

    fn stamp(&self, rtt_ms: u64) -> Stamp {
        Stamp { path_rtt: Millis(rtt_ms), ..Stamp::at_ms(self.now_ms) }
    }

    fn set(&mut self, reading: ClockReading) {
        self.clock = Clock::set(reading, GameInstant(self.now_ms), self.controls);
    }

    /// Lets time pass and takes a reading, as any event in the middle of a move does.
    fn reads_after(&mut self, ms: u64) -> (u64, u64) {
        self.now_ms += ms;
        self.set(self.clock.at(GameInstant(self.now_ms), Millis::ZERO));
        self.left_ms()
    }

    fn left_ms(&self) -> (u64, u64) {
        let left = self.clock.at(GameInstant(self.now_ms), Millis::ZERO).left;
        (left.white.0, left.black.0)
    }
}

#[test]
fn l50_an_increment_is_added_from_the_first_move_on() {
    let mut bench = Bench::new("5+3");
    assert_eq!(bench.moves_after(500).charged, Millis(500));
    assert_eq!(bench.left_ms(), (302_500, 300_000));
    bench.moves_after(10_001);
    assert_eq!(bench.left_ms(), (302_500, 292_999));
}

#[test]
fn l50_a_delay_runs_before_the_clock_and_is_never_given_back() {
    let mut bench = Bench::new("1d5");
    assert_eq!(bench.reads_after(4_000), (60_000, 60_000));
    assert_eq!(bench.reads_after(3_000), (58_000, 60_000), "the delay is of the move, not of the reading");
    assert_eq!(bench.moves_after(1_000).charged, Millis(3_000));
    assert_eq!(bench.left_ms(), (57_000, 60_000));
    assert_eq!(bench.moves_after(5_000).charged, Millis::ZERO);
    assert_eq!(bench.left_ms(), (57_000, 60_000));
    // The flag falls when the delay, the time and all credit are used up.
    let grace = lag::bank_max(&"1d5".parse().unwrap()).min(lag::CREDIT_MAX);
    assert_eq!(bench.clock.flag_falls(), Some(GameInstant(13_000 + 5_000 + 57_000 + grace.0)));
}

#[test]
fn l51_bronstein_gives_back_what_was_used_and_no_more() {
    let mut bench = Bench::new("1b5");
    assert_eq!(bench.reads_after(2_000), (58_000, 60_000), "it runs at once");
    assert_eq!(bench.moves_after(1_000).charged, Millis(3_000));
    assert_eq!(bench.left_ms(), (60_000, 60_000));
    bench.moves_after(7_000);
    assert_eq!(bench.left_ms(), (60_000, 58_000));
}

#[test]
fn l51_a_stop_in_the_middle_of_a_move_neither_renews_a_delay_nor_loses_it() {
    for (text, white_ms) in [("1d5", 58_000), ("1b5", 58_000), ("1+5", 58_000)] {
        let mut bench = Bench::new(text);
        bench.reads_after(4_000);
        let stopped = bench.clock.at(GameInstant(bench.now_ms), Millis::ZERO).stopped();
        bench.set(stopped);
        assert_eq!(bench.clock.flag_falls(), None);
        bench.reads_after(1_000_000);
        bench.set(stopped.resumed_for(White));
        bench.moves_after(3_000);
        assert_eq!(bench.left_ms().0, white_ms, "{text}");
    }
}

#[test]
fn l50_an_hourglass_runs_from_one_side_to_the_other() {
    let mut bench = Bench::new("hg3");
    assert_eq!(bench.reads_after(10_000), (170_000, 190_000));
    bench.moves_after(5_000);
    assert_eq!(bench.left_ms(), (165_000, 195_000));
    bench.moves_after(100_000);
    assert_eq!(bench.left_ms(), (265_000, 95_000));
    // Nothing runs out of an empty half.
    assert_eq!(bench.reads_after(300_000), (0, 360_000));
}

#[test]
fn l50_days_are_fresh_for_every_move() {
    let day_ms = 86_400_000;
    let mut bench = Bench::new("3days");
    assert_eq!(bench.reads_after(day_ms), (2 * day_ms, 3 * day_ms));
    let charge = bench.moves_over(500, day_ms);
    assert_eq!((charge.charged, charge.credit), (Millis(2 * day_ms), Millis::ZERO));
    assert_eq!(bench.left_ms(), (3 * day_ms, 3 * day_ms));
    assert_eq!(bench.clock.flag_falls(), Some(GameInstant(bench.now_ms + 3 * day_ms)));
}

#[test]
fn l50_without_a_limit_no_flag_falls() {
    let mut bench = Bench::new("unlimited");
    assert_eq!((bench.clock.flag_falls(), bench.reads_after(u64::MAX / 2)), (None, (u64::MAX, u64::MAX)));
    assert!(!bench.clock.is_flag_down(bench.stamp(0)));
    assert_eq!(bench.moves_after(7).clocks.left.white, Millis::MAX);
    let reading = bench.clock.at(GameInstant(bench.now_ms), Millis::ZERO);
    assert_eq!(reading.taken(White, Millis(5)).added(White, Millis(9)).left.white, Millis::MAX);
}

#[test]
fn l50_sides_may_have_different_controls() {
    let mut bench = Bench::new("5+0/4+2=black");
    bench.moves_after(1_000);
    bench.moves_after(1_000);
    assert_eq!(bench.left_ms(), (299_000, 241_000));
}

#[test]
fn l53_a_period_s_time_comes_with_its_last_move_and_what_is_left_is_kept() {
    let mut bench = Bench::new("2/1:00+1,3/0:30,0:10+2");
    for (white_ms, index) in [(61_000 - 10_000, 0), (52_000 - 10_000 + 30_000, 1), (62_000, 1), (52_000, 1)] {
        bench.moves_after(10_000);
        assert_eq!((bench.left_ms().0, bench.clock.reading.period.white.index), (white_ms, index));
        bench.moves_after(0);
    }
    bench.moves_after(10_000);
    assert_eq!(bench.clock.reading.period.white, PeriodPlace { index: 2, moves_before: 5 });
    assert_eq!(bench.left_ms().0, 42_000 + 10_000);
    bench.moves_after(0);
    for _ in 0..9 {
        bench.moves_after(1_000);
        bench.moves_after(0);
    }
    assert_eq!(bench.left_ms().0, 52_000 + 9_000, "the last period lasts to the end");
}

#[test]
fn l54_credit_is_what_the_transport_measured_within_the_bank() {
    let mut bench = Bench::new("1+0");
    assert_eq!(bench.clock.reading.bank.white, Millis(3 * 390));
    let charge = bench.moves_over(100, 1_000);
    assert_eq!((charge.charged, charge.credit), (Millis(900), Millis(100)));
    assert_eq!((bench.left_ms().0, bench.clock.reading.bank.white), (59_100, Millis(1_170 - 100 + 390)));
    // Never more than the move took.
    let charge = bench.moves_over(100, 40);
    assert_eq!((charge.charged, charge.credit, bench.left_ms().1), (Millis::ZERO, Millis(40), 60_000));
    // A path that never answers empties the bank, and then lives on what a move pays in.
    let mut credits = Vec::new();
    for _ in 0..3 {
        credits.push(bench.moves_over(9_999, 2_500).credit.0);
        bench.moves_after(0);
    }
    assert_eq!(credits, [1_460, 390, 390]);
    for _ in 0..20 {
        bench.moves_after(0);
    }
    assert_eq!(bench.clock.reading.bank, ByColor { white: Millis(7 * 390), black: Millis(7 * 390) });
}

#[test]
fn l54_credit_keeps_a_flag_up_and_events_on_the_way_change_nothing() {
    // A move that took 60.1 s and came by a path of 200 ms, whatever else was heard meanwhile.
    for events_ms in [&[][..], &[60_050], &[30_000, 30_000], &[60_000, 20, 30]] {
        let mut bench = Bench::new("1+0");
        for &ms in events_ms {
            bench.reads_after(ms);
        }
        let rest_ms = 60_100 - bench.now_ms;
        bench.now_ms += rest_ms;
        assert!(!bench.clock.is_flag_down(bench.stamp(200)) && bench.clock.is_flag_down(bench.stamp(100)));
        bench.now_ms -= rest_ms;
        let charge = bench.moves_over(200, rest_ms);
        assert_eq!((charge.charged, charge.credit), (Millis(59_900), Millis(200)), "{events_ms:?}");
        assert_eq!(bench.left_ms().0, 100);
    }
}

#[test]
fn l54_a_delay_that_covers_a_move_costs_no_credit() {
    let mut bench = Bench::new("1d5");
    assert_eq!(bench.moves_over(300, 5_000).credit, Millis::ZERO);
    assert_eq!(bench.moves_over(300, 5_100).credit, Millis(100));
    assert_eq!(bench.left_ms(), (60_000, 60_000));
}

#[test]
fn l52_a_flag_that_nobody_claims_stays_down_until_a_period_begins() {
    let mut bench = Bench::new("2/1:00+5,0:30+5");
    let charge = bench.moves_over(500, 61_000);
    assert_eq!((charge.charged, charge.clocks.left.white), (Millis(60_000), Millis::ZERO));
    assert_eq!(charge.clocks.bank.white, Millis::ZERO);
    bench.moves_after(1_000);
    assert!(bench.clock.is_flag_down(bench.stamp(2_000)), "down before he has thought at all");
    assert_eq!(bench.clock.flag_falls(), Some(GameInstant(bench.now_ms)));
    let charge = bench.moves_over(500, 100);
    assert_eq!(charge.clocks.left.white, Millis::from_seconds(30), "no increment, but the next period");
}

#[test]
fn l44_an_arbiter_adds_takes_and_sets() {
    let mut bench = Bench::new("1+0");
    bench.reads_after(60_300);
    let reading = bench.clock.reading;
    assert_eq!((reading.left.white, reading.overrun.white), (Millis::ZERO, Millis(300)));
    let added = reading.added(White, Millis(1_000));
    assert_eq!((added.left.white, added.overrun.white), (Millis(700), Millis::ZERO));
    assert_eq!(reading.added(White, Millis(100)).overrun.white, Millis(200));
    let set = reading.set_to(White, Millis(5));
    assert_eq!((set.left.white, set.overrun.white), (Millis(5), Millis::ZERO));
    assert_eq!(reading.taken(Black, Millis(70_000)).left.black, Millis::ZERO);
    assert_eq!(reading.taken(Black, Millis(1)).left.black, Millis(59_999));
    bench.set(added);
    bench.moves_after(600);
    assert_eq!(bench.left_ms().0, 100);
}

fn bonus() -> impl Strategy<Value = Bonus> {
    let span = (0..=Period::BONUS_MAX.0).prop_map(Millis);
    prop_oneof![
        Just(Bonus::None),
        span.clone().prop_map(Bonus::Increment),
        span.clone().prop_map(Bonus::Delay),
        span.prop_map(Bonus::Bronstein),
    ]
}

fn period(moves: Option<NonZeroU16>) -> impl Strategy<Value = Period> {
    let time = prop_oneof![1_000..100_000_u64, 1_000..=Period::TIME_MAX.0];
    (time, bonus()).prop_map(move |(time, bonus)| Period::new(moves, Millis(time), bonus).unwrap())
}

/// Any time control that can be made.
pub(in crate::game) fn control() -> impl Strategy<Value = TimeControl> {
    let others =
        prop::collection::vec((1..=Period::MOVES_MAX).prop_flat_map(|n| period(NonZeroU16::new(n))), 0..4);
    let periods = (others, period(None)).prop_map(|(mut periods, last)| {
        periods.push(last);
        TimeControl::with_periods(&periods).unwrap()
    });
    prop_oneof![
        8 => periods,
        1 => (1_000..=Period::TIME_MAX.0).prop_map(|ms| TimeControl::hourglass(Millis(ms)).unwrap()),
        1 => (1..=TimeControl::DAYS_MAX).prop_map(|days| TimeControl::days(days).unwrap()),
        1 => Just(TimeControl::UNLIMITED),
    ]
}

/// Any controls that can be made.
pub(in crate::game) fn controls() -> impl Strategy<Value = Controls> {
    let sides = prop_oneof![
        control().prop_map(Controls::equal),
        (control(), control()).prop_filter_map("an hourglass for both", |(white, black)| {
            Controls::odds(ByColor { white, black }).ok()
        }),
    ];
    (sides, prop::option::of(prop_oneof![Just(White), Just(Black)])).prop_map(|(sides, odds)| match odds {
        Some(side) => sides.with_draw_odds(side),
        None => sides,
    })
}

/// Spans that a game has: mostly short, now and then as long as can be.
fn span_ms() -> impl Strategy<Value = u64> {
    prop_oneof![0..5_000_u64, 0..1_000_000_u64, 0..20 * 86_400_000_u64]
}

/// What happens at a clock: a reading after a span, or a move that comes over a path.
#[derive(Clone, Debug)]
enum Step {
    Reading { ms: u64 },
    Pause { ms: u64 },
    Move { ms: u64, rtt_ms: u64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        span_ms().prop_map(|ms| Step::Reading { ms }),
        span_ms().prop_map(|ms| Step::Pause { ms }),
        (span_ms(), 0..5_000_u64).prop_map(|(ms, rtt_ms)| Step::Move { ms, rtt_ms }),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    /// L51: a move leaves its player what he had, less what it was charged, and at the most its bonus and
    /// the next period's time more; what it was charged and credited is what it took, and no credit is more
    /// than what was measured and what was in the bank.
    #[test]
    fn l51_no_control_gives_more_than_it_promises(controls in controls(), steps in steps()) {
        let mut bench = Bench::with(controls);
        let mut before = bench.clock.reading;
        let mut thought_ms = 0;
        for step in steps {
            match step {
                Step::Reading { ms } => {
                    thought_ms += ms;
                    bench.reads_after(ms);
                }
                Step::Pause { ms } => {
                    let turn = bench.clock.running().unwrap();
                    let reading = bench.clock.at(GameInstant(bench.now_ms), Millis::ZERO);
                    bench.set(reading.stopped());
                    bench.reads_after(ms);
                    prop_assert_eq!(bench.clock.reading, reading.stopped());
                    bench.set(reading);
                    prop_assert_eq!(bench.clock.running(), Some(turn));
                }
                Step::Move { ms, rtt_ms } => {
                    thought_ms += ms;
                    let mover = bench.clock.running().unwrap();
                    let charge = bench.moves_over(rtt_ms, ms);
                    check_move(&controls, mover, &before, &charge, thought_ms, rtt_ms)?;
                    before = charge.clocks;
                    thought_ms = 0;
                }
            }
        }
    }

    /// A clock that is read on the way reads the same in the end as one that is not, and makes the same
    /// of a move.
    #[test]
    fn reading_a_clock_changes_nothing(
        controls in controls(), spans in prop::collection::vec(span_ms(), 1..6), rtt_ms in 0..5_000_u64,
    ) {
        let mut read = Bench::with(controls);
        for &ms in &spans {
            read.reads_after(ms);
        }
        let total_ms: u64 = spans.iter().sum();
        let mut unread = Bench::with(controls);
        prop_assert_eq!(unread.clock.at(GameInstant(total_ms), Millis::ZERO), read.clock.reading);
        prop_assert_eq!(unread.moves_over(rtt_ms, total_ms), read.moves_over(rtt_ms, 0));
    }

    /// A flag is down from the instant on that the clock gives, for every path, and before it for none
    /// that earns all credit.
    #[test]
    fn l52_a_flag_falls_when_it_is_said_to(controls in controls(), steps in steps()) {
        let mut bench = Bench::with(controls);
        for step in steps {
            if let Step::Move { ms, rtt_ms } = step {
                bench.moves_over(rtt_ms, ms);
            }
        }
        if let Some(falls) = bench.clock.flag_falls() {
            let stamp = Stamp { path_rtt: Millis::MAX, ..Stamp::at(falls) };
            prop_assert!(bench.clock.is_flag_down(stamp));
            if falls > GameInstant(bench.now_ms) {
                let before = Stamp { now: GameInstant(falls.0 - 1), ..stamp };
                prop_assert!(!bench.clock.is_flag_down(before));
            }
        } else {
            prop_assert!(controls[bench.clock.running().unwrap()].is_unlimited());
        }
    }

    /// Whatever a reading holds, nothing wraps and nothing panics.
    #[test]
    fn any_reading_is_survived(
        controls in controls(), left in any::<[u64; 2]>(), bank in any::<[u64; 2]>(), overrun in any::<[u64; 2]>(),
        thought in any::<u64>(), index in any::<u8>(), moves in any::<[u16; 2]>(), now in any::<[u64; 4]>(),
    ) {
        let pair = |[white, black]: [u64; 2]| ByColor { white: Millis(white), black: Millis(black) };
        let reading = ClockReading {
            left: pair(left), running: Some(White), bank: pair(bank),
            period: ByColor { white: PeriodPlace { index, moves_before: moves[0] }, black: PeriodPlace::default() },
            thought: Millis(thought), overrun: pair(overrun),
        };
        let clock = Clock::set(reading, GameInstant(now[0]), controls);
        let stamp = Stamp { now: GameInstant(now[1]), house: Millis(now[2]), path_rtt: Millis(now[3]) };
        let charge = clock.complete_move(stamp, White, moves[1]);
        prop_assert!(charge.clocks.running == Some(Black));
        prop_assert!(charge.credit <= lag::CREDIT_MAX && charge.credit <= stamp.path_rtt);
        let _ = (clock.flag_falls(), clock.is_flag_down(stamp), reading.added(White, Millis(now[0])));
    }
}

/// Holds one move of a game against what its control promises; `before` is what the clocks read when it
/// began.
fn check_move(
    controls: &Controls,
    mover: Color,
    before: &ClockReading,
    charge: &MoveCharge,
    thought_ms: u64,
    rtt_ms: u64,
) -> Result<(), TestCaseError> {
    let control = &controls[mover];
    let start = before.left[mover];
    let after = charge.clocks.left[mover];
    prop_assert!(charge.credit <= before.bank[mover] && charge.credit.0 <= rtt_ms.min(2_000).min(thought_ms));
    prop_assert!(charge.clocks.bank[mover] <= lag::bank_max(control));
    let bonus = before.period_of(control, mover).map_or(Bonus::None, Period::bonus);
    let delay = if let Bonus::Delay(delay) = bonus { delay } else { Millis::ZERO };
    let took = Millis(thought_ms).minus(delay);
    prop_assert!(charge.charged.plus(charge.credit) <= took);
    if charge.charged < start {
        prop_assert_eq!(charge.charged.plus(charge.credit), took);
    }
    if control.is_by_days() || control.is_unlimited() {
        let fresh = if charge.charged < start { control.allowance() } else { Millis::ZERO };
        prop_assert_eq!(after, fresh);
        return Ok(());
    }
    let begun = charge.clocks.period[mover].index != before.period[mover].index;
    let time = charge.clocks.period_of(control, mover).filter(|_| begun).map_or(Millis::ZERO, Period::time);
    let given = match bonus {
        _ if charge.charged == start => Millis::ZERO,
        Bonus::None | Bonus::Delay(_) => Millis::ZERO,
        Bonus::Increment(increment) => increment,
        Bonus::Bronstein(most) => most.min(charge.charged),
    };
    prop_assert_eq!(after, start.minus(charge.charged).plus(given).plus(time));
    let gained = if control.is_hourglass() { charge.charged } else { Millis::ZERO };
    prop_assert_eq!(charge.clocks.left[!mover], before.left[!mover].plus(gained));
    Ok(())
}
