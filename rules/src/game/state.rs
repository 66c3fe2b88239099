//! Everything a game knows, and [`State::evolve`], which alone writes it and decides nothing.

use super::absence::ABSENCES_MAX;
use super::adjournment::Envelope;
use super::clock::{Clock, ClockReading};
use super::command::{Decision, Matter, Order, Party, Proposal, QuickplayClaim, Suspension};
use super::conduct::{SealedMove, TouchMove};
use super::event::{Action, Event, Irregularity};
use super::proposal::Proposals;
use super::refusal::Refusal;
use super::terms::Terms;
use super::time::{GameInstant, Millis};
use super::touch;
use crate::color::{ByColor, Color};
use crate::legality::IllegalMove;
use crate::moves::Move;
use crate::notation::san;
use crate::outcome::GameResult;
use crate::position::Position;
use crate::repetition::Repetitions;
use crate::square::Square;

/// A move that was made, as a move list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The move in SAN.
    pub san: String,
    /// What the mover had left after it.
    pub left: Millis,
}

/// What can be said of the last move where an illegal one stands until it is claimed (L43).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastMove {
    /// It is legal, and may be claimed wrongly.
    Legal,
    /// It is illegal, and stands.
    Illegal,
    /// There is nothing to claim: it was claimed wrongly, or answered by a move that was taken back, or it
    /// is none.
    Settled,
}

/// The increment that a player short of time may ask for (FIDE G.III.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Increment {
    NotAsked,
    Asked,
    Granted,
}

/// The state of a game between two events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    terms: Terms,
    start: Position,
    position: Position,
    repetitions: Repetitions,
    played: Vec<Played>,
    clock: Clock,
    proposals: Proposals,
    /// The men touched with intent on this move, in order.
    touched: Vec<Square>,
    /// How many men were adjusted on this move.
    adjusted: u8,
    /// How many draws were claimed wrongly on this move.
    wrong_claims: u8,
    illegal_moves: ByColor<u8>,
    last_move: LastMove,
    suspension: Option<Suspension>,
    /// A claim that the arbiter has put off: the game goes on meanwhile.
    postponed: Option<(Color, QuickplayClaim)>,
    increment: Increment,
    envelope: Option<Envelope>,
    absent_since: ByColor<Option<GameInstant>>,
    absences: ByColor<u8>,
    /// The ply at which each side last called the arbiter.
    called_at: ByColor<Option<u32>>,
    /// How often the arbiter has ruled since the last move.
    rulings: u8,
    /// How often each side has called since the arbiter last ruled.
    calls_unanswered: ByColor<u8>,
    /// When the clocks last stopped for the arbiter, or he last ruled: he is waited for from then on.
    waits_from: GameInstant,
    /// Whether both sides have ever had made a move, takebacks or not.
    has_begun: bool,
    result: Option<GameResult>,
    last_event: GameInstant,
}

impl State {
    /// The state right after a game's first event.
    pub(super) fn new(terms: Terms, position: Position, first: &Event) -> Self {
        Self {
            terms,
            repetitions: Repetitions::new(&position),
            start: position.clone(),
            position,
            played: Vec::new(),
            clock: Clock::set(first.clocks, first.at, terms.controls),
            proposals: Proposals::default(),
            touched: Vec::new(),
            adjusted: 0,
            wrong_claims: 0,
            illegal_moves: ByColor::default(),
            last_move: LastMove::Settled,
            suspension: None,
            postponed: None,
            increment: Increment::NotAsked,
            envelope: None,
            absent_since: ByColor::default(),
            absences: ByColor::default(),
            called_at: ByColor::default(),
            rulings: 0,
            calls_unanswered: ByColor::default(),
            waits_from: first.at,
            has_begun: false,
            result: first.end,
            last_event: first.at,
        }
    }

    /// Writes what an event says into the fields. On an error nothing is written: such an event
    /// was never emitted by a game in this state.
    pub(super) fn evolve(&mut self, event: &Event) -> Result<(), IllegalMove> {
        let was_suspended = self.suspension.is_some();
        match &event.action {
            Action::Moved { mv, irregularity, .. } => self.evolve_move(*mv, *irregularity, event.clocks)?,
            Action::MovePutBack { mv, count, .. } => {
                self.illegal_moves[self.position.turn()] = *count;
                self.proposals.answer_by_touch(self.position.turn());
                self.bind(*mv);
            }
            Action::Touched(square) => {
                self.touched.push(*square);
                self.proposals.answer_by_touch(self.position.turn());
            }
            Action::Adjusted(_) => self.adjusted = self.adjusted.saturating_add(1),
            Action::Proposed(proposal) => {
                if let Party::Player(color) = event.by {
                    self.proposals.propose(color, *proposal, self.ply());
                }
            }
            Action::Declined(matter) => self.proposals.clear(*matter),
            Action::Accepted(proposal) => self.evolve_agreement(*proposal),
            Action::DrawClaimedWrongly { played, illegal, .. } => {
                self.wrong_claims = self.wrong_claims.saturating_add(1);
                if let Some(mv) = played {
                    self.evolve_move(*mv, None, event.clocks)?;
                }
                if let Some(mv) = illegal {
                    self.bind(*mv);
                }
                if let Party::Player(color) = event.by {
                    self.proposals.offer_by_claim(color);
                }
            }
            Action::IllegalMoveClaimedWrongly { .. } => self.last_move = LastMove::Settled,
            Action::QuickplayClaimed(claim) => self.evolve_quickplay_claim(event, *claim),
            Action::Sealed(mv) => {
                if let Some(envelope) = &mut self.envelope {
                    envelope.mv = Some(*mv);
                    envelope.seals = envelope.seals.saturating_add(1);
                }
            }
            Action::EnvelopeClosed => self.suspension = Some(Suspension::Adjournment),
            Action::Resumed { sealed } => self.evolve_resumption(*sealed, event)?,
            Action::ArbiterCalled(_) => self.evolve_call(event),
            Action::Suspended(why) => {
                self.suspension = Some(*why);
                self.waits_from = event.at;
            }
            Action::Continued => self.evolve_continuation(),
            Action::Left(color) => {
                self.absent_since[*color] = Some(event.at);
                self.absences[*color] = self.absences[*color].saturating_add(1);
            }
            Action::Returned(color) => self.absent_since[*color] = None,
            Action::Ruled(decision) => self.evolve_ruling(decision, event.at),
            Action::Started(_)
            | Action::DrawClaimed { .. }
            | Action::FlagClaimed
            | Action::BothFlagsDown
            | Action::IllegalMoveClaimed
            | Action::AbsenceClaimed(_)
            | Action::Resigned
            | Action::Aborted
            | Action::TimeRanOut
            | Action::AbsenceEnded => {}
        }
        if was_suspended && self.suspension.is_none() {
            self.restart_absences(event.at);
        }
        self.clock = Clock::set(event.clocks, event.at, self.terms.controls);
        self.result = event.end;
        self.last_event = event.at;
        Ok(())
    }

    fn evolve_move(
        &mut self,
        mv: Move,
        irregularity: Option<Irregularity>,
        clocks: ClockReading,
    ) -> Result<(), IllegalMove> {
        let mover = self.position.turn();
        let stands = irregularity == Some(Irregularity::Stands);
        if !stands {
            self.position.judge(mv)?;
        }
        let next = self.position.after(mv);
        let san = san::write_with(&self.position, mv, &next);
        if let Some(Irregularity::Unpromoted { count, .. }) = irregularity {
            self.illegal_moves[mover] = count;
        }
        self.position = next;
        self.repetitions.push(&self.position);
        self.played.push(Played { mv, san, left: clocks.left[mover] });
        self.proposals.answer_by_move(mover);
        self.begin_move();
        // Going back begins a move too, and is a ruling itself.
        self.rulings = 0;
        self.last_move = if stands { LastMove::Illegal } else { LastMove::Legal };
        self.has_begun |= self.played.len() >= 2;
        Ok(())
    }

    /// Nothing has been touched or claimed on the move that is to be made now.
    fn begin_move(&mut self) {
        self.touched.clear();
        self.adjusted = 0;
        self.wrong_claims = 0;
        self.envelope = None;
    }

    /// The men that an illegal move has touched are bound, where touched men bind (FIDE 7.5.1, 9.5.3).
    fn bind(&mut self, mv: Move) {
        if self.terms.conduct.touch_move == TouchMove::Off {
            return;
        }
        for square in touch::men_of(&self.position, mv) {
            if !self.touched.contains(&square) {
                self.touched.push(square);
            }
        }
    }

    fn evolve_agreement(&mut self, proposal: Proposal) {
        self.proposals.clear(proposal.matter());
        match proposal {
            Proposal::Draw => {}
            Proposal::Takeback { plies } => {
                self.go_back_to(self.ply().saturating_sub(plies.into()));
                self.proposals.take_back();
            }
            Proposal::Pause => self.suspension = Some(Suspension::Pause),
            Proposal::Adjournment if self.terms.conduct.sealed_move == SealedMove::Yes => {
                self.envelope = Some(Envelope { sealer: self.position.turn(), mv: None, seals: 0 });
            }
            Proposal::Adjournment => self.suspension = Some(Suspension::Adjournment),
        }
    }

    fn evolve_quickplay_claim(&mut self, event: &Event, claim: QuickplayClaim) {
        self.waits_from = event.at;
        let Party::Player(by) = event.by else { return };
        if claim == QuickplayClaim::Increment {
            self.increment = Increment::Asked;
        }
        self.suspension = Some(Suspension::Claim { by, claim });
        self.proposals.offer_by_claim(by);
    }

    fn evolve_resumption(&mut self, sealed: Option<Move>, event: &Event) -> Result<(), IllegalMove> {
        // An illegal one has lost the game by being opened.
        if let Some(mv) = sealed
            && self.position.judge(mv).is_ok()
        {
            self.evolve_move(mv, None, event.clocks)?;
        }
        // After a pause or a call an envelope is still open, for the move that is thought about.
        if self.suspension == Some(Suspension::Adjournment) {
            self.envelope = None;
        }
        self.suspension = None;
        Ok(())
    }

    /// Play goes on without a ruling: the claim of a draw waits meanwhile, as if it had been put off, but not
    /// a second time.
    fn evolve_continuation(&mut self) {
        if let Some(Suspension::Claim { by, claim }) = self.suspension.take() {
            let is_put_off = claim == QuickplayClaim::NoWinning && self.postponed.is_none();
            self.postponed = is_put_off.then_some((by, claim));
        }
    }

    fn evolve_call(&mut self, event: &Event) {
        self.waits_from = event.at;
        if let Party::Player(color) = event.by {
            self.called_at[color] = Some(self.ply());
            self.calls_unanswered[color] = self.calls_unanswered[color].saturating_add(1);
            self.suspension = Some(Suspension::Call { by: color });
        }
    }

    fn evolve_ruling(&mut self, decision: &Decision, now: GameInstant) {
        self.waits_from = now;
        self.calls_unanswered = ByColor::default();
        self.rulings = self.rulings.saturating_add(1);
        match decision.order {
            Order::Pause => self.suspension = Some(Suspension::Arbiter),
            Order::Resume => self.suspension = None,
            Order::GoBack { ply } => self.go_back_to(ply),
            Order::Grant => {
                if self.increment == Increment::Asked {
                    self.increment = Increment::Granted;
                }
                self.settle_claim();
            }
            Order::Postpone { .. } => {
                let postponed = self.claim_that_waits();
                self.settle_claim();
                self.postponed = postponed;
            }
            Order::Reject => self.settle_claim(),
            Order::AddTime { .. }
            | Order::TakeTime { .. }
            | Order::SetClock { .. }
            | Order::Warn { .. }
            | Order::NoteFlag
            | Order::Declare { .. } => {}
        }
    }

    /// While the clocks stood still nobody was waited for: who is away is away from now on (L60).
    fn restart_absences(&mut self, now: GameInstant) {
        self.absent_since = ByColor::from_fn(|color| self.absent_since[color].map(|_| now));
    }

    fn settle_claim(&mut self) {
        self.postponed = None;
        if let Some(Suspension::Claim { .. }) = self.suspension {
            self.suspension = None;
        }
    }

    /// Puts the men back as they stood after so many plies.
    fn go_back_to(&mut self, ply: u32) {
        self.played.truncate(ply as usize);
        self.position = self.start.clone();
        self.repetitions = Repetitions::new(&self.position);
        for played in &self.played {
            self.position.play_unchecked(played.mv);
            self.repetitions.push(&self.position);
        }
        self.proposals.clear(Matter::Takeback);
        self.begin_move();
        self.last_move = LastMove::Settled;
    }

    /// Whether `color` may act on the board: on its turn, while the clocks may run.
    pub(super) fn may_act(&self, color: Color) -> Result<(), Refusal> {
        let to_move = self.position.turn();
        if to_move == color { self.clocks_may_run() } else { Err(Refusal::NotYourTurn { to_move }) }
    }

    /// While the clocks are stopped nobody moves or claims.
    pub(super) fn clocks_may_run(&self) -> Result<(), Refusal> {
        self.suspension.map_or(Ok(()), |why| Err(Refusal::Suspended { why }))
    }

    pub(super) fn terms(&self) -> Terms {
        self.terms
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The position that the last move was made in; the start's before any.
    pub(super) fn before_last_move(&self) -> Position {
        let before = &self.played[..self.played.len().saturating_sub(1)];
        before.iter().fold(self.start.clone(), |position, played| position.after(played.mv))
    }

    pub(super) fn repetitions(&self) -> &Repetitions {
        &self.repetitions
    }

    pub(super) fn played(&self) -> &[Played] {
        &self.played
    }

    /// Plies made so far.
    pub(super) fn ply(&self) -> u32 {
        self.played.len() as u32
    }

    /// How many moves each side has completed.
    pub(super) fn moves_completed(&self) -> ByColor<u16> {
        let first = self.start.turn();
        let plies = self.ply() as u16;
        ByColor::from_fn(|color| if color == first { plies.div_ceil(2) } else { plies / 2 })
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(super) fn proposals(&self) -> &Proposals {
        &self.proposals
    }

    pub(super) fn touched(&self) -> &[Square] {
        &self.touched
    }

    /// How many men were adjusted on this move.
    pub(super) fn adjusted(&self) -> u8 {
        self.adjusted
    }

    /// How many draws were claimed wrongly on this move.
    pub(super) fn wrong_claims(&self) -> u8 {
        self.wrong_claims
    }

    /// How many illegal moves of a side were counted.
    pub(super) fn illegal_moves(&self, color: Color) -> u8 {
        self.illegal_moves[color]
    }

    pub(super) fn stands_illegal(&self) -> bool {
        self.last_move == LastMove::Illegal
    }

    pub(super) fn last_move_is_settled(&self) -> bool {
        self.last_move == LastMove::Settled
    }

    pub(super) fn suspension(&self) -> Option<Suspension> {
        self.suspension
    }

    /// The claim that an arbiter has put off.
    pub(super) fn postponed_claim(&self) -> Option<(Color, QuickplayClaim)> {
        self.postponed
    }

    /// The claim that an arbiter is to decide, whether the clocks wait for it or not.
    pub(super) fn claim_that_waits(&self) -> Option<(Color, QuickplayClaim)> {
        match self.suspension {
            Some(Suspension::Claim { by, claim }) => Some((by, claim)),
            _ => self.postponed,
        }
    }

    pub(super) fn increment_was_asked(&self) -> bool {
        self.increment != Increment::NotAsked
    }

    pub(super) fn has_extra_increment(&self) -> bool {
        self.increment == Increment::Granted
    }

    pub(super) fn envelope(&self) -> Option<Envelope> {
        self.envelope
    }

    /// Since when a side has been away.
    pub(super) fn absent_since(&self, color: Color) -> Option<GameInstant> {
        self.absent_since[color]
    }

    /// Whether the record takes another absence of this side.
    pub(super) fn takes_absence(&self, color: Color) -> bool {
        self.absences[color] < ABSENCES_MAX
    }

    /// The ply at which a side last called the arbiter.
    pub(super) fn called_at(&self, color: Color) -> Option<u32> {
        self.called_at[color]
    }

    /// How often the arbiter has ruled since the last move.
    pub(super) fn rulings(&self) -> u8 {
        self.rulings
    }

    /// How often a side has called since the arbiter last ruled.
    pub(super) fn calls_unanswered(&self, color: Color) -> u8 {
        self.calls_unanswered[color]
    }

    /// When the clocks last stopped for the arbiter, or he last ruled.
    pub(super) fn waits_from(&self) -> GameInstant {
        self.waits_from
    }

    /// Whether a player has called the arbiter, or made a claim that is his to decide.
    pub(super) fn arbiter_was_called(&self) -> bool {
        self.called_at != ByColor::default() || self.claim_that_waits().is_some()
    }

    /// Whether both sides have made a move, takebacks or not.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    pub(super) fn result(&self) -> Option<GameResult> {
        self.result
    }

    pub(super) fn last_event(&self) -> GameInstant {
        self.last_event
    }
}
