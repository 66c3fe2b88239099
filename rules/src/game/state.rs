//! Everything a game knows, and [`State::evolve`], which alone writes it and decides nothing.

use super::clock::Clock;
use super::command::{Party, Suspension};
use super::event::{Action, Event};
use super::terms::Terms;
use super::time::{GameInstant, Millis};
use crate::color::{ByColor, Color};
use crate::legality::IllegalMove;
use crate::moves::Move;
use crate::notation::san;
use crate::outcome::GameResult;
use crate::position::Position;
use crate::repetition::Repetitions;

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

/// The state of a game between two events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    terms: Terms,
    position: Position,
    repetitions: Repetitions,
    played: Vec<Played>,
    clock: Clock,
    offer: Option<Color>,
    /// The ply at which each side last offered.
    offered_at: ByColor<Option<u32>>,
    /// Whether the other side has offered since (L17).
    outbid: ByColor<bool>,
    suspension: Option<Suspension>,
    result: Option<GameResult>,
    last_event: GameInstant,
}

impl State {
    /// The state right after a game's first event.
    pub(super) fn new(terms: Terms, position: Position, first: &Event) -> Self {
        Self {
            terms,
            repetitions: Repetitions::new(&position),
            position,
            played: Vec::new(),
            clock: Clock::set(first.clocks, first.at, terms.controls),
            offer: None,
            offered_at: ByColor::default(),
            outbid: ByColor::default(),
            suspension: None,
            result: first.end,
            last_event: first.at,
        }
    }

    /// Writes what an event says into the fields. On an error nothing is written: such an event
    /// was never emitted by a game in this state.
    pub(super) fn evolve(&mut self, event: &Event) -> Result<(), IllegalMove> {
        match event.action {
            Action::Moved { mv, .. } => self.evolve_move(mv, event)?,
            Action::DrawOffered => self.evolve_offer(event.by),
            Action::DrawDeclined => self.offer = None,
            Action::Suspended(why) => self.suspension = Some(why),
            Action::Continued => self.suspension = None,
            Action::Started(_)
            | Action::DrawAccepted
            | Action::DrawClaimed { .. }
            | Action::Resigned
            | Action::Aborted
            | Action::TimeRanOut => {}
        }
        self.clock = Clock::set(event.clocks, event.at, self.terms.controls);
        self.result = event.end;
        self.last_event = event.at;
        Ok(())
    }

    fn evolve_move(&mut self, mv: Move, event: &Event) -> Result<(), IllegalMove> {
        let mover = self.position.turn();
        let mut next = self.position.clone();
        next.play(mv)?;
        let san = san::write_with(&self.position, mv, &next);
        self.position = next;
        self.repetitions.push(&self.position);
        self.played.push(Played { mv, san, left: event.clocks.left[mover] });
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        Ok(())
    }

    fn evolve_offer(&mut self, by: Party) {
        if let Party::Player(color) = by {
            self.offer = Some(color);
            self.offered_at[color] = Some(self.ply());
            self.outbid = ByColor::from_fn(|side| side != color);
        }
    }

    pub(super) fn terms(&self) -> Terms {
        self.terms
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
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

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Who has offered a draw that still stands.
    pub(super) fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// The ply of a side's last offer.
    pub(super) fn offered_at(&self, color: Color) -> Option<u32> {
        self.offered_at[color]
    }

    /// Whether the other side has offered since.
    pub(super) fn outbid(&self, color: Color) -> bool {
        self.outbid[color]
    }

    pub(super) fn suspension(&self) -> Option<Suspension> {
        self.suspension
    }

    pub(super) fn result(&self) -> Option<GameResult> {
        self.result
    }

    pub(super) fn last_event(&self) -> GameInstant {
        self.last_event
    }
}
