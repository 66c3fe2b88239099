//! Random games whose every clock reading is reckoned a second time, independently (L50-L55): thinking times,
//! round trips, house times, stops and the arbiter's hand on the clock, under every kind of time control.
//!
//! `CHATRANG_CASES` says how many games; a small number by default. Whatever differs fails with its seed.

#[path = "../support/controls.rs"]
mod controls;
mod model;
#[path = "../support/random.rs"]
mod random;

use chatrang_rules::color::Color;
use chatrang_rules::game::{
    Absence, Action, ArbiterActs, ClockReading, Command, Decision, Event, FlagFall, Game, GameInstant,
    Millis, Order, Party, Profile, Stamp, Suspension, Terms,
};
use chatrang_rules::outcome::Termination;
use model::{Cost, Flags, Model};
use random::{Random, Seed};

const STEPS_MAX: u32 = 160;

/// What was played and compared.
#[derive(Debug, Default)]
struct Tally {
    games: u64,
    moves: u64,
    credited: u64,
    readings: u64,
    stops: u64,
    rulings: u64,
    periods: u64,
    flags: u64,
    both_flags: u64,
}

/// A game and its model side by side.
struct Table<'a> {
    game: Game,
    model: Model,
    flags: Flags,
    random: Random,
    tally: &'a mut Tally,
    now: u64,
}

impl<'a> Table<'a> {
    fn new(seed: u64, tally: &'a mut Tally) -> Self {
        let mut random = Random::new(seed);
        let controls = controls::controls(&mut random);
        let mut terms = Terms::of(random.pick(Profile::ALL), controls);
        terms.first_move = Millis::MAX;
        terms.conduct.arbiter = ArbiterActs::Unasked;
        terms.conduct.absence = Absence::Borne;
        let flags = match terms.conduct.flag_fall {
            FlagFall::Noticed => Flags::Noticed,
            FlagFall::Claimed => Flags::Claimed,
        };
        let model = Model::new(controls[Color::White], controls[Color::Black]);
        Self { game: Game::new(terms), model, flags, random, tally, now: 0 }
    }

    /// Plays until the game is over or long enough.
    fn play(&mut self) {
        self.compare(self.game.clocks(Stamp::at_ms(0)));
        for _ in 0..STEPS_MAX {
            let stamp = self.stamp();
            match self.random.below(16) {
                0 => self.stop_or_continue(stamp),
                1 => self.note_absence(stamp),
                2 => self.set_clock(stamp),
                3 => self.claim_flag(stamp),
                4 => self.tick(stamp),
                _ => self.make_move(stamp),
            }
            self.look();
            if self.game.result().is_some() {
                break;
            }
        }
        self.tally.games += 1;
        self.tally.periods += (self.model.period(0) + self.model.period(1)) as u64;
    }

    /// A while later; often just when the flag is about to fall, or has.
    fn stamp(&mut self) -> Stamp {
        let left = self.model.left(self.model.mover).min(1_000_000_000);
        let falls = self.model.flag_falls().map_or(0, |at| at.saturating_sub(self.now));
        let wait = match self.random.below(200) {
            0 => left,
            1 => left.saturating_sub(self.random.below(3)),
            2 => left + self.random.below(2_500),
            3 => falls.saturating_sub(self.random.below(2)),
            4..=13 => 0,
            14..=40 => self.random.below(10_000),
            _ => self.random.below(left / 20 + 10),
        };
        self.now += wait;
        let house = if self.random.one_in(3) { self.random.below(wait / 2 + 20) } else { 0 };
        let path_rtt = self.random.pick([0, 0, 30, 300, 3_000, 10_000]);
        Stamp { now: GameInstant(self.now), house: Millis(house), path_rtt: Millis(path_rtt) }
    }

    fn make_move(&mut self, stamp: Stamp) {
        let turn = self.game.position().turn();
        let mv = self.random.of(&self.game.moves()).expect("a game that goes on has a move");
        let Some(event) = self.apply(Party::Player(turn), Command::Move(mv), stamp) else { return };
        let Action::Moved { charged, credit, .. } = event.action else { panic!("a move: {event:?}") };
        let cost = self.model.complete_move(stamp.path_rtt.0);
        assert_eq!(Cost { charged: charged.0, credit: credit.0 }, cost);
        self.tally.moves += 1;
        self.tally.credited += u64::from(cost.credit > 0);
        self.settle(&event);
    }

    /// L55: while the house is down nobody's clock runs.
    fn stop_or_continue(&mut self, stamp: Stamp) {
        let is_stopped = self.game.suspension().is_some();
        let command = if is_stopped { Command::Continue } else { Command::Suspend(Suspension::Restart) };
        let Some(event) = self.apply(Party::House, command, stamp) else { return };
        self.model.is_running = is_stopped;
        self.tally.stops += 1;
        self.settle(&event);
    }

    /// An event in the middle of a move, which changes no clock.
    fn note_absence(&mut self, stamp: Stamp) {
        let color = self.random.pick(Color::ALL);
        let is_away = self.game.absent_since(color).is_some();
        let command = if is_away { Command::Returned(color) } else { Command::Left(color) };
        if let Some(event) = self.apply(Party::House, command, stamp) {
            self.settle(&event);
        }
    }

    /// L44: the arbiter's hand on a clock. An hourglass he leaves alone.
    fn set_clock(&mut self, stamp: Stamp) {
        let side = self.random.pick(Color::ALL);
        if self.model.is_hourglass() || self.game.terms().controls[side].is_unlimited() {
            return;
        }
        let span = self.random.pick([0, 1, 900, 60_000, 120_000]);
        let order = match self.random.below(3) {
            0 => Order::AddTime { side, span: Millis(span) },
            1 => Order::TakeTime { side, span: Millis(span) },
            _ => Order::SetClock { side, left: Millis(span) },
        };
        let reason = "the clock was set wrongly".parse().expect("a reason");
        let command = Command::Rule(Decision { order, reason });
        let Some(event) = self.apply(Party::Arbiter, command, stamp) else { return };
        let side = index(side);
        match order {
            Order::AddTime { .. } => self.model.add(side, span),
            Order::TakeTime { .. } => self.model.set(side, self.model.left(side).saturating_sub(span)),
            _ => self.model.set(side, span),
        }
        self.tally.rulings += 1;
        self.settle(&event);
    }

    /// L52, L25: a flag that is not noticed counts when it is claimed, and what both show then decides.
    fn claim_flag(&mut self, stamp: Stamp) {
        let claimant = self.random.pick(Color::ALL);
        let then = self.model.passed(stamp.now.0, stamp.house.0);
        let is_down = then.left(index(!claimant)) == 0;
        let are_both_down = is_down && then.left(index(claimant)) == 0;
        if self.flags == Flags::Noticed || !is_down {
            let ruling = self.game.apply(Party::Player(claimant), Command::ClaimFlag, stamp);
            assert!(ruling.answer.is_err(), "{:?}", ruling.events);
            self.notice(ruling.events, stamp, claimant == self.game.position().turn());
            return;
        }
        let Some(event) = self.apply(Party::Player(claimant), Command::ClaimFlag, stamp) else { return };
        if are_both_down && self.model.begin_next_periods() {
            assert_eq!((&event.action, event.end), (&Action::BothFlagsDown, None));
            self.tally.both_flags += 1;
        } else {
            let end = event.end.expect("a flag that is down ends the game");
            assert_eq!(end.termination, Termination::FlagFall);
            self.tally.flags += 1;
        }
        self.settle(&event);
    }

    fn tick(&mut self, stamp: Stamp) {
        let events = self.game.tick(stamp).into_iter().collect();
        self.notice(events, stamp, false);
    }

    /// Applies a command that must succeed unless a flag is noticed first; its event.
    fn apply(&mut self, by: Party, command: Command, stamp: Stamp) -> Option<Event> {
        let mover = self.game.position().turn();
        let is_suspended = self.game.suspension().is_some();
        let is_move = matches!(command, Command::Move(_));
        let mut ruling = self.game.apply(by, command, stamp);
        if ruling.answer.is_err() {
            let is_refused = is_move && is_suspended;
            assert!(is_refused || !ruling.events.is_empty(), "{:?}", ruling.answer);
            self.notice(ruling.events, stamp, by == Party::Player(mover));
            return None;
        }
        self.model.pass(stamp.now.0, stamp.house.0);
        if self.flags == Flags::Noticed {
            let rtt = if by == Party::Player(mover) { stamp.path_rtt.0 } else { u64::MAX };
            assert!(!self.model.is_flag_down(rtt), "the flag was down");
        }
        let event = ruling.events.pop();
        assert!(ruling.events.is_empty(), "{:?}", ruling.events);
        event
    }

    /// A flag fell on the way to a command, or nothing did.
    fn notice(&mut self, events: Vec<Event>, stamp: Stamp, is_mover: bool) {
        let then = self.model.passed(stamp.now.0, stamp.house.0);
        let rtt = if is_mover { stamp.path_rtt.0 } else { u64::MAX };
        let is_down = self.flags == Flags::Noticed && then.is_flag_down(rtt);
        assert_eq!(events.len(), usize::from(is_down), "{events:?}");
        for event in events {
            assert_eq!(event.action, Action::TimeRanOut);
            self.model = then.clone();
            self.tally.flags += 1;
            self.settle(&event);
        }
    }

    /// Compares what an event says with the model.
    fn settle(&mut self, event: &Event) {
        self.model.is_running &= event.end.is_none();
        assert_eq!(self.game.result(), event.end);
        self.compare(event.clocks);
    }

    fn compare(&mut self, clocks: ClockReading) {
        let model = &self.model;
        let running = [Color::White, Color::Black][model.mover];
        assert_eq!(clocks.running, model.is_running.then_some(running));
        for color in Color::ALL {
            let side = index(color);
            assert_eq!(clocks.left[color].0, model.left(side), "what {color} has left: {clocks:?}");
            assert_eq!(clocks.bank[color].0, model.bank(side), "{color}'s bank");
            assert_eq!(usize::from(clocks.period[color].index), model.period(side), "{color}'s period");
        }
        self.tally.readings += 1;
    }

    /// A reading between events, and when the flag is said to fall.
    fn look(&mut self) {
        let later = self.now + self.random.below(2_000);
        let house = self.random.pick([0, 0, 7, 500]);
        let stamp = Stamp { house: Millis(house), ..Stamp::at_ms(later) };
        let clocks = self.game.clocks(stamp);
        let model = self.model.passed(later, house);
        for color in Color::ALL {
            assert_eq!(clocks.left[color].0, model.left(index(color)), "{color} at {later}");
        }
        if self.flags == Flags::Noticed {
            // The first move may be waited for to the end of time.
            let deadline = self.game.deadline().map(|at| at.0).filter(|&at| at < u64::MAX);
            assert_eq!(deadline, self.model.flag_falls());
        }
        self.tally.readings += 1;
    }
}

const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

#[test]
fn l50_l54_every_clock_is_what_an_independent_reckoning_says() {
    let mut tally = Tally::default();
    for seed in 0..random::cases(300) {
        let _seed = Seed(seed);
        Table::new(seed, &mut tally).play();
    }
    println!("{tally:?}: 0 differences");
    assert!(tally.moves > 10 * tally.games && tally.credited > 0 && tally.periods > 0);
    assert!(tally.flags > tally.games / 20 && tally.stops > 0 && tally.rulings > 0);
}
