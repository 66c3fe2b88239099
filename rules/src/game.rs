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
mod clock;
mod command;
mod conduct;
mod draw;
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
pub use arbiter::ARBITER_TIME_MAX;
pub use clock::{ClockReading, PeriodPlace};
pub use command::{
    AbsenceClaim, Command, Decision, Matter, Order, Party, Proposal, QuickplayClaim, Suspension,
};
pub use conduct::{
    Absence, ArbiterActs, Conduct, ConductError, FlagFall, IllegalMoves, NoShow, Profile, Quickplay,
    SealedMove, TouchMove, Unpromoted, WrongClaim,
};
pub use draw::{HALFMOVES_CLAIM, HALFMOVES_END, REPETITIONS_CLAIM, REPETITIONS_END};
pub use event::{Action, Event, Irregularity};
pub use proposal::{OFFER_PLIES_MIN, TAKEBACK_PLIES_MAX};
pub use quickplay::{QUICKPLAY_BONUS, QUICKPLAY_INCREMENT, SHORT_OF_TIME};
pub use reason::{NoReason, Reason};
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
use state::{Draft, State};

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

/// Something a player could do now with success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
pub enum Claim {
    /// A draw: the position has occurred three times (FIDE 9.2).
    Threefold,
    /// A draw: fifty moves each without a pawn's move or a capture (FIDE 9.3).
    FiftyMoves,
    /// A draw by naming this move, after which the position will have occurred three times (FIDE 9.2.1).
    ThreefoldWith(Move),
    /// A draw by naming this move, after which there will have been fifty moves (FIDE 9.3.1).
    FiftyMovesWith(Move),
    /// The opponent's flag is down (FIDE 6.8).
    Flag,
    /// The opponent has been away too long (L60).
    Absence,
    /// An increment may be asked for (FIDE G.III.4).
    Increment,
    /// It may be claimed that the opponent does not win by normal means (FIDE G.III.5).
    NoWinning,
}

/// Men adjusted on one move before it is enough.
const ADJUSTED_MAX: u8 = 8;

/// Plies before the same side may call the arbiter again.
const CALL_PLIES_MIN: u32 = 4;

/// How long the clocks stand still for an arbiter who was called and does not come.
const CALL_WAIT: Millis = Millis::from_seconds(10 * 60);

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
        if self.result().is_some() {
            return None;
        }
        let deadlines = [
            self.flag_falls(),
            self.first_move_ends(),
            absence::ends_by_itself(&self.state),
            self.call_ends(),
        ];
        deadlines.into_iter().flatten().min()
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
        let stamp = self.clamp(stamp);
        let mut claims = Vec::new();
        if draw::may_claim(&self.state, color).is_ok() {
            self.add_draw_claims(&mut claims);
        }
        let quickplay = |claim| quickplay::may_claim(&self.state, color, claim, stamp.now).is_ok();
        let others = [
            (flag::claim(&self.state, color, stamp).is_ok_and(|draft| draft.end.is_some()), Claim::Flag),
            (absence::may_claim(&self.state, color, stamp.now).is_ok(), Claim::Absence),
            (quickplay(QuickplayClaim::Increment), Claim::Increment),
            (quickplay(QuickplayClaim::NoWinning), Claim::NoWinning),
        ];
        claims.extend(others.into_iter().filter_map(|(holds, claim)| holds.then_some(claim)));
        claims
    }

    fn add_draw_claims(&self, claims: &mut Vec<Claim>) {
        if self.repetitions() >= REPETITIONS_CLAIM {
            claims.push(Claim::Threefold);
        }
        if self.position().halfmove_clock() >= HALFMOVES_CLAIM {
            claims.push(Claim::FiftyMoves);
        }
        if claims.is_empty() {
            claims.extend(draw::moves_to_name(&self.state).into_iter().map(|(mv, by)| match by {
                Termination::ThreefoldRepetition => Claim::ThreefoldWith(mv),
                _ => Claim::FiftyMovesWith(mv),
            }));
        }
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
        let draft = self.overdue(stamp)?;
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
            Command::Touch(square) => self.consider_touch(color, square, stamp),
            Command::Adjust(square) => self.consider_adjusting(color, square, stamp),
            Command::Propose(proposal) => {
                proposal::may_propose(state, color, proposal)?;
                Ok(state.draft(Action::Proposed(proposal), stamp))
            }
            Command::Decline(matter) => {
                proposal::standing_for(state, color, matter)?;
                Ok(state.draft(Action::Declined(matter), stamp))
            }
            Command::Accept(matter) => self.consider_agreement(color, matter, stamp),
            Command::ClaimDraw { intended } => self.consider_draw_claim(color, intended, stamp),
            Command::ClaimFlag => flag::claim(state, color, stamp),
            Command::ClaimIllegalMove => irregularity::claim(state, color, stamp),
            Command::ClaimAbsence(claim) => self.consider_absence_claim(color, claim, stamp),
            Command::AskIncrement => self.consider_quickplay(color, QuickplayClaim::Increment, stamp),
            Command::ClaimNoWinning => self.consider_quickplay(color, QuickplayClaim::NoWinning, stamp),
            Command::Seal(mv) => adjournment::seal(state, color, mv, stamp),
            Command::CloseEnvelope => adjournment::close(state, color, stamp),
            Command::Resume => adjournment::resume(state, color, stamp),
            Command::CallArbiter(reason) => self.consider_call(color, reason, stamp),
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
        self.may_act_on_board(color)?;
        if self.state.envelope().is_some() {
            return Err(Refusal::SealInstead);
        }
        let mut after = self.position().clone();
        if let Err(why) = after.play(mv) {
            return irregularity::illegal_move(&self.state, mv, why, stamp);
        }
        self.touch_allows(mv)?;
        let end = ending::by_move(&self.state, &after);
        Ok(self.state.draft_move(mv, None, stamp).perhaps_ending(end))
    }

    /// A move that another touch forbids is refused, naming the man that must move (FIDE 4.3).
    fn touch_allows(&self, mv: Move) -> Result<(), Refusal> {
        let touched = self.touched();
        if touched.is_empty() || touch::allowed(self.position(), touched).contains(&mv) {
            return Ok(());
        }
        match touch::binding_man(self.position(), touched) {
            Some((square, man)) => {
                let own = man.color == self.position().turn();
                Err(Refusal::TouchBinds { square, role: man.role, own })
            }
            None => Err(Refusal::TouchedAlready { square: mv.from() }),
        }
    }

    fn consider_touch(&self, color: Color, square: Square, stamp: Stamp) -> Result<Draft, Refusal> {
        self.may_touch(color, square)?;
        if self.touched().contains(&square) {
            return Err(Refusal::TouchedAlready { square });
        }
        Ok(self.state.draft(Action::Touched(square), stamp))
    }

    fn consider_adjusting(&self, color: Color, square: Square, stamp: Stamp) -> Result<Draft, Refusal> {
        self.may_touch(color, square)?;
        if self.touched().contains(&square) {
            return Err(Refusal::TouchedAlready { square });
        }
        if self.state.adjusted() >= ADJUSTED_MAX {
            return Err(Refusal::AdjustedEnough);
        }
        Ok(self.state.draft(Action::Adjusted(square), stamp))
    }

    fn may_touch(&self, color: Color, square: Square) -> Result<(), Refusal> {
        if self.terms().conduct.touch_move == TouchMove::Off {
            return Err(Refusal::TouchMoveOff);
        }
        self.may_act_on_board(color)?;
        match self.position().board().color_at(square) {
            Some(_) => Ok(()),
            None => Err(Refusal::NobodyThere { square }),
        }
    }

    fn may_act_on_board(&self, color: Color) -> Result<(), Refusal> {
        let to_move = self.position().turn();
        if to_move == color { self.state.clocks_may_run() } else { Err(Refusal::NotYourTurn { to_move }) }
    }

    fn consider_agreement(&self, color: Color, matter: Matter, stamp: Stamp) -> Result<Draft, Refusal> {
        let state = &self.state;
        let proposal = proposal::standing_for(state, color, matter)?;
        let action = Action::Accepted(proposal);
        Ok(match proposal {
            Proposal::Draw => state.draft(action, stamp).ending(GameResult::draw(Termination::Agreement)),
            Proposal::Takeback { plies } => {
                state.clocks_may_run()?;
                state.draft_back_to(self.ply().saturating_sub(plies.into()), action, stamp)
            }
            Proposal::Adjournment if self.terms().conduct.sealed_move == SealedMove::Yes => {
                state.clocks_may_run()?;
                state.draft(action, stamp)
            }
            Proposal::Pause | Proposal::Adjournment => {
                state.clocks_may_run()?;
                state.draft_stop(action, stamp)
            }
        })
    }

    fn consider_draw_claim(
        &self,
        color: Color,
        intended: Option<Move>,
        stamp: Stamp,
    ) -> Result<Draft, Refusal> {
        let state = &self.state;
        draw::may_claim(state, color)?;
        let why = match draw::claim(state, intended) {
            Ok(result) => return Ok(state.draft(Action::DrawClaimed { intended }, stamp).ending(result)),
            Err(why) => why,
        };
        let names_nobody = matches!(why, Refusal::IllegalMove(IllegalMove::NoMan { .. }));
        match self.terms().conduct.wrong_claim {
            WrongClaim::Penalty(penalty) if !names_nobody => {
                let (played, illegal) = match why {
                    Refusal::IllegalMove(_) => (None, intended),
                    _ => (intended, None),
                };
                let action = Action::DrawClaimedWrongly { played, illegal, penalty };
                Ok(self.wrong_claim(action, played, stamp).giving(!color, penalty))
            }
            _ => Err(why),
        }
    }

    /// The move that a wrong claim names is played (FIDE 9.5.3).
    fn wrong_claim(&self, action: Action, played: Option<Move>, stamp: Stamp) -> Draft {
        let Some(mv) = played else { return self.state.draft(action, stamp) };
        let end = ending::by_move(&self.state, &self.position().after(mv));
        self.state.draft_completed(action, stamp).perhaps_ending(end)
    }

    fn consider_absence_claim(
        &self,
        color: Color,
        claim: AbsenceClaim,
        stamp: Stamp,
    ) -> Result<Draft, Refusal> {
        absence::may_claim(&self.state, color, stamp.now)?;
        let result = match claim {
            AbsenceClaim::Win => ending::lost(self.position(), !color, Termination::Absence),
            AbsenceClaim::Draw => GameResult::draw(Termination::Absence),
        };
        Ok(self.state.draft(Action::AbsenceClaimed(claim), stamp).ending(result))
    }

    fn consider_quickplay(
        &self,
        color: Color,
        claim: QuickplayClaim,
        stamp: Stamp,
    ) -> Result<Draft, Refusal> {
        quickplay::may_claim(&self.state, color, claim, stamp.now)?;
        Ok(self.state.draft_stop(Action::QuickplayClaimed(claim), stamp))
    }

    fn consider_call(&self, color: Color, reason: Reason, stamp: Stamp) -> Result<Draft, Refusal> {
        self.state.clocks_may_run()?;
        if self.terms().arbiter == Arbiter::Nobody {
            return Err(Refusal::NoArbiter);
        }
        let again = self.state.called_at(color).map(|ply| ply + CALL_PLIES_MIN);
        if let Some(again) = again.filter(|&again| again > self.ply()) {
            return Err(Refusal::CalledAlready { plies: again - self.ply() });
        }
        Ok(self.state.draft_stop(Action::ArbiterCalled(reason), stamp))
    }

    fn consider_abort(&self, stamp: Stamp) -> Result<Draft, Refusal> {
        if self.state.has_begun() || self.terms().conduct.no_show == NoShow::Lost {
            return Err(Refusal::AbortTooLate);
        }
        let result = GameResult::none(Termination::Aborted);
        Ok(self.state.draft(Action::Aborted, stamp).ending(result))
    }

    /// What a deadline that has passed gives.
    fn overdue(&self, stamp: Stamp) -> Option<Draft> {
        let passed =
            |deadline: Option<GameInstant>| deadline.is_some_and(|end| end.plus(stamp.house) <= stamp.now);
        if self.result().is_some() {
            return None;
        }
        let to_move = self.position().turn();
        let is_flag_down =
            self.terms().conduct.flag_fall == FlagFall::Noticed && self.state.clock().is_flag_down(stamp);
        if passed(self.first_move_ends()) || (is_flag_down && !self.state.has_begun()) {
            let result = match self.terms().conduct.no_show {
                NoShow::Aborted => GameResult::none(Termination::NoFirstMove),
                NoShow::Lost => GameResult::win(!to_move, Termination::NoFirstMove),
            };
            return Some(self.state.draft(Action::TimeRanOut, stamp).ending(result));
        }
        if is_flag_down {
            return Some(flag::fallen(&self.state, to_move, stamp));
        }
        if passed(absence::ends_by_itself(&self.state)) {
            let result = ending::lost(self.position(), to_move, Termination::Absence);
            return Some(self.state.draft(Action::AbsenceEnded, stamp).ending(result));
        }
        passed(self.call_ends()).then(|| self.state.draft_start(Action::Continued, stamp))
    }

    /// When the flag of the side to move falls by itself.
    fn flag_falls(&self) -> Option<GameInstant> {
        match self.terms().conduct.flag_fall {
            FlagFall::Noticed => self.state.clock().flag_falls(),
            FlagFall::Claimed => None,
        }
    }

    /// When the side to move has used up the time for its first move (L29). A flag that falls before then
    /// ends the game in the same way: nobody loses on time a game that has not begun. Where not to be there
    /// is to lose, only who is away by then loses: whoever sits at the board may think (FIDE 6.7.1).
    fn first_move_ends(&self) -> Option<GameInstant> {
        self.state.clock().running().filter(|_| !self.state.has_begun())?;
        let ends = self.state.clock().thought_reaches(self.terms().first_move);
        let is_away = self.absent_since(self.position().turn()).is_some();
        match self.terms().conduct.no_show {
            NoShow::Aborted => Some(ends),
            // Who leaves after that time was there when it was over.
            NoShow::Lost => (is_away && ends > self.last_event()).then_some(ends),
        }
    }

    /// When nobody waits any longer for an arbiter who was called.
    fn call_ends(&self) -> Option<GameInstant> {
        matches!(self.suspension(), Some(Suspension::Call { .. }))
            .then(|| self.state.last_event().plus(CALL_WAIT))
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
