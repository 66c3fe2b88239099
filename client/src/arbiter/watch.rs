//! One game that an arbiter watches: what he is told of it, in what the players' faces know of a game.

use super::news::{DeskNews, Ruling};
use crate::message::{Effect, Message, Moment, News, Refused, Report};
use crate::model::{AtEnd, Desk, Model};
use crate::update::update;
use chatrang_protocol::client::game::{GameNews, LinkEnd};
use chatrang_protocol::ids::{GameId, IntentId};
use chatrang_protocol::intent::IntentError;
use chatrang_protocol::view::{Snapshot, Update};
use chatrang_rules::game::{Action, Millis, Refusal};
use std::collections::HashMap;

/// A watched game. Pure: the link to it is held elsewhere.
#[derive(Debug)]
pub struct Watch {
    model: Model,
    /// What was typed for each order that has no answer yet.
    pending: HashMap<IntentId, String>,
}

impl Watch {
    /// A game as it is when it is opened, and what there is to tell of it.
    pub fn open(snapshot: Snapshot, now: Moment, lag: Millis) -> (Self, Vec<DeskNews>) {
        let mut watch = Self { model: Model::new(AtEnd::Stay, Desk::default()), pending: HashMap::new() };
        watch.pass(now);
        let told = watch.report(Report::Snapshot { snapshot: Box::new(snapshot), lag });
        (watch, told)
    }

    /// The game as the faces show it.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Lets time pass; what there is to tell is a clock that runs low.
    pub fn pass(&mut self, now: Moment) -> Vec<DeskNews> {
        self.hear(Message::Time(now))
    }

    /// Takes in what the server says of the game.
    pub fn heard(&mut self, news: GameNews, lag: Millis) -> Vec<DeskNews> {
        match news {
            GameNews::Snapshot(snapshot) => {
                self.report(Report::Snapshot { snapshot: Box::new(snapshot), lag })
            }
            GameNews::Update(update) => self.happened(update, lag),
            GameNews::Answer(answer) => match (self.pending.remove(&answer.intent), answer.outcome) {
                (Some(input), Err(error)) => vec![self.refuse(input, &error)],
                // An order that is carried out shows as what has happened.
                _ => Vec::new(),
            },
            GameNews::Presence { color, presence } => self.report(Report::Presence { color, presence }),
            GameNews::Chat(lines) => self.report(Report::Chat(lines)),
            GameNews::Rematch(news) => self.report(Report::Rematch(news)),
            GameNews::Ended(end) => self.ended(&end),
            // The desk tells of the connection once, and says nothing at the boards.
            GameNews::ConnectionLost | GameNews::ConnectionBack | GameNews::Talked(_) => Vec::new(),
        }
    }

    /// Takes in what concerns every game of the server.
    pub fn report(&mut self, report: Report) -> Vec<DeskNews> {
        self.hear(Message::Report(report))
    }

    /// Notes that an order is under way.
    pub fn ordered(&mut self, intent: IntentId, input: String) {
        self.pending.insert(intent, input);
    }

    /// What the arbiter is told when an order of his is not carried out.
    pub fn refuse(&self, input: String, error: &IntentError) -> DeskNews {
        let refused = Refused { input, law: error.law(), text: error.to_string() };
        DeskNews::Refused { game: self.game(), refused }
    }

    /// The refusal of an order that can reach nobody any more: the result, if there is one, is the reason.
    pub fn too_late(&self) -> IntentError {
        let result = self.model.game.as_ref().and_then(|game| game.state.result);
        result.map_or(IntentError::Busy, |result| IntentError::Law(Refusal::GameOver(result)))
    }

    fn game(&self) -> Option<GameId> {
        self.model.game.as_ref().map(|game| game.id)
    }

    fn happened(&mut self, update: Update, lag: Millis) -> Vec<DeskNews> {
        let ruled = match update.event.open().map(|event| &event.action) {
            Some(Action::Ruled(decision)) => Some(decision.clone()),
            _ => None,
        };
        let told = self.report(Report::Update { update: Box::new(update), lag });
        let (Some(decision), Some(game)) = (ruled, self.game()) else { return told };
        // A ruling is told whole and at once; what is left to say is that it has ended the game.
        let ends = |news: &DeskNews| matches!(news, DeskNews::Event { news: News::End(_), .. });
        let ruling = DeskNews::Ruled(Ruling { game, decision });
        std::iter::once(ruling).chain(told.into_iter().filter(ends)).collect()
    }

    fn ended(&mut self, end: &LinkEnd) -> Vec<DeskNews> {
        let too_late = self.too_late();
        let mut inputs: Vec<(IntentId, String)> = self.pending.drain().collect();
        inputs.sort_unstable();
        let mut told: Vec<DeskNews> =
            inputs.into_iter().map(|(_, input)| self.refuse(input, &too_late)).collect();
        if let (Some(game), false) = (self.game(), *end == LinkEnd::Over) {
            told.push(DeskNews::Unwatched { game, text: end.to_string() });
        }
        told
    }

    fn hear(&mut self, message: Message) -> Vec<DeskNews> {
        let effects = update(&mut self.model, message);
        let Some(game) = self.game() else { return Vec::new() };
        let told = effects.into_iter().filter_map(|effect| match effect {
            Effect::Tell(news) => Some(DeskNews::Event { game, news }),
            // Nobody plays here: there is nothing to send, nobody to call, and no end with the game's.
            _ => None,
        });
        told.collect()
    }
}
