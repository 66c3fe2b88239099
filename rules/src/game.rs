//! A game between two players: the pure state machine of everything that happens at a board.
//!
//! [`Game::apply`] is the only door. It always does the same four things in order: clamp the time,
//! let a flag fall that is due, consider the command (which may be refused and changes nothing), and
//! emit the events. Every event goes through one function that alone writes fields, so replaying a
//! record runs the same code as playing did.
//!
//! ```
//! use chatrang_rules::color::Color;
//! use chatrang_rules::game::{Command, Game, Millis, Party, Stamp, Terms};
//! use chatrang_rules::notation::san;
//!
//! let terms = Terms { controls: "5+3".parse()?, first_move: Millis::from_seconds(60) };
//! let mut game = Game::new(terms);
//! for (ms, text) in [(1_000, "f3"), (2_000, "e5"), (3_000, "g4"), (4_000, "Qh4#")] {
//!     let by = Party::Player(game.position().turn());
//!     let mv = san::parse(game.position(), text)?;
//!     game.apply(by, Command::Move(mv), Stamp::at_ms(ms)).answer?;
//! }
//! let result = game.result().expect("mate ends the game");
//! assert_eq!(result.to_string(), "Black wins: White is checkmated (FIDE 5.1.1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod command;
mod draw;
mod event;
pub mod lag;
mod refusal;
mod speed;
mod state;
mod terms;
mod time;
pub mod time_control;

pub use clock::{ClockReading, PeriodPlace};
pub use command::{Command, Party, Suspension};
pub use draw::{HALFMOVES_CLAIM, HALFMOVES_END, OFFER_PLIES_MIN, REPETITIONS_CLAIM, REPETITIONS_END};
pub use event::{Action, Event};
pub use refusal::Refusal;
pub use speed::SpeedClass;
pub use state::Played;
pub use terms::Terms;
pub use time::{GameInstant, Millis, Stamp};
pub use time_control::{Bonus, Controls, Period, TimeControl, TimeControlError};

use crate::color::Color;
use crate::legality::IllegalMove;
use crate::mating::{self, Answer, Budget};
use crate::moves::Move;
use crate::outcome::{Detail, GameResult, Termination};
use crate::position::Position;
use clock::MoveCharge;
use state::State;

#[cfg(test)]
mod tests;

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What happened, in order; a refused command may still have found a fallen flag.
    pub events: Vec<Event>,
    /// Whether the command was carried out.
    pub answer: Result<(), Refusal>,
}

/// Why a record is not one of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A record begins with the start of the game, and only there.
    #[error("event {index} is out of place: a record begins with the game's start, once")]
    OutOfPlace {
        /// Its place in the record, from 0.
        index: usize,
    },
    /// An event after the end, or one before the event that precedes it.
    #[error("event {index} comes after the game's end or goes back in time")]
    OutOfTime {
        /// Its place in the record, from 0.
        index: usize,
    },
    /// A move that the position does not allow.
    #[error("event {index} is an illegal move: {why}")]
    IllegalMove {
        /// Its place in the record, from 0.
        index: usize,
        /// The law it breaks.
        why: IllegalMove,
    },
}

/// A claim that would succeed for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Claim {
    /// The position has occurred three times (FIDE 9.2).
    Threefold,
    /// Fifty moves each without a pawn's move or a capture (FIDE 9.3).
    FiftyMoves,
}

/// A game, from its start to its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    state: State,
}

impl Game {
    /// The first event of a game on `terms`: White's clock runs from the start (FIDE 6.2).
    pub fn first_event(terms: Terms) -> Event {
        Event {
            at: GameInstant::START,
            by: Party::House,
            action: Action::Started(terms),
            clocks: ClockReading::start(&terms.controls),
            end: None,
        }
    }

    /// A game that has just begun with [`Game::first_event`].
    pub fn new(terms: Terms) -> Self {
        Self { state: State::new(terms, Position::standard(), &Self::first_event(terms)) }
    }

    /// The game that a record tells.
    ///
    /// # Errors
    /// [`ReplayError`] with the place of the first event that no game could have emitted there.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let mut game = match events.next() {
            Some(first @ Event { action: Action::Started(terms), .. }) => {
                Self { state: State::new(*terms, Position::standard(), first) }
            }
            _ => return Err(ReplayError::OutOfPlace { index: 0 }),
        };
        for (index, event) in (1..).zip(events) {
            game.follow(index, event)?;
        }
        Ok(game)
    }

    /// Takes the next event of a record, whose place in it is `index`.
    ///
    /// # Errors
    /// [`ReplayError`] when this game could not have emitted it; nothing has changed then.
    pub fn follow(&mut self, index: usize, event: &Event) -> Result<(), ReplayError> {
        if matches!(event.action, Action::Started(_)) {
            return Err(ReplayError::OutOfPlace { index });
        }
        if self.state.result().is_some() || event.at < self.state.last_event() {
            return Err(ReplayError::OutOfTime { index });
        }
        self.state.evolve(event).map_err(|why| ReplayError::IllegalMove { index, why })
    }

    /// Carries out a command of `by`, or says which law forbids it.
    ///
    /// A flag that is down at the stamp's time falls before the command is heard.
    pub fn apply(&mut self, by: Party, command: Command, stamp: Stamp) -> Ruling {
        let stamp = self.clamp(stamp);
        let mut events: Vec<Event> = self.tick_as_heard(by, stamp).into_iter().collect();
        let answer = self.consider(by, command, stamp).map(|event| {
            self.emit(&event);
            events.push(event);
        });
        Ruling { events, answer }
    }

    /// Lets a flag fall, or the time for a first move run out, if that is due.
    pub fn tick(&mut self, stamp: Stamp) -> Option<Event> {
        self.tick_as_heard(Party::House, self.clamp(stamp))
    }

    /// When [`Game::tick`] may next have something to do, if nothing else happens and the house takes
    /// no time. Whoever wakes up then calls it; it compares times and trusts no timer.
    pub fn deadline(&self) -> Option<GameInstant> {
        [self.state.clock().flag_falls(), self.first_move_ends()].into_iter().flatten().min()
    }

    /// The terms both players accepted.
    pub fn terms(&self) -> Terms {
        self.state.terms()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.state.position()
    }

    /// The moves made so far.
    pub fn played(&self) -> &[Played] {
        self.state.played()
    }

    /// Plies made so far.
    pub fn ply(&self) -> u32 {
        self.state.ply()
    }

    /// What both clocks read at the stamp's time.
    pub fn clocks(&self, stamp: Stamp) -> ClockReading {
        let stamp = self.clamp(stamp);
        self.state.clock().at(stamp.now, stamp.house)
    }

    /// Who has offered a draw that still stands.
    pub fn draw_offer(&self) -> Option<Color> {
        self.state.offer()
    }

    /// How often the position on the board has occurred.
    pub fn repetitions(&self) -> u32 {
        self.state.repetitions().count()
    }

    /// The claims that would succeed for the side to move, without naming a move.
    pub fn claims(&self) -> Vec<Claim> {
        if self.result().is_some() {
            return Vec::new();
        }
        let threefold = self.repetitions() >= REPETITIONS_CLAIM;
        let fifty = self.position().halfmove_clock() >= HALFMOVES_CLAIM;
        [(threefold, Claim::Threefold), (fifty, Claim::FiftyMoves)]
            .into_iter()
            .filter_map(|(holds, claim)| holds.then_some(claim))
            .collect()
    }

    /// Why the house has stopped the clocks, if it has.
    pub fn suspension(&self) -> Option<Suspension> {
        self.state.suspension()
    }

    /// How the game ended, if it has.
    pub fn result(&self) -> Option<GameResult> {
        self.state.result()
    }

    /// When the last event happened.
    pub fn last_event(&self) -> GameInstant {
        self.state.last_event()
    }

    fn clamp(&self, stamp: Stamp) -> Stamp {
        Stamp { now: stamp.now.max(self.state.last_event()), ..stamp }
    }

    /// Lets fall what is due when `by` is heard: while the player to move is silent, his move may be on a
    /// way that is as long as any that credit is given for.
    fn tick_as_heard(&mut self, by: Party, stamp: Stamp) -> Option<Event> {
        let is_mover = by == Party::Player(self.position().turn());
        let path_rtt = if is_mover { stamp.path_rtt } else { Millis::MAX };
        let event = self.overdue(Stamp { path_rtt, ..stamp })?;
        self.emit(&event);
        Some(event)
    }

    fn emit(&mut self, event: &Event) {
        let written = self.state.evolve(event);
        debug_assert_eq!(written, Ok(()), "only legal moves are emitted");
    }

    /// What `command` gives, or why it is refused. Changes nothing.
    fn consider(&self, by: Party, command: Command, stamp: Stamp) -> Result<Event, Refusal> {
        if let Some(result) = self.result() {
            return Err(Refusal::GameOver(result));
        }
        match (by, command) {
            (Party::Player(color), Command::Move(mv)) => self.consider_move(color, mv, stamp),
            (Party::Player(color), Command::OfferDraw) => {
                draw::may_offer(&self.state, color)?;
                Ok(self.event(by, Action::DrawOffered, stamp))
            }
            (Party::Player(color), Command::DeclineDraw) => {
                draw::may_answer(&self.state, color)?;
                Ok(self.event(by, Action::DrawDeclined, stamp))
            }
            (Party::Player(color), Command::AcceptDraw) => {
                draw::may_answer(&self.state, color)?;
                Ok(self.ending(by, Action::DrawAccepted, GameResult::draw(Termination::Agreement), stamp))
            }
            (Party::Player(color), Command::ClaimDraw { intended }) => {
                self.clocks_may_run()?;
                let result = draw::claim(&self.state, color, intended)?;
                Ok(self.ending(by, Action::DrawClaimed { intended }, result, stamp))
            }
            (Party::Player(color), Command::Resign) => {
                let result = self.lost(color, Termination::Resignation);
                Ok(self.ending(by, Action::Resigned, result, stamp))
            }
            (Party::Player(_), Command::Abort) => {
                if self.ply() >= 2 {
                    return Err(Refusal::AbortTooLate);
                }
                Ok(self.ending(by, Action::Aborted, GameResult::none(Termination::Aborted), stamp))
            }
            (Party::House, Command::Suspend(why)) => {
                self.clocks_may_run()?;
                let mut event = self.event(by, Action::Suspended(why), stamp);
                event.clocks = event.clocks.stopped();
                Ok(event)
            }
            (Party::House, Command::Continue) => {
                if self.suspension().is_none() {
                    return Err(Refusal::NotSuspended);
                }
                let mut event = self.event(by, Action::Continued, stamp);
                event.clocks = event.clocks.resumed_for(self.position().turn());
                Ok(event)
            }
            (Party::House, _) | (Party::Player(_), Command::Suspend(_) | Command::Continue) => {
                Err(Refusal::NotYours)
            }
        }
    }

    fn consider_move(&self, color: Color, mv: Move, stamp: Stamp) -> Result<Event, Refusal> {
        let to_move = self.position().turn();
        if to_move != color {
            return Err(Refusal::NotYourTurn { to_move });
        }
        self.clocks_may_run()?;
        let mut after = self.position().clone();
        after.play(mv)?;

        let end = self.end_after(&after);
        let moves_completed = (self.ply() / 2 + 1).try_into().unwrap_or(u16::MAX);
        let MoveCharge { charged, credit, clocks } = self.state.clock().complete_move(stamp, moves_completed);
        Ok(Event {
            at: stamp.now,
            by: Party::Player(color),
            action: Action::Moved { mv, charged, credit, house: stamp.house },
            clocks: if end.is_some() { clocks.stopped() } else { clocks },
            end,
        })
    }

    /// How the game ends with a move that gives `after`: mate before all draws (FIDE 5, 9.6).
    fn end_after(&self, after: &Position) -> Option<GameResult> {
        let mut repetitions = self.state.repetitions().clone();
        repetitions.push(after);
        if after.is_checkmate() {
            Some(GameResult::win(!after.turn(), Termination::Checkmate))
        } else if after.is_stalemate() {
            Some(GameResult::draw(Termination::Stalemate))
        } else if mating::is_dead(after, Budget::AFTER_MOVE) {
            Some(GameResult::draw(Termination::DeadPosition))
        } else if repetitions.count() >= REPETITIONS_END {
            let detail =
                repetitions.perpetual_check().map_or(Detail::Plain, |side| Detail::PerpetualCheck { side });
            Some(GameResult { detail, ..GameResult::draw(Termination::FivefoldRepetition) })
        } else if after.halfmove_clock() >= HALFMOVES_END {
            Some(GameResult::draw(Termination::SeventyFiveMoves))
        } else {
            None
        }
    }

    /// The result for a side that has lost by its clock or its own word: a draw when the opponent can
    /// no longer mate (FIDE 5.1.2, 6.9).
    fn lost(&self, side: Color, termination: Termination) -> GameResult {
        match mating::can_mate(self.position(), !side, Budget::AT_END).answer {
            Answer::No => {
                GameResult { detail: Detail::OpponentCannotMate { side }, ..GameResult::draw(termination) }
            }
            Answer::Yes => GameResult::win(!side, termination),
            Answer::NotProven => {
                GameResult { detail: Detail::MateNotProven { side }, ..GameResult::win(!side, termination) }
            }
        }
    }

    /// The event of a deadline that has passed.
    fn overdue(&self, stamp: Stamp) -> Option<Event> {
        let color = self.state.clock().running()?;
        let is_flag_down = self.state.clock().is_flag_down(stamp);
        let is_first_due = self.first_move_ends().is_some_and(|end| end.plus(stamp.house) <= stamp.now);
        if is_first_due || (is_flag_down && self.ply() < 2) {
            let result = GameResult::none(Termination::NoFirstMove);
            return Some(self.ending(Party::House, Action::Aborted, result, stamp));
        }
        is_flag_down.then(|| {
            let result = self.lost(color, Termination::FlagFall);
            self.ending(Party::House, Action::TimeRanOut, result, stamp)
        })
    }

    /// When the side to move has used up the time for its first move (L29). A flag that falls before then
    /// ends the game in the same way: nobody loses on time a game that has not begun.
    fn first_move_ends(&self) -> Option<GameInstant> {
        self.state.clock().running().filter(|_| self.ply() < 2)?;
        Some(self.state.clock().thought_reaches(self.terms().first_move))
    }

    /// While the house has stopped the clocks nobody moves or claims, and it does not stop them twice.
    fn clocks_may_run(&self) -> Result<(), Refusal> {
        if self.suspension().is_some() { Err(Refusal::Suspended) } else { Ok(()) }
    }

    fn event(&self, by: Party, action: Action, stamp: Stamp) -> Event {
        Event { at: stamp.now, by, action, clocks: self.state.clock().at(stamp.now, stamp.house), end: None }
    }

    fn ending(&self, by: Party, action: Action, result: GameResult, stamp: Stamp) -> Event {
        let mut event = self.event(by, action, stamp);
        event.clocks = event.clocks.stopped();
        event.end = Some(result);
        event
    }
}
