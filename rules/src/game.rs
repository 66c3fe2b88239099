//! A game between two players: the pure state machine of everything that happens at a board.
//!
//! [`Game::apply`] is the only door. It always does the same four things in order: clamp the time,
//! let a flag fall that is due, consider the command (which may be refused and changes nothing), and
//! emit the events. Every event goes through one function that alone writes fields, so replaying a
//! record runs the same code as playing did.
//!
//! ```
//! use chatrang_rules::color::Color;
//! use chatrang_rules::game::{Command, Game, Party, Stamp, Terms};
//! use chatrang_rules::notation::san;
//!
//! let mut game = Game::new(Terms::online("5+3".parse()?));
//! for (ms, text) in [(1_000, "f3"), (2_000, "e5"), (3_000, "g4"), (4_000, "Qh4#")] {
//!     let by = Party::Player(game.position().turn());
//!     let mv = san::parse(game.position(), text)?;
//!     game.apply(by, Command::Move(mv), Stamp::at_ms(ms)).answer?;
//! }
//! let result = game.result().expect("mate ends the game");
//! assert_eq!(result.to_string(), "Black wins: White is checkmated (FIDE 5.1.1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod absence;
mod adjournment;
mod arbiter;
mod claim;
mod clock;
mod command;
mod conduct;
mod draft;
mod draw;
mod due;
mod ending;
mod event;
mod flag;
mod irregularity;
pub mod lag;
mod proposal;
mod quickplay;
mod reason;
mod refusal;
mod speed;
mod state;
mod terms;
mod time;
pub mod time_control;
mod touch;

pub use absence::ABSENCES_MAX;
pub use arbiter::{ARBITER_TIME_MAX, RULINGS_MAX};
pub use claim::Claim;
pub use clock::{ClockReading, PeriodPlace};
pub use command::{
    AbsenceClaim, Command, Decision, Matter, Order, Party, Proposal, QuickplayClaim, Suspension,
};
pub use conduct::{
    Absence, ArbiterActs, Conduct, ConductError, FlagFall, IllegalMoves, NoShow, Profile, Quickplay,
    SealedMove, TouchMove, Unpromoted, WrongClaim,
};
pub use draw::{HALFMOVES_CLAIM, HALFMOVES_END, REPETITIONS_CLAIM, REPETITIONS_END, WRONG_CLAIMS_MAX};
pub use event::{Action, Event, Irregularity};
pub use irregularity::STANDING_PLIES_MAX;
pub use proposal::{OFFER_PLIES_MIN, TAKEBACK_PLIES_MAX, TAKEBACKS_MAX};
pub use quickplay::{QUICKPLAY_BONUS, QUICKPLAY_INCREMENT, SHORT_OF_TIME};
pub use reason::{NoReason, Reason, acts_on_a_terminal};
pub use refusal::Refusal;
pub use speed::SpeedClass;
pub use state::Played;
pub use terms::{Arbiter, Stakes, Terms};
pub use time::{GameInstant, Millis, Stamp};
pub use time_control::{Bonus, Controls, Period, TimeControl, TimeControlError};

use crate::color::{ByColor, Color};
use crate::legality::IllegalMove;
use crate::moves::Move;
use crate::outcome::{Detail, GameResult, Outcome, Termination};
use crate::position::Position;
use crate::square::Square;
use draft::Draft;
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
        let mut events: Vec<Event> = self.let_pass(self.as_heard(by, stamp)).into_iter().collect();
        let answer = self.consider(by, command, stamp).map(|event| {
            self.emit(&event);
            events.push(event);
        });
        Ruling { events, answer }
    }

    /// Lets a flag fall, or another time run out, if that is due.
    pub fn tick(&mut self, stamp: Stamp) -> Option<Event> {
        self.let_pass(self.as_heard(Party::House, self.clamp(stamp)))
    }

    /// When [`Game::tick`] may next have something to do, if nothing else happens and the house takes
    /// no time. Whoever wakes up then calls it; it compares times and trusts no timer.
    pub fn deadline(&self) -> Option<GameInstant> {
        due::deadline(&self.state)
    }

    /// Whether [`Game::apply`] with `command` at `now`, or without one [`Game::tick`], may have to find out
    /// whether a side can still mate: for up to 190 ms (`mating::Budget::AT_END`), and not microseconds.
    ///
    /// Whoever serves other games as well asks then where it holds none of them up. It may be said in vain, and
    /// is always said when the time has run out for something.
    pub fn may_ponder(&self, command: Option<&Command>, now: GameInstant) -> bool {
        let now = now.max(self.last_event());
        self.result().is_none()
            && (due::may_be_overdue(&self.state, now)
                || command.is_some_and(|command| self.may_lose_by(command)))
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

    /// What stands proposed in a matter, and by whom.
    pub fn proposal(&self, matter: Matter) -> Option<(Color, Proposal)> {
        self.state.proposals().standing(matter)
    }

    /// Who has offered a draw that still stands.
    pub fn draw_offer(&self) -> Option<Color> {
        self.proposal(Matter::Draw).map(|(by, _)| by)
    }

    /// The men that the side to move has touched, in order.
    pub fn touched(&self) -> &[Square] {
        self.state.touched()
    }

    /// The legal moves that the men touched leave to the side to move; none when the game is over.
    pub fn moves(&self) -> Vec<Move> {
        if self.result().is_some() { Vec::new() } else { touch::allowed(self.position(), self.touched()) }
    }

    /// How many illegal moves of each side were counted.
    pub fn illegal_moves(&self) -> ByColor<u8> {
        ByColor::from_fn(|color| self.state.illegal_moves(color))
    }

    /// How often the position on the board has occurred.
    pub fn repetitions(&self) -> u32 {
        self.state.repetitions().count()
    }

    /// What `color` could do at the stamp's time with success.
    pub fn claims(&self, color: Color, stamp: Stamp) -> Vec<Claim> {
        if self.result().is_some() {
            return Vec::new();
        }
        claim::of(&self.state, color, self.clamp(stamp))
    }

    /// Why the clocks are stopped, if they are.
    pub fn suspension(&self) -> Option<Suspension> {
        self.state.suspension()
    }

    /// Whose move goes into the envelope, if the game is being adjourned or is, and whether one is in it.
    pub fn envelope(&self) -> Option<(Color, bool)> {
        self.state.envelope().map(|envelope| (envelope.sealer, envelope.mv.is_some()))
    }

    /// The claim that an arbiter is to decide.
    pub fn claim_that_waits(&self) -> Option<(Color, QuickplayClaim)> {
        self.state.claim_that_waits()
    }

    /// Since when a side has been away.
    pub fn absent_since(&self, color: Color) -> Option<GameInstant> {
        self.state.absent_since(color)
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

    /// The stamp with which `by` is heard: while the player to move is silent, his move may be on a way
    /// that is as long as any that credit is given for.
    fn as_heard(&self, by: Party, stamp: Stamp) -> Stamp {
        let is_mover = matches!(by, Party::Player(color) if color == self.position().turn());
        if is_mover { stamp } else { Stamp { path_rtt: Millis::MAX, ..stamp } }
    }

    /// Emits what has become due by the stamp's time.
    fn let_pass(&mut self, stamp: Stamp) -> Option<Event> {
        let draft = due::overdue(&self.state, stamp)?;
        let event = self.event(Party::House, draft, stamp);
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
        let draft = match by {
            Party::Player(color) => self.consider_player(color, command, stamp),
            Party::House => self.consider_house(&command, stamp),
            Party::Arbiter => match command {
                Command::Rule(decision) => arbiter::rule(&self.state, decision, stamp),
                _ => Err(Refusal::NotYours),
            },
        };
        Ok(self.event(by, draft?, stamp))
    }

    fn consider_player(&self, color: Color, command: Command, stamp: Stamp) -> Result<Draft, Refusal> {
        let state = &self.state;
        match command {
            Command::Move(mv) => self.consider_move(color, mv, stamp),
            Command::Touch(square) => touch::touch(state, color, square, stamp),
            Command::Adjust(square) => touch::adjust(state, color, square, stamp),
            Command::Propose(proposal) => proposal::propose(state, color, proposal, stamp),
            Command::Decline(matter) => proposal::decline(state, color, matter, stamp),
            Command::Accept(matter) => proposal::accept(state, color, matter, stamp),
            Command::ClaimDraw { intended } => draw::claim(state, color, intended, stamp),
            Command::ClaimFlag => flag::claim(state, color, stamp),
            Command::ClaimIllegalMove => irregularity::claim(state, color, stamp),
            Command::ClaimAbsence(claim) => absence::claim(state, color, claim, stamp),
            Command::AskIncrement => quickplay::claim(state, color, QuickplayClaim::Increment, stamp),
            Command::ClaimNoWinning => quickplay::claim(state, color, QuickplayClaim::NoWinning, stamp),
            Command::Seal(mv) => adjournment::seal(state, color, mv, stamp),
            Command::CloseEnvelope => adjournment::close(state, color, stamp),
            Command::Resume => adjournment::resume(state, color, stamp),
            Command::CallArbiter(reason) => arbiter::call(state, color, reason, stamp),
            Command::Resign => {
                let result = ending::lost(self.position(), color, Termination::Resignation);
                Ok(state.draft(Action::Resigned, stamp).ending(result))
            }
            Command::Abort => self.consider_abort(stamp),
            Command::Suspend(_)
            | Command::Continue
            | Command::Left(_)
            | Command::Returned(_)
            | Command::Rule(_) => Err(Refusal::NotYours),
        }
    }

    fn consider_house(&self, command: &Command, stamp: Stamp) -> Result<Draft, Refusal> {
        let state = &self.state;
        match *command {
            Command::Suspend(why @ Suspension::Restart) => {
                state.clocks_may_run()?;
                Ok(state.draft_stop(Action::Suspended(why), stamp))
            }
            Command::Continue => match self.suspension() {
                Some(Suspension::Restart) => Ok(state.draft_start(Action::Continued, stamp)),
                Some(why) => Err(Refusal::Suspended { why }),
                None => Err(Refusal::NotSuspended),
            },
            Command::Left(color) if state.absent_since(color).is_some() || !state.takes_absence(color) => {
                Err(Refusal::NotRecorded)
            }
            Command::Left(color) => Ok(state.draft(Action::Left(color), stamp)),
            Command::Returned(color) if state.absent_since(color).is_none() => Err(Refusal::NotRecorded),
            Command::Returned(color) => Ok(state.draft(Action::Returned(color), stamp)),
            _ => Err(Refusal::NotYours),
        }
    }

    fn consider_move(&self, color: Color, mv: Move, stamp: Stamp) -> Result<Draft, Refusal> {
        self.state.may_act(color)?;
        if self.state.envelope().is_some() {
            return Err(Refusal::SealInstead);
        }
        let mut after = self.position().clone();
        if let Err(why) = after.play(mv) {
            return irregularity::illegal_move(&self.state, mv, why, stamp);
        }
        touch::allows(self.position(), self.touched(), mv)?;
        let end = ending::by_move(&self.state, &after);
        Ok(self.state.draft_move(mv, None, stamp).perhaps_ending(end))
    }

    /// Whether a command could lose the game otherwise than by mate.
    fn may_lose_by(&self, command: &Command) -> bool {
        match command {
            Command::Move(mv) => self.position().judge(*mv).is_err(),
            Command::Resume => self.envelope().is_some(),
            Command::ClaimDraw { .. }
            | Command::ClaimFlag
            | Command::ClaimIllegalMove
            | Command::ClaimAbsence(_)
            | Command::Resign
            | Command::Rule(_) => true,
            Command::Touch(_)
            | Command::Adjust(_)
            | Command::Propose(_)
            | Command::Accept(_)
            | Command::Decline(_)
            | Command::AskIncrement
            | Command::ClaimNoWinning
            | Command::Seal(_)
            | Command::CloseEnvelope
            | Command::CallArbiter(_)
            | Command::Abort
            | Command::Suspend(_)
            | Command::Continue
            | Command::Left(_)
            | Command::Returned(_) => false,
        }
    }

    fn consider_abort(&self, stamp: Stamp) -> Result<Draft, Refusal> {
        if self.state.has_begun() || self.terms().conduct.no_show == NoShow::Lost {
            return Err(Refusal::AbortTooLate);
        }
        let result = GameResult::none(Termination::Aborted);
        Ok(self.state.draft(Action::Aborted, stamp).ending(result))
    }

    fn event(&self, by: Party, draft: Draft, stamp: Stamp) -> Event {
        let end = draft.end.map(|result| self.settled(result));
        Event { at: stamp.now, by, action: draft.action, clocks: draft.clocks, end }
    }

    /// A result under these terms: a draw in an Armageddon game is won by the side that has draw odds.
    fn settled(&self, result: GameResult) -> GameResult {
        match self.terms().draw_odds() {
            Some(side) if result.outcome == Some(Outcome::DRAW) => {
                let detail = match result.detail {
                    Detail::Plain => Detail::DrawOdds { side },
                    why_a_draw => why_a_draw,
                };
                GameResult { outcome: Some(Outcome::win(side)), detail, ..result }
            }
            _ => result,
        }
    }
}
