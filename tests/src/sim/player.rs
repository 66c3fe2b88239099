//! A player at one game: thinks, moves, wishes for this and that, and in the end makes an end of it.

use super::dice::Dice;
use super::guest::{Guest, Heard};
use super::wishes::{Temper, wish};
use chatrang_protocol::client::game::LinkEnd;
use chatrang_protocol::ids::{GameId, IntentId};
use chatrang_protocol::intent::{Intent, IntentError, IntentFrame};
use chatrang_rules::game::{Refusal, Suspension};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// How long a player waits before he asks again what could not be decided at the moment.
const AGAIN_MS: (u64, u64) = (200, 1_000);

/// How long he looks at a game that waits for something.
const LOOK_MS: (u64, u64) = (500, 4_000);

/// How often somebody who does something says something too, of a thousand times.
const CHAT_PER_MILLE: u64 = 40;

/// How long a late answer is waited for.
const LATE_ANSWER: Duration = Duration::from_mins(1);

/// An intent that somebody sends again over another connection.
#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) game: GameId,
    pub(super) frame: IntentFrame,
}

/// A player at his game.
pub(super) struct Player {
    guest: Guest,
    temper: Temper,
    dice: Dice,
    /// Where his intents are sent again, if anywhere.
    echo: Option<mpsc::Sender<Repeat>>,
    /// The intents that wait for their answer.
    waiting: Vec<IntentId>,
    /// When he does something next.
    due: Instant,
}

impl Player {
    pub(super) fn new(guest: Guest, temper: Temper, dice: Dice, echo: Option<mpsc::Sender<Repeat>>) -> Self {
        let mut player = Self { guest, temper, dice, echo, waiting: Vec::new(), due: Instant::now() };
        player.think();
        player
    }

    /// Plays to the end, and sees it.
    pub(super) async fn play(mut self) {
        loop {
            tokio::select! {
                biased;
                heard = self.guest.hear() => match heard {
                    Heard::Changed => self.think(),
                    Heard::Answer(id, outcome) => self.take_answer(id, outcome.err().as_ref()),
                    Heard::Beside => {}
                    Heard::Ended(end) => return self.leave(&end),
                },
                () = sleep_until(self.due) => self.act(),
            }
            if self.guest.is_over() && self.waiting.is_empty() {
                break;
            }
        }
        self.after_the_end().await;
    }

    /// The board has changed, or something has been decided: when does he act?
    fn think(&mut self) {
        let is_his_turn = self.guest.seat() == Some(self.guest.state().turn);
        let span = if is_his_turn && self.guest.state().suspension.is_none() {
            self.dice.about_ms(self.temper.thinking_ms)
        } else {
            self.dice.about_ms(3 * self.temper.thinking_ms)
        };
        self.due = Instant::now() + span;
    }

    fn act(&mut self) {
        self.due = Instant::now() + self.dice.ms(LOOK_MS.0, LOOK_MS.1);
        if self.guest.is_over() || self.waiting.len() > 1 {
            return;
        }
        if self.dice.per_mille(CHAT_PER_MILLE) {
            self.guest.say("hm");
        }
        let Some(intent) = self.choose() else { return };
        let Some(frame) = self.guest.send(intent) else { return };
        self.waiting.push(frame.id);
        if let Some(echo) = &self.echo
            && self.dice.per_mille(300)
        {
            // One that is busy sends nothing again.
            let _ = echo.try_send(Repeat { game: self.guest.game, frame });
        }
    }

    fn choose(&mut self) -> Option<Intent> {
        let seat = self.guest.seat()?;
        let state = self.guest.state();
        match state.suspension {
            None => {}
            Some(Suspension::Pause) => return self.dice.per_mille(600).then_some(Intent::Resume),
            // The house lets the clocks run again by itself.
            Some(_) => return None,
        }
        wish(state, seat, &self.temper, &mut self.dice)
    }

    fn take_answer(&mut self, id: IntentId, refusal: Option<&IntentError>) {
        self.waiting.retain(|waiting| *waiting != id);
        match refusal {
            // The update that follows makes him think.
            None => {}
            Some(
                IntentError::Busy
                | IntentError::StoreFull
                | IntentError::ServerStopping
                | IntentError::Law(Refusal::Suspended { .. }),
            ) => self.due = Instant::now() + self.dice.ms(AGAIN_MS.0, AGAIN_MS.1),
            Some(_) => self.think(),
        }
    }

    /// Now and then a late word, and then he goes.
    async fn after_the_end(mut self) {
        self.guest.note_end();
        if self.dice.per_mille(200) {
            self.come_too_late().await;
        }
    }

    /// Whoever resigns after the end is told that it is over, if anything.
    async fn come_too_late(&mut self) {
        let Some(frame) = self.guest.send(Intent::Resign) else { return };
        let end = Instant::now() + LATE_ANSWER;
        loop {
            tokio::select! {
                biased;
                heard = self.guest.hear() => match heard {
                    Heard::Answer(id, _) if id == frame.id => return,
                    Heard::Ended(_) => return,
                    _ => {}
                },
                () = sleep_until(end) => return,
            }
        }
    }

    fn leave(&self, end: &LinkEnd) {
        if *end == LinkEnd::Over || self.guest.is_over() {
            self.guest.note_end();
        } else if *end != LinkEnd::Left {
            self.guest.complain(format_args!("lost his game: {end}"));
        }
    }
}
