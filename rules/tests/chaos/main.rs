//! Random commands of everyone at the table, at random times, under random terms: whatever is asked, the game
//! keeps to what it promises.
//!
//! `CHATRANG_CASES` says how many commands; the usual number takes a few seconds. Whatever fails says its seed.

#[path = "../support/controls.rs"]
mod controls;
mod invariants;
mod people;
#[path = "../support/random.rs"]
mod random;

use chatrang_rules::game::{Event, Game, GameInstant, Stamp, Terms};
use chatrang_rules::notation::fen;
use people::People;
use random::{Random, Seed};
use std::collections::BTreeMap;
use std::fmt::Debug;

const COMMANDS_PER_GAME_MAX: u64 = 500;

/// What was tried and what came of it, by its name.
#[derive(Default)]
struct Tally {
    games: u64,
    commands: u64,
    accepted: u64,
    events: BTreeMap<String, u64>,
    ends: BTreeMap<String, u64>,
    refusals: BTreeMap<String, u64>,
}

/// The name of a variant.
fn name(of: &impl Debug) -> String {
    format!("{of:?}").chars().take_while(|character| character.is_alphanumeric()).collect()
}

fn count(tally: &mut BTreeMap<String, u64>, of: &impl Debug) {
    *tally.entry(name(of)).or_default() += 1;
}

/// A game, and another that follows its record: what is not in the record did not happen.
struct Table {
    game: Game,
    follower: Game,
    record: Vec<Event>,
    /// The board after each ply that stands, from the start on.
    boards: Vec<String>,
}

impl Table {
    fn new(terms: Terms) -> Self {
        let game = Game::new(terms);
        let boards = vec![fen::write(game.position())];
        Self { follower: game.clone(), game, record: vec![Game::first_event(terms)], boards }
    }

    fn take(&mut self, events: Vec<Event>, tally: &mut Tally) {
        for event in events {
            invariants::check_event(&self.follower, &event);
            count(&mut tally.events, &event.action);
            self.follower.follow(self.record.len(), &event).expect("an event of this game");
            self.record.push(event);
            self.check_board();
        }
        assert_eq!(self.follower, self.game, "a record tells the whole game");
    }

    /// Each event makes one move, or leaves the board, or puts it back as it stood; and positions are the
    /// same when their FENs are but for the numbers of moves (9.2.3).
    fn check_board(&mut self) {
        let (game, plies) = (&self.follower, self.follower.ply() as usize);
        assert!(plies <= self.boards.len(), "one move at a time");
        if plies == self.boards.len() {
            self.boards.push(fen::write(game.position()));
        }
        self.boards.truncate(plies + 1);
        assert_eq!(self.boards.last(), Some(&fen::write(game.position())));
        let same = |board: &&String| men_and_rights(board) == men_and_rights(&self.boards[plies]);
        assert_eq!(game.repetitions() as usize, self.boards.iter().filter(same).count(), "{:?}", self.boards);
    }
}

/// A FEN but for its two numbers.
fn men_and_rights(fen: &str) -> Option<&str> {
    fen.rsplitn(3, ' ').nth(2)
}

fn play(seed: u64, tally: &mut Tally) {
    let _seed = Seed(seed);
    let mut people = People::new(Random::new(seed));
    let terms = people.terms();
    let mut table = Table::new(terms);
    let most = people.random.pick([20, 100, COMMANDS_PER_GAME_MAX]);
    let mut after_the_end = 3;
    for _ in 0..most {
        let stamp = people.stamp(&table.game);
        if people.random.one_in(5) {
            let may_ponder = table.game.may_ponder(None, stamp.now);
            let event = table.game.tick(stamp);
            invariants::check_warning(may_ponder, &table.follower, &table.game);
            table.take(event.into_iter().collect(), tally);
        }
        let (by, command) = people.command(&table.game);
        let may_ponder = table.game.may_ponder(Some(&command), stamp.now);
        let ruling = table.game.apply(by, command.clone(), stamp);
        tally.commands += 1;
        match &ruling.answer {
            Ok(()) => tally.accepted += 1,
            Err(why) => count(&mut tally.refusals, why),
        }
        invariants::check_warning(may_ponder, &table.follower, &table.game);
        invariants::check_ruling(&table.follower, &table.game, by, &command, &ruling);
        table.take(ruling.events, tally);
        invariants::check_state(&table.game, &mut people.random);
        if table.game.result().is_some() {
            after_the_end -= 1;
        }
        if after_the_end == 0 {
            break;
        }
    }
    invariants::check_whole(&table.game, &table.record);
    tally.games += 1;
    if let Some(result) = table.game.result() {
        assert_eq!(table.game.tick(Stamp::at(GameInstant(u64::MAX))), None);
        count(&mut tally.ends, &result.termination);
    }
}

#[test]
fn whatever_is_asked_at_whatever_time_the_game_keeps_its_promises() {
    let commands = random::cases(100_000);
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.commands < commands {
        play(seed, &mut tally);
        seed += 1;
    }
    let events: u64 = tally.events.values().sum();
    println!(
        "{} commands ({} carried out), {} games from seeds 0..{seed}, {events} events, no panic",
        tally.commands, tally.accepted, tally.games
    );
    println!("events: {:?}", tally.events);
    println!("ends: {:?}", tally.ends);
    println!("refusals: {:?}", tally.refusals);
    // Chaos that reaches only a corner of the house proves little.
    if commands >= 100_000 {
        assert!(tally.events.len() >= 25, "kinds of events");
        assert!(tally.ends.len() >= 14, "kinds of ends");
        assert!(tally.refusals.len() >= 35, "kinds of refusals");
    }
}
